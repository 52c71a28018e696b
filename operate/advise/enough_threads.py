"""The rule about how many threads are enough, by instance type and by what they do to files of which size.

What a benchmark measured decides; of what it did not measure, what was published of the very same instance type.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from efs_monitor.benchmarks.catalogue import CATALOGUE, SWEEP_SIZES, SWEEP_THREADS, WAYS
from efs_monitor.benchmarks.published.comparison import figures
from efs_monitor.benchmarks.workloads import Do, RateKind
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.metering import READS_METERED_AT
from efs_monitor.mail.numbers import rate

from operate.advise.benchmark_file import BenchmarkFile
from operate.advise.finding import NO_MONEY, AdviceFinding

# From this share of the best rate on more threads are not worth their trouble. Where the worst number has that share of
# it, any number does.
ENOUGH, ANY_DOES = 0.9, 0.75
# A rate so near to what was permitted is what was permitted.
AT_THE_LIMIT = 0.9
UNITS = {"kb": " kB", "mb": " MB"}


def _of_files(do: Do, size: str, threads: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"files-{do}-{size}-{count}" for count in threads)


# What threads do, in words, and the workloads that do it with more and more threads.
TASKS: Mapping[str, tuple[str, ...]] = {
    "make empty files, each thread in a folder of its own": ("touch-serial", "touch-parallel-directories"),
    "write large files, each MiB made sure of": ("dd-write-1m-each", "dd-write-4-writers", "dd-write-16-writers"),
    "read large files": tuple(f"dd-read-{count}" for count in WAYS),
    "write files of 10 kB": _of_files(Do.WRITE, "10kb", WAYS),
    "read files of 10 kB": _of_files(Do.READ, "10kb", WAYS),
    **{
        f"write files of {size[:-2]}{UNITS[size[-2:]]}": _of_files(Do.WRITE, size, SWEEP_THREADS)
        for size in SWEEP_SIZES
    },
}


@dataclass(frozen=True, kw_only=True)
class Rates:
    """What each number of threads had at one task, and who published it, on what; empty where it was measured here.

    `is_files` tells files a second from bytes.
    """

    by_threads: Mapping[int, float]
    is_files: bool
    source: str = ""
    instance_type: str = ""

    @property
    def words(self) -> str:
        """The rates in MiB or files a second, each with its number of threads."""
        shown = {threads: had if self.is_files else had / MIB for threads, had in sorted(self.by_threads.items())}
        return ", ".join(f"{one:,.{0 if self.is_files else 1}f} by {threads}" for threads, one in shown.items())

    @property
    def enough(self) -> int | None:
        """The fewest with nearly the best rate; None where any number does, or only one is known."""
        best = max(self.by_threads.values(), default=0.0)
        if len(self.by_threads) < 2 or min(self.by_threads.values()) >= ANY_DOES * best:
            return None
        return min(threads for threads, had in self.by_threads.items() if had >= ENOUGH * best)


@dataclass(frozen=True, kw_only=True)
class Enough:
    """The number of threads that is enough for a task, what shows it, and who had published rates of it."""

    task: str
    threads: int
    sentence: str
    is_measured: bool
    publisher: str


def enough_threads(measured: BenchmarkFile, limits: tuple[float, ...]) -> Iterator[AdviceFinding]:
    """A finding for each instance type and number of threads, with all that they are enough for.

    `limits` are the highest and the lowest rate that the file system permitted, nothing where that is not known.
    """
    for instance_type in measured.instance_types:
        enough: defaultdict[int, list[Enough]] = defaultdict(list)
        for task, names in TASKS.items():
            found = _enough(task, names, measured, instance_type, _permitted(names, limits))
            if found is not None:
                enough[found.threads].append(found)
        for threads, found_for in sorted(enough.items()):
            yield _finding(instance_type, threads, found_for)


def _finding(instance_type: str, threads: int, enough: list[Enough]) -> AdviceFinding:
    is_measured = any(one.is_measured for one in enough)
    publishers = ", ".join(dict.fromkeys(one.publisher for one in enough if one.publisher))
    sources = [*(["this benchmark"] if is_measured else []), *([f"published by {publishers}"] if publishers else [])]
    return AdviceFinding(
        title=f"Threads: {threads} on {instance_type} to {'; to '.join(one.task for one in enough)}",
        evidence=" ".join(
            ["They are the fewest with nine tenths of the best rate.", *(one.sentence for one in enough)]
        ),
        money=NO_MONEY,
        command=f"as many workers of the application; of a copy: xargs -P {threads}, parallel -j {threads}, or "
        f"fpsync -n {threads}",
        source="; ".join(sources),
    )


def _enough(
    task: str, names: tuple[str, ...], measured: BenchmarkFile, instance_type: str, permitted: tuple[float, ...]
) -> Enough | None:
    """How many are enough for a task; None where any number does, and where nobody knows."""
    here, there = _measured(measured, instance_type, names), _published(names, instance_type)
    is_measured = len(here.by_threads) > 1
    if is_measured:
        threads = None if _was_drained(here, permitted) else here.enough
        told = [f"{here.words} as measured", *_beside(there)]
    elif there.instance_type == instance_type:
        threads = _at_most(there, permitted).enough
        told = [f"{there.words} as published", *_cut_off(there, permitted)]
    else:
        return None
    if threads is None:
        return None
    unit = "files/s" if there.is_files else "MiB/s"
    return Enough(
        task=task,
        threads=threads,
        sentence=f"To {task}, in {unit}: {'; '.join(told)}.",
        is_measured=is_measured,
        publisher=there.source,
    )


def _measured(measured: BenchmarkFile, instance_type: str, names: tuple[str, ...]) -> Rates:
    found = {CATALOGUE[name].threads: measured.rates.get((instance_type, name)) for name in names}
    return Rates(
        by_threads={threads: had for threads, had in found.items() if had is not None}, is_files=_is_files(names)
    )


def _published(names: tuple[str, ...], instance_type: str) -> Rates:
    """What one source had of several numbers of threads on one kind of instance: on this one, else the first such."""
    tables: defaultdict[tuple[str, str, str], dict[int, float]] = defaultdict(dict)
    for name in names:
        threads = CATALOGUE[name].threads
        for row in figures(CATALOGUE[name]):
            table = tables[row.source, row.instance_type, row.mode]
            table[threads] = max(row.rate, table.get(threads, 0.0))
    several = [
        Rates(by_threads=table, is_files=_is_files(names), source=source, instance_type=kind)
        for (source, kind, _), table in tables.items()
        if len(table) > 1
    ]
    nobody = Rates(by_threads={}, is_files=_is_files(names))
    return min(several, key=lambda one: one.instance_type != instance_type, default=nobody)


def _is_files(names: tuple[str, ...]) -> bool:
    """Whether the task is counted in files, and not in bytes."""
    return CATALOGUE[names[0]].rate_kind is RateKind.OPERATIONS


def _permitted(names: tuple[str, ...], limits: tuple[float, ...]) -> tuple[float, ...]:
    """What the task may move at most and at least, in the bytes that clients see; nothing where files are counted."""
    if _is_files(names):
        return ()
    return tuple(one * (READS_METERED_AT if CATALOGUE[names[0]].do is Do.READ else 1) for one in limits)


def _at_most(rates: Rates, permitted: tuple[float, ...]) -> Rates:
    """What is left of rates that others had, where this file system permits less."""
    most = max(permitted, default=float("inf"))
    return replace(rates, by_threads={threads: min(had, most) for threads, had in rates.by_threads.items()})


def _was_drained(rates: Rates, permitted: tuple[float, ...]) -> bool:
    """Whether the best rate is what is permitted without credits: then it tells nothing of threads."""
    best = max(rates.by_threads.values())
    near = [AT_THE_LIMIT <= best / one <= 1 / AT_THE_LIMIT for one in permitted]
    return near == [False, True]


def _beside(there: Rates) -> Iterator[str]:
    """What others had, beside what was measured."""
    if there.by_threads:
        where = f" on {there.instance_type}" if there.instance_type else ""
        yield f"as published{where} {there.words}"


def _cut_off(there: Rates, permitted: tuple[float, ...]) -> Iterator[str]:
    """The sentence that this file system permits less than others had, where it does."""
    if permitted and max(permitted) < max(there.by_threads.values()):
        yield f"this file system permits {rate(max(permitted))} of it"
