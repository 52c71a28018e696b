"""A message is a warning of an end of the credits when it came before it, of this fall, and still held."""

from operate.backtest.spells import Spell
from operate.backtest.warnings import OnTime, on_times, record


def spell(begin: int, end: int) -> Spell:
    return Spell(begin=begin, end=end, limited_minutes=0)


def leads(times: list[tuple[int, int | None]], *spells: tuple[int, int]) -> tuple[int | None, ...]:
    return record([OnTime(begin=a, end=b) for a, b in times], [spell(*one) for one in spells], 0).leads


def test_an_alarm_is_on_between_its_changes() -> None:
    changes = [(1, "OK"), (5, "ALARM"), (9, "OK"), (12, "ALARM"), (13, "INSUFFICIENT_DATA"), (14, "ALARM")]
    assert on_times(changes) == (OnTime(begin=5, end=9), OnTime(begin=12, end=13), OnTime(begin=14, end=None))


def test_a_message_before_the_end_of_the_credits_gave_so_many_minutes() -> None:
    assert leads([(40, 200)], (100, 150)) == (60,)


def test_a_message_of_the_same_minute_or_later_gave_none() -> None:
    found = record([OnTime(begin=100, end=200)], [spell(100, 150)], 0)
    assert (found.leads, found.late) == ((None,), (0,))


def test_an_alarm_that_had_ended_before_warned_of_nothing() -> None:
    assert leads([(40, 99)], (100, 150)) == (None,)


def test_an_alarm_that_stays_on_says_nothing_anew_of_the_next_fall() -> None:
    assert leads([(40, None)], (100, 150), (300, 350)) == (60, None)


def test_an_alarm_that_has_been_on_for_more_than_a_day_warned_of_another_day() -> None:
    assert leads([(0, None)], (1440, 1450)) == (None,)
    assert leads([(1, None)], (1440, 1450)) == (1439,)


def test_what_ended_without_a_spell_was_in_vain() -> None:
    found = record(
        [OnTime(begin=10, end=20), OnTime(begin=90, end=160), OnTime(begin=500, end=None)], [spell(100, 150)], 0
    )
    assert found.vain == (10,)


def test_a_message_that_comes_shortly_after_a_spell_is_late_and_a_later_one_is_none() -> None:
    assert record([OnTime(begin=160, end=200)], [spell(100, 150)], 0).late == (60,)
    assert record([OnTime(begin=171, end=200)], [spell(100, 150)], 0).late == (None,)
