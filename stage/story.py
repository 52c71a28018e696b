"""What happened in a scenario, line by line, in words that a scenario file can state beforehand."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from localaws.cloudwatch.history import CONFIGURATION_UPDATE
from simulation.burst_credits import GIB
from stage.benchmark_story import benchmark_lines
from stage.happenings import at
from stage.world import World


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One recalculation, as the function logged it; alarms without the stack's name before them."""

    minute: int
    kind: str
    cause: str
    reason: str
    alarms_written: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Story:
    """What a scenario file's `expect` is held against, and each decision."""

    alarms: tuple[str, ...]
    transitions: tuple[str, ...]
    mails: tuple[str, ...]
    decisions: tuple[Decision, ...]
    benchmarks: tuple[str, ...]


def tell(world: World, stack_name: str) -> Story:
    """The story so far of a stack's alarms, their transitions, and every mail that reached a subscriber."""
    sandbox = world.sandbox

    def short(alarm_name: str) -> str:
        return alarm_name.removeprefix(f"{stack_name}-")

    return Story(
        alarms=tuple(_alarm_lines(world, stack_name)),
        transitions=tuple(
            f"{at(world.minute_at(one.time))} {short(one.alarm)} {one.old} -> {one.new}" for one in sandbox.transitions
        ),
        mails=tuple(
            f"{at(world.minute_at(mail.time))} {short(mail.topic_name)} to {mail.to}: {mail.subject}"
            for mail in sandbox.mailbox.mails
        ),
        decisions=tuple(_decisions(world, f"/efs-monitor/{stack_name}/recalculate-thresholds", short)),
        benchmarks=tuple(benchmark_lines(world, stack_name)),
    )


def _alarm_lines(world: World, stack_name: str) -> list[str]:
    """Each configuration that the alarms on credits were ever given, without repeating one that changed nothing."""
    lines, last = [], dict[str, str]()
    for item in world.sandbox.alarms.history:
        short = item.alarm_name.removeprefix(f"{stack_name}-")
        if item.kind != CONFIGURATION_UPDATE or short not in {"warning", "critical", "exhausted"}:
            continue
        after = _after(item.data)
        words = "deleted" if after is None else _contents(after)
        if last.get(short) != words:
            lines.append(f"{at(world.minute_at(item.time))} {short} {words}")
        last[short] = words
    return lines


def _after(data: str) -> dict[str, Any] | None:
    update = json.loads(data)
    found: dict[str, Any] | None = update.get("createdAlarm") or update.get("updatedAlarm")
    return found


def _contents(alarm: dict[str, Any]) -> str:
    return f"{alarm['threshold'] / GIB:.1f} GiB {'armed' if alarm['actionsEnabled'] else 'silent'}"


def _decisions(world: World, log_group: str, short: Callable[[str], str]) -> list[Decision]:
    found = []
    for line in world.sandbox.logs.of(log_group):
        if not line.message.startswith("{"):
            continue
        entry = json.loads(line.message)
        if entry.get("message") == "decided":
            found.append(
                Decision(
                    minute=world.minute_at(line.time),
                    kind=entry["decision"],
                    cause=entry["cause"],
                    reason=entry["reason"],
                    alarms_written=tuple(map(short, entry.get("alarms_written", ()))),
                )
            )
    return found
