"""What the last days say of the coming one."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Work
from efs_monitor.mail.coming_day import (
    AGAIN_AND_AGAIN,
    CALM_IN_ANOTHER_MODE,
    GONE_AGAIN_WITHIN_THE_HOUR,
    IN_PART_AND_AGAIN,
    LAST_DAY_IN_PART,
    LAST_DAY_UNKNOWN,
    leaves_time,
    what_comes_back,
)
from efs_monitor.mail.low_credits_mails import credits_low
from efs_monitor.mail.recovered_mails import recovered

from tests.unit.incidents.earlier_days import (
    A_WEEK,
    BATCH,
    EARNED,
    MINUTE_BYTES,
    a_day,
    a_life,
    a_slow_fall_of_more_than_a_day,
    now_with,
)
from tests.unit.incidents.test_changed_earning import grown_after_the_load, lived
from tests.unit.incidents.test_held_down import after, at_the_limit
from tests.unit.incidents.test_unlimited_load import a_load, elastic_until
from tests.unit.mail.mail_cases import EMPTY_DAY, HELD_ALL_DAY, HELD_DOWN, HERE, IDLE, a_situation
from tests.unit.strategies import NOW


def says_what_to_do_until_then(text: str) -> bool:
    """Whether a text says what there is to do before a load that comes, however much is left until then."""
    words = "there is time until then to find what it is", "Find what that load is before it comes"
    return any(one in " ".join(text.split()) for one in words)


def test_a_load_that_comes_again_after_others_names_them_for_they_are_reckoned_with() -> None:
    """Two batches a day: the second empties the bucket only since the first comes again, too."""
    once = a_day(a_life(200, (24, 0.0), (12, -5.0), (250, 0.0)))
    assert "If that load comes again, 4" in what_comes_back(now_with(100, once), 60)
    twice = a_day(a_life(200, (24, 0.0), (12, -5.0), (24, 0.0), (12, -5.0), (200, 0.0)))
    assert "If that load comes again, like those before it, they are gone at" in what_comes_back(
        now_with(100, twice), 60
    )


def test_where_it_falls_now_as_it_did_not_on_that_day_more_is_left_at_the_most() -> None:
    """It rose by 34 minutes' worth until the batch: whether what takes credits now is over by then nobody knows."""
    rising = a_day(a_life(20, (12, EARNED), (144, EARNED), (6, -2.0), (240, EARNED)))
    falls = tuple(
        BalancePoint(time=NOW - back * STEP, balance_bytes=(30 + back) * MINUTE_BYTES) for back in range(12, -1, -1)
    )
    now = now_with(30, rising)
    assert re.search(r"again, \d\d minutes are left at ", what_comes_back(now, 60))
    told = what_comes_back(replace(now, balances=falls), 60)
    assert re.search(r"again, at most \d\d minutes are left at ", told)


@pytest.mark.parametrize(("lost_minutes", "is_told"), [(1, True), (4, True), (20, False)])
def test_a_mail_about_a_slow_fall_tells_of_a_load_that_comes_long_before_its_end(
    lost_minutes: float, is_told: bool
) -> None:
    """A batch in two hours takes the 50 minutes that are left; at the pace of the last hour they last two days, twelve
    hours, or two hours and a half.
    """
    yesterday = a_day(a_life(120, (36, EARNED), (12, -5.0), (240, EARNED)))
    now = now_with(50, yesterday)
    falling = tuple(
        BalancePoint(time=NOW - back * STEP / 5, balance_bytes=(50 + lost_minutes * back / 60) * MINUTE_BYTES)
        for back in range(60, -1, -1)
    )
    mail = credits_low(AlarmKind.CRITICAL, 60, replace(now, balances=falling), HERE)
    text = " ".join(mail.body.split())
    assert ("If that load comes again, they are gone at about" in text) is is_told
    # Who reads no more than the subject, or begins with what is free, has no more time than that.
    assert ("50 min of credits left at full speed" in mail.subject) is is_told
    assert ("There is time for that until 14:39 UTC if the load above comes again, " in text) is is_told


