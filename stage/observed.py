"""What was seen in a scenario, line by line, in words that its file can state beforehand."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from efs_monitor.alarms.alarm import LEAD_ALARMS

from localaws.cloudwatch.history_items import CONFIGURATION_UPDATE
from operate.replay.replayed_account import Recalculation
from simulation.burst_credits import GIB
from stage.player import Player
from stage.scenario_tables import at


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What a scenario file's `expect` is held against, and each decision."""

    alarms: tuple[str, ...]
    transitions: tuple[str, ...]
    mails: tuple[str, ...]
    decisions: tuple[Recalculation, ...]
    benchmarks: tuple[str, ...]


def observe(player: Player, stack_name: str) -> Observed:
    """What was seen so far of a stack's alarms, their transitions, and every mail that reached a subscriber."""
    sandbox = player.sandbox

    def short(alarm_name: str) -> str:
        return alarm_name.removeprefix(f"{stack_name}-")

    return Observed(
        alarms=tuple(_alarm_lines(player, stack_name)),
        transitions=tuple(
            f"{at(player.minute_at(one.time))} {short(one.alarm)} {one.old} -> {one.new}" for one in sandbox.transitions
        ),
        mails=tuple(
            f"{at(player.minute_at(mail.time))} {short(mail.topic_name)} to {mail.to}: {mail.subject}"
            for mail in sandbox.mailbox.mails
        ),
        decisions=tuple(_decisions(player, f"/efs-monitor/{stack_name}/recalculate-thresholds", short)),
        benchmarks=tuple(benchmark_lines(player, stack_name)),
    )


def _alarm_lines(player: Player, stack_name: str) -> list[str]:
    """Each configuration that the alarms on credits were ever given, without repeating one that changed nothing."""
    lines, last = [], dict[str, str]()
    for item in player.sandbox.alarms.history:
        short = item.alarm_name.removeprefix(f"{stack_name}-")
        if item.kind != CONFIGURATION_UPDATE or short not in LEAD_ALARMS:
            continue
        after = _after(item.data)
        words = "deleted" if after is None else _contents(after)
        if last.get(short) != words:
            lines.append(f"{at(player.minute_at(item.time))} {short} {words}")
        last[short] = words
    return lines


def _after(data: str) -> dict[str, Any] | None:
    update = json.loads(data)
    found: dict[str, Any] | None = update.get("createdAlarm") or update.get("updatedAlarm")
    return found


def _contents(alarm: dict[str, Any]) -> str:
    return f"{alarm['threshold'] / GIB:.1f} GiB {'armed' if alarm['actionsEnabled'] else 'silent'}"


def _decisions(player: Player, log_group: str, short: Callable[[str], str]) -> list[Recalculation]:
    found = []
    for line in player.sandbox.logs.of(log_group):
        if not line.message.startswith("{"):
            continue
        entry = json.loads(line.message)
        if entry.get("message") == "decided":
            found.append(
                Recalculation(
                    minute=player.minute_at(line.time),
                    kind=entry["decision"],
                    cause=entry["cause"],
                    reason=entry["reason"],
                    alarms_written=tuple(map(short, entry.get("alarms_written", ()))),
                )
            )
    return found


def benchmark_lines(player: Player, stack_name: str) -> Iterator[str]:
    """One for each benchmark that was sent, skipped, or collected, in the order in which it came to that."""
    folder = f"/efs-monitor/{stack_name}/"
    for line in player.sandbox.logs.lines:
        if line.log_group.startswith(folder) and line.message.startswith("{"):
            entry = json.loads(line.message)
            if told := _told(line.log_group.removeprefix(folder), entry):
                # The mount lies in another folder at every run.
                text = told.replace(str(player.machines.mount_path), "$MOUNT")
                yield f"{at(player.minute_at(line.time))} {text}"


def _told(function: str, entry: Mapping[str, Any]) -> str:
    match function, entry.get("message"):
        case "run-benchmark", "sent":
            return f"sent to {', '.join(entry['instances'])}: {len(entry['workloads'])} workloads"
        case "run-benchmark", "skipped":
            return f"skipped: {entry['skipped']}"
        case "collect-benchmark", "benchmark" if entry["success"]:
            return f"measured {len(entry['measured'])} workloads"
        case "collect-benchmark", "benchmark":
            return f"failed, {len(entry['measured'])} workloads measured: {entry['failures'][0]}"
    return ""
