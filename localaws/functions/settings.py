"""What moto forgets about a function: its log group, some settings, which version of its runtime it has, and that event
settings replace older ones.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from moto.awslambda.exceptions import InvalidParameterValueException, LambdaClientError
from moto.awslambda.models import LambdaBackend, LambdaFunction

from localaws.functions.destinations import check_dead_letter_target, check_destination
from localaws.functions.environment_variables import check_environment
from localaws.iam.principals import is_known
from localaws.iam.sessions import LAMBDA, NOT_ASSUMABLE, NotAssumable, Session, Sessions
from localaws.service_error import ServiceError

HIGHEST = {"Timeout": 900, "MemorySize": 10_240}
"""https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: AWS's model has the 5,400 seconds and the
32,768 MB of functions on instances of one's own, which there are none of here.
"""


def created_with(theirs: Callable[..., None], sessions: Sessions) -> Callable[..., None]:
    """`LambdaFunction.__init__` that keeps settings, and refuses a role that Lambda cannot use."""

    def create(function: LambdaFunction, account_id: str, spec: dict[str, Any], *further: Any, **named: Any) -> None:
        check_environment(spec.get("Environment"))
        _check_numbers(spec)
        theirs(function, account_id, spec, *further, **named)
        session = _session(function, function.role, sessions)
        _log_to(function, spec.get("LoggingConfig") or {})
        _give_up_to(function, spec.get("DeadLetterConfig") or {}, session)

    return create


def updated_with(theirs: Callable[..., dict[str, Any]], sessions: Sessions) -> Callable[..., dict[str, Any]]:
    """`LambdaFunction.update_configuration` that does not drop what it does not know."""

    def update(function: LambdaFunction, changes: dict[str, Any]) -> dict[str, Any]:
        check_environment(changes.get("Environment"))
        _check_numbers(changes)
        if changes.keys() & {"Role", "DeadLetterConfig"}:
            session = _session(function, changes.get("Role", function.role), sessions)
            _give_up_to(function, changes.get("DeadLetterConfig", function.dead_letter_config), session)
        theirs(function, changes)
        if "LoggingConfig" in changes:
            _log_to(function, changes["LoggingConfig"])
        if "KMSKeyArn" in changes:
            function.kms_key_arn = changes["KMSKeyArn"]
        if "TracingConfig" in changes:
            function.tracing_config = changes["TracingConfig"]
        if "EphemeralStorage" in changes:
            function.ephemeral_storage = changes["EphemeralStorage"]["Size"]
        configuration: dict[str, Any] = function.get_configuration()
        return configuration

    return update


def _check_numbers(given: Mapping[str, Any]) -> None:
    for name, highest in HIGHEST.items():
        if (number := given.get(name)) is not None and number > highest:
            message = (
                f"1 validation error detected: Value '{number}' at '{name[0].lower()}{name[1:]}' failed to satisfy "
                f"constraint: Member must have value less than or equal to {highest}"
            )
            raise ServiceError("ValidationException", message)


class RuntimeVersions:
    """The version of its runtime that Lambda has for each function, or by the function's name why it has none.

    https://docs.aws.amazon.com/lambda/latest/api/API_RuntimeVersionConfig.html
    """

    def __init__(self) -> None:
        self.missing: dict[str, str] = {}

    def of(self, function: LambdaFunction) -> dict[str, Any]:
        """As GetFunctionConfiguration tells it."""
        if reason := self.missing.get(function.function_name):
            return {"Error": {"ErrorCode": "InternalFailure", "Message": reason}}
        digest = hashlib.sha256(str(function.run_time).encode()).hexdigest()
        return {"RuntimeVersionArn": f"arn:{function.partition}:lambda:{function.region}::runtime:{digest}"}


def described_with(
    theirs: Callable[..., dict[str, Any]], runtime_versions: RuntimeVersions
) -> Callable[..., dict[str, Any]]:
    """`LambdaFunction.get_configuration` with what moto forgets in it."""

    def describe(function: LambdaFunction, on_create: bool = False) -> dict[str, Any]:
        forgotten = {
            "LoggingConfig": function.logging_config,
            "RuntimeVersionConfig": runtime_versions.of(function),
        }
        if function.dead_letter_config:
            forgotten["DeadLetterConfig"] = function.dead_letter_config
        return {**theirs(function, on_create), **forgotten}

    return describe


def event_settings_with(theirs: Callable[..., dict[str, Any]], sessions: Sessions) -> Callable[..., dict[str, Any]]:
    """`LambdaBackend.put_function_event_invoke_config`, which refuses destinations out of the role's reach; moto would
    go on answering with the oldest settings.
    """

    def put(backend: LambdaBackend, function_name: str, config: dict[str, Any]) -> dict[str, Any]:
        function = backend.get_function(function_name)
        session = _session(function, function.role, sessions)
        for one in (config.get("DestinationConfig") or {}).values():
            if destination := one.get("Destination"):
                check_destination(destination, session)
        before = function.event_invoke_config
        function.event_invoke_config = []
        try:
            return theirs(backend, function_name, config)
        except Exception:
            function.event_invoke_config = before
            raise

    return put


def permitted_with(theirs: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """`LambdaBackend.add_permission`, which refuses a principal that nobody is, and an id that a statement has already.

    https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1189
    """

    def add(backend: LambdaBackend, function_name: str, qualifier: str, raw: str) -> dict[str, Any]:
        if not is_known(json.loads(raw)["Principal"]):
            message = "The provided principal was invalid. Please check the principal and try again."
            raise InvalidParameterValueException(message)
        wanted, policy = json.loads(raw)["StatementId"], backend.get_function(function_name, qualifier).policy
        if any(one.get("Sid") == wanted for one in policy.statements):
            raise StatementExists(wanted)
        return theirs(backend, function_name, qualifier, raw)

    return add


class StatementExists(LambdaClientError):  # type: ignore[misc] # moto has no types
    """https://github.com/hashicorp/terraform-provider-aws/issues/3312"""

    code = 409

    def __init__(self, statement_id: str) -> None:
        message = (
            f"The statement id ({statement_id}) provided already exists. Please provide a new statement id, or "
            "remove the existing statement."
        )
        super().__init__("ResourceConflictException", message)


def _session(function: LambdaFunction, role_arn: str, sessions: Sessions) -> Session:
    try:
        return sessions.assume(role_arn, function.function_name, LAMBDA, function.function_arn)
    except NotAssumable as error:
        raise InvalidParameterValueException(NOT_ASSUMABLE) from error


def _give_up_to(function: LambdaFunction, wanted: dict[str, Any], session: Session) -> None:
    if target := wanted.get("TargetArn"):
        check_dead_letter_target(target, session)
    function.dead_letter_config = wanted


def _log_to(function: LambdaFunction, wanted: dict[str, Any]) -> None:
    default_group = f"/aws/lambda/{function.function_name}"
    function.logging_config = {"LogFormat": "Text", "LogGroup": default_group, **wanted}
    function.logs_group_name = function.logging_config["LogGroup"]
