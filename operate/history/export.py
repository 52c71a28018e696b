"""Exports of metrics: a CSV with a column for each metric, or the JSON that the AWS CLI writes.

A file comes from anywhere. It is read whole only up to a size that every export stays below, a cell is a number or
nothing, and no text of it is repeated to a terminal as it is.
"""

import codecs
import csv
import gc
import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from efs_monitor.aws import efs
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.errors import MonitorError

from operate.history.plausible import HIGHEST_VALUE
from operate.history.recorded import COUNTERS, SERIES, HistoryRefused, ModeChange, Recorded
from operate.history.spreadsheet_numbers import Numbers
from operate.history.steps import with_periods
from operate.terminal import so_many

# 63 days in one-minute steps of all metrics are 14 MB as CSV. What CloudWatch keeps of them, 14 days in such steps and
# the rest in steps of five minutes, is 28 MB as its command line writes it.
MOST_BYTES = 32 * 1024**2
LONGEST_SHOWN = 40
# The statistic of a column that names none: that by which the monitor reads the metric.
STATISTICS = dict(reversed(SERIES))
METRIC_BY_LETTERS = {metric.lower(): metric for metric in STATISTICS}
STATISTIC_BY_LETTERS = {statistic.lower(): statistic for _, statistic in SERIES}
UNITS = {"bytes", "bytes/second", "count", "none"}
# `BurstCreditBalance`, `BurstCreditBalance Average`, `BurstCreditBalance (Bytes)`.
COLUMN = re.compile(r"(?P<metric>[A-Za-z]+)(?: (?P<statistic>[A-Za-z]+))?(?: \((?P<unit>[^)]*)\))?")
# What an export may say besides its metrics: lines above a CSV, keys of a JSON.
FACT = re.compile(r"#\s*(?P<name>[A-Za-z]+)\s*:\s*(?P<value>\S+)")
FACTS_OF_CSV = ("FileSystemId", "Region", "ThroughputMode")
FACTS_OF_JSON = ("FileSystems", "Region", "ThroughputModes")
# What spreadsheets write in countries whose numbers have a comma, or when they are asked for a text; in words.
OTHER_SEPARATORS = {";": ";", "\t": "tabs"}
IDENTIFIER = re.compile(r"fs-[0-9a-f]{8,40}")
# Two letters, and four in the European Sovereign Cloud.
REGION = re.compile(r"[a-z]{2,4}(-[a-z]+)+-[0-9]")
# From 1973 to 2286, in seconds or milliseconds: fewer digits are a date, or a spreadsheet's number of days.
SINCE_1970 = re.compile(r"[0-9]{9,10}(\.[0-9]+)?|[0-9]{12,13}", re.ASCII)
YEAR_FIRST = re.compile(r"[0-9]{4}/[0-9]{2}/[0-9]{2}\b", re.ASCII)
# UTC, or so far from it.
ZONE = re.compile(r"^\s*\S{8}.+(Z|[+-][0-9]{2}(:?[0-9]{2}){0,2}(\.[0-9]+)?)\s*$", re.IGNORECASE)
# How CloudWatch says whether it told all of a metric.
COMPLETE, NOT_COMPLETE = "Complete", {"PartialData", "InternalError", "Forbidden"}
# The year 5138: what is beyond is no time in seconds, but from 1973 on one in milliseconds.
LATEST_SECONDS = 1e11
LATEST_MILLISECONDS = 1e13
# How much alike the letters of two names are, of 1: Regoin is Region, Remark is not.
NEARLY = 0.8
# As many columns as a person reads of: a file that is no export may have any number.
MOST_NAMED = 20
# A column of which so large a part is no number has another meaning, or numbers that are written in another way: what
# is left of it would be taken for the whole.
MOST_UNREADABLE = 0.1


