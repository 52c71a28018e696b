"""Where failed events go must be there, and within the function's reach, when it is said; both may end afterwards."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.account import ACCOUNT_ID, REGION
from localaws.sandbox import Sandbox
from tests.localaws.roles import role

FAILS = "def handler(event, context):\n    raise RuntimeError('no')\n"
TOPIC = f"arn:aws:sns:{REGION}:{ACCOUNT_ID}:advice"
QUEUE = f"arn:aws:sqs:{REGION}:{ACCOUNT_ID}:kept"
FUNCTION = f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:told"
ACTIONS = [(TOPIC, "sns:Publish"), (QUEUE, "sqs:SendMessage"), (FUNCTION, "lambda:InvokeFunction")]

Create = Callable[..., str]


@pytest.fixture
def create(sandbox: Sandbox, zip_of: Callable[[dict[str, str]], bytes]) -> Create:
    """Create a function whose role allows these actions, beside a topic, a queue and another function."""
    sandbox.client("sns").create_topic(Name="advice")
    sandbox.client("sqs").create_queue(QueueName="kept")

    def create(*actions: str, name: str = "fails", **settings: Any) -> str:
        statements = [{"Effect": "Allow", "Action": list(actions), "Resource": "*"}] if actions else []
        created = sandbox.client("lambda").create_function(
            FunctionName=name,
            Runtime="python3.13",
            Role=role(sandbox, name, statements),
            Handler="app.handler",
            Code={"ZipFile": zip_of({"app.py": FAILS})},
            **settings,
        )
        return str(created["FunctionArn"])

    create(name="told")
    return create


def tell(sandbox: Sandbox, destination: str, outcome: str = "OnFailure") -> None:
    sandbox.client("lambda").put_function_event_invoke_config(
        FunctionName="fails", MaximumRetryAttempts=0, DestinationConfig={outcome: {"Destination": destination}}
    )


def refused(call: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    with pytest.raises(ClientError) as refusal:
        call(*arguments, **named)
    assert refusal.value.response["Error"]["Code"] == "InvalidParameterValueException"
    return str(refusal.value.response["Error"]["Message"])


@pytest.mark.parametrize("outcome", ["OnFailure", "OnSuccess"])
@pytest.mark.parametrize(("destination", "action"), ACTIONS)
def test_a_destination_out_of_the_roles_reach_is_refused(
    sandbox: Sandbox, create: Create, destination: str, action: str, outcome: str
) -> None:
    others = {one for _, one in ACTIONS} - {action}
    create(*others)
    told = refused(tell, sandbox, destination, outcome)
    operation = action.partition(":")[2]
    assert told == f"The function's execution role does not have permissions to call {operation} on {destination}"
    configs = sandbox.client("lambda").list_function_event_invoke_configs(FunctionName="fails")
    assert configs["FunctionEventInvokeConfigs"] == []


@pytest.mark.parametrize(("destination", "action"), ACTIONS)
def test_a_destination_within_the_roles_reach_is_taken(
    sandbox: Sandbox, create: Create, destination: str, action: str
) -> None:
    create(action)
    tell(sandbox, destination)


@pytest.mark.parametrize(("destination", "action"), ACTIONS)
def test_a_destination_that_is_not_there_is_refused(
    sandbox: Sandbox, create: Create, destination: str, action: str
) -> None:
    create(action)
    assert refused(tell, sandbox, f"{destination}-gone") == f"The destination ARN {destination}-gone is invalid."


@pytest.mark.parametrize("kind", ["events", "s3"])
def test_a_destination_that_nothing_is_delivered_to_here_is_refused_by_its_name(
    sandbox: Sandbox, create: Create, kind: str
) -> None:
    create("*")
    arn = f"arn:aws:{kind}:{REGION}:{ACCOUNT_ID}:event-bus/default"
    assert refused(tell, sandbox, arn) == f"the sandbox tells SNS, SQS and Lambda; not {arn}"


def test_a_queue_gets_the_record_of_an_event_that_failed(sandbox: Sandbox, create: Create) -> None:
    create("sqs:SendMessage")
    tell(sandbox, QUEUE)
    sandbox.client("lambda").invoke(FunctionName="fails", InvocationType="Event", Payload=b'{"n": 1}')
    sandbox.events.wait_for_background()
    (message,) = kept(sandbox)
    assert json.loads(message["Body"])["requestPayload"] == {"n": 1}


DEAD_LETTERS = [(TOPIC, "sns:Publish", "Publish on SNS"), (QUEUE, "sqs:SendMessage", "SendMessage on SQS")]


@pytest.mark.parametrize(("target", "action", "missing"), DEAD_LETTERS)
def test_a_dead_letter_target_out_of_the_roles_reach_is_refused(
    sandbox: Sandbox, create: Create, target: str, action: str, missing: str
) -> None:
    words = f"The provided execution role does not have permissions to call {missing}"
    assert refused(create, "logs:*", DeadLetterConfig={"TargetArn": target}) == words
    create("logs:*", name="other")
    update = sandbox.client("lambda").update_function_configuration
    assert refused(update, FunctionName="other", DeadLetterConfig={"TargetArn": target}) == words
    create(action, name="allowed", DeadLetterConfig={"TargetArn": target})


@pytest.mark.parametrize(("target", "action", "missing"), DEAD_LETTERS)
def test_a_dead_letter_target_gets_the_event_itself(
    sandbox: Sandbox, create: Create, target: str, action: str, missing: str
) -> None:
    del missing
    create(action, DeadLetterConfig={"TargetArn": target})
    client = sandbox.client("lambda")
    client.put_function_event_invoke_config(FunctionName="fails", MaximumRetryAttempts=0)
    client.invoke(FunctionName="fails", InvocationType="Event", Payload=b'{"n": 1}')
    sandbox.events.wait_for_background()
    bodies = [one["Body"] for one in kept(sandbox)] + [one.message for one in sandbox.mailbox.publications]
    assert [json.loads(body) for body in bodies] == [{"n": 1}]


def test_the_scheduler_asks_for_its_queue_only_when_it_needs_it(sandbox: Sandbox, create: Create) -> None:
    """CreateSchedule looks whether the role can be assumed, and at nothing that it may do."""
    arn = create()
    sandbox.client("scheduler").create_schedule(
        Name="daily",
        ScheduleExpression="rate(1 day)",
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={
            "Arn": arn,
            "RoleArn": f"arn:aws:iam::{ACCOUNT_ID}:role/fails",
            "DeadLetterConfig": {"Arn": f"{QUEUE}-gone"},
        },
    )


def kept(sandbox: Sandbox) -> list[dict[str, Any]]:
    """The messages of the queue."""
    sqs = sandbox.client("sqs")
    found = sqs.receive_message(QueueUrl=sqs.get_queue_url(QueueName="kept")["QueueUrl"], MaxNumberOfMessages=10)
    return list(found.get("Messages", []))
