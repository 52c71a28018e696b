"""The script ends by itself, in time, whatever hangs."""

import pytest

from tests.benchmark_script.instance import TOUCH, WRITE, BenchmarkInstance, eventually, writers


@pytest.mark.more
def test_at_the_deadline_what_runs_is_ended_and_the_rest_failed(instance: BenchmarkInstance) -> None:
    instance.slow_dd()
    plan = f"{TOUCH};{writers(4, 1_048_576)};{WRITE}".replace("id=writers", "id=endless")
    ended = instance.run(Plan=plan, DeadlineSeconds="10")
    assert [(one["id"], one["status"], one.get("reason")) for one in ended.workloads] == [
        ("touch", "ok", None),
        ("endless", "failed", "deadline"),
        ("write", "failed", "deadline"),
    ]
    assert ended.status == 1
    assert instance.leftovers() == []
    assert eventually(lambda: instance.processes() == [], within_seconds=10)


def test_a_mount_that_never_answers_is_refused_before_long(instance: BenchmarkInstance) -> None:
    instance.command("findmnt", "#!/bin/bash\nexec sleep 1000\n")
    instance.constant("ANSWER_SECONDS", 2)
    assert instance.run().refusal == f"{instance.mount} gave no answer in 2 s: is the mount target reachable?"
    assert eventually(lambda: instance.processes() == [], within_seconds=10)


@pytest.mark.more
def test_a_tool_that_ignores_every_polite_signal_is_ended_too(instance: BenchmarkInstance) -> None:
    instance.command(
        "dd", "#!/bin/bash\n[[ $* != *--version* ]] || exit\ntrap '' TERM INT HUP\nwhile :; do sleep 1; done\n"
    )
    ended = instance.run(DeadlineSeconds="10")
    assert ended.workloads[0]["reason"] == "deadline"
    assert eventually(lambda: instance.processes() == [], within_seconds=10)
