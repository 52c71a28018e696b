"""The numbers in the remedies: what to provision and what it costs."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.costs.mode_costs import elastic_dollars
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.observations import MINUTE, Activity, BalancePoint
from efs_monitor.incidents.mode_lock import seems_changed
from efs_monitor.incidents.needed_throughput import (
    covering_mib_per_second,
    cut_off_share,
    mib_per_second_of_credits,
    needed_mib_per_second,
    was_held_down,
)
from efs_monitor.incidents.situation import STEP, PastDay, Situation, Work
from efs_monitor.mail.exhausted_mails import limited
from efs_monitor.mail.low_credits_mails import credits_low
from efs_monitor.mail.mode_refusals import LOCKED_ORDER, REFUSAL, why_locked
from efs_monitor.mail.remedies import (
    in_short,
    remedies,
    steps,
    way_out,
    way_out_of_zero,
    ways_out,
)
from efs_monitor.mail.stack_context import StackContext
from hypothesis import assume, given
from hypothesis import strategies as st

from localaws.throughput_lock import refusal
from tests.unit.mail.mail_cases import (
    EMPTY_DAY,
    FILE_SYSTEM_ID,
    GOVERNMENT,
    HERE,
    IDLE,
    LIMITED,
    NEWEST,
    NIGHTLY,
    PERMITTED_ALL_DAY,
    TIME,
    WRITING,
    a_file_system,
    a_situation,
)


def text_for(situation: Situation, stack: StackContext = HERE) -> str:
    return " ".join(" ".join(remedies(ways_out(FILE_SYSTEM_ID, situation, stack), situation, stack)).split())


def metering(mib_per_second: float, *, minutes: int = 60) -> Activity:
    return Activity(
        read_bytes=0,
        written_bytes=mib_per_second * MIB * 60 * minutes,
        metadata_bytes=0,
        metered_bytes=mib_per_second * MIB * 60 * minutes,
        busiest_bytes_per_second=mib_per_second * MIB,
        observed_minutes=minutes,
    )


@pytest.mark.parametrize(("metered_mib_per_second", "needed"), [(71.2, 72), (72, 72), (4.9, 5), (94.9, 95)])
def test_what_is_needed_is_the_rate_of_the_busiest_minutes_rounded_up(
    metered_mib_per_second: float, needed: int
) -> None:
    situation = a_situation(balance_gib=250, hour_ago_gib=300, activity=metering(metered_mib_per_second))
    assert needed_mib_per_second(situation) == needed


def test_a_batch_that_began_half_an_hour_ago_is_covered_and_not_cut_in_half() -> None:
    batch = replace(metering(33), busiest_bytes_per_second=88 * MIB)
    text = text_for(a_situation(balance_gib=250, hour_ago_gib=300, activity=batch))
    assert "--provisioned-throughput-in-mibps 88 " in text
    assert (
        "88 MiB/s covers the busiest five minutes of the last hour (88 MiB/s as metered; 4.9 MiB/s is there without "
        "credits). Peaks above it are cut off: they need a higher number." in text
    )


@pytest.mark.parametrize(
    ("minutes", "measured"),
    [
        (1, "the one minute that CloudWatch has of the last hour"),
        (4, "the 4 minutes that CloudWatch has of the last hour"),
        (5, "the busiest five minutes of the 5 minutes that CloudWatch has of the last hour"),
    ],
)
def test_what_is_less_than_five_minutes_has_no_busiest_five(minutes: int, measured: str) -> None:
    young = a_situation(balance_gib=250, hour_ago_gib=None, activity=metering(60, minutes=minutes))
    young = replace(young, permitted_of_the_day=((NEWEST, 100.0 * MIB),))
    assert f"60 MiB/s covers {measured} (60 MiB/s as metered;" in text_for(young)
    just_begun = replace(young, last_day=a_day_of(60)[-1:])
    just_begun = replace(just_begun, last_day=(just_begun.last_day[0]._replace(time=NEWEST),))
    if minutes < 5:
        assert f"60 MiB/s covers {measured} (60 MiB/s as metered;" in text_for(just_begun)
    gone = replace(falling(0, gone=True), activity=metering(1, minutes=minutes), permitted_of_the_day=(), last_day=())
    it = "it" if minutes < 5 else "its busiest five minutes"
    assert f"clients got 1.0 MiB/s in {it}, and 4.9 MiB/s are there without credits." in text_for(gone)


def test_a_peak_that_the_limit_may_have_cut_off_gets_headroom() -> None:
    text = text_for(falling(0, 60, 98, 20))
    assert "--provisioned-throughput-in-mibps 123 " in text
    assert "123 MiB/s covers the busiest five minutes of the last 24 hours (98 MiB/s as metered;" in text
    assert "They came within 3 % of the limit of 100 MiB/s, which may have cut them off: so a quarter is added." in text


@pytest.mark.parametrize(("busiest", "needed"), [(96.9, 97), (97, 122), (103, 129), (103.5, 104)])
def test_only_what_is_at_the_limit_gets_it(busiest: float, needed: int) -> None:
    """What is far above the limit was moved in another mode, where nothing cut it off."""
    assert needed_mib_per_second(falling(busiest)) == needed


def test_elastic_comes_second_where_a_provisioned_rate_is_far_cheaper_for_the_lock() -> None:
    """60 MiB/s less the 4.9 that are earned cost $10.87 a day; an hour of them in elastic throughput costs $12.66."""

    def order(hours: float) -> list[bool]:
        text = text_for(falling(*[60] * round(12 * hours)))
        return ["1. Switch to elastic" in text, "1. Provision throughput" in text, "2. Switch to elastic" in text]

    assert order(1) == [True, False, False]
    assert order(1.7) == [True, False, False]
    assert order(1.8) == [False, True, True]
    assert "1. Switch to elastic" in text_for(a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING))
    # Where it is hardly dearer nobody has to be told why it is first.
    assert "far cheaper" not in text_for(falling(*[60] * 12))


@pytest.mark.parametrize(
    ("at_work_steps", "known_steps", "first"),
    [
        # Five minutes cost $1.05 in elastic throughput, the rate costs $10.87 a day: 20.6 of them are twice as dear.
        (1, 1, "Switch to elastic"),
        (20, 20, "Switch to elastic"),
        (21, 21, "Provision throughput"),
        (21, 143, "Provision throughput"),
        (15, 143, "Switch to elastic"),
        (15, 144, "Provision throughput"),
    ],
)
def test_an_average_over_less_than_half_a_day_puts_no_rate_first(
    at_work_steps: int, known_steps: int, first: str
) -> None:
    """A new stack knows a minute: at its average a day in elastic throughput costs whatever that minute was like, and a
    rate that covers it may be far below what the load takes an hour later. What is known alone may cost far more than
    the rate does in a day, though: a rate can be raised at any time, and elastic throughput stays for a day.
    """
    known = tuple((NEWEST - age * STEP - STEP, 100 * MIB) for age in range(known_steps))
    day = [60] * at_work_steps + [0] * (known_steps - at_work_steps)
    young = replace(falling(*day), permitted_of_the_day=known)
    assert young.known_minutes_of_the_day == 5 * known_steps
    text = text_for(young)
    assert f"1. {first}" in text
    # And says why the dearer one is first.
    assert ("which at that average is far cheaper" in text) is (first == "Switch to elastic")


DRIVEN = "if driven at 100 MiB/s without a pause"


@pytest.mark.parametrize(
    ("balance_gib", "hour_ago_gib", "said"),
    [
        # 70 minutes at full speed and 8 hours at the pace; ten at full speed; flat; nobody knows; days either way.
        (
            410,
            460,
            f"There is time for that until 10:33 UTC at the pace of now, until 03:37 UTC {DRIVEN}.",
        ),
        (
            410,
            744.4,
            f"There is time for that until 03:34 UTC, at the pace of now and {DRIVEN}.",
        ),
        (
            60,
            65,
            f"There is time for that until 14:21 UTC at the pace of now, and none {DRIVEN}.",
        ),
        (410, 410, f"There is time for that until 03:38 UTC {DRIVEN}."),
        (410, None, f"There is time for that until 03:38 UTC {DRIVEN}."),
        (20_000, 20_010, "There is time for that."),
        (60, 60.5, f"There is time for that at the pace of now, and none {DRIVEN}."),
    ],
)
def test_what_is_free_comes_first_with_until_when(balance_gib: float, hour_ago_gib: float | None, said: str) -> None:
    text = text_for(a_situation(balance_gib=balance_gib, hour_ago_gib=hour_ago_gib, activity=WRITING))
    assert f"WHAT TO DO, what is free first {said} After that begin with 2. 1. Slow down" in text


@given(st.floats(0.1, 40), st.floats(0.01, 0.5))
def test_time_for_what_is_free_is_told_only_where_the_mail_can_be_read_before_it_is_over(
    minutes_at_full_speed: float, fell_gib: float
) -> None:
    """A slow fall of days, driven at full speed from now on. 100 GiB earn a twentieth of it."""
    balance_gib = minutes_at_full_speed * 100 * 60 / 1024
    text = text_for(a_situation(balance_gib=balance_gib, hour_ago_gib=balance_gib + fell_gib, activity=WRITING))
    told = re.search(r"There is time for that.*?without a pause", text)
    for until in re.findall(r"until (\d\d):(\d\d) UTC(?! on)", told[0] if told else ""):
        assert TIME.replace(hour=int(until[0]), minute=int(until[1])) >= TIME + timedelta(minutes=5)


def test_the_phone_is_told_the_way_out_that_comes_first() -> None:
    assert way_out(falling(*[60] * 12), HERE.region) == "Way out: elastic throughput."
    assert way_out(falling(*[60] * 36), HERE.region) == "Way out: provisioned throughput."


def a_day_of(*mib_per_second: float, read: bool = False, operation_kib: float = 1024) -> tuple[Work, ...]:
    """Five minutes each, the last ones before now."""
    steps = []
    for age, rate in enumerate(reversed(mib_per_second), 1):
        moved = rate * MIB * 300
        count = moved / (operation_kib * 1024)
        steps.append(
            Work(
                time=NEWEST - age * timedelta(minutes=5),
                metered_bytes=moved / 3 if read else moved,
                read_bytes=moved if read else 0,
                written_bytes=0 if read else moved,
                reads=count if read else 0,
                writes=0 if read else count,
            )
        )
    return tuple(reversed(steps))


def falling(*mib_per_second: float, gone: bool = False, read: bool = False) -> Situation:
    """Half an hour left, after such a day."""
    situation = a_situation(
        balance_gib=0 if gone else 170,
        hour_ago_gib=0 if gone else 510,
        activity=LIMITED if gone else metering(20),
        permitted_mib_per_second=4.9 if gone else 100,
    )
    return replace(situation, last_day=a_day_of(*mib_per_second, read=read))


def test_what_is_needed_is_that_of_the_busiest_minutes_of_the_last_day() -> None:
    text = text_for(falling(0, 60, 87.4, 20))
    assert "--provisioned-throughput-in-mibps 88 " in text
    assert "88 MiB/s covers the busiest five minutes of the last 24 hours (87 MiB/s as metered;" in text


def test_what_would_have_been_cut_off_is_told() -> None:
    """Of 60 + 98 + 20, half of 98 leaves 49 + 49 + 20."""
    assert cut_off_share(falling(60, 98, 20), 49) == pytest.approx((11 + 49) / 178)
    assert cut_off_share(falling(60, 98, 20), 98) == 0
    assert cut_off_share(falling(0), 10) is None
    assert "With half of it, 45 MiB/s, 35 % of what was metered then would have been cut off." in text_for(
        falling(60, 90, 20)
    )


def test_what_clients_moved_while_they_were_limited_tells_not_what_half_of_a_rate_would_cut_off() -> None:
    assert "With half of it" not in text_for(falling(60, 90, 20, gone=True))


def limited_in(situation: Situation, steps: range) -> Situation:
    """Without credits in those of the five minutes of `a_day_of`, counted from the oldest, and with some in others."""
    without = situation.baseline_bytes_per_second
    times = [NEWEST - age * STEP for age in range(288, 0, -1)]
    return replace(
        situation,
        permitted_of_the_day=tuple(
            (time, without if index in steps else 100.0 * MIB) for index, time in enumerate(times)
        ),
        past_days=(
            PastDay(
                back=timedelta(days=1),
                balances=tuple(
                    BalancePoint(time=time, balance_bytes=0 if index in steps else 300 * GIB)
                    for index, time in enumerate(times)
                ),
            ),
        ),
    )


IN_PART = ", in part of which clients were limited, costs at least $"


def test_a_limit_of_yesterday_counts_while_some_is_left() -> None:
    """Twelve hours at 60 MiB/s, limited for the last two of them; then credits came back, and now they fall again."""
    day = falling(*[60] * 120, *[4.9] * 24, *[0] * 132, *[60] * 12)
    assert IN_PART not in text_for(day)
    assert "With half of it, 30 MiB/s," in text_for(day)
    assert "Peaks above it are cut off: they need a higher number." in text_for(day)
    day = limited_in(day, range(120, 144))
    assert not day.credits_are_gone
    assert IN_PART in text_for(day)
    assert "With half of it" not in text_for(day)
    more = "). Clients were limited in part of that time, and may want more: they need a higher number. Price"
    assert more in text_for(day)


def test_nobody_was_limited_while_no_client_was_at_work() -> None:
    """As after a return from elastic throughput without credits, in the minutes before the first of them came back."""
    day = limited_in(falling(*[60] * 120, *[0] * 156, *[60] * 12), range(200, 204))
    assert not day.credits_are_gone
    assert IN_PART not in text_for(day)
    assert "With half of it, 30 MiB/s," in text_for(day)


def test_at_zero_the_day_before_tells_what_the_load_needs() -> None:
    text = text_for(falling(87.4, 4.9, 4.9, gone=True))
    assert "--provisioned-throughput-in-mibps 88 " in text
    assert "Clients were limited since, and may want more: they need a higher number." in text


@pytest.mark.parametrize("activity", [IDLE, metering(4)])
def test_no_change_of_mode_is_advised_while_the_balance_rises(activity: Activity) -> None:
    text = text_for(a_situation(balance_gib=50, hour_ago_gib=40, activity=activity))
    assert "update-file-system" not in text
    assert "left out: the balance is rising, and either would lock the throughput mode for 24 hours." in text
    assert "1. Slow down" in text


def test_a_mail_about_a_falling_balance_has_them_when_aws_takes_them_again() -> None:
    rising = replace(a_situation(balance_gib=50, hour_ago_gib=40, activity=IDLE), resumed=TIME - timedelta(hours=2))
    text = text_for(rising)
    assert "Elastic and provisioned throughput are left out: the balance is rising. The throughput mode was" in text
    assert text.endswith("at the latest. A mail about a falling balance has them from then on.")
    assert "A mail about a falling balance has them." not in text


LOWERED = a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=4 * MIB)


def test_to_raise_what_is_provisioned_is_said_to_lock_the_mode_as_elastic_throughput_does() -> None:
    text = text_for(a_situation(balance_gib=50, hour_ago_gib=40, activity=IDLE, file_system=LOWERED))
    assert (
        "Elastic throughput and a higher provisioned rate are left out: the balance is rising, and either would lock "
        "the throughput mode for 24 hours. A mail about a falling balance has them." in text
    )


@pytest.mark.parametrize("balance_gib", [0, 50])
def test_a_raise_is_advised_as_possible_at_any_time_and_as_a_lock_of_24_hours(balance_gib: int) -> None:
    """https://docs.aws.amazon.com/efs/latest/ug/managing-throughput.html"""
    for at_work in (metering(60), metering(18 if balance_gib else 4.9)):
        raised = a_situation(balance_gib=balance_gib, hour_ago_gib=100, activity=at_work, file_system=LOWERED)
        text = text_for(raised)
        assert "Provision more throughput: a fixed limit at a fixed price. At once, locked or not." in text
        assert (
            "Limits: for 24 hours afterwards no change of mode and no decrease. No lock keeps anybody from an "
            "increase, which begins the 24 hours anew." in text
        )
        assert "a day, $" not in text
        (name,) = (one.name for one in ways_out(FILE_SYSTEM_ID, raised, HERE) if one.name.startswith("Provision"))
        assert name.endswith(" (locks the mode for 24 hours)")


