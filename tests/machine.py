"""What only some machines have: a test says what it needs, is skipped without it, and one line tells what was missing.

`@pytest.mark.needs("rsync")` names a command; `root` and `FUSE` are whether this process is root and can mount, and a
`place to copy` is what root makes for copying tools in a mount namespace, which a chroot does not let it have.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterable

import pytest

SKIPPED = "Skipped: "


def is_here(need: str) -> bool:
    """Whether this machine has what a test says it needs."""
    if need == "root":
        return os.geteuid() == 0
    # Not at the top: tests of values need not wait until a local AWS is imported.
    from localaws.ssm.host import SYSTEM_PATH
    from stage.measuring.script import has_place_to_copy
    from stage.mount.mounted import ModelledMount

    if need == "place to copy":
        return has_place_to_copy()
    if need == "FUSE":
        return ModelledMount.why_not() is None
    # What an instance's script finds counts, and what a developer has beside it.
    return shutil.which(need, path=f"{SYSTEM_PATH}:{os.environ['PATH']}") is not None


def missing_line(reasons: Iterable[str]) -> str:
    """What was missing, most missed first, with how many tests were skipped for it; empty where nothing was."""
    counts = Counter(reason.removeprefix(SKIPPED).removeprefix("needs ") for reason in reasons)
    told = [f"{reason} ({count})" for reason, count in counts.most_common()]
    return f"Missing here, tests skipped: {', '.join(told)}" if told else ""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="run all that CI runs, and fail when a test is skipped")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*names): skipped, by name, on a machine that lacks one of them")
    config.addinivalue_line("markers", "speed: says how fast something is; left to `make prove PROOF=speed`")
    config.addinivalue_line("markers", "days: lives through whole days; left to `make prove PROOF=days`")
    config.addinivalue_line("markers", "whole: takes a second or more; left to `make test WHOLE=1`, which CI runs")
    config.addinivalue_line(
        "markers", "more: tries again what CI tries, with other values; left to `make prove PROOF=more`"
    )
    config.addinivalue_line("markers", "typed: types what is printed or documented; left to `make prove`")
    config.addinivalue_line("markers", "long: proves in more time what another test does; left to `make prove`")


def pytest_runtest_setup(item: pytest.Item) -> None:
    needs = [name for marker in item.iter_markers("needs") for name in marker.args]
    if lacking := [need for need in needs if not is_here(need)]:
        pytest.skip(f"needs {lacking[0]}")


def _skips(terminal: pytest.TerminalReporter) -> list[str]:
    return [report.longrepr[2] for report in terminal.stats.get("skipped", []) if isinstance(report.longrepr, tuple)]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal and session.config.getoption("--whole") and terminal.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if line := missing_line(_skips(terminalreporter)):
        terminalreporter.write_line(line, red=config.getoption("--whole"))
