"""The timeline of a demo, as people read it."""

from operate.replay.replayed_account import Recalculation
from simulation.burst_credits import GIB, TIB, bucket_bytes, flow
from simulation.file_system import Bursting, Load
from stage.observed import Observed
from stage.player import Lived
from stage.timeline import timeline
from tests.printed import too_wide

NOTHING = Observed(alarms=(), transitions=(), mails=(), decisions=(), benchmarks=())


def lived(minute: int, stored_bytes: int) -> Lived:
    """A minute of a file system whose bucket is full."""
    full = bucket_bytes(stored_bytes)
    return Lived(
        minute=minute,
        mode=Bursting(),
        metered_standard_bytes=stored_bytes,
        balance_bytes=full,
        bucket_bytes=full,
        permitted_bytes_per_second=100 * 2**20,
        metered_bytes=0,
        credits=flow(full, stored_bytes, 0, 1 * GIB),
        moved=Load(),
        visible_at=None,
    )


def test_the_share_is_of_the_bucket_that_the_file_system_has_at_that_moment() -> None:
    transitions = ("0d 00:01 warning INSUFFICIENT_DATA -> OK", "0d 00:02 warning OK -> ALARM")
    observed = Observed(alarms=(), transitions=transitions, mails=(), decisions=(), benchmarks=())
    small, large = lived(0, TIB), lived(1, 3 * TIB)
    _, before, after = timeline([small, large], observed)
    assert before.split()[2:5] == ["2150.4", "##########", "100%"]
    assert after.split()[2:5] == ["6451.2", "##########", "100%"]


def test_a_long_reason_is_wrapped_below_where_it_begins() -> None:
    reason = "the thresholds are right; PermittedThroughput with credits is 100.0 MiB/s, and nothing else is new"
    decision = Recalculation(
        minute=1, kind="keep", cause="schedule", reason=reason, alarms_written=("warning", "critical")
    )
    observed = Observed(alarms=(), transitions=(), mails=(), decisions=(decision,), benchmarks=())
    heading, entry = timeline([lived(0, TIB)], observed)
    assert too_wide(f"{heading}\n{entry}") == []
    column = heading.index("what happened")
    assert [line[:column].strip() for line in entry.splitlines()[1:]] == [""] * entry.count("\n")
    assert " ".join(line[column:] for line in entry.splitlines()) == (
        f"schedule: keep - {reason} [warning, critical written]"
    )


def test_a_day_without_events_is_a_heading() -> None:
    assert len([*timeline([lived(0, TIB)], NOTHING)]) == 1
