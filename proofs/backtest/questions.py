"""The questions that are asked of each life and month: whether a command's answer is that of the other calculation."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from efs_monitor.alarms.thresholds import Settings
from efs_monitor.efs.file_system import ThroughputMode

from operate.advise.advice import advise, cheapest
from operate.backtest.backtest_result import backtest
from proofs.backtest.brute_force import (
    best_dollars,
    elastic_bounds,
    elastic_dollars,
    every_mode,
    every_pair,
    provisioned_dollars,
)
from proofs.backtest.lives import life
from proofs.backtest.messages import deployed, differences, replayed
from proofs.backtest.months_of_metrics import CAP_BYTES_PER_SECOND, Month, month
from simulation.burst_credits import burst_bytes_per_second
from stage.direct_deployment import DirectDeployer
from stage.runs import played

SETTINGS = Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)


@dataclass(frozen=True, kw_only=True)
class Messages:
    """How many messages a life had, and a sentence for each that a backtest tells otherwise."""

    number: int
    differences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Recommended:
    """What was advised for a month: its dollars by the other calculation, None where nothing was.

    `slower_minutes` are those in which it had been slower than what was there, without those that it says;
    `best_dollars` is what the best of all costs. `costs` has for each mode what it costs at least and at most by the
    command, which is one amount but for elastic throughput, and its dollars by the other calculation. `bounds` has the
    least and the most of elastic throughput, each by the command and by the other calculation.
    """

    dollars: float | None
    best_dollars: float
    slower_minutes: int
    costs: tuple[tuple[str, float, float, float], ...]
    bounds: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The zeros that the recommended pair had told of and its messages, by the command and by the other calculation,
    and those of the best pair of all.
    """

    by_command: tuple[int, int]
    by_hand: tuple[int, int]
    best: tuple[int, int]


def messages(seed: int) -> Messages:
    """A life in the local AWS, and its backtest."""
    scenario = life(seed)
    with (
        tempfile.TemporaryDirectory() as folder,
        played(scenario, Path(folder), deployer_of=DirectDeployer) as lived,
    ):
        mine, theirs = replayed(scenario, lived), deployed(lived)
    return Messages(
        number=len(theirs.changes) + len(theirs.mails),
        differences=tuple(f"life {seed}: {one}" for one in differences(mine, theirs)),
    )


def recommended(seed: int) -> Recommended:
    """A month, and what is advised for it."""
    one = month(seed)
    advice = advise(one.history())
    prices = {(each.mode, each.mib_per_second): each for each in every_mode(one)}
    chosen = cheapest(advice.modes)
    slower = prices[str(chosen.mode), chosen.mib_per_second].slower_minutes if chosen is not None else 0
    said = chosen.barely_short_minutes if chosen is not None else 0
    return Recommended(
        dollars=None if chosen is None else _dollars(one, chosen.mode, chosen.mib_per_second),
        best_dollars=best_dollars(list(prices.values())),
        slower_minutes=slower - said,
        costs=tuple(
            (
                each.mode,
                each.dollars_a_month,
                each.most_dollars_a_month,
                _dollars(one, each.mode, each.mib_per_second),
            )
            for each in advice.modes
        ),
        bounds=tuple(
            pair
            for each in advice.modes
            if each.mode is ThroughputMode.ELASTIC
            for pair in zip((each.dollars_a_month, each.most_dollars_a_month), elastic_bounds(one), strict=True)
        ),
    )


def chosen_minutes(window: Month) -> Chosen:
    """A window in which the credits ended, and the lead times that are recommended for it."""
    best = backtest(window.history(), SETTINGS).best
    reference = burst_bytes_per_second(window.size_bytes, CAP_BYTES_PER_SECOND)
    numbers = [one for one in window.balances if one is not None]
    pairs = {(one.warning_minutes, one.critical_minutes): one for one in every_pair(numbers, reference)}
    same = pairs[best.warning.minutes, best.critical.minutes]
    warned, messages_of_best = max((one.warned, -one.messages) for one in pairs.values())
    return Chosen(
        by_command=(sum(best.warned), best.messages),
        by_hand=(same.warned, same.messages),
        best=(warned, -messages_of_best),
    )


def _dollars(one: Month, mode: ThroughputMode, mib_per_second: int | None) -> float:
    if mode is ThroughputMode.ELASTIC:
        return elastic_dollars(one)
    return provisioned_dollars(one, mib_per_second) if mib_per_second is not None else 0.0