def test_none_is_advised_where_all_that_is_known_is_less_than_is_earned() -> None:
    """A new stack may have a single datapoint, and the balance is on its way up."""
    taken = {rate: text_for(a_situation(balance_gib=50, hour_ago_gib=None, activity=metering(rate))) for rate in (4, 5)}
    assert "left out: clients take less than is earned," in taken[4]
    assert "left out: clients take" not in taken[5]
    idle = text_for(a_situation(balance_gib=50, hour_ago_gib=None, activity=IDLE))
    assert "left out: clients are idle," in idle


def test_no_change_of_mode_is_advised_to_idle_clients() -> None:
    text = text_for(a_situation(balance_gib=50, hour_ago_gib=50, activity=IDLE))
    assert "update-file-system" not in text
    assert "left out: clients are idle," in text


def test_a_load_that_was_held_down_is_advised_what_it_may_have_with_credits_first_where_far_cheaper() -> None:
    """1.5 TiB at 75 MiB/s all day: $379 in elastic throughput, and $14.79 for the 150 MiB/s that credits permit."""
    large = replace(a_file_system(), standard_bytes=round(1.5 * TIB))
    taken = replace(metering(75), busiest_bytes_per_second=75 * MIB)
    held_down = replace(
        a_situation(balance_gib=0, hour_ago_gib=0, activity=taken, permitted_mib_per_second=75, file_system=large),
        last_day=tuple(
            Work(time=time, metered_bytes=75.0 * MIB * 300, written_bytes=75.0 * MIB * 300)
            for time, _ in PERMITTED_ALL_DAY
        ),
        permitted_of_the_day=tuple((time, 75.0 * MIB) for time, _ in PERMITTED_ALL_DAY),
        past_days=(EMPTY_DAY,),
    )
    text = text_for(held_down)
    assert "1. Provision throughput" in text
    assert "--provisioned-throughput-in-mibps 150 " in text
    begin = "it may have with credits: begin with that, and raise it where clients want more. Price"
    assert f"are there without credits. 150 MiB/s is what {begin}" in text
    # Nobody knows yet whether its Region permits as much.
    assert f". 150 MiB/s is the most that {begin}" in text_for(replace(held_down, may_be_capped=True))
    assert "$15 for the 24 hours of the lock" in text
    assert way_out(held_down, HERE.region) == "Way out: provisioned throughput."


@pytest.mark.parametrize(("earned_mib", "first"), [(4.9, "Provision throughput"), (1.8, "Switch to elastic")])
def test_the_price_of_a_load_that_was_held_down_is_the_least_that_elastic_throughput_costs(
    earned_mib: float, first: str
) -> None:
    """100 MiB/s provisioned cost about $19 a day; 4.9 and 1.8 MiB/s of writes $25 and $9 in elastic throughput, and
    what the load wants is more.
    """
    small = a_file_system(standard_bytes=round(earned_mib / 50 * TIB))
    taken = replace(metering(earned_mib), busiest_bytes_per_second=earned_mib * MIB)
    held_down = replace(
        a_situation(
            balance_gib=0, hour_ago_gib=0, activity=taken, permitted_mib_per_second=earned_mib, file_system=small
        ),
        last_day=tuple(
            Work(time=time, metered_bytes=earned_mib * MIB * 300, written_bytes=earned_mib * MIB * 300)
            for time, _ in PERMITTED_ALL_DAY
        ),
        permitted_of_the_day=tuple((time, earned_mib * MIB) for time, _ in PERMITTED_ALL_DAY),
        past_days=(EMPTY_DAY,),
    )
    assert f"1. {first}" in text_for(held_down)


