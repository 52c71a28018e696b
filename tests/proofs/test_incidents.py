"""The proof of incidents notices what an operator is not told, and what they are told for nothing; a share of it."""

from dataclasses import replace
from datetime import datetime

import pytest

from operate.replay.replay import REPORTS_AT
from operate.replay.replayed_account import ReplayedAccount, ReplayedMail
from proofs.faults.faults_report import REPORT
from proofs.incidents.incidents_section import (
    HEADING,
    MeasuredMonths,
    carried_over,
    notes,
    rows,
    section,
    with_section,
)
from proofs.incidents.judge import MonthFigures, agreement, judged
from proofs.incidents.judged_months import FIRST_LATE_SEED
from proofs.incidents.life import LivedMonth, lived
from proofs.incidents.months_of_load import (
    DAY_MINUTES,
    HOUR_MINUTES,
    DrivingClients,
    LateTime,
    MonthPlan,
    hovering,
    plan,
    resting,
)
from simulation.burst_credits import MIB, TIB

BURST = 100 * MIB
A_MINUTES_WORTH = 60 * BURST
DAYS, LATE = 1, 3
LARGE_SEED = 7
# The first day has more mails than others, for a stack is deployed to what is low then: it must not be one of a week.
SHARE_DAYS, SHARE_SEEDS, SHARE_LATE_SEEDS = 14, range(7), range(FIRST_LATE_SEED, FIRST_LATE_SEED + 2)
# One of each way to rest, with falls to zero while Critical is on.
SHARE_RESTING_DAYS, SHARE_RESTING_SEEDS = 7, range(202, 205)


@pytest.fixture(scope="module")
def share() -> MeasuredMonths:
    """Some weeks of the months that `make prove PROOF=incidents` lives through."""
    found = MeasuredMonths.none()
    for seed in SHARE_SEEDS:
        found.ordinary.add(judged(lived(plan(seed, SHARE_DAYS))))
    for seed in SHARE_LATE_SEEDS:
        found.late.add(judged(lived(plan(seed, SHARE_DAYS, late=True))))
    for seed in SHARE_RESTING_SEEDS:
        found.resting.add(judged(lived(resting(seed, SHARE_RESTING_DAYS))))
    found.hovering.add(agreement(lived(hovering(0, SHARE_DAYS))))
    return found


NOTHING = MeasuredMonths.none()
NAMES_OF_ROWS = [row.what for row in rows(NOTHING)]


@pytest.mark.days
@pytest.mark.parametrize("what", NAMES_OF_ROWS)
def test_a_share_of_the_months_is_within_the_limit(share: MeasuredMonths, what: str) -> None:
    (row,) = [row for row in rows(share) if row.what == what]
    assert row.held, f"{row.measured}, {[what for one in share for what in one.missed]}"


def test_a_file_system_that_may_meet_a_regions_cap_is_lived_through_too() -> None:
    """The only one whose last fifteen days are read, which do not begin with an hour."""
    a_day = plan(LARGE_SEED, 1)
    assert a_day.size_bytes > 10 * TIB
    assert judged(lived(a_day)).counts["months"] == 1


def test_reports_run_every_hour_also_while_nothing_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    minutes = list[int]()
    run = ReplayedAccount.report_silence

    def noted(account: ReplayedAccount, began: datetime | None = None) -> None:
        minutes.append(account.minute)
        run(account, began)

    monkeypatch.setattr(ReplayedAccount, "report_silence", noted)
    a_calm_day = a_plan(batches=frozenset(), background_share=0.0, opening_share=1.0)
    assert "ALARM" not in {state for *_, state in lived(a_calm_day).changes}
    assert minutes == list(range(HOUR_MINUTES + REPORTS_AT, DAY_MINUTES, HOUR_MINUTES))


def test_nothing_measured_is_nothing_held() -> None:
    assert [row.what for row in rows(NOTHING) if row.held] == []


# A month made by hand: ten hours above Critical, a fall to zero at minute 700, back above a minute's worth from 760 on,
# and gone again at minute 1000.


def a_plan(**changes: object) -> MonthPlan:
    calm = replace(plan(0, DAYS), late_minutes=LATE, late_times=(), bursts={}, modes={})
    return replace(calm, **changes)  # type: ignore[arg-type] # fields by name


