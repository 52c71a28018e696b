"""efs-monitor: the command line. What a command does is in the package of its name."""

import json
import os
import re
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import boto3
import typer
from botocore.exceptions import NoCredentialsError
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws.calls import UNHURRIED
from rich.console import Console, RenderableType
from typer import rich_utils

from operate.advise.advice import advise as advice_on
from operate.advise.advice_words import as_json as advice_as_json
from operate.advise.advice_words import report as advice_report
from operate.advise.measured import Measured, MeasuredRefused, read_measured
from operate.answer import REFUSED, answered
from operate.backtest.as_json import as_json
from operate.backtest.findings import backtest as backtest_of
from operate.backtest.words import report as backtest_report
from operate.commands.command import Command, end
from operate.commands.on_stack import benchmark, drill, smoke
from operate.environment import Refused
from operate.history.cache import Cache
from operate.history.export import read_export, shown
from operate.history.history import History, history_of
from operate.history.reading import read_live
from operate.history.recorded import FILE_SYSTEM_ID, HistoryRefused, Recorded
from operate.progress import progress_bar
from operate.template_defaults import CRITICAL_MINUTES, RISE_TOLERANCE_PERCENT, WARNING_MINUTES
from operate.terminal import WIDTH, columns, print_in_any_encoding, wrapped

UNWARNED = ADVISED = 1
EXAMPLES = Path(__file__).parent / "examples"
DAYS = 14
# In fewer columns typer's tables cut words off, and its plain help does not.
NARROWEST_TABLE = 64
FILLED_UP = re.compile(" +$", re.MULTILINE)

NAME = "efs-monitor"
app = typer.Typer(
    name=NAME,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
)


