"""The results of a benchmark as a table, each beside what was published for the same commands."""

from collections.abc import Iterator, Sequence

from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.results import Report, Result, Status
from efs_monitor.benchmarks.workloads import RateKind, Sync, Workload
from efs_monitor.efs.credits import MIB

from operate.terminal import wrapped

KIB = 1024
HEADINGS = ("workload", "instance type", "threads", "block", "sync", "duration", "rate", "published", "ratio")
IN_WORDS = 2
"""How many columns stand in a line of their own, above the figures: beside them they would not fit 80 columns."""
NONE = "-"
INDENT = "  "
SYNCS = {None: NONE, Sync.END: "end", Sync.EACH: "each"}


def table(reports: Sequence[Report]) -> Iterator[str]:
    """The lines: every workload in the order of the plan, on one instance below the other, its figures below it."""
    rows = [*table_rows(reports)]
    cells = [HEADINGS, *(row for row, _ in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEADINGS))]
    yield from _lines(HEADINGS, widths)
    yield INDENT + "-+-".join("-" * width for width in widths[IN_WORDS:])
    for row, why in rows:
        yield from _lines(row, widths)
        if why:
            yield wrapped(why, first=INDENT, then=INDENT)
    yield from _sources(reports)


def table_rows(reports: Sequence[Report]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The cells of each row under the headings, and why it has no rate."""
    by_workload = zip(*(report.results for report in reports), strict=True)
    for same in by_workload:
        for report, result in zip(reports, same, strict=True):
            yield _row(report, result)


def as_json(reports: Sequence[Report]) -> list[dict[str, object]]:
    """Each result as plain values: rates in bytes a second, or in files where a workload touches files."""
    return [
        {
            "workload": result.workload.id,
            "instance_type": report.machine.instance_type if report.machine else None,
            "status": str(result.status),
            "seconds": result.seconds if result.status is Status.OK else None,
            "rate_per_second": result.rate if result.status is Status.OK else None,
            "unit": "files" if result.workload.rate_kind is RateKind.OPERATIONS else "bytes",
            "published_per_second": published.rate if (published := comparison(result.workload)) else None,
            "reason": result.reason,
        }
        for report in reports
        for result in report.results
    ]


def machines_as_json(reports: Sequence[Report]) -> list[dict[str, object]]:
    """What each instance told of itself and its mount, which is what `efs-monitor advise --benchmark` reads."""
    return [
        {
            "instance_id": report.machine.instance_id,
            "instance_type": report.machine.instance_type,
            "kernel": report.machine.kernel,
            "mount_options": report.machine.mount_options,
            "read_ahead_kb": report.machine.read_ahead_kb,
        }
        for report in reports
        if report.machine is not None
    ]


def _sources(reports: Sequence[Report]) -> Iterator[str]:
    """Whose figures stand in the column `published`."""
    found = [comparison(result.workload) for report in reports[:1] for result in report.results]
    names = dict.fromkeys(" on ".join(filter(None, (one.source, one.instance_type))) for one in found if one)
    if names:
        yield wrapped(f"published: {', '.join(names)}")


def _row(report: Report, result: Result) -> tuple[tuple[str, ...], str]:
    """The cells, and what is to be said of them: why there is no rate, or that less was at work than asked for."""
    workload = result.workload
    instance_type = report.machine.instance_type if report.machine else "unknown"
    published = comparison(workload)
    is_measured = result.status is Status.OK
    cells = (
        workload.id,
        instance_type,
        f"{workload.threads}",
        _block(workload),
        SYNCS[workload.sync],
        f"{result.seconds:.2f} s" if is_measured else str(result.status),
        rate_words(workload, result.rate) if is_measured else NONE,
        rate_words(workload, published.rate) if published else NONE,
        f"{result.rate / published.rate:.2f}" if is_measured and published else NONE,
    )
    if result.processes is not None:
        return cells, f"{result.processes} processes at work for {workload.threads} threads"
    return cells, "" if is_measured else result.reason


def _block(workload: Workload) -> str:
    if workload.block_bytes is None:
        return NONE
    if workload.block_bytes % MIB == 0:
        return f"{workload.block_bytes // MIB} MiB"
    return f"{workload.block_bytes / KIB:.0f} KiB"


def rate_words(workload: Workload, rate: float) -> str:
    """A rate in bytes or files per second, in the unit of its workload."""
    if workload.rate_kind is RateKind.OPERATIONS:
        return f"{rate:,.0f} files/s"
    return f"{rate / MIB:,.1f} MiB/s"


def _lines(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    yield " | ".join(cells[:IN_WORDS])
    figures = zip(cells[IN_WORDS:], widths[IN_WORDS:], strict=True)
    yield INDENT + " | ".join(figure.rjust(width) for figure, width in figures)