def a_day(*mails: ReplayedMail, **changes: object) -> LivedMonth:
    def worth(minute: int) -> float:
        if minute < 700:
            return min(90.0, (700 - minute) / 2)
        if minute < 760:
            return 0
        return min(30.0, (minute - 760) / 4) if minute < 940 else max(0.0, (1000 - minute) / 2)

    closing = [worth(minute) * A_MINUTES_WORTH for minute in range(DAY_MINUTES)]
    closing[1000:] = [0.0] * (DAY_MINUTES - 1000)
    found = LivedMonth(
        a_plan(**changes),
        lowest=list(closing),
        mails=list(mails),
        changes=[],
        closing=closing,
        burst=[float(BURST)] * DAY_MINUTES,
        matters=[True] * DAY_MINUTES,
        steady_since=[None] * DAY_MINUTES,
    )
    later = {minute: one.minutes for one in found.plan.late_times for minute in range(one.start, one.end)}
    found.arrives = [minute + LATE + later.get(minute, 0) for minute in range(DAY_MINUTES)]
    return found


def alarm(minute: int, name: str, state: str = "ALARM") -> ReplayedMail:
    topic = "critical" if name in {"critical", "exhausted"} else "warning"
    return ReplayedMail(minute, topic, name, state, by_cloudwatch=True)


def advice(minute: int, body: str) -> ReplayedMail:
    return ReplayedMail(minute, "advice", "CRITICAL", body, by_cloudwatch=False)


def shares(found: MonthFigures, what: str) -> tuple[int, int]:
    """How many held, of how many."""
    return found.counts[f"{what}: held"], found.counts[what]


BOTH_ZEROS = (alarm(701, "exhausted"), alarm(790, "exhausted", "OK"), alarm(1001, "exhausted"))


def test_a_zero_that_is_told_counts_as_told() -> None:
    assert shares(judged(a_day(*BOTH_ZEROS)), "zeros") == (2, 2)


@pytest.mark.parametrize("missing", [0, 2])
def test_a_zero_that_nobody_is_told_of_is_noticed(missing: int) -> None:
    told = [one for one in BOTH_ZEROS if one is not BOTH_ZEROS[missing]]
    found = judged(a_day(*told))
    assert shares(found, "zeros") == (1, 2)
    assert found.missed[0].startswith("zeros: seed 0, minute")


@pytest.mark.parametrize(("minute", "told"), [(1000 + LATE + 2, 2), (1000 + LATE + 3, 1)])
def test_a_zero_is_told_within_its_lag_and_two_minutes(minute: int, told: int) -> None:
    assert shares(judged(a_day(*BOTH_ZEROS[:2], alarm(minute, "exhausted"))), "zeros") == (told, 2)


def names(minute: int, end: str, head: str = "NEARLY GONE") -> ReplayedMail:
    return replace(advice(minute, ""), subject=f"{head}: credits gone at {end} UTC, in a while, fs-1")


@pytest.mark.parametrize(("minute", "told"), [(990, 2), (989, 1)])
def test_an_alarm_tells_the_zero_of_the_ten_minutes_after_it(minute: int, told: int) -> None:
    """It may have been on for hours: less than a minute's worth lasts that long where little is taken."""
    assert shares(judged(a_day(*BOTH_ZEROS[:2], alarm(minute, "exhausted"))), "zeros told right") == (told, 2)


@pytest.mark.parametrize(
    ("minute", "end", "told"),
    [
        (980, "16:50", 2),
        (980, "16:51", 1),
        (980, "16:30", 2),
        (980, "16:29", 1),
        (800, "17:10", 2),
        (800, "17:11", 1),
    ],
)
def test_a_zero_is_told_before_it_by_a_mail_whose_time_is_right_to_ten_minutes_or_a_part_of_what_was_left(
    minute: int, end: str, told: int
) -> None:
    """It came at 16:40: 20 minutes and 200 minutes after these mails."""
    early = alarm(minute, "exhausted")
    assert shares(judged(a_day(*BOTH_ZEROS[:2], early, names(minute, end))), "zeros told right") == (told, 2)


def test_the_last_time_that_was_named_is_the_one_that_counts() -> None:
    told = (
        *BOTH_ZEROS[:2],
        alarm(940, "exhausted"),
        names(940, "16:40"),
        names(960, "18:00", "STILL CRITICAL for 9 h"),
    )
    assert shares(judged(a_day(*told)), "zeros told right") == (1, 2)


