"""Exports of metrics: a CSV with a column for each metric, or the JSON that the AWS CLI writes.

A file comes from anywhere. It is read whole only up to a size that every export stays below, a cell is a number or
nothing, and no text of it is repeated to a terminal as it is.
"""

import csv
import gzip
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import mode
from types import SimpleNamespace
from typing import Any, cast

from efs_monitor.aws import efs
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.errors import MonitorError

from operate.history.history import HIGHEST_VALUE, HistoryRefused
from operate.history.recorded import BALANCE, COUNTERS, PERMITTED, SERIES, ModeChange, Point, Recorded

# 63 days in one-minute steps of all metrics are 12 MB as CSV.
MOST_BYTES = 32 * 1024**2
LONGEST_SHOWN = 40
# The statistic of a column that names none: that by which the monitor reads the metric.
STATISTICS = dict(reversed(SERIES))
UNITS = {"bytes", "bytes/second", "count", "none"}
# `BurstCreditBalance`, `BurstCreditBalance Average`, `BurstCreditBalance (Bytes)`.
COLUMN = re.compile(r"(?P<metric>[A-Za-z]+)(?: (?P<statistic>[A-Za-z]+))?(?: \((?P<unit>[^)]*)\))?")
FACT = re.compile(r"#\s*(?P<name>FileSystemId|Region|ThroughputMode)\s*:\s*(?P<value>\S+)")
IDENTIFIER = re.compile(r"fs-[0-9a-f]{8,40}")
# Two letters, and four in the European Sovereign Cloud.
REGION = re.compile(r"[a-z]{2,4}(-[a-z]+)+-[0-9]")
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?|-[0-9]+(\.[0-9]*)?", re.ASCII)
PERIODS = (60, 300, 900, 3600)
# So many points of a day tell its step.
ENOUGH_POINTS = 24
# The year 5138: what is beyond is no time in seconds.
LATEST_SECONDS = 1e11


def read_export(path: Path) -> Recorded:
    """What an export holds, in whatever order; HistoryRefused for one that cannot be read as either format."""
    text = _text(path)
    if text.lstrip()[:1] in {"{", "["}:
        return _from_json(text, path.name)
    return _from_csv(text, path.name)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.GzipFile(fileobj=raw) if packed else raw as file:
                found = file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged"
        raise HistoryRefused(f"{path.name} cannot be read: {reason}") from error
    if len(found) > MOST_BYTES:
        raise HistoryRefused(
            f"{path.name} is larger than {MOST_BYTES // MIB} MiB, and 63 days of all metrics are less than half of "
            "that: export the metrics of one file system"
        )
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise HistoryRefused(f"{path.name} is no text in UTF-8, so neither CSV nor JSON") from error


def _from_csv(text: str, name: str) -> Recorded:
    lines = text.splitlines()
    recorded = Recorded(file_system_id="", region="")
    facts = dict[str, str]()
    while lines and (not lines[0].strip() or lines[0].startswith("#")):
        fact = FACT.match(lines.pop(0))
        if fact:
            facts[fact["name"]] = fact["value"]
    try:
        rows = list(csv.reader(lines, strict=True))
    except csv.Error as error:
        raise HistoryRefused(f"{name} is no CSV: {error}") from error
    if not rows or len(rows[0]) < 2:
        raise HistoryRefused(f"{name} has no columns: the first line must be time,BurstCreditBalance,…")
    header, *body = rows
    columns = {index: key for index, title in enumerate(header) if index and (key := _column(title, recorded.remarks))}
    if not columns:
        raise HistoryRefused(
            f"{name} has no column that is a metric of EFS; the first line must be time,BurstCreditBalance,…"
        )
    _set_facts(recorded, facts)
    recorded.points = _with_periods(_cells(body, columns, recorded.remarks))
    return recorded


