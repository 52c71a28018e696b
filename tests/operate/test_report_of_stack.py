"""`efs-monitor report --stack` as a person types it: what the page cannot show, the terminal tells too."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from operate.cli import app
from tests.operate.conftest import HEALTHY, STACK_NAME, Operated

type Reported = Callable[..., Result]
UNKNOWN = "CloudWatch remembers nothing of alarms called efs-monitor-nobody-…: see whether that is the stack's name"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "page.html"


@pytest.fixture
def report(operated: Operated, out: Path) -> Reported:
    """Writes the page of a stack of this name."""
    del operated

    def run(stack: str, *words: str) -> Result:
        arguments = ["report", HEALTHY.file_system_id, "--days", "1", "--fresh", "--stack", stack, "--out", str(out)]
        return CliRunner().invoke(app, [*arguments, *words])

    return run


@pytest.mark.whole
def test_a_stack_that_no_alarm_is_of_is_told_in_the_terminal_as_on_the_page(report: Reported, out: Path) -> None:
    found = report("efs-monitor-nobody")
    assert (found.exit_code, found.stdout) == (0, f"{out}\n")
    assert " ".join(found.stderr.split()) == UNKNOWN
    assert max(map(len, found.stderr.splitlines())) <= 80
    page = out.read_text()
    assert f"<li>{UNKNOWN.replace("'", '&#39;')}.</li>" in page
    assert "?." not in page.partition("</header>")[0]


def test_as_json_the_remark_is_in_it_and_on_standard_error(report: Reported) -> None:
    found = report("efs-monitor-nobody", "--json")
    assert UNKNOWN in json.loads(found.stdout)["remarks"]
    assert " ".join(found.stderr.split()) == UNKNOWN


def test_of_a_stack_that_there_is_the_terminal_tells_the_page_alone(report: Reported, out: Path) -> None:
    found = report(STACK_NAME)
    assert (found.exit_code, found.stdout, found.stderr) == (0, f"{out}\n", "")
