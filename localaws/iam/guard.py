"""Between moto's parsing of a request and its answer: may the session that signed it do that?"""

import copy
import logging
from collections.abc import Callable, Iterable
from typing import Any

from moto.core.exceptions import ServiceException
from moto.core.responses import ActionResult, BaseResponse
from moto.moto_server.werkzeug_app import DomainDispatcherApplication

from localaws.iam.object_requests import refusal_of
from localaws.iam.operations import OPERATIONS, NotInTable, asks
from localaws.iam.sessions import AccessRefused, Session, Sessions

log = logging.getLogger(__name__)

REFUSAL_CODES = {"sns": "AuthorizationError", "cloudwatch": "AccessDenied", "cloudformation": "AccessDenied"}
OTHER_REFUSAL_CODE = "AccessDeniedException"
KEY_REFUSAL_CODE = "KMSAccessDenied"
"""What SNS answers with where its topic's key is out of reach."""
S3_REFUSAL = "S3 error: Access Denied\nFor more information check http://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html"
"""In which words CloudFormation says that a template's bucket is out of reach."""
UNJUDGED_CODE = "ValidationException"

CODES_MOTO_SHOULD_KNOW = ["AccessDenied", OTHER_REFUSAL_CODE, "Throttling"]
"""No service's model lists them as errors of its own; moto would warn."""

FORBIDDEN = 403

type CallAction = Callable[[BaseResponse], Any]
type Application = Callable[[DomainDispatcherApplication, dict[str, Any], Any], Iterable[bytes]]


class Refusal(ServiceException):  # type: ignore[misc] # moto has no types
    """What the caller gets instead of an answer."""


def guarding_with(sessions: Sessions, theirs: CallAction) -> CallAction:
    """`BaseResponse.call_action` for every service: what a session's role does not allow is refused as AWS does."""

    def call_action(response: BaseResponse) -> Any:
        session = sessions.of(response.access_key)
        refusal = _refusal(session, response) if session else None
        if refusal is None:
            return theirs(response)
        _, headers, body = response.serialized(ActionResult(refusal))
        return FORBIDDEN, headers, body

    return call_action


def admitting_with(sessions: Sessions, theirs: Application) -> Application:
    """The server's front door: sessions get no further with a service that `guarding_with` cannot judge at all."""
    judged_services = {"elasticfilesystem", "monitoring", *(service for service, _ in OPERATIONS)}

    def call(application: DomainDispatcherApplication, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        key, service = _signed_with(environ.get("HTTP_AUTHORIZATION", ""))
        if service == "s3" and (session := sessions.of(key)):
            return _object(session, environ, start_response) or theirs(application, environ, start_response)
        if service not in judged_services and (session := sessions.of(key)):
            log.error("%s calls %s: localaws/iam/operations.py has no call of that service", session.arn, service)
            start_response("403 Forbidden", [("Content-Type", "text/plain"), ("Content-Length", "0")])
            return []
        return theirs(application, environ, start_response)

    return call


def _object(session: Session, environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """S3's answer to a session that may not have an object; empty where it may."""
    try:
        refusal = refusal_of(session, environ)
    except NotInTable as unjudged:
        log.error("%s calls s3: %s", session.arn, unjudged)
        refusal = b" "
    if refusal is None:
        return []
    start_response("403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", str(len(refusal)))])
    return [refusal]


def _refusal(session: Session, response: BaseResponse) -> Refusal | None:
    service, operation = str(response.boto3_service_name), str(response._get_action())
    try:
        session.require(*asks(service, operation, parameters_of(response)))
    except AccessRefused as refused:
        of_key = service == "sns" and refused.ask.action.startswith("kms:")
        if service == "cloudformation" and refused.ask.action == "s3:GetObject":
            return Refusal("ValidationError", S3_REFUSAL)
        code = KEY_REFUSAL_CODE if of_key else REFUSAL_CODES.get(service, OTHER_REFUSAL_CODE)
        return Refusal(code, str(refused))
    except (NotInTable, ValueError) as unjudged:
        log.error("%s calls %s %s: %s", session.arn, service, operation, unjudged)
        return Refusal(UNJUDGED_CODE, str(unjudged))
    return None


def parameters_of(response: BaseResponse) -> Any:
    """The call's parameters by their names in the API; not every service of moto parses them by itself."""
    if response.automated_parameter_parsing:
        return response.params
    reading = copy.copy(response)
    reading.parse_parameters(response.normalized_request)
    return reading.params


def _signed_with(authorization: str) -> tuple[str, str]:
    """Access key id and service of `AWS4-HMAC-SHA256 Credential=KEY/DAY/REGION/SERVICE/aws4_request, ...`."""
    scope = authorization.partition("Credential=")[2].partition(",")[0].split("/")
    return (scope[0], scope[3]) if len(scope) > 3 else ("", "")
