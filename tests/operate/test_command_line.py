"""The command line says what it found, or in a sentence why it found nothing, and ends accordingly."""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from operate.answer import as_data
from operate.checklist import Checklist
from operate.cli import app
from operate.commands.on_metrics import EXAMPLES
from operate.standard_output import UNREAD_STATUS
from tests.quick import first_of

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
PROJECT = Path(__file__).parents[2]


@cache
def run(*words: str) -> Result:
    """What a command did; the same words do the same."""
    return CliRunner().invoke(app, list(words))


def export(folder: Path, balances: list[float]) -> str:
    path = folder / "export.csv"
    lines = [f"{LONG_AGO + minute * MINUTE:%Y-%m-%dT%H:%MZ},{one}" for minute, one in enumerate(balances)]
    path.write_text("\n".join(["# ThroughputMode: bursting", "time,BurstCreditBalance", *lines]))
    return str(path)


@pytest.mark.whole
def test_an_example_is_replayed_and_shown_within_80_columns() -> None:
    found = run("backtest", "--from", "growing", "--days", "3")
    assert (found.exit_code, found.stderr) == (0, "")
    assert max(map(len, found.stdout.splitlines())) <= 80
    assert "Out of burst credits\n3 times" in found.stdout


@pytest.mark.whole
def test_json_is_all_that_is_written() -> None:
    found = run("backtest", "--from", "calm", "--days", "2", "--json")
    assert (found.exit_code, found.stderr) == (0, "")
    assert json.loads(found.stdout)["spells_without_credits"] == []


def test_trouble_that_nothing_was_told_of_ends_with_1(tmp_path: Path) -> None:
    found = run("backtest", "--from", export(tmp_path, [0.0] * 120))
    assert (found.exit_code, found.stderr) == (1, "")
    assert "Out of burst credits\nOnce, " in found.stdout


@pytest.mark.more
def test_a_pipe_of_another_encoding_gets_all_that_it_can_show_and_no_colours_and_no_progress() -> None:
    command = [sys.executable, "-m", "operate", "backtest", "--from", "growing", "--days", "3"]
    chosen = os.environ | {"PYTHONIOENCODING": "ascii"}
    found = subprocess.run(command, cwd=PROJECT, capture_output=True, check=False, env=chosen)
    assert (found.returncode, found.stderr) == (0, b"")
    assert b"Which minutes" in found.stdout
    assert b"\x1b" not in found.stdout


@pytest.mark.more
def test_a_page_is_written_in_utf_8_whatever_the_locale_is(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    command = [sys.executable, "-m", "operate", "report", "--from", "growing", "--days", "1", "--out", str(out)]
    chosen = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    found = subprocess.run(command, cwd=PROJECT, capture_output=True, check=False, env=chosen)
    assert (found.returncode, found.stderr) == (0, b"")
    assert "→" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--from", "nothing.csv"], "nothing.csv cannot be read (No such file or directory): give the path of a"),
        (["--from", "hungri"], "that you may read, or name one of the examples: calm, growing, hungry"),
        (
            ["fs-0123456789abcdef0", "--from", "hungry"],
            "Both a file system ('fs-0123456789abcdef0') and --from hungry were given: give one of them",
        ),
        (
            ["--from", "calm", "--region", "eu-west-1", "--profile", "home"],
            "With --from, which asks AWS nothing, --profile and --region would change nothing: leave out one or the",
        ),
        (["--from", "calm", "--fresh"], "With --from, which asks AWS nothing, --fresh would change nothing"),
        (["hungry"], "fs-0123456789abcdef0: give a file or an example with --from"),
        ([__file__], "fs-0123456789abcdef0: give a file or an example with --from"),
        ([], "Name one file system (fs-...), or give an export of its metrics with --from"),
        (["--from", "calm", "--critical", "170"], "CriticalMinutes is 170 and WarningMinutes is 180"),
        (["--from", "calm", "--days", "0"], "--days is '0': give a whole number from 1 to 63"),
        (["--from", "calm", "--days", "\x1b[2J"], "--days is '?[2J': give a whole number from 1 to 63"),
        (["--from", "calm", "--warning", "1.5"], "--warning is '1.5': give a whole number of minutes"),
    ],
)
def test_what_stands_in_the_way_is_said_and_ends_with_2(words: list[str], says: str) -> None:
    found = run("backtest", *words)
    assert (found.exit_code, found.stdout) == (2, "")
    assert says in " ".join(found.stderr.split())
    assert "Traceback" not in found.stderr
    assert max(map(len, found.stderr.splitlines())) <= 80