@pytest.mark.parametrize(("an_hour", "ends_first"), [(20, True), (0, False)])
def test_a_mail_about_an_alarm_that_is_over_gives_no_time_until_a_load_of_tomorrow_where_the_pace_ends_them_first(
    an_hour: float, ends_first: bool
) -> None:
    """Its threshold was lowered, or the balance fell again since."""
    tomorrow = a_day(a_life(120, (12 + 200, EARNED), (12, -6.0), (40, EARNED)))
    falling = tuple(
        BalancePoint(time=NOW - back * MINUTE, balance_bytes=(50 + an_hour * back / 60) * MINUTE_BYTES)
        for back in range(60, -1, -1)
    )
    mail = recovered(AlarmKind.CRITICAL, 60, replace(now_with(50, tomorrow), balances=falling), HERE)
    text = " ".join(mail.body.split())
    assert says_what_to_do_until_then(text) is not ends_first
    assert ("If that load comes again" in text) is not ends_first


def rising_to(minutes: float) -> tuple[BalancePoint, ...]:
    """A balance that rose slowly for an hour, to that of so many minutes."""
    return tuple(
        BalancePoint(time=NOW - back * MINUTE, balance_bytes=(minutes - back / 10) * MINUTE_BYTES)
        for back in range(60, -1, -1)
    )


@pytest.mark.parametrize(("day", "shows_a_fall"), [(a_life(300, *BATCH), True), (a_life(100, (288, EARNED)), False)])
def test_the_end_of_a_warning_of_two_days_tells_of_a_fall_since_it_began_and_says_else_that_there_was_none(
    day: list[float], shows_a_fall: bool
) -> None:
    """A batch of the last day that leaves more than the lead time is no reason to act, but it shows a load."""
    now = replace(now_with(260, a_day(day)), balances=rising_to(260))
    text = " ".join(recovered(AlarmKind.WARNING, 180, now, HERE, NOW - timedelta(hours=34)).body.split())
    assert "Whether the load that set it off comes again is not known: it began more than 24 hours ago" in text
    assert ("nothing that came since would take credits now" in text) is not shows_a_fall
    assert ("If that load comes again, 2" in text) is shows_a_fall


def test_the_end_of_a_critical_of_two_days_says_that_its_load_is_not_known_after_a_calm_day() -> None:
    now = replace(now_with(100, a_day(a_life(60, (288, EARNED)))), balances=rising_to(100))
    for hours, is_told in ((34, True), (20, False)):
        text = " ".join(recovered(AlarmKind.CRITICAL, 60, now, HERE, NOW - timedelta(hours=hours)).body.split())
        assert ("Whether the load that set it off comes again is not known: it began more than" in text) is is_told


def test_the_end_of_a_warning_of_two_days_tells_once_of_a_fall_that_leaves_less_than_it_began_at() -> None:
    now = replace(now_with(181, a_day(a_life(300, *BATCH))), balances=rising_to(181))
    text = " ".join(recovered(AlarmKind.WARNING, 180, now, HERE, NOW - timedelta(hours=34)).body.split())
    assert "Whether the load that set it off comes again is not known: it began more than 24 hours ago. " in text
    assert text.count("If that load comes again, 1") == 1


@pytest.mark.parametrize(
    ("day", "said"),
    [
        # A batch that ended the credits, and would leave more than three hours; and credits gone before what is known.
        (a_life(50, (36, EARNED), (14, -5.0), (250, EARNED)), "If that load comes again, 270 minutes are left"),
        (a_life(0, (300, EARNED)), "The next fall may come at any hour."),
    ],
)
def test_the_end_of_a_warning_says_something_of_what_comes_whatever_the_day_was_like(
    day: list[float], said: str
) -> None:
    now = replace(now_with(330, a_day(day)), balances=rising_to(330))
    mail = recovered(AlarmKind.WARNING, 180, now, HERE, NOW - timedelta(hours=5))
    for text in (" ".join(mail.body.split()), " ".join(mail.chat.text.split())):
        assert said in text
        assert "No action is needed" not in text


def test_a_slow_load_that_leaves_next_to_nothing_is_not_told_to_end_the_credits() -> None:
    slow = a_day(a_life(60, (36, EARNED), (100, -0.25), (160, EARNED)))
    text = what_comes_back(now_with(20, slow), 60)
    assert re.search(r"If that load comes again, less than a minute is left at \d\d:\d\d UTC\.", text)