def test_a_time_without_a_day_may_be_that_of_tomorrow() -> None:
    """A third zero comes at 00:05 of the next day, 15 minutes after a mail that names it."""
    day = a_day(*BOTH_ZEROS, alarm(1300, "exhausted", "OK"), alarm(1430, "exhausted"), names(1430, "00:04"))
    day.closing[1250:] = [0.9 * A_MINUTES_WORTH] * (DAY_MINUTES + 5 - 1250) + [0.0] * 95
    day.closing[1260:1400] = [5.0 * A_MINUTES_WORTH] * 140
    day.lowest[:] = day.closing
    day.burst.extend([BURST] * 100)
    day.matters.extend([True] * 100)
    day.steady_since.extend([None] * 100)
    day.arrives.extend(range(day.arrives[-1] + 1, day.arrives[-1] + 101))
    assert shares(judged(day), "zeros told right") == (3, 3)


GONE_BY_THEN = replace(advice(1047, ""), subject="STILL CRITICAL for 9 h: burst credits gone, limited to 5 MiB/s, fs-1")
"""The next hourly run after the second zero is that of 17:27."""


@pytest.mark.parametrize(
    ("mails", "told"),
    [
        ((alarm(980, "exhausted"), GONE_BY_THEN), (1, 1)),
        ((alarm(980, "exhausted"), names(980, "16:40")), (0, 1)),
        ((alarm(980, "exhausted"), replace(GONE_BY_THEN, minute=1107)), (0, 1)),
        ((alarm(980, "exhausted"), names(1047, "18:40")), (0, 1)),
        ((alarm(995, "exhausted"),), (0, 0)),
    ],
    ids=["told", "never", "an hour late", "still to come", "told by its alarm"],
)
def test_a_zero_a_while_after_its_alarm_has_to_be_told_by_the_next_run(
    mails: tuple[ReplayedMail, ...], told: tuple[int, int]
) -> None:
    assert shares(judged(a_day(*BOTH_ZEROS[:2], *mails)), "zeros told by a run") == told


def test_the_next_run_need_not_tell_a_zero_that_is_over() -> None:
    day = a_day(*BOTH_ZEROS[:2], alarm(980, "exhausted"))
    day.closing[1040:1050] = [0.1 * A_MINUTES_WORTH] * 10
    found = judged(day)
    assert shares(found, "zeros told by a run") == (0, 0)
    assert shares(found, "zeros told by neither") == (0, 1)


@pytest.mark.parametrize(
    ("subject", "readable"),
    [
        ("DRAINING: credits gone at 16:40 UTC, in 40 min, fs-1", 1),
        ("STILL CRITICAL for 9 h: credits gone at 16:40 UTC, in 40 min, fs-1", 1),
        ("NEARLY GONE: credits gone at 16:40 UTC, in 1 min, fs-1", 0),
        ("LIMIT LIFTED: 5 min of credits left at full speed, fs-1", 0),
    ],
)
def test_of_a_relapse_it_is_known_whether_people_could_read_of_it(subject: str, readable: int) -> None:
    day = a_day(alarm(955, "draining"), replace(advice(960, ""), subject=subject))
    assert shares(judged(day), "relapses") == (1, 1)
    assert shares(judged(day), "readable relapses") == (readable, 1)


@pytest.mark.parametrize(("minute", "told"), [(939, 0), (955, 1), (1001, 0)])
def test_a_relapse_is_told_while_it_lasts_and_not_before_or_after(minute: int, told: int) -> None:
    """The first fall began above Critical and is none."""
    assert shares(judged(a_day(alarm(minute, "draining"))), "relapses") == (told, 1)


@pytest.mark.parametrize(("minute", "right"), [(950, 1), (821, 1), (810, 0), (500, 0)])
def test_a_forecast_without_a_zero_within_three_hours_is_noticed(minute: int, right: int) -> None:
    """The first zero is at 700, the second at 1000: what is told at 500 or 810 is more than three hours early."""
    assert shares(judged(a_day(alarm(minute, "draining"))), "forecasts") == (right, 1)


@pytest.mark.parametrize(("minute", "harmless"), [(339, 1), (340, 0), (699, 0), (1002, 1)])
def test_a_mail_without_action_within_six_hours_of_a_zero_is_noticed(minute: int, harmless: int) -> None:
    body = "The balance rises.\nIf that goes on, no\naction is needed."
    assert shares(judged(a_day(advice(minute, body))), "no action") == (harmless, 1)


def test_a_mail_that_asks_for_action_is_not_counted() -> None:
    assert judged(a_day(advice(690, "Switch to elastic throughput."))).counts["no action"] == 0


PAGES = (alarm(580, "critical"), *BOTH_ZEROS, alarm(1300, "exhausted", "OK"), alarm(1400, "critical", "OK"))


