"""A drill: sets Warning, Critical, Exhausted and Draining, then all to OK again, and checks that each message was
published.

The mails say that it is a drill. Nothing is written to the stack: CloudWatch evaluates the alarms again at the next
datapoint, which restores their states.
"""

import getpass
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from efs_monitor.alarms.alarm import CREDIT_ALARMS, DRILL_MARK, SUSPENDED_MARK, AlarmKind, alarm_name
from efs_monitor.alarms.alarm_topics import TOLD_ON
from efs_monitor.aws.cloudwatch_alarms import history_data
from efs_monitor.mail import draining_mails, exhausted_mails
from efs_monitor.stack_functions import StackFunction

from operate.checklist import Checklist, Shown
from operate.described_stack import DescribedStack
from operate.environment import Refused
from operate.function_logs import log_lines
from operate.interruption import Interrupted

if TYPE_CHECKING:
    from datetime import datetime

# Actions run at once and logs arrive within seconds; a retried function takes a minute more.
PATIENCE_SECONDS = 180
PAUSE_SECONDS = 2
# How the readable mail may begin when an alarm goes on, and when it goes off; in no way where there is none.
SUBJECTS: dict[AlarmKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    AlarmKind.WARNING: (("WARNING",), ("RECOVERED",)),
    AlarmKind.CRITICAL: (("CRITICAL",), ("RECOVERED",)),
    AlarmKind.EXHAUSTED: ((exhausted_mails.NEARLY, exhausted_mails.ON), (exhausted_mails.OFF, exhausted_mails.NOT_ON)),
    AlarmKind.DRAINING: ((draining_mails.HEAD,), ()),
}


class NotNow(Refused):
    """Nothing is wrong with the stack: its file system is one that no drill suits at present. `until` is how long."""

    def __init__(self, why: str, until: str, instead: str = "") -> None:
        super().__init__(f"{why}; drill again {until}{instead}")
        self.why, self.until = why, until


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """How long to wait for something to be seen, and how to pass the time in between."""

    attempts: int = PATIENCE_SECONDS // PAUSE_SECONDS
    pause: Callable[[], None] = lambda: time.sleep(PAUSE_SECONDS)


def who_drills() -> str:
    """The name of the person, for the reason that each alarm and mail of the drill shows."""
    try:
        return getpass.getuser()
    except OSError:
        # A container may run as a number that has no name.
        return "somebody"


def drill(stack: DescribedStack, checklist: Checklist, *, force: bool = False, waiting: Waiting | None = None) -> None:
    """Sound all of them and end them; Refused where that would hide or disturb something real, and NotNow where that is
    the file system's doing.
    """
    alarms = [_Alarm(stack, kind, waiting or Waiting()) for kind in CREDIT_ALARMS]
    for alarm in alarms:
        alarm.require_quiet(force=force)
    try:
        for alarm in alarms:
            alarm.sound(checklist)
        for alarm in reversed(alarms):
            alarm.end(checklist)
    except KeyboardInterrupt as interrupt:
        raise Interrupted("Interrupted: no alarm of the drill stays on, and all are left to CloudWatch.") from interrupt
    finally:
        for alarm in reversed(alarms):
            alarm.leave_ok()
    for alarm in alarms:
        state = alarm.described()["StateValue"]
        checklist.add(ok=True, what=f"{alarm.name} is left to CloudWatch", seen=f"{state}, until the next datapoint")


