"""The tables of docs/benchmarks.md, from what the code knows: workloads, profiles, published figures, the model.

Each table stands between two comments that name it; everything around them is written by hand.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from efs_monitor.benchmarks.catalogue import CATALOGUE, LOCAL_SUFFIX
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.deadline import deadline_seconds
from efs_monitor.benchmarks.profiles import PROFILES, workloads_of
from efs_monitor.benchmarks.published import FIGURES, Published, comparison
from efs_monitor.benchmarks.workloads import Do, RateKind, Sync, Workload
from efs_monitor.efs.credits import GIB, MIB

from stage.mount.profile import EfsProfile
from stage.mount.tutorial import TUTORIAL

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
KB = 1000
# What a docstring says of a field, up to the next one.
MEANING = re.compile(r"^(\w+): (.+?)(?=^\w+: |\Z)", re.MULTILINE | re.DOTALL)

type Row = Sequence[str]


def catalogue() -> Iterator[Row]:
    """Every workload at its full size, with the most credits that it takes and the figure it is held against."""
    yield "Workload", "Command", "Threads", "Block", "Sync", "Files", "Each", "Credits", "Held against"
    yield "---", "---", "---:", "---:", "---", "---:", "---:", "---:", "---"
    for workload in CATALOGUE.values():
        found = comparison(workload)
        yield (
            f"`{workload.id}`",
            f"`{_command(workload)}`",
            str(workload.threads),
            size(workload.block_bytes) if workload.block_bytes else "",
            {Sync.END: "at the end", Sync.EACH: "each block", None: ""}[workload.sync],
            f"{workload.files:,}",
            size(workload.file_bytes) if workload.file_bytes else "empty",
            amount(workload.metered_bytes),
            f"{rate_text(workload.rate_kind, found.rate)} ({_where(found)})" if found else "nothing published",
        )


def profiles() -> Iterator[Row]:
    """What a run of each costs one instance at most, and when its script gives up."""
    yield "Profile", "Workloads", "Credits", "Billed in elastic mode", "Gives up after"
    yield "---", "---:", "---:", "---:", "---:"
    for name in PROFILES:
        workloads = workloads_of(name)
        cost = run_cost(workloads, 1)
        minutes = round(deadline_seconds(workloads) / 60)
        yield (
            f"`{name}`",
            str(len(workloads)),
            f"{cost.metered_bytes / GIB:.2f} GiB",
            f"{cost.billed_bytes / GIB:.2f} GiB",
            f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min",
        )


def published() -> Iterator[Row]:
    """Every published figure: a row for each workload, the lowest and highest of each source."""
    sources = list(dict.fromkeys(row.source for rows in FIGURES.values() for row in rows))
    yield "Workload", *sources
    yield "---", *("---:" for _ in sources)
    order = {workload_id: place for place, workload_id in enumerate(CATALOGUE)}
    for workload_id in sorted(FIGURES, key=lambda one: (order[one.removesuffix(LOCAL_SUFFIX)], one)):
        kind = CATALOGUE[workload_id.removesuffix(LOCAL_SUFFIX)].rate_kind
        rows = FIGURES[workload_id]
        yield f"`{workload_id}`", *(_range(kind, [row.rate for row in rows if row.source == one]) for one in sources)


def contradictions() -> Iterator[Row]:
    """The published rates that their own bytes and seconds disagree with."""
    yield "Workload", "Source", "Instance", "Stated", "From its own bytes and seconds", "Difference"
    yield "---", "---", "---", "---:", "---:", "---:"
    for workload_id, rows in FIGURES.items():
        for row in rows:
            if row.contradicts_itself and row.stated_rate is not None:
                yield (
                    f"`{workload_id}`",
                    f"{row.source} {row.step}",
                    row.instance_type,
                    rate_text(RateKind.THROUGHPUT, row.stated_rate),
                    rate_text(RateKind.THROUGHPUT, row.rate),
                    f"{100 * (row.stated_rate / row.rate - 1):+.0f} %",
                )


def model() -> Iterator[Row]:
    """What the sandbox's mount of the tutorial's file system takes, field by field."""
    yield "Field of `EfsProfile`", "Value", "What it is"
    yield "---", "---:", "---"
    plain, meanings = EfsProfile(), dict(MEANING.findall(inspect.getdoc(EfsProfile) or ""))
    for field in fields(EfsProfile):
        value = getattr(TUTORIAL, field.name)
        if value != getattr(plain, field.name):
            # One field may be explained with another.
            meaning = " ".join(meanings.get(field.name, "").split())
            yield f"`{field.name}`", _model_value(field.name, value), meaning.partition(". ")[0].rstrip(".")


TABLES: dict[str, Callable[[], Iterator[Row]]] = {
    table.__name__: table for table in (catalogue, profiles, published, contradictions, model)
}


def written_into(page: str) -> str:
    """The text of the page with these tables in it; ValueError where it has no place for one."""
    for name, rows in TABLES.items():
        lines = "".join(f"| {' | '.join(row)} |\n" for row in rows())
        block = re.compile(rf"(?<=<!-- {name}: make generate -->\n\n).*?(?=\n<!-- end of {name} -->)", re.DOTALL)
        page, places = block.subn(lines.replace("\\", r"\\"), page)
        if places != 1:
            raise ValueError(f"{PAGE.name} must have one place for {name}, between its two comments; found {places}")
    return page


def size(size_bytes: int) -> str:
    """`2 GiB`, `1 MiB`; in decimal units where the size is round in those, as the sweep's are."""
    units = (("GiB", GIB), ("MiB", MIB), ("MB", KB * KB), ("kB", KB))
    return next(f"{size_bytes // unit_bytes} {unit}" for unit, unit_bytes in units if size_bytes % unit_bytes == 0)


def amount(amount_bytes: int) -> str:
    """Bytes that are not round, such as a cost."""
    return f"{amount_bytes / GIB:.2f} GiB" if amount_bytes >= GIB else f"{amount_bytes / MIB:.0f} MiB"


def _command(workload: Workload) -> str:
    match workload.do:
        case Do.TOUCH:
            return "touch"
        case Do.WRITE:
            return "dd conv=fsync" if workload.sync is Sync.END else "dd oflag=sync"
        case Do.READ:
            return "dd iflag=direct"
        case Do.COPY:
            return str(workload.tool)


def rate_text(kind: RateKind, rate: float) -> str:
    """`63 files/s`, `191 MiB/s`, `1.1 MiB/s`."""
    if kind is RateKind.OPERATIONS:
        return f"{rate:,.0f} files/s"
    return f"{rate / MIB:,.0f} MiB/s" if rate >= 10 * MIB else f"{rate / MIB:.1f} MiB/s"


def _range(kind: RateKind, rates: Sequence[float]) -> str:
    if not rates:
        return ""
    lowest, highest = rate_text(kind, min(rates)), rate_text(kind, max(rates))
    return highest if lowest == highest else f"{lowest.partition(' ')[0]} to {highest}"


def _where(row: Published) -> str:
    return f"{row.source} {row.step}, {row.instance_type or row.mode}"


def _model_value(name: str, value: float) -> str:
    if name.endswith("_operations_per_second"):
        return f"{value:,.0f} a second"
    if name.endswith("_bytes_per_second"):
        return f"{value / MIB:,.0f} MiB/s"
    return f"{value / MIB:g} MiB" if name.endswith("_bytes") else f"{value * 1000:.1f} ms"
