"""The commands that read the metrics of a file system, from CloudWatch or an export: backtest, advise and report."""

import json
import os
import sys
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from efs_monitor.alarms.thresholds import Settings

from operate.advise.advice import advise as advice_on
from operate.advise.advice_words import as_json as advice_as_json
from operate.advise.advice_words import report as advice_report
from operate.advise.benchmark_file import BenchmarkFile, MeasuredRefused, read_measured
from operate.backtest.as_json import as_json
from operate.backtest.backtest_result import backtest as backtest_of
from operate.backtest.words import report as backtest_report
from operate.commands.access import Access, Profile, Region
from operate.commands.base_command import WholeAsJson, end, show
from operate.environment import Refused
from operate.history.cache import Cache
from operate.history.export import read_export, shown
from operate.history.file_system_history import History, history_of
from operate.history.reading import read_live
from operate.history.recorded import FILE_SYSTEM_ID, HistoryRefused, Recorded
from operate.progress import progress_bar
from operate.template_defaults import CRITICAL_MINUTES, RISE_TOLERANCE_PERCENT, WARNING_MINUTES
from operate.terminal import wrapped

UNWARNED = ADVISED = 1
EXAMPLES = Path(__file__).parent.parent / "example_histories"
DAYS = 14
PAGE_BEGINS = b"<!doctype html>"

FileSystemId = Annotated[
    str | None,
    typer.Argument(
        metavar="FS-ID",
        help="The file system whose metrics to read.",
        show_default=False,
    ),
]
Export = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="A CSV with a column for each metric, or the JSON of `aws cloudwatch get-metric-data`; also as .gz. "
        "calm, growing and hungry name examples that come with this command.",
        show_default=False,
    ),
]
Days = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=63,
        help=f"Days to read. Default: {DAYS}, or the whole export. CloudWatch has one-minute steps for the last 14 "
        "days, five-minute steps before.",
        show_default=False,
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Read everything again, also days that are in the cache.")]


def backtest(
    file_system_id: FileSystemId = None,
    export: Export = None,
    days: Days = None,
    warning: Annotated[int, typer.Option(metavar="MINUTES", help="WarningMinutes to replay with.")] = WARNING_MINUTES,
    critical: Annotated[
        int, typer.Option(metavar="MINUTES", help="CriticalMinutes to replay with.")
    ] = CRITICAL_MINUTES,
    messages: Annotated[bool, typer.Option("--messages", help="List every message, not only the first ones.")] = False,
    fresh: Fresh = False,
    profile: Profile = None,
    region: Region = None,
    as_data: WholeAsJson = False,
) -> None:
    """Which messages the monitor would have sent in the past, when, and how long before the credits were gone.

    Replays the monitor's own decisions, alarms and mails minute by minute.
    Read-only: it calls cloudwatch:GetMetricData and
    elasticfilesystem:DescribeFileSystems; with --from it calls nothing.

    Try it: efs-monitor backtest --from hungry

    Exit status: 0; 1 if credits ran out without a message beforehand; 2 if
    there is no answer, with the reason.
    """

    def run() -> int:
        settings = Settings(
            warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=RISE_TOLERANCE_PERCENT
        )
        history = _history(file_system_id, export, days, Access(profile, region), fresh=fresh)
        days_of_it = history.minutes // 1440
        with progress_bar("living through the days") as told:
            found = backtest_of(history, settings, told=lambda day: told(day, days_of_it))
        if as_data:
            sys.stdout.write(json.dumps(as_json(found), indent=2) + "\n")
        else:
            show(backtest_report(found, every_message=messages))
        return UNWARNED if found.unwarned else 0

    end(run)


