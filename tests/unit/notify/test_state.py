"""The memory of what was told survives anything that may be stored in its place."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.identity import EndedByMode
from efs_monitor.notify.other_mode import OtherMode
from efs_monitor.notify.state import (
    Driven,
    HealthNotifications,
    NotificationState,
    Part,
    Untold,
    notification_state_from_json,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.strategies import NOW

HOME = "fs-0123456789abcdef0"
NOON = datetime(2030, 1, 7, 12, tzinfo=UTC)

conditions = st.frozensets(st.text(max_size=20), max_size=4)
times = st.datetimes(min_value=datetime(2000, 1, 1)).map(lambda time: time.replace(tzinfo=UTC))
other_modes = st.builds(
    OtherMode,
    mode=st.sampled_from((ThroughputMode.ELASTIC, ThroughputMode.PROVISIONED)),
    provisioned_bytes_per_second=st.integers(0, 2**40),
    since=times,
    locked_since=times,
    balance_bytes=st.none() | st.floats(0, 2**60),
    told=st.none() | times,
    told_enough=st.booleans(),
)
incidents = st.builds(
    EndedByMode,
    alarms=st.lists(st.sampled_from(AlarmKind), max_size=4).map(tuple),
    began=st.none() | times,
    time=times,
)
tolds = st.builds(
    NotificationState,
    ended=st.none() | incidents,
    reference_bytes_per_second=st.none() | st.integers(1, 2**50),
    moved=st.none() | times,
    resumed=st.none() | times,
    driven=st.none() | st.builds(Driven, st.sampled_from(ThroughputMode), st.integers(0, 10**10), st.none() | times),
    untold=st.none() | st.builds(Untold, reference_bytes_per_second=st.integers(1, 2**50), since=times),
    suspended=st.booleans(),
    silent_since=st.none() | times,
    conditions=conditions,
    health=st.builds(
        HealthNotifications,
        conditions=conditions,
        mailed=st.dictionaries(st.text(max_size=10), times, max_size=3),
        other_mode=st.none() | other_modes,
    ),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=12), children, max_size=3),
    max_leaves=6,
)


@given(tolds)
def test_what_was_told_reads_back_as_it_was(told: NotificationState) -> None:
    assert notification_state_from_json(told.to_json(HOME), HOME) == told


@given(other_modes)
def test_a_mode_that_an_older_version_stored_was_locked_since_it_began(other: OtherMode) -> None:
    stored = json.loads(NotificationState(health=HealthNotifications(other_mode=other)).to_json(HOME))
    del stored["silence"]["other_mode"]["locked_since"]
    read = notification_state_from_json(json.dumps(stored), HOME).health.other_mode
    assert read == replace(other, locked_since=other.since)


def test_what_was_told_is_stored_alike_whatever_the_order_it_was_told_in() -> None:
    told = NotificationState(
        reference_bytes_per_second=7,
        suspended=True,
        conditions=frozenset({"missing:warning", "edited:critical:1", "file-system-gone", "missing:critical"}),
        health=HealthNotifications(
            conditions=frozenset(f"undelivered:{letter}" for letter in "hgfedcba"),
            mailed={"warning": NOON, "critical": NOON, "trend": NOON},
        ),
    )
    assert json.loads(told.to_json(HOME), object_pairs_hook=list) == [
        ("version", 1),
        ("file_system_id", HOME),
        ("reference_bytes_per_second", 7),
        ("suspended", True),
        ("conditions", ["edited:critical:1", "file-system-gone", "missing:critical", "missing:warning"]),
        (
            "silence",
            [
                ("conditions", [f"undelivered:{letter}" for letter in "abcdefgh"]),
                ("mailed", [(what, "2030-01-07T12:00:00+00:00") for what in ("critical", "trend", "warning")]),
            ],
        ),
    ]


def test_a_memory_without_a_word_of_it_tells_of_no_suspension() -> None:
    assert notification_state_from_json(json.dumps({"file_system_id": HOME}), HOME) == NotificationState()


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "{", '{"conditions": 7}', '{"reference_bytes_per_second": "x"}']
)
def test_an_empty_or_corrupt_memory_counts_as_nothing_told(text: str) -> None:
    assert notification_state_from_json(text, HOME) == NotificationState()


@given(
    st.dictionaries(
        st.sampled_from(["reference_bytes_per_second", "suspended", "silent_since", "conditions", "ended", "silence"]),
        json_values,
    )
)
def test_no_stored_value_raises(stored: dict[str, object]) -> None:
    assert isinstance(
        notification_state_from_json(json.dumps({"file_system_id": HOME, **stored}), HOME), NotificationState
    )


def test_the_memory_of_a_version_that_knew_nothing_of_silence_is_read() -> None:
    stored = {"version": 1, "file_system_id": HOME, "suspended": True, "conditions": ["missing:warning"]}
    assert notification_state_from_json(json.dumps(stored), HOME) == NotificationState(
        suspended=True, conditions=frozenset({"missing:warning"})
    )


@given(tolds, tolds)
def test_each_function_replaces_its_own_part_and_no_other(ours: NotificationState, theirs: NotificationState) -> None:
    merged = theirs.with_part_of(ours, Part.HEALTH)
    assert merged.health == ours.health
    assert merged == NotificationState(
        reference_bytes_per_second=theirs.reference_bytes_per_second,
        moved=theirs.moved,
        resumed=theirs.resumed,
        driven=theirs.driven,
        untold=theirs.untold,
        suspended=theirs.suspended,
        silent_since=theirs.silent_since,
        conditions=theirs.conditions,
        ended=theirs.ended,
        health=ours.health,
    )
    known = replace(
        ours,
        reference_bytes_per_second=ours.reference_bytes_per_second or theirs.reference_bytes_per_second,
        resumed=max(filter(None, (ours.resumed, theirs.resumed)), default=None),
    )
    assert theirs.with_part_of(ours, Part.THRESHOLDS) == known.with_part_of(theirs, Part.HEALTH)


def test_a_run_that_knew_no_reference_does_not_make_one_forgotten() -> None:
    theirs = NotificationState(reference_bytes_per_second=7)
    assert theirs.with_part_of(NotificationState(suspended=True), Part.THRESHOLDS).reference_bytes_per_second == 7
    assert (
        theirs.with_part_of(NotificationState(reference_bytes_per_second=8), Part.THRESHOLDS).reference_bytes_per_second
        == 8
    )


def test_a_run_that_began_before_the_alarms_were_resumed_does_not_make_that_forgotten() -> None:
    """Two at once: the one that resumed nothing writes last."""
    earlier, later = NOW - timedelta(days=2), NOW
    for theirs, ours in ((later, None), (None, later), (later, earlier), (earlier, later)):
        stored = NotificationState(resumed=theirs).with_part_of(NotificationState(resumed=ours), Part.THRESHOLDS)
        assert stored.resumed == later
