"""The rules about instances and their mounts, by what a benchmark told of them: one finding for all with one fault."""

from collections.abc import Iterator

from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.published.comparison import figures
from efs_monitor.benchmarks.published.figure import Published
from efs_monitor.benchmarks.workloads import RateKind
from efs_monitor.efs.credits import MIB
from efs_monitor.incidents.situation import Work
from efs_monitor.mail.numbers import rate

from operate.advise.benchmark_file import BenchmarkFile, Client
from operate.advise.enough_threads import enough_threads
from operate.advise.finding import NO_MONEY, AdviceFinding
from operate.advise.instance_networks import baseline_bytes_per_second, is_burstable
from operate.advise.mode_prices import STEP_SECONDS
from operate.history.file_system_history import History
from operate.history.recorded import PERMITTED

# What AWS has clients read ahead ("Amazon EFS performance tips"); kernels from 5.4 on begin with 128.
READ_AHEAD_KB = 15_000
TRANSFER_BYTES, TIMEOUT_DECISECONDS = MIB, 600
# The same work, by more and more threads: file size and block are the same.
MORE_THREADS = (
    ("touch-serial", "touch-parallel-directories"),
    ("dd-write-1m-each", "dd-write-4-writers", "dd-write-16-writers"),
    ("files-write-1mb-1", "files-write-1mb-4", "files-write-1mb-8"),
    ("files-write-500kb-4", "files-write-500kb-8", "files-write-500kb-16"),
)
# A gain is no finding unless it is less than half of the published one; and a rate so near to a limit of the file
# system is that limit.
FAR_LESS, AT_THE_LIMIT = 0.5, 0.9


def client_findings(measured: BenchmarkFile, history: History, works: tuple[Work, ...]) -> Iterator[AdviceFinding]:
    """Everything about the clients of a benchmark."""
    found = (
        read_ahead(measured),
        mount_options(measured),
        network(measured, works),
        threads(measured, limits_of(history)),
    )
    yield from (one for one in found if one is not None)
    yield from enough_threads(measured, limits_of(history))


def read_ahead(measured: BenchmarkFile) -> AdviceFinding | None:
    """Where a client reads ahead less than AWS recommends: sequential reads wait for each other then."""
    told = [one for one in measured.clients if one.read_ahead_kb is not None]
    few = [one.read_ahead_kb for one in told if one.read_ahead_kb is not None and one.read_ahead_kb < READ_AHEAD_KB]
    if not few:
        return None
    return AdviceFinding(
        title="Mount: reading ahead makes sequential reads faster",
        evidence=f"{len(few)} of {_instances(len(told))} {'reads' if len(few) == 1 else 'read'} ahead {min(few):,} "
        f"KiB; AWS recommends {READ_AHEAD_KB:,}, and Linux from 5.4 on begins with 128.",
        money=NO_MONEY,
        command="mount with a current amazon-efs-utils, which sets it; or, until the next mount: "
        f"echo {READ_AHEAD_KB} > /sys/class/bdi/$(mountpoint -d MOUNTPOINT)/read_ahead_kb",
        source="EFS user guide, performance tips",
    )


def mount_options(measured: BenchmarkFile) -> AdviceFinding | None:
    """Where options are others than those with which the mount helper mounts."""
    told = [one for one in measured.clients if "vers" in one.mount_options]
    wrong = [faults for one in told if (faults := tuple(_faults(one)))]
    if not wrong:
        return None
    return AdviceFinding(
        title="Mount: options that AWS recommends are missing",
        evidence=f"{len(wrong)} of {_instances(len(told))}: {'; '.join(dict.fromkeys(sum(wrong, ())))}.",
        money=NO_MONEY,
        command="mount -t efs FILE-SYSTEM:/ MOUNTPOINT (amazon-efs-utils sets all of them), or -t nfs4 -o "
        "nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport",
        source="EFS user guide, mount settings used by the mount helper; performance tips",
    )


def _faults(client: Client) -> Iterator[str]:
    options = client.mount_options
    if options["vers"] == "4.0" or (options["vers"] == "4" and options.get("minorversion", "0") == "0"):
        yield "vers=4.0 instead of 4.1, which reads many small files in parallel ten times as fast"
    for name in ("rsize", "wsize"):
        size = _whole(options.get(name, ""))
        if size is not None and size < TRANSFER_BYTES:
            yield f"{name}={size} instead of {TRANSFER_BYTES}, so that each request moves less"
    if "soft" in options or "softerr" in options:
        yield "soft instead of hard, which loses data where EFS answers late"
    timeout = _whole(options.get("timeo", ""))
    if timeout is not None and timeout < TIMEOUT_DECISECONDS:
        yield f"timeo={timeout} instead of {TIMEOUT_DECISECONDS}, so that requests are repeated too early"
    if "noresvport" not in options:
        yield "noresvport is missing, without which a mount may hang after its network was interrupted"


