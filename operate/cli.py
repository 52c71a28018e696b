"""efs-monitor: the command line. What a command does is in the package of its name."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from efs_monitor.alarms.thresholds import Settings
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from operate.answer import answered
from operate.backtest.as_json import as_json
from operate.backtest.findings import backtest as backtest_of
from operate.backtest.words import report
from operate.history.export import read_export
from operate.history.history import History, history_of
from operate.interruption import interruptible

WIDTH = 80
UNWARNED = 1
EXAMPLES = Path(__file__).parent / "examples"
DAYS = 14
RISE_TOLERANCE_PERCENT = 10

app = typer.Typer(
    name="efs-monitor",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
)


@app.callback()
def efs_monitor() -> None:
    """Burst credits of Amazon EFS: what the monitor would have told you of your own file system's past.

    Every command ends with 2 and one sentence where something stands in its way.
    """


@app.command()
def backtest(  # noqa: PLR0917 - the options of a command line
    export: Annotated[
        Path,
        typer.Option(
            "--from",
            metavar="FILE",
            help="A CSV with a column for each metric, or the JSON of `aws cloudwatch get-metric-data`; also as .gz. "
            "calm, growing and hungry are examples that are here already.",
        ),
    ],
    days: Annotated[
        int | None, typer.Option(min=1, max=63, help="Only the last so many days.", show_default="all")
    ] = None,
    warning: Annotated[int, typer.Option(metavar="MINUTES", help="WarningMinutes to try.")] = 180,
    critical: Annotated[int, typer.Option(metavar="MINUTES", help="CriticalMinutes to try.")] = 60,
    messages: Annotated[bool, typer.Option("--messages", help="List every message, not only the first ones.")] = False,
    as_data: Annotated[bool, typer.Option("--json", help="Write everything as JSON, mails included.")] = False,
) -> None:
    """What would have been told of the past: which messages, when, and how long before trouble.

    Replays the monitor's own decisions, alarms and mails minute by minute over what was recorded of a file system.
    Read-only. Try it: efs-monitor backtest --from hungry

    Ends with 0, with 1 where credits ended without any message before it, with 2 where nothing could be said.
    """

    def run() -> int:
        settings = Settings(
            warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=RISE_TOLERANCE_PERCENT
        )
        history = _recorded(export, days)
        with _progress(history) as told:
            found = backtest_of(history, settings, told=told)
        if as_data:
            sys.stdout.write(json.dumps(as_json(found), indent=2) + "\n")
        else:
            _console().print(report(found, every_message=messages))
        return UNWARNED if found.unwarned else 0

    _end(run)


def _recorded(export: Path, days: int | None) -> History:
    example = EXAMPLES / f"{export}.csv.gz"
    is_example = not export.exists() and export.name == str(export) and example.exists()
    recorded = read_export(example if is_example else export)
    # The examples are of a year to come.
    now = datetime.max.replace(tzinfo=UTC, year=9000) if is_example else datetime.now(UTC)
    return history_of(recorded, days, now)


def _console() -> Console:
    """A terminal as wide as it is, up to 80 columns; a pipe gets 80 and no colours."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDTH) if console.is_terminal else WIDTH
    return console


@contextmanager
def _progress(history: History) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing elsewhere; on standard error, so that what is piped is the answer alone."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("living through the days", total=history.minutes // 1440 + 1)
        yield lambda day: bar.update(task, completed=day)


def _end(run: Callable[[], int]) -> NoReturn:
    """End the command with the status of `run`: 2 and a sentence where something stood in its way."""
    raise typer.Exit(interruptible(lambda: answered(run)))


def main() -> int:
    """The entry point; a command ends the process itself."""
    app()
    return 0


if __name__ == "__main__":
    sys.exit(interruptible(main))