@pytest.mark.parametrize(("limited_steps", "provisioned_first"), [(0, False), (5, True)])
def test_of_a_day_that_was_limited_in_part_elastic_throughput_costs_more_than_its_price_says(
    limited_steps: int, provisioned_first: bool
) -> None:
    """75 minutes at 90 MiB/s are $25 in elastic throughput, and a day of 90 MiB/s is $17."""
    times = [time for time, _ in PERMITTED_ALL_DAY]
    driven, limited = times[100:115], times[115 : 115 + limited_steps]
    rates = dict.fromkeys(driven, 90.0) | dict.fromkeys(limited, 4.9)
    balances = tuple(
        BalancePoint(time=time, balance_bytes=0 if time in limited else 30 * GIB) for time in times if time <= TIME
    )
    day = replace(
        a_situation(balance_gib=30, hour_ago_gib=40, activity=metering(12)),
        last_day=tuple(
            Work(time=time, metered_bytes=mib * MIB * 300, written_bytes=mib * MIB * 300) for time, mib in rates.items()
        ),
        permitted_of_the_day=tuple((time, (4.9 if time in limited else 100) * MIB) for time in times),
        past_days=(replace(EMPTY_DAY, balances=balances),),
    )
    assert was_held_down(day) is False
    text = text_for(day)
    assert (text.index("Provision throughput") < text.index("Switch to elastic")) is provisioned_first


def held_down_in_one_zone(tebibytes: float) -> Situation:
    """At zero for a day, at what the size earns. In One Zone no more than 1 GiB/s may be provisioned."""
    earned = 50.0 * tebibytes
    large = replace(a_file_system(standard_bytes=round(tebibytes * TIB)), one_zone=True)
    taken = replace(metering(earned), busiest_bytes_per_second=earned * MIB)
    return replace(
        a_situation(balance_gib=0, hour_ago_gib=0, activity=taken, permitted_mib_per_second=earned, file_system=large),
        permitted_of_the_day=tuple((time, earned * MIB) for time, _ in PERMITTED_ALL_DAY),
    )


def test_where_the_rate_of_credits_may_not_be_provisioned_the_most_that_aws_takes_is() -> None:
    """750 MiB/s are earned by 15 TiB, and 1,500 permitted with credits. What the load needs is not known, so that the
    lower price of a rate that may be too low does not put it first.
    """
    text = text_for(held_down_in_one_zone(15))
    assert "1. Switch to elastic throughput." in text
    assert "--provisioned-throughput-in-mibps 1024 " in text
    assert "are there without credits. 1,024 MiB/s is the most that AWS takes in One Zone. Price" in text


@pytest.mark.parametrize(
    ("tebibytes", "helps"), [(1, True), (15, True), (20.2, True), (20.3, False), (25, False), (60, False)]
)
@pytest.mark.parametrize("credits_gib", [0, 900])
def test_elastic_throughput_is_advised_in_one_zone_only_where_it_is_faster_than_without_credits(
    tebibytes: float, credits_gib: float, *, helps: bool
) -> None:
    """1 GiB/s as metered in every Region: https://docs.aws.amazon.com/efs/latest/ug/limits.html"""
    at_zero = held_down_in_one_zone(tebibytes)
    one_zone = a_situation(
        balance_gib=credits_gib,
        hour_ago_gib=2 * credits_gib,
        activity=at_zero.activity,
        file_system=at_zero.file_system,
        **({} if credits_gib else {"permitted_mib_per_second": 50.0 * tebibytes}),
    )
    regional = replace(one_zone, file_system=replace(one_zone.file_system, one_zone=False))
    assert "--throughput-mode elastic" in text_for(regional)
    text = text_for(one_zone)
    assert ("--throughput-mode elastic" in text) is helps
    assert ("in One Zone it ends at 1,024 MiB/s, and as much is there without credits." in text) is not helps
    if helps:
        return
    # A change of mode brings nothing, so that it does not matter whether it is locked.
    assert text.startswith("WHAT TO DO 1. Slow down")
    assert "2. Elastic throughput does not help here: in One Zone" in text
    assert "3. Provisioned throughput does not help here: in One Zone" in text
    assert "update-file-system" not in text
    assert "Locked:" not in text
    assert way_out(one_zone, HERE.region) == "Way out: less load."
    assert way_out_of_zero(one_zone, 60, HERE.region).endswith(" What helps is below.")


@pytest.mark.parametrize(
    ("tebibytes", "most"), [(10, None), (10.3, None), (10.4, "1,040"), (15, "1,500"), (20, "2,000")]
)
def test_that_elastic_throughput_cuts_off_what_credits_permit_is_said(tebibytes: float, most: str | None) -> None:
    one_zone = replace(a_file_system(standard_bytes=round(tebibytes * TIB)), one_zone=True)
    falling_fast = a_situation(balance_gib=250, hour_ago_gib=600, activity=metering(900), file_system=one_zone)
    cut_off = f"It ends at 1,024 MiB/s in One Zone: peaks above that are cut off. Credits permit {most} MiB/s."
    text = text_for(falling_fast)
    assert (cut_off in text) is (most is not None)
    assert ("It ends at" in text) is (most is not None)
    regional = replace(one_zone, one_zone=False)
    assert "It ends at" not in text_for(replace(falling_fast, file_system=regional))
    # Nor is it said to lift the limit where something of it stays.
    at_zero = replace(held_down_in_one_zone(tebibytes), last_day=())
    lifts = "Remedy 1 below lifts the limit at once, unless the mode is locked."
    assert (lifts in way_out_of_zero(at_zero, 60, HERE.region)) is (most is None)


def test_elastic_throughput_cuts_no_regional_file_system_off_in_any_region() -> None:
    """Where bursting writes 3 GiB/s, elastic throughput writes 5: so in Sydney, too, since May 2025."""
    large = a_file_system(standard_bytes=30 * TIB)
    falling_fast = a_situation(balance_gib=250, hour_ago_gib=600, activity=metering(900), file_system=large)
    sydney = replace(HERE, region="ap-southeast-2")
    assert "--throughput-mode elastic" in text_for(falling_fast, sydney)
    assert "writes end at" not in text_for(falling_fast, sydney)
    assert "It ends at" not in text_for(falling_fast, sydney)


def at_zero_after(peak_mib_per_second: float, *, baseline_mib_per_second: float = 600) -> Situation:
    """12 TiB in Max I/O, which permit 1,200 MiB/s with credits, but for a Region's cap; they are gone."""
    size = round(baseline_mib_per_second / 50 * TIB)
    large = replace(a_file_system(standard_bytes=size), max_io=True)
    there = baseline_mib_per_second
    taken = replace(metering(there), busiest_bytes_per_second=peak_mib_per_second * MIB)
    situation = a_situation(
        balance_gib=0, hour_ago_gib=900, activity=taken, permitted_mib_per_second=there, file_system=large
    )
    return replace(situation, reference_bytes_per_second=1024 * MIB, last_day=a_day_of(*[there] * 288))


EU = replace(HERE, region="eu-central-1")


def test_the_most_that_aws_takes_is_advised_where_it_covers_the_load_but_not_a_quarter_more() -> None:
    """1,010 MiB/s are within 3 % of the cap of 1,024, and a quarter more may not be provisioned."""
    text = text_for(at_zero_after(1010), EU)
    assert "--provisioned-throughput-in-mibps 1024 " in text
    assert (
        "1,024 MiB/s is the most that AWS takes in eu-central-1, unless its Support has raised that quota. It covers "
        "the busiest five minutes of the last 24 hours (1,010 MiB/s as metered; 600 MiB/s is there without credits). "
        "They came within 3 % of the limit of 1,024 MiB/s, which may have cut them off: they may want more than it."
        in text
    )
    assert way_out(at_zero_after(1010), EU.region) == "Way out: provisioned throughput."


def test_a_rate_that_does_not_cover_the_load_is_better_than_what_is_there_without_credits() -> None:
    text = text_for(at_zero_after(1500), EU)
    assert "--provisioned-throughput-in-mibps 1024 " in text
    assert (
        "It does not cover the busiest five minutes of the last 24 hours (1,500 MiB/s as metered; 600 MiB/s is there "
        "without credits): what is above it is cut off. Price" in text
    )
    # 1,024 are no tenth above 1,000: nothing to lock the mode for.
    assert "does not help" in text_for(at_zero_after(1500, baseline_mib_per_second=1000), EU)


def test_a_rate_that_does_not_cover_the_load_cuts_off_what_credits_still_permit() -> None:
    falling_still = replace(at_zero_after(1500), balances=falling(60).balances)
    assert "does not help here: in eu-central-1 it ends at 1,024 MiB/s" in text_for(falling_still, EU)
    assert way_out(falling_still, EU.region) == "Way out: less load."


def test_a_load_of_a_few_minutes_needs_what_it_takes_and_not_the_average_with_the_calm_before_it() -> None:
    """Four minutes at 80 MiB/s are 64 on average over five, and a rate of 64 would cut it off for a day."""
    situation = falling(1, 64)
    newest = situation.balances[-1].time
    net_gib_a_minute = (80 - 4.8828125) * 60 / 1024
    minutes = tuple(
        BalancePoint(time=newest - timedelta(minutes=age), balance_bytes=(170 + min(age, 4) * net_gib_a_minute) * GIB)
        for age in range(60, -1, -1)
    )
    young = replace(situation, balances=minutes)
    text = text_for(young)
    assert "--provisioned-throughput-in-mibps 80 " in text
    assert "80 MiB/s covers the load of the last 3 minutes (80 MiB/s as metered;" in text
    # One that is older is in the busiest five minutes whole.
    assert needed_mib_per_second(falling(1, 64)) == 64


@pytest.mark.parametrize(("left_gib", "needed"), [(5, 80), (170, 20)])
def test_a_load_of_the_newest_minute_that_may_end_what_is_left_needs_what_it_takes(left_gib: int, needed: int) -> None:
    """With hours left a minute is a gust."""
    situation = falling(1, 20)
    newest = situation.balances[-1].time
    net_gib = (80 - 4.8828125) * 60 / 1024
    minutes = tuple(
        BalancePoint(
            time=newest - timedelta(minutes=age),
            balance_bytes=(left_gib + min(age, 1) * net_gib + max(0, age - 1) / 100) * GIB,
        )
        for age in range(60, -1, -1)
    )
    text = text_for(replace(situation, balances=minutes))
    assert f"--provisioned-throughput-in-mibps {needed} " in text
    assert ("80 MiB/s covers the load of the last minute (80 MiB/s as metered;" in text) is (needed == 80)