def read_export(path: Path) -> Recorded:
    """What an export holds, in whatever order; HistoryRefused for one that cannot be read as either format."""
    content = _content(path)
    try:
        with _no_search_for_cycles():
            if content.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in {b"{", b"["}:
                return _from_json(content.decode("utf-8-sig"), str(path))
            # A line at a time, and never the text or a list of its lines: 32 MiB of short ones would be gigabytes.
            return _from_csv(io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline=""), str(path))
    except UnicodeDecodeError as error:
        raise HistoryRefused(f"{path} is no text in UTF-8: save or export it as CSV or JSON in UTF-8") from error


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Python looks again and again at all that is read for what refers to itself, which no number does: a quarter of
    the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _content(path: Path) -> bytes:
    """What the file holds, unpacked; HistoryRefused where it cannot be read, or is larger than any export."""
    try:
        with path.open("rb") as raw:
            # A pipe cannot be read twice.
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            with gzip.GzipFile(fileobj=raw) if packed else raw as file:
                found = file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, OSError) and error.strerror:
            raise HistoryRefused(
                f"{path} cannot be read ({error.strerror}): give the path of a CSV or JSON file that you may read"
            ) from error
        raise HistoryRefused(f"{path} cannot be read: it is damaged, so pack it or copy it here again") from error
    if len(found) > MOST_BYTES:
        raise HistoryRefused(
            f"{path} is larger than {MOST_BYTES // MIB} MiB, and all that CloudWatch keeps of 63 days is less: export "
            "the metrics of one file system"
        )
    return found


def _from_csv(lines: Iterator[str], name: str) -> Recorded:
    recorded = Recorded(file_system_id="", region="", source=name)
    facts = dict[str, str]()
    above = 0
    for line in lines:
        if line.strip() and not line.startswith("#"):
            break
        if fact := FACT.match(line):
            facts[fact["name"]] = fact["value"]
        above += 1
    else:
        line = ""
    return _from_rows(_rows(chain([line], lines), above, name), facts, recorded, name)


