"""Half days of file systems in the local AWS, each from a seed, of which CloudWatch keeps all that a replay must know.

It keeps no trace of when a datapoint came: all of a life come so many minutes after theirs, which the replay is told,
or never. It does not tell when EFS metered a new size either: sizes change when EFS meters, at the beginning of an
hour, and no metrics are missing then. One life in four leaves bursting mode for some hours; what another mode permits
then is a rate that bursting does not show at this size, because nothing else tells them apart: a balance that is
missing may have been lost.
"""

import random

from stage.scenario import Scenario, read
from stage.scenario_tables import at

MINUTES = 720
LATE_MINUTES = (1, 3, 5)
SHARE_SWITCHED = 0.25
ELASTIC_MIB_PER_SECOND = 1024
SIZES_GIB = (10, 100, 256, 700, 1024, 1500, 3072, 12_000)


def life(seed: int) -> Scenario:
    """Loads of minutes and hours, some of which empty the bucket, and what people and EFS do meanwhile."""
    draw = random.Random(f"backtest {seed}")  # noqa: S311 - no secret, a life that can be lived again
    size_gib = draw.choice(SIZES_GIB)
    baseline_mib, burst_mib = max(1.0, size_gib * 50 / 1024), max(100.0, size_gib * 100 / 1024)
    balance_percent, cap_mib = draw.choice((0, 4, 10, 20, 35, 60, 100)), draw.choice((1024, 3072))
    lines = [
        f'about = "Half a day of the seed {seed}"',
        f"days = {MINUTES / 1440}",
        "[file_system]",
        f"size_gib = {size_gib}",
        f"balance_percent = {balance_percent}",
        f"regional_cap_mib_per_second = {cap_mib}",
        f"metrics_late_minutes = {draw.choice(LATE_MINUTES)}",
    ]
    for _ in range(draw.randint(1, 5)):
        start = draw.randrange(0, MINUTES - 60)
        lines += [
            "[[load]]",
            f'from = "{at(start)}"',
            f'to = "{at(min(MINUTES - 1, start + draw.choice((7, 20, 60, 150, 300))))}"',
            f"write_mib_per_second = {draw.choice((0.1, 0.5, 1, 1.6, 2.2)) * baseline_mib:.2f}",
            f"read_mib_per_second = {draw.choice((0, 0.5, 3)) * baseline_mib:.2f}",
        ]
    gap = range(0)
    if draw.random() < 0.3:
        begin = draw.randint(120, 600)
        gap = range(begin, begin + draw.randint(2, 12))
        lines += ["[[change]]", f'at = "{at(begin)}"', f"metrics_stop_for_minutes = {len(gap)}"]
    if draw.random() < SHARE_SWITCHED:
        lines += _there_and_back(draw, burst_mib, min(burst_mib, cap_mib))
    elif draw.random() < 0.3:
        hour = draw.randint(3, 9)
        lines += [
            "[[change]]",
            f'at = "{at(60 * (hour + (60 * hour in gap)))}"',
            f"size_gib = {size_gib * draw.choice((0.6, 1.3, 1.8)):.1f}",
        ]
    lines += ["[[deploy]]", "[deploy.parameters]", 'AlertEmail = "storage-team@example.com"']
    return read(f"life-{seed}", "\n".join(lines))


def _there_and_back(draw: random.Random, burst_mib: float, permitted_mib: float) -> list[str]:
    """Another throughput mode for one to five hours; half a day is shorter than AWS's lock on the way back."""
    begin = draw.randint(120, 360)
    lines = ["[[change]]", f'at = "{at(begin)}"']
    if draw.random() < 0.5 and permitted_mib != ELASTIC_MIB_PER_SECOND:
        lines += ['mode = "elastic"']
    else:
        # Between the baseline and the burst rate, or above both.
        rate_mib = round(burst_mib * draw.choice((0.7, 1.5)))
        lines += ['mode = "provisioned"', f"provisioned_mib_per_second = {rate_mib}"]
    lines += ["[[change]]", f'at = "{at(begin + draw.randint(60, 300))}"', 'mode = "bursting"']
    return [*lines, "despite_mode_lock = true"]
