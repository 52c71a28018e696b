"""A backtest is one value: shown within 80 columns, written as JSON, and the same figures in both."""

import io
import json
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.errors import SettingsRefused
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from operate.backtest.as_json import as_json
from operate.backtest.backtest_result import BacktestResult, backtest
from operate.backtest.lead_times import USEFUL_MINUTES, LeadTime, recommended
from operate.backtest.other_alarms import FIXED, RECOMMENDED
from operate.backtest.warnings import Record
from operate.backtest.words import recommendation, report
from operate.replay.replay import LATE_MINUTES
from tests.unit.operate.histories import FULL, MINUTE_BYTES, SETTINGS, falls, history


@cache
def fallen() -> BacktestResult:
    return backtest(history(falls()), SETTINGS)


@cache
def fallen_on_the_second_day() -> BacktestResult:
    """With so long a past that minutes can be recommended."""
    return backtest(history(falls(calm=1500)), SETTINGS)


def shown(found: BacktestResult, *, every_message: bool = False) -> str:
    written = io.StringIO()
    Console(file=written, width=80, markup=False).print(report(found, every_message=every_message))
    return written.getvalue()


@pytest.mark.whole
def test_each_warning_has_its_minutes_before_the_credits_were_gone() -> None:
    found = fallen()
    (spell,) = found.spells
    assert found.records[AlarmKind.WARNING].leads == (spell.begin - 300 - 188 - LATE_MINUTES,)
    assert found.records[AlarmKind.CRITICAL].leads == (spell.begin - 300 - 308 - LATE_MINUTES,)
    assert found.records[AlarmKind.EXHAUSTED].late == (LATE_MINUTES,)
    assert found.unwarned == ()


def test_the_alarm_that_aws_recommends_comes_after_the_credits_are_gone() -> None:
    found = fallen()
    assert found.others[RECOMMENDED.name].leads == (None,)
    assert found.others[RECOMMENDED.name].late == (15 + LATE_MINUTES,)


