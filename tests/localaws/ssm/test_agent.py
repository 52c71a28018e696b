"""An agent runs a document as the real one does: environment, exit codes, pipes, time-outs, cancelling."""

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from localaws.ssm.document import Document
from localaws.ssm.execution import Execution, ExecutionResult
from localaws.ssm.host import Host, Mount
from localaws.ssm.platforms import AMAZON_LINUX, DEBIAN, WINDOWS, Platform
from tests.localaws.ssm.conftest import written

SLOW_SECONDS = 120
"""Longer than anybody here waits."""


def run_document(document: Document, parameters: Mapping[str, str], host: Host) -> ExecutionResult:
    return Execution(document, parameters, host).result()


def test_what_the_script_prints_is_kept_and_success_is_an_exit_status_of_zero(host: Host) -> None:
    invocation = run_document(written("echo one", "echo two >&2"), {}, host)
    assert (invocation.status, invocation.response_code) == ("Success", 0)
    assert (invocation.stdout, invocation.stderr) == ("one\n", "two\n")


def test_a_first_line_names_the_shell(host: Host) -> None:
    invocation = run_document(written("#!/bin/bash", "echo ${BASH_VERSION%%.*}"), {}, host)
    assert int(invocation.stdout) >= 4


def test_an_exit_status_is_a_failure_with_the_agents_words_at_the_end_of_the_errors(host: Host) -> None:
    invocation = run_document(written("echo broken >&2; exit 3"), {}, host)
    assert (invocation.status, invocation.details, invocation.response_code) == ("Failed", "Failed", 3)
    assert invocation.stderr == "broken\nfailed to run commands: exit status 3"


def test_somebody_elses_kill_of_the_group_is_a_failure_without_an_exit_status(host: Host) -> None:
    invocation = run_document(written("kill -KILL 0"), {}, host)
    assert (invocation.status, invocation.response_code) == ("Failed", -1)


@pytest.mark.parametrize(
    ("platform", "status", "code", "errors"),
    [
        (AMAZON_LINUX, "Failed", -1, "failed to run commands: signal: killed"),
        (DEBIAN, "TimedOut", 137, "Killed\n"),
    ],
)
def test_somebody_elses_kill_of_the_script_shows_as_its_sh_makes_it(
    host: Host, platform: Platform, status: str, code: int, errors: str
) -> None:
    """Bash becomes the script, and the agent sees the signal. Dash waits for it, and ends with what the agent takes for
    its own kill.
    """
    if not platform.sh_path.exists():
        pytest.skip(f"this machine has no {platform.sh_path}")
    invocation = run_document(written("#!/bin/bash", "kill -KILL $$"), {}, replace(host, platform=platform))
    assert (invocation.status, invocation.response_code, invocation.stderr) == (status, code, errors)


def test_an_exit_status_of_137_is_a_time_out_to_the_agent(host: Host) -> None:
    invocation = run_document(written("exit 137"), {}, host)
    assert (invocation.status, invocation.details, invocation.response_code) == (
        "TimedOut",
        "Execution Timed Out",
        137,
    )


@pytest.mark.parametrize("stream", ["1", "2"])
@pytest.mark.parametrize(
    ("characters", "sent"),
    [
        ("x" * 23_999, "x" * 23_999),
        ("x" * 24_000, "x" * 23_980 + "--output truncated--"),
        ("x" * 30_000, "x" * 23_980 + "--output truncated--"),
        ("x" * 23_979 + "ü" * 20, "x" * 23_979 + "\ufffd--output truncated--"),
    ],
)
def test_from_24_000_bytes_on_an_output_is_cut_and_marked(
    host: Host, tmp_path: Path, stream: str, characters: str, sent: str
) -> None:
    (tmp_path / "said").write_text(characters)
    invocation = run_document(written(f"cat {tmp_path}/said >&{stream}"), {}, host)
    assert (invocation.stdout if stream == "1" else invocation.stderr) == sent


@pytest.mark.parametrize(
    ("stdout", "stderr", "summary"),
    [
        (10, 0, "o" * 10),
        (10, 10, "o" * 10 + "\n----------ERROR-------\n" + "e" * 10),
        (3_000, 0, "o" * 2_477 + "\n---Output truncated---"),
        (10, 3_000, "o" * 10 + "\n----------ERROR-------\n" + "e" * 2_443 + "\n---Error truncated----"),
        (
            *(3_000, 3_000),
            "o" * 1_215
            + "\n---Output truncated---"
            + "\n----------ERROR-------\n"
            + "e" * 1_215
            + "\n---Error truncated----",
        ),
    ],
)
def test_lists_have_both_outputs_in_2500_bytes(host: Host, stdout: int, stderr: int, summary: str) -> None:
    said = f"printf '%{stdout}s' | tr ' ' o; [ {stderr} = 0 ] || printf '%{stderr}s' | tr ' ' e >&2"
    invocation = run_document(written(said), {}, host)
    assert invocation.summary == summary
    assert len(invocation.summary) <= 2_500