def network(measured: BenchmarkFile, works: tuple[Work, ...]) -> AdviceFinding | None:
    """Where the load is more than the network of one instance of such a type carries, but for bursts."""
    busiest_bytes = max((one.read_bytes + one.written_bytes for one in works), default=0.0) / STEP_SECONDS
    small = {
        name: baseline
        for name in measured.instance_types
        if (baseline := baseline_bytes_per_second(name)) is not None and baseline < busiest_bytes
    }
    if not small:
        return None
    types = ", ".join(f"{name} {rate(baseline)}" for name, baseline in small.items())
    burstable = " CPU credits may end, too." if any(map(is_burstable, small)) else ""
    return AdviceFinding(
        title=f"Instances: {', '.join(small)} may be the limit, and not the file system",
        evidence=f"The busiest five minutes moved {rate(busiest_bytes)}. An instance's network always carries its "
        f"baseline: {types}; more than that only while its network credits last.{burstable}",
        money="as much as larger instances cost, which is not worked out here; less where the load is spread over more",
        command=f"aws ec2 describe-instance-types --instance-types {' '.join(small)} "
        "--query 'InstanceTypes[].NetworkInfo.NetworkCards[].BaselineBandwidthInGbps'",
        source="EC2 user guide, instance network bandwidth; DescribeInstanceTypes",
    )


def limits_of(history: History) -> tuple[float, ...]:
    """The highest and the lowest rate that the file system permitted: what comes near one of them was limited by it."""
    permitted = [one for one in history.metrics.values[PERMITTED] if one]
    return (max(permitted), min(permitted)) if permitted else ()


def threads(measured: BenchmarkFile, limits: tuple[float, ...]) -> AdviceFinding | None:
    """Where more threads gain less than half of what they gained where that was published; the furthest behind of all.

    Nothing where the file system was the limit, as far as the rates tell that it permitted in the window.
    """
    behind = [one for name in measured.instance_types for one in _behind(measured, name, limits)]
    if not behind:
        return None
    _, instance_type, sentence, source = min(behind)
    return AdviceFinding(
        title=f"Threads: more of them gain little on {instance_type}",
        evidence=f"{sentence} Look what is used up there: its CPUs (top), its network, or the permitted throughput.",
        money=NO_MONEY,
        command="efs-monitor benchmark --workloads sweep --instances ID of a larger instance, and compare",
        source=f"published by {source}",
    )


def _behind(
    measured: BenchmarkFile, instance_type: str, limits: tuple[float, ...]
) -> Iterator[tuple[float, str, str, str]]:
    """How far an instance type is behind, with what shows it and who published it."""
    for group in MORE_THREADS:
        known = [one for one in group if (instance_type, one) in measured.rates]
        if len(known) < 2:
            continue
        few, many = known[0], known[-1]
        rates = measured.rates[instance_type, few], measured.rates[instance_type, many]
        is_bytes = CATALOGUE[many].rate_kind is RateKind.THROUGHPUT
        if is_bytes and any(AT_THE_LIMIT <= rates[1] / limit <= 1 / AT_THE_LIMIT for limit in limits):
            continue
        published = _published(few, many, instance_type)
        gain = rates[1] / rates[0]
        if published is None or gain >= FAR_LESS * _gain(published):
            continue
        counts = CATALOGUE[few].threads, CATALOGUE[many].threads
        sentence = (
            f"{many}: {counts[1]} threads are {gain:,.1f} times as fast as {counts[0]}, and {_gain(published):,.1f} "
            f"times on {published[1].instance_type}."
        )
        yield gain / _gain(published), instance_type, sentence, published[1].source


def _published(few: str, many: str, instance_type: str) -> tuple[Published, Published] | None:
    """The two results of one source that gained the least: on this kind of instance, or else on another one."""
    pairs = [
        (one, other)
        for one in figures(CATALOGUE[few])
        for other in figures(CATALOGUE[many])
        if (one.source, one.instance_type, one.mode) == (other.source, other.instance_type, other.mode)
    ]
    same = [pair for pair in pairs if pair[0].instance_type == instance_type]
    return min(same or pairs, key=_gain, default=None)


def _gain(published: tuple[Published, Published]) -> float:
    few, many = published
    return many.rate / few.rate


def _whole(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 12 else None


def _instances(count: int) -> str:
    return "1 instance" if count == 1 else f"{count} instances"
