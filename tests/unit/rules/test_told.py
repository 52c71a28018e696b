"""The memory of what was told survives anything that may be stored in its place."""

import json

import pytest
from efs_monitor.told import Told, told_from_json
from hypothesis import given
from hypothesis import strategies as st

HOME = "fs-0123456789abcdef0"

tolds = st.builds(
    Told,
    reference_bytes_per_second=st.none() | st.integers(1, 2**50),
    suspended=st.booleans(),
    conditions=st.frozensets(st.text(max_size=20), max_size=4),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=12), children, max_size=3),
    max_leaves=6,
)


@given(tolds)
def test_what_was_told_reads_back_as_it_was(told: Told) -> None:
    assert told_from_json(told.to_json(HOME), HOME) == told


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "{", '{"conditions": 7}', '{"reference_bytes_per_second": "x"}']
)
def test_an_empty_or_corrupt_memory_counts_as_nothing_told(text: str) -> None:
    assert told_from_json(text, HOME) == Told()


@given(st.dictionaries(st.sampled_from(["reference_bytes_per_second", "suspended", "conditions"]), json_values))
def test_no_stored_value_raises(stored: dict[str, object]) -> None:
    assert isinstance(told_from_json(json.dumps({"file_system_id": HOME, **stored}), HOME), Told)
