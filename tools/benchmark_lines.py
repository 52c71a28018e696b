"""The lines of the graphs of benchmarks: of the workloads that a stack measures, so that each is seen and no other."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from efs_monitor.aws.embedded_metrics import FLEET_THROUGHPUT, NAMESPACE
from efs_monitor.benchmarks.catalogue import CATALOGUE, LOCAL_SUFFIX
from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.workloads import Do, Family, RateKind, Target, Workload
from efs_monitor.efs.credits import MIB

from tools.benchmark_tables import rate_text

type Line = list[Any]
type Workloads = Sequence[Workload]


def lines(graph: str, measured: Workloads) -> list[Line]:
    """The `metrics` of the graph of this name, of these workloads; ValueError lists the graphs that there are."""
    if graph not in GRAPHS:
        raise ValueError(f"No lines are called {graph!r}; there are {', '.join(GRAPHS)}")
    return list(GRAPHS[graph](measured))


def _rates(measured: Workloads, family: Family, *does: Do) -> Iterator[Line]:
    """Each workload's own rate, beside the one that was published, and that of the instance's own disk."""
    return _drawn([(one, _label(one)) for one in measured if one.family is family and (not does or one.do in does)])


def _fleet(measured: Workloads, kind: RateKind) -> Iterator[Line]:
    """The sums over instances. None of what was published is one, and each local disk is one instance's."""
    on_efs = [one for one in measured if one.on is not Target.LOCAL]
    return _drawn([(one, one.id) for one in on_efs if one.rate_kind is kind], FLEET_THROUGHPUT)


def _shares(measured: Workloads) -> Iterator[Line]:
    """The newest rate of each workload in percent of the published one, where there is one."""
    on_efs = [CATALOGUE[one.id] for one in measured if one.on is not Target.LOCAL]
    found = [(one, published) for one in on_efs if (published := comparison(one)) is not None]
    yield from _metrics((one, _hidden(one)) for one, _ in found)
    for one, published in found:
        where = published.instance_type or published.source
        yield _expression(
            f"100 * FILL({_id(one)}, REPEAT) / {published.rate:.0f}",
            f"{_id(one)}_share",
            f"{one.id}: % of {rate_text(one.rate_kind, published.rate)} ({where})",
        )


GRAPHS: Mapping[str, Callable[[Workloads], Iterator[Line]]] = {
    "touch": lambda measured: _rates(measured, Family.TOUCH),
    "dd-write": lambda measured: _rates(measured, Family.DD_WRITE),
    "dd-read": lambda measured: _rates(measured, Family.DD_READ),
    "files written": lambda measured: _rates(measured, Family.FILES, Do.WRITE),
    "files read": lambda measured: _rates(measured, Family.FILES, Do.READ),
    "copy": lambda measured: _rates(measured, Family.COPY),
    "fleet, files": lambda measured: _fleet(measured, RateKind.OPERATIONS),
    "fleet, data": lambda measured: _fleet(measured, RateKind.THROUGHPUT),
    "published": _shares,
}


def _drawn(labelled: list[tuple[Workload, str]], name: str | None = None) -> Iterator[Line]:
    """Files a second as they are, bytes a second as MiB/s."""
    yield from _metrics(((one, {"label": text} if _plain(one) else _hidden(one)) for one, text in labelled), name)
    for one, text in labelled:
        if not _plain(one):
            yield _expression(f"{_id(one)} / {MIB}", f"{_id(one)}_mib", text)


def _plain(one: Workload) -> bool:
    return one.rate_kind is RateKind.OPERATIONS


def _metrics(settings: Iterable[tuple[Workload, dict[str, Any]]], name: str | None = None) -> Iterator[Line]:
    """`...` repeats the metric before, up to its workload."""
    before = None
    for one, own in settings:
        metric = name or str(one.rate_kind)
        whole = [NAMESPACE, metric, "FileSystemId", "${FileSystemId}", "Workload"]
        yield [*(["..."] if metric == before else whole), one.id, own]
        before = metric


def _expression(expression: str, line_id: str, label: str) -> Line:
    return [{"expression": expression, "id": line_id, "label": label}]


def _hidden(one: Workload) -> dict[str, Any]:
    return {"id": _id(one), "visible": False}


def _id(one: Workload) -> str:
    """An Id of metric math has no hyphen."""
    return one.id.replace("-", "_")


def _label(one: Workload) -> str:
    """CloudWatch has no dashed line for a metric, so the local baseline's says where it was measured."""
    local = one.on is Target.LOCAL
    name = f"{one.id.removesuffix(LOCAL_SUFFIX)} on the local disk" if local else one.id
    published = comparison(one)
    return name if published is None else f"{name} (published {rate_text(one.rate_kind, published.rate)})"
