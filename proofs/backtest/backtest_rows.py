"""What was measured, as rows of a table in docs/backtest.md."""

from collections.abc import Sequence
from pathlib import Path

from proofs.backtest.questions import Chosen, Messages, Recommended
from proofs.limits import LimitRow, table

PAGE = Path(__file__).parent.parent.parent / "docs" / "backtest.md"
BEGIN, END = "<!-- tried: make prove PROOF=backtest -->", "<!-- end of tried -->"
SAME_COSTS = 0.01
AS_CHEAP_AS_THE_BEST = 1.05
LEAST_AS_CHEAP = 0.95


def of_messages(lives: Sequence[Messages]) -> LimitRow:
    """The row about what is told."""
    same = sum(not one.differences for one in lives)
    return LimitRow(
        what="lives whose backtest tells each change of an alarm and each mail in the same minute and with the same "
        "words as the deployed stack",
        limit="all",
        measured=f"{same:,} of {len(lives):,}, with {sum(one.number for one in lives):,} messages",
        held=same == len(lives) > 0,
    )


def of_recommended(months: Sequence[Recommended]) -> list[LimitRow]:
    """The rows about money."""
    costs = [cost for one in months for cost in one.costs]
    apart = [cost for cost in costs if _is_apart(*cost[1:])]
    bounds = [pair for one in months for pair in one.bounds]
    furthest = max((abs(said - by_hand) / max(by_hand, SAME_COSTS) for said, by_hand in bounds), default=0.0)
    advised = [one for one in months if one.dollars is not None]
    as_cheap = sum(one.dollars is not None and one.dollars <= one.best_dollars * AS_CHEAP_AS_THE_BEST for one in months)
    slower = sum(1 for one in advised if one.slower_minutes)
    return [
        LimitRow(
            what="costs of a mode that a second calculation, by minutes and operations, finds lower or higher than is "
            "said; for elastic throughput, outside the lowest and the highest that are said",
            limit="0 by more than 1 %",
            measured=f"{len(apart):,} of {len(costs):,}",
            held=bool(costs) and not apart,
        ),
        LimitRow(
            what="how far the lowest and the highest that elastic throughput is said to cost are from those that the "
            "second calculation finds by trying mixes of sizes of operations",
            limit="≤ 1 %",
            measured=f"{furthest:.2%} at most, of {len(bounds):,}",
            held=bool(bounds) and furthest <= SAME_COSTS,
        ),
        LimitRow(
            what="months whose recommended mode and MiB/s cost at most 5 % more than the best of all modes and every "
            "MiB/s from 1 to 3,414",
            limit="≥ 95 %",
            measured=f"{as_cheap / max(1, len(months)):.1%} of {len(months):,}",
            held=as_cheap >= LEAST_AS_CHEAP * len(months) > 0,
        ),
        LimitRow(
            what="recommended modes that would have been slower in any minute than what was there, without saying in "
            "how many",
            limit="0",
            measured=f"{slower:,} of {len(advised):,}",
            held=bool(advised) and not slower,
        ),
    ]


def _is_apart(least: float, most: float, by_hand: float) -> bool:
    tolerated = SAME_COSTS * max(by_hand, SAME_COSTS)
    return not least - tolerated <= by_hand <= most + tolerated


def of_minutes(windows: Sequence[Chosen]) -> LimitRow:
    """The row about lead times."""
    same = sum(one.by_command == one.by_hand == one.best for one in windows)
    zeros = sum(one.best[0] for one in windows)
    return LimitRow(
        what="windows of 14 days whose recommended minutes tell of as many ends of the credits as the best of "
        "all 51,681 pairs of whole minutes (in useful time, each alarm counted), with no more messages",
        limit="all",
        measured=f"{same:,} of {len(windows):,}, with {zeros:,} told",
        held=same == len(windows) > 0,
    )


def written(page: str, rows: Sequence[LimitRow]) -> str:
    """The page with this table."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return "".join([before, BEGIN, "\n\n", "\n".join(table(rows)), "\n\n", END, after])
