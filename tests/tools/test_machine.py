"""What a machine lacks is told in one line, and skips what needs it and nothing else."""

import re

import pytest

from stage.sam_deployment import PROJECT
from tests.machine import is_here, missing_line

NO_COMMANDS = {"root", "FUSE", "place to copy", "no-such-command-anywhere"}


def test_a_command_is_here_where_it_can_be_found() -> None:
    assert is_here("sh")
    assert not is_here("no-such-command-anywhere")


def test_whatever_command_a_test_needs_ci_installs() -> None:
    """There, nothing may be skipped: on a machine that has none of them, too."""
    marks = [
        found
        for path in sorted((PROJECT / "tests").rglob("*.py"))
        for found in re.findall(r"mark\.needs\(([^)]*)\)", path.read_text())
    ]
    needed = set(re.findall(r'"([^"]+)"', " ".join(marks))) - NO_COMMANDS
    assert needed
    installed = re.findall(r"^need (\S+) \S", (PROJECT / ".ci" / "run").read_text(), re.MULTILINE)
    assert sorted(needed - set(installed)) == []


def test_one_line_tells_what_was_missing_most_missed_first() -> None:
    reasons = ["Skipped: needs rsync", "Skipped: needs FUSE", "Skipped: needs FUSE", "Skipped: no Docker engine"]
    assert missing_line(reasons) == "Missing here, tests skipped: FUSE (2), rsync (1), no Docker engine (1)"


def test_where_nothing_is_missing_there_is_no_line() -> None:
    assert missing_line([]) == ""


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--whole"], 1)])
def test_a_test_that_is_skipped_fails_a_run_that_is_to_be_whole(
    pytester: pytest.Pytester, options: list[str], status: int
) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.needs("no-such-command-anywhere")
        def test_skipped():
            raise AssertionError

        def test_passes():
            pass
        """
    )
    done = pytester.runpytest_inprocess("-p", "tests.machine", "--strict-markers", *options)
    done.assert_outcomes(passed=1, skipped=1)
    done.stdout.fnmatch_lines(["Missing here, tests skipped: no-such-command-anywhere (1)"])
    assert done.ret == status
