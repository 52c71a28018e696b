"""What must be true after every trial, whatever went wrong in it."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from efs_monitor.alarms.alarm import CREDIT_ALARMS, AlarmKind
from efs_monitor.usecases.alarm_updates import BELOW_WHICH_NOTHING_IS

from proofs.faults.trial import End, ReceivedMessages, StackState, Trial

# What the recalculation may change in an alarm.
OWNED = frozenset({"Threshold", "AlarmDescription", "ActionsEnabled"})
# How the mail begins that tells of an incident that a change of the throughput mode has ended.
OVER_BY_MODE = "RECOVERED: over by "
# How the mail begins that tells that a suspension is over.
ACTIVE_AGAIN = "INFO: alarms active again"
# CloudFormation's limit for an answer.
ANSWER_BYTES = 4096

# Of the memory: what the thresholds stood for when somebody was told of them last.
REFERENCE = "reference_bytes_per_second"


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """What a disturbance excuses.

    `halves`: one that kept alarms from being put back, so that thresholds may be mixed until the next run.
    `repeats`: how often each mail may be said too often. `silence`: that CloudFormation was not answered in the run.
    `recovers`: one that botocore's retries must make up for. `instead`: the first word of a needless mail that may
    come. `unread`: that CloudFormation is told that the policies of given topics, or of a key, may not be
    read.
    """

    halves: bool = False
    repeats: int = 1
    silence: bool = False
    killed: bool = False
    recovers: bool = False
    instead: str = ""
    unread: bool = False


def violations(trial: Trial, healthy: Trial, allowance: Allowance) -> tuple[str, ...]:
    """A sentence for each thing that must not be so; `healthy` is the same starting point with nothing going wrong."""
    return (
        *_endings(trial, healthy, allowance),
        *_settings(trial.before, trial.right_after, "after the run"),
        *_settings(trial.before, trial.final, "in the end"),
        *_thresholds(trial, healthy, allowance),
        *_repaired(trial, healthy),
        *_speaking(trial),
        *_transitions(trial, healthy.heard, allowance),
        *_advice(trial, healthy.heard, allowance),
        *_answers(trial, healthy, allowance),
        *_benchmarks(trial, healthy),
    )


def _endings(trial: Trial, healthy: Trial, allowance: Allowance) -> Iterator[str]:
    for run in trial.runs:
        if run.end is End.CRASHED:
            yield f"a run crashed: {run.sentence}"
        if run.end is End.REFUSED and len(run.sentence) < 20:
            yield f"a run failed without a sentence: {run.sentence!r}"
    if (trial.run.end is End.KILLED) is not allowance.killed:
        yield f"the run {trial.run.end}, killed or not"
    if allowance.recovers and trial.run != healthy.run:
        yield f"what passes was not made up for: {trial.run.sentence}"
    if trial.runs[1:] and trial.runs[-1].end is not End.SUCCEEDED and healthy.runs[-1].end is End.SUCCEEDED:
        yield f"the next run {trial.runs[-1].end}: {trial.runs[-1].sentence}"


def _settings(before: StackState, after: StackState, when: str) -> Iterator[str]:
    if before.alarms.keys() != after.alarms.keys():
        yield f"{when} there are the alarms {sorted(after.alarms)}, before {sorted(before.alarms)}"
        return
    for end, alarm in before.alarms.items():
        for name in sorted((alarm.keys() | after.alarms[end].keys()) - OWNED):
            if alarm.get(name) != after.alarms[end].get(name):
                yield f"{when} {name} of {end} is {after.alarms[end].get(name)}, before {alarm.get(name)}"


def _thresholds(trial: Trial, healthy: Trial, allowance: Allowance) -> Iterator[str]:
    old, new, found = (one.thresholds() for one in (trial.before, healthy.right_after, trial.right_after))
    for end, threshold in found.items():
        if threshold not in {old[end], new[end]}:
            yield f"the threshold of {end} is {threshold}, neither {old[end]} nor {new[end]}"
    if mixed(trial, healthy) and not allowance.halves:
        yield f"the thresholds are half old, half new: {found}"


def mixed(trial: Trial, healthy: Trial) -> bool:
    """Whether thresholds of alarms that act were half old, half new until the next run. What a suspension has silenced
    stays so where that breaks off, and stands at zero; so does what it has ended, which is below no threshold.
    """
    acting = [
        end
        for end, alarm in trial.right_after.alarms.items()
        if alarm["ActionsEnabled"] and alarm.get("Threshold") != BELOW_WHICH_NOTHING_IS
    ]
    old, new, found = (
        [one.thresholds().get(end) for end in acting] for one in (trial.before, healthy.right_after, trial.right_after)
    )
    return found not in (old, new)


def _repaired(trial: Trial, healthy: Trial) -> Iterator[str]:
    for when, found, expected in (
        ("after the next run", trial.repaired, healthy.repaired),
        ("in the end", trial.final, healthy.final),
    ):
        for end, alarm in expected.alarms.items():
            for name, value in alarm.items():
                if found.alarms.get(end, {}).get(name) != value:
                    yield f"{when} {name} of {end} is {found.alarms.get(end, {}).get(name)!r}, undisturbed {value!r}"
        if not _is_as_told(found.told, expected.told):
            yield f"{when} the memory is {found.told}, undisturbed {expected.told}"
    if trial.final.states != healthy.final.states:
        yield f"in the end the alarms are {trial.final.states}, undisturbed {healthy.final.states}"


def _is_as_told(found: Any, expected: Any) -> bool:
    """Whether both memories lead to the same mails. Where none holds the reference that was told, the alarms show it:
    so it is where the credits have ended before the next run, whose alarms tell by themselves that they act again.
    """
    if found and expected and found.get(REFERENCE) is None:
        found, expected = ({key: one[key] for key in one if key != REFERENCE} for one in (found, expected))
    return bool(found == expected)


def _speaking(trial: Trial) -> Iterator[str]:
    """Whatever the undisturbed run does: an alarm that is on, and was not before or had to be silent, has said so."""
    subjects = [subject for told in trial.heard_when_judged.severities.values() for subject in told]
    for kind in CREDIT_ALARMS:
        went_off = _is_on(trial.judged, kind) and not _is_on(trial.before, kind)
        if went_off and not any(subject.startswith("ALARM") and f'-{kind}"' in subject for subject in subjects):
            yield f"{kind} is on, and nobody was told"


def _benchmarks(trial: Trial, healthy: Trial) -> Iterator[str]:
    """No run is sent twice, billed twice or collected twice, and none is lost; twice published is the same."""
    for what, found, expected in (
        ("sent", trial.final.runs_sent, healthy.final.runs_sent),
        ("entered", trial.final.ledger, healthy.final.ledger),
        ("published", sorted(trial.measured), sorted(healthy.measured)),
    ):
        if found != expected:
            yield f"of benchmarks was {what} {found}, undisturbed {expected}"


def _is_on(state: StackState, kind: AlarmKind) -> bool:
    alarm = state.alarms.get(kind)
    return alarm is not None and alarm["ActionsEnabled"] and state.states[kind] == "ALARM"


def _transitions(trial: Trial, expected: ReceivedMessages, allowance: Allowance) -> Iterator[str]:
    for severity, subjects in expected.severities.items():
        heard = trial.heard.severities[severity]
        if not _contains(heard, subjects):
            yield f"{severity} was told {list(heard)}, undisturbed {list(subjects)}"
        too_much = Counter(heard) - Counter(subjects)
        if any(times > max(1, allowance.repeats) for times in too_much.values()):
            yield f"{severity} was told too much: {list(heard)}, undisturbed {list(subjects)}"
    for reason in trial.untrue:
        yield f"a severity topic was told what CloudWatch did not judge: {reason}"


def _contains(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether everything of the shorter is in the longer, in its order."""
    rest = iter(longer)
    return all(one in rest for one in shorter)


