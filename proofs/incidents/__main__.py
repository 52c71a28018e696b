"""Live through all months and write their section of docs/reliability.md; 1 when a row is beyond its limit.

A number as the only argument lives through so many months, and a tenth as many of each other kind; the section says how
many they were.
"""

import sys
import time

from operate.terminal import wrapped
from proofs.faults.faults_report import REPORT
from proofs.incidents.incidents_section import MeasuredMonths, rows, section, with_section
from proofs.incidents.judged_months import FIRST_LATE_SEED, all_hovering, all_measured, all_resting
from proofs.incidents.months_of_load import MONTH_DAYS
from proofs.limits import say

MONTHS = 300
# What is said of months that went wrong: enough to find the first ones.
EXAMPLES = 8


def main(months: int) -> int:
    """Judge the months, say each row, and name what was missed."""
    started = time.monotonic()
    found, a_tenth = MeasuredMonths.none(), max(1, months // 10)
    for number, one in enumerate(all_measured(range(months), MONTH_DAYS), 1):
        found.ordinary.add(one)
        if number % 50 == 0:
            print(f"{number} months lived through, {time.monotonic() - started:.0f} s", flush=True)
    late_seeds = range(FIRST_LATE_SEED, FIRST_LATE_SEED + a_tenth)
    for one in all_measured(late_seeds, MONTH_DAYS, late=True):
        found.late.add(one)
    for one in all_hovering(range(a_tenth), MONTH_DAYS):
        found.hovering.add(one)
    for one in all_resting(range(a_tenth), MONTH_DAYS):
        found.resting.add(one)
    table = rows(found)
    say(table)
    missed = [what for kind in found for what in kind.missed]
    for what in dict.fromkeys(one.partition(":")[0] for one in missed):
        examples = [one for one in missed if one.startswith(f"{what}:")][:EXAMPLES]
        print(wrapped(f"missed, for example: {'; '.join(examples)}", then=" " * 8), flush=True)
    REPORT.write_text(with_section(REPORT.read_text(encoding="utf-8"), section(found, MONTH_DAYS)), encoding="utf-8")
    print(f"written: {REPORT}")
    return 0 if all(row.held for row in table) else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else MONTHS))
