"""What `make lint` and `make security` make of their linters."""

import shlex

import pytest

from tools.linters import Linter, linters, main, run


def shell(command: str) -> str:
    return f"sh -c {shlex.quote(command)}"


def test_what_each_says_is_told_when_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([Linter(called="slow", commands=["sleep 0.3"]), Linter(called="fast", commands=["echo fine"])], 2) == 0
    assert capsys.readouterr().out == "fast:\nfine\nslow: nothing to say\n"


def test_no_more_run_at_once_than_there_are_processors(capsys: pytest.CaptureFixture[str]) -> None:
    run([Linter(called="first", commands=["sleep 0.3"]), Linter(called="second", commands=["true"])], 1)
    assert capsys.readouterr().out == "first: nothing to say\nsecond: nothing to say\n"


def test_an_objection_fails_and_its_line_of_code_is_not_folded(capsys: pytest.CaptureFixture[str]) -> None:
    wide = "x" * 40 + " " + "y" * 60
    objects = Linter(called="ruff", commands=[shell(f"echo '{wide}' >&2; exit 3"), "echo never"])
    assert run([objects, Linter(called="wide", commands=[f"echo {wide}"])], 1) == 1
    first, second, *_ = wide.split()
    assert capsys.readouterr().out == f"ruff:\n{wide}\nruff objects.\nwide:\n{first}\n{second}\n"


def test_every_linter_of_a_verb_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    names = {verb: {one.called for one in linters(verb)} for verb in ("lint", "security")}
    assert names["lint"] == {"mypy", "ruff", "import-linter", "samconfig.toml", "cfn-lint and sam validate"}
    assert names["security"] == {"checkov", "cloudformation-validate", "policy_sentry", "bandit"}
    assert main(["format"]) == 2
    assert "python -m tools.linters" in capsys.readouterr().out


def test_one_that_is_not_installed_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.linters.linters", lambda verb: [Linter(called=verb, commands=["no-such-linter ."])])
    assert main(["lint"]) == 2
    assert capsys.readouterr().err == "no-such-linter is missing: call it by make, which installs what a verb needs\n"
