"""A scenario cannot change the throughput mode where AWS would not, unless its file says so."""

import pytest

from stage.scenario import read
from stage.scenario_tables import ScenarioError

HEAD = """
about = "of a test"
days = 3
[file_system]
size_gib = 100
"""


def change(at: str, mode: str, rest: str = "") -> str:
    return f'[[change]]\nat = "{at}"\nmode = "{mode}"\n{rest}\n'


def provisioned(at: str, mebibytes_per_second: int, rest: str = "") -> str:
    return change(at, "provisioned", f"provisioned_mib_per_second = {mebibytes_per_second}\n{rest}")


@pytest.mark.parametrize(
    "changes",
    [
        change("06:00", "elastic") + change("1d 05:59", "bursting"),
        provisioned("06:00", 64) + provisioned("07:00", 63),
        provisioned("06:00", 64) + change("1d 05:00", "elastic"),
        # One that goes round the lock does not make the next one free.
        change("06:00", "elastic") + change("07:00", "bursting", "despite_mode_lock = true") + provisioned("08:00", 64),
    ],
)
def test_a_second_change_within_24_hours_is_refused(changes: str) -> None:
    with pytest.raises(ScenarioError, match="comes within 24 hours of that at 0d 06:00, and AWS would refuse it"):
        read("locked", HEAD + changes)


def test_a_raise_of_the_provisioned_rate_is_never_refused_and_begins_the_24_hours_anew() -> None:
    raised = provisioned("06:00", 64) + provisioned("07:00", 128)
    assert read("free", HEAD + raised + change("1d 07:00", "elastic")).changes
    for later in (change("1d 06:59", "elastic"), provisioned("1d 06:59", 127)):
        with pytest.raises(ScenarioError, match="comes within 24 hours of that at 0d 07:00, and AWS would refuse it"):
            read("locked", HEAD + raised + later)


def test_the_sentence_says_when_it_may_be_and_how_to_have_it_nevertheless() -> None:
    with pytest.raises(ScenarioError) as refused:
        read("locked", HEAD + change("06:00", "elastic") + change("09:30", "bursting"))
    assert str(refused.value) == (
        "Scenario locked: the [[change]] of throughput at 0d 09:30 comes within 24 hours of that at 0d 06:00, and AWS "
        "would refuse it: move it to 1d 06:00, or say despite_mode_lock = true"
    )


@pytest.mark.parametrize(
    "changes",
    [
        change("06:00", "elastic") + change("1d 06:00", "bursting"),
        change("06:00", "elastic") + change("07:00", "bursting", "despite_mode_lock = true"),
        provisioned("06:00", 64) + provisioned("07:00", 128) + provisioned("08:00", 128),
        change("06:00", "elastic") + change("07:00", "elastic"),
    ],
)
def test_what_aws_permits_or_the_file_says_is_read(changes: str) -> None:
    assert read("free", HEAD + changes).changes
