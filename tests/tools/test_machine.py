"""What a machine lacks is told in one line, and skips what needs it and nothing else."""

import pytest

from tests.machine import is_here, missing_line


def test_a_command_is_here_where_it_can_be_found() -> None:
    assert is_here("sh")
    assert not is_here("no-such-command-anywhere")


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
