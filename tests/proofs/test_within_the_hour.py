"""The mails of an hour agree; and the proof notices those that do not, unless something new has happened."""

from dataclasses import replace

import pytest

from operate.replay.replayed_account import ReplayedMail
from proofs.incidents.judge import agreement
from proofs.incidents.life import LivedMonth, lived
from proofs.incidents.months_of_load import hovering, plan
from proofs.incidents.within_the_hour import contradictions
from tests.quick import first_of

A_MINUTES_WORTH = 60 * 100 * 2**20
MINUTES = 300
RISING = "At the pace of the last 15 minutes they do not end: the balance is rising by 5.0 MiB/s"
FALLING = "At the pace of the last 15 minutes (falling by 5.0 MiB/s) they last 5 h, until 06:30 UTC."


@pytest.mark.whole
@pytest.mark.parametrize("seed", first_of([0, 1, 13, 19, 47], 2, in_ci=2))
def test_no_mail_contradicts_another_of_its_hour_where_the_balance_hovers_about_a_threshold(seed: int) -> None:
    assert agreement(lived(hovering(seed, 6))).missed == []


@pytest.mark.days
@pytest.mark.parametrize("seed", [*range(20, 26), 100_002])
def test_nor_in_a_share_of_the_months(seed: int) -> None:
    assert agreement(lived(plan(seed, 7, late=seed >= 100_000))).missed == []


def an_evening(*mails: ReplayedMail, before: float = 0.0, after: float = 0.0, left: float = 100.0) -> LivedMonth:
    """So many minutes' worth at minute 150, and so many more or less each minute before and after."""
    closing = [
        (left + min(0, minute - 150) * before + max(0, minute - 150) * after) * A_MINUTES_WORTH
        for minute in range(MINUTES)
    ]
    return LivedMonth(
        replace(plan(0, 1), late_times=()),
        lowest=list(closing),
        mails=list(mails),
        changes=[],
        closing=closing,
        burst=[100.0 * 2**20] * MINUTES,
        matters=[True] * MINUTES,
        steady_since=[None] * MINUTES,
        arrives=list(range(MINUTES)),
    )


def mail(minute: int, subject: str, body: str) -> ReplayedMail:
    return ReplayedMail(minute, "advice", f"{subject}, fs-0123456789abcdef0", body, by_cloudwatch=False)


def found(month: LivedMonth) -> list[str]:
    return [how for _, how in contradictions(month)]


WARNING, OVER = "WARNING: 100 min of credits left", "RECOVERED: Warning is over, 181 min of credits left"


def test_a_balance_that_rises_and_falls_must_have_turned() -> None:
    mails = (mail(140, "LIMIT LIFTED: 100 min", f"{RISING}."), mail(190, "DRAINING: credits gone", FALLING))
    assert found(an_evening(*mails, before=0.1, after=0.1)) == ["rose, falls"]
    assert found(an_evening(*mails, before=0.1, after=-0.1)) == []
    assert found(an_evening(mails[0], replace(mails[1], minute=201), before=0.1, after=0.1)) == []
    back = (replace(mails[1], minute=140), replace(mails[0], minute=190))
    assert found(an_evening(*back, before=-0.1, after=-0.1)) == ["fell, rises"]
    assert found(an_evening(*back, before=-0.1, after=0.1)) == []


def test_each_mail_that_contradicts_one_counts_once_and_names_the_month_that_shows_it() -> None:
    mails = (mail(140, "LIMIT LIFTED: 100 min", f"{RISING}."), mail(190, "DRAINING: credits gone", FALLING))
    judged = agreement(an_evening(*mails, before=0.1, after=0.1), "hovering seed")
    assert (judged.counts["one story"], judged.counts["one story: held"]) == (2, 1)
    assert judged.missed == ["one story: hovering seed 0, minute 190, rose, falls"]


@pytest.mark.parametrize(("since", "told"), [("01:30", True), ("02:16", False), ("02:30", False)])
def test_a_balance_that_rose_by_the_mail_before_has_not_been_falling_since_an_earlier_time(
    since: str, told: bool
) -> None:
    later = f"{FALLING} The balance has been falling since {since} UTC."
    month = an_evening(mail(140, WARNING, f"{RISING}."), mail(190, WARNING, later), before=0.1, after=-0.1)
    assert ("rose, and has been falling since before" in found(month)) == told


