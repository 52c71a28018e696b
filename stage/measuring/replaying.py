"""How long a backtest of two weeks takes that are there already, and how much memory."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from stage.measuring.promise import PromisedValue
from stage.sam_deployment import PROJECT

# In a process of its own: what it needs at most is that of its whole life.
SCRIPT = r"""
import io, json, re, time
from datetime import UTC, datetime
from pathlib import Path
from rich.console import Console
from operate.backtest.backtest_result import backtest
from operate.backtest.words import report
from operate.commands.on_metrics import EXAMPLES
from operate.history.export import read_export
from operate.history.file_system_history import history_of
from operate.template_defaults import SETTINGS

found = {}
for path in sorted(EXAMPLES.glob("*.csv.gz")):
    begun = time.perf_counter()
    history = history_of(read_export(path), None, datetime(2040, 1, 1, tzinfo=UTC))
    Console(file=io.StringIO(), width=80).print(report(backtest(history, SETTINGS)))
    found[path.name.partition(".")[0]] = time.perf_counter() - begun
# getrusage(2) would name the peak of whoever started this process, where that is higher.
peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
print(json.dumps({"seconds": found, "peak_bytes": int(peak[1]) * 1024}))
"""


def backtests() -> Iterator[PromisedValue]:
    """Each example, from its file to what a terminal shows, in a process that has begun. A megabyte is 10^6 bytes."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=PROJECT, env=os.environ, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    for name, seconds in found["seconds"].items():
        yield PromisedValue(name=f"backtest of 14 days, {name}", value=round(seconds, 2), unit="s", limit=2)
    yield PromisedValue(name="backtests, memory", value=round(found["peak_bytes"] / 1e6), unit="MB", limit=300)
