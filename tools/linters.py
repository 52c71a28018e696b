"""The linters of `make lint` and `make security`, as many at once as there are processors.

    python -m tools.linters lint|security

What one says is printed when it has ended: folded to 80 columns, but as it is where it objects, for it may point into a
line of code. Ctrl-C is heard here alone: a linter has a session of
its own, in which no terminal interrupts it, and would answer with its own stack trace, or not at all.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from operate.terminal import wrapped

LOOK_AGAIN_SECONDS = 0.05
# The judges' own environment has no translator, and the project's has no judges.
JUDGES = ".venv-lint/bin"
GIVEN = Path("out/judges")
WRITTEN = "template.yaml fleet.yaml"
OURS_BESIDE_SRC = "localaws stage simulation operate tools"


@dataclass(frozen=True, kw_only=True)
class Linter:
    """Command lines that are run one after the other, as long as each succeeds."""

    called: str
    commands: Sequence[str]


def linters(verb: str) -> list[Linter]:
    """The linters of a verb of make, what takes longest first; KeyError where it has none."""
    functions = " ".join(sorted(map(str, Path("src/functions").glob("*/app.py"))))
    return {
        "lint": [
            Linter(
                called="mypy",
                commands=[f"mypy src/layers/efs_monitor/efs_monitor {functions} {OURS_BESIDE_SRC} tests proofs"],
            ),
            Linter(
                called="cfn-lint and sam validate",
                # As they are written; as transformed the tests hold them.
                commands=[f"cfn-lint --regions us-east-1 eu-central-1 -- {WRITTEN}", "sam validate --lint"],
            ),
            Linter(called="samconfig.toml", commands=[f"{sys.executable} -m tools.samconfig"]),
            Linter(called="import-linter", commands=["lint-imports --no-cache --no-logo"]),
            Linter(called="ruff", commands=["ruff check .", "ruff format --check ."]),
        ],
        "security": [
            Linter(called="checkov", commands=[f"{JUDGES}/checkov --config-file .checkov.yaml"]),
            Linter(
                called="cloudformation-validate",
                commands=[
                    f"{sys.executable} -m tools.judges.given transformed {GIVEN}/transformed.json",
                    f"{JUDGES}/python -m tools.judges.template_validation {GIVEN}/transformed.json {WRITTEN}",
                ],
            ),
            Linter(
                called="policy_sentry",
                commands=[
                    f"{sys.executable} -m tools.judges.given statements {GIVEN}/statements.json",
                    f"{JUDGES}/python -m tools.judges.privileges {GIVEN}/statements.json",
                ],
            ),
            Linter(
                called="bandit",
                commands=[
                    f"{JUDGES}/bandit --quiet --recursive src",
                    f"{JUDGES}/bandit --quiet --configfile .bandit.yaml --recursive {OURS_BESIDE_SRC}",
                ],
            ),
        ],
    }[verb]


class LinterMissing(Exception):
    """A linter is not installed; the text says what to do."""


class _Run:
    """A linter that runs: its command of now, and what all of them have said so far."""

    def __init__(self, linter: Linter, folder: Path) -> None:
        self.called = linter.called
        self._rest = list(linter.commands)
        self._said = folder / linter.called.replace(" ", "-")
        self._environment = {
            **os.environ,
            "TMPDIR": str(folder),
            # import-linter knows the functions by their folder.
            "PYTHONPATH": f"src:{os.environ.get('PYTHONPATH', '')}",
        }
        self._process = self._next()

    def _next(self) -> subprocess.Popen[bytes]:
        words = shlex.split(self._rest.pop(0))
        if shutil.which(words[0]) is None:
            raise LinterMissing(f"{words[0]} is missing: call it by make, which installs what a verb needs")
        with self._said.open("ab") as said:
            return subprocess.Popen(
                words,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def status(self) -> int | None:
        """The exit status; None while it runs."""
        status = self._process.poll()
        if status == 0 and self._rest:
            self._process = self._next()
            return None
        return status

    @property
    def told(self) -> str:
        """The name of the linter, and what it said."""
        said = self._said.read_text(encoding="utf-8", errors="replace").strip()
        return f"{self.called}:\n{said}" if said else f"{self.called}: nothing to say"

    def end(self) -> None:
        """Kill the process, and what it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def run(wanted: Sequence[Linter], at_once: int) -> int:
    """The number of linters that object; each is told of when it ends."""
    waiting, running, objecting = list(wanted), list[_Run](), 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            while waiting or running:
                while waiting and len(running) < at_once:
                    running.append(_Run(waiting.pop(0), Path(folder)))
                for one, status in list(_ended(running)):
                    running.remove(one)
                    objecting += status != 0
                    print(wrapped(one.told) if status == 0 else f"{one.told}\n{one.called} objects.", flush=True)
                time.sleep(LOOK_AGAIN_SECONDS)
        finally:
            for one in running:
                one.end()
    return objecting


def _ended(running: Sequence[_Run]) -> Iterator[tuple[_Run, int]]:
    for one in running:
        status = one.status()
        if status is not None:
            yield one, status


def main(arguments: Sequence[str]) -> int:
    """0 where no linter objects."""
    try:
        (verb,) = arguments
        wanted = linters(verb)
    except (ValueError, KeyError):
        print(__doc__)
        return 2
    GIVEN.mkdir(parents=True, exist_ok=True)
    try:
        return 1 if run(wanted, os.cpu_count() or 1) else 0
    except LinterMissing as missing:
        print(wrapped(str(missing)), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