def _advice(trial: Trial, expected: ReceivedMessages, allowance: Allowance) -> Iterator[str]:
    heard = trial.heard
    found, wanted = (Counter(_head(subject) for subject in one.advice) for one in (heard, expected))
    for head in wanted - found:
        if not (head.startswith(ACTIVE_AGAIN) and _wakes_on_nothing_left(trial)):
            yield f"Advice was not told {head!r}, only {list(heard.advice)}"
    for head, times in (found - wanted).items():
        if head not in wanted and head != allowance.instead:
            yield f"Advice was told {head!r}, which is not so"
        elif times > allowance.repeats:
            yield f"Advice was told {head!r} {times} times too often"
    if _tells_of_an_end(expected) and not _tells_of_an_end(heard):
        yield f"Advice was not told that the incident is over, only {list(heard.advice)}"


def _wakes_on_nothing_left(trial: Trial) -> bool:
    """Whether the run did not get through, and the next one found no credits: the alarms tell by going off that they
    act again.
    """
    return trial.run.end is not End.SUCCEEDED and _is_on(trial.judged, AlarmKind.EXHAUSTED)


def _tells_of_an_end(heard: ReceivedMessages) -> bool:
    return any(subject.startswith(OVER_BY_MODE) for subject in heard.advice)


def _head(subject: str) -> str:
    """What a mail is about, without figures and days: where they could not be read, it says so in their place."""
    word, _, rest = subject.partition(": ")
    if "alarms suspended" in rest or subject.startswith(OVER_BY_MODE):
        # A run that comes late may find an incident that has begun by then, and says that it is over.
        return "alarms suspended"
    if word in {
        "WARNING",
        "CRITICAL",
        "RECOVERED",
        "NEARLY GONE",
        "GONE",
        "LIMIT LIFTED",
        "NOT GONE",
        "DRAINING",
    } or word.startswith("STILL "):
        # Without figures nobody knows whether they are gone or nearly so, and the mail says that.
        return word.partition(" for ")[0].removeprefix("NEARLY ")
    return f"{word}: {rest.partition(' on ')[0]}"


def repeated(trial: Trial, healthy: Trial) -> int:
    """How many mails to Advice were said again."""
    return max(0, len(trial.heard.advice) - len(healthy.heard.advice))


def _answers(trial: Trial, healthy: Trial, allowance: Allowance) -> Iterator[str]:
    if not healthy.answers[0]:
        return
    for index, answers in enumerate(trial.answers):
        different = set(answers)
        if len(different) != 1 and not (index == 0 and allowance.silence and not different):
            yield f"CloudFormation was given {len(different)} answers in run {index + 1}"
        for body in different:
            yield from _answer(body, json.loads(healthy.answers[-1][0]), allowance)


def _answer(body: bytes, expected: dict[str, Any], allowance: Allowance) -> Iterator[str]:
    if len(body) > ANSWER_BYTES:
        yield f"an answer has {len(body)} bytes"
    answer = json.loads(body)
    if "an error of the monitor itself" in answer["Reason"]:
        yield f"a run crashed, and CloudFormation was told {answer['Reason']}"
    if allowance.unread and "its policy may not be read from here" in answer["Data"].get("Policies", ""):
        return
    if answer["Status"] == "SUCCESS" and answer != expected:
        yield f"CloudFormation was told {answer}, undisturbed {expected}"
    if answer["Status"] == "FAILED" and (len(answer["Reason"]) < 20 or answer["Data"]):
        yield f"CloudFormation was refused without a sentence: {answer}"