@pytest.mark.parametrize(("alarm", "lead_minutes", "is_told"), [("warning", 180, True), ("critical", 60, False)])
def test_a_slow_fall_is_told_of_a_load_that_leaves_less_than_the_alarms_lead_time(
    alarm: str, lead_minutes: int, is_told: bool
) -> None:
    """A batch of an hour in two hours leaves some 120 minutes' worth of 170."""
    yesterday = a_day(a_life(230, (36, EARNED), (12, -5.0), (240, EARNED)))
    falling = tuple(
        BalancePoint(time=NOW - back * STEP / 5, balance_bytes=(170 + back / 60) * MINUTE_BYTES)
        for back in range(60, -1, -1)
    )
    now = replace(now_with(170, yesterday), balances=falling)
    mail = credits_low(AlarmKind(alarm), lead_minutes, now, HERE)
    assert ("If that load comes again, 11" in " ".join(mail.body.split())) is is_told


def test_what_is_free_may_come_first_until_a_load_that_ends_the_credits_and_not_one_that_leaves_some() -> None:
    """A batch of half an hour in two hours leaves 20 minutes' worth, or takes all."""
    yesterday = a_day(a_life(230, (36, EARNED), (6, -5.0), (240, EARNED)))

    def text(minutes: float) -> str:
        falling = tuple(
            BalancePoint(time=NOW - back * STEP / 5, balance_bytes=(minutes + 4 * back / 60) * MINUTE_BYTES)
            for back in range(60, -1, -1)
        )
        now = replace(now_with(minutes, yesterday), balances=falling)
        return " ".join(credits_low(AlarmKind.CRITICAL, 60, now, HERE).body.split())

    assert "if the load above comes again" in text(22)
    assert re.search(r"If that load comes again, \d\d minutes are left at ", text(44))
    assert "if the load above comes again" not in text(44)


def test_a_faster_load_amid_a_slow_fall_of_days_is_told() -> None:
    situation = a_slow_fall_of_more_than_a_day(minutes=100, faster=(48, -3))
    assert what_comes_back(situation, 60) == (
        "Yesterday the credits fell faster than now from about 18:05 UTC on. If that load comes again, they are gone "
        "at about 20:10 UTC."
    )


@pytest.mark.parametrize(
    ("points", "gone"),
    [(48, "on. If"), (150, "on, and were gone at about 03:25 UTC. If that load comes again, they are")],
)
def test_a_faster_load_amid_a_slow_fall_that_has_ended_is_told_as_what_it_was_to_its_end(
    points: int, gone: str
) -> None:
    """No fall goes on all the while where it has ended the credits."""
    situation = a_slow_fall_of_more_than_a_day(minutes=100, faster=(points, -3))
    rising = tuple(one._replace(balance_bytes=2e12 - one.balance_bytes) for one in situation.balances)
    ended = replace(situation, balances=tuple(one._replace(balance_bytes=one.balance_bytes - 1.4e12) for one in rising))
    assert what_comes_back(ended, 60).startswith(
        f"Yesterday the credits fell faster than before from about 18:05 UTC {gone}"
    )


def test_what_began_before_midnight_is_not_of_yesterday_when_that_is_another_day_by_now() -> None:
    """At 00:05 UTC, of a batch that began at 23:50 UTC two days before by the calendar."""
    after_midnight = NOW.replace(hour=0, minute=5) + timedelta(days=1)
    batch = a_day(a_life(200, (8, 0.0), (1, -5.0), (11, -5.0), (260, EARNED)))
    by = after_midnight - NOW
    moved = replace(batch, balances=tuple(one._replace(time=one.time + by) for one in batch.balances))
    newest = BalancePoint(time=after_midnight, balance_bytes=40 * MINUTE_BYTES)
    told = what_comes_back(replace(now_with(40, moved), time=after_midnight, balances=(newest,)), 60)
    assert told == ""
    late = newest._replace(time=after_midnight - timedelta(minutes=20))
    told = what_comes_back(replace(now_with(40, moved), time=after_midnight, balances=(late,)), 60)
    assert told.startswith("The day before yesterday the credits fell from about 23:50 UTC to 00:50 UTC, ")


