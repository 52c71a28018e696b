"""Trials as rows of a table: function, event, ok; below each row what was answered, and what it changed."""

import json
from collections.abc import Sequence
from typing import Any

from operate.terminal import wrapped
from stage.invocation.effects import Seen
from stage.invocation.invocation_trial import InvocationTrial
from stage.runs import STACK_NAME

NAME_WIDTH, EVENT_WIDTH = 21, 35
BELOW, CONTINUED = "    ", "      "
NOTHING = "nothing"
SAME_IN_EVERY_ROW = ("file_system_id",)


def _line(function: str, event: str, ok: str) -> str:
    return f"{function:<{NAME_WIDTH}} | {event:<{EVENT_WIDTH}} | {ok}"


HEADING = _line("function", "event", "ok")


def row(function: str, event: str, trial: InvocationTrial, found: Sequence[str]) -> str:
    """A trial's row, and below it, indented, what came of it and what was found wrong."""
    below = [f"answer: {_answer(trial)}", f"effects: {_effects(trial)}", *(f"WRONG: {one}" for one in found)]
    lines = [wrapped(text, first=BELOW, then=CONTINUED) for text in below]
    return "\n".join([_line(function, event, "NO" if found else "yes"), *lines])


def _answer(trial: InvocationTrial) -> str:
    outcome = trial.outcome
    if outcome.failed:
        return f"{outcome.error_type}: {outcome.error}"
    if trial.answers:
        return "; ".join(_to_cloudformation(answer) for answer in trial.answers)
    if isinstance(outcome.answer, dict):
        told = {name: value for name, value in outcome.answer.items() if name not in SAME_IN_EVERY_ROW}
        return ", ".join(f"{name} {_short(value)}" for name, value in told.items())
    return json.dumps(outcome.answer)


def _to_cloudformation(answer: Any) -> str:
    data = ", ".join(f"{name} {value}" for name, value in answer.get("Data", {}).items())
    return f"{answer['Status']} to CloudFormation{': ' if data else ''}{data}"


def _short(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _effects(trial: InvocationTrial) -> str:
    """Alarms written, the memory, messages published."""
    effects = [
        *_alarms(trial.before, trial.after),
        *(["memory"] if trial.before.memory != trial.after.memory else []),
        *(["ledger"] if trial.before.ledger != trial.after.ledger else []),
        *(["notes"] if trial.before.notes != trial.after.notes else []),
        *(f"mail on {message.topic_name.rpartition('-')[2]}" for message in trial.messages),
    ]
    return ", ".join(effects) or NOTHING


def _alarms(before: Seen, after: Seen) -> list[str]:
    names = sorted(before.alarms.keys() | after.alarms.keys())
    written = [name for name in names if before.alarms.get(name) != after.alarms.get(name)]
    return [f"{name.removeprefix(f'{STACK_NAME}-')} written" for name in written]