def advise(
    file_system_id: FileSystemId = None,
    export: Export = None,
    days: Days = None,
    benchmark_file: Annotated[
        Path | None,
        typer.Option(
            "--benchmark",
            metavar="FILE",
            help="Output of `efs-monitor benchmark --json`: judge its instances and their mounts, too.",
            show_default=False,
        ),
    ] = None,
    fresh: Fresh = False,
    profile: Profile = None,
    region: Region = None,
    as_data: WholeAsJson = False,
) -> None:
    """What would be cheaper or faster for a file system: each finding with its evidence, its cost and the command.

    Prices the load of the last days in each throughput mode, with how much each
    mode would have slowed it down, and untouched data in cheaper storage.
    With --benchmark it also judges instances, mounts and numbers of threads. A
    benchmark that cannot be read, or of another file system, is left out, and
    the answer says so.
    Read-only, with the permissions of backtest.

    Try it: efs-monitor advise --from hungry

    Exit status: 0; 1 if there is something to advise; 2 if there is no answer,
    with the reason.
    """

    def run() -> int:
        history = _history(file_system_id, export, days, Access(profile, region), fresh=fresh, needs_balance=False)
        measured, remarks = _measured(benchmark_file, history.file_system_id)
        advice = advice_on(replace(history, remarks=(*history.remarks, *remarks)), measured)
        if as_data:
            sys.stdout.write(json.dumps(advice_as_json(advice), indent=2) + "\n")
        else:
            show(advice_report(advice))
        return ADVISED if advice.findings else 0

    end(run)


def _page_path(text: str) -> Path:
    # Of nothing, pathlib makes the folder in which one is.
    if not str(text):
        raise ValueError(text)
    return Path(text)