def test_a_text_message_leaves_out_what_comes_then_before_it_cuts_off_the_way_out() -> None:
    slow = falling(*[60] * 12)
    what = f"STILL CRITICAL for 12 h {FILE_SYSTEM_ID}: credits gone at 03:27 UTC, in 42 min"
    short = in_short(what, ", then 4.9 MiB/s", slow, HERE.region)
    assert short == f"{what}, then 4.9 MiB/s. Way out: elastic throughput."
    longer = f"{what} or a little more"
    assert in_short(longer, ", then 4.9 MiB/s", slow, HERE.region) == f"{longer}. Way out: elastic throughput."


def test_what_was_moved_since_yesterday_evening_is_dated() -> None:
    started = NEWEST - timedelta(hours=5)
    assert f"{started:%d}" != f"{TIME:%d}"
    day = falling(*[0] * 228, *[60] * 60)
    balances = tuple(
        BalancePoint(time=work.time, balance_bytes=(900 - max(0, index - 228) * 10) * GIB)
        for index, work in enumerate(day.last_day)
    )
    text = text_for(replace(day, past_days=(PastDay(back=timedelta(days=1), balances=balances),)))
    assert " UTC on Sun 6 Jan, when the balance began to fall, at least $" in text


@pytest.mark.parametrize(("peak", "words"), [(98.9, "came within 3 % of"), (99, "reached")])
def test_a_peak_is_said_to_have_reached_the_limit_only_where_it_did(peak: float, words: str) -> None:
    assert f"They {words} the limit of 100 MiB/s, which may have cut them off: so a quarter is added." in text_for(
        falling(peak)
    )


def test_a_peak_at_a_limit_that_has_grown_since_was_cut_off_all_the_same() -> None:
    """A load at the limit makes the file system grow, and with it the limit, hours later."""
    times = [NEWEST - age * STEP for age in range(288, 0, -1)]
    then = times[-13]
    balances = (BalancePoint(time=time, balance_bytes=(300 if time < then else 200) * GIB) for time in times)
    grown = replace(falling(80, *[0] * 12), past_days=(PastDay(back=timedelta(days=1), balances=tuple(balances)),))

    def permitting(mib_per_second: float) -> Situation:
        rates = ((time, (mib_per_second if time == then else 100) * MIB) for time in times)
        return replace(grown, permitted_of_the_day=tuple(rates))

    assert needed_mib_per_second(permitting(80)) == 100
    assert (
        "They reached the limit of then, 80 MiB/s (100 MiB/s now), which may have cut them off: so a quarter is added."
        in text_for(permitting(80))
    )
    # Without a balance it was another mode, whose limit was reached.
    assert needed_mib_per_second(replace(permitting(80), past_days=())) == 100
    # It was below the limit of then, or nobody knows it.
    assert needed_mib_per_second(permitting(90)) == 80
    assert needed_mib_per_second(replace(grown, permitted_of_the_day=())) == 80


@pytest.mark.parametrize(("minutes_since", "needed"), [(1, 103), (4, 110), (5, 90)])
def test_a_peak_that_is_in_part_of_a_limit_that_has_just_grown_was_cut_off_in_that_part(
    minutes_since: int, needed: int
) -> None:
    """A load of 90 MiB/s, held down to 80 until the size grew: a rate for the average of both would cut it off."""
    step = NEWEST + timedelta(minutes=1) - minutes_since * timedelta(minutes=1) - STEP
    held_down = replace(falling(0), last_day=(Work(step - STEP, 80 * MIB * 300), Work(step, 80 * MIB * 300)))
    busiest = (80 * max(0, 5 - minutes_since) + 90 * min(5, minutes_since)) / 5
    now = replace(
        held_down, activity=metering(busiest), permitted_of_the_day=((step - STEP, 80 * MIB), (step, 80 * MIB))
    )
    assert needed_mib_per_second(now) == needed
    grown = "They reached the limit of then, 80 MiB/s (100 MiB/s now), which may have cut them off: so a quarter is"
    assert (grown in text_for(now)) is (minutes_since < 5)
    # A faster peak of the hours before says what it needs.
    before = replace(now, last_day=(Work(step - 12 * STEP, 95 * MIB * 300), *now.last_day))
    assert needed_mib_per_second(before) == 95


@given(rate=st.integers(20, 2000), is_published=st.booleans(), share=st.floats(0.5, 1))
def test_a_peak_at_a_provisioned_limit_was_cut_off_too(rate: int, share: float, *, is_published: bool) -> None:
    """Below what the size gives with credits or above it, and whether or not AWS publishes a balance meanwhile, which
    rises by what is earned; until an hour ago.
    """
    times = [NEWEST - age * STEP for age in range(288, 0, -1)]
    back, earned_gib = times[-13], 4.88 * 300 / 1024
    balances = tuple(
        BalancePoint(time=time, balance_bytes=(500 + index * earned_gib) * GIB)
        for index, time in enumerate(times)
        if is_published or time >= back
    )
    day = replace(
        falling(*[share * rate] * 12, *[0] * 13),
        activity=metering(1),
        past_days=(PastDay(back=timedelta(days=1), balances=balances),),
        permitted_of_the_day=tuple((time, (rate if time < back else 100) * MIB) for time in times),
    )
    # Of what is as fast as credits permit now nobody knows that a limit of then let it through.
    assume(not 0.96 <= share * rate / 100 <= 1.04)
    assume(not 0.969 <= share <= 0.971)
    quarter = 1.25 if share > 0.97 else 1
    assert needed_mib_per_second(day) == covering_mib_per_second(quarter * share * rate * MIB)
    assert (f"the limit of then, {rate:,} MiB/s (100 MiB/s now), which may" in text_for(day)) is (quarter > 1)


def a_trickle(*, busiest_mib: float = 0.62, known_steps: int = 288, a_week_ago: float = 0.0) -> Situation:
    """Of 10 GiB, which earn 0.49 MiB/s and have 1 MiB/s without credits: it takes more than the one, and not the other.
    A week ago a load took so many GiB an hour from two hours after now on.
    """
    hour_gib = (0.62 - 0.488) * 3600 / 1024
    falling = a_situation(
        balance_gib=14,
        hour_ago_gib=14 + hour_gib,
        activity=metering(0.62),
        file_system=a_file_system(standard_bytes=10 * GIB),
    )
    times = [NEWEST - age * STEP for age in range(known_steps, 0, -1)]
    rates = [busiest_mib if index == len(times) // 2 else 0.62 for index in range(len(times))]
    fell = PastDay(
        back=timedelta(days=7),
        balances=tuple(
            BalancePoint(
                time=NEWEST - timedelta(days=7) + step * STEP,
                balance_bytes=(900 - max(0, step - 24) * a_week_ago / 12) * GIB,
            )
            for step in range(-12, 288)
        ),
    )
    return replace(
        falling,
        last_day=tuple(
            Work(time, rate * MIB * 300, written_bytes=rate * MIB * 300)
            for time, rate in zip(times, rates, strict=True)
        ),
        permitted_of_the_day=tuple((time, 100 * MIB) for time in times),
        past_days=(*falling.past_days, fell),
    )


def test_to_a_load_that_takes_less_all_day_than_is_there_without_credits_no_change_of_mode_is_advised() -> None:
    left_out = (
        "Elastic and provisioned throughput are left out: clients took less than is there without credits all day, "
    )
    assert (
        f"{left_out}and either would lock the throughput mode for 24 hours. A mail about more load has them."
        in text_for(a_trickle())
    )
    assert (
        way_out(a_trickle(), HERE.region)
        == "No change of mode now: clients took less than is there without credits all day."
    )


@pytest.mark.parametrize(("last_hour_mib", "is_said"), [(0.62, True), (0.98, False)])
def test_a_mail_about_credits_that_nobody_would_miss_says_so(last_hour_mib: float, *, is_said: bool) -> None:
    now = replace(a_trickle(), activity=metering(last_hour_mib))
    body = " ".join(credits_low(AlarmKind.CRITICAL, 60, now, HERE).body.split())
    told = "Clients took less than that in the last hour: as long as they take no more, it holds nobody down."
    assert (f"every client. {told}" in body) is is_said
    # What rises ends nowhere.
    rising = replace(now, balances=a_situation(balance_gib=14, hour_ago_gib=13, activity=None).balances)
    assert told not in " ".join(credits_low(AlarmKind.CRITICAL, 60, rising, HERE).body.split())


@pytest.mark.parametrize(
    "other",
    [
        a_trickle(busiest_mib=1.0),
        a_trickle(known_steps=144),
        a_trickle(a_week_ago=30),
        replace(a_trickle(), balances=a_situation(balance_gib=0, hour_ago_gib=0, activity=IDLE).balances),
    ],
    ids=["it took as much once", "half of the day", "another load comes a week later", "gone"],
)
def test_but_where_it_may_need_more_it_is(other: Situation) -> None:
    assert "all day" not in text_for(other)


def test_a_rate_below_what_is_there_without_credits_is_not_advised() -> None:
    """1,250 MiB/s are earned by 25 TiB: to provision 1,024 would hold the load down for a day."""
    held_down = held_down_in_one_zone(25)
    text = text_for(held_down)
    assert (
        "3. Provisioned throughput does not help here: in One Zone it ends at 1,024 MiB/s, and as much is there "
        "without credits." in text
    )
    assert "--provisioned-throughput-in-mibps" not in text
    max_io = replace(held_down, file_system=replace(held_down.file_system, max_io=True))
    assert way_out(max_io, HERE.region) == "Way out: less load."
    # Nor where a lock leaves only an increase of what is provisioned.
    provisioned = replace(
        held_down.file_system, mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=1024 * MIB
    )
    lowered = replace(
        held_down,
        file_system=provisioned,
        permitted_of_the_day=tuple(
            (time, (5000.0 if time < TIME - timedelta(hours=1) else 1250.0) * MIB) for time, _ in PERMITTED_ALL_DAY
        ),
    )
    assert seems_changed(lowered) is not None
    assert way_out(lowered, HERE.region) == "Way out: less load."


def test_no_mail_at_zero_points_to_a_remedy_that_is_left_out() -> None:
    idle = a_situation(balance_gib=0, hour_ago_gib=0, activity=IDLE, permitted_mib_per_second=5)
    assert "left out: clients are idle," in text_for(idle)
    assert way_out_of_zero(idle, 60, HERE.region).endswith(" What helps is below.")
    at_work = replace(idle, activity=LIMITED)
    assert way_out_of_zero(at_work, 60, HERE.region).endswith(
        " Remedy 1 below lifts the limit at once, unless the mode is locked."
    )


def a_tiny_one(standard_bytes: int, *, activity: Activity | None = IDLE) -> Situation:
    """At zero, and limited to 1 MiB/s."""
    file_system = a_file_system(standard_bytes=standard_bytes)
    return a_situation(
        balance_gib=0, hour_ago_gib=0, activity=activity, permitted_mib_per_second=1, file_system=file_system
    )


def test_credits_that_would_take_a_month_for_a_minute_are_not_said_to_come_back() -> None:
    """48.6 MiB earn 2,428 bytes a second, which is a minute at 100 MiB/s in thirty days, and a byte less does not."""
    a_month = a_tiny_one(50_918_851)
    assert not a_month.earns_next_to_nothing
    assert "ends by itself only when they use less" in way_out_of_zero(a_month, 60, HERE.region)
    assert "Less load brings no credits back" not in text_for(a_month)
    for longer in (a_tiny_one(50_918_850), a_tiny_one(6144)):
        assert longer.earns_next_to_nothing
        assert way_out_of_zero(longer, 60, HERE.region) == (
            "At this size credits do not come back by themselves in any useful time, even while nobody uses any: what "
            "is stored earns next to nothing. Only another throughput mode lifts the limit. Remedy 1 below lifts the "
            "limit at once, unless the mode is locked."
        )
        assert (
            "Pause its job, or let it work on another disk. Less load brings no credits back at this size: what is "
            "stored earns next to nothing. Storing more data is no way out"
        ) in text_for(longer)


def test_another_mode_is_advised_to_idle_clients_whose_credits_never_come_back() -> None:
    """Whoever comes next is limited, too."""
    tiny = a_tiny_one(6144)
    assert [bool(one.command) for one in ways_out(FILE_SYSTEM_ID, tiny, HERE)] == [True, True, True]
    assert "clients are idle" not in text_for(tiny)
    some_left = tiny.balances[-1]._replace(balance_bytes=600 * GIB)
    with_credits = replace(tiny, balances=(some_left,), permitted_bytes_per_second=100.0 * MIB)
    assert len(ways_out(FILE_SYSTEM_ID, with_credits, HERE)) == 1


def test_there_is_no_such_rate_where_credits_permit_no_more_or_as_much_is_provisioned() -> None:
    at_zero = a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=5)
    assert mib_per_second_of_credits(at_zero) == 100
    capped = replace(at_zero, reference_bytes_per_second=at_zero.baseline_bytes_per_second)
    assert mib_per_second_of_credits(capped) is None
    provisioned = replace(at_zero.file_system, provisioned_bytes_per_second=100 * MIB)
    assert mib_per_second_of_credits(replace(at_zero, file_system=provisioned)) is None


