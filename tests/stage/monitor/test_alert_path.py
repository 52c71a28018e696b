"""From a falling balance to the severity topics, with nothing of ours in between that could break."""

from collections.abc import Callable

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.efs.credits import TIB

from tests.localaws.conftest import zipped
from tests.quick import first_of
from tests.stage.monitor.faults import DENIED, FaultInjector
from tests.stage.monitor.stack_under_test import StackUnderTest

ARMED, LOW, SHORT = 2000, 900, 100
HERE = "in US East (N. Virginia)"


def spend_and_recover(stack: StackUnderTest) -> None:
    """Below Warning, below Critical, to zero, and back for good."""
    stack.balance_gib = LOW
    stack.live(3)
    stack.balance_gib = SHORT
    stack.live(3)
    stack.balance_gib = 0
    stack.live(3)
    stack.balance_gib = ARMED
    stack.live(20)


def explained(stack: StackUnderTest) -> list[str]:
    """The first words of the mails about transitions."""
    words = [str(subject).split(":", maxsplit=1)[0] for subject in stack.subjects("advice")]
    return [word for word in words if word in {"WARNING", "CRITICAL", "GONE", "LIMIT LIFTED", "RECOVERED"}]


def armed(stack: StackUnderTest) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)


def explain_deleted(stack: StackUnderTest, faults: FaultInjector) -> None:
    stack.sandbox.client("lambda").delete_function(FunctionName=stack.function("Explain"))


def permissions_removed(stack: StackUnderTest, faults: FaultInjector) -> None:
    client, name = stack.sandbox.client("lambda"), stack.function("Explain")
    for kind in CREDIT_ALARMS:
        permission = stack.function(f"Explain{kind.capitalize()}Permission")
        client.remove_permission(FunctionName=name, StatementId=permission)


def role_denied(stack: StackUnderTest, faults: FaultInjector) -> None:
    for action in ("DescribeFileSystems", "GetMetricData", "Publish"):
        faults.fail(action, DENIED)


def throttled(stack: StackUnderTest, faults: FaultInjector) -> None:
    stack.sandbox.client("lambda").put_function_concurrency(
        FunctionName=stack.function("Explain"), ReservedConcurrentExecutions=0
    )


def crashing(stack: StackUnderTest, faults: FaultInjector) -> None:
    stack.sandbox.client("lambda").update_function_code(
        FunctionName=stack.function("Explain"),
        ZipFile=zipped({"app.py": "def handler(event, context):\n    raise RuntimeError('broken')\n"}),
    )


@pytest.mark.whole
def test_each_transition_reaches_its_topic_and_is_explained_on_advice(stack: StackUnderTest) -> None:
    armed(stack)
    spend_and_recover(stack)
    told = [f'{state}: "home-warning" {HERE}' for state in ("OK", "ALARM", "OK")]
    # No minute falls but those between two of its balances, which is no fast fall: Draining is armed, and no more.
    assert [one for one in stack.subjects("warning") if "draining" not in str(one)] == told
    assert stack.subjects("critical") == [
        f'{state}: "home-{end}" {HERE}' for state in ("OK", "ALARM", "OK") for end in ("critical", "exhausted")
    ]
    # After the end of the credits that of Critical says little more than that of the limit: CloudWatch tells it alone.
    assert explained(stack) == ["WARNING", "CRITICAL", "GONE", "LIMIT LIFTED", "RECOVERED"]
    assert {mail.to for mail in stack.sandbox.mailbox.mails} == {"team@example.com"}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("broken", "told"),
    first_of(
        [
            (explain_deleted, None),
            (crashing, "RetriesExhausted"),
            (throttled, "ZeroReservedConcurrency"),
            (role_denied, "RetriesExhausted"),
            (permissions_removed, None),
        ],
        3,
        in_ci=3,
    ),
)
def test_every_transition_reaches_its_topic_whatever_becomes_of_explain(
    stack: StackUnderTest,
    faults: FaultInjector,
    broken: Callable[[StackUnderTest, FaultInjector], None],
    told: str | None,
) -> None:
    armed(stack)
    broken(stack, faults)
    spend_and_recover(stack)
    expected = [f'{state}: "home-warning" {HERE}' for state in ("OK", "ALARM", "OK")]
    # No minute falls but those between two of its balances, which is no fast fall: Draining is armed, and no more.
    assert [one for one in stack.subjects("warning") if "draining" not in str(one)] == expected
    assert stack.subjects("critical") == [
        f'{state}: "home-{end}" {HERE}' for state in ("OK", "ALARM", "OK") for end in ("critical", "exhausted")
    ]
    assert explained(stack) == []
    # Where there is a function to be invoked, Lambda itself tells Advice what it could not do.
    conditions = {record["requestContext"]["condition"] for record in stack.failures_told()}
    assert conditions == ({told} if told else set())


def test_cloudwatchs_own_mail_carries_the_minutes_and_the_remedy(stack: StackUnderTest) -> None:
    armed(stack)
    stack.balance_gib = LOW
    stack.live(2)
    (mail,) = (one for one in stack.sandbox.mailbox.mails if one.subject.startswith("ALARM"))
    text = " ".join(mail.body.split())
    assert "fewer than 180 minutes of burst credits are left on fs-0123456789abcdef0 at the permitted 100 MiB/s" in text
    assert "aws efs update-file-system" in text
    # Nobody's page has our headings, unless a stack names it.
    assert "#warning" not in text
    assert "Runbook" not in text


@pytest.mark.whole
def test_two_stacks_for_two_file_systems_do_not_disturb_each_other(stack: StackUnderTest) -> None:
    other = StackUnderTest(
        sandbox=stack.sandbox,
        built=stack.built,
        name="work",
        file_system_id="fs-01234567",
        standard_bytes=2 * TIB,
    )
    armed(stack)
    other.create_file_system()
    other.deploy(AlertEmail="work@example.com")
    for _ in range(3):
        other.record("BurstCreditBalance", 0)
        other.record("PermittedThroughput", other.permitted_bytes_per_second)
        stack.live()
    assert other.subjects("critical") == [f'ALARM: "work-{end}" {HERE}' for end in ("critical", "exhausted")]
    assert stack.subjects("critical") == [f'OK: "home-{end}" {HERE}' for end in ("critical", "exhausted")]
    assert other.alarms()["critical"]["Threshold"] == 2 * stack.alarms()["critical"]["Threshold"]
    assert {mail.to for mail in stack.sandbox.mailbox.mails if mail.topic_name.startswith("work")} == {
        "work@example.com"
    }
    other.delete()
    stack.balance_gib = LOW
    stack.live(3)
    assert stack.subjects("warning")[-1] == f'ALARM: "home-warning" {HERE}'
    assert "WARNING" in str(stack.subjects("advice")[-1])