def report(
    file_system_id: FileSystemId = None,
    export: Export = None,
    stack: Annotated[
        str | None,
        typer.Option(
            help="Show what this deployed stack's alarms really did, instead of a replay.", show_default=False
        ),
    ] = None,
    out: Annotated[Path, typer.Option(parser=_page_path, metavar="FILE", help="File to write the page to.")] = Path(
        "efs-report.html"
    ),
    days: Days = None,
    warning: Annotated[int, typer.Option(metavar="MINUTES", help="WarningMinutes to use.")] = WARNING_MINUTES,
    critical: Annotated[int, typer.Option(metavar="MINUTES", help="CriticalMinutes to use.")] = CRITICAL_MINUTES,
    fresh: Fresh = False,
    profile: Profile = None,
    region: Region = None,
    as_data: WholeAsJson = False,
) -> None:
    """One HTML page that opens without a network: balance, thresholds, throughput, alarms and mails on one time axis.

    Replays the past as backtest does, or shows what the alarms of a deployed
    --stack did.
    Read-only, with the permissions of backtest; --stack also calls
    cloudwatch:DescribeAlarmHistory, and without it says what is missing.

    Try it: efs-monitor report --from hungry

    Exit status: 0; 2 if there is no page, with the reason.
    """

    # Here, so that no other command waits for what draws pages.
    from operate.report.of_backtest import contents_of_backtest
    from operate.report.of_stack import STACK_NAME, contents_of_stack, nothing_remembered
    from operate.report.page import page, summary

    def run() -> int:
        settings = Settings(
            warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=RISE_TOLERANCE_PERCENT
        )
        _require_place_for_page(out)
        access = Access(profile, region)
        if stack is not None and (file_system_id is None or export is not None):
            raise Refused("--stack shows a live stack: name its file system (fs-...) too, and no export")
        if stack is not None and STACK_NAME.fullmatch(stack) is None:
            raise Refused(f"{shown(stack)} is no name that a stack can have, such as efs-monitor-home")
        history = _history(file_system_id, export, days, access, fresh=fresh)
        if stack is None:
            with progress_bar("living through the days") as told:
                found = backtest_of(history, settings, told=lambda day: told(day, history.minutes // 1440))
            contents = contents_of_backtest(found)
        else:
            with closing(access.client("cloudwatch")) as cloudwatch:
                contents = contents_of_stack(cloudwatch, stack, history, settings, datetime.now(UTC))
        written = page(contents)
        try:
            out.write_text(written, encoding="utf-8")
        except OSError as error:
            sentence = f"{out} cannot be written: {error.strerror}; give --out a file in a folder that takes one"
            raise Refused(sentence) from error
        if as_data:
            sys.stdout.write(json.dumps(summary(contents) | {"page": str(out)}, indent=2) + "\n")
        else:
            print(out)
        if stack is not None and (remark := nothing_remembered(stack)) in contents.remarks:
            print(wrapped(remark), file=sys.stderr)
        return 0

    end(run)


def _require_place_for_page(out: Path) -> None:
    """Refused where no page can be, before anybody waits for one, and where the file is there and is no page: it may be
    the very export that is read.
    """
    if os.path.isdir(out):
        raise Refused(f"{out} is a folder: give --out a file in it, such as {out / 'page.html'}")
    if os.path.isfile(out.parent):
        raise Refused(f"{out.parent} is a file where a folder is needed: move or remove it, or give --out another file")
    if not os.path.isdir(out.parent):
        raise Refused(f"{out} cannot be written: {out.parent} is no folder; make it, or give --out a file in another")
    # Whether it can be written shows when it is.
    with suppress(OSError):
        if out.is_file() and not (out.read_bytes().lstrip() or PAGE_BEGINS).startswith(PAGE_BEGINS):
            raise Refused(f"{out} is there, and is no page of this command: give --out another file")


def _history(
    file_system_id: str | None,
    export: Path | None,
    days: int | None,
    access: Access,
    *,
    fresh: bool,
    needs_balance: bool = True,
) -> History:
    if file_system_id is not None and export is not None:
        raise Refused(f"Both a file system ({shown(file_system_id)}) and --from {export} were given: give one of them")
    if file_system_id is None and export is None:
        raise Refused("Name one file system (fs-...), or give an export of its metrics with --from")
    if export is not None:
        given = {"--fresh": fresh, "--profile": access.profile is not None, "--region": access.region is not None}
        if idle := [option for option, is_given in given.items() if is_given]:
            raise Refused(
                f"With --from, which asks AWS nothing, {' and '.join(idle)} would change nothing: leave out one or the "
                "other"
            )
        return _exported(export, days, needs_balance=needs_balance)
    now = datetime.now(UTC)
    days = DAYS if days is None else days
    recorded = _read(str(file_system_id), days, now, access, fresh=fresh)
    return history_of(recorded, days, now, needs_balance=needs_balance)


def _measured(benchmark_file: Path | None, file_system_id: str) -> tuple[BenchmarkFile | None, tuple[str, ...]]:
    """What a benchmark measured of this file system, and what is to be said of that; or why it cannot be told."""
    if benchmark_file is None:
        return None, ()
    try:
        measured = read_measured(benchmark_file)
        remark = measured.remark_beside(file_system_id)
    except MeasuredRefused as refused:
        return None, (str(refused),)
    return measured, (remark,) if remark else ()


def _exported(export: Path, days: int | None, *, needs_balance: bool) -> History:
    example = EXAMPLES / f"{export}.csv.gz"
    # No other path is looked at before it is read: whatever is wrong with it is said there.
    is_example = example in EXAMPLES.iterdir() and not export.exists()
    try:
        recorded = read_export(example if is_example else export)
    except HistoryRefused as refused:
        if not isinstance(refused.__cause__, FileNotFoundError):
            raise
        raise Refused(f"{refused}, or name one of the examples: {', '.join(_example_names())}") from refused
    # The examples are of a year to come.
    now = datetime.max.replace(tzinfo=UTC, year=9000) if is_example else datetime.now(UTC)
    return history_of(recorded, days, now, needs_balance=needs_balance)


def _example_names() -> list[str]:
    return sorted(one.name.removesuffix(".csv.gz") for one in EXAMPLES.glob("*.csv.gz"))


def _read(file_system_id: str, days: int, now: datetime, access: Access, *, fresh: bool) -> Recorded:
    if FILE_SYSTEM_ID.fullmatch(file_system_id) is None:
        is_export = file_system_id in _example_names() or os.path.exists(file_system_id)
        raise Refused(
            f"{shown(file_system_id)} is no id of a file system, such as fs-0123456789abcdef0"
            f"{': give a file or an example with --from' if is_export else ''}"
        )
    efs, cloudwatch = access.client("efs"), access.client("cloudwatch")
    cache = Cache(folder=None) if fresh else Cache.of(cloudwatch.meta.region_name, file_system_id)
    with closing(efs), closing(cloudwatch), progress_bar("reading metrics") as told:
        return read_live(efs, cloudwatch, file_system_id, days, now, cache, told)
