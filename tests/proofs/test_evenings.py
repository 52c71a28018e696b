"""Evenings drawn from seeds, a few of those that the proof of figures lives through."""

from pathlib import Path

import pytest

from proofs.figures.evenings import evening
from proofs.figures.proof import wrong_figures
from stage.direct_deployment import DirectDeployer
from stage.runs import played


@pytest.mark.days
@pytest.mark.parametrize("seed", [0, 3])
def test_the_mails_of_an_evening_after_a_return_from_elastic_are_right(seed: int, built: Path, tmp_path: Path) -> None:
    assert evening(seed).mode == "elastic"
    with played(evening(seed), tmp_path, deployer_of=DirectDeployer) as result:
        assert any("FIGURES" in mail.body for mail in result.sandbox.mailbox.mails)
        assert wrong_figures(result) == []
