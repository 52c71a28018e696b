"""A mail says where in an incident it stands, for whoever has not read those before it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import PastDay, Situation
from efs_monitor.mail.exhausted_mails import limited
from efs_monitor.mail.incident_so_far import so_far

from tests.unit.mail.mail_cases import GONE_BEFORE, HERE, NEWEST, TIME, WRITING_FAST, a_situation

WARNING, CRITICAL, EXHAUSTED, DRAINING = (
    *(AlarmKind.WARNING, AlarmKind.CRITICAL),
    *(AlarmKind.EXHAUSTED, AlarmKind.DRAINING),
)
NOTHING_BEFORE = a_situation(balance_gib=300, hour_ago_gib=400, activity=WRITING_FAST)


def ago(**span: float) -> datetime:
    return TIME - timedelta(**span)


def over_since(moment: datetime, *, balance_gib: float) -> Situation:
    """Critical went off now, after it was over for a while; before that the balance was so high all day."""
    balances = tuple(one._replace(balance_bytes=balance_gib * GIB) for one in GONE_BEFORE.balances)
    day = replace(GONE_BEFORE, balances=balances)
    return replace(NOTHING_BEFORE, balances=NOTHING_BEFORE.balances[-1:], past_days=(day,), off_since=moment)


def test_the_first_mail_of_an_incident_has_nothing_to_add() -> None:
    assert so_far(WARNING, replace(NOTHING_BEFORE, alarms_on=((WARNING, TIME),)), 180) == ""


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (WARNING, "The Critical alarm has been on since 01:45 UTC."),
        (CRITICAL, "The Warning alarm has been on since 17:45 UTC on Sun 6 Jan."),
        (EXHAUSTED, "The Warning alarm has been on since 17:45 UTC on Sun 6 Jan, Critical since 01:45 UTC."),
        (DRAINING, "The Warning alarm has been on since 17:45 UTC on Sun 6 Jan, Critical since 01:45 UTC."),
    ],
)
def test_the_other_alarms_that_are_on_are_named_with_since_when(kind: AlarmKind, told: str) -> None:
    on = replace(NOTHING_BEFORE, alarms_on=((WARNING, ago(hours=9)), (CRITICAL, ago(hours=1))))
    assert so_far(kind, on) == told


@pytest.mark.parametrize(
    ("over_for", "balance_gib", "told"),
    [
        (timedelta(minutes=14), 351, "Critical had been over since 02:31 UTC, for 14 min."),
        (timedelta(minutes=119), 351, "Critical had been over since 00:46 UTC, for 1 h 59 min."),
        # As long as that is another incident's.
        (timedelta(minutes=120), 351, ""),
        # By its threshold of 351.5625 GiB it cannot have been on before: its state has changed otherwise.
        (timedelta(minutes=14), 351.5625, ""),
    ],
)
def test_an_alarm_that_was_over_for_a_while_only_says_so(over_for: timedelta, balance_gib: float, told: str) -> None:
    assert so_far(CRITICAL, over_since(TIME - over_for, balance_gib=balance_gib), 60) == told


def test_what_was_low_only_since_the_alarm_was_over_does_not_say_that_it_was_on_before() -> None:
    off_since = NEWEST - timedelta(minutes=60)
    after = over_since(off_since, balance_gib=800)
    (day,) = after.past_days
    low = tuple(one._replace(balance_bytes=300 * GIB) if one.time >= off_since else one for one in day.balances)
    assert so_far(CRITICAL, replace(after, past_days=(replace(day, balances=low),)), 60) == ""


def gib_of(lead_minutes: int, mib_per_second: float) -> float:
    """The threshold of a lead time at such a rate."""
    return lead_minutes * 60 * mib_per_second * MIB / GIB


def moved(
    minutes_over: int, *, then: float, until_over: float, gib: float, above: float | None, now: float = 100.0
) -> Situation:
    """Critical went off now, and was over for so many minutes, found to be `above` the threshold of such a rate. `then`
    MiB/s were permitted until ten minutes before that, `until_over` after it, and so many GiB were left in the end,
    which a load had taken from on all day: in another throughput mode it takes none.
    """
    off_since = TIME - timedelta(minutes=minutes_over)
    over = over_since(off_since, balance_gib=gib)
    (day,) = over.past_days
    taken = zip(day.balances, reversed(range(len(day.balances))), strict=True)
    fell = tuple(one._replace(balance_bytes=one.balance_bytes + 0.0001 * steps * GIB) for one, steps in taken)
    rates = (
        (one.time, (then if one.time < off_since - timedelta(minutes=10) else until_over) * MIB)
        for one in over.balances_of_the_day
    )
    return replace(
        over,
        balances=tuple(one._replace(balance_bytes=gib * GIB) for one in over.balances),
        past_days=(replace(day, balances=fell),),
        permitted_of_the_day=tuple(rates),
        reference_bytes_per_second=now * MIB,
        off_above_bytes=None if above is None else gib_of(60, above) * GIB,
    )


def test_an_alarm_that_was_over_by_a_lower_threshold_alone_says_so() -> None:
    """A shrink from 2 TiB to 1: sixty minutes needed 703 GiB, and need 352, of which more is left until it falls on."""
    told = (
        "Critical had been over since 02:41 UTC, for 4 min: its threshold had been lowered with the size, from about "
    )
    shrunk = moved(4, then=200, until_over=100, gib=400, above=100)
    assert so_far(CRITICAL, shrunk, 60) == f"{told}703 GiB to 352 GiB."
    # Nothing was lowered, or CloudWatch does not say by which threshold it was over.
    assert so_far(CRITICAL, moved(4, then=100, until_over=100, gib=400, above=100), 60) == ""
    assert so_far(CRITICAL, moved(4, then=200, until_over=100, gib=400, above=None), 60) == ""
    # It was above the threshold of before as well, or below that of after.
    assert so_far(CRITICAL, moved(4, then=200, until_over=100, gib=703.125, above=100), 60) == ""
    assert ", for 4 min." in so_far(CRITICAL, moved(4, then=200, until_over=100, gib=351, above=100), 60)
    assert so_far(CRITICAL, moved(119, then=200, until_over=100, gib=400, above=100), 60).startswith(
        "Critical had been"
    )
    assert so_far(CRITICAL, moved(120, then=200, until_over=100, gib=400, above=100), 60) == ""


def test_what_was_permitted_long_before_the_alarm_was_over_had_no_part_in_it() -> None:
    shrunk = moved(4, then=200, until_over=100, gib=400, above=100)
    off_since = TIME - timedelta(minutes=4)
    for minutes, is_told in ((90, True), (91, False)):
        last = off_since - timedelta(minutes=minutes)
        rates = [(last - number * timedelta(minutes=5), 200.0 * MIB) for number in reversed(range(12))]
        of_before = replace(shrunk, permitted_of_the_day=(*rates, (off_since, 100.0 * MIB)))
        assert (so_far(CRITICAL, of_before, 60) != "") is is_told


@pytest.mark.parametrize(
    ("gib", "told"),
    [
        (360.0, ": the balance has not fallen below the one of before."),
        (350.0, "."),
    ],
)
def test_an_alarm_that_went_off_by_a_higher_threshold_says_so(gib: float, told: str) -> None:
    """A growth from 1 TiB to 1.4."""
    grown = moved(22, then=100, until_over=100, gib=gib, above=100, now=140)
    assert so_far(CRITICAL, grown, 60) == (
        "Critical had been over since 02:23 UTC, for 22 min. Its threshold has risen with the size since then, from "
        f"352 GiB to 492 GiB{told}"
    )


def test_a_threshold_that_no_size_of_the_day_had_is_not_said_to_have_moved_with_one() -> None:
    """The lead time may have been made longer."""
    longer = moved(22, then=100, until_over=100, gib=300, above=50)
    assert so_far(CRITICAL, longer, 60) == (
        "Critical had been over since 02:23 UTC, for 22 min. Its threshold has risen since then, from 176 GiB to "
        "352 GiB: the balance has not fallen below the one of before."
    )
    # By less than a hundredth it is the same.
    assert so_far(CRITICAL, moved(22, then=100, until_over=100, gib=300, above=99.1), 60).endswith("for 22 min.")


def test_a_threshold_that_was_lowered_and_has_risen_again_is_told_both_ways() -> None:
    back = moved(22, then=200, until_over=100, gib=400, above=100, now=200)
    assert so_far(CRITICAL, back, 60) == (
        "Critical had been over since 02:23 UTC, for 22 min: its threshold had been lowered with the size, from about "
        "703 GiB to 352 GiB. Its threshold has risen with the size since then, from 352 GiB to 703 GiB: the balance "
        "has not fallen below the one of before."
    )


def test_only_the_alarm_that_has_just_gone_off_can_have_been_over() -> None:
    assert so_far(CRITICAL, over_since(ago(minutes=14), balance_gib=351)) == ""


def test_a_mail_that_the_limit_is_lifted_counts_the_one_that_has_just_ended() -> None:
    """Its last five minutes were those of 02:36."""
    lately = tuple(
        one._replace(balance_bytes=0.0) if NEWEST - timedelta(minutes=20) <= one.time < NEWEST else one
        for one in GONE_BEFORE.balances
    )
    situation = replace(
        a_situation(balance_gib=8, hour_ago_gib=0, activity=WRITING_FAST),
        past_days=(replace(GONE_BEFORE, balances=lately),),
    )
    assert so_far(EXHAUSTED, situation, is_of_the_last=True) == (
        "Credits were gone 3 times in the last 24 hours, the last time from about 02:21 UTC to 02:41 UTC."
    )
    assert so_far(EXHAUSTED, situation).startswith("Credits were gone twice before in the last 24 hours, ")
    # So does any mail that says that there are some now: it had left out one of minutes ago.
    assert so_far(CRITICAL, situation) == (
        "Credits were gone 3 times before in the last 24 hours, the last time from about 02:21 UTC to 02:41 UTC."
    )


def test_an_end_after_one_that_limited_nobody_says_who_tells_of_the_next_falls() -> None:
    """NOT GONE: half a minute's worth was left, and all was permitted. The next falls have no mail for it."""
    half = tuple(one._replace(balance_bytes=max(one.balance_bytes, 3 * GIB)) for one in GONE_BEFORE.balances)
    situation = replace(
        a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9),
        past_days=(replace(GONE_BEFORE, balances=half),),
        permitted_of_the_day=tuple((one.time, 100.0 * MIB) for one in half),
    )
    body = " ".join(limited(situation, HERE).body.split())
    assert "Credits were gone" not in body
    assert "A mail like this one comes each time they are gone" in body