FileSystemId = Annotated[
    str | None,
    typer.Argument(
        metavar="[FS-ID]",
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
Profile = Annotated[str | None, typer.Option(help="AWS CLI profile.", show_default=False)]
Region = Annotated[str | None, typer.Option(help="AWS Region.", show_default=False)]
AsData = Annotated[bool, typer.Option("--json", help="Write the whole result as JSON, with what the text leaves out.")]


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    try:
        found = version("efs-burst-credit-monitor")
    except PackageNotFoundError:
        found = f"in {Path(__file__).parent.parent}, not installed"
    print(f"efs-monitor {found}")
    raise typer.Exit


@app.callback()
def efs_monitor(
    _version: Annotated[
        bool, typer.Option("--version", help="Say which release this is.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Operate the EFS burst-credit monitor, or see first what it would have told you of your own file system's past.

    Begin with: efs-monitor backtest --from hungry

    backtest, advise, report and fleet only read.
    drill, benchmark and smoke work on a deployed stack, each with its --help.
    A command that cannot do its work says why and ends with exit status 2.
    """


@app.command(cls=Command)
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
    as_data: AsData = False,
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
        history = _history(file_system_id, export, days, Access(profile, region, fresh=fresh))
        days_of_it = history.minutes // 1440
        with progress_bar("living through the days") as told:
            found = backtest_of(history, settings, told=lambda day: told(day, days_of_it))
        if as_data:
            sys.stdout.write(json.dumps(as_json(found), indent=2) + "\n")
        else:
            _show(backtest_report(found, every_message=messages))
        return UNWARNED if found.unwarned else 0

    end(run)


@app.command(cls=Command)
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
    as_data: AsData = False,
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
        history = _history(file_system_id, export, days, Access(profile, region, fresh=fresh), needs_balance=False)
        measured, remarks = _measured(benchmark_file, history.file_system_id)
        advice = advice_on(replace(history, remarks=(*history.remarks, *remarks)), measured)
        if as_data:
            sys.stdout.write(json.dumps(advice_as_json(advice), indent=2) + "\n")
        else:
            _show(advice_report(advice))
        return ADVISED if advice.findings else 0

    end(run)


@app.command(cls=Command)
def report(
    file_system_id: FileSystemId = None,
    export: Export = None,
    stack: Annotated[
        str | None,
        typer.Option(
            help="Show what this deployed stack's alarms really did, instead of a replay.", show_default=False
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write the page to.")] = Path("efs-report.html"),
    days: Days = None,
    warning: Annotated[int, typer.Option(metavar="MINUTES", help="WarningMinutes to use.")] = WARNING_MINUTES,
    critical: Annotated[int, typer.Option(metavar="MINUTES", help="CriticalMinutes to use.")] = CRITICAL_MINUTES,
    fresh: Fresh = False,
    profile: Profile = None,
    region: Region = None,
    as_data: AsData = False,
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
        access = Access(profile, region, fresh=fresh)
        if stack is not None and (file_system_id is None or export is not None):
            raise Refused("--stack shows a live stack: name its file system (fs-...) too, and no export")
        if stack is not None and STACK_NAME.fullmatch(stack) is None:
            raise Refused(f"{shown(stack)} is no name that a stack can have, such as efs-monitor-home")
        history = _history(file_system_id, export, days, access)
        if stack is None:
            with progress_bar("living through the days") as told:
                found = backtest_of(history, settings, told=lambda day: told(day, history.minutes // 1440))
            contents = contents_of_backtest(found)
        else:
            with closing(_client("cloudwatch", access)) as cloudwatch:
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


@app.command(cls=Command)
def fleet(
    name: Annotated[str, typer.Argument(help="FleetName of the fleet: the names of its stacks begin with it.")],
    template_url: Annotated[str, typer.Option(metavar="URL", help="URL of the packaged template in S3.")],
    tag: Annotated[
        str, typer.Option(metavar="KEY[=VALUE]", help="Only file systems with this tag. Default: all.")
    ] = "",
    parameters: Annotated[
        str, typer.Option(metavar="TEXT", help="Parameters for every stack: 'Name=value; Name=value'.")
    ] = "",
    grace_hours: Annotated[int, typer.Option(min=0, help="Hours to keep a stack without a file system.")] = 24,
    profile: Profile = None,
    region: Region = None,
    as_data: AsData = False,
) -> None:
    """What a fleet of monitor stacks would do now: create, update, delete, keep or refuse, each with its reason.

    Read-only: it needs elasticfilesystem:DescribeFileSystems,
    cloudformation:DescribeStacks and cloudformation:ListStacks, and changes
    nothing. With ssm:GetParameters it knows which grace or pause has begun;
    without, it says that it does not know.

    Exit status: 0 if nothing needs a change; 1 if something would be changed or
    is refused; 2 if there is no answer, with the reason.
    """
    # Here, so that no other command waits for it.
    from efs_monitor.fleet.membership import membership_of
    from efs_monitor.fleet.monitor_parameters import fleet_parameters
    from efs_monitor.fleet.reconciliation import Fleet, Keep

    from operate.fleet_plan import as_json as plan_as_json
    from operate.fleet_plan import planned, remembered, require_of_fleet
    from operate.fleet_plan import report as plan_report

    def run() -> int:
        require_of_fleet(name, tag, template_url)
        access = Access(profile, region)
        with (
            closing(_client("efs", access)) as efs,
            closing(_client("cloudformation", access)) as cloudformation,
            closing(_client("ssm", access)) as ssm,
        ):
            wanted = Fleet(
                name=name,
                region=cloudformation.meta.region_name,
                template=template_url,
                membership=membership_of(tag),
                parameters=fleet_parameters(parameters),
                grace=timedelta(hours=grace_hours),
            )
            notes, not_known = remembered(ssm, name)
            found = planned(efs, cloudformation, wanted, notes, datetime.now(UTC))
        if as_data:
            sys.stdout.write(json.dumps(plan_as_json(found, wanted, not_known), indent=2) + "\n")
        else:
            _show(plan_report(found, wanted, not_known))
        return int(any(not isinstance(step, Keep) for step in found.steps))

    end(run)


for command in (drill, benchmark, smoke):
    app.command(cls=Command)(command)


class Access(NamedTuple):
    """Whose metrics are read, as the AWS CLI takes it; `fresh` reads again what was read before."""

    profile: str | None
    region: str | None
    fresh: bool = False


def _history(
    file_system_id: str | None, export: Path | None, days: int | None, access: Access, *, needs_balance: bool = True
) -> History:
    if file_system_id is not None and export is not None:
        raise Refused(f"Both a file system ({shown(file_system_id)}) and --from {export} were given: give one of them")
    if file_system_id is None and export is None:
        raise Refused("Name one file system (fs-...), or give an export of its metrics with --from")
    if export is not None:
        return _exported(export, days, needs_balance=needs_balance)
    now = datetime.now(UTC)
    days = DAYS if days is None else days
    recorded = _read(str(file_system_id), days, now, access)
    return history_of(recorded, days, now, needs_balance=needs_balance)


def _measured(benchmark_file: Path | None, file_system_id: str) -> tuple[Measured | None, tuple[str, ...]]:
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
        names = ", ".join(sorted(one.name.removesuffix(".csv.gz") for one in EXAMPLES.glob("*.csv.gz")))
        raise Refused(f"{refused}, or name one of the examples: {names}") from refused
    # The examples are of a year to come.
    now = datetime.max.replace(tzinfo=UTC, year=9000) if is_example else datetime.now(UTC)
    return history_of(recorded, days, now, needs_balance=needs_balance)


def _read(file_system_id: str, days: int, now: datetime, access: Access) -> Recorded:
    if FILE_SYSTEM_ID.fullmatch(file_system_id) is None:
        raise Refused(f"{shown(file_system_id)} is no id of a file system, such as fs-0123456789abcdef0")
    efs, cloudwatch = _client("efs", access), _client("cloudwatch", access)
    cache = Cache(folder=None) if access.fresh else Cache.of(cloudwatch.meta.region_name, file_system_id)
    with closing(efs), closing(cloudwatch), progress_bar("reading metrics") as told:
        return read_live(efs, cloudwatch, file_system_id, days, now, cache, told)


def _client(service: str, access: Access) -> Any:
    session = boto3.Session(profile_name=access.profile)
    region = access.region or os.environ.get("AWS_REGION") or session.region_name
    if not region:
        raise Refused("No Region is set: give --region, or set AWS_REGION")
    if session.get_credentials() is None:
        raise NoCredentialsError
    return session.client(service, region_name=region, config=UNHURRIED)  # type: ignore[call-overload] # any service


def _show(found: RenderableType) -> None:
    """Write it 80 columns wide, in colours on a terminal only.

    A narrower terminal breaks lines by itself: then no figure is shortened, and a command is still one when it is
    copied. What would only fill a line up is left out.
    """
    console = Console(highlight=False, markup=False, emoji=False, width=WIDTH)
    with console.capture() as captured:
        console.print(found)
    sys.stdout.write(FILLED_UP.sub("", captured.get()))


def main() -> int:
    """The exit status of what `operate.__main__` enters; 1 is for an answer alone, whatever stood in its way."""
    if sys.stdout is None:
        print(wrapped("Standard output is closed: leave it open, or write into a file"), file=sys.stderr)
        return REFUSED
    # Which is as wide as the terminal else, however wide that is.
    rich_utils.MAX_WIDTH = columns()
    if columns() < NARROWEST_TABLE:
        app.rich_markup_mode = None
    print_in_any_encoding()
    return answered(_command)


def _command() -> int:
    """The status with which a command, or its help, ends the process by itself."""
    try:
        app(prog_name=NAME)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0