@pytest.mark.whole
@pytest.mark.parametrize("command", ["backtest", "advise", "report"])
def test_a_copy_of_an_example_lies_in_the_future_which_is_one_short_sentence(command: str, tmp_path: Path) -> None:
    copy = tmp_path / "hungry.csv.gz"
    copy.write_bytes((EXAMPLES / copy.name).read_bytes())
    found = run(command, "--from", str(copy))
    assert (found.exit_code, found.stdout) == (2, "")
    said = " ".join(found.stderr.split())
    assert said.startswith(f"All times of {copy} are in the future (the first 2030-01-07 00:00 UTC; it is now ")
    assert len(found.stderr.splitlines()) <= 4


@pytest.mark.parametrize("command", ["backtest", "advise", "report"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read (Is a directory): give the path of a CSV or JSON file that you may read"),
        (b"", "is empty: the first line must be time,BurstCreditBalance,…"),
        (b"time,Gr\xf6\xdfe\n", "is no text in UTF-8: save or export it as CSV or JSON in UTF-8"),
        (b'time,BurstCreditBalance\n2030-01-07T00:00Z,"7\n', "is no CSV from line 2 on (unexpected end of data)"),
    ],
    ids=["a directory", "empty", "another encoding", "an open quotation mark"],
)
def test_what_is_no_export_is_a_sentence_of_every_command_that_reads_one(
    command: str, content: bytes | None, says: str, tmp_path: Path
) -> None:
    given = tmp_path
    if content is not None:
        given = tmp_path / "export.csv"
        given.write_bytes(content)
    found = run(command, "--from", str(given))
    assert (found.exit_code, found.stdout) == (2, "")
    assert " ".join(found.stderr.split()).startswith(f"{given} {says}")
    # A path stands whole, however long it is.
    assert max(len(line) for line in found.stderr.splitlines() if str(given) not in line) <= 80


def test_a_name_that_no_folder_can_hold_is_no_example_either() -> None:
    found = run("advise", "--from", "calm" * 100)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "cannot be read (File name too long): give the path of" in " ".join(found.stderr.split())