def test_none_is_advised_to_idle_clients_of_a_file_system_that_has_no_credits_yet() -> None:
    """A single datapoint, of a file system that has just come to an account: nobody is held down by the limit."""
    at_zero = a_situation(balance_gib=0, hour_ago_gib=None, activity=IDLE, permitted_mib_per_second=5)
    text = text_for(at_zero)
    assert "update-file-system" not in text
    assert "left out: clients are idle," in text
    assert way_out(at_zero, HERE.region) == "No change of mode now: clients are idle."
    at_work = replace(at_zero, activity=metering(4))
    assert "--throughput-mode elastic" in text_for(at_work)
    assert way_out(at_work, HERE.region) == "Way out: elastic throughput."


def test_what_a_message_of_one_line_names_is_what_the_mail_advises() -> None:
    rising = a_situation(balance_gib=2, hour_ago_gib=1, activity=metering(4))
    assert "update-file-system" not in text_for(rising)
    assert way_out(rising, HERE.region) == "No change of mode now: the balance is rising."
    slow = a_situation(balance_gib=410, hour_ago_gib=460, activity=WRITING)
    assert "1. Slow down" in text_for(slow)
    assert way_out(slow, HERE.region) == "Way out: less load, or elastic throughput."


def test_while_the_balance_rises_before_a_load_that_empties_it_everything_is_advised() -> None:
    rising = a_situation(balance_gib=200, hour_ago_gib=185, activity=IDLE)
    text = text_for(replace(rising, past_days=(NIGHTLY,), last_day=a_day_of(87)))
    assert "--provisioned-throughput-in-mibps 87 " in text
    assert "--throughput-mode elastic" in text


@pytest.mark.parametrize("hour_ago_gib", [None, 2])
def test_what_is_free_comes_first_for_idle_clients_until_a_load_that_ends_the_credits_comes_again(
    hour_ago_gib: float | None,
) -> None:
    """They take nothing before it: no hour at full speed is what there is left of."""
    idle = replace(a_situation(balance_gib=2, hour_ago_gib=hour_ago_gib, activity=IDLE), past_days=(NIGHTLY,))
    mail = " ".join(limited(idle, HERE).body.split())
    assert "If that load comes again, they are gone at about" in mail
    assert mail.index("WHAT TO DO, what is free first There is time for that until") < mail.index("1. Slow down")
    assert "if the load above comes again, and none if driven at 100 MiB/s without a pause. After that begin" in mail
    # Nor does what empties it every half hour, of which alone the mail tells, come tomorrow.
    minutes = [one * GIB for one in (0, 2, 0, 2)]
    pulses = (BalancePoint(time=NEWEST - (3 - age) * MINUTE, balance_bytes=one) for age, one in enumerate(minutes))
    assert "the load above" not in text_for(replace(idle, balances=tuple(pulses)))
    falling_all_the_same = a_situation(balance_gib=40, hour_ago_gib=60, activity=IDLE)
    assert "at the pace of now" in text_for(replace(falling_all_the_same, past_days=(NIGHTLY,)))
    # Who works may go on.
    at_work = text_for(replace(idle, activity=metering(5)))
    assert "WHAT TO DO, fastest first 1. Switch to elastic" in at_work


def test_elastic_is_not_advised_to_max_io() -> None:
    max_io = a_situation(
        balance_gib=250, hour_ago_gib=600, activity=metering(60), file_system=replace(a_file_system(), max_io=True)
    )
    text = text_for(max_io)
    assert "--throughput-mode elastic" not in text
    assert "1. Provision throughput" in text
    assert "Elastic throughput is left out: the file system is in Max I/O performance mode" in text


@pytest.mark.parametrize(
    ("mode", "left_out"),
    [
        (ThroughputMode.BURSTING, "Provisioned throughput is left out"),
        (ThroughputMode.PROVISIONED, "A higher provisioned rate is left out"),
    ],
)
def test_no_mail_about_a_falling_balance_is_said_to_have_elastic_throughput_for_max_io(
    mode: ThroughputMode, left_out: str
) -> None:
    low = LOWERED if mode is ThroughputMode.PROVISIONED else a_file_system()
    idle = a_situation(balance_gib=50, hour_ago_gib=50, activity=IDLE, file_system=replace(low, max_io=True))
    text = text_for(idle)
    assert (
        f" {left_out}: clients are idle, and it would lock the throughput mode for 24 hours. A mail about a falling "
        f"balance has it." in text
    )
    assert "lastic" not in text


def test_with_less_than_an_hour_left_what_helps_at_once_comes_first() -> None:
    def first(balance_gib: float, hour_ago_gib: float) -> str:
        situation = a_situation(balance_gib=balance_gib, hour_ago_gib=hour_ago_gib, activity=metering(60))
        return text_for(situation).partition("1. ")[2].partition(" ")[0]

    # Four minutes ago there was enough for 64.
    assert first(320, 620 - 1) == "Slow"
    assert first(320, 620 + 1) == "Switch"
    assert first(0, 0) == "Switch"


def test_aws_own_sentence_is_there_for_a_change_that_nobody_saw() -> None:
    text = text_for(falling(60))
    assert refusal(NEWEST, NEWEST + timedelta(hours=1)).partition(" Wait")[0] in text  # type: ignore[union-attr] # there is a refusal


def test_a_mode_that_left_no_balance_behind_is_said_to_have_left_none() -> None:
    """As much was permitted as the size gives: nothing else tells that there were no credits until 40 minutes ago."""
    times = [time for time, _ in PERMITTED_ALL_DAY]
    balances = tuple(BalancePoint(time=time, balance_bytes=170 * GIB) for time in (*times[:-13], *times[-8:]))
    text = why_locked(replace(falling(60), past_days=(PastDay(back=timedelta(days=1), balances=balances),)))
    assert ": until then CloudWatch has no balance of credits. If so, AWS refuses another change until" in text


def test_a_change_of_which_no_metric_tells_yet_locks_from_now_on_at_the_latest() -> None:
    """The newest minute is a quarter of an hour old, and still has the rate of elastic throughput."""
    newest = TIME - timedelta(minutes=16)
    permitted = tuple((time, 300 * MIB) for time, _ in PERMITTED_ALL_DAY if time <= newest)
    still = replace(falling(60), permitted_of_the_day=permitted, permitted_bytes_per_second=300 * MIB)
    text = why_locked(still)
    ended = max(time for time, _ in permitted) + timedelta(minutes=5)
    when = f"some time between {ended:%H:%M} UTC and {TIME:%H:%M} UTC: until {ended:%H:%M} UTC more was permitted"
    assert when in text
    assert f"AWS refuses another change until about {TIME:%H:%M} UTC on" in text