@pytest.mark.parametrize(
    ("minutes_late", "told"), [(5, "comes again, 40 minutes are"), (200, "came again, 40 minutes were")]
)
def test_a_load_that_may_have_come_since_the_newest_datapoint_is_told_as_past(minutes_late: int, told: str) -> None:
    now = now_with(100, a_day(a_life(200, (24, 0.0), (12, -5.0), (250, 0.0))))
    late = replace(now, time=NOW + timedelta(minutes=minutes_late))
    assert f"If that load {told} left at 14:05 UTC." in what_comes_back(late, 60)
    mail = " ".join(credits_low(AlarmKind.CRITICAL, 60, late, HERE).body.split())
    assert says_what_to_do_until_then(mail) is (minutes_late == 5)


@pytest.mark.parametrize(("minutes", "is_time"), [(0, False), (5, False), (20, True)])
def test_there_is_time_until_a_load_comes_only_where_another_mode_can_be_chosen_before_it_has_ended_the_credits(
    minutes: int, is_time: bool
) -> None:
    """A batch of yesterday begins in so many minutes, and takes the nine that are left within ten."""
    batch = a_day(a_life(200, (12 + minutes // 5, 0.0), (40, -5.0), (250, 0.0)))
    mail = " ".join(credits_low(AlarmKind.CRITICAL, 60, now_with(9, batch), HERE).body.split())
    assert "If that load comes again, they are gone at" in mail
    assert says_what_to_do_until_then(mail) is is_time


@pytest.mark.parametrize(("held", "is_time"), [({}, True), (at_the_limit(24, 36), False)])
def test_there_is_no_time_until_a_load_where_another_may_end_the_credits_before_it(
    held: dict[int, float], is_time: bool
) -> None:
    """Yesterday one was held down without credits two hours from now, and one took those that came back since."""
    yesterday = a_day(a_life(0, (60, 0.0), (100, EARNED), (12, -5.0), (100, EARNED)))
    now = replace(after(held), past_days=(yesterday,))
    mail = " ".join(credits_low(AlarmKind.CRITICAL, 60, now, HERE).body.split())
    assert "If that load comes again, they are gone at" in mail
    assert says_what_to_do_until_then(mail) is is_time


@pytest.mark.parametrize(("rest_bytes", "is_time"), [(3e9, False), (1e6, True)])
def test_there_is_no_time_between_pulses_that_take_what_each_rest_has_earned(rest_bytes: float, is_time: bool) -> None:
    """A batch of yesterday evening comes again in hours, and the next zero within minutes."""
    batch = a_day(a_life(200, (80, 0.0), (40, -5.0), (180, 0.0)))
    pulses = [0.0] * 5 + [rest_bytes] * 20 + [0.0] * 5 + [5e9] * 20
    balances = [BalancePoint(time=NOW - age * MINUTE, balance_bytes=left) for age, left in enumerate(reversed(pulses))]
    now = replace(now_with(1, batch), balances=tuple(reversed(balances)))
    mail = " ".join(credits_low(AlarmKind.CRITICAL, 60, now, HERE).body.split())
    assert says_what_to_do_until_then(mail) is is_time
    assert (GONE_AGAIN_WITHIN_THE_HOUR in mail) is not is_time
    # A time of tomorrow would be the one that is kept in mind.
    assert ("If that load comes again" in mail) is is_time


def test_until_a_load_comes_back_there_is_time_for_less_load_alone_where_aws_refuses_another_mode() -> None:
    """Elastic throughput until 15 hours ago let it pass, and the credits end in three: within the lock of 24 hours."""
    locked = elastic_until(100, a_load(24, 60))
    mail = " ".join(credits_low(AlarmKind.CRITICAL, 60, locked, HERE).body.split())
    assert "there is time until then to find what it is, or to move it or slow it down." in mail
    batch = a_day(a_life(200, (12 + 7 * 12, 0.0), (40, -5.0), (180, 0.0)))
    free = " ".join(credits_low(AlarmKind.CRITICAL, 60, now_with(20, batch), HERE).body.split())
    assert "there is time until then to find what it is, or to choose a remedy below." in free


@pytest.mark.parametrize(("ends", "is_told"), [(1, True), (2, False)])
def test_until_when_a_balance_rises_is_told_unless_something_ends_it_again_and_again(ends: int, is_told: bool) -> None:
    batch = a_day(a_life(200, (80, 0.0), (40, -5.0), (180, 0.0)))
    rest = [number * 3e8 for number in range(1, 21)]
    minutes = [[3e9] * 25, [0.0] * 5 + rest][ends - 1] + [0.0] * 5 + rest
    aged = reversed(list(enumerate(reversed(minutes))))
    balances = tuple(BalancePoint(time=NOW - age * MINUTE, balance_bytes=left) for age, left in aged)
    now = replace(now_with(1, batch), balances=balances)
    mail = " ".join(credits_low(AlarmKind.CRITICAL, 60, now, HERE).body.split())
    assert "the balance is rising by 4.8 MiB/s" in mail
    assert ("and will be above 60 minutes at" in mail) is is_told


@pytest.mark.parametrize(("minutes_since", "is_due"), [(5, True), (39, True), (40, True), (61, False), (75, False)])
def test_credits_that_end_each_hour_are_gone_again_in_an_hour_until_that_was_due(
    minutes_since: int, is_due: bool
) -> None:
    """Gone for twenty minutes of each hour, the last time so many minutes ago: tomorrow is not what counts."""
    batch = a_day(a_life(200, (80, 0.0), (40, -5.0), (180, 0.0)))
    gone_each_hour = ([0.0] * 20 + [3e9] * 40) * 4
    hours = [*gone_each_hour, *[0.0] * 20, *[3e9] * minutes_since][-240:]
    balances = [BalancePoint(time=NOW - age * MINUTE, balance_bytes=left) for age, left in enumerate(reversed(hours))]
    points = tuple(reversed(balances))
    now = replace(now_with(1, batch), earlier_balances=points[:-60], balances=points[-60:])
    mail = " ".join(credits_low(AlarmKind.CRITICAL, 60, now, HERE).body.split())
    in_a_rhythm = " times in the last four hours, about every 1 h: if that goes on, they are so again at about " in mail
    assert in_a_rhythm is is_due
    assert ("If that load comes again" in mail) is not is_due
    assert says_what_to_do_until_then(mail) is not is_due


def test_of_a_day_that_is_not_known_no_mail_says_until_when_there_is_time() -> None:
    """A load of the few hours that are known leaves more than the lead time of this Critical, and less than an hour."""
    part = replace(whole := a_day(a_life(200, *BATCH)), balances=whole.balances[:60])
    text = " ".join(credits_low(AlarmKind.CRITICAL, 20, now_with(78, part), HERE).body.split())
    assert LAST_DAY_UNKNOWN in text
    assert "Until then" not in text


@pytest.mark.parametrize(("known", "is_time"), [(300, True), (200, False)])
def test_there_is_no_time_until_a_load_where_another_fall_may_come_at_any_hour(known: int, is_time: bool) -> None:
    """A batch of yesterday, and of the hours before it in the day all is known, or nothing."""
    whole = a_day(a_life(200, (124, 0.0), (36, -5.0), (140, EARNED)))
    part = replace(whole, balances=whole.balances[-known:])
    text = " ".join(credits_low(AlarmKind.CRITICAL, 60, now_with(20, part), HERE).body.split())
    assert says_what_to_do_until_then(text) is is_time
    assert (LAST_DAY_IN_PART in text) is not is_time


def test_a_hole_of_the_coming_hours_in_which_a_load_may_have_come_is_told_where_nothing_else_is() -> None:
    whole = a_day(a_life(100, (300, 0.0)))
    holed = replace(whole, balances=whole.balances[:40] + whole.balances[100:])
    assert what_comes_back(now_with(120, whole), 60) == ""
    assert what_comes_back(now_with(120, holed), 60) == LAST_DAY_IN_PART


@pytest.mark.parametrize(("held", "is_time"), [(HELD_DOWN, True), (HELD_ALL_DAY, False)])
def test_there_is_time_until_a_load_comes_again_only_where_it_is_known_when(
    held: tuple[Work, ...], is_time: bool
) -> None:
    calm = a_situation(balance_gib=1100, hour_ago_gib=1080, activity=IDLE)
    mail = recovered(AlarmKind.WARNING, 180, replace(calm, past_days=(EMPTY_DAY,), last_day=held), HERE, None)
    text = " ".join(mail.body.split())
    assert says_what_to_do_until_then(text) is is_time
    assert ("That load may come again at any hour." in text) is not is_time


def test_between_pulses_that_ended_the_credits_the_next_of_them_is_told_and_none_of_tomorrow() -> None:
    """Twenty minutes of each hour, since three hours before the credits were gone; yesterday they began later."""
    rest = [0.05] * 40
    changes = [*rest, *[*([-1.0] * 20), *rest] * 3, *([-1.0] * 10), *([0.0] * 10), *rest[:25]]
    left = [-sum(changes[: len(changes) - 25])]
    for change in changes:
        left.append(left[-1] + change)
    points = tuple(
        BalancePoint(time=NOW - (len(changes) - index) * MINUTE, balance_bytes=max(0.0, one) * MINUTE_BYTES)
        for index, one in enumerate(left)
    )
    yesterday = a_day(a_life(100, (150, 0.0), (4, -5.0), (140, 0.0)))
    now = replace(now_with(1, yesterday), balances=points[-61:], earlier_balances=points[:-61])
    assert what_comes_back(now, 60) == (
        "Pulses of 117 GiB came about every 1 h. If they go on so, the next one begins at about 12:15 UTC, and takes "
        "all that is there by then."
    )
    assert not leaves_time(now)
    # Where metrics are late it has begun in the very minute of the mail, or before.
    for minutes_late in (15, 20):
        assert what_comes_back(replace(now, time=NOW + minutes_late * MINUTE), 60) == (
            "Pulses of 117 GiB came about every 1 h. If they went on so, the next one began at about 12:15 UTC, and "
            "took all that was there by then."
        )


def test_there_is_no_time_until_a_load_that_took_all_credits_of_more_than_a_day_and_went_on_without() -> None:
    """It came before this time of day, and not when they were gone: so it may come again before that."""
    fallen = a_day(a_life(168, (84, -2.0), (130, 0.0), (74, EARNED)))
    work = tuple(Work(time=NOW - AHEAD + step * STEP, metered_bytes=MINUTE_BYTES / 20 * 5) for step in range(72, 202))
    rising = tuple(
        BalancePoint(time=NOW - back * MINUTE, balance_bytes=(20 - back / 20) * MINUTE_BYTES)
        for back in range(60, -1, -1)
    )
    now = replace(now_with(20, fallen), balances=rising, last_day=work)
    text = " ".join(credits_low(AlarmKind.CRITICAL, 60, now, HERE).body.split())
    assert "clients took all of the 5.0 MiB/s that were there without credits" in text
    assert "That load had taken credits since more than a day ago, and may come again at any hour." in text
    assert "If that load comes again" not in text
    assert not says_what_to_do_until_then(text)


def test_a_load_that_comes_again_after_the_size_changed_is_told_with_what_is_earned() -> None:
    told = what_comes_back(lived(150, earned_then=10 * EARNED, load=6.0), 60)
    assert "The size earned about 48 MiB/s then, and earns 4.9 MiB/s now. If that load comes again, they are" in told
    same = what_comes_back(lived(150, earned_then=EARNED, load=6.0), 60)
    assert "earned" not in same


def test_a_size_that_changed_after_the_load_had_come_is_no_reason_for_what_it_takes() -> None:
    situation = grown_after_the_load(150)
    assert changed_earning(situation).times
    told = what_comes_back(situation, 60)
    assert "If that load comes again" in told
    assert "The size earned" not in told


def test_a_load_of_another_mode_is_told_unless_the_fall_that_followed_it_is_worse() -> None:
    """A load of three hours in elastic throughput leaves 57 minutes' worth; an hour's goes three hours later."""
    load = elastic_until(100, a_load(24, 60), minutes=150)
    first = load.balances[-1].time - AHEAD + 100 * STEP

    def followed_by(fall: tuple[int, float]) -> str:
        points = tuple(
            BalancePoint(time=first + index * STEP, balance_bytes=one * MINUTE_BYTES)
            for index, one in enumerate(a_life(190, fall, (188 - fall[0], EARNED)))
        )
        return what_comes_back(replace(load, past_days=(PastDay(back=AHEAD, balances=points),)), 180)

    assert "in another throughput mode" in followed_by((1, 0.0))
    assert "minutes are left" in (less := followed_by((12, -5.0)))
    assert "in another throughput mode" not in less
    assert "they are gone at about" in followed_by((36, -5.0))
    gone = elastic_until(100, a_load(24, 60), minutes=20)
    assert "the credits are gone at about" in what_comes_back(gone, 180)


def test_a_load_of_another_mode_that_was_under_way_when_the_day_began_is_told_from_before() -> None:
    told = what_comes_back(elastic_until(100, a_load(0, 60)), 180)
    assert " from before 12:00 UTC to 17:00 UTC, in another throughput mode," in told
    assert " from about 12:05 UTC to 17:00 UTC" in what_comes_back(elastic_until(100, a_load(1, 60)), 180)


def test_a_day_that_is_known_in_part_says_so_beside_what_comes_back() -> None:
    """A stack of sixteen hours: what came in the eight before its first datapoint is nowhere."""
    whole = a_day(a_life(200, *BATCH))
    part = PastDay(back=AHEAD, balances=whole.balances[30:])
    assert what_comes_back(now_with(20, whole), 60).endswith(" UTC.")
    assert what_comes_back(now_with(20, part), 60).endswith(
        "has not the whole of the last day: the next fall may come at any hour."
    )


def test_a_day_that_is_known_in_part_and_had_several_falls_says_both() -> None:
    twice = a_day(a_life(200, (24, 0.0), (12, -5.0), (24, 0.0), (12, -5.0), (200, 0.0)))
    whole, part = now_with(100, twice), now_with(100, replace(twice, balances=twice.balances[20:]))
    assert what_comes_back(whole, 60).endswith(f" {AGAIN_AND_AGAIN}")
    assert what_comes_back(part, 60).endswith(f" {IN_PART_AND_AGAIN}")


def test_a_load_that_was_held_down_to_less_than_is_earned_by_now_may_need_no_credits() -> None:
    situation = replace(a_situation(balance_gib=8, hour_ago_gib=0, activity=IDLE), past_days=(EMPTY_DAY,))
    now = replace(situation, last_day=HELD_DOWN)
    assert "If that load comes again, it spends credits from about" in what_comes_back(now, 60)
    then = tuple((one.time, 0.9 * now.baseline_bytes_per_second) for one in HELD_DOWN)
    grown = what_comes_back(replace(now, permitted_of_the_day=then), 60)
    assert "clients took all of the 4.4 MiB/s that were there without credits" in grown
    assert "If that load comes again, it may spend credits from about" in grown


def test_what_was_there_for_a_load_is_told_from_the_least_to_the_most_where_the_size_changed_meanwhile() -> None:
    """Most of the time it was half of what it was in the end, so that "all of" the most is what nobody took."""
    now = replace(a_situation(balance_gib=8, hour_ago_gib=0, activity=IDLE), past_days=(EMPTY_DAY,), last_day=HELD_DOWN)
    shares = [0.5] * (len(HELD_DOWN) - 3) + [0.6, 0.8, 0.9]
    permitted = [
        (one.time, share * now.baseline_bytes_per_second) for one, share in zip(HELD_DOWN, shares, strict=True)
    ]
    told = what_comes_back(replace(now, permitted_of_the_day=tuple(permitted)), 60)
    assert "clients took all of the 2.4 to 4.4 MiB/s that were there without credits" in told


@pytest.mark.parametrize(("hour_ago_gib", "is_doubted"), [(1120, False), (1080, True)])
def test_whether_the_load_comes_back_is_no_question_while_it_is_there(hour_ago_gib: float, is_doubted: bool) -> None:
    """The Warning is over, since a deployment has lowered its minutes, and the balance falls or rises."""
    situation = replace(a_situation(balance_gib=1100, hour_ago_gib=hour_ago_gib, activity=IDLE), past_days=())
    mail = recovered(AlarmKind.WARNING, 180, situation, HERE, None)
    assert (LAST_DAY_UNKNOWN in " ".join(mail.body.split())) is is_doubted


def test_a_fall_that_goes_on_is_told_as_one_that_does_and_what_it_leaves_tomorrow_if_it_ends_now() -> None:
    """Its last minute is the newest that there is: of it nobody knows how far it goes."""
    goes_on = a_life(120, (300 - 36, 0.0), (36, -0.5))
    now = now_with(102, a_day(goes_on))
    falling = tuple(
        BalancePoint(time=NOW - back * MINUTE, balance_bytes=(102 + back / 10) * MINUTE_BYTES)
        for back in range(60, -1, -1)
    )
    told = what_comes_back(replace(now, balances=falling), 180)
    assert re.search(r"^\w+ the credits began to fall at about \S+ UTC, and have lost about \d+ GiB so far\.", told)
    assert re.search(r"If that load ends now and comes again, \d\d minutes are left at ", told)
    rests = tuple(one._replace(balance_bytes=102 * MINUTE_BYTES) for one in falling)
    assert "ends now" not in what_comes_back(replace(now, balances=rests), 180)


def a_week_ago_with(rise: float, *, load: float = -1.5) -> str:
    """A batch of two hours a week ago, before and after which the balance rose by so much in each five minutes."""
    day = a_day(a_life(150, (36, rise), (24, load), (240, rise)), A_WEEK)
    return what_comes_back(now_with(30, day), 60)


def test_of_a_load_of_a_week_ago_it_is_said_what_another_size_means_for_it() -> None:
    """100 GiB earn 4.9 MiB/s, and may be driven at 100 MiB/s: 95 MiB/s of credits at the most."""
    assert "MiB/s around that day" not in a_week_ago_with(EARNED)
    larger = "rose by up to 48 MiB/s around that day, and the size earns 4.9 MiB/s now: it was larger, and such a load"
    assert f"{larger} takes more by now, so that less is left of them." in a_week_ago_with(10 * EARNED)
    all_of_it = a_week_ago_with(10 * EARNED, load=-4)
    assert f"{larger} takes 95 MiB/s of them by now, which is all that it may." in all_of_it
    smaller = a_week_ago_with(EARNED / 10)
    assert (
        "rose by up to 0.5 MiB/s around that day, and the size earns 4.9 MiB/s now: if it was smaller, such" in smaller
    )


@pytest.mark.parametrize(
    ("times", "told"), [(1.09, ""), (1.12, "it was larger"), (0.51, ""), (0.48, "if it was smaller"), (0.0, "")]
)
def test_a_base_load_of_a_week_ago_may_look_like_a_size_that_is_a_little_smaller(times: float, told: str) -> None:
    text = a_week_ago_with(times * EARNED)
    assert ("around that day" in text) is bool(told)
    assert told in text


@pytest.mark.parametrize(("lead_minutes", "is_told"), [(60, False), (106, False), (107, True), (180, True)])
def test_a_load_of_another_mode_is_told_where_it_leaves_less_than_the_alarms_lead_time(
    lead_minutes: int, is_told: bool
) -> None:
    """200 minutes, and what is earned in two hours, less 55 MiB/s for three: 106 are left. That nothing is known of the
    day is said of neither: what was moved in the hours without a balance is known.
    """
    told = what_comes_back(elastic_until(283, a_load(24, 60), minutes=200), lead_minutes)
    assert ("If that load comes again, 106 minutes are left at " in told) is is_told
    assert "too little of the last day" not in told


def test_a_day_in_another_mode_without_a_load_is_known_and_does_not_tell_whether_the_load_comes_back() -> None:
    """No balance was published in it, and what was permitted tells that it was another mode all day."""
    assert what_comes_back(elastic_until(283, {}), 60) == CALM_IN_ANOTHER_MODE


def test_a_load_of_the_night_that_ended_this_morning_says_which_of_the_two_is_today() -> None:
    night = elastic_until(283, a_load(100, 200))
    assert " UTC today, in another throughput mode, clients moved " in what_comes_back(night, 180)
    evening = elastic_until(283, a_load(24, 60))
    assert " UTC, in another throughput mode, clients moved " in what_comes_back(evening, 180)
