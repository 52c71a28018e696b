"""What is wrong with a variable of make is said in make's words, and each that is right is an option of efs-monitor."""

import os
import re
import shlex
import subprocess

import pytest
from efs_monitor.benchmarks.profiles import PROFILES
from efs_monitor.benchmarks.workloads import GREATEST_SIZE_MIB, OWN_SIZE, SMALLEST_SIZE_MIB
from typer.testing import CliRunner

from operate.cli import app
from operate.environment import Refused, chosen_stack
from operate.standard_output import UNREAD_STATUS
from stage.sam_deployment import PROJECT

KNOWN = " or ".join(", ".join(PROFILES).rsplit(", ", 1))
SIZES = f"from {SMALLEST_SIZE_MIB} to {GREATEST_SIZE_MIB}, or {OWN_SIZE}"
MAKEFILE = (PROJECT / "Makefile").read_text()


def run_by(*words: str) -> list[str]:
    """What the last line of a verb of make runs in place of Python: it is not run, only told."""
    made = [f"--old-file={one}" for one in ("setup", "build")]
    # Of the shell, a variable would count as one that was given.
    bare = {"PATH": os.environ["PATH"]}
    told = ["make", "--silent", *made, "PYTHON=echo", *words]
    done = subprocess.run(told, cwd=PROJECT, capture_output=True, text=True, check=True, env=bare)
    return shlex.split(done.stdout.splitlines()[-1])


def test_what_an_operator_makes_is_run_by_the_command_line_and_by_nothing_else() -> None:
    assert set(re.findall(r"-m (operate[\w.]*)", MAKEFILE)) == {"operate"}


@pytest.mark.parametrize(
    ("verb", "runs"),
    [
        ("backtest", "--from hungry"),
        ("advise ARGS=--days=3", "--days=3"),
        ("report", "--from hungry --out out/report.html"),
        ("report ARGS='fs-1 --stack home'", "fs-1 --stack home --out out/report.html"),
        ("report ARGS='--from calm --out page.html'", "--from calm --out page.html"),
        ("report ARGS=--out=page.html", "--out=page.html"),
        ("drill ENV=home", "--environment home"),
        ("drill STACK=efs-monitor-home FORCE=1", "--stack efs-monitor-home --force"),
        ("benchmark ENV=home", "--environment home"),
        # Which of the two is meant the command asks: one of them may be a variable of the shell.
        ("drill ENV=home STACK=other", "--stack other --environment home"),
        ("drill", ""),
        (
            "benchmark STACK=one PROFILE=tutorial SIZE_MIB=64 INSTANCES=i-1,i-2 ACCEPT_GIB=1.5",
            "--stack one --workloads tutorial --size-mib 64 --instances i-1,i-2 --accept-gib 1.5",
        ),
        ("smoke ENV=home", "home --build"),
    ],
)
def test_a_verb_is_the_command_of_its_name_and_a_variable_its_option(verb: str, runs: str) -> None:
    words = shlex.split(verb)
    assert run_by(*words) == ["-m", "operate", words[0], *shlex.split(runs)]


def refused_by_make(*words: str) -> str:
    """Why make refuses such words before it runs anything."""
    done = subprocess.run(
        ["make", "--silent", "--old-file=setup", "PYTHON=false", *words],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr.partition("*** ")[2].strip()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("backtest ARG=--days=3", "No verb takes ARG: ARGS may be meant.  Stop."),
        ("local-invoke HOLDD=1", "No verb takes HOLDD: HOLD may be meant.  Stop."),
        ("demo SCENARI=calm", "No verb takes SCENARI: SCENARIO may be meant.  Stop."),
        ("demo colour=red", "No verb takes colour: `make help` names what each takes.  Stop."),
    ],
)
def test_a_variable_that_no_verb_takes_is_refused_with_the_nearest_one(given: str, said: str) -> None:
    assert refused_by_make(*given.split()) == said


def test_smoke_that_is_given_a_stack_says_why_it_takes_none() -> None:
    said = refused_by_make("smoke", "STACK=efs-monitor-home", "ENV=home")
    assert said == "smoke takes ENV and no STACK: it deploys one.  Stop."