def test_how_often_credits_were_gone_comes_last() -> None:
    situation = replace(
        over_since(ago(minutes=14), balance_gib=100), past_days=(GONE_BEFORE,), alarms_on=((WARNING, ago(hours=1)),)
    )
    assert so_far(CRITICAL, situation, 60) == (
        "The Warning alarm has been on since 01:45 UTC. Critical had been over since 02:31 UTC, for 14 min. Credits "
        "were gone twice before in the last 24 hours, the last time from about 00:41 UTC to 01:31 UTC."
    )


def day_of(gib_by_minutes_ago: Mapping[range, float]) -> PastDay:
    """The last day and an hour before it, in steps of five minutes: so many GiB left in those, and 100 else."""
    found = tuple(
        (ago(minutes=minutes), next((gib for span, gib in gib_by_minutes_ago.items() if minutes in span), 100.0))
        for minutes in range(25 * 60, 0, -5)
    )
    points = tuple(BalancePoint(time=time, balance_bytes=gib * GIB) for time, gib in found)
    return PastDay(back=timedelta(days=1), balances=points)


GONE = {range(800, 851): 0.0, range(400, 451): 0.0, range(100, 151): 0.0}


@pytest.mark.parametrize(
    ("times", "told", "span"),
    [
        (1, "once before in the last 24 hours,", "from about 12:35 UTC on Sun 6 Jan to 13:30 UTC on Sun 6 Jan."),
        (
            2,
            "twice before in the last 24 hours, the last time",
            "from about 19:15 UTC on Sun 6 Jan to 20:10 UTC on Sun 6 Jan.",
        ),
        (3, "3 times before in the last 24 hours, the last time", "from about 00:15 UTC to 01:10 UTC."),
    ],
)
def test_how_often_credits_were_gone_is_told_with_the_last_time(times: int, told: str, span: str) -> None:
    day = day_of(dict(list(GONE.items())[:times]))
    assert so_far(CRITICAL, replace(NOTHING_BEFORE, past_days=(day,))) == f"Credits were gone {told} {span}"