def test_critical_and_each_zero_and_its_end_are_the_pages() -> None:
    assert judged(a_day(*PAGES)).counts["extra pages"] == 0


@pytest.mark.parametrize(
    "extra",
    [
        alarm(900, "exhausted"),
        alarm(1100, "critical"),
        alarm(1100, "exhausted"),
        replace(alarm(1100, "draining"), topic="critical"),
        replace(advice(1100, "STILL CRITICAL"), topic="critical"),
    ],
    ids=["no zero", "critical again", "zero again", "another alarm", "a function's"],
)
def test_an_extra_page_is_noticed(extra: ReplayedMail) -> None:
    mails = sorted((*PAGES, extra), key=lambda one: one.minute)
    assert judged(a_day(*mails)).counts["extra pages"] >= 1


def test_a_dip_that_had_not_arrived_at_the_all_clear_is_a_reason_for_the_next_page() -> None:
    """The second zero begins at 999; Exhausted ends at 1001 by datapoints that are three minutes older."""
    pages = (alarm(580, "critical"), *BOTH_ZEROS[:1], alarm(1001, "exhausted", "OK"), alarm(1002, "exhausted"))
    assert judged(a_day(*pages)).counts["extra pages"] == 0


def test_critical_that_was_suspended_in_between_may_be_told_again() -> None:
    day = a_day(*PAGES, alarm(1410, "critical"), alarm(1430, "critical"))
    day.changes.append((1420, "critical", "ALARM", "INSUFFICIENT_DATA"))
    assert judged(day).counts["extra pages"] == 0


UNHEARD = advice(1020, "Exhausted went off unheard while the alarms\nwere silent.")


def a_day_in_elastic_mode_from_800_to_1010(*mails: ReplayedMail, empty_minutes: int) -> LivedMonth:
    """The balance comes back with the mode: so many minutes without credits, and above a minute's worth then."""
    day = a_day(*PAGES[:3], *mails)
    day.matters[800:1010] = [False] * 210
    day.closing[1010:] = [10.0 * A_MINUTES_WORTH] * (DAY_MINUTES - 1010)
    day.closing[1010 : 1010 + empty_minutes] = [0.0] * empty_minutes
    day.lowest[1010:] = day.closing[1010:]
    return day


@pytest.mark.parametrize(
    ("mails", "empty_minutes", "extra"),
    [
        ((UNHEARD, alarm(1030, "exhausted", "OK")), 5, 0),
        ((alarm(1030, "exhausted", "OK"),), 5, 1),
        ((UNHEARD, alarm(1030, "exhausted", "OK")), 0, 1),
        ((UNHEARD, alarm(1030, "critical", "OK"), alarm(1031, "critical", "OK")), 5, 1),
        ((alarm(790, "exhausted", "OK"), UNHEARD), 5, 1),
    ],
    ids=["announced", "not announced", "never empty", "Critical", "before the alarms were silent"],
)
def test_the_end_of_a_zero_that_fell_in_the_silence_is_a_page_where_a_mail_has_said_that_it_comes(
    mails: tuple[ReplayedMail, ...], empty_minutes: int, extra: int
) -> None:
    assert (
        judged(a_day_in_elastic_mode_from_800_to_1010(*mails, empty_minutes=empty_minutes)).counts["extra pages"]
        == extra
    )


@pytest.mark.parametrize(("stated", "error"), [("11:40", 0), ("11:46", 0.1), ("11:22", 0.3)])
def test_the_time_of_zero_is_held_against_the_truth(stated: str, error: float) -> None:
    """The load has been the same since minute 500, and the credits end at 11:40."""
    day = a_day(
        advice(640, f"At the pace of the last 15 minutes (falling by 49 MiB/s) they last\n1 h, until {stated} UTC.")
    )
    day.steady_since[:701] = [500] * 701
    (measured,) = judged(day).values["error of the time of zero"]
    assert measured == pytest.approx(error, abs=0.01)


@pytest.mark.parametrize("since", [None, 620])
def test_the_time_of_zero_counts_only_under_a_load_that_is_steady(since: int | None) -> None:
    day = a_day(advice(640, "At the pace of the last 15 minutes (falling by 49 MiB/s) they last 1 h, until 11:40 UTC."))
    day.steady_since[:701] = [since] * 701
    assert "error of the time of zero" not in judged(day).values