def test_a_load_that_is_held_down_tells_what_it_needs_only_of_the_minutes_before() -> None:
    held_down = a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=4.9)
    driven = replace(LIMITED, busiest_bytes_per_second=88 * MIB)
    assert needed_mib_per_second(held_down) is None
    assert needed_mib_per_second(replace(held_down, activity=driven)) == 88


@pytest.mark.parametrize(
    ("region", "mib_per_second", "ends_at"),
    [
        ("us-east-1", 3414, None),
        ("us-east-1", 3415, "3,414"),
        ("us-east-2", 3414, None),
        ("us-east-2", 3415, "3,414"),
        ("us-west-2", 3414, None),
        ("us-west-2", 3415, "3,414"),
        ("eu-west-1", 3414, None),
        ("eu-west-1", 3415, "3,414"),
        ("eu-central-1", 1024, None),
        ("eu-central-1", 1025, "1,024"),
        ("cn-north-1", 2000, "1,024"),
    ],
)
def test_provisioning_is_ruled_out_where_efs_does_not_reach_that_far(
    region: str, mib_per_second: int, ends_at: str | None
) -> None:
    """By the quotas that an account has at first: https://docs.aws.amazon.com/efs/latest/ug/limits.html"""
    tebibytes = 15 if region in {"eu-central-1", "cn-north-1"} else 40
    large = a_file_system(standard_bytes=tebibytes * TIB)
    situation = a_situation(balance_gib=2500, hour_ago_gib=6000, activity=metering(mib_per_second), file_system=large)
    text = text_for(situation, replace(HERE, region=region))
    refused = (
        f"2. Provisioned throughput does not help here: in {region} it ends at {ends_at} MiB/s, unless AWS Support has "
        "raised that quota, and this load needs more."
    )
    assert (refused in text) is (ends_at is not None)
    assert ("--provisioned-throughput-in-mibps" in text) is (ends_at is None)


def test_the_last_digits_of_a_sum_ask_for_no_mib_more() -> None:
    assert covering_mib_per_second(375 * MIB * (1 + 1e-12)) == covering_mib_per_second(375 * MIB) == 375
    assert covering_mib_per_second(375.001 * MIB) == 376


def test_in_one_zone_provisioning_ends_earlier() -> None:
    """1 GiB/s in every Region, which nobody raises: https://docs.aws.amazon.com/efs/latest/ug/limits.html"""
    large = replace(a_file_system(standard_bytes=15 * TIB), one_zone=True)
    falling_fast = a_situation(balance_gib=2500, hour_ago_gib=6000, activity=metering(1025), file_system=large)
    text = text_for(falling_fast)
    assert "--provisioned-throughput-in-mibps 1024 " in text
    assert "1,024 MiB/s is the most that AWS takes in One Zone. It does not cover the busiest five minutes" in text
    assert "what is above it is cut off, as in elastic throughput." in text
    assert "as in elastic throughput" not in text_for(replace(falling_fast, activity=metering(1024)))


def test_elsewhere_the_most_that_aws_takes_is_advised_where_it_cuts_nothing_off_that_clients_still_have() -> None:
    """1,024 MiB/s in this Region, and 1,500 with credits at 15 TiB."""
    large = a_file_system(standard_bytes=15 * TIB)
    falling_fast = a_situation(balance_gib=2500, hour_ago_gib=6000, activity=metering(1025), file_system=large)
    assert "--provisioned-throughput-in-mibps" not in text_for(falling_fast, EU)
    covered = replace(falling_fast, activity=metering(1024))
    # The balance was lower than what such a fall takes in the minutes until now.
    nearly_gone = a_situation(balance_gib=40, hour_ago_gib=3540, activity=metering(1025), file_system=large)
    assert nearly_gone.ran_out is not None
    # It shrank: credits permit no more than 100 MiB/s by now.
    shrunk = a_situation(balance_gib=250, hour_ago_gib=600, activity=metering(1025))
    for situation in (covered, nearly_gone, shrunk):
        assert "--provisioned-throughput-in-mibps 1024 " in text_for(situation, EU)


@pytest.mark.parametrize(("tebibytes", "first"), [(15, "Provision throughput"), (1, "Switch to elastic")])
def test_in_one_zone_the_cheaper_of_two_that_end_alike_comes_first(tebibytes: int, first: str) -> None:
    """1,024 MiB/s, whatever the load needs, so that nothing that is not known of the day speaks for either. Above what
    15 TiB earn they cost $54 a day, above what 1 TiB earns $192; five minutes of 1,100 MiB/s in two hours $232.
    """
    file_system = replace(a_file_system(standard_bytes=tebibytes * TIB), one_zone=True)
    situation = a_situation(balance_gib=40, hour_ago_gib=3540, activity=metering(1100), file_system=file_system)
    known = tuple((NEWEST - age * STEP - STEP, 100 * MIB) for age in range(24))
    text = text_for(replace(situation, last_day=a_day_of(*[0] * 23, 1100), permitted_of_the_day=known))
    assert f"1. {first}" in text
    assert "does not help" not in text
    assert "far cheaper" not in text


def test_in_one_zone_no_more_may_be_provisioned_than_a_large_size_earns() -> None:
    """25 TiB earn 1,250 MiB/s."""
    file_system = replace(a_file_system(standard_bytes=25 * TIB), one_zone=True)
    situation = a_situation(balance_gib=2500, hour_ago_gib=6000, activity=metering(1400), file_system=file_system)
    text = text_for(situation)
    assert "in One Zone it ends at 1,024 MiB/s, and as much is there without credits." in text
    assert "needs more" not in text


@pytest.mark.whole
@pytest.mark.parametrize("one_zone", [False, True])
@pytest.mark.parametrize("tebibytes", [2, 15, 20, 25])
def test_a_quota_is_said_to_be_raised_by_support_only_where_support_raises_it(
    tebibytes: float, *, one_zone: bool
) -> None:
    """Of Regional file systems, and of none in One Zone."""
    file_system = replace(a_file_system(standard_bytes=round(tebibytes * TIB)), one_zone=one_zone)
    for balance_gib, activity in ((0, metering(50 * tebibytes)), (250, metering(1100)), (250, metering(1024))):
        situation = a_situation(
            balance_gib=balance_gib,
            hour_ago_gib=600,
            activity=activity,
            file_system=file_system,
            **({} if balance_gib else {"permitted_mib_per_second": 50 * tebibytes}),
        )
        text = text_for(situation, EU)
        is_told = "the most that AWS takes" in text or "Provisioned throughput does not help" in text
        assert ("Support has raised that quota" in text) is (is_told and not one_zone)


def test_a_rate_that_is_refused_never_comes_first() -> None:
    """100 MiB/s above what 20 TiB earn cost $20 a day; 1,100 MiB/s in elastic throughput cost $5,569."""
    large = a_file_system(standard_bytes=20 * TIB)
    situation = a_situation(balance_gib=2500, hour_ago_gib=6000, activity=metering(1100), file_system=large)
    situation = replace(situation, last_day=a_day_of(*[1100] * 288))
    assert way_out(situation, "us-east-1") == "Way out: provisioned throughput."
    assert way_out(situation, "eu-central-1") == "Way out: elastic throughput."


def test_the_monthly_price_is_for_what_is_above_the_earned_rate() -> None:
    situation = a_situation(
        balance_gib=250, hour_ago_gib=300, activity=metering(150), file_system=a_file_system(standard_bytes=TIB)
    )
    assert (
        "above what the size earns (50 MiB/s): $20 for the 24 hours of the lock, $600 a month for 150 MiB/s."
        in text_for(situation)
    )


def test_a_small_file_system_pays_from_what_it_earns_and_not_from_the_floor() -> None:
    small = a_file_system(standard_bytes=10 * GIB)
    situation = a_situation(balance_gib=250, hour_ago_gib=300, activity=metering(2), file_system=small)
    assert "(0.5 MiB/s): $0.30 for the 24 hours of the lock, $9.07 a month for 2 MiB/s." in text_for(situation)


def test_elastic_is_priced_for_the_day_of_the_lock_and_then_for_a_month() -> None:
    """100 MiB/s for an hour are 352 GiB: $21.09 written, $10.55 read."""
    written, read = text_for(falling(*[100] * 12)), text_for(falling(*[100] * 12, read=True))
    assert "A day like the last 24 hours costs at least $21, which is for the time of the lock" in written
    assert "a month of such days $642." in written
    assert "A day like the last 24 hours costs at least $10, which" in read


def test_small_operations_are_billed_as_what_they_count_as() -> None:
    """4 KiB each cost eight times as much."""
    dollars = elastic_dollars(a_day_of(100, operation_kib=4))
    assert dollars == pytest.approx(8 * elastic_dollars(a_day_of(100)))
    assert elastic_dollars(a_day_of(100, operation_kib=64)) == elastic_dollars(a_day_of(100))


def a_night(*, known_steps: int, falling_steps: int) -> PastDay:
    """The last hours by five minutes: flat, and then a fall of 29 GiB in each of the last."""
    return PastDay(
        back=timedelta(days=1),
        balances=tuple(
            BalancePoint(time=NEWEST - age * STEP, balance_bytes=(200 + 29 * min(age, falling_steps)) * GIB)
            for age in range(known_steps, -1, -1)
        ),
    )


def test_this_nights_bytes_are_those_since_the_balance_began_to_fall() -> None:
    night = a_night(known_steps=12, falling_steps=12)
    text = text_for(replace(falling(*[0] * 100, *[100] * 12), past_days=(night,)))
    # The first point that is known has fallen already.
    assert "; what was moved since about 01:41 UTC, when the balance began to fall, at least $21;" in text


def test_of_less_than_a_day_too_the_price_is_that_of_the_lock_of_this_night_and_of_a_month() -> None:
    """Two hours at 60 MiB/s, the last of which fell: $12.66 an hour, $11.60 in 55 minutes of it."""
    night = a_night(known_steps=24, falling_steps=12)
    known = tuple((NEWEST - age * STEP - STEP, 100 * MIB) for age in range(24))
    text = text_for(replace(falling(*[60] * 24), permitted_of_the_day=known, past_days=(night,)))
    assert (
        "costs at least $25; at that average the 24 hours of the lock cost $304; what was moved since about 01:46 UTC, "
        "when the balance began to fall, at least $11; a month of such days $9,239."
    ) in text


