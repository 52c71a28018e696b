"""Evenings drawn from seeds, a few of those that the proof of figures lives through, and some that no seed draws."""

from pathlib import Path

import pytest

from proofs.figures.evenings import evening
from proofs.figures.proof import wrong_figures
from stage.direct_deployment import DirectDeployer
from stage.runs import played
from stage.scenario import read

# More than its Region permits is earned, or all but a hundredth of it; from little or nothing, driven at the cap.
A_CAPPED_EVENING = """
about = "A balance that was low before the file system grew"
days = 0.04

[file_system]
size_gib = {size_gib}
balance_percent = {balance_percent}
regional_cap_mib_per_second = 1024

[[load]]
from = "00:00"
to = "00:50"
write_mib_per_second = 1100

[[deploy]]
at = "00:20"
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


@pytest.mark.days
@pytest.mark.parametrize("seed", [0, 3])
def test_the_mails_of_an_evening_after_a_return_from_elastic_are_right(seed: int, built: Path, tmp_path: Path) -> None:
    assert evening(seed).mode == "elastic"
    with played(evening(seed), tmp_path, deployer_of=DirectDeployer) as result:
        assert any("FIGURES" in mail.body for mail in result.sandbox.mailbox.mails)
        assert wrong_figures(result) == []


@pytest.mark.parametrize(("size_gib", "balance_percent"), [(30_720, 4), (30_720, 0), (20_900, 4)])
def test_the_mails_about_credits_that_change_nothing_are_right(
    size_gib: int, balance_percent: int, built: Path, tmp_path: Path
) -> None:
    text = A_CAPPED_EVENING.format(size_gib=size_gib, balance_percent=balance_percent)
    with played(read("capped", text), tmp_path, deployer_of=DirectDeployer) as result:
        mails = [mail for mail in result.sandbox.mailbox.mails if "FIGURES" in mail.body]
        assert mails
        assert all("credits change nothing" in mail.subject and "WHAT TO DO" not in mail.body for mail in mails)
        assert wrong_figures(result) == []