class _Alarm:
    """One of the alarms on credits during a drill.

    What is awaited is counted in the service's own records, never compared with the clock of this machine.
    """

    def __init__(self, stack: DescribedStack, kind: AlarmKind, waiting: Waiting) -> None:
        self._stack, self._kind, self._waiting = stack, kind, waiting
        self.name = alarm_name(stack.name, kind)
        self._cloudwatch = stack.account.client("cloudwatch")
        self._topic_arn = stack.topic_arn(TOLD_ON[kind].resource)
        self._explain = stack.physical_id(StackFunction.EXPLAIN)
        self._log_group = stack.physical_id("ExplainLogs")
        self._reason = f"{DRILL_MARK} {who_drills()} tries the way of this alarm. Nothing is wrong."
        self._sounded = False
        self._history_begins: datetime | None = None
        self._before: dict[str, int] = {}
        self._began_milliseconds = self._step_milliseconds = 0

    def described(self) -> dict[str, Any]:
        found: list[dict[str, Any]] = self._cloudwatch.describe_alarms(AlarmNames=[self.name])["MetricAlarms"]
        if not found:
            raise Refused(f"The alarm {self.name} does not exist: docs/runbook.md, Alarm missing, brings it back")
        return found[0]

    def require_quiet(self, *, force: bool) -> None:
        """NotNow while the alarm is suspended, or really on."""
        found = self.described()
        if (description := found.get("AlarmDescription", "")).startswith(SUSPENDED_MARK):
            why = f"{self.name} is suspended: {_why_suspended(description)}"
            raise NotNow(why, until="while it lives on burst credits")
        if not found["ActionsEnabled"]:
            raise Refused(f"The actions of the alarm {self.name} are switched off: switch them on first")
        if found["StateValue"] == "ALARM":
            if not force:
                why, instead = f"{self.name} is really on", ", or force the drill (--force, with make FORCE=1)"
                raise NotNow(why, until="once it is over", instead=instead)
            self._set("OK")

    def sound(self, checklist: Checklist) -> None:
        self._history_begins = self.described()["StateUpdatedTimestamp"]
        self._before = {arn: len(errors) for arn, errors in self._actions().items()}
        self._sounded = True
        self._set("ALARM")
        self._began_milliseconds = self._step_milliseconds = self._state_milliseconds()
        self._watch(checklist, "ALARM", 1, SUBJECTS[self._kind][0])

    def end(self, checklist: Checklist) -> None:
        """CloudWatch may have ended it already, at its own evaluation: then the messages are on their way."""
        self._set("OK")
        self._step_milliseconds = self._state_milliseconds()
        self._watch(checklist, "OK", 2, SUBJECTS[self._kind][1])
        self._sounded = False

    def leave_ok(self) -> None:
        """Whatever went wrong: an alarm that a drill set does not stay on."""
        if self._sounded:
            self._set("OK")

    def _state_milliseconds(self) -> int:
        return int(self.described()["StateUpdatedTimestamp"].timestamp() * 1000)

    def _set(self, state: str) -> None:
        self._cloudwatch.set_alarm_state(AlarmName=self.name, StateValue=state, StateReason=self._reason)

    def _watch(self, checklist: Checklist, state: str, times: int, subjects: tuple[str, ...]) -> None:
        is_asked = True
        told = [(f"to {self._topic_arn}", self._topic_arn)]
        if subjects:
            told.append(("to Explain", self._explain))
        for what, target in told:
            action = self._await(partial(self._action, target, times))
            is_asked = action is not None and not action.error
            seen = (
                self._too_late("the alarm's history shows no such action")
                if action is None
                else f"failed: {action.error}"
                if action.error
                else "published"
            )
            checklist.add(ok=is_asked, what=f"{self.name} {state}, {what}", seen=seen)
        if subjects:
            what = f"{self.name} {state}, readable mail"
            drilled = tuple(f"DRILL - {subject}" for subject in subjects)
            checklist.add(**self._mail_line(what, drilled, is_asked=is_asked))

    def _mail_line(self, what: str, subjects: tuple[str, ...], *, is_asked: bool) -> Shown:
        if not is_asked:
            return {"ok": False, "what": what, "seen": "not waited for, as Explain was not asked for it"}
        mail = self._await(partial(self._mail, subjects))
        if mail is None:
            return {"ok": False, "what": what, "seen": self._too_late(f"{self._log_group} has no line about it")}
        if mail.error:
            return {"ok": False, "what": what, "seen": f"Explain failed: {mail.error}"}
        return {"ok": True, "what": what, "seen": f"sent: {mail.subject}"}

    def _too_late(self, why: str) -> str:
        return f"{why} in time; docs/runbook.md, No mail arrives, says where to look"

    def _await[Seen](self, look: "Callable[[], Seen | None]") -> Seen | None:
        for _ in range(self._waiting.attempts):
            if (seen := look()) is not None:
                return seen
            self._waiting.pause()
        return look()

    def _action(self, target: str, times: int) -> "_Action | None":
        """How the action ended that is the so manyth since the drill began; a function's ARN ends with its name.

        CloudWatch tries none a second time: one that failed has failed for good.
        """
        errors = [
            error
            for arn, every in self._actions().items()
            if arn.endswith(target)
            for error in every[self._before.get(arn, 0) :]
        ]
        return _Action(error=errors[times - 1]) if len(errors) >= times else None

    def _actions(self) -> Mapping[str, Sequence[str]]:
        """The error of each time that each action was tried, oldest first, empty where it worked.

        Since the state that the drill found the alarm in: with all that CloudWatch remembers, each look would be many
        calls, of which an account has few a second.
        """
        errors: dict[str, list[str]] = {}
        pages = self._cloudwatch.get_paginator("describe_alarm_history").paginate(
            AlarmName=self.name,
            HistoryItemType="Action",
            StartDate=self._history_begins,
            ScanBy="TimestampAscending",
        )
        for page in pages:
            for item in page["AlarmHistoryItems"]:
                told = history_data(item) or {}
                if told.get("actionState") in {"Succeeded", "Failed"}:
                    error = "" if told["actionState"] == "Succeeded" else str(told.get("error") or "no reason given")
                    errors.setdefault(str(told.get("notificationResource")), []).append(error)
        return errors

    def _mail(self, subjects: tuple[str, ...]) -> "_Mail | None":
        """The subject that Explain logged after it had published the mail, or why it could not."""
        error = None
        for line in log_lines(self._stack.account, self._log_group, since_milliseconds=self._began_milliseconds):
            fields, told = line.fields, str(line.fields.get("mail"))
            if fields.get("message") == "explained" and fields.get("alarm") == self._kind and told.startswith(subjects):
                return _Mail(subject=told)
            if fields.get("level") == "ERROR" and line.timestamp_milliseconds >= self._step_milliseconds:
                error = _Mail(error=str(fields.get("message")))
        return error


def _why_suspended(description: str) -> str:
    """What the first paragraph of a suspended alarm's description says of the file system."""
    paragraph = description.removeprefix(SUSPENDED_MARK).partition("\n\n")[0]
    what, colon, why = paragraph.partition(": ")
    return (why if colon else what).strip().removesuffix(".")


@dataclass(frozen=True, kw_only=True)
class _Action:
    """How an action of an alarm ended; without an error it worked."""

    error: str


@dataclass(frozen=True, kw_only=True)
class _Mail:
    """A mail that was published, or the error that kept it from being."""

    subject: str = ""
    error: str = ""