def _cells(
    body: Iterable[list[str]], columns: Mapping[int, tuple[str, str]], remarks: list[str]
) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """The numbers of each column, with their times in seconds since 1970."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {key: [] for key in columns.values()}
    untimed = unreadable = 0
    for row in body:
        seconds = _seconds(row[0]) if row else None
        if seconds is None:
            untimed += bool(row)
            continue
        for index, key in columns.items():
            cell = row[index].strip() if index < len(row) else ""
            value = _number(cell) if cell else None
            if value is not None:
                found[key].append((seconds, value))
            elif cell:
                unreadable += 1
    if untimed:
        remarks.append(f"{untimed:,} lines left out: they do not begin with a time such as 2030-01-31T12:00Z")
    if unreadable:
        remarks.append(f"{unreadable:,} cells left out: they hold no number")
    return found


def _from_json(text: str, name: str) -> Recorded:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HistoryRefused(f"{name} is no JSON: it breaks off or holds what JSON does not know") from error
    results = whole.get("MetricDataResults") if isinstance(whole, Mapping) else None
    if not isinstance(results, list):
        raise HistoryRefused(
            f"{name} has no MetricDataResults: give what `aws cloudwatch get-metric-data` writes as JSON"
        )
    recorded = Recorded(file_system_id="", region="")
    _describe(recorded, whole)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    unreadable = 0
    for result in results:
        if not isinstance(result, Mapping):
            unreadable += 1
            continue
        key = _column(str(result.get("Label", "")), recorded.remarks)
        times, values = result.get("Timestamps"), result.get("Values")
        if key is None:
            continue
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
                # An integer may be too large for a number with a point.
                points.append((seconds, float(min(value, HIGHEST_VALUE * 10))))
    if unreadable:
        recorded.remarks.append(f"{unreadable:,} datapoints left out: no time and number that belong together")
    recorded.points = _with_periods(found)
    return recorded


def _describe(recorded: Recorded, whole: Mapping[str, Any]) -> None:
    """What the export has of DescribeFileSystems, and of the modes that the file system had."""
    region = str(whole.get("Region", ""))
    recorded.region = region if REGION.fullmatch(region) else ""
    described = whole.get("FileSystems")
    if isinstance(described, list) and described and isinstance(described[0], Mapping):
        identifier = str(described[0].get("FileSystemId", ""))
        answer = {"FileSystems": [{"LifeCycleState": "available"} | dict(described[0])]}
        client = cast("Any", SimpleNamespace(describe_file_systems=lambda **_: answer))
        try:
            recorded.described = efs.describe(client, shown(identifier))
        except MonitorError:
            recorded.remarks.append("What the export says of the file system itself cannot be read, and is left out")
        recorded.file_system_id = identifier if IDENTIFIER.fullmatch(identifier) else ""
    modes = whole.get("ThroughputModes")
    if isinstance(modes, list):
        recorded.modes = tuple(one for entry in modes if (one := _mode_change(entry)) is not None)
        if len(recorded.modes) < len(modes):
            recorded.remarks.append(
                f"{len(modes) - len(recorded.modes)} entries of ThroughputModes left out: they lack a time (From) or "
                "a mode"
            )


def _mode_change(entry: object) -> ModeChange | None:
    if not isinstance(entry, Mapping):
        return None
    seconds, rate = _seconds(entry.get("From")), entry.get("ProvisionedThroughputInMibps", 0)
    known = entry.get("ThroughputMode") in {str(one) for one in ThroughputMode}
    if seconds is None or not known or not isinstance(rate, int | float) or not 0 <= rate < 1e6:
        return None
    return ModeChange(
        time=datetime.fromtimestamp(seconds, UTC),
        mode=str(entry["ThroughputMode"]),
        provisioned_bytes_per_second=round(rate * MIB),
    )


def _set_facts(recorded: Recorded, facts: Mapping[str, str]) -> None:
    identifier, region = facts.get("FileSystemId", ""), facts.get("Region", "")
    recorded.file_system_id = identifier if IDENTIFIER.fullmatch(identifier) else ""
    recorded.region = region if REGION.fullmatch(region) else ""
    # A provisioned rate is a figure of its own, which the JSON has.
    known = {ThroughputMode.BURSTING, ThroughputMode.ELASTIC}
    recorded.mode = next((one for one in known if one == facts.get("ThroughputMode")), None)


def _column(title: str, remarks: list[str]) -> tuple[str, str] | None:
    """The (metric, statistic) that a title names; None, with a remark, for one that is not used."""
    parts = COLUMN.fullmatch(title.strip())
    metric = parts["metric"] if parts else ""
    if parts is None or metric not in STATISTICS:
        remarks.append(f"The column {shown(title)} is left out: no metric that is needed here")
        return None
    key = metric, parts["statistic"] or STATISTICS[metric]
    if key not in SERIES:
        needed = " or ".join(statistic for name, statistic in SERIES if name == metric)
        remarks.append(f"The column {shown(title)} is left out: of {metric} only {needed} is needed")
        return None
    if parts["unit"] is not None and parts["unit"].strip().lower() not in UNITS:
        remarks.append(f"The column {shown(title)} is left out: give it in CloudWatch's own unit, bytes")
        return None
    return key


def _with_periods(found: Mapping[tuple[str, str], list[tuple[float, float]]]) -> dict[tuple[str, str], list[Point]]:
    """The points, each with the period that it is of; an export names none, and its steps may change with the day.

    A gauge has a datapoint in every period: the most frequent distance tells. A counter has none where nothing moved,
    so it has the gauges' period, or a coarser one where enough of a day lies in coarser steps only.
    """
    gauge = _days(found.get(BALANCE) or found.get(PERMITTED) or [])
    usual = {day: _distance(points) for day, points in gauge.items()}
    answer: dict[tuple[str, str], list[Point]] = {}
    for key, points in found.items():
        answer[key] = []
        for day, of_day in _days(points).items():
            period = usual.get(day, 60) if key in COUNTERS else _distance(of_day)
            if key in COUNTERS and len(of_day) >= ENOUGH_POINTS:
                steps = [one for one in PERIODS if all(seconds % one == 0 for seconds, _ in of_day)]
                period = max([period, *steps])
            answer[key] += [Point(seconds, value, period) for seconds, value in of_day]
    return answer


def _days(points: Iterable[tuple[float, float]]) -> dict[int, list[tuple[float, float]]]:
    by_day: dict[int, list[tuple[float, float]]] = {}
    for point in points:
        by_day.setdefault(int(point[0] // 86_400), []).append(point)
    return by_day


def _distance(points: Iterable[tuple[float, float]]) -> int:
    """The most frequent distance of points in seconds, made one of CloudWatch's periods."""
    times = sorted({seconds for seconds, _ in points})
    distances = [b - a for a, b in pairwise(times)]
    usual = mode(distances) if distances else 60
    return max((one for one in PERIODS if one <= usual), default=60)


def _seconds(value: object) -> float | None:
    """A time in ISO 8601, in UTC where it names no zone; or seconds since 1970, as older AWS CLIs write them."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if 0 <= value < LATEST_SECONDS else None
    text = str(value).strip()
    try:
        time = datetime.fromisoformat(text)
        seconds = (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds < LATEST_SECONDS else None


def _number(cell: str) -> float | None:
    """The number in a cell; None for anything else, a formula of a spreadsheet above all.

    Python also reads 1_000 and full-width digits as numbers, which no export writes.
    """
    # Most cells are digits and a point at most: that is told faster than by the pattern.
    plain = cell.isascii() and cell.replace(".", "", 1).isdigit() and cell[0] != "."
    return float(cell) if plain or NUMBER.fullmatch(cell) else None


def shown(text: str) -> str:
    """Text of a file for a terminal: what is not plain is replaced, and it is not long."""
    plain = "".join(one if one.isascii() and one.isprintable() else "?" for one in text)
    return f"'{plain[:LONGEST_SHOWN]}{'…' if len(plain) > LONGEST_SHOWN else ''}'"
