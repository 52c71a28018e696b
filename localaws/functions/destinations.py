"""Where Lambda takes what became of events: targets that are there, and within the reach of the function's role.

Both are asked for when a function is given a destination, and the reach for a dead-letter target, in sentences that
AWS has:
https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/lambda/function_event_invoke_config.go
https://github.com/serverless/serverless/issues/4770

Differs from AWS, which documents no check that a destination is there: "The destination ARN ... is invalid." is known
for a permission that is missing and for a target that is not supported
(https://github.com/serverless/serverless/issues/7507). One that is not there is refused here in those words: what
deploys here does not hang on whether AWS asks. Nor does AWS say whether it asks the policy of a topic or its key, too:
only the role's own statements count here. Nor whether a dead-letter target must be there: here it need not.
"""

from moto.awslambda.exceptions import InvalidParameterValueException
from moto.awslambda.models import LambdaFunction, lambda_backends
from moto.sns.exceptions import SNSNotFoundError
from moto.sns.models import sns_backends
from moto.sqs.exceptions import QueueDoesNotExist
from moto.sqs.models import sqs_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.iam.operations import invoking, publishing, queueing
from localaws.iam.owned import stored_topic
from localaws.iam.policy import Ask
from localaws.iam.sessions import Session

ASKED = {"sns": publishing, "sqs": queueing, "lambda": invoking}
"""What sending to a service's target asks of the function's role; its key's use comes last."""
DEAD_LETTERS = {"sns": "SNS", "sqs": "SQS"}


def stored_function(name: str) -> LambdaFunction | None:
    """The function of that name, as it is deployed now."""
    arn = f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:{name}"
    return lambda_backends[ACCOUNT_ID][REGION].get_function_by_arn(arn)


def sending(arn: str) -> tuple[Ask, ...]:
    """What sending to a target asks of the function's role."""
    return ASKED[_service(arn)](arn)


def check_destination(arn: str, session: Session) -> None:
    """Raise InvalidParameterValueException for a destination that Lambda may not take for a function of this role."""
    if _service(arn) not in ASKED:
        raise InvalidParameterValueException(f"the sandbox tells SNS, SQS and Lambda; not {arn}")
    if not _is_there(arn):
        raise InvalidParameterValueException(f"The destination ARN {arn} is invalid.")
    ask = sending(arn)[0]
    if not session.grants(ask):
        operation = ask.action.partition(":")[2]
        message = f"The function's execution role does not have permissions to call {operation} on {arn}"
        raise InvalidParameterValueException(message)


def check_dead_letter_target(arn: str, session: Session) -> None:
    """Raise InvalidParameterValueException for a topic or queue that the role may not send to."""
    service = _service(arn)
    if service not in DEAD_LETTERS:
        raise InvalidParameterValueException(f"a dead-letter target is a topic or a queue; not {arn}")
    ask = sending(arn)[0]
    if not session.grants(ask):
        operation = f"{ask.action.partition(':')[2]} on {DEAD_LETTERS[service]}"
        message = f"The provided execution role does not have permissions to call {operation}"
        raise InvalidParameterValueException(message)


def put(arn: str, text: str) -> None:
    """Publish to a topic or put into a queue; LookupError where that is gone."""
    try:
        if _service(arn) == "sns":
            sns_backends[ACCOUNT_ID][REGION].publish(text, arn=arn)
        else:
            sqs_backends[ACCOUNT_ID][REGION].send_message(arn.rpartition(":")[2], text)
    except (SNSNotFoundError, QueueDoesNotExist) as gone:
        raise LookupError(f"{arn} does not exist") from gone


def _service(arn: str) -> str:
    return arn.split(":")[2] if arn.startswith("arn:") else ""


def _is_there(arn: str) -> bool:
    service, name = _service(arn), arn.split(":", 5)[5]
    if service == "sns":
        return stored_topic(arn) is not None
    if service == "sqs":
        return name in sqs_backends[arn.split(":")[4]][REGION].queues
    return stored_function(name.removeprefix("function:")) is not None
