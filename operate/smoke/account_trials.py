"""What no sandbox can know of an account, tried on a stack of its own: one line of the checklist each.

Where AWS does not say what it does, the line says what was seen.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.aws.cloudwatch_alarms import read, write
from efs_monitor.stack_functions import StackFunction

from operate.checklist import Checklist
from operate.described_stack import DescribedStack, described_stack
from operate.drill import PAUSE_SECONDS, Waiting
from operate.function_logs import log_lines
from operate.smoke.document_left import USERS, ScriptInUse, differences, others, still_there
from operate.smoke.inspection import of_kind
from operate.smoke.template_trials import (
    BUILT_TEMPLATE,
    DOCUMENT,
    that_breaks,
    with_another_document,
    written_beside,
)
from operate.template_files import as_written, including, with_included_files

TAG = "efs-monitor-smoke=tags-alone"
END_OF_UPDATE = "stack UPDATE_COMPLETE"
"""The cause of a recalculation, as it logs it."""
READY = "made ready for the update"
"""What a run logs that the beginning of an update has started."""

TIMER = "BenchmarkTimer"
FIRST_START_MINUTES = 16
"""The first start of a rate comes within its window of 15 minutes after the schedule is made, and takes a moment."""

RUN_ENDS = frozenset({"skipped", "sent", "sent before"})
"""What RunBenchmark logs of a run that it has decided about."""

NOTHING_REMEMBERED = "{}"
"""The value that the template gives a parameter in which the stack remembers something."""

LOWER, HIGHER = 0.5, 2.0
"""Which part of the right threshold is written: less, so that nothing goes off meanwhile, and more where it is on
already, so that it is not told as over.
"""

RIGHT_WITHIN = 0.1
"""Which part a right threshold may be off: the file system may have grown or shrunk a little meanwhile."""


@dataclass(frozen=True, kw_only=True)
class Trials:
    """The stack, how it is deployed once more (with further options, and whether that went well), and the list."""

    stack: DescribedStack
    deploy: Callable[..., bool]
    checklist: Checklist
    tags: tuple[str, ...] = ()
    waiting: Waiting = field(default_factory=Waiting)
    waiting_for_start: Waiting = field(
        default_factory=lambda: Waiting(attempts=FIRST_START_MINUTES * 60 // PAUSE_SECONDS)
    )
    template: Path = BUILT_TEMPLATE

    def run(self) -> None:
        """All that make sense for this stack."""
        for trial in self.that_make_sense():
            trial()

    def that_make_sense(self) -> tuple[Callable[[], None], ...]:
        """The trials in their order: the others pass some of the time that a first start takes."""
        trials = [self.included_files, self.runtime_versions, self.tags_alone]
        if DOCUMENT in self.stack.resources:
            trials.append(self.document_rollback)
        if TIMER in self.stack.resources and self.stack.parameters["BenchmarkSchedule"].startswith("rate("):
            trials.append(self.first_start)
        return tuple(trials)

    def included_files(self) -> None:
        """CloudFormation reads them from the bucket; what it made of them stands in its processed template."""
        client = self.stack.account.client("cloudformation")
        body = client.get_template(StackName=self.stack.name, TemplateStage="Processed")["TemplateBody"]
        processed = (body if isinstance(body, dict) else json.loads(body))["Resources"]
        wanted = with_included_files(self.template)["Resources"]
        names = [name for name, one in as_written(self.template)["Resources"].items() if including(one)]
        other = [name for name in names if _as_text(processed[name]) != _as_text(wanted[name])]
        self.checklist.add(
            ok=not other,
            what="CloudFormation has put in what the template includes",
            seen=f"not into {', '.join(other)}" if other else f"into {', '.join(names)}",
        )

    def runtime_versions(self) -> None:
        """Which version of its runtime Lambda runs each function on; it may have none for one."""
        client = self.stack.account.client("lambda")
        versions, errors, silent = set[str](), [], []
        for one in of_kind(self.stack, "AWS::Lambda::Function"):
            found = client.get_function_configuration(FunctionName=one.physical_id).get("RuntimeVersionConfig", {})
            if "Error" in found:
                errors.append(f"{one.logical_id}: {found['Error'].get('Message', found['Error'])}")
            elif "RuntimeVersionArn" in found:
                versions.add(found["RuntimeVersionArn"])
            else:
                silent.append(one.logical_id)
        self.checklist.add(
            ok=False if errors else None if silent else True,
            what="Lambda has a version of the runtime for every function",
            seen="; ".join(errors)
            or (f"it names none, and no error, for {', '.join(silent)}" if silent else ", ".join(sorted(versions))),
        )

    def first_start(self) -> None:
        """A rate begins at once, so a new stack could begin by measuring a file system that is in use.

        That RunBenchmark has run is no fault: it lets the first start of a rate pass. As long as it has not, nothing is
        known of what it would have done.
        """
        what = "the first start of a rate measures nothing"
        self.checklist.show(f"Waiting up to {FIRST_START_MINUTES} min for the first start of {TIMER}")
        self._await(lambda: bool(self._run_ends()), self.waiting_for_start)
        runs = self._runs(StackFunction.RUN_BENCHMARK)
        if not runs:
            self.checklist.add(ok=None, what=what, seen=f"no start was seen in {FIRST_START_MINUTES} min")
        elif not (ends := self._run_ends()):
            seen = f"{StackFunction.RUN_BENCHMARK} ran, and has not logged in {FIRST_START_MINUTES} min how it ended"
            self.checklist.add(ok=False, what=what, seen=seen)
        else:
            sent = ends.count("sent")
            self.checklist.add(ok=not sent, what=what, seen=f"{self._runs_of_schedules()}; {sent} benchmarks were sent")

    def _run_ends(self) -> list[str]:
        """What RunBenchmark has logged of each run that it has decided about."""
        messages = [str(line.get("message")) for line in self._log(StackFunction.RUN_BENCHMARK)]
        return [message for message in messages if message in RUN_ENDS]

    def _runs_of_schedules(self) -> str:
        """How often each schedule's function has run."""
        scheduler = self.stack.account.client("scheduler")
        functions = {one.physical_id: one.logical_id for one in of_kind(self.stack, "AWS::Lambda::Function")}
        seen = []
        for one in of_kind(self.stack, "AWS::Scheduler::Schedule"):
            target = scheduler.get_schedule(Name=one.physical_id.rpartition("/")[2])["Target"]["Arn"]
            function = functions[target.rpartition(":")[2]]
            seen.append(f"{function} ran {len(self._runs(function))} times")
        return ", ".join(seen)

    def _runs(self, function: str) -> set[str]:
        """The runs of which a function has logged anything."""
        return {line["function_request_id"] for line in self._log(function)}

    def tags_alone(self) -> None:
        """CloudFormation then writes the alarms again, with thresholds that it has stored, and asks nobody. A parameter
        it leaves alone by what is public of its handler, of which an older version wrote the template's value again.

        Those of a stack that is minutes old are right, so the recalculation that puts old ones right must be seen too.
        """
        before, recalculations, beginnings = self._warning(), self._recalculations(), self._beginnings()
        remembered = self._versions()
        right = before.threshold or 0.0
        # No balance is below a byte either: a suspended alarm stays OK.
        wrong = 1.0 if before.suspended else right * (HIGHER if before.state == "ALARM" else LOWER)
        write(
            self.stack.account.client("cloudwatch"),
            before.with_contents(wrong, before.description, actions_enabled=before.actions_enabled),
        )
        deployed = self.deploy("--tags", *self.tags, TAG)
        recalculated = deployed and self._await(lambda: self._recalculations() > recalculations)
        self.checklist.add(
            ok=recalculated,
            what="the end of an update of tags alone starts a recalculation",
            seen=END_OF_UPDATE
            if recalculated
            else f"{StackFunction.RECALCULATE_THRESHOLDS} logged none with this cause in time: {END_OF_UPDATE}"
            if deployed
            else "the update failed",
        )
        if deployed:
            self._await(lambda: is_right_again(self._warning().threshold, before))
        after = self._warning().threshold
        self.checklist.add(
            ok=deployed and is_right_again(after, before),
            what="thresholds are right after an update of tags alone",
            seen=f"{after or 0:,.0f} of {right:,.0f}{'' if deployed else '; the update failed'}",
        )
        heard = self._beginnings()
        is_heard = len(heard) > len(beginnings)
        self.checklist.add(
            ok=is_heard,
            what="the beginning of an update is heard, for alarms that are suspended",
            seen=f"{READY} {self._before_written(max(heard))}" if is_heard else f"nothing was {READY}",
        )
        emptied = [f"{name} was emptied" for name, version in remembered.items() if self._was_emptied(name, version)]
        self.checklist.add(
            ok=not emptied,
            what="an update of tags alone leaves what the stack remembers",
            seen="; ".join(emptied) or ", ".join(remembered),
        )

    def _versions(self) -> dict[str, int]:
        """Each parameter in which the stack remembers something, with its version."""
        client = self.stack.account.client("ssm")
        names = sorted(one.physical_id for one in of_kind(self.stack, "AWS::SSM::Parameter"))
        return {name: client.get_parameter(Name=name)["Parameter"]["Version"] for name in names}

    def _was_emptied(self, name: str, since_version: int) -> bool:
        """Whether a later version is what the template begins with: no function writes that."""
        pages = self.stack.account.client("ssm").get_paginator("get_parameter_history").paginate(Name=name)
        later = (one for page in pages for one in page["Parameters"] if one["Version"] > since_version)
        return any(one["Value"] == NOTHING_REMEMBERED for one in later)

    def _before_written(self, heard: datetime) -> str:
        """How long before CloudFormation began to write the Warning alarm last; it promises no order."""
        pages = self.stack.account.client("cloudformation").get_paginator("describe_stack_events")
        events = (event for page in pages.paginate(StackName=self.stack.name) for event in page["StackEvents"])
        of_warning = (one for one in events if one["LogicalResourceId"] == "WarningAlarm")
        written = [one["Timestamp"] for one in of_warning if one["ResourceStatus"] == "UPDATE_IN_PROGRESS"]
        if not written:
            return "and no alarm was written"
        seconds = (max(written) - heard).total_seconds()
        return f"{abs(seconds):.0f} s {'before' if seconds >= 0 else 'AFTER'} Warning was written"

    def document_rollback(self) -> None:
        """The update fails once there is another document and the functions have its name; the old one must run again.

        Where it failed before there was another one, nothing is known of a rollback of it.
        """
        what = "a deployment that changes the document and fails leaves the old script"
        account, before = self.stack.account, ScriptInUse.of(self.stack)
        template = that_breaks(with_another_document(with_included_files(self.template)), after=[DOCUMENT, *USERS])
        with written_beside(self.template, template) as path:
            deployed = self.deploy("--template-file", str(path))
        status = (described_stack(account, self.stack.name) or {"StackStatus": "gone"})["StackStatus"]
        if deployed or status != "UPDATE_ROLLBACK_COMPLETE":
            self.checklist.add(ok=False, what=what, seen=f"{status} instead of UPDATE_ROLLBACK_COMPLETE")
            return
        wrong, made = differences(before, self.stack.name, account), others(before, self.stack)
        left = still_there(made, account, self._await)
        if not made and not wrong:
            self.checklist.add(ok=None, what=what, seen=f"{status}, before there was another document")
            return
        wrong += [f"{name} of the failed update is STILL THERE" for name in left]
        right = f"{before.name} with its old content, and {', '.join(one.physical_id for one in made)} is gone"
        self.checklist.add(ok=not wrong, what=what, seen=f"{status}, {'; '.join(wrong) or right}")

    def _log(self, function: str, message: str = "") -> list[dict[str, Any]]:
        """The lines of its own that a function has logged since the stack was made; each names its run."""
        lines = log_lines(self.stack.account, self.stack.physical_id(f"{function}Logs"))
        own = [line.fields for line in lines if "function_request_id" in line.fields]
        return [fields for fields in own if not message or fields.get("message") == message]

    def _recalculations(self) -> int:
        """How many the ends of updates have started so far."""
        return sum(
            line.get("cause") == END_OF_UPDATE for line in self._log(StackFunction.RECALCULATE_THRESHOLDS, "decided")
        )

    def _beginnings(self) -> list[datetime]:
        """When runs that the beginnings of updates have started were done."""
        lines = self._log(StackFunction.RECALCULATE_THRESHOLDS, READY)
        return [datetime.strptime(str(line["timestamp"]), "%Y-%m-%d %H:%M:%S,%f%z") for line in lines]

    def _warning(self) -> LiveAlarm:
        return read(self.stack.account.client("cloudwatch"), self.stack.name)[AlarmKind.WARNING]

    def _await(self, holds: Callable[[], bool], waiting: Waiting | None = None) -> bool:
        chosen = waiting or self.waiting
        for _ in range(chosen.attempts):
            if holds():
                return True
            chosen.pause()
        return holds()


def is_right_again(threshold: float | None, before: LiveAlarm) -> bool:
    """Whether a threshold is the one that was right before: zero where the alarm is suspended. None is right where
    there was none.
    """
    if before.suspended or not before.threshold:
        return before.suspended and threshold == 0
    return abs((threshold or 0.0) / before.threshold - 1) <= RIGHT_WITHIN


def _as_text(resource: Any) -> str:
    """The properties of a resource, with numbers as text: CloudFormation may have quoted them."""

    def quoted(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: quoted(item) for key, item in value.items()}
        return [quoted(item) for item in value] if isinstance(value, list) else str(value)

    return json.dumps(quoted(resource["Properties"]), sort_keys=True)
