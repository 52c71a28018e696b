"""A share of the cases of `make prove PROOF=faults`, drawn anew from a fixed seed."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from proofs.faults import proof
from proofs.faults.cases import KILLED, Case
from proofs.faults.proof import CaseMissing, every_function_has_situations, outcomes
from proofs.faults.situations import SITUATIONS
from proofs.faults.trial import Trial, lived
from proofs.faults.world import World, world

SEED = 3
SHARE_OF_A_SITUATION = 3
# What the whole invention is about: at the very least these are lived through in every test run.
ALWAYS = ("raise", "resume while low", "suspend")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("faults")) as one:
        yield one


@pytest.fixture(scope="module")
def undisturbed(made: World) -> dict[str, Trial]:
    """Each situation with nothing going wrong."""
    return {str(situation): lived(made, situation) for situation in SITUATIONS}


def test_every_function_of_the_template_is_proven() -> None:
    every_function_has_situations()


def test_a_function_without_a_situation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "SITUATIONS", [one for one in SITUATIONS if one.function != "explain"])
    with pytest.raises(CaseMissing, match="is about explain: give the function one for every path"):
        every_function_has_situations()


@pytest.mark.parametrize("index", range(len(SITUATIONS)), ids=[str(one) for one in SITUATIONS])
def test_whatever_fails_what_must_hold_holds(made: World, index: int) -> None:
    random = Random(f"{SEED} {SITUATIONS[index]}")  # noqa: S311 - no secret

    def share(found: Sequence[Case]) -> list[Case]:
        chosen = random.sample(found, min(SHARE_OF_A_SITUATION, len(found)))
        if SITUATIONS[index].name in ALWAYS and SITUATIONS[index].function == "recalculate_thresholds":
            killed = [
                case for case in found if case.column == KILLED and case.row in {"PutMetricAlarm", "SetAlarmState"}
            ]
            return [*chosen, *killed]
        return chosen

    broken = [f"{one.case}: {sentence}" for one in outcomes(made, SITUATIONS[index], share) for sentence in one.broken]
    assert broken == []
