"""The ledger of benchmarks: billed once, collected once, put together from two, and small enough for a parameter."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.benchmarks.ledger import (
    BILLED_KEPT,
    COLLECTED_KEPT,
    LEFT_CHARACTERS,
    LEFT_KEPT,
    FirstStart,
    Lease,
    Ledger,
    ledger_from_json,
    month_of,
)
from efs_monitor.benchmarks.sent_commands import Command

NOW = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)
FILE_SYSTEM_ID = "fs-0123456789abcdef0"


def command(number: int, requested: datetime = NOW, idempotency_key: str | None = None) -> Command:
    return Command(
        command_id=f"{number:08x}-0000-4000-8000-000000000001",
        run_id=f"run-20261117t030000z-{idempotency_key or f'{number:08x}'}",
        plan="",
        status="Success",
        requested=requested,
        expires=requested,
        instance_ids=("i-0123456789abcdef0",),
    )


def collected(*successes: bool) -> Ledger:
    ledger = Ledger()
    for number, succeeded in enumerate(successes):
        began = NOW + timedelta(days=number)
        ledger = ledger.with_collected(command(number, began), began, succeeded=succeeded)
    return ledger


def test_what_runs_of_a_month_were_billed_adds_up() -> None:
    ledger = Ledger().with_billed("2026-11", "a", 5).with_billed("2026-11", "b", 7)
    assert ledger.billed_in("2026-11") == 12


def test_a_run_that_is_met_again_is_billed_once() -> None:
    ledger = Ledger().with_billed("2026-11", "a", 5)
    assert ledger.with_billed("2026-11", "a", 5) == ledger


def test_a_run_is_known_as_billed_until_sixty_others_were() -> None:
    ledger = Ledger()
    for number in range(61):
        ledger = ledger.with_billed("2026-11", str(number), 1)
    assert ledger.billed_runs == tuple(str(number) for number in range(1, 61))
    assert ledger.billed_in("2026-11") == 61


def test_a_new_ledger_is_empty() -> None:
    assert (Ledger().month, Ledger().billed_bytes, Ledger().version) == ("", 0, 0)
    assert replace(Ledger(), version=7) == Ledger()


def test_a_new_month_begins_at_zero() -> None:
    ledger = Ledger().with_billed("2026-11", "a", 5)
    assert ledger.billed_in("2026-12") == 0
    assert ledger.with_billed("2026-12", "b", 7).billed_in("2026-12") == 7


def test_a_run_of_the_last_minute_of_a_month_is_not_billed_again_in_the_next() -> None:
    ledger = Ledger().with_billed("2026-11", "a", 5).with_billed("2026-12", "a", 5)
    assert (ledger.billed_in("2026-11"), ledger.billed_in("2026-12")) == (5, 0)


def test_a_month_that_is_over_takes_no_entry() -> None:
    ledger = Ledger().with_billed("2026-12", "a", 5)
    assert ledger.with_billed("2026-11", "b", 7) == ledger


def test_a_run_without_an_entry_is_found_among_the_commands() -> None:
    ledger = Ledger().with_billed("2026-11", "0000000a", 5)
    sent = [command(10), command(11), command(12, NOW - timedelta(days=30))]
    assert ledger.with_commands(sent, "2026-11", lambda _: 100).billed_in("2026-11") == 105


def test_a_ledger_that_was_lost_is_the_same_again_after_all_runs_of_the_month() -> None:
    sent = [command(number) for number in range(9)]
    once = Ledger().with_commands(sent, "2026-11", lambda _: 100)
    assert Ledger(known=False).with_commands(sent, "2026-11", lambda _: 100) == once


def test_a_command_is_held_once_it_is_collected() -> None:
    ledger = collected(True)
    assert ledger.holds(command(0))
    assert not ledger.holds(command(1, NOW + timedelta(days=1)))


def test_each_of_several_commands_is_held() -> None:
    ledger = collected(True, False, True)
    assert all(ledger.holds(command(number)) for number in range(3))


def test_what_was_sent_no_earlier_than_the_oldest_entry_of_a_full_ledger_is_looked_up_in_it() -> None:
    ledger = collected(*[True] * COLLECTED_KEPT)
    assert not ledger.holds(command(7_000, NOW))
    assert not ledger.holds(command(7_000, NOW + timedelta(hours=1)))
    assert ledger.holds(command(7_000, NOW - timedelta(seconds=1)))


def test_collecting_a_command_again_changes_nothing() -> None:
    ledger = collected(True, False, True)
    again = ledger.with_collected(command(1), NOW + timedelta(days=1), succeeded=False)
    assert again == ledger


def test_what_is_older_than_a_full_ledger_reaches_counts_as_collected() -> None:
    ledger = collected(*[True] * (COLLECTED_KEPT + 3))
    assert len(ledger.collected) == 80
    assert ledger.holds(command(0, NOW))
    assert not ledger.holds(command(7_000, NOW + timedelta(days=2_000)))


@pytest.mark.parametrize(
    ("successes", "failures"),
    [
        ((True,), 0),
        ((False,), 1),
        ((True, False, False), 2),
        ((False, False, True), 0),
        ((False, True, False), 1),
    ],
)
def test_failures_are_counted_in_a_row(successes: tuple[bool, ...], failures: int) -> None:
    newest = command(len(successes) - 1)
    assert collected(*successes).consecutive_failures(newest) == failures


def test_what_came_after_a_run_does_not_count_for_it() -> None:
    """The same number is published for it, however late it is collected once more."""
    assert collected(False, False, False).consecutive_failures(command(1)) == 2


def test_of_a_run_that_is_not_in_the_ledger_the_newest_failures_count() -> None:
    assert collected(True, False, False).consecutive_failures(command(77)) == 2


def test_several_runs_that_one_entered_are_billed_together_once() -> None:
    before = Ledger().with_billed("2026-11", "a", 5)
    ours = before.with_billed("2026-11", "b", 7).with_billed("2026-11", "c", 11)
    merged = before.with_collected(command(1), NOW, succeeded=True).merged(ours, before)
    assert (merged.billed_in("2026-11"), merged.billed_runs) == (23, ("a", "b", "c"))


def test_ledgers_put_together_are_in_the_order_of_time() -> None:
    later = Ledger().with_collected(command(1), NOW + timedelta(days=1), succeeded=True)
    earlier = Ledger().with_collected(command(2), NOW, succeeded=False)
    merged = later.merged(earlier, Ledger())
    assert [one.began for one in merged.collected] == [NOW, NOW + timedelta(days=1)]


def test_two_who_wrote_at_the_same_time_keep_the_entries_of_both() -> None:
    before = Ledger().with_billed("2026-11", "a", 5)
    theirs = before.with_collected(command(1), NOW, succeeded=True)
    ours = before.with_billed("2026-11", "b", 7)
    assert theirs.merged(ours, before) == ours.merged(theirs, before)
    assert theirs.merged(ours, before).billed_in("2026-11") == 12
    assert theirs.merged(ours, before).holds(command(1))


def test_an_entry_that_both_made_counts_once() -> None:
    before = Ledger()
    both = before.with_billed("2026-11", "a", 5)
    assert both.merged(both, before) == both


def test_a_start_that_one_entered_stays_beside_what_the_other_did() -> None:
    lease = Lease(idempotency_key="a", token="t", time=NOW)
    theirs = Ledger().with_collected(command(1), NOW, succeeded=True)
    assert theirs.merged(replace(Ledger(), lease=lease), Ledger()).lease == lease
    assert replace(Ledger(), lease=lease).merged(theirs, Ledger()).lease == lease


def test_a_start_is_under_way_for_half_a_minute() -> None:
    lease = Lease(idempotency_key="a", token="t", time=NOW)
    assert lease.is_held(NOW + timedelta(seconds=54))
    assert not lease.is_held(NOW + timedelta(seconds=55))


def test_what_is_stored_is_read_back() -> None:
    ledger = collected(True, False).with_billed("2026-11", "a", 5)
    ledger = replace(ledger, lease=Lease(idempotency_key="a", token="t", time=NOW))
    assert ledger_from_json(ledger.to_json(FILE_SYSTEM_ID), FILE_SYSTEM_ID) == ledger


def test_a_ledger_without_a_start_is_read_back_without_one() -> None:
    ledger = collected(True)
    stored = json.loads(ledger.to_json(FILE_SYSTEM_ID))
    assert (stored["version"], stored["start"]) == (1, "")
    read = ledger_from_json(ledger.to_json(FILE_SYSTEM_ID), FILE_SYSTEM_ID)
    assert (read, read.known, read.lease) == (ledger, True, None)


def test_a_command_is_stored_by_the_first_twelve_digits_of_its_id() -> None:
    ledger = Ledger().with_collected(command(0xABC), NOW, succeeded=True)
    assert json.loads(ledger.to_json(FILE_SYSTEM_ID))["collected"] == [f"00000abc0000 {NOW.timestamp():.0f} 1"]


def test_a_ledger_is_in_the_order_of_time_however_it_was_stored() -> None:
    ledger = collected(True, False, True)
    stored = json.loads(ledger.to_json(FILE_SYSTEM_ID))
    stored["collected"].reverse()
    assert ledger_from_json(json.dumps(stored), FILE_SYSTEM_ID) == ledger


def test_a_ledger_put_together_with_itself_stays_as_it_is() -> None:
    ledger = collected(True, False, True).with_billed("2026-11", "a", 5)
    ledger = replace(ledger, lease=Lease(idempotency_key="a", token="t", time=NOW))
    assert ledger.merged(ledger, Ledger()) == ledger
    assert ledger.merged(ledger, ledger) == ledger


def test_a_full_ledger_fits_into_a_parameter() -> None:
    ledger = collected(*[True] * COLLECTED_KEPT)
    for number in range(BILLED_KEPT):
        ledger = ledger.with_billed("2026-11", f"{number:08x}", 10**12)
    for number in range(LEFT_KEPT + 2):
        began = NOW + timedelta(days=COLLECTED_KEPT + number)
        ledger = ledger.with_left(began, {f"i-{number:017x}": '"\\\u00fc' * LEFT_CHARACTERS}, frozenset())
    first_start = FirstStart(rate="0" * 8, idempotency_key="0" * 8)
    lease = Lease(idempotency_key="0" * 8, token="0" * 8, time=NOW)
    ledger = replace(ledger, lease=lease, first_start=first_start)
    assert ledger_from_json(ledger.to_json(FILE_SYSTEM_ID), FILE_SYSTEM_ID) == ledger
    assert len(ledger.to_json(FILE_SYSTEM_ID)) <= 4096


@pytest.mark.parametrize(
    "text", ["{}", "", "[]", "null", "7", '{"file_system_id": "fs-0123456789abcdef0"}', "{" * 9999]
)
def test_an_unreadable_ledger_counts_as_lost(text: str) -> None:
    assert ledger_from_json(text, FILE_SYSTEM_ID) == Ledger()
    assert not ledger_from_json(text, FILE_SYSTEM_ID).known


def test_the_ledger_of_another_file_system_counts_as_lost() -> None:
    text = Ledger().with_billed("2026-11", "a", 5).to_json("fs-01234567")
    assert not ledger_from_json(text, FILE_SYSTEM_ID).known


def test_a_month_is_that_of_utc() -> None:
    assert month_of(datetime.fromisoformat("2026-12-01T01:00:00+02:00")) == "2026-11"


def test_a_rate_is_born_with_its_first_start_however_often_that_is_delivered() -> None:
    first_start = Ledger().first_start_for("1a2b3c4d", "first")
    assert first_start == FirstStart(rate="1a2b3c4d", idempotency_key="first")
    ledger = replace(Ledger(), first_start=first_start)
    assert ledger.first_start_for("1a2b3c4d", "first") == first_start
    assert ledger.first_start_for("1a2b3c4d", "second") is None
    assert ledger.first_start_for("another", "second") == FirstStart(rate="another", idempotency_key="second")


def test_what_is_no_rate_is_never_born() -> None:
    assert Ledger().first_start_for("", "first") is None


def test_a_first_start_survives_storing_and_what_somebody_else_wrote() -> None:
    ledger = replace(Ledger(), first_start=FirstStart(rate="1a2b3c4d", idempotency_key="first"))
    assert ledger_from_json(ledger.to_json(FILE_SYSTEM_ID), FILE_SYSTEM_ID).first_start == ledger.first_start
    assert Ledger().merged(ledger, Ledger()).first_start == ledger.first_start
    assert ledger.merged(Ledger(), Ledger()).first_start == ledger.first_start


def test_a_ledger_of_an_older_version_knows_of_no_first_start() -> None:
    stored = json.loads(Ledger().to_json(FILE_SYSTEM_ID))
    del stored["birth"]
    assert ledger_from_json(json.dumps(stored), FILE_SYSTEM_ID) == Ledger()


A, B, C = (f"i-0000000000000000{letter}" for letter in "abc")
ON_DISK = "data.x on the local disk: rm: cannot remove: Operation not permitted"


def left(ledger: Ledger) -> list[tuple[str, str]]:
    return [(one.instance_id, one.what) for one in ledger.left]


def test_what_an_instance_left_stays_until_a_later_run_of_any_instance_leaves_nothing() -> None:
    ledger = Ledger().with_left(NOW, {A: "data.x: denied"}, frozenset({B}))
    assert left(ledger) == [(A, "data.x: denied")]
    # Nobody got as far as to see what lies there.
    assert left(ledger.with_left(NOW + timedelta(hours=1), {}, frozenset())) == [(A, "data.x: denied")]
    assert left(ledger.with_left(NOW + timedelta(hours=1), {}, frozenset({C}))) == []


def test_what_lies_on_a_disk_of_an_instance_only_that_one_can_remove() -> None:
    ledger = Ledger().with_left(NOW, {A: ON_DISK}, frozenset())
    assert left(ledger.with_left(NOW + timedelta(hours=1), {}, frozenset({B}))) == [(A, ON_DISK)]
    assert left(ledger.with_left(NOW + timedelta(hours=1), {}, frozenset({A}))) == []


def test_of_an_instance_the_newest_is_kept_with_those_of_others() -> None:
    ledger = Ledger().with_left(NOW, {A: "one", B: "two"}, frozenset())
    assert left(ledger.with_left(NOW + timedelta(hours=1), {A: "three"}, frozenset())) == [(B, "two"), (A, "three")]


def test_a_run_that_is_collected_late_says_nothing_of_how_it_is_now() -> None:
    later = Ledger().with_collected(command(2), NOW + timedelta(hours=1), succeeded=True)
    assert left(later.with_left(NOW, {A: "data.x: denied"}, frozenset())) == []
    theirs = replace(later, left=Ledger().with_left(NOW + timedelta(hours=1), {A: "x"}, frozenset()).left)
    assert left(theirs.with_left(NOW, {}, frozenset({A}))) == [(A, "x")]


def test_of_a_long_reason_the_beginning_stays_and_how_much_it_is() -> None:
    ledger = Ledger().with_left(NOW, {A: "data.x: " + "y" * 999 + "; 4194304 bytes in all (files: 4)"}, frozenset())
    ((_, what),) = left(ledger)
    assert what.startswith("data.x: yyy")
    assert what.endswith("yyy; 4194304 bytes in all (files: 4)")
    assert len(what) == LEFT_CHARACTERS


def test_a_reason_of_just_as_many_characters_as_there_is_room_for_stays_whole() -> None:
    whole = "x" * (LEFT_CHARACTERS - 10) + "; 12345678"
    assert len(whole) == LEFT_CHARACTERS
    assert left(Ledger().with_left(NOW, {A: whole}, frozenset())) == [(A, whole)]


@pytest.mark.parametrize(("characters", "is_kept"), [(100, True), (101, False)])
def test_an_end_of_more_than_half_of_the_room_is_no_amount(characters: int, is_kept: bool) -> None:
    end = "9" * characters
    ((_, what),) = left(Ledger().with_left(NOW, {A: f"{'x' * 300}; {end}"}, frozenset()))
    assert what.endswith(end) is is_kept
    assert len(what) == LEFT_CHARACTERS


def test_what_was_left_is_read_back_with_its_spaces_and_in_the_order_of_time() -> None:
    ledger = Ledger().with_left(NOW, {B: "data.x: not permitted, by hand"}, frozenset())
    ledger = ledger.with_left(NOW + timedelta(hours=1), {A: "one more"}, frozenset())
    stored = json.loads(ledger.to_json(FILE_SYSTEM_ID))
    stored["left"].reverse()
    assert ledger_from_json(json.dumps(stored), FILE_SYSTEM_ID) == ledger
    assert left(ledger) == [(B, "data.x: not permitted, by hand"), (A, "one more")]


def test_a_run_between_two_that_are_known_says_nothing_of_how_it_is_now() -> None:
    ledger = Ledger().with_left(NOW, {A: "x"}, frozenset()).with_left(NOW + timedelta(hours=2), {B: "y"}, frozenset())
    between = ledger.with_left(NOW + timedelta(hours=1), {C: "z"}, frozenset())
    assert left(between) == [(A, "x"), (B, "y")]


def test_two_that_left_something_in_one_run_are_in_the_order_of_their_ids() -> None:
    assert left(Ledger().with_left(NOW, {B: "y", A: "x"}, frozenset())) == [(A, "x"), (B, "y")]


def test_two_braces_in_what_an_instance_says_are_not_stored_as_parameter_store_takes_none() -> None:
    ledger = Ledger().with_left(NOW, {A: "data.{{ssm:password}}: denied"}, frozenset())
    assert left(ledger) == [(A, "data.??ssm:password??: denied")]
    assert "{{" not in ledger.to_json(FILE_SYSTEM_ID)


def test_of_two_ledgers_what_was_left_is_that_of_who_changed_it() -> None:
    before = Ledger().with_left(NOW, {A: "x"}, frozenset())
    ours = before.with_left(NOW + timedelta(hours=1), {}, frozenset({A}))
    assert left(before.with_billed("2026-11", "a", 5).merged(ours, before)) == []
    assert left(before.merged(before.with_billed("2026-11", "a", 5), before)) == [(A, "x")]
    # What another has entered meanwhile stays where we entered nothing of the kind.
    theirs = Ledger().with_left(NOW, {A: "x"}, frozenset())
    assert left(theirs.merged(Ledger().with_billed("2026-11", "a", 5), Ledger())) == [(A, "x")]