def test_each_variable_that_the_makefile_reads_is_one_that_may_be_given_and_help_names_it() -> None:
    own = re.findall(r"^(?:export )?([A-Z_]+) [:?]?=", MAKEFILE, re.MULTILINE)
    read = re.findall(r"\$(?:\(|\$)([A-Z_]+)\b", MAKEFILE)
    names = {*read} - {*own, "CURDIR", "MAKE", "MAKEFILE_LIST"}
    assert names == {*re.findall(r"^READ := (.*)$", MAKEFILE, re.MULTILINE)[0].split()}
    helped = " ".join(re.findall(r"## (.*)$", MAKEFILE, re.MULTILINE))
    assert names <= {*re.findall(r"[A-Z_]+", helped)}


@pytest.mark.parametrize(
    "given", ["AWS_PROFILE=home", "PYTHON313=/usr/bin/python3.13", "HTTPS_PROXY=http://proxy:3128"]
)
def test_what_tools_read_of_the_environment_may_be_given_to_make(given: str) -> None:
    assert run_by("drill", "ENV=home", given) == ["-m", "operate", "drill", "--environment", "home"]


@pytest.mark.parametrize("value", ['"', "a b", "it's", "`ls`"])
@pytest.mark.parametrize(
    ("verb", "variable"),
    [("demo", "SCENARIO"), ("sandbox", "SCENARIO"), ("invoke", "FN"), ("drill", "STACK"), ("benchmark", "INSTANCES")],
)
def test_a_value_is_what_was_typed_whatever_signs_are_in_it(verb: str, variable: str, value: str) -> None:
    lists_its_words = r"""PYTHON=sh -c 'printf "%s\n" "$$@"' sh"""
    done = subprocess.run(
        ["make", "--silent", "--old-file=setup", lists_its_words, verb, f"{variable}={value}"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
    )
    assert value in done.stdout.splitlines()


@pytest.mark.parametrize("verb", ["backtest", "advise", "report", "demo", "sandbox", "invoke", "local-invoke"])
@pytest.mark.parametrize(
    ("status", "words"), [(f"$${UNREAD_STATUS}", ""), ("1", "Error 1"), ("2", "Error 2")], ids=["unread", "1", "2"]
)
def test_whoever_has_read_enough_of_an_answer_is_told_of_no_error(verb: str, status: str, words: str) -> None:
    """`make backtest | head`: make would say on standard error that the command ended with 141, so it asks for 0."""
    command = f"PYTHON=sh -c 'exit {status}'"
    done = subprocess.run(
        ["make", "--silent", "--old-file=setup", command, verb],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
    )
    assert done.returncode == (2 if words else 0)
    assert done.stderr.strip().endswith(words)
    assert bool(done.stderr) is bool(words)


def test_a_stack_that_is_not_named_is_asked_for() -> None:
    with pytest.raises(Refused, match=r"add ENV=home for an environment .* or STACK=efs-monitor-home"):
        chosen_stack("", "", "")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--accept-gib=-1", "--accept-gib is '-1': give a number of GiB above zero (with make: ACCEPT_GIB)"),
        ("--accept-gib=nan", "--accept-gib is 'nan'"),
        ("--accept-gib=inf", "--accept-gib is 'inf'"),
        ("--accept-gib=much", "--accept-gib is 'much'"),
        ("--size-mib=abc", f"--size-mib is 'abc': give a whole number of MiB {SIZES} (with make: SIZE_MIB)"),
        ("--size-mib=-5", "--size-mib is '-5'"),
        ("--size-mib=8", "--size-mib is '8'"),
        ("--workloads=fast", f"--workloads is 'fast': give {KNOWN} (with make: PROFILE)"),
        (
            "--instances=i-xyz",
            "--instances is 'i-xyz': give ids such as i-0123456789abcdef0, separated by commas (with",
        ),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_variable(option: str, said: str) -> None:
    found = CliRunner().invoke(app, ["benchmark", "--stack", "efs-monitor-home", option])
    assert found.exit_code == 2
    assert said in " ".join(found.stderr.split())


@pytest.mark.parametrize("option", ["--instances=i-01234567, i-0123456789abcdef0,", "--instances=", "--size-mib=0"])
def test_a_value_that_can_be_is_none_that_stands_in_the_way(option: str) -> None:
    found = CliRunner().invoke(app, ["benchmark", "--stack", "one", "--environment", "two", option])
    assert found.stderr.startswith("Both a stack (one) and an environment (two) were given")
