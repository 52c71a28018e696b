"""Which other stacks for a file system a stack may tell people to delete, and what one is called that proves it."""

import pytest
from efs_monitor.stack_identity import LONGEST_STACK_NAME, others_that_stay, smoke_stack_name

LONG = "a" * LONGEST_STACK_NAME


@pytest.mark.parametrize(
    ("stack_name", "others", "told"),
    [
        ("home", ("second",), ("second",)),
        ("home", ("home-smoke",), ()),
        ("home", ("home-smoke", "second"), ("second",)),
        ("home", ("second", "second-smoke"), ("second",)),
        # It would ask for the deletion of what it proves.
        ("home-smoke", ("home",), ()),
        ("home-smoke", ("home", "second"), ()),
        # What is called so without a stack that it could prove is there to stay.
        ("home", ("gone-smoke",), ("gone-smoke",)),
        ("home-smoke", ("second",), ("second",)),
        ("home", ("home-smoke-smoke",), ("home-smoke-smoke",)),
        ("home", (), ()),
        # With the whole name CloudFormation would refuse it.
        (LONG, (LONG[:122] + "-smoke",), ()),
        (LONG[:122] + "-smoke", (LONG,), ()),
        (LONG, (LONG + "-smoke",), (LONG + "-smoke",)),
    ],
)
def test_a_stack_tells_of_others_but_for_smoke_stacks(
    stack_name: str, others: tuple[str, ...], told: tuple[str, ...]
) -> None:
    assert others_that_stay(stack_name, others) == told


@pytest.mark.parametrize("characters", [1, 121, 122, 123, 128])
def test_what_proves_a_stack_has_a_name_of_its_own_that_cloudformation_takes(characters: int) -> None:
    name = "a" * characters
    own = smoke_stack_name(name)
    assert own.endswith("-smoke")
    assert own != name
    assert len(own) == min(characters + 6, 128)