def test_of_the_five_minutes_in_which_a_fall_began_its_share_of_them_is_counted() -> None:
    """At 1,000 MiB/s five minutes cost $17.58: twelve of them, and a fifth of those before."""
    night = a_night(known_steps=24, falling_steps=13)
    by_minute = tuple(
        BalancePoint(time=NEWEST - timedelta(minutes=age), balance_bytes=(200 + 5.8 * min(age, 62)) * GIB)
        for age in range(70, -1, -1)
    )
    begun = replace(falling(*[1000] * 13), past_days=(night,), balances=by_minute)
    assert begun.last_day[0].time == NEWEST - timedelta(minutes=65)
    assert "; what was moved since about 01:40 UTC, when the balance began to fall, at least $214;" in text_for(begun)


def test_at_zero_the_price_says_that_the_load_was_limited() -> None:
    assert not was_held_down(replace(falling(4.9, gone=True), permitted_of_the_day=()))
    at_zero = falling(97.4, 4.9, 4.9, gone=True)
    assert "limited as they were" not in text_for(at_zero)
    assert IN_PART in text_for(at_zero)


@pytest.mark.parametrize("is_over", [False, True])
def test_a_load_that_was_limited_half_of_the_time_that_it_worked_was_held_down(is_over: bool) -> None:
    """Two hours of a day: an idle hour says nothing of whether the load had what it wanted."""
    said = "A day like the last 24 hours, limited as they were, costs at least"
    after = [0] * 36 if is_over else []
    work = falling(*[0] * (264 - len(after)), *[90] * 12, *[4.9] * 12, *after, gone=not is_over)
    began = 276 - len(after)
    assert said in text_for(limited_in(work, range(began, began + 12)))
    assert said not in text_for(limited_in(work, range(began + 1, began + 12)))
    # Nobody is limited by a limit that nobody meets.
    assert said not in text_for(limited_in(work, range(100)))


def test_of_a_load_that_was_held_down_an_hour_at_full_speed_has_its_price() -> None:
    """100 MiB/s of writes are 352 GiB an hour; what they did at the limit cost $7.23 in seven hours."""
    said = "At the 100 MiB/s that credits permit an hour of such work costs $21."
    work = falling(*[0] * 204, *[4.9] * 84, gone=True)
    held = limited_in(work, range(204, 288))
    assert "limited as they were, costs at least $7.23, which" in text_for(held)
    assert said in text_for(held)
    assert said not in text_for(work)
    # Nobody knows what it permits.
    assert "that credits permit" not in text_for(replace(held, may_be_capped=True))


@pytest.mark.parametrize(
    ("before_mib", "said"),
    [
        # 340 GiB an hour net of the 17 that are earned; 24 times $21 are more than twice what the day cost.
        (1, "At the 102 MiB/s of the last 15 minutes an hour of such work costs $21."),
        (45, "At the 102 MiB/s of the last 15 minutes an hour of such work costs $21."),
        (51, ""),
    ],
)
def test_a_load_that_is_far_more_than_the_day_had_tells_what_an_hour_of_it_costs(before_mib: float, said: str) -> None:
    text = text_for(falling(*[before_mib] * 276, *[90] * 12))
    assert ("an hour of such work" in text) is bool(said)
    assert said in text
    assert "an hour of such work" not in text_for(falling(0))


def test_what_an_hour_costs_is_told_by_what_the_last_hour_read_and_wrote() -> None:
    """A day of reads, of which a third is metered, and then writes: a metered byte of these costs two thirds."""
    reads = falling(*[1] * 276, *[90] * 12, read=True).last_day
    writes = falling(*[1] * 276, *[90] * 12)
    mixed = replace(writes, last_day=(*reads[:276], *writes.last_day[276:]))
    assert "an hour of such work costs $21." in text_for(mixed)
    assert "an hour of such work costs $32." in text_for(replace(writes, last_day=reads))


def test_five_minutes_in_which_the_credits_ended_do_not_tell_what_the_load_needs() -> None:
    """70 MiB/s emptied the bucket within a minute, and had 1 MiB/s for the rest of the night: 11 on average."""
    tiny = replace(
        falling(*[0] * 252, 11.4, *[1] * 35, gone=True),
        baseline_bytes_per_second=1.0 * MIB,
        permitted_bytes_per_second=1.0 * MIB,
        activity=metering(1),
    )
    ended = limited_in(tiny, range(252, 288))
    assert needed_mib_per_second(ended) is None
    text = text_for(ended)
    assert "--provisioned-throughput-in-mibps 100 " in text
    assert (
        "What the load needs cannot be told from the last 24 hours: clients got 11 MiB/s in its busiest five minutes, "
        "in part of which they were limited, and 1.0 MiB/s are there without credits. 100 MiB/s is what it may have "
        "with credits: begin with that" in text
    )
    # What was moved in five minutes with credits does, also where those in which they ended are as fast.
    longer = replace(ended, last_day=a_day_of(*[0] * 250, 70, 70, 75, *[1] * 35))
    assert needed_mib_per_second(longer) == 75
    faster = replace(ended, last_day=a_day_of(*[0] * 250, 10, 10, 11.4, *[1] * 35))
    assert needed_mib_per_second(faster) is None


def test_a_load_of_little_more_than_is_earned_tells_what_it_needs_by_the_hours_before_the_end() -> None:
    """4.9 MiB/s are there without credits, where 5.2 may be metered of a load that is held down."""

    def needed(free_mib_per_second: float, limited_mib_per_second: float) -> int | None:
        day = [free_mib_per_second] * 250 + [limited_mib_per_second] * 38
        gone = replace(falling(*day, gone=True), activity=metering(limited_mib_per_second))
        return needed_mib_per_second(limited_in(gone, range(250, 288)))

    assert needed(5.2, 4.9) == needed(5.2, 5.2) == needed(5.2, 5.3) == 6
    assert needed(5.0, 5.2) is needed(4.8, 5.2) is needed(0, 5.2) is needed(4.8, 4.9) is None
    assert needed(7, 4.9) == 7


def test_the_busiest_minutes_of_an_hour_in_which_the_credits_ended_may_hold_some_without_them() -> None:
    """A load of three minutes at 90 MiB/s and two at 5: wherever five minutes begin, they are 56 on average."""
    burst = replace(
        falling(*[0] * 287, 56, gone=True), activity=replace(metering(5), busiest_bytes_per_second=56 * MIB)
    )
    assert needed_mib_per_second(burst) == 56
    assert needed_mib_per_second(limited_in(burst, range(287, 288))) is None
    # An hour without a limit holds none, and what was before it is told by the day.
    assert needed_mib_per_second(limited_in(burst, range(100, 110))) == 56


def test_without_the_last_day_no_price_is_made_up() -> None:
    text = text_for(a_situation(balance_gib=250, hour_ago_gib=300, activity=WRITING))
    assert "A day like" not in text
    assert "$0.03 per GB read, $0.06 per GB written." in text


def test_of_five_minutes_that_are_under_way_only_those_that_are_known_are_counted() -> None:
    """A single minute at 60 MiB/s, as after the first datapoint: 3.5 GiB, and 1,440 times that in a day."""
    known = Work(time=NEWEST, metered_bytes=3600 * MIB, written_bytes=3600 * MIB, writes=3600)
    begun = replace(falling(60), last_day=(known,), permitted_of_the_day=((NEWEST, 100.0 * MIB),))
    assert (
        "What clients did in the 1 min that CloudWatch has of the last 24 hours costs at least $0.21; "
        "at that average the 24 hours of the lock cost $304; a month of such days $9,239."
    ) in text_for(begun)


def test_a_peak_and_a_price_are_of_what_is_known_of_the_day() -> None:
    """A file system that is 655 minutes old, or whose metrics began then."""
    young = falling(*[60] * 131)
    young = replace(young, permitted_of_the_day=tuple((one.time, 100.0 * MIB) for one in young.last_day))
    known = "the 10 h 55 min that CloudWatch has of the last 24 hours"
    assert f"covers the busiest five minutes of {known} (60 MiB/s" in text_for(young)
    assert f"What clients did in {known} costs at least" in text_for(young)
    held = replace(falling(*[1] * 131, gone=True), permitted_of_the_day=young.permitted_of_the_day)
    held = replace(held, activity=metering(1))
    assert f"cannot be told from {known}: clients got 1.0 MiB/s in its" in text_for(held)
    assert "busiest five minutes of the last 24 hours (60 MiB/s" in text_for(falling(*[60] * 288))


def test_without_an_observed_minute_no_price_is_made_up() -> None:
    nothing = replace(IDLE, observed_minutes=0)
    for activity in (None, nothing):
        text = text_for(a_situation(balance_gib=250, hour_ago_gib=250, activity=activity))
        assert "--provisioned-throughput-in-mibps 100 " in text
        assert "What the load needs is not known; 4.9 MiB/s are there without credits. 100 MiB/s is what it may" in text


def test_the_commands_are_complete() -> None:
    situation = a_situation(balance_gib=250, hour_ago_gib=300, activity=WRITING)
    paragraphs = remedies(ways_out(FILE_SYSTEM_ID, situation, GOVERNMENT), situation, GOVERNMENT)
    assert [paragraph.strip() for paragraph in paragraphs if paragraph.startswith("   aws ")] == [
        (
            "aws efs update-file-system --file-system-id fs-0123456789abcdef0 --throughput-mode elastic "
            "--region us-gov-west-1"
        ),
        (
            "aws efs update-file-system --file-system-id fs-0123456789abcdef0 --throughput-mode provisioned "
            "--provisioned-throughput-in-mibps 72 --region us-gov-west-1"
        ),
    ]


