"""A spell without credits begins below a minute's worth, and is over after a quarter of an hour above it."""

from datetime import timedelta

from operate.backtest.spells import Spell, spells_of
from operate.history.file_system_history import history_of
from operate.history.recorded import METERED, PERMITTED, STANDARD_SIZE, ModeChange
from tests.unit.operate.histories import BASELINE, BURST, MINUTE_BYTES, NOW, START, history, points, recorded

REFERENCE = [(0, float(BURST))]


def spells(*runs: tuple[int, float | None]) -> tuple[Spell, ...]:
    """Of runs of minutes in which the balance lasts so many minutes."""
    balances = [None if worth is None else worth * MINUTE_BYTES for minutes, worth in runs for _ in range(minutes)]
    return spells_of(history(balances), REFERENCE)


def test_no_spell_where_the_balance_stays_above() -> None:
    assert spells((300, 1.0)) == ()


def test_a_spell_has_its_minutes_and_those_in_which_clients_were_held_back() -> None:
    assert spells((100, 4), (40, 0), (100, 4)) == (Spell(begin=100, end=140, limited_minutes=40),)


def test_who_moves_less_than_is_permitted_is_not_held_back() -> None:
    one = recorded([4.0 * MINUTE_BYTES] * 100 + [0.0] * 40 + [4.0 * MINUTE_BYTES] * 60)
    one.points[METERED] = points([0.94 * BASELINE * 60] * 120 + [0.96 * BASELINE * 60] * 80)
    (found,) = spells_of(history_of(one, None, NOW), REFERENCE)
    assert found.limited_minutes == 20


def test_the_minutes_of_the_last_credits_are_those_of_full_speed() -> None:
    one = recorded([4.0 * MINUTE_BYTES] * 100 + [0.5 * MINUTE_BYTES] * 10 + [0.0] * 30 + [4.0 * MINUTE_BYTES] * 60)
    one.points[PERMITTED] = points([float(BURST)] * 110 + [float(BASELINE)] * 30 + [float(BURST)] * 60)
    one.points[METERED] = points([BURST * 60.0] * 110 + [BASELINE * 60.0] * 30 + [0.0] * 60)
    (found,) = spells_of(history_of(one, None, NOW), REFERENCE)
    assert (found.minutes, found.limited_minutes) == (40, 30)


def test_what_clients_moved_while_the_balance_is_missing_is_not_counted_either() -> None:
    one = recorded([4.0 * MINUTE_BYTES] * 100 + [0.0] * 10 + [None] * 60 + [0.0] * 10 + [4.0 * MINUTE_BYTES] * 60)
    one.points[PERMITTED] = points([float(BURST)] * 100 + [float(BASELINE)] * 80 + [float(BURST)] * 60)
    one.points[METERED] = points([None] * 100 + [BASELINE * 60.0] * 80)
    (found,) = spells_of(history_of(one, None, NOW), REFERENCE)
    assert (found.begin, found.end, found.minutes, found.limited_minutes) == (100, 180, 20, 20)


def test_what_clients_were_held_back_is_not_known_without_what_they_moved() -> None:
    one = recorded([4.0 * MINUTE_BYTES] * 100 + [0.0] * 40)
    del one.points[METERED]
    (found,) = spells_of(history_of(one, None, NOW), REFERENCE)
    assert found.limited_minutes is None


def test_a_balance_that_hovers_makes_one_spell() -> None:
    (found,) = spells((100, 4), (10, 0.2), (14, 2), (10, 0), (60, 2))
    assert (found.begin, found.end, found.over) == (100, 134, True)


def test_a_quarter_of_an_hour_above_ends_a_spell() -> None:
    assert [(one.begin, one.end) for one in spells((100, 4), (10, 0.2), (15, 2), (10, 0), (60, 2))] == [
        (100, 110),
        (125, 135),
    ]


def test_a_spell_at_the_end_goes_on() -> None:
    (found,) = spells((100, 4), (40, 0))
    assert not found.over


def test_minutes_that_are_not_known_are_neither_good_nor_bad() -> None:
    (found,) = spells((100, 4), (10, 0), (60, None), (10, 0), (60, 2))
    assert (found.begin, found.end) == (100, 180)


def test_a_gap_is_no_time_without_credits_and_a_few_lost_minutes_are() -> None:
    assert [one.minutes for one in spells((100, 4), (10, 0), (15, None), (10, 0), (60, 2))] == [20]
    assert [one.minutes for one in spells((100, 4), (10, 0), (14, None), (10, 0), (60, 2))] == [34]


def test_what_clients_were_held_back_is_not_known_without_what_was_permitted() -> None:
    one = recorded([4.0 * MINUTE_BYTES] * 100 + [0.0] * 40, described=None)
    del one.points[PERMITTED], one.points[STANDARD_SIZE]
    found = history_of(one, None, NOW)
    assert [spell.limited_minutes for spell in spells_of(found, REFERENCE)] == [None]
    assert any(remark.startswith("PermittedThroughput is not known, and no size") for remark in found.remarks)


def test_what_was_permitted_is_worked_out_from_the_size_where_no_metric_tells_it() -> None:
    one = recorded([4.0 * MINUTE_BYTES] * 100 + [0.0] * 40)
    del one.points[PERMITTED]
    found = history_of(one, None, NOW)
    assert [spell.limited_minutes for spell in spells_of(found, REFERENCE)] == [40]
    assert any(remark.startswith("PermittedThroughput is not known: it is worked out") for remark in found.remarks)


def test_in_elastic_mode_there_is_no_spell() -> None:
    modes = (ModeChange(time=START + timedelta(minutes=110), mode="elastic"),)
    balances: list[float | None] = [*[4.0 * MINUTE_BYTES] * 100, *[0.0] * 100]
    (found,) = spells_of(history(balances, modes=modes), REFERENCE)
    assert (found.begin, found.end) == (100, 110)


def test_the_measure_follows_the_reference() -> None:
    balances: list[float | None] = [1.5 * MINUTE_BYTES] * 200
    assert spells_of(history(balances), [(0, float(BURST)), (100, 2.0 * BURST)])[0].begin == 100
