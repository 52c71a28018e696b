"""Which other stacks for the same file system a stack may tell people to delete."""

import pytest
from efs_monitor.stack_identity import others_that_stay


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
    ],
)
def test_a_stack_tells_of_others_but_for_smoke_stacks(
    stack_name: str, others: tuple[str, ...], told: tuple[str, ...]
) -> None:
    assert others_that_stay(stack_name, others) == told