@pytest.mark.parametrize("command", [None, "backtest", "advise", "report", "fleet", "drill", "benchmark", "smoke"])
def test_the_text_of_help_is_broken_by_sentences_and_not_by_the_width(command: str | None) -> None:
    text = typer.main.get_command(app) if command is None else typer.main.get_group(app).commands[command]
    # The first paragraph is one sentence, which is wrapped.
    lines = (text.help or "").splitlines()[1:]
    assert max(map(len, lines), default=0) <= 78


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell says of a line in which `efs-monitor` is the command."""
    # As a word: the folder of a test run has it in its name.
    told = line.replace("efs-monitor ", f"{sys.executable} -m operate ")
    return subprocess.run(
        ["bash", "-c", told], cwd=PROJECT, capture_output=True, check=False, text=True, env=os.environ | environment
    )


@pytest.mark.parametrize("command", ["backtest", "advise", "report"])
@pytest.mark.parametrize("given", ["abc", "64", "-1", "1.5", ""])
def test_a_number_that_is_refused_is_named_with_its_option_and_what_to_give(command: str, given: str) -> None:
    found = run(command, "--from", "calm", "--days", given)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == f"--days is '{given}': give a whole number from 1 to 63\n"


def test_hours_of_a_fleet_that_nobody_can_wait_are_refused_in_a_sentence() -> None:
    found = run("fleet", "home", "--template-url", "https://example.com/a", "--grace-hours", "-1")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == "--grace-hours is '-1': give a whole number of hours, 0 or more\n"


@pytest.mark.whole
@pytest.mark.parametrize("given", ["backtest --from calm --days 1", "report --from calm --days 1 --out /dev/null"])
def test_a_standard_output_that_is_closed_is_a_sentence_and_not_the_status_of_an_answer(given: str) -> None:
    found = shell(f"efs-monitor {given} >&-")
    assert (found.returncode, found.stderr) == (
        2,
        "Standard output is closed: leave it open, or write into a file\n",
    )


@pytest.mark.whole
@pytest.mark.parametrize("given", first_of(["backtest --help", "--help"], in_ci=1))
def test_help_that_cannot_be_written_is_a_sentence_too(given: str) -> None:
    found = shell(f"efs-monitor {given} > /dev/full")
    assert (found.returncode, found.stderr) == (
        2,
        "What was found cannot be written or read: No space left on device\n",
    )


@pytest.mark.whole
@pytest.mark.parametrize("option", first_of(["", "--json"], in_ci=1))
def test_a_full_disk_is_a_sentence(option: str, tmp_path: Path) -> None:
    found = shell(f"efs-monitor backtest --from {export(tmp_path, [2e12] * 120)} {option} > /dev/full")
    assert (found.returncode, found.stderr) == (
        2,
        "What was found cannot be written or read: No space left on device\n",
    )


@pytest.mark.whole
def test_who_stops_reading_is_told_nothing_of_the_answer(tmp_path: Path) -> None:
    """1 would say that credits ended without a message."""
    found = shell(f"efs-monitor backtest --from {export(tmp_path, [2e12] * 120)} | true; exit ${{PIPESTATUS[0]}}")
    assert (found.returncode, found.stdout, found.stderr) == (141, "", "")


@pytest.mark.whole
@pytest.mark.parametrize(
    "given", first_of(["--help", "backtest --from calm --days 1", "--version", "", "report --help"], in_ci=1)
)
def test_whoever_reads_nothing_gets_the_status_of_that_and_no_words(given: str) -> None:
    """With `head` a reader closes early; 1 is for what an answer found, 2 for what was wrong."""
    assert unread(given) == (141, "")


@pytest.mark.whole
@pytest.mark.parametrize("given", ["--version", "backtest --from calm --days 1"])
def test_under_make_the_status_of_what_nobody_reads_is_that_of_no_error(given: str) -> None:
    """Make says of any other one than 0 that the command failed."""
    assert unread(given, **{UNREAD_STATUS: "0"}) == (0, "")


def unread(given: str, **environment: str) -> tuple[int, str]:
    """The status and the complaints of a command whose output nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "operate", *given.split()]
    with os.fdopen(writing, "w") as closed:
        found = subprocess.run(
            command,
            cwd=PROJECT,
            env=os.environ | environment,
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    return found.returncode, found.stderr


@pytest.mark.whole
@pytest.mark.parametrize("given", first_of(["backtest", "", "drill"], in_ci=1))
def test_help_is_no_wider_than_80_columns_in_a_wider_terminal(given: str) -> None:
    text = shell(f"efs-monitor {given} --help", COLUMNS="200").stdout
    assert 60 < max(map(len, text.splitlines())) <= 80


@pytest.mark.whole
@pytest.mark.parametrize("columns", first_of([40, 64, 50, 63], in_ci=1))
@pytest.mark.parametrize("given", first_of(["backtest", "", "fleet"], in_ci=1))
def test_in_a_narrow_terminal_help_cuts_no_word(given: str, columns: int) -> None:
    told = shell(f"efs-monitor {given} --help", COLUMNS=str(columns))
    assert (told.returncode, told.stderr, "…" in told.stdout) == (0, "", False)
    assert "--help" in told.stdout


@pytest.mark.more
def test_in_a_narrow_terminal_no_figure_is_shortened_and_no_command_broken() -> None:
    line = "efs-monitor advise --from hungry --days 3"
    wide = shell(line, COLUMNS="80").stdout
    assert "  aws efs update-file-system" in wide
    assert shell(line, COLUMNS="40", FORCE_COLOR="1", TERM="dumb").stdout == wide
    assert "…" not in wide


def test_help_teaches_the_first_command_to_try() -> None:
    words = " ".join(run("backtest", "--help").stdout.split())
    assert "efs-monitor backtest --from hungry" in words
    assert "Read-only" in words


@pytest.mark.more
def test_the_page_shows_what_the_command_writes() -> None:
    page = (PROJECT / "docs" / "backtest.md").read_text()
    _, _, sample = page.partition('$ make backtest ARGS="--from growing --days 5"\n')
    begin, _, end = sample.partition("```")[0].partition("...\n")
    written = "".join(
        f"{line.rstrip()}\n" for line in run("backtest", "--from", "growing", "--days", "5").stdout.splitlines()
    )
    assert written.startswith(begin)
    assert written.endswith(end)


@pytest.mark.parametrize("command", ["drill", "benchmark", "smoke"])
def test_what_works_on_a_stack_is_there_with_its_own_options(command: str) -> None:
    assert command in run("--help").stdout
    told = run(command, "--help")
    assert told.exit_code == 0
    assert "--json" in told.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("benchmark", "--size-mib", "as many as the file system takes without a warning, please"),
        ("drill", "--stack", "a", "--environment", "prod", *(f"and word {number}" for number in range(20))),
        ("smoke", "default", *(f"--an-option-that-there-is-not-{number}" for number in range(4))),
    ],
)
def test_an_option_that_is_refused_is_a_sentence_within_80_columns(words: tuple[str, ...]) -> None:
    found = run(*words)
    assert (found.exit_code, found.stdout) == (2, "")
    assert max(map(len, found.stderr.splitlines())) <= 80


