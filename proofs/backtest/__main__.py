"""Ask everything of many lives and months, say each row, and write the table of docs/backtest.md; 1 when one is beyond
its limit. A number as the only argument asks of so many lives, and of months in proportion. One that was broken off
goes on where it was.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from os import environ
from pathlib import Path

from operate.terminal import wrapped
from proofs.backtest.backtest_rows import PAGE, of_messages, of_minutes, of_recommended, written
from proofs.backtest.months_of_metrics import hungry
from proofs.backtest.questions import chosen_minutes, messages, recommended
from proofs.kept_answers import folder_of, kept_or_asked
from proofs.limits import LimitRow, say
from proofs.processes import processes
from stage.sam_deployment import Deployer

LIVES, MONTHS, WINDOWS = 200, 1000, 40
WINDOW_DAYS = 14
# Enough to find the first ones.
EXAMPLES = 8


def main(lives: int) -> int:
    """One kind of question after the other, each by as many processes as there are processors."""
    share = lives / LIVES
    # Lives deploy what was built.
    environ.setdefault("EFS_MONITOR_BUILT", "1")
    with tempfile.TemporaryDirectory() as folder:
        Deployer("", Path(folder), str).build()
    lived = _asked("lives", messages, range(lives))
    rows = _told([of_messages(lived)], [one for each in lived for one in each.differences])
    rows += _told(of_recommended(_asked("months", recommended, range(max(1, round(MONTHS * share))))))
    windows = hungry(max(1, round(WINDOWS * share)), days=WINDOW_DAYS)
    rows += _told([of_minutes(_asked("windows", chosen_minutes, windows))])
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    print(f"written: {PAGE}")
    return 0 if all(row.held for row in rows) else 1


def _asked[Asked, Answer](what: str, question: Callable[[Asked], Answer], asked: Iterable[Asked]) -> Sequence[Answer]:
    begun = time.monotonic()
    with processes() as pool:
        answers = list(pool.map(partial(kept_or_asked, folder_of(what), question), enumerate(asked)))
    print(f"{len(answers):,} {what}, {time.monotonic() - begun:,.0f} s", flush=True)
    return answers


def _told(rows: list[LimitRow], examples: Sequence[str] = ()) -> list[LimitRow]:
    say(rows)
    for one in examples[:EXAMPLES]:
        print(wrapped(one, first=" " * 8, then=" " * 12), flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else LIVES))