def test_it_begins_in_the_agents_folder_with_the_agents_umask(host: Host) -> None:
    assert run_document(written("pwd; umask"), {}, host).stdout == "/usr/bin\n0022\n"


@pytest.mark.parametrize(
    ("precondition", "platform", "why"),
    [
        (None, WINDOWS, "unsupported plugin: aws:runShellScript. Step name: step"),
        ({"StringEquals": ["platformType", "Linux"]}, WINDOWS, "unsupported plugin: aws:runShellScript"),
        (
            {"StringEquals": ["Linux", "platformType"]},
            replace(AMAZON_LINUX, type="MacOS"),
            "unsatisfied preconditions: '\"StringEquals\": [platformType, Linux]'. Step name: step",
        ),
    ],
)
def test_on_another_platform_a_step_is_skipped_and_that_is_a_success(
    host: Host, precondition: dict[str, list[str]] | None, platform: Platform, why: str
) -> None:
    document = written("echo run", precondition=precondition)
    invocation = run_document(document, {}, replace(host, platform=platform))
    assert (invocation.status, invocation.response_code) == ("Success", 0)
    assert (invocation.stdout, invocation.stderr) == ("", "")
    assert invocation.summary.startswith(f"Step execution skipped due to {why}")


@pytest.mark.parametrize(
    ("precondition", "platform"),
    [
        ({"StringEquals": ["Linux", "platformType"]}, AMAZON_LINUX),
        ({"StringEquals": ["platformType", "linux"]}, AMAZON_LINUX),
        (None, replace(AMAZON_LINUX, type="MacOS")),
    ],
)
def test_where_nothing_speaks_against_it_a_step_runs(
    host: Host, precondition: dict[str, list[str]] | None, platform: Platform
) -> None:
    document = written("echo run", precondition=precondition)
    assert run_document(document, {}, replace(host, platform=platform)).stdout == "run\n"


@pytest.mark.whole
def test_a_script_that_asks_for_a_reboot_runs_again_after_it(host: Host, tmp_path: Path) -> None:
    document = written(
        "#!/bin/bash",
        "echo run",
        f"[[ ! -e {tmp_path}/before ]] || exit 0",
        f"touch {tmp_path}/before",
        f"setsid bash -c 'sleep 1; touch {tmp_path}/outlived' >/dev/null 2>&1 &",
        "exit 194",
    )
    invocation = run_document(document, {}, host)
    assert (invocation.status, invocation.stdout) == ("Success", "run\nrun\n")
    time.sleep(1.2)
    assert not (tmp_path / "outlived").exists()


def test_one_that_always_asks_for_it_is_given_up(host: Host) -> None:
    invocation = run_document(written("exit 194"), {}, host)
    assert (invocation.status, invocation.response_code, invocation.stdout) == ("Failed", 1, "")


def test_a_script_whose_outputs_the_agent_has_lost_failed_without_a_word(host: Host, tmp_path: Path) -> None:
    document = written(
        "echo begun", "while [ ! -e go ]; do sleep 0.02; done; echo more; echo more", f"touch {tmp_path}/went_on"
    )
    (tmp_path / "here").mkdir()
    execution = Execution(replace(document, working_directory=str(tmp_path / "here")), {}, host)
    while not execution.stdout:
        time.sleep(0.01)
    execution.lose()
    invocation = execution.result()
    assert (invocation.status, invocation.details, invocation.response_code) == ("Failed", "Failed", 1)
    assert (invocation.stdout, invocation.stderr) == ("", "")
    assert invocation.summary.startswith("document process failed unexpectedly")
    (tmp_path / "here" / "go").touch()
    assert _group_is_gone(execution)


def test_plain_parameters_are_pasted_as_they_are(host: Host) -> None:
    document = written("echo {{ Name }} {{Name}}", Name={})
    assert run_document(document, {"Name": "$((1+1))"}, host).stdout == "2 2\n"


def test_environment_parameters_reach_the_script_and_are_never_pasted(host: Host) -> None:
    document = written('echo "$SSM_Name" "{{ Name }}"', Name={"interpolationType": "ENV_VAR"})
    assert run_document(document, {"Name": "$(id); `id`"}, host).stdout == "$(id); `id` {{ Name }}\n"


def test_an_old_agent_pastes_them_and_leaves_the_environment_empty(host: Host) -> None:
    document = written('echo "${SSM_Name-unset}" "{{ Name }}"', Name={"interpolationType": "ENV_VAR"})
    old = replace(host, agent_version="3.3.2745.9")
    assert run_document(document, {"Name": "x"}, old).stdout == "unset x\n"