@pytest.mark.parametrize("command", ["drill", "benchmark"])
def test_a_stack_and_an_environment_are_not_both_taken(command: str) -> None:
    found = run(command, "--stack", "a", "--environment", "prod")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "Both a stack (a) and an environment (prod) were given: give one of them" in " ".join(found.stderr.split())


def completed(*words: str) -> list[str]:
    """What a shell offers in place of the last of these words."""
    asked = {"_EFS_MONITOR_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": f"{len(words) - 1}"}
    return CliRunner().invoke(app, [], env=asked, prog_name=words[0]).stdout.split()


def test_a_shell_completes_every_command() -> None:
    assert completed("efs-monitor", "b") == ["backtest", "benchmark"]
    assert {"advise", "report", "fleet", "drill", "smoke"} < set(completed("efs-monitor", ""))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("backtest", {"--from", "--days", "--json", "--help"}),
        ("advise", {"--benchmark", "--json", "--help"}),
        ("report", {"--out", "--stack", "--json", "--help"}),
        ("fleet", {"--template-url", "--grace-hours", "--json", "--help"}),
        ("drill", {"--environment", "--stack", "--region", "--profile", "--force", "--json", "--help"}),
        ("benchmark", {"--environment", "--stack", "--workloads", "--size-mib", "--accept-gib", "--json", "--help"}),
        ("smoke", {"--configuration", "--json", "--help"}),
    ],
)
def test_a_shell_completes_the_options_of_every_command(command: str, options: set[str]) -> None:
    assert options <= set(completed("efs-monitor", command, "--"))
    assert completed("efs-monitor", command, "--js") == ["--json"]


@pytest.mark.parametrize("command", ["backtest", "advise", "report", "fleet", "drill", "benchmark", "smoke"])
def test_every_command_takes_a_profile_and_a_region_as_the_aws_cli_does(command: str) -> None:
    assert {"--profile", "--region"} <= set(completed("efs-monitor", command, "--"))
    told = " ".join(run(command, "--help").stdout.split())
    assert "AWS CLI profile." in told
    assert "AWS Region" in told


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_every_usual_shell_is_told_how_to_complete(name: str) -> None:
    told = CliRunner().invoke(app, [], env={"_EFS_MONITOR_COMPLETE": f"source_{name}"}, prog_name="efs-monitor")
    assert (told.exit_code, "_EFS_MONITOR_COMPLETE" in told.stdout) == (0, True)
    assert "--install-completion" in run("--help").stdout


def test_a_stack_that_is_not_named_is_a_sentence() -> None:
    found = run("drill")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "It is not said which stack" in found.stderr