def test_more_of_what_is_provisioned_comes_first_where_the_mode_is_locked() -> None:
    """Less was provisioned an hour ago, so that it lives on credits again: AWS takes an increase at any time."""
    situation = falling(*[60] * 36, gone=True)
    back = TIME - timedelta(hours=1)
    lowered = replace(
        situation,
        file_system=a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=4 * MIB),
        permitted_of_the_day=tuple((time, (300 if time < back else 100) * MIB) for time, _ in PERMITTED_ALL_DAY),
    )
    assert seems_changed(lowered) is not None
    first, *_ = ways_out(lowered.file_system.file_system_id, lowered, HERE)
    assert first.heading == "Provision more throughput: a fixed limit at a fixed price. At once, locked or not."
    assert way_out(lowered, HERE.region) == "Way out: provisioned throughput."
    assert "An increase is possible." in why_locked(lowered)
    assert LOCKED_ORDER not in why_locked(lowered)


def test_more_than_may_be_provisioned_does_not_come_first() -> None:
    situation = falling(*[2000] * 36)
    locked = replace(
        situation,
        file_system=a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=4 * MIB),
        reference_bytes_per_second=1500.0 * MIB,
        permitted_of_the_day=tuple((time, 5000.0 * MIB) for time, _ in PERMITTED_ALL_DAY),
    )
    assert way_out(locked, "eu-central-1") == "Way out: elastic throughput."
    # It is more than credits permit.
    assert way_out(replace(locked, reference_bytes_per_second=900.0 * MIB), "eu-central-1") != way_out(
        locked, "eu-central-1"
    )


@pytest.mark.parametrize("balance_gib", [0, 20, 440])
@pytest.mark.parametrize("shows_the_change", [True, False])
def test_more_of_what_is_provisioned_comes_before_another_mode_which_may_be_locked(
    balance_gib: int, shows_the_change: bool
) -> None:
    """Whoever provisions less than the size earns may have done so within a day, which the metrics show only of an end
    of another mode: elastic throughput may be refused, an increase never is.
    """
    low = replace(
        falling(0, 60, 90, gone=True)
        if balance_gib == 0
        else a_situation(balance_gib=balance_gib, hour_ago_gib=balance_gib + 90, activity=metering(90)),
        file_system=a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=4 * MIB),
        permitted_of_the_day=PERMITTED_ALL_DAY,
    )
    if shows_the_change:
        lowered = TIME - timedelta(hours=1)
        permitted = tuple((time, (300 if time < lowered else 100) * MIB) for time, _ in PERMITTED_ALL_DAY)
        low = replace(low, permitted_of_the_day=permitted)
    assert (seems_changed(low) is not None) is shows_the_change
    changes = [one.name for one in ways_out(FILE_SYSTEM_ID, low, HERE) if "update-file-system" in one.command]
    assert [re.split(r",| \(", one)[0] for one in changes] == [
        "Provision more throughput",
        "Switch to elastic throughput",
    ]
    if balance_gib == 0:
        assert way_out_of_zero(low, 60, HERE.region).endswith("Remedy 1 below lifts the limit at once, locked or not.")
    if balance_gib == 440 and not shows_the_change:
        assert "After that begin with 2." in text_for(low)


def test_the_most_that_aws_takes_is_not_said_to_lift_the_limit_of_a_load_that_needs_more() -> None:
    at_zero = at_zero_after(1400)
    low = replace(
        at_zero,
        file_system=replace(at_zero.file_system, mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=4 * MIB),
    )
    first, *_ = ways_out(FILE_SYSTEM_ID, low, EU)
    assert first.name.startswith("Provision more throughput")
    assert way_out_of_zero(low, 60, EU.region).endswith(" What helps is below.")


RESUMED = TIME - timedelta(minutes=10)


def returned(situation: Situation, *, shows: bool = True, resumed: datetime | None = RESUMED) -> Situation:
    """Back on credits a quarter of an hour ago, as the monitor saw since, and as metrics may show."""
    back = TIME - timedelta(minutes=15)
    permitted = tuple((time, (1024 if shows and time < back else 100) * MIB) for time, _ in PERMITTED_ALL_DAY)
    return replace(situation, permitted_of_the_day=permitted, resumed=resumed)


@pytest.mark.parametrize(
    ("shows", "told"),
    [
        (
            True,
            (
                "The throughput mode was changed at about 02:31 UTC: until then more was permitted than the size "
                "gives. AWS refuses another change until about 02:31 UTC on Tue 8 Jan."
            ),
        ),
        (
            False,
            (
                "The throughput mode was changed before 02:35 UTC, when this monitor saw it. "
                "AWS refuses another change until 24 hours after that change: until 02:35 UTC on Tue 8 Jan at the "
                "latest."
            ),
        ),
    ],
)
@pytest.mark.parametrize("gone", [True, False])
def test_what_aws_would_refuse_is_left_out_where_the_monitor_saw_the_change(
    told: str, *, gone: bool, shows: bool
) -> None:
    seen = returned(falling(*[60] * 36, gone=gone), shows=shows)
    text = text_for(seen)
    left_out = "Elastic and provisioned throughput are left out, and possible again from then on."
    assert text.startswith(f"WHAT TO DO {told} {left_out} 1. Slow down")
    assert not re.search(r"update-file-system|[Aa]t once,|2\. |if so|seems|Locked:", text)
    assert why_locked(seen) == f"{told} {left_out}"
    assert [one.command for one in steps(ways_out(FILE_SYSTEM_ID, seen, HERE))] == ["nfsiostat 5 3"]
    assert way_out(seen, HERE.region) == "Way out: less load, the mode is locked."


def test_a_change_that_only_metrics_show_keeps_the_commands_with_what_aws_answers_if_it_refuses_them() -> None:
    text = text_for(returned(falling(*[60] * 36, gone=True), resumed=None))
    assert "The throughput mode seems to have been changed at about 02:31 UTC" in text
    assert text.count("update-file-system") == 2
    assert f'should AWS answer "{REFUSAL}' in text


@pytest.mark.parametrize("is_nearly_over", [True, False])
def test_no_command_that_may_be_refused_is_said_to_work_before_its_condition_is(is_nearly_over: bool) -> None:
    """As metrics alone speak for it, or the lock that was seen an hour late is nearly over."""
    nearly = returned(falling(*[60] * 36, gone=True), shows=False, resumed=TIME - timedelta(hours=23))
    maybe = nearly if is_nearly_over else returned(falling(*[60] * 36, gone=True), resumed=None)
    text = text_for(maybe)
    assert LOCKED_ORDER in text
    if_taken = "Switch to elastic throughput. If AWS takes it (see above): at once, at zero credits too."
    assert f"2. {if_taken}" in text or f"3. {if_taken}" in text
    assert "Provision throughput: a fixed limit at a fixed price. If AWS takes it (see above): at once." in text
    assert [one.words for one in steps(ways_out(FILE_SYSTEM_ID, maybe, HERE))][1:] == [
        "Provision throughput, if AWS takes it (locks the mode for 24 hours)",
        "Switch to elastic throughput, if AWS takes it (locks the mode for 24 hours)",
    ]
    assert way_out(maybe, HERE.region) == "Way out: less load, the mode may be locked."


def test_of_what_is_left_out_in_max_io_elastic_throughput_is_for_another_reason() -> None:
    max_io = returned(falling(60), shows=False)
    text = text_for(replace(max_io, file_system=replace(max_io.file_system, max_io=True)))
    assert "at the latest. Provisioned throughput is left out, and possible again from then on. 1. Slow down" in text
    assert "Elastic throughput is left out: the file system is in Max I/O performance mode, which rules it out." in text


@pytest.mark.parametrize("max_io", [True, False])
def test_an_increase_of_what_is_provisioned_is_never_left_out(max_io: bool) -> None:
    seen = returned(falling(0, 60, 90, gone=True), shows=False)
    low = replace(LOWERED, max_io=max_io)
    text = text_for(replace(seen, file_system=low))
    assert "Provision more throughput: a fixed limit at a fixed price. At once, locked or not." in text
    assert "--throughput-mode elastic" not in text
    assert "AWS refuses another mode and a decrease until" in text
    assert ("Elastic throughput is left out, and possible again from then on." in text) is not max_io
    assert way_out(replace(seen, file_system=low), HERE.region) == "Way out: provisioned throughput."


def flat_at(mib_per_second: float, *, known_steps: int) -> Situation:
    """Neither falling nor rising at what is taken, with three hours left at full speed; as much of the day is known."""
    flat = a_situation(balance_gib=1050, hour_ago_gib=1050, activity=metering(mib_per_second))
    known = tuple((NEWEST - age * STEP - STEP, 100 * MIB) for age in range(known_steps))
    work = a_day_of(*[mib_per_second] * known_steps)
    return replace(flat, permitted_of_the_day=known, last_day=work)


@pytest.mark.parametrize(
    ("mib_per_second", "known_steps", "is_left_out"),
    [(4.9, 0, True), (4.9, 12, True), (4.9, 143, True), (4.9, 144, False), (5.3, 12, True), (5.5, 12, False)],
)
def test_a_rate_of_about_what_is_there_without_credits_is_left_out_while_most_of_the_day_is_not_known(
    mib_per_second: float, known_steps: int, is_left_out: bool
) -> None:
    """Of 100 MiB/s that credits permit for three hours more, it would leave 5."""
    flat = flat_at(mib_per_second, known_steps=known_steps)
    text = text_for(flat)
    assert ("Provisioned throughput is left out: " in text) is is_left_out
    assert ("--provisioned-throughput-in-mibps" in text) is not is_left_out
    assert "--throughput-mode elastic" in text
    if is_left_out:
        assert way_out(flat, HERE.region) == "Way out: less load, or elastic throughput."
        assert (
            "MiB/s as metered; 4.9 MiB/s is there without credits), but most of the last day is not known: that rate "
            "would hold down whatever takes credits, until it is raised." in text
        )
    max_io = replace(flat, file_system=replace(flat.file_system, max_io=True))
    assert (way_out(max_io, HERE.region) == "Way out: less load.") is is_left_out


def test_an_increase_to_about_what_is_there_is_left_out_too() -> None:
    low = replace(flat_at(4.9, known_steps=12), file_system=LOWERED)
    assert "More of what is provisioned is left out: 5 MiB/s covers the busiest five minutes of " in text_for(low)
    assert [one.name for one in ways_out(FILE_SYSTEM_ID, low, HERE)][1].startswith("Switch to elastic")