def test_the_environment_is_the_agents_and_not_ours(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OURS", "1")
    lines = run_document(written("env | sort"), {}, host).stdout.splitlines()
    names = {line.partition("=")[0] for line in lines}
    assert {"AWS_SSM_INSTANCE_ID", "AWS_SSM_REGION_NAME", "PATH", "LANG", "INVOCATION_ID"} <= names
    assert not names & {"OURS", "HOME", "USER", "TERM", "PYTHONPATH"}
    assert "AWS_SSM_INSTANCE_ID=i-0123456789abcdef0" in lines
    assert {"AWS_SSM_PLATFORM_NAME=Amazon Linux", "AWS_SSM_PLATFORM_VERSION=2023"} <= set(lines)


@pytest.mark.whole
def test_the_time_out_kills_the_whole_group_and_keeps_what_was_printed(host: Host, tmp_path: Path) -> None:
    document = written(
        f"trap 'echo trapped > {tmp_path}/trap' TERM EXIT",
        f"(sleep {SLOW_SECONDS}; echo > {tmp_path}/child) &",
        "echo before",
        f"sleep {SLOW_SECONDS}",
        timeout_seconds="{{ Seconds }}",
        Seconds={},
    )
    execution = Execution(document, {"Seconds": "2"}, host)
    invocation = execution.result()
    assert (invocation.status, invocation.details) == ("TimedOut", "Execution Timed Out")
    assert (invocation.stdout, invocation.response_code) == ("before\n", 137)
    assert not (tmp_path / "trap").exists()
    assert _group_is_gone(execution)


@pytest.mark.whole
def test_what_left_the_group_outlives_the_time_out(host: Host, tmp_path: Path) -> None:
    document = written(
        f"setsid sh -c 'sleep 1.5; echo > {tmp_path}/reaped' > /dev/null 2>&1 &",
        f"sleep {SLOW_SECONDS}",
        timeout_seconds="1",
    )
    run_document(document, {}, host)
    deadline = time.monotonic() + SLOW_SECONDS
    while not (tmp_path / "reaped").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (tmp_path / "reaped").exists()


def test_it_is_not_over_while_a_background_process_holds_the_output_open(host: Host) -> None:
    invocation = run_document(written("(sleep 0.7; echo late) &", "echo soon"), {}, host)
    assert invocation.stdout == "soon\nlate\n"


@pytest.mark.whole
def test_one_outside_the_group_that_holds_it_for_ever_makes_a_failure_of_the_time_out(host: Host) -> None:
    document = written(f"setsid sleep {SLOW_SECONDS} &", "echo $!", timeout_seconds="2")
    invocation = run_document(document, {}, host)
    # It still runs, so nobody waited for it.
    os.kill(int(invocation.stdout), signal.SIGKILL)
    assert (invocation.status, invocation.response_code) == ("Failed", 1)


def test_cancelling_kills_at_once(host: Host) -> None:
    execution = Execution(written("echo before", f"sleep {SLOW_SECONDS}"), {}, host)
    while not execution.stdout:
        time.sleep(0.01)
    execution.cancel()
    invocation = execution.result()
    assert (invocation.status, invocation.stdout, invocation.response_code) == ("Cancelled", "before\n", 137)
    assert _group_is_gone(execution)


def test_cancelling_what_has_ended_changes_nothing(host: Host) -> None:
    execution = Execution(written("true"), {}, host)
    execution.result()
    execution.cancel()
    assert execution.result().status == "Success"


def test_a_host_tells_of_its_own_mounts_and_otherwise_of_its_disk(host: Host, tmp_path: Path) -> None:
    mounted = tmp_path / "efs"
    (mounted / "below").mkdir(parents=True)
    host = replace(host, mounts=(Mount(path=mounted, file_system_id="fs-0123456789abcdef0"),))
    document = written(
        f"findmnt -nr -o FSTYPE,SOURCE -T {mounted}/below",
        f"findmnt -n -o FSTYPE --mountpoint {mounted}",
        f"findmnt -n -o FSTYPE --mountpoint {mounted}/below || echo none",
        "findmnt -n -o FSTYPE,SOURCE -T /usr",
    )
    source = "fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/"
    assert run_document(document, {}, host).stdout == f"nfs4 {source}\nnfs4\nnone\nxfs /dev/nvme0n1p1\n"


@pytest.mark.needs("root")  # to become somebody else
def test_root_really_drops_its_rights(host: Host) -> None:
    document = written("setpriv --reuid 64646 --regid 64646 --clear-groups -- id -u")
    assert run_document(document, {}, host).stdout == "64646\n"


def test_who_is_not_root_runs_the_command_as_it_is(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    document = written("setpriv --reuid 7 --regid=7 --clear-groups --no-new-privs printf '%s-' a 'b c' --reuid 1")
    assert run_document(document, {}, host).stdout == "a-b c---reuid-1-"


def _group_is_gone(execution: Execution) -> bool:
    """Whether nobody of the script's process group is left; the kernel takes a moment to reap."""
    deadline = time.monotonic() + SLOW_SECONDS
    while time.monotonic() < deadline:
        try:
            os.killpg(execution.process_id, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False
