"""What a benchmark told of its instances becomes advice, each rule from its bound on, and none without the fact."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.published.comparison import FIGURES
from efs_monitor.benchmarks.results import Machine, Report, Result, Status
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.situation import Work

from operate.advise.advice import advise
from operate.advise.benchmark_file import BenchmarkFile, Client, MeasuredRefused, read_measured
from operate.advise.clients import MORE_THREADS, limits_of, mount_options, network, read_ahead, threads
from operate.advise.instance_networks import baseline_bytes_per_second, is_burstable
from operate.benchmark.results_table import as_json, machines_as_json
from operate.history.recorded import PERMITTED
from tests.unit.operate.histories import NOW
from tests.unit.operate.test_advise import lived

RECOMMENDED = "rw,vers=4.1,rsize=1048576,wsize=1048576,hard,noresvport,proto=tcp,timeo=600,retrans=2"


def options(text: str) -> dict[str, str]:
    return {name: value for name, _, value in (one.partition("=") for one in text.split(","))}


def client(*, read_ahead_kb: int | None = 15_000, mounted: str = RECOMMENDED, kind: str = "m5.large") -> Client:
    return Client(instance_type=kind, read_ahead_kb=read_ahead_kb, mount_options=options(mounted))


def measured(*clients: Client, **rates: float) -> BenchmarkFile:
    by_workload = {("m5.large", name.replace("_", "-")): rate for name, rate in rates.items()}
    return BenchmarkFile(called="benchmark.json", clients=clients, rates=by_workload)


def moved(bytes_per_second: float) -> tuple[Work, ...]:
    return (Work(time=NOW, metered_bytes=0.0, written_bytes=bytes_per_second * 300),)


@pytest.mark.parametrize(("read_ahead_kb", "told"), [(128, True), (14_999, True), (15_000, False), (None, False)])
def test_reading_ahead_is_told_below_what_aws_recommends(read_ahead_kb: int | None, told: bool) -> None:
    assert (read_ahead(measured(client(read_ahead_kb=read_ahead_kb))) is not None) is told


def test_reading_ahead_says_how_many_read_how_little_and_how_to_set_it() -> None:
    found = read_ahead(measured(client(read_ahead_kb=128), client(), client(read_ahead_kb=None)))
    assert found is not None
    assert found.evidence.startswith("1 of 2 instances reads ahead 128 KiB; AWS recommends 15,000")
    assert "echo 15000 > /sys/class/bdi/$(mountpoint -d MOUNTPOINT)/read_ahead_kb" in found.command


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (("vers=4.1", "vers=4.0"), "vers=4.0 instead of 4.1"),
        (("vers=4.1", "vers=4,minorversion=0"), "vers=4.0 instead of 4.1"),
        (("rsize=1048576", "rsize=1048575"), "rsize=1048575 instead of 1048576"),
        (("wsize=1048576", "wsize=65536"), "wsize=65536 instead of 1048576"),
        (("hard", "soft"), "soft instead of hard"),
        (("timeo=600", "timeo=599"), "timeo=599 instead of 600"),
        (("noresvport,", ""), "noresvport is missing"),
    ],
)
def test_an_option_that_aws_recommends_otherwise_is_told(changed: tuple[str, str], says: str) -> None:
    assert mount_options(measured(client())) is None
    found = mount_options(measured(client(mounted=RECOMMENDED.replace(*changed)), client()))
    assert found is not None
    assert found.evidence.startswith(f"1 of 2 instances: {says}")
    assert found.evidence.count(";") == 0


def test_an_older_kernel_tells_of_4_1_in_two_words() -> None:
    assert mount_options(measured(client(mounted=RECOMMENDED.replace("vers=4.1", "vers=4,minorversion=1")))) is None


@pytest.mark.parametrize("mounted", ["", "rw,relatime", RECOMMENDED.replace("rsize=1048576", "rsize=many")])
def test_nothing_is_told_of_options_that_are_not_known(mounted: str) -> None:
    assert mount_options(measured(client(mounted=mounted))) is None


def test_a_network_is_told_that_carries_less_than_the_load() -> None:
    carried = 750e6 / 8
    assert network(measured(client()), moved(carried)) is None
    found = network(measured(client()), moved(carried + 1))
    assert found is not None
    assert found.title == "Instances: m5.large may be the limit, and not the file system"
    assert "baseline: m5.large 89 MiB/s" in found.evidence
    assert "CPU credits" not in found.evidence
    assert "--instance-types m5.large --query" in found.command


def test_a_burstable_instance_is_told_with_its_other_credits() -> None:
    found = network(measured(client(kind="t3.micro")), moved(9 * MIB))
    assert found is not None
    assert found.evidence.endswith("only while its network credits last. CPU credits may end, too.")


@pytest.mark.parametrize("kind", ["", "m5.24xlarge", "t2.nano", "x99.huge"])
def test_nothing_is_told_of_a_network_that_is_not_known(kind: str) -> None:
    assert network(measured(client(kind=kind)), moved(1e9)) is None
    assert network(measured(client()), ()) is None


def test_what_the_tutorial_measured_stands_for_what_ec2_does_not_tell() -> None:
    assert network(measured(client(kind="t2.micro")), moved(7e6)) is None
    assert network(measured(client(kind="t2.micro")), moved(7.1e6)) is not None


def test_a_larger_instance_of_a_family_has_no_slower_network() -> None:
    for family in ("t3", "t3a", "t4g"):
        sizes = ("nano", "micro", "small", "medium", "large", "xlarge", "2xlarge")
        rates = [baseline_bytes_per_second(f"{family}.{size}") or 0.0 for size in sizes]
        assert rates == [4e6 * 2**step for step in range(7)]
    assert (is_burstable("t4g.nano"), is_burstable("trn1.2xlarge")) == (True, False)


def test_threads_are_told_that_gain_less_than_half_of_what_was_published() -> None:
    """On an m5.large 16 writers were published as 5.9 times as fast as one."""
    expected = 61.325 / 10.406
    assert threads(measured(dd_write_1m_each=10 * MIB, dd_write_16_writers=10 * MIB * expected / 2), ()) is None
    found = threads(measured(dd_write_1m_each=10 * MIB, dd_write_16_writers=9.9 * MIB * expected / 2), ())
    assert found is not None
    assert found.title == "Threads: more of them gain little on m5.large"
    assert found.evidence.startswith(
        "dd-write-16-writers: 16 threads are 2.9 times as fast as 1, and 5.9 times on m5.large."
    )
    assert found.source == "published by efs-lab"


def test_of_files_of_one_size_the_same_is_told() -> None:
    found = threads(measured(files_write_1mb_1=20e6, files_write_1mb_4=20e6, files_write_1mb_8=30e6), ())
    assert found is not None
    assert found.evidence.startswith(
        "files-write-1mb-8: 8 threads are 1.5 times as fast as 1, and 4.5 times on 8 vCPU 16 GB."
    )


@pytest.mark.parametrize(("permitted_mib", "told"), [(24, True), (22, False), (20, False), (18, False), (17.9, True)])
def test_threads_that_reach_what_is_permitted_are_not_told(permitted_mib: float, told: bool) -> None:
    slow = measured(dd_write_1m_each=10 * MIB, dd_write_16_writers=20 * MIB)
    assert (threads(slow, (100.0 * MIB, permitted_mib * MIB)) is not None) is told


def test_a_minute_in_which_nothing_was_permitted_is_no_limit() -> None:
    one = lived([4.0 * 60 * MIB] * 300)
    one.metrics.values[PERMITTED][7] = 0.0
    assert min(limits_of(one)) > 0


def test_of_touched_files_no_throughput_is_the_limit() -> None:
    assert threads(measured(touch_serial=60, touch_parallel_directories=100), (100.0,)) is not None


def test_nothing_is_told_of_threads_that_were_not_measured() -> None:
    assert threads(measured(dd_write_16_writers=1.0), ()) is None
    assert threads(measured(client()), ()) is None


def test_every_group_of_threads_was_published() -> None:
    for group in MORE_THREADS:
        counts = [CATALOGUE[one].threads for one in group]
        assert counts == sorted(counts)
        assert all(one in FIGURES for one in group)


def written(folder: Path, whole: Any) -> Path:
    path = folder / "benchmark.json"
    path.write_text(whole if isinstance(whole, str) else json.dumps(whole))
    return path


MACHINE = Machine(
    run_id="run",
    instance_id="i-0123456789abcdef0",
    instance_type="t3.large",
    kernel="6.1",
    mount_options=f"127.0.0.1:/ {RECOMMENDED}",
    read_ahead_kb=128,
    agent="3.3",
    user="1",
    tools=(),
)


def test_what_a_benchmark_writes_is_read(tmp_path: Path) -> None:
    result = Result(workload=CATALOGUE["touch-serial"], status=Status.OK, seconds=16.0)
    reports = [Report(machine=MACHINE, results=(result,)), Report(machine=None, results=(result,))]
    whole = {"ok": True, "machines": machines_as_json(reports), "results": as_json(reports)}
    found = read_measured(written(tmp_path, whole))
    assert found.rates == {("t3.large", "touch-serial"): 64.0}
    (one,) = found.clients
    assert (one.instance_type, one.read_ahead_kb, one.mount_options) == ("t3.large", 128, options(RECOMMENDED))


@pytest.mark.parametrize(
    ("told", "known", "remark"),
    [
        ("fs-0123456789abcdef0", "fs-0123456789abcdef0", ""),
        (None, "fs-0123456789abcdef0", "does not say which file system it measured"),
        ("fs-\x1b[31m", "fs-0123456789abcdef0", "does not say which file system it measured"),
        ("fs-0123456789abcdef0", "", "measured fs-0123456789abcdef0, and whose metrics these are is not known"),
        (None, "", "does not say which file system it measured"),
    ],
)
def test_a_benchmark_says_whose_it_is(tmp_path: Path, told: str | None, known: str, remark: str) -> None:
    whole = {"file_system_id": told, "machines": machines_as_json([Report(machine=MACHINE, results=())]), "results": []}
    found = read_measured(written(tmp_path, whole))
    assert found.remark_beside(known).startswith(f"The benchmark benchmark.json {remark}" if remark else "")
    assert bool(found.remark_beside(known)) is bool(remark)


def test_a_benchmark_of_another_file_system_is_refused(tmp_path: Path) -> None:
    whole = {"file_system_id": "fs-22222222", "machines": [{"instance_type": "m5.large"}], "results": []}
    found = read_measured(written(tmp_path, whole))
    with pytest.raises(
        MeasuredRefused, match=r"benchmark\.json measured fs-22222222, and not fs-11111111: give one of"
    ):
        found.remark_beside("fs-11111111")


def test_a_benchmark_is_told_besides_what_the_metrics_tell(tmp_path: Path) -> None:
    whole = {"machines": machines_as_json([Report(machine=MACHINE, results=())]), "results": []}
    one = lived([4.0 * 60 * MIB] * 300, mode=ThroughputMode.ELASTIC)
    titles = [found.title for found in advise(one, read_measured(written(tmp_path, whole))).findings]
    assert titles == [
        "Throughput: bursting throughput instead of elastic throughput",
        "Mount: reading ahead makes sequential reads faster",
        "Threads: 4 on t3.large to read large files",
        "Threads: 8 on t3.large to read files of 10 kB",
    ]
    assert [found.title for found in advise(one).findings] == titles[:1]


@pytest.mark.parametrize(
    ("whole", "says"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "has no results"),
        ({"results": {}}, "has no results"),
        ({"results": []}, "tells of no instance and measured nothing"),
        ({"results": [1, None, {"workload": "x"}], "machines": 5}, "tells of no instance and measured nothing"),
        (" " * (4 * MIB + 1), "is larger than 4 MiB"),
        ({"results": [], "machines": [{"instance_type": f"m5.x{n}"} for n in range(51)]}, "tells of 51 instance types"),
    ],
)
def test_a_file_that_is_none_of_a_benchmark_is_a_sentence(tmp_path: Path, whole: Any, says: str) -> None:
    with pytest.raises(MeasuredRefused, match=f"The benchmark benchmark.json {says}.*: give what `efs-monitor"):
        read_measured(written(tmp_path, whole))


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    with pytest.raises(MeasuredRefused) as refused:
        read_measured(path)
    assert str(refused.value) == f"The benchmark {path} cannot be read: No such file or directory"


def test_what_is_not_plausible_was_not_measured_and_no_text_of_it_is_repeated(tmp_path: Path) -> None:
    good: dict[str, object] = {
        "instance_type": "m5.large",
        "workload": "dd-write-1m-each",
        "status": "ok",
        "rate_per_second": 1e7,
    }
    bad: list[dict[str, object]] = [
        {"rate_per_second": 1e300},
        {"rate_per_second": -1},
        {"rate_per_second": True},
        {"rate_per_second": "9"},
        {"status": "failed"},
        {"workload": "\x1b[31m"},
        {"instance_type": "\x1b[31mm5.large"},
    ]
    machines = [
        {"instance_type": "$(reboot)", "read_ahead_kb": 10**30, "mount_options": "x vers=\x1b[31m,rsize=-1,timeo=1e9"},
        {"instance_type": [], "read_ahead_kb": "128", "mount_options": None},
    ]
    found = read_measured(written(tmp_path, {"results": [good, *(good | one for one in bad)], "machines": machines}))
    assert found.rates == {("m5.large", "dd-write-1m-each"): 1e7}
    assert found.instance_types == ("m5.large",)
    assert [one.read_ahead_kb for one in found.clients] == [None, None]
    (said,) = [one for one in (read_ahead(found), mount_options(found)) if one is not None]
    assert "noresvport is missing" in said.evidence
    assert "\x1b" not in json.dumps(replace(said).__dict__, ensure_ascii=False)
