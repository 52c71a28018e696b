"""Figures that are the same for every file system, by AWS's user guide and price list."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import Comparison, claim
from proofs.figures.known import Known
from proofs.list_prices import PROVISIONED_DOLLARS_A_MIB_SECOND, STANDARD_STORAGE_DOLLARS_A_GB

PROVISIONED = re.escape(f"${PROVISIONED_DOLLARS_A_MIB_SECOND:.2f}")
STANDARD_STORAGE = re.escape(f"${STANDARD_STORAGE_DOLLARS_A_GB:.2f}")


# What is the same for every file system; by AWS's user guide and price list.
@claim(r"operation is counted as 32 KiB or more, one on metadata as 4 KiB or more")
@claim(r"on the Warning and Critical topics, if they were gone before within 20 hours")
@claim(r"Whether the last 24 hours would have lasted on credits is not known")
@claim(r"(?:It|and) locks the mode for 24 hours once more")
@claim(r"throughput(?:, N in MiB/s)?(?:, if AWS takes it)? \(locks the mode for 24 hours\)")
@claim(r"in the last 24 hours cost at least")
@claim(r"the mode was changed less than 24 hours ago")
@claim(r"in us-east-1 it ends at 3,414 MiB/s, unless AWS Support has raised that quota, and this load needs more")
@claim(r"The balance fell more than once in the last 24 hours|and the balance fell more than once in it: the next")
@claim(r"AWS allows one change of mode in 24 hours")
@claim(r"Limits: for 24 hours afterwards no change of mode and no decrease")
@claim(r"No lock keeps anybody from an increase, which begins the 24 hours anew")
@claim(r"(?:either|it) would lock the throughput mode for 24 hours")
@claim(r"unless the mode was changed in the last 24 hours, and locks it for 24 hours")
@claim(rf"a whole TiB more(?: in Standard storage)? earns only 50 MiB/s \({STANDARD_STORAGE} per GB-month")
@claim(r"50 MiB/s per TiB stored(?:, at least 1 MiB/s)?")
@claim(rf"{PROVISIONED} per MiB/s-month above what the size earns\.")
@claim(r"Balance, drawn over 12 hours")
@claim(r"used more than 80 % of the throughput that it is permitted, in 6 of the last 10 minutes. Close to 100 %")
@claim(r"is above 95 % of the file operations that General Purpose performance mode allows, for 15 minutes")
def _always_so(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    del known, told
    yield from ()