@pytest.mark.parametrize(
    ("earlier", "told"),
    [
        ({}, "before in the last 24 hours,"),
        ({range(400, 451): 0.0}, "twice before in the last 24 hours, the last time"),
    ],
)
def test_pulses_that_ended_the_credits_more_than_once_are_no_one_time(
    earlier: Mapping[range, float], told: str
) -> None:
    """Two of them, in the last hour, with ten minutes of credits between."""
    gone = {*range(20, 23), *range(35, 40)}
    now = tuple(
        one._replace(balance_bytes=0.0) if (TIME - one.time) // timedelta(minutes=1) in gone else one
        for one in NOTHING_BEFORE.balances
    )
    day = day_of({range(20, 40): 0.0, **earlier})
    assert so_far(CRITICAL, replace(NOTHING_BEFORE, balances=now, past_days=(day,))) == (
        f"Credits were gone {told} on and off from about 02:10 UTC to 02:30 UTC."
    )


@pytest.mark.parametrize(("minutes_between", "on_and_off"), [(0, False), (10, True)])
def test_pulses_of_half_a_day_ago_are_no_one_time_either(minutes_between: int, *, on_and_off: bool) -> None:
    """Of then there are five minutes at a time, two of which nothing limited."""
    day = day_of({range(645, 665): 0.0, range(645 - minutes_between - 10, 645 - minutes_between): 0.0})
    told = so_far(CRITICAL, replace(NOTHING_BEFORE, past_days=(day,)))
    assert ("on and off from about" in told) is on_and_off
    assert (" once before " in told) is not on_and_off


