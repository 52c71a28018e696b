"""Systems Manager's record of a benchmark: the command that was sent, and how it ended on each instance, in sentences.

Some ends have no word of their own, because Systems Manager knows only what the agent sends: a kill by somebody else is
a failure without an exit status, or a time-out, by the `sh` of the instance; a reboot is a failure without a word; a
document that was skipped is a success. https://github.com/aws/amazon-ssm-agent, agent/executers/executers.go,
agent/framework/processor/executer/outofproc/master.go and agent/framework/runpluginutil/runpluginutil.go
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.benchmarks.plan import decode
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.errors import SettingsRefused

# In the words of the API: of commands and of their invocations.
RUNNING = frozenset({"Pending", "InProgress", "Delayed", "Cancelling"})
# Systems Manager ends an expired command by itself; what is still not ended so much later never will be.
GRACE = timedelta(minutes=15)
# Output may show later than the status: so long it is waited for, then an empty one counts.
OUTPUT_LAG = timedelta(minutes=15)

SUCCESS = "success"
# Status and finer word come with or without spaces and capitals, by API and event alike.
_SENTENCES = {
    "failed": "the script failed",
    "timedout": "Systems Manager ran out of time",
    "deliverytimedout": "the command was not delivered in time: the instance, or its agent, was not there",
    "executiontimedout": "the script ran longer than Systems Manager allowed and was killed",
    "cancelled": "the command was cancelled",
    "undeliverable": "the command could not be delivered: the instance does not exist, or does not answer",
    "terminated": "the command was stopped because too many other instances had failed",
    "invalidplatform": "the document does not run on this platform: a benchmark host needs Linux",
    "accessdenied": "the instance may not run the command: see the role of its instance profile",
    "noinstancesintag": "no instance has the tag any more",
}
KILLED = "the script was killed on the instance (SIGKILL), perhaps because memory ran out"
LOST = "the agent lost the script: the instance was rebooted in the middle, or the agent's worker died"
SKIPPED = (
    "it succeeded without a word: the agent skipped the document, which runs on Linux only, or its output was lost"
)
# The agent's own kill comes with the time-out, or some moments after it.
SIGKILL_EXIT_CODE = 137
NO_EXIT_CODE = -1
CLOCK_TOLERANCE = timedelta(seconds=30)
LOST_EXIT_CODE = 1


def idempotency_key_of(run_id: str) -> str:
    """What every delivery and attempt of one start shares, and no other start has: how the id of its run ends."""
    return run_id.rpartition("-")[2]


@dataclass(frozen=True, kw_only=True)
class Command:
    """One benchmark as it was sent; `plan` is the text of its workloads."""

    command_id: str
    run_id: str
    plan: str
    status: str
    requested: datetime
    expires: datetime
    instance_ids: tuple[str, ...]

    @property
    def idempotency_key(self) -> str:
        """What its start shares with every delivery and attempt of it."""
        return idempotency_key_of(self.run_id)

    @property
    def workloads(self) -> tuple[Workload, ...]:
        """What it was to do; nothing where its plan is none of ours, which the script refuses as well."""
        try:
            return decode(self.plan)
        except SettingsRefused:
            return ()

    def running(self, now: datetime) -> bool:
        """Whether an instance may still be at it."""
        return self.status in RUNNING and now < self.expires + GRACE


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """What became of a command on one instance; `detail` is the finer word for its status.

    `started` is when the instance began, None where the command never reached it. `response_code` is the exit status
    of the script, -1 where it has none. `output` and `error_output` are what the script wrote, as far as the agent and
    Systems Manager keep it.
    """

    instance_id: str
    status: str
    detail: str
    started: datetime | None = None
    ended: datetime | None = None
    response_code: int | None = None
    output: str = ""
    error_output: str = ""

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.status in RUNNING

    def complete(self, now: datetime) -> bool:
        """Whether nothing more is to be expected of it: it ended, and its output is there or will never be."""
        if self.running:
            return False
        return bool(self.output) or self.started is None or self.ended is None or now > self.ended + OUTPUT_LAG


def succeeded(invocation: Invocation) -> bool:
    """Whether the script ended well, as far as Systems Manager knows."""
    return _word(invocation.detail or invocation.status) == SUCCESS


def ran_nothing(invocation: Invocation) -> bool:
    """Whether it is called a success although the script, which always says something, said nothing."""
    return succeeded(invocation) and not invocation.output.strip()


def why_failed(invocation: Invocation, allowed: timedelta) -> str:
    """Why there is no good end, in words; an unknown status is named as it is. `allowed` is how long the script may
    run before the agent kills it.
    """
    if invocation.running:
        return f"it had not ended, its status was {invocation.detail or invocation.status}"
    word = _word(invocation.detail or invocation.status)
    if _was_killed_by_somebody(invocation, word, allowed):
        return KILLED
    said = invocation.output or invocation.error_output
    if word == "failed" and invocation.response_code == LOST_EXIT_CODE and not said:
        return LOST
    known = _SENTENCES.get(word) or _SENTENCES.get(_word(invocation.status))
    return known or f"it ended with the status {invocation.detail or invocation.status or 'unknown'!r}"


def _was_killed_by_somebody(invocation: Invocation, word: str, allowed: timedelta) -> bool:
    """Where `sh` is bash, the agent sees the signal. Dash makes an exit status of it, which the agent takes for its own
    kill at a time-out, but too early.
    """
    if word == "failed":
        return invocation.response_code == NO_EXIT_CODE
    if word != "executiontimedout" or invocation.response_code != SIGKILL_EXIT_CODE:
        return False
    if invocation.started is None or invocation.ended is None:
        return False
    return invocation.ended - invocation.started < allowed - CLOCK_TOLERANCE


def _word(status: str) -> str:
    return "".join(status.split()).lower()