def test_a_fixed_threshold_gives_the_minutes_that_it_lasts() -> None:
    found = fallen()
    (lead,) = found.others[FIXED.name].leads
    assert lead == int(192e9 // MINUTE_BYTES) - LATE_MINUTES


def test_a_fall_that_no_message_came_before_is_named() -> None:
    """Deployed when all is gone already, and gone again before anything was above."""
    found = backtest(history([*[0.0] * 100, *[2.0 * MINUTE_BYTES] * 30, *[0.0] * 30]), SETTINGS)
    assert len(found.spells) == 2
    assert found.unwarned == found.spells


def test_everything_fits_a_terminal() -> None:
    for found in (fallen(), backtest(history([FULL] * 200), SETTINGS)):
        assert max(map(len, shown(found, every_message=True).splitlines())) <= 80


@pytest.mark.whole
def test_what_is_shown_and_what_is_written_agree() -> None:
    found = fallen_on_the_second_day()
    text, data = " ".join(shown(found, every_message=True).split()), as_json(found)
    (spell,) = data["spells_without_credits"]
    assert f"Once, {spell['minutes']} minutes in all." in text
    assert f"{len(data['messages'])} in all" in text
    assert f"WarningMinutes {data['recommended']['warning_minutes']}" in text
    for message in data["messages"]:
        assert " ".join(message["subject"].split()) in text
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_one_is_one() -> None:
    found = fallen()
    (own,) = (one for one in found.mails[:1])
    alone = " ".join(shown(replace(found, mails=(replace(own, by_cloudwatch=False),))).split())
    assert "0 by CloudWatch (the alarms, to mail, pagers and chat), 1 readable mail on the Advice topic." in alone
    assert "of these two alarms." in words_of(fallen_on_the_second_day())


@pytest.mark.whole
def test_an_alarm_that_is_still_on_at_the_end_is_said() -> None:
    found = backtest(history(falls()[:640]), SETTINGS)
    text = words_of(found)
    assert found.spells == ()
    assert "Still on at the end, without an end of the credits so far: Warning, Critical" in text
    assert "Apart from that, no alarm went off that the end of the credits did not follow." in text
    vain = replace(found.records[AlarmKind.WARNING], vain=(60,))
    text = words_of(replace(found, records=found.records | {AlarmKind.WARNING: vain}))
    assert "Went off and were over without an end of the credits: Warning 1. Still on at the end, without" in text
    assert "Apart from that" not in text


@pytest.mark.whole
def test_an_alarm_that_is_still_on_since_the_credits_were_gone_was_not_in_vain() -> None:
    found = backtest(history(falls()), SETTINGS)
    assert found.records[AlarmKind.WARNING].times[-1].end is None
    text = words_of(found)
    assert "Still on at the end" not in text
    assert "No alarm went off that the end of the credits did not follow." in text


def test_no_minutes_are_recommended_from_less_than_a_day_and_a_week_of_it_has_a_caveat() -> None:
    found = fallen()
    text, data = words_of(found), as_json(found)
    assert "! Only 1,028 minutes are known: a week is taken for seven times what came in them, and no week may" in text
    assert "No minutes are recommended: only 1,028 minutes are known. Ask again with a day or more, better with" in text
    assert "Choose" not in text
    assert "Keep" not in text
    assert data["recommended"] is None
    assert data["why_none_is_recommended"] in text
    assert [one.minutes for one in found.curve] == list(range(20, 361, 20))


@pytest.mark.whole
def test_a_gap_is_no_part_of_the_day_that_a_recommendation_needs() -> None:
    balances = [*[FULL] * 1400, *[None] * 100, *[FULL] * 39]
    assert "only 1,439 minutes are known" in recommendation(backtest(history(balances), SETTINGS))
    assert "Keep WarningMinutes 180" in recommendation(backtest(history([*balances, FULL]), SETTINGS))


@pytest.mark.whole
def test_no_minutes_are_recommended_in_the_middle_of_a_fall() -> None:
    found = backtest(history(falls(calm=1500)[: 1500 + 340]), SETTINGS)
    assert found.spells == ()
    assert recommendation(found) == (
        "No minutes are recommended: Warning, Critical and Draining are still on at the end, and whether the credits "
        "end is not known. Ask again when they are over."
    )
    begun = backtest(history(falls(calm=1500)[: 1500 + 200]), SETTINGS)
    assert recommendation(begun).startswith("No minutes are recommended: Warning is still on at the end, and")
    assert recommendation(begun).endswith("Ask again when it is over.")
    assert as_json(found)["recommended"] is None


@pytest.mark.whole
def test_minutes_are_recommended_where_an_alarm_has_been_on_for_days_and_nothing_came_of_it() -> None:
    """What would always be on is what other minutes are needed for."""
    low = [100.0 * MINUTE_BYTES] * 3000
    found = backtest(history([*[FULL] * 100, *low]), SETTINGS)
    assert found.still_on == (AlarmKind.WARNING,)
    assert "CriticalMinutes" in recommendation(found)


def test_that_clients_were_never_slowed_down_is_said_in_words() -> None:
    found = fallen()
    (spell,) = found.spells
    text = words_of(replace(found, spells=(replace(spell, limited_minutes=0),)))
    assert f"Once, {spell.minutes} minutes in all. Clients were never slowed down." in text
    assert "For 0 of them" not in text


@pytest.mark.whole
def test_a_fall_that_goes_on_at_the_end_has_a_mark_that_is_explained() -> None:
    going_on, over = backtest(history(falls(after=0)), SETTINGS), fallen()
    said = "With a … after its minutes a time without credits goes on at the end."
    assert f"{going_on.spells[0].minutes}…" in shown(going_on)
    assert said in words_of(going_on)
    assert "…" not in words_of(over)
    # Of those that are not shown there is no mark either.
    many = replace(over, spells=(*over.spells * 20, *going_on.spells), records=padded(over, 21), others={})
    assert "…" not in words_of(many)


def padded(found: BacktestResult, number: int) -> dict[AlarmKind, Record]:
    """Its records, as if each fall had come so many times."""
    return {kind: replace(one, leads=one.leads * number, late=one.late * number) for kind, one in found.records.items()}


def words_of(found: BacktestResult) -> str:
    """What is shown, as if in one line."""
    text = shown(found)
    assert max(map(len, text.splitlines())) <= 80
    return " ".join(text.split())


def test_a_message_list_that_is_cut_says_how_many_there_are_more() -> None:
    found = fallen()
    assert len(found.mails) <= 30
    many = replace(found, mails=found.mails * 5)
    assert f"and {len(many.mails) - 30} more" in shown(many)


def test_that_nothing_tells_of_every_fall_is_said_only_where_nothing_does() -> None:
    found = fallen_on_the_second_day()
    twice = replace(found, spells=found.spells * 2, best=recommended([lead_time(60, (None,), 1), FAR], SETTINGS))
    assert "No WarningMinutes and no CriticalMinutes tell of them all" in recommendation(twice)
    with_one = replace(twice, tried=(*twice.tried, lead_time(361, (300, 300), 2)))
    assert "one of the two alarms tells of them all" in recommendation(with_one)


@pytest.mark.whole
def test_the_minutes_that_are_chosen_and_recommended_are_shown_with_every_twentieth() -> None:
    settings = Settings(warning_minutes=57, critical_minutes=37, rise_tolerance_percent=10)
    found = backtest(history(falls(calm=1500)), settings)
    minutes = {one.minutes for one in found.curve}
    assert {20, 37, 40, 57, 360, found.best.warning.minutes, found.best.critical.minutes} <= minutes
    assert len(found.tried) == 341


def lead_time(minutes: int, leads: tuple[int | None, ...], messages: int) -> LeadTime:
    return LeadTime(minutes=minutes, record=Record(times=(), leads=leads, late=(), vain=(), messages=messages))


FAR = lead_time(80, (None,), 1)


@given(
    st.lists(
        st.tuples(st.lists(st.none() | st.integers(1, 300), min_size=3, max_size=3), st.integers(0, 30)),
        min_size=6,
        max_size=6,
    )
)
def test_no_other_pair_warns_more_often_or_as_often_with_fewer_messages(
    curve: list[tuple[list[int | None], int]],
) -> None:
    singles = [lead_time(60 * number + 20, tuple(leads), messages) for number, (leads, messages) in enumerate(curve)]
    best = recommended(singles, SETTINGS)

    def worth(warning: LeadTime, critical: LeadTime) -> tuple[int, int]:
        told = warning.warned(USEFUL_MINUTES["warning"]) + critical.warned(USEFUL_MINUTES["critical"])
        return told, -(warning.record.messages + critical.record.messages)

    allowed = []
    for warning, critical in product(singles, singles):
        try:
            Settings(warning_minutes=warning.minutes, critical_minutes=critical.minutes, rise_tolerance_percent=10)
        except SettingsRefused:
            continue
        allowed.append(worth(warning, critical))
    assert worth(best.warning, best.critical) == max(allowed)


def test_where_nothing_is_better_what_is_chosen_stays() -> None:
    found = backtest(history([FULL] * 1500), SETTINGS)
    assert (found.best.warning.minutes, found.best.critical.minutes) == (180, 60)
    assert "Keep WarningMinutes 180 and CriticalMinutes 60" in " ".join(shown(found).split())


@pytest.mark.whole
def test_a_history_that_tells_neither_region_nor_file_system_has_words_in_their_place_in_every_command() -> None:
    known = history(falls())
    unknown = replace(
        known,
        region="",
        file_system_id="",
        file_systems=tuple((minute, replace(one, file_system_id="")) for minute, one in known.file_systems),
    )
    commands = [line for mail in backtest(unknown, SETTINGS).mails for line in mail.body.splitlines() if "aws " in line]
    assert any("--file-system-id FILE-SYSTEM " in one for one in commands)
    assert all("--region REGION" in one for one in commands if "--region" in one)