@pytest.mark.parametrize(
    ("hole", "earlier", "told"),
    [
        (range(60, 110), {}, ""),
        (range(60, 130), {}, ""),
        (range(60, 110), {range(400, 451): 0.0}, "Credits were gone once before"),
        (range(60, 130), {range(400, 451): 0.0}, "Credits were gone at least once before"),
    ],
)
def test_one_that_goes_on_after_a_hole_was_none_before(hole: range, earlier: dict[range, float], told: str) -> None:
    """Gone for some hours, in part of which metrics were missing."""
    whole = day_of({range(300): 0.0, **earlier})
    known = tuple(one for one in whole.balances if (TIME - one.time) // timedelta(minutes=1) not in hole)
    now = tuple(one._replace(balance_bytes=0.0) for one in NOTHING_BEFORE.balances)
    situation = replace(NOTHING_BEFORE, balances=now, past_days=(replace(whole, balances=known),))
    found = so_far(CRITICAL, situation)
    assert (found[: len(told)] if told else found) == told


@pytest.mark.parametrize(
    ("unknown_since", "told"),
    [
        (1440, "at least once before in the last 24 hours, the last time that is known"),
        (1445, "once before in the last 24 hours,"),
    ],
)
def test_of_a_day_with_a_hole_the_credits_were_gone_so_often_at_least(unknown_since: int, told: str) -> None:
    """In ten hours of it they may have ended, and come back to 40 GiB; not in those before what is known of it."""
    whole = day_of({range(601, 900): 40.0, range(400, 451): 0.0})
    known = [one for one in whole.balances if one.time <= ago(minutes=unknown_since) or one.time >= ago(minutes=840)]
    situation = replace(NOTHING_BEFORE, past_days=(replace(whole, balances=tuple(known)),))
    assert so_far(CRITICAL, situation) == (
        f"Credits were gone {told} from about 19:15 UTC on Sun 6 Jan to 20:10 UTC on Sun 6 Jan."
    )