def test_advice_mails_are_counted_on_days_of_an_incident_beyond_one_a_zero() -> None:
    day = a_day(*(advice(minute, "") for minute in (600, 620, 640, 660, 680)))
    assert "mails a day" not in judged(day).values
    day.changes += [(580, "critical", "OK", "ALARM"), (1400, "critical", "ALARM", "OK")]
    assert judged(day).values["mails a day"] == [3]


def test_advice_mails_are_counted_in_months_with_late_metrics_too_and_without_those_about_lateness() -> None:
    late = replace(advice(720, ""), subject="INFO: metrics come late, and so do warnings, fs-1")
    day = a_day(*(advice(minute, "") for minute in (600, 620, 640)), late, late_times=(LateTime(690, 900, 40),))
    day.changes += [(580, "critical", "OK", "ALARM"), (1400, "critical", "ALARM", "OK")]
    found = judged(day)
    assert (found.values["mails a day"], found.values["mails a day but of lateness"]) == ([2], [1])
    assert "median 2, P95 2 of 1." in notes(NOTHING._replace(late=found))[2]
    assert "without these median 1, P95 1." in notes(NOTHING._replace(late=found))[2]


def test_loads_that_rest_have_their_forecasts_and_mails_told() -> None:
    resting = MonthFigures()
    resting.counts.update({"forecasts": 4, "forecasts: held": 3})
    resting.values["mails a day"] = [1.0, 2.0, 6.0]
    note = notes(NOTHING._replace(resting=resting))[4]
    assert "25.00 % of these 4 forecasts had no zero" in note
    assert "median 2, P95 6 of 3." in note


def test_every_batch_of_a_month_of_rests_works_for_some_minutes_of_each_ten_or_twenty() -> None:
    month = replace(resting(0, 1), batches=frozenset({0}), bursts={}, background_share=0.0)
    clients = DrivingClients(month)
    asked = [clients.demand(minute, 1e15, month.size_bytes, credits_matter=True) for minute in range(20)]
    assert [one > 0 for one in asked] == [*[True] * 3, *[False] * 7] * 2
    assert clients.steady_since is None


@pytest.mark.parametrize(("after", "held"), [(20, 1), (21, 0)])
def test_late_news_of_a_crossing_has_twenty_minutes(after: int, held: int) -> None:
    late = (LateTime(690, 900, 40),)
    day = a_day(alarm(699 + LATE + 40 + after, "exhausted"), late_times=late)
    assert shares(judged(day), "late exhausted") == (held, 1)


def test_a_mail_that_failed_for_good_is_noticed() -> None:
    day = a_day()
    day.failed.append((900, "explain"))
    table = rows(NOTHING._replace(ordinary=judged(day)))
    (row,) = [row for row in table if row.what.startswith("mails that failed for good")]
    assert not row.held
    assert row.measured.startswith("1,")


def test_a_mail_that_contradicts_one_of_its_hour_is_noticed_in_months_of_every_kind() -> None:
    for place in range(len(NOTHING)):
        measured = MeasuredMonths.none()
        measured[place].counts.update({"one story": 2, "one story: held": 1})
        (row,) = [row for row in rows(measured) if row.what.startswith("mails that contradict")]
        assert (row.held, row.measured) == (False, "1 of 2")


# The page.


def test_the_section_replaces_the_one_before_and_nothing_else() -> None:
    page = with_section("# Reliability\n\nMuch.\n", section(NOTHING, 30))
    assert page.startswith("# Reliability\n\nMuch.\n\n## From")
    assert with_section(page, section(NOTHING, 30)) == page
    assert carried_over("# Reliability\n\nMore.\n", page).startswith("# Reliability\n\nMore.\n\n## From")
    assert carried_over("# Reliability\n\nMore.\n", "# Reliability\n") == "# Reliability\n\nMore.\n"


def test_the_page_has_every_row_with_its_limit() -> None:
    _, _, told = REPORT.read_text().partition(HEADING)
    for row in rows(NOTHING):
        assert f"| {row.what} | {row.limit} |" in told


def test_the_page_says_what_the_rows_leave_out() -> None:
    _, _, told = REPORT.read_text().partition(HEADING)
    for note in notes(NOTHING):
        assert f"- {note.partition(':')[0].partition(',')[0].rstrip('*')}" in " ".join(told.split())


def test_the_page_says_of_each_row_that_it_held() -> None:
    _, _, told = REPORT.read_text().partition(HEADING)
    assert [line for line in told.splitlines() if line.endswith("| **not held** |")] == []
    assert sum(line.endswith("| held |") for line in told.splitlines()) == len(NAMES_OF_ROWS)