@pytest.mark.whole
@pytest.mark.parametrize(("example", "status"), first_of([("hungry", 1), ("calm", 0)], in_ci=1))
def test_advice_is_given_where_something_is_better(example: str, status: int) -> None:
    found = run("advise", "--from", example, "--days", "3")
    assert (found.exit_code, found.stderr) == (status, "")
    assert max(map(len, found.stdout.splitlines())) <= 80
    data = json.loads(run("advise", "--from", example, "--days", "3", "--json").stdout)
    assert bool(data["findings"]) == bool(status)


def test_a_file_system_in_elastic_mode_is_advised_without_a_balance(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    moved = 4 * 60 * 1024**2
    lines = [f"{LONG_AGO + n * MINUTE:%Y-%m-%dT%H:%MZ},1073741824,{moved},{moved},107374182400" for n in range(120)]
    title = "time,PermittedThroughput,MeteredIOBytes,DataWriteIOBytes,StorageBytes"
    path.write_text("\n".join(["# ThroughputMode: elastic", title, *lines]))
    found = run("advise", "--from", str(path))
    assert (found.exit_code, found.stderr) == (1, "")
    assert "Throughput: bursting throughput instead of elastic throughput" in found.stdout
    assert run("backtest", "--from", str(path)).exit_code == 2


@pytest.mark.whole
def test_a_benchmark_that_cannot_be_read_is_said_and_the_rest_is_told(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text("{")
    found = run("advise", "--from", "calm", "--days", "3", "--benchmark", str(path))
    assert (found.exit_code, found.stderr) == (0, "")
    assert "! The benchmark wrong.json is no JSON: give what `efs-monitor benchmark" in found.stdout
    assert "Nothing to advise" in found.stdout


@pytest.mark.whole
def test_a_benchmark_of_another_file_system_is_said_and_left_out(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    machine = {"instance_type": "t3.nano", "mount_options": "x vers=4.0", "read_ahead_kb": 128}
    path.write_text(json.dumps({"file_system_id": "fs-22222222", "machines": [machine], "results": []}))
    found = run("advise", "--from", "calm", "--days", "3", "--benchmark", str(path))
    assert (found.exit_code, found.stderr) == (0, "")
    assert "! The benchmark b.json measured fs-22222222, and not fs-0123456789abcdef0: give one of" in (
        " ".join(found.stdout.split())
    )
    assert "Nothing to advise" in found.stdout
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"machines": [machine], "results": []}))
    found = run("advise", "--from", "calm", "--days", "3", "--benchmark", str(path))
    assert "! The benchmark old.json does not say which file system it measured: " in " ".join(found.stdout.split())
    assert "Mount: " in found.stdout


@pytest.mark.whole
def test_a_benchmark_is_judged_within_80_columns_and_as_json(tmp_path: Path) -> None:
    path = tmp_path / "benchmark.json"
    mounted = "fs-0123456789abcdef0.efs.eu-west-1.amazonaws.com:/ rw,vers=4.0,rsize=4096,wsize=4096,soft,timeo=30"
    machine = {"instance_type": "t3.nano", "mount_options": mounted, "read_ahead_kb": 128}
    rates = {"dd-write-1m-each": 9e6, "dd-write-16-writers": 9e6}
    results = [
        {"instance_type": "t3.nano", "workload": name, "status": "ok", "rate_per_second": rate}
        for name, rate in rates.items()
    ]
    path.write_text(json.dumps({"machines": [machine], "results": results}))
    words = ("advise", "--from", "calm", "--days", "3", "--benchmark", str(path))
    found, data = run(*words), json.loads(run(*words, "--json").stdout)
    assert (found.exit_code, found.stderr) == (1, "")
    assert max(map(len, found.stdout.splitlines())) <= 80
    titles = [one["title"] for one in data["findings"]]
    assert [one.split(":")[0] for one in titles] == ["Mount", "Mount", "Instances", "Threads"]
    assert all(one in " ".join(found.stdout.split()) for one in titles)


@pytest.mark.whole
def test_the_page_about_advice_shows_what_the_command_writes() -> None:
    page = (PROJECT / "docs" / "advise.md").read_text()
    sample = page.partition('$ make advise ARGS="--from hungry"\n')[2].partition("```")[0]
    assert sample == "".join(f"{line.rstrip()}\n" for line in run("advise", "--from", "hungry").stdout.splitlines())


