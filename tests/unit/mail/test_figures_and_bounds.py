"""The sentences of mails about a fall, a limit and a cap, at the very values at which they change."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import accumulate

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.situation import DAY, STEP, PastDay, Situation
from efs_monitor.mail.cap_mails import credits_change_nothing
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted, limited
from efs_monitor.mail.layout import Message
from efs_monitor.mail.recovered_mails import recovered

from tests.unit.each_minute import each_minute
from tests.unit.mail.mail_cases import (
    HARDLY_LESS,
    HERE,
    IDLE,
    NEWEST,
    PERMITTED_ALL_DAY,
    QUIET,
    SLOWLY_BACK,
    TIME,
    WRITING,
    WRITING_FAST,
    a_file_system,
    a_situation,
)
from tests.unit.mail.test_message_goldens import a_fast_fall, capped, on_and_off
from tests.unit.mail.test_newest_benchmark import newest

NAME = "fs-0123456789abcdef0 (home directories)"


def first(mail: Message, number: int = 0) -> str:
    """The first paragraph of the mail, or a later one."""
    return " ".join(mail.body.split("\n\n")[number].split())


def by_minutes(gib: Sequence[float], situation: Situation) -> Situation:
    """So many GiB minute by minute, up to the newest."""
    points = (
        BalancePoint(time=NEWEST - age * MINUTE, balance_bytes=one * GIB) for age, one in enumerate(reversed(gib))
    )
    return replace(situation, balances=tuple(reversed(tuple(points))))


@pytest.mark.parametrize(
    ("rested", "told"),
    [
        (
            2,
            "the last time at 02:39 UTC, and rose between: a load that comes and goes takes them.",
        ),
        (3, "the last time at 02:38 UTC, and not since, up to 02:41 UTC: the load rests, or is over."),
    ],
)
def test_a_load_that_has_rested_for_three_minutes_rests_and_for_two_it_comes_and_goes(rested: int, told: str) -> None:
    """Two of five minutes take what the three others bring back."""
    lived = [100.0]
    for minute in range(60):
        lived.append(lived[-1] + (2 if (minute - rested) % 5 < 2 else -1.5))
    mail = draining(60, by_minutes(lived[::-1], on_and_off(balance_gib=100)), HERE)
    assert first(mail) == (
        f"17 minutes of burst credits are left at full speed on {NAME}. They fell fast in some of the last minutes, "
        f"{told}"
    )


def test_a_fall_that_no_minute_shows_any_more_is_told_with_the_newest_datapoint() -> None:
    mail = draining(60, a_situation(balance_gib=100, hour_ago_gib=100, activity=IDLE), HERE)
    assert first(mail) == (
        f"17 minutes of burst credits are left at full speed on {NAME}. They fell fast in some of the last minutes, "
        f"and not by the newest datapoint, of 02:41 UTC."
    )


@pytest.mark.parametrize(("minutes", "began"), [(50, "at 01:52 UTC"), (51, "at 01:51 UTC"), (52, "at about 01:50 UTC")])
def test_the_beginning_of_a_fall_is_told_to_the_minute_where_the_minutes_before_it_are_known(
    minutes: int, began: str
) -> None:
    """It fell by a GiB a minute, after hours of 300; the last hour is known by the minute."""
    left = [300.0 - max(0, minutes - age) for age in range(25 * 60, -1, -1)]
    steps = tuple(
        BalancePoint(time=NEWEST - age * MINUTE, balance_bytes=min(left[-age - 1 :][:5]) * GIB)
        for age in range(25 * 60, 0, -5)
    )
    now = by_minutes(left[-61:], a_situation(balance_gib=0, hour_ago_gib=0, activity=WRITING))
    mail = draining(60, replace(now, past_days=(PastDay(back=DAY, balances=steps),)), HERE)
    assert first(mail).endswith(f" from now. This fall began {began}.")


def test_a_fall_that_goes_on_after_a_pause_is_told_with_both_beginnings() -> None:
    """A job of twelve minutes, from which a pause of eight divides what drains by now."""
    changes = [*[0.0] * 20, *[-5.0] * 12, *[0.3] * 8, *[-5.0] * 20]
    left = [*accumulate(changes, initial=300.0)]
    now = by_minutes(left, a_situation(balance_gib=0, hour_ago_gib=0, activity=WRITING))
    day = PastDay(back=DAY, balances=tuple(one for one in now.balances if one.time.minute % 5 == 0))
    mail = draining(60, replace(now, past_days=(day,)), HERE)
    assert first(mail).endswith("This fall began at 02:02 UTC, and goes on after a pause since 02:21 UTC.")


def test_a_chat_says_that_the_mode_is_locked_only_where_something_is_to_be_done() -> None:
    seen = TIME - timedelta(hours=3)
    falls = draining(60, replace(a_fast_fall(balance_gib=200), resumed=seen), HERE)
    rests = draining(60, replace(on_and_off(balance_gib=100), resumed=seen), HERE)
    slows = "When they end, everything on it slows from 100 MiB/s to 4.9 MiB/s."
    locked = (
        "The throughput mode was changed before 23:45 UTC on Sun 6 Jan, when this monitor saw it. "
        "AWS refuses another change until 24 hours after that change: until 23:45 UTC at the latest. Elastic "
        "and provisioned throughput are left out, and possible again from then on."
    )
    assert falls.chat.text.splitlines()[1:] == [slows, locked]
    assert rests.chat.text.splitlines()[1:] == [slows]


STILL_CRITICAL = (
    " The Critical alarm ends later, at its own, higher threshold: CloudWatch's own message on the Critical topic "
    "tells of it. A mail like this one comes when Warning is over, at the latest."
)


@pytest.mark.parametrize(("minutes", "rest"), [(59, STILL_CRITICAL), (60, "")])
def test_an_end_of_the_limit_says_that_critical_is_still_on_where_less_than_its_minutes_are_left(
    minutes: int, rest: str
) -> None:
    gib = minutes * 6000 / 1024
    mail = limit_lifted(60, a_situation(balance_gib=gib, hour_ago_gib=gib - 10, activity=QUIET), HERE)
    assert first(mail, 1) == (
        f"It may be driven at 100 MiB/s again until they end, and is limited again after that.{rest}"
    )


def test_nothing_is_promised_of_an_alarm_that_there_is_not() -> None:
    low = a_situation(balance_gib=100, hour_ago_gib=90, activity=QUIET)
    critical, warning = STILL_CRITICAL.split(" A mail")
    limited_again = "It may be driven at 100 MiB/s again until they end, and is limited again after that."

    def rest(*missing: AlarmKind) -> str:
        mail = limit_lifted(60, replace(low, alarms_missing=missing), HERE)
        return first(mail, 1).removeprefix(limited_again)

    assert rest(AlarmKind.CRITICAL) == f" A mail{warning}"
    assert rest(AlarmKind.WARNING) == critical
    assert rest(AlarmKind.WARNING, AlarmKind.CRITICAL) == ""
    fell = draining(60, replace(a_fast_fall(balance_gib=200), alarms_missing=(AlarmKind.CRITICAL,)), HERE)
    told = "Critical would be on below 352 GiB (60 minutes), but there is no such alarm any more."
    assert told in " ".join(fell.body.split())
    over = recovered(AlarmKind.CRITICAL, 60, replace(low, alarms_missing=(AlarmKind.WARNING,)), HERE)
    assert "Warning alarm ends later" not in over.body
    assert "Warning alarm ends later" in recovered(AlarmKind.CRITICAL, 60, low, HERE).body


@pytest.mark.parametrize(("steps", "told"), [(2, "is lifted."), (3, "has been lifted since about 02:26 UTC.")])
def test_a_limit_that_was_lifted_more_than_ten_minutes_ago_is_told_with_since_when(steps: int, told: str) -> None:
    situation = a_situation(balance_gib=6, hour_ago_gib=3, activity=HARDLY_LESS)
    permitted = tuple((time, (100.0 if time >= NEWEST - steps * STEP else 4.9) * MIB) for time, _ in PERMITTED_ALL_DAY)
    lifted = replace(situation, past_days=(SLOWLY_BACK,), permitted_of_the_day=permitted)
    assert first(limit_lifted(60, lifted, HERE)) == (
        f"The limit on {NAME} {told} 1 minute of burst credits is left at full speed."
    )


@pytest.mark.parametrize(
    ("hour_ago_gib", "told"),
    [
        (488, "ran out at 02:42 UTC. The newest datapoint, of 02:41 UTC, still had 8.0 GiB."),
        (496, "ran out within a minute of the newest datapoint, of 02:41 UTC, which had 8.0 GiB."),
    ],
)
def test_credits_that_ran_out_within_a_minute_of_the_newest_datapoint_have_no_time_of_their_own(
    hour_ago_gib: float, told: str
) -> None:
    """At an even pace."""
    ran_out = a_situation(balance_gib=8, hour_ago_gib=hour_ago_gib, activity=WRITING_FAST)
    mail = limited(replace(ran_out, reference_bytes_per_second=200 * MIB), HERE)
    assert first(mail) == (
        f"The burst credits of {NAME} are gone, if the load went on: at the pace of the last 15 minutes they {told}"
    )


def test_most_data_in_colder_classes_is_named_with_where_it_lies() -> None:
    cold = a_file_system(colder_bytes=300 * GIB, archive_bytes=100 * GIB)
    figures = facts(
        AlarmKind.CRITICAL, 60, a_situation(balance_gib=100, hour_ago_gib=100, activity=IDLE, file_system=cold)
    )
    assert " ".join(figures.split()) == (
        "FIGURES of 02:41 UTC, the newest that CloudWatch has - Balance: 100 GiB, 4.7 % of a full bucket. Critical is "
        "on below 352 GiB (60 minutes). - Throughput (bursting mode): 100 MiB/s permitted then, 4.9 MiB/s without "
        "credits. - Size: 100 GiB in Standard, which earns credits; 300 GiB in Infrequent Access and Archive, which do "
        "not. - Balance in the last hour: neither fell nor rose. - Clients moved no bytes in the last hour."
    )


@pytest.mark.parametrize(
    ("lost_bytes", "told"), [(3600, "hardly fell"), (0, "neither fell nor rose"), (-3600, "hardly rose")]
)
def test_a_byte_a_second_is_hardly_a_fall(lost_bytes: int, told: str) -> None:
    situation = a_situation(balance_gib=100, hour_ago_gib=100, activity=IDLE)
    hour_ago, *_, now = situation.balances
    before = hour_ago._replace(balance_bytes=hour_ago.balance_bytes + lost_bytes)
    figures = facts(AlarmKind.CRITICAL, 60, replace(situation, balances=each_minute(before, now)))
    assert f"\n- Balance in the last hour: {told}.\n" in figures


def test_a_benchmark_that_was_as_fast_as_usual_is_no_figure() -> None:
    situation = a_situation(balance_gib=100, hour_ago_gib=100, activity=IDLE)
    usual = replace(situation, benchmark=(newest("touch-serial", 60, *[63] * 5),))
    assert facts(AlarmKind.CRITICAL, 60, usual) == facts(AlarmKind.CRITICAL, 60, situation)


# The least that earns 3 GiB/s, to the byte.
EARNS_THE_CAP = -(-3072 * TIB // 50)


BOTH_WAYS = "3,072 MiB/s are permitted with them and without."
HARDLY_MORE = "without them 3,067 MiB/s are permitted, and with them less than 1 % more."


@pytest.mark.parametrize(
    ("standard_bytes", "told"),
    [
        (EARNS_THE_CAP, f"{BOTH_WAYS} That is its Region's limit, and its size earns 3,072 MiB/s."),
        (EARNS_THE_CAP - TIB // 10, HARDLY_MORE),
    ],
)
def test_a_size_that_earns_its_regions_limit_is_told_as_limited_by_it(standard_bytes: int, told: str) -> None:
    situation = capped(balance_gib=9000, hour_ago_gib=8000, standard_tib=standard_bytes / TIB)
    mail = credits_change_nothing("CRITICAL", AlarmKind.CRITICAL, 60, situation, HERE)
    assert first(mail) == f"The Critical alarm of {NAME} is on, but burst credits change nothing there: {told}"


@pytest.mark.parametrize(("rate_mib", "is_in_vain"), [(4, True), (5, False)])
def test_a_provisioned_rate_changes_nothing_where_the_size_earns_as_much(rate_mib: float, is_in_vain: bool) -> None:
    """100 GiB earn 4.88 MiB/s."""
    driven = a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=round(rate_mib * MIB))
    figures = facts(
        AlarmKind.CRITICAL, 60, a_situation(balance_gib=100, hour_ago_gib=100, activity=IDLE, file_system=driven)
    )
    assert ("that are provisioned change nothing" in " ".join(figures.split())) is is_in_vain
