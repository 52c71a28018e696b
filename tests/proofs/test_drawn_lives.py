"""Lives drawn from seeds, a few of those that the proof of figures lives through."""

from pathlib import Path

import pytest

from proofs.figures.drawn_lives import DAY_MINUTES, KNOWN_TO_BE_OFF, LIVES, life
from proofs.figures.proof import wrong_figures
from stage.direct_deployment import DirectDeployer
from stage.runs import played


def test_a_seed_draws_the_same_life_again_and_every_one_can_be_read() -> None:
    drawn = [life(seed) for seed in range(LIVES)]
    assert drawn == [life(seed) for seed in range(LIVES)]
    assert all(1.5 * DAY_MINUTES <= one.minutes <= 2.5 * DAY_MINUTES for one in drawn)
    # Each kind of change is in some of them.
    assert {name for one in drawn for change in one.changes for name, value in vars(change).items() if value} >= {
        "mode",
        "size_bytes",
        "metrics_stop_for_minutes",
    }
    assert KNOWN_TO_BE_OFF.keys() <= set(range(LIVES))


@pytest.mark.days
@pytest.mark.parametrize("seed", [3, 26])
def test_the_figures_of_a_life_are_those_of_a_second_calculation(seed: int, built: Path, tmp_path: Path) -> None:
    assert built.is_dir()
    with played(life(seed), tmp_path, deployer_of=DirectDeployer) as lived:
        assert wrong_figures(lived) == []
        assert lived.sandbox.mailbox.mails
