"""What a run prints of each kind of workload, and that it leaves nothing."""

import pytest

from tests.benchmark_script.instance import MIB, TOUCH, WRITE, BenchmarkInstance, eventually, writers

READ = f"id=read,on=efs,do=read,threads=2,block={MIB},files=4,bytes={MIB}"


def test_a_write_is_told_with_the_seconds_that_dd_measured(instance: BenchmarkInstance) -> None:
    ended = instance.run()
    (write,) = ended.workloads
    assert (ended.status, ended.errors) == (0, "")
    assert {**write, "seconds": 0, "started": 0, "ended": 0} == {
        "type": "workload",
        "id": "write",
        "status": "ok",
        "files": 1,
        "bytes": 2 * MIB,
        "seconds": 0,
        "started": 0,
        "ended": 0,
    }
    assert 0 < write["seconds"] < write["ended"] - write["started"]


def test_workloads_are_told_in_the_order_of_the_plan(instance: BenchmarkInstance) -> None:
    ended = instance.run(Plan=f"{TOUCH};{WRITE};{READ}")
    assert [one["id"] for one in ended.workloads] == ["touch", "write", "read"]
    assert ended.status == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    ("plan", "files", "total_bytes"),
    [
        ("id=x,on=efs,do=touch,threads=1,files=5,directories=1", 5, 0),
        ("id=x,on=efs,do=touch,threads=128,files=300,directories=1", 300, 0),
        ("id=x,on=efs,do=touch,threads=4,files=32,directories=4", 32, 0),
        (f"id=x,on=efs,do=write,threads=1,block={16 * MIB},sync=each,files=1,bytes={3 * MIB + 7}", 1, 3 * MIB + 7),
        ("id=x,on=efs,do=write,threads=4,block=65536,sync=end,files=10,bytes=100000", 10, 1_000_000),
        (f"id=x,on=efs,do=read,threads=1,block={MIB},files=1,bytes={2 * MIB}", 1, 2 * MIB),
        (f"id=x,on=efs,do=read,threads=16,block={MIB},files=16,bytes={MIB}", 16, 16 * MIB),
    ],
)
def test_files_and_bytes_are_those_of_the_plan(
    instance: BenchmarkInstance, plan: str, files: int, total_bytes: int
) -> None:
    ended = instance.run(Plan=plan)
    (one,) = ended.workloads
    assert (one["status"], one["files"], one["bytes"]) == ("ok", files, total_bytes), ended
    assert one["seconds"] > 0


def test_many_files_take_from_the_first_start_to_the_last_end(instance: BenchmarkInstance) -> None:
    (one,) = instance.run(Plan=writers(4, MIB)).workloads
    assert one["seconds"] == pytest.approx(one["ended"] - one["started"], abs=2e-6)


def test_a_run_leaves_no_file_and_no_process(instance: BenchmarkInstance) -> None:
    instance.run(Plan=f"{TOUCH};{WRITE};{READ}")
    assert instance.leftovers() == []
    assert eventually(lambda: instance.processes() == [], within_seconds=10)


def test_direct_reads_that_the_file_system_refuses_fail_instead_of_measuring_the_cache(
    instance: BenchmarkInstance,
) -> None:
    instance.command(
        "dd",
        '#!/bin/bash\n[[ "$*" != *iflag=direct* ]] || { echo "dd: failed to open: Invalid argument" >&2; exit 1; }\n'
        'exec /bin/dd "$@"\n',
    )
    ended = instance.run(Plan=f"{READ};{WRITE}")
    assert [one["status"] for one in ended.workloads] == ["failed", "ok"]
    assert ended.workloads[0]["reason"] == "the file system refuses direct reads, and others would measure the cache"
    assert ended.status == 1


def test_a_dd_that_copied_less_than_it_was_told_has_failed(instance: BenchmarkInstance) -> None:
    instance.command("dd", '#!/bin/bash\necho "1024 bytes (1.0 kB, 1.0 KiB) copied, 0.5 s, 2.0 kB/s" >&2\n')
    (one,) = instance.run().workloads
    assert (one["status"], one["reason"]) == ("failed", f"dd: copied 1024 of {2 * MIB} bytes")
    assert "bytes" not in one