def _rows(lines: Iterable[str], above: int, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV that has so many lines above it in its file, each with the line where it begins; HistoryRefused
    names the line from which on there are none.

    A quotation mark that is not closed takes in all lines below it: only the one that opens it tells where to look.
    """
    rows = csv.reader(lines, strict=True)
    while True:
        begun = above + rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise HistoryRefused(
                f"{name} is no CSV from line {begun:,} on ({error}): look there for a quotation mark that is not closed"
            ) from error
        yield begun, row


def _from_rows(
    rows: Iterator[tuple[int, list[str]]], facts: Mapping[str, str], recorded: Recorded, name: str
) -> Recorded:
    _, header = next(rows, (0, []))
    if not any(cell.strip() for cell in header):
        raise HistoryRefused(f"{name} is empty: the first line must be time,BurstCreditBalance,…")
    if len(header) < 2:
        other = next((one for one in OTHER_SEPARATORS if one in header[0]), "")
        fault = f"separates its columns by {OTHER_SEPARATORS[other]}" if other else "has no columns"
        raise HistoryRefused(
            f"{name} {fault}: the first line must be time,BurstCreditBalance,…, but is {shown(header[0])}"
        )
    columns = {index: key for index, title in enumerate(header) if index and (key := _column(title, recorded.remarks))}
    twice = [key for key, count in Counter(columns.values()).items() if count > 1]
    if twice:
        raise HistoryRefused(
            f"{name} has more than one column of {twice[0][0]} ({twice[0][1]}): which is right nobody can tell, "
            "so leave one"
        )
    if not columns:
        raise HistoryRefused(
            "; ".join(
                [
                    f"{name} has no column that is a metric of EFS: the first line must be time,BurstCreditBalance,…",
                    *recorded.remarks[:MOST_NAMED],
                ]
            )
        )
    first = next(rows, None)
    if first is None:
        raise HistoryRefused(f"{name} has nothing below its first line: export the metrics of a file system into it")
    _set_facts(recorded, facts)
    recorded.points = with_periods(_cells(chain([first], rows), columns, header, recorded.remarks, name))
    return recorded


class _Column:
    """What was read of a column: numbers with their times in seconds since 1970, and what is none."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.points: list[tuple[float, float]] = []
        # Line, time and text of each cell of which the whole file tells what it is.
        self.either: list[tuple[int, float, str]] = []
        self.unreadable = 0
        self.first_unreadable: tuple[int, str] | None = None

    def take(self, line: int, seconds: float, cell: str, numbers: Numbers) -> None:
        """Read a cell; an empty one tells that nothing was recorded."""
        if not cell:
            return
        if numbers.separator_of_either(cell):
            self.either.append((line, seconds, cell))
        elif (value := numbers.number(cell)) is None:
            self.refuse(line, cell)
        else:
            self.points.append((seconds, value))

    def refuse(self, line: int, cell: str) -> None:
        """Count a cell that holds no number."""
        self.unreadable += 1
        if self.first_unreadable is None or line < self.first_unreadable[0]:
            self.first_unreadable = line, cell

    def decide(self, numbers: Numbers) -> None:
        """Read the cells that alone can be either, now that the whole file is known."""
        for line, seconds, cell in self.either:
            value = numbers.number_of_either(cell)
            if value is None:
                self.refuse(line, cell)
            else:
                self.points.append((seconds, value))

    def require_numbers(self, name: str) -> None:
        """HistoryRefused where so much of it is no number that the rest would be no answer."""
        cells = len(self.points) + self.unreadable
        if self.first_unreadable is None or self.unreadable < cells * MOST_UNREADABLE:
            return
        line, cell = self.first_unreadable
        raise HistoryRefused(
            f"Of {so_many(cells, 'cell')} in the column {shown(self.title)} of {name}, {self.unreadable:,} "
            f"{'holds' if self.unreadable == 1 else 'hold'} no number, the first {shown(cell)} in line {line:,}: write "
            "numbers such as 1616282092831 or 1.6e12, and leave a cell empty where nothing was recorded"
        )


def _cells(
    body: Iterable[tuple[int, list[str]]],
    keys: Mapping[int, tuple[str, str]],
    header: Sequence[str],
    remarks: list[str],
    name: str,
) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """The numbers of each column that has a key, with their times in seconds since 1970."""
    numbers, width = Numbers(), len(header)
    columns = {index: _Column(header[index].strip()) for index in keys}
    untimed = wide = narrow = zoneless = 0
    first_untimed = ""
    for line, row in body:
        if not row:
            continue
        seconds = _seconds(row[0])
        if seconds is None:
            first_untimed = first_untimed or row[0]
            untimed += 1
            continue
        if any(row[width:]):
            # Nobody can tell which of the commas is one too many.
            wide += 1
            continue
        narrow += len(row) < width
        zoneless += _is_zoneless(row[0])
        for index, column in columns.items():
            cell = row[index] if index < len(row) else ""
            if cell.isdigit() and cell.isascii():
                # Most cells are: nothing else has to be asked about them.
                column.points.append((seconds, float(cell)))
            else:
                column.take(line, seconds, cell.strip(), numbers)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {key: [] for key in keys.values()}
    for index, key in keys.items():
        columns[index].decide(numbers)
        columns[index].require_numbers(name)
        found[key].extend(columns[index].points)
    if untimed:
        remarks.append(
            f"{so_many(untimed, 'line')} left out that {'does' if untimed == 1 else 'do'} not begin with a time such "
            f"as 2030-01-31T12:00Z, or with seconds since 1970, the first with {shown(first_untimed)}"
        )
    if wide:
        remarks.append(
            f"{so_many(wide, 'line')} left out that {'has' if wide == 1 else 'have'} more cells than there are columns"
        )
    if narrow:
        remarks.append(
            f"{so_many(narrow, 'line')} {'has' if narrow == 1 else 'have'} fewer cells than there are columns: what is "
            "missing counts as not recorded"
        )
    _remark_unreadable(columns.values(), remarks)
    _remark_zoneless(zoneless, remarks)
    return found


def _remark_unreadable(columns: Iterable[_Column], remarks: list[str]) -> None:
    faulty = [(one.first_unreadable, one.unreadable) for one in columns if one.first_unreadable is not None]
    if faulty:
        unreadable, ((_, first), _) = sum(number for _, number in faulty), min(faulty)
        remarks.append(
            f"{so_many(unreadable, 'cell')} left out that {'holds' if unreadable == 1 else 'hold'} no number, the "
            f"first {shown(first)}"
        )


def _is_zoneless(time: str) -> bool:
    return not time.endswith("Z") and not ZONE.search(time) and not SINCE_1970.fullmatch(time.strip())


def _remark_zoneless(zoneless: int, remarks: list[str]) -> None:
    if zoneless:
        remarks.append(f"{so_many(zoneless, 'time')} {'names' if zoneless == 1 else 'name'} no zone: taken for UTC")


def _from_json(text: str, name: str) -> Recorded:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HistoryRefused(
            f"{name} is no JSON: it breaks off or holds what JSON does not know, so export it again"
        ) from error
    results = whole.get("MetricDataResults") if isinstance(whole, Mapping) else None
    if not isinstance(results, list):
        raise HistoryRefused(
            f"{name} has no MetricDataResults: give what `aws cloudwatch get-metric-data` writes as JSON"
        )
    recorded = Recorded(file_system_id="", region="", source=name)
    _describe(recorded, whole)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    # The AWS CLI writes page after page: the last one tells whether a metric is whole.
    statuses: dict[tuple[str, str], str] = {}
    unreadable = zoneless = 0
    for result in results:
        if not isinstance(result, Mapping):
            unreadable += 1
            continue
        key = _column(str(result.get("Label", "")), recorded.remarks)
        times, values = result.get("Timestamps"), result.get("Values")
        if key is None:
            continue
        statuses[key] = str(result.get("StatusCode", COMPLETE))
        if not isinstance(times, list) or not isinstance(values, list):
            unreadable += 1
            continue
        unreadable += abs(len(times) - len(values))
        points = found.setdefault(key, [])
        for time, value in zip(times, values, strict=False):
            seconds = _seconds(time)
            if seconds is None or not isinstance(value, int | float) or isinstance(value, bool):
                unreadable += 1
            else:
                zoneless += isinstance(time, str) and _is_zoneless(time)
                # An integer may be too large for a number with a point.
                absurd = HIGHEST_VALUE * 10
                points.append((seconds, max(min(value, absurd), -absurd) if isinstance(value, int) else value))
    if unreadable:
        recorded.remarks.append(f"{so_many(unreadable, 'datapoint')} left out: no time and number that belong together")
    _remark_zoneless(zoneless, recorded.remarks)
    if whole.get("NextToken"):
        recorded.remarks.append(
            "The export breaks off: CloudWatch had more to tell (NextToken); export it without --max-items"
        )
    _leave_out_unfinished(found, statuses, recorded.remarks)
    recorded.points = with_periods(found)
    return recorded


def _leave_out_unfinished(
    found: dict[tuple[str, str], list[tuple[float, float]]], statuses: Mapping[tuple[str, str], str], remarks: list[str]
) -> None:
    """Drop each counter of which CloudWatch did not tell all, for its missing minutes would look idle.

    A gauge has a gap there, and stays.
    """
    for key, status in statuses.items():
        if status == COMPLETE:
            continue
        metric, why = key[0], status if status in NOT_COMPLETE else "an unknown status"
        if key in COUNTERS:
            found.pop(key, None)
            remarks.append(
                f"{metric} is left out: CloudWatch did not tell all of it ({why}), and what is missing would count as "
                "idle"
            )
        else:
            remarks.append(f"CloudWatch did not tell all of {metric} ({why})")


def _describe(recorded: Recorded, whole: Mapping[str, Any]) -> None:
    """What the export has of DescribeFileSystems, and of the modes that the file system had."""
    _remark_misspelled(whole, FACTS_OF_JSON, recorded.remarks)
    recorded.region = _region(whole.get("Region", ""), recorded.remarks)
    described = whole.get("FileSystems")
    if isinstance(described, list) and described and isinstance(described[0], Mapping):
        recorded.file_system_id = _identifier(described[0].get("FileSystemId", ""), recorded.remarks)
        recorded.described = _file_system(recorded.file_system_id, described[0])
        if recorded.described is None:
            recorded.remarks.append("What the export says of the file system itself cannot be read, and is left out")
        if len(described) > 1:
            recorded.remarks.append(
                f"The export describes {len(described):,} file systems: its metrics are taken for those of the first"
            )
    modes = whole.get("ThroughputModes")
    if isinstance(modes, list):
        recorded.modes = tuple(one for entry in modes if (one := _mode_change(entry)) is not None)
        if len(recorded.modes) < len(modes):
            lacking = len(modes) - len(recorded.modes)
            recorded.remarks.append(
                f"{lacking:,} {'entry' if lacking == 1 else 'entries'} of ThroughputModes left out: "
                f"{'it lacks' if lacking == 1 else 'they lack'} a time (From), a mode, or the rate of a provisioned one"
            )


def _file_system(identifier: str, described: Mapping[str, Any]) -> FileSystem | None:
    """What EFS would tell by such an answer; None where it never would answer so."""
    # One that was deleted since is as it was.
    answer = {"FileSystems": [dict(described) | {"LifeCycleState": "available"}]}
    client = cast("Any", SimpleNamespace(describe_file_systems=lambda **_: answer))
    try:
        found = efs.describe(client, identifier)
    except MonitorError:
        return None
    amounts = found.standard_bytes, found.colder_bytes, found.archive_bytes, found.provisioned_bytes_per_second
    return found if isinstance(found.name, str) and all(0 <= one <= HIGHEST_VALUE for one in amounts) else None


def _mode_change(entry: object) -> ModeChange | None:
    if not isinstance(entry, Mapping):
        return None
    seconds, rate = _seconds(entry.get("From")), entry.get("ProvisionedThroughputInMibps", 0)
    mode = next((one for one in ThroughputMode if one == entry.get("ThroughputMode")), None)
    if seconds is None or seconds < 0 or mode is None or not isinstance(rate, int | float) or not 0 <= rate < 1e6:
        return None
    if mode is ThroughputMode.PROVISIONED and not rate:
        return None
    return ModeChange(
        time=datetime.fromtimestamp(seconds, UTC),
        mode=str(mode),
        provisioned_bytes_per_second=round(rate * MIB),
    )


def _set_facts(recorded: Recorded, facts: Mapping[str, str]) -> None:
    _remark_misspelled(facts, FACTS_OF_CSV, recorded.remarks)
    recorded.file_system_id = _identifier(facts.get("FileSystemId", ""), recorded.remarks)
    recorded.region = _region(facts.get("Region", ""), recorded.remarks)
    told = facts.get("ThroughputMode")
    recorded.mode = next((one for one in ThroughputMode if one == told), None)
    if told is not None and recorded.mode is None:
        known = ", ".join(ThroughputMode)
        recorded.remarks.append(f"The ThroughputMode {shown(told)} is left out: it is one of {known}")


def _remark_misspelled(given: Iterable[str], known: Sequence[str], remarks: list[str]) -> None:
    """Name what is nearly a fact that is known; anything else is a comment, or somebody else's."""
    by_letters = {name.lower(): name for name in known}
    nearly = {
        name: by_letters[near]
        for name in given
        if name not in known
        for near in get_close_matches(name.lower(), by_letters, n=1, cutoff=NEARLY)
    }
    remarks += [f"{shown(name)} is left out: if {meant} is meant, write it so" for name, meant in nearly.items()]


def _region(told: object, remarks: list[str]) -> str:
    if told and not REGION.fullmatch(str(told)):
        remarks.append(f"The Region {shown(str(told))} is left out: give its code, such as eu-west-1")
        return ""
    return str(told or "")


def _identifier(told: object, remarks: list[str]) -> str:
    if told and not IDENTIFIER.fullmatch(str(told)):
        remarks.append(
            f"The FileSystemId {shown(str(told))} is left out: give it as EFS does, such as fs-0123456789abcdef0"
        )
        return ""
    return str(told or "")


def _column(title: str, remarks: list[str]) -> tuple[str, str] | None:
    """The (metric, statistic) that a title names; None, with a remark, for one that is not used."""
    parts = COLUMN.fullmatch(title.strip())
    metric = METRIC_BY_LETTERS.get(parts["metric"].lower(), "") if parts else ""
    if parts is None or not metric:
        near = get_close_matches(title.strip().lower()[:LONGEST_SHOWN], METRIC_BY_LETTERS, n=1, cutoff=NEARLY)
        meant = f"; if {METRIC_BY_LETTERS[near[0]]} is meant, write it so" if near else ""
        remarks.append(f"The column {shown(title)} is left out: no metric that is needed here{meant}")
        return None
    given = parts["statistic"] or STATISTICS[metric]
    key = metric, STATISTIC_BY_LETTERS.get(given.lower(), given)
    if key not in SERIES:
        needed = " or ".join(statistic for name, statistic in SERIES if name == metric)
        remarks.append(f"The column {shown(title)} is left out: of {metric} only {needed} is needed")
        return None
    if parts["unit"] is not None and parts["unit"].strip().lower() not in UNITS:
        remarks.append(f"The column {shown(title)} is left out: give it in CloudWatch's own unit, bytes")
        return None
    return key


def _seconds(value: object) -> float | None:
    """A time in ISO 8601, also with slashes, in UTC where it names no zone; or seconds since 1970, as older AWS CLIs
    write them, or milliseconds, as scripts do. One of before 1970 is a time, too: it is told as what it is later.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        if LATEST_SECONDS <= value < LATEST_MILLISECONDS:
            return value / 1000
        return float(value) if -LATEST_SECONDS < value < LATEST_SECONDS else None
    text = str(value).strip()
    if SINCE_1970.fullmatch(text):
        return _seconds(float(text))
    if YEAR_FIRST.match(text):
        text = text.replace("/", "-", 2)
    try:
        time = datetime.fromisoformat(text)
        seconds = (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return seconds if seconds < LATEST_SECONDS else None


def shown(text: str) -> str:
    """Text of a file for a terminal: what is not plain is replaced, and it is not long."""
    plain = "".join(one if one.isascii() and one.isprintable() else "?" for one in text)
    return f"'{plain[:LONGEST_SHOWN]}{'…' if len(plain) > LONGEST_SHOWN else ''}'"