@pytest.mark.whole
def test_a_report_is_one_file_and_its_path_is_said(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    found = run("report", "--from", "growing", "--days", "2", "--out", str(out))
    assert (found.exit_code, found.stderr, found.stdout) == (0, "", f"{out}\n")
    assert out.read_text().lstrip().startswith("<!doctype html>")


def test_a_report_takes_the_place_of_no_file_that_is_no_page(tmp_path: Path) -> None:
    export = tmp_path / "export.csv"
    export.write_text("time,BurstCreditBalance\n")
    found = run("report", "--from", str(export), "--out", str(export))
    assert found.exit_code == 2
    assert "export.csv is there, and is no page of this command: give --out another file" in " ".join(
        found.stderr.split()
    )
    assert export.read_text() == "time,BurstCreditBalance\n"


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("", "--out is '': give a file to write the page to, such as page.html"),
        (".", ". is a folder: give --out a file in it, such as page.html"),
        (
            "Makefile/page.html",
            "Makefile is a file where a folder is needed: move or remove it, or give --out another file",
        ),
        ("no/page.html", "no/page.html cannot be written: no is no folder; make it, or give --out a file in another"),
    ],
)
def test_where_no_page_can_be_written_is_said_before_anything_is_read(out: str, says: str) -> None:
    found = run("report", "--from", "nothing.csv", "--out", out)
    assert (found.exit_code, found.stdout, " ".join(found.stderr.split())) == (2, "", says)


@pytest.mark.whole
def test_a_report_that_cannot_be_written_or_read_is_a_sentence() -> None:
    found = run("report", "--from", "calm", "--days", "1", "--out", f"{'a' * 300}.html")
    assert found.exit_code == 2
    assert "cannot be written: File name too long" in " ".join(found.stderr.split())
    assert "--stack shows a live stack" in run("report", "--from", "calm", "--stack", "home").stderr


@pytest.mark.parametrize("name", ["bad;name", "", "1st", "a" * 129, "home\n"])
def test_a_name_that_no_stack_can_have_is_refused_and_no_page_written(name: str, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    found = run("report", "fs-0123456789abcdef0", "--stack", name, "--out", str(out))
    assert (found.exit_code, found.stdout, out.exists()) == (2, "", False)
    assert "is no name that a stack can have, such as efs-monitor-home" in " ".join(found.stderr.split())
    assert max(map(len, found.stderr.splitlines())) <= 80


@pytest.mark.parametrize("wanted", [False, True])
def test_json_is_written_alone_and_what_is_told_meanwhile_goes_to_standard_error(
    wanted: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    checklist = Checklist()
    with as_data(wanted) as write:
        checklist.add(ok=True, what="mail", seen="published")
        write(checklist.as_json())
    output, errors = capsys.readouterr()
    assert ("[ok] mail: published" in (errors if wanted else output)) is True
    if wanted:
        assert json.loads(output) == {"ok": True, "checks": [{"ok": True, "what": "mail", "seen": "published"}]}


def test_cells_and_columns_of_a_hostile_export_are_shown_and_not_run(tmp_path: Path) -> None:
    lines = [f"{LONG_AGO + minute * MINUTE:%Y-%m-%dT%H:%MZ},{2e12},=cmd|'/c calc'!A1" for minute in range(120)]
    head = ["# FileSystemId: <script>alert(1)</script>", "# Region: <img/src=x/onerror=alert(2)>"]
    columns = "time,BurstCreditBalance,<script>alert(3)</script>"
    export_file, out = tmp_path / "hostile.csv", tmp_path / "page.html"
    export_file.write_text("\n".join([*head, columns, *lines]))
    assert run("report", "--from", str(export_file), "--out", str(out)).exit_code == 0
    page = out.read_text()
    assert "alert(3)" in page
    assert [word for word in ("<script>alert", "<img/src", "<img") if word in page] == []


def test_the_release_is_said() -> None:
    found = run("--version")
    assert (found.exit_code, found.stderr) == (0, "")
    assert re.fullmatch(r"efs-monitor (\d+\.\d+\.\d+|in \S+, not installed)\n", found.stdout)