@pytest.mark.whole
@pytest.mark.parametrize("plan", [READ, READ.replace("files=4", "files=1"), writers(4, MIB)])
def test_a_dd_that_moves_nothing_and_ends_well_has_failed(instance: BenchmarkInstance, plan: str) -> None:
    """As one that finds its file empty, while the rest is read."""
    instance.command(
        "dd",
        '#!/bin/bash\n[[ $* == */1* && $* != *conv=fsync* ]] || exec /usr/bin/dd "$@"\n'
        'echo "0 bytes copied, 0.0001 s, 0.0 kB/s" >&2\n',
    )
    (one,) = instance.run(Plan=plan).workloads
    files = 1 if "files=1" in plan else 4
    assert (one["status"], one.get("reason")) == ("failed", f"dd: copied {(files - 1) * MIB} of {files * MIB} bytes")


def test_dds_that_end_well_without_a_word_have_failed(instance: BenchmarkInstance) -> None:
    instance.command("dd", '#!/bin/bash\n[[ $* != *iflag=direct* ]] || exit 0\nexec /usr/bin/dd "$@"\n')
    (one,) = instance.run(Plan=READ).workloads
    assert (one["status"], one.get("reason")) == ("failed", f"dd: copied unknown of {4 * MIB} bytes")


@pytest.mark.whole
def test_dds_that_speak_at_once_are_understood(instance: BenchmarkInstance) -> None:
    """dd ends its line with a second call, so that two of them may stand on one."""
    instance.command(
        "dd",
        f'#!/bin/bash\nprintf "{MIB} bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s" >&2\nsleep 0.5\necho >&2\n',
    )
    (one,) = instance.run(Plan=writers(4, MIB)).workloads
    assert one["status"] == "ok", one


def test_a_complaint_is_told_without_what_another_dd_said_on_its_line(instance: BenchmarkInstance) -> None:
    instance.command(
        "dd",
        "#!/bin/bash\n[[ $* == */1* ]] || exit 0\n"
        f'printf "{MIB} bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s" >&2\n'
        "echo \"dd: failed to open 'x': Permission denied\" >&2\necho >&2\nexit 1\n",
    )
    (one,) = instance.run(Plan=writers(4, MIB)).workloads
    assert (one["status"], one["reason"]) == ("failed", "dd: failed to open 'x': Permission denied")


def test_one_byte_a_file_is_understood(instance: BenchmarkInstance) -> None:
    (one,) = instance.run(Plan=writers(4, 1)).workloads
    assert (one["status"], one.get("bytes")) == ("ok", 4), one


@pytest.mark.whole
@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("2097152 bytes (2.1 MB) copied, 0.0104 s, 202 MB/s", 0.0104),  # coreutils 8.22
        ("2097152 bytes (2.1 MB, 2.0 MiB) copied, 61.325 s, 34.2 kB/s", 61.325),
        ("2097152 bytes (2.1 MB, 2.0 MiB) copied, 9.1e-05 s, 23 GB/s", 9.1e-05),
    ],
)
def test_every_form_of_dds_statistics_is_understood(instance: BenchmarkInstance, said: str, seconds: float) -> None:
    instance.command("dd", f'#!/bin/bash\nprintf "2+0 records in\\n2+0 records out\\n{said}\\n" >&2\n')
    (one,) = instance.run().workloads
    assert one["seconds"] == seconds


def test_a_failed_workload_has_a_reason_and_no_number(instance: BenchmarkInstance) -> None:
    instance.command("dd", "#!/bin/bash\necho \"dd: error writing 'x': No space left on device\" >&2; exit 1\n")
    (one,) = instance.run().workloads
    assert one == {"type": "workload", "id": "write", "status": "failed", "reason": "no space left on device"}
