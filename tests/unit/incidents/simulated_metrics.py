"""Lives of file systems by the model of EFS, minute by minute, as the metrics have them in steps of five."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from math import inf

from efs_monitor.efs.observations import MINUTE, BalancePoint, as_they_fit, last_cut
from efs_monitor.incidents.situation import AHEAD, DAY, STEP, PastDay, Situation, Work

from simulation import burst_credits
from simulation.burst_credits import GIB, MIB
from simulation.file_system import Bursting, Load, Provisioned, created, step
from tests.unit.incidents.earlier_days import now_with
from tests.unit.strategies import NOW, bursting


def lived(
    loads_mib: Sequence[float],
    *,
    standard_bytes: int | Sequence[int],
    rates_mib: Sequence[float | None] = (),
    left_share: float = 0.5,
) -> Situation:
    """A minute of so much each until now, on credits or at a provisioned rate, at one size or at that of each minute.

    It began with so much of a full bucket. What was moved and permitted is known of the last day, as it is asked for.
    """
    sizes = [standard_bytes] * len(loads_mib) if isinstance(standard_bytes, int) else standard_bytes
    state = created(sizes[0])
    state = replace(state, balance_bytes=left_share * state.balance_bytes)
    first = NOW - len(loads_mib) * MINUTE
    lowest, moved, permitted = dict[datetime, float](), dict[datetime, float](), dict[datetime, float]()
    for minute, mib in enumerate(loads_mib):
        rate_mib = rates_mib[minute] if rates_mib else None
        mode = Bursting() if rate_mib is None else Provisioned(rate_mib * MIB)
        state, went = step(replace(state, mode=mode, standard_bytes=sizes[minute]), Load(write_bytes=mib * MIB * 60))
        points = {one.name: one for one in went.datapoints}
        time = first + (minute - minute % 5) * MINUTE
        lowest[time] = min(lowest.get(time, inf), points["BurstCreditBalance"].minimum)
        moved[time] = moved.get(time, 0.0) + went.credits.served_bytes
        permitted[time] = max(permitted.get(time, 0.0), points["PermittedThroughput"].maximum)
    reference = burst_credits.burst_bytes_per_second(sizes[-1], 3 * GIB)
    fastest = max([reference, *permitted.values()])
    balances = tuple(BalancePoint(time=at, balance_bytes=lowest[at]) for at in lowest)
    day = PastDay(back=AHEAD, balances=as_they_fit(balances, fastest, STEP), cut=last_cut(balances, fastest, STEP))
    return replace(
        now_with(60, day),
        file_system=bursting(sizes[-1]),
        reference_bytes_per_second=reference,
        baseline_bytes_per_second=burst_credits.baseline_bytes_per_second(sizes[-1], reference),
        last_day=tuple(Work(time=at, metered_bytes=moved[at]) for at in moved if moved[at] and at >= NOW - DAY),
        permitted_of_the_day=tuple((at, permitted[at]) for at in permitted if at >= NOW - DAY),
    )
