"""`make prove`: the long proofs, one after the other, each beside the time it may take."""

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from operate.interruption import Interrupted
from operate.terminal import wrapped
from tools import child_process

PROJECT = Path(__file__).parent.parent


@dataclass(frozen=True, kw_only=True)
class Proof:
    """One proof: what it shows, the seconds it may take on two processors, and the module and arguments to run."""

    shows: str
    budget_seconds: int
    run: tuple[str, ...]


STEPS = {
    "days": Proof(
        shows="a stack lives through whole days as it should",
        budget_seconds=480,
        run=("pytest", "-q", "-m", "days", "--numprocesses", "auto", "tests"),
    ),
    "typed": Proof(
        shows="everything that is printed or documented to be typed can be, with the real command lines",
        budget_seconds=90,
        run=("pytest", "-q", "-m", "typed and not long", "--numprocesses", "auto", "tests"),
    ),
    "scenarios": Proof(
        shows="every scenario goes as its file states, deployed by the real sam, or with nothing mounted",
        budget_seconds=400,
        run=("pytest", "-q", "-m", "long", "tests/stage/test_scenarios.py"),
    ),
    "bundle": Proof(
        shows="the same sources make the same bundle, and it deploys on a Debian that has the AWS command line alone",
        budget_seconds=400,
        run=("proofs.bundle",),
    ),
    "examples": Proof(
        shows="Terraform and CDK read their examples, where they can be had",
        budget_seconds=180,
        run=("proofs.examples",),
    ),
    "sam": Proof(
        shows="of two stacks that share a folder in SAM's bucket, deleting one takes the other's code",
        budget_seconds=60,
        run=("pytest", "-q", "-m", "long", "tests/localaws/cloudformation/test_sam_deploy.py"),
    ),
    "more": Proof(
        shows="what CI tries holds with more values and from more sides: updates, modes, orders of deployment",
        budget_seconds=1200,
        run=("pytest", "-q", "-m", "more", "--numprocesses", "auto", "--dist", "worksteal", "tests"),
    ),
    "properties": Proof(
        shows="formulas and mails keep their promises for a hundred times as many examples, drawn anew",
        budget_seconds=900,
        run=("pytest", "-q", "-m", "hypothesis", "--hypothesis-profile", "many", "-n", "auto", "tests/unit"),
    ),
    "privileges": Proof(
        shows="each action of each statement is needed, and reaches no further",
        budget_seconds=90,
        run=("pytest", "-q", "tests/stage/privileges"),
    ),
    "speed": Proof(
        shows="on an idle machine, mounts, benchmarks and refusals take as long as they must and no longer",
        budget_seconds=240,
        run=("pytest", "-q", "-m", "speed", "tests"),
    ),
    "bare": Proof(
        shows="Debian 13 and 12 with git, make and Python run the README's commands and make bench, as root and not",
        budget_seconds=5400,
        run=("proofs.bare",),
    ),
    "nfs": Proof(
        shows="on a real NFS mount the benchmark harms nothing and leaves nothing, whatever befalls server and clients",
        budget_seconds=7200,
        run=("proofs.nfs",),
    ),
    "faults": Proof(
        shows="whatever fails in a run, no alarm, transition or mail is lost; writes docs/reliability.md",
        budget_seconds=2400,
        run=("proofs.faults",),
    ),
    "fleet": Proof(
        shows="whatever fails in a run of the fleet, the next ones make it good; writes docs/reliability.md",
        budget_seconds=600,
        run=("proofs.fleet",),
    ),
    "fuzz": Proof(
        shows="100,000 events nobody should send are refused with a sentence, without a call",
        budget_seconds=120,
        run=("proofs.fuzz",),
    ),
    "figures": Proof(
        shows="every figure of the mails of 26 evenings and 59 lives, all drawn, is that of a second calculation",
        budget_seconds=900,
        run=("proofs.figures",),
    ),
    "backtest": Proof(
        shows="a backtest tells what 200 lives were told, and advice is as good as trying everything; writes its page",
        budget_seconds=2400,
        run=("proofs.backtest",),
    ),
    "agreement": Proof(
        shows="backtest, report, mails and dashboard say the same of each minute of more scenarios, and of 300 lives",
        budget_seconds=600,
        run=(
            *("pytest", "-q", "-m", "long"),
            *("tests/stage/test_backtest.py", "tests/stage/test_reports.py", "tests/unit/operate/test_agreement.py"),
        ),
    ),
    "incidents": Proof(
        shows="over 330 months nothing of an incident is missed and nothing is noise; writes docs/reliability.md",
        budget_seconds=5400,
        run=("proofs.incidents",),
    ),
    "mutants": Proof(
        shows="a wrong rule, mail, benchmark or model is noticed by the tests: 95 of 100 small changes of each",
        budget_seconds=3600,
        run=("proofs.mutants",),
    ),
}


def main(names: list[str]) -> int:
    """Run the named steps, or all; the exit status says whether every one held. Too slow is said, and no failure."""
    if unknown := [name for name in names if name not in STEPS]:
        print(wrapped(f"There is no proof {', '.join(unknown)}; there are {', '.join(STEPS)}"), file=sys.stderr)
        return 2
    lines = []
    held = True
    for name in names or STEPS:
        step = STEPS[name]
        print(f"\n{wrapped(f'{name}: {step.shows} (within {step.budget_seconds} s)')}", flush=True)
        started = time.monotonic()
        status = _run(step)
        seconds = time.monotonic() - started
        held = held and status == 0
        outcome = "held" if status == 0 else "FAILED"
        slow = ", over its time" if seconds > step.budget_seconds else ""
        lines.append(f"{name:<12} {outcome:<7} {seconds:5.0f} of {step.budget_seconds} s{slow}")
    print("\n" + "\n".join(lines))
    return 0 if held else 1


def _run(step: Proof) -> int:
    """The exit status of a proof, which itself says that it was interrupted."""
    command = [sys.executable, "-m", "tools.run", *step.run]
    # pytest keeps the folders that it made.
    with tempfile.TemporaryDirectory(prefix="efs-monitor-proof-", ignore_cleanup_errors=True) as own:
        # Whoever a benchmark's script becomes must get through to what is made here.
        Path(own).chmod(0o755)
        try:
            return child_process.run(command, cwd=PROJECT, env={**os.environ, "TMPDIR": own}).returncode
        except KeyboardInterrupt as interrupt:
            raise Interrupted("") from interrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
