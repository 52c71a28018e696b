"""`make drill ENV=NAME`: sets Warning, then Critical, then both OK again, and watches every message on its way.

The mails say that it is a drill. Nothing is written to the stack: CloudWatch judges both alarms afresh at the next
datapoint, which is what restores them.
"""

import argparse
import getpass
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from efs_monitor.alarms import CREDIT_ALARMS, DRILL_MARK, SUSPENDED_MARK, AlarmKind, alarm_name

from tools.operations.checklist import Checklist
from tools.operations.environment import Refused, environment
from tools.operations.stack import Account, Stack, find_stack

# Actions run at once and logs arrive within seconds; a retried function takes a minute more.
PATIENCE_SECONDS = 180
PAUSE_SECONDS = 2


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """How long to wait for something to be seen, and how to pass the time in between."""

    attempts: int = PATIENCE_SECONDS // PAUSE_SECONDS
    pause: Callable[[], None] = lambda: time.sleep(PAUSE_SECONDS)


def drill(stack: Stack, checklist: Checklist, *, force: bool = False, waiting: Waiting | None = None) -> None:
    """Sound both alarms and end them; Refused where that would hide or disturb something real."""
    alarms = [_Alarm(stack, kind, waiting or Waiting()) for kind in CREDIT_ALARMS]
    for alarm in alarms:
        alarm.require_quiet(force=force)
    try:
        for alarm in alarms:
            alarm.sound(checklist)
        for alarm in reversed(alarms):
            alarm.end(checklist)
    finally:
        for alarm in reversed(alarms):
            alarm.leave_ok()
    for alarm in alarms:
        state = alarm.described()["StateValue"]
        checklist.add(ok=True, what=f"{alarm.name} is left to CloudWatch", seen=f"{state}, until the next datapoint")


class _Alarm:
    """One of the two credit alarms during a drill.

    What is awaited is counted in the service's own records, never compared with the clock of this machine.
    """

    def __init__(self, stack: Stack, kind: AlarmKind, waiting: Waiting) -> None:
        self._stack, self._kind, self._waiting = stack, kind, waiting
        self.name = alarm_name(stack.name, kind)
        self._cloudwatch = stack.account.client("cloudwatch")
        self._logs = stack.account.client("logs")
        self._topic_arn = stack.physical_id(f"{kind.capitalize()}Topic")
        self._explain = stack.physical_id("Explain")
        self._log_group = stack.physical_id("ExplainLogs")
        self._reason = f"{DRILL_MARK} {getpass.getuser()} tries the way of this alarm. Nothing is wrong."
        self._sounded = False
        self._before: dict[str, int] = {}
        self._began_milliseconds = 0

    def described(self) -> dict[str, Any]:
        found: list[dict[str, Any]] = self._cloudwatch.describe_alarms(AlarmNames=[self.name])["MetricAlarms"]
        if not found:
            raise Refused(f"The alarm {self.name} does not exist: delete the stack and deploy it again")
        return found[0]

    def require_quiet(self, *, force: bool) -> None:
        """Refused while the alarm is suspended, or really on."""
        found = self.described()
        if found.get("AlarmDescription", "").startswith(SUSPENDED_MARK):
            raise Refused(f"The alarm {self.name} is suspended, it would tell nobody: drill again in bursting mode")
        if not found["ActionsEnabled"]:
            raise Refused(f"The actions of the alarm {self.name} are switched off: switch them on first")
        if found["StateValue"] == "ALARM":
            if not force:
                raise Refused(f"The alarm {self.name} is really on: see to it first, or force the drill with FORCE=1")
            self._set("OK")

    def sound(self, checklist: Checklist) -> None:
        self._before = self._succeeded()
        self._sounded = True
        self._set("ALARM")
        self._began_milliseconds = int(self.described()["StateUpdatedTimestamp"].timestamp() * 1000)
        self._watch(checklist, "ALARM", 1, f"DRILL - {self._kind.upper()}")

    def end(self, checklist: Checklist) -> None:
        """CloudWatch may have ended it already, at its own evaluation: then the messages are on their way."""
        self._set("OK")
        self._watch(checklist, "OK", 2, "DRILL - RECOVERED")
        self._sounded = False

    def leave_ok(self) -> None:
        """Whatever went wrong: an alarm that a drill set does not stay on."""
        if self._sounded:
            self._set("OK")

    def _set(self, state: str) -> None:
        self._cloudwatch.set_alarm_state(AlarmName=self.name, StateValue=state, StateReason=self._reason)

    def _watch(self, checklist: Checklist, state: str, times: int, subject: str) -> None:
        for what, target in ((f"to {self._topic_arn}", self._topic_arn), ("to Explain", self._explain)):
            done = self._await(partial(self._worked, target, times))
            checklist.add(
                ok=done,
                what=f"{self.name} {state}, {what}",
                seen="published" if done else self._too_late("the alarm's history shows no action that worked"),
            )
        mail = self._await(lambda: self._mail(subject))
        checklist.add(
            ok=bool(mail),
            what=f"{self.name} {state}, readable mail",
            seen=f"sent: {mail}" if mail else self._too_late(f"{self._log_group} has no line about it"),
        )

    def _too_late(self, why: str) -> str:
        return f"{why} in time; docs/runbook.md, No mail arrives, says where to look"

    def _await(self, look: "Callable[[], Any]") -> Any:
        for _ in range(self._waiting.attempts):
            if seen := look():
                return seen
            self._waiting.pause()
        return look()

    def _worked(self, target: str, times: int) -> bool:
        """Whether the action has worked so often since the drill began; a function's ARN ends with its name."""
        counts = self._succeeded()
        return sum(count - self._before.get(arn, 0) for arn, count in counts.items() if arn.endswith(target)) >= times

    def _succeeded(self) -> dict[str, int]:
        """How often each action of the alarm has worked, as far back as CloudWatch keeps its history."""
        counts: dict[str, int] = {}
        pages = self._cloudwatch.get_paginator("describe_alarm_history").paginate(
            AlarmName=self.name, HistoryItemType="Action"
        )
        for page in pages:
            for item in page["AlarmHistoryItems"]:
                told = json.loads(item["HistoryData"])
                if told.get("actionState") == "Succeeded":
                    arn = str(told.get("notificationResource"))
                    counts[arn] = counts.get(arn, 0) + 1
        return counts

    def _mail(self, subject: str) -> str | None:
        """The subject that Explain logged after it had published the mail."""
        pages = self._logs.get_paginator("filter_log_events").paginate(
            logGroupName=self._log_group, startTime=self._began_milliseconds
        )
        for page in pages:
            for event in page["events"]:
                line = _parsed(event["message"])
                told = str(line.get("mail"))
                if line.get("message") == "explained" and line.get("alarm") == self._kind and told.startswith(subject):
                    return told
        return None


def _parsed(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def main(arguments: list[str]) -> int:
    """0 when every message was seen, 1 when one was not, 2 when the drill was refused."""
    parser = argparse.ArgumentParser(prog="make drill", description=__doc__)
    parser.add_argument("environment", help="an environment of samconfig.toml")
    parser.add_argument("--force", action="store_true", help="although an alarm is really on")
    options = parser.parse_args(arguments)
    checklist = Checklist()
    account = None
    try:
        chosen = environment(options.environment)
        account = Account(chosen.region)
        drill(find_stack(account, chosen.stack_name), checklist, force=options.force)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2
    finally:
        if account is not None:
            account.close()
    print(checklist.verdict())
    print("Now ask the people on the other end whether they got it: that is what no record shows.")
    return 0 if checklist.ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
