"""Evenings of file systems, each from a seed: sizes, loads, modes and metrics that come late or not at all."""

import random

from stage.scenario import Scenario, read
from stage.scenario_tables import at

MINUTES = 240
SIZES_GIB = (10, 100, 700, 1500, 3072, 12_000)
LATE_MINUTES = (1, 2, 2, 5, 9)
# From this seed on much is deleted in the evening; those before it have none of that.
FIRST_THAT_SHRINKS = 24


def evening(seed: int) -> Scenario:
    """Credits that run low at once, under loads that begin and end within the hour."""
    draw = random.Random(seed)  # noqa: S311 - no secret, a life that can be lived again
    size_gib = draw.choice(SIZES_GIB)
    baseline_mib = max(1.0, size_gib * 50 / 1024)
    lines = [
        f'about = "An evening of the seed {seed}"',
        f"days = {MINUTES / 1440}",
        "[file_system]",
        f"size_gib = {size_gib}",
        f"balance_percent = {draw.choice((0, 2, 8, 17, 30, 50))}",
        f"metrics_late_minutes = {draw.choice(LATE_MINUTES)}",
    ]
    returns_from_elastic = draw.random() < 0.5
    if returns_from_elastic:
        lines.append('mode = "elastic"')
    for number in range(draw.randint(1, 4)):
        # Clients work before the return, too.
        start = 0 if returns_from_elastic and number == 0 else draw.randrange(0, MINUTES - 30)
        lines += [
            "[[load]]",
            f'from = "{at(start)}"',
            f'to = "{at(start + draw.randint(5, 120))}"',
            f"write_mib_per_second = {draw.choice((0, 0.2, 1, 2)) * baseline_mib:.2f}",
            f"read_mib_per_second = {draw.choice((0, 0.5, 3)) * baseline_mib:.2f}",
            f"metadata_operations_per_second = {draw.choice((0, 5, 2000))}",
        ]
    if returns_from_elastic:
        lines += ["[[change]]", f'at = "{at(draw.randint(10, 80))}"', 'mode = "bursting"']
    if draw.random() < 0.3:
        lines += [
            "[[change]]",
            f'at = "{at(draw.randint(60, 150))}"',
            f"metrics_stop_for_minutes = {draw.randint(3, 40)}",
        ]
    if seed >= FIRST_THAT_SHRINKS:
        lines += [
            "[[change]]",
            f'at = "{at(draw.randint(20, 180))}"',
            f"size_gib = {size_gib * draw.uniform(0.2, 0.9):.1f}",
            f"over_hours = {draw.choice((0.1, 0.5, 1))}",
        ]
    lines += ["[[deploy]]", "[deploy.parameters]", 'AlertEmail = "storage-team@example.com"', "RepeatCriticalHours = 1"]
    return read(f"evening-{seed}", "\n".join(lines))