def test_a_threshold_that_rises_above_the_balance_sets_an_alarm_again_that_was_over() -> None:
    month = an_evening(mail(140, OVER, f"{RISING}."), mail(170, WARNING, f"{RISING}."), before=0.1, after=0.1, left=181)
    assert "warning over, on" in found(month)
    month.burst[150:] = [101.0 * 2**20] * 150
    assert "warning over, on" not in found(month)
    month.burst[150:] = [100.001 * 2**20] * 150
    assert "warning over, on" in found(month)


def test_an_alarm_that_is_over_is_not_on_again_while_the_balance_rises_nor_the_other_way_round() -> None:
    mails = (mail(140, OVER, f"{RISING}."), mail(170, WARNING, f"{RISING}."))
    assert found(an_evening(*mails, before=0.1, after=0.1)) == ["warning over, on"]
    assert found(an_evening(*mails, before=0.1, after=-0.1)) == []
    back = (mail(140, WARNING, FALLING), mail(170, OVER, FALLING))
    assert found(an_evening(*back, before=-0.1, after=-0.1)) == ["warning on, over"]
    critical = (mails[0], mail(170, WARNING.replace("WARNING", "CRITICAL"), f"{RISING}."))
    assert found(an_evening(*critical, before=0.1, after=0.1, left=50)) == []


@pytest.mark.parametrize(
    ("told", "contradiction"),
    [
        ("03:10", []),
        ("03:20", ["above 180 minutes at another time"]),
        ("03:10 UTC on Wed 2 Jan", ["above 180 minutes at another time"]),
    ],
)
def test_when_it_is_above_stays_so_while_nothing_changes(told: str, contradiction: list[str]) -> None:
    first = mail(140, WARNING, f"{RISING} and will be above 180 minutes at 03:11 UTC.")
    second = mail(
        180,
        f"STILL {WARNING}",
        f"{RISING} and will be above 180 minutes at {told.removesuffix(' UTC')}{'' if ' on ' in told else ' UTC'}.",
    )
    assert found(an_evening(first, second, before=0.1, after=0.1)) == contradiction
    assert found(an_evening(first, second, before=0.1, after=0.3)) == []


def test_at_the_time_that_was_told_it_is_above() -> None:
    first = mail(140, WARNING, f"{RISING} and will be above 180 minutes at 02:50 UTC.")
    second = mail(180, f"STILL {WARNING}", f"{RISING}.")
    assert found(an_evening(first, second, before=0.1, after=0.1)) == ["not above 180 minutes at that time"]


ABOVE = "It is above 180 minutes: if it stays so, the alarm ends within 15 minutes."


@pytest.mark.parametrize(
    ("left", "body", "contradiction"),
    [
        (181, f"{RISING}.", ["warning on, and above it"]),
        (181, f"{RISING}. {ABOVE}", []),
        (179, f"{RISING}.", []),
        (179, f"{RISING}. {ABOVE}", ["warning on, and not above it"]),
        (181, FALLING, []),
        (180.1, f"{RISING}.", []),
    ],
)
def test_who_is_told_of_an_alarm_above_its_threshold_is_told_that_it_ends(
    left: float, body: str, contradiction: list[str]
) -> None:
    assert found(an_evening(mail(150, WARNING, body), left=left)) == contradiction
    assert found(an_evening(mail(150, OVER, f"{RISING}."), left=left)) == []


def test_what_is_on_is_not_expected_in_days() -> None:
    expected = mail(170, "INFO: Warning expected on Thu 3 Jan", "are down to 180 minutes on Thursday 3 January")
    assert found(an_evening(mail(150, WARNING, FALLING), expected)) == ["on, expected in days"]
    assert found(an_evening(mail(150, OVER, f"{RISING}."), expected, left=181)) == []
    assert found(an_evening(replace(expected, minute=140), mail(150, WARNING, f"{RISING}."))) == [
        "expected in days, on"
    ]
    falls = an_evening(replace(expected, minute=140), mail(150, WARNING, FALLING), before=-0.1, after=-0.1)
    assert found(falls) == []
