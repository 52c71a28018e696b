"""A balance that hovers about a threshold for a day and a half: the functions as they are deployed, and the model."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from efs_monitor.efs.file_system import FileSystem, ThroughputMode

from operate.replay.replay import Replayed, replay
from operate.replay.replayed_metrics import Metrics
from proofs.incidents.life import FILE_SYSTEM_ID, STACK
from proofs.incidents.months_of_load import DAY_MINUTES, HOUR_MINUTES
from simulation.burst_credits import GIB, MIB, MINUTE_SECONDS, baseline_bytes_per_second, burst_bytes_per_second, flow

# Half of the time nobody asks for anything, half of it twice what the size earns: what is spent comes back.
SIZE, CAP = 900 * GIB, 3 * GIB
BURST, EARNED = burst_bytes_per_second(SIZE, CAP), baseline_bytes_per_second(SIZE, CAP)
LOAD = 2 * EARNED
MINUTES = DAY_MINUTES + 12 * HOUR_MINUTES
# The most readable mails of a day of an incident: at the median, and in one day of twenty.
MEDIAN, MOST = 3, 5


def lived(top_minutes: float, asked_bytes_per_second: Callable[[int], float], minutes: int = MINUTES) -> Replayed:
    """From a balance of so many minutes at full speed on, what clients ask for in each minute."""
    metrics, balance = Metrics(datetime(2030, 1, 1, tzinfo=UTC)), top_minutes * MINUTE_SECONDS * BURST
    for minute in range(minutes):
        went = flow(balance, SIZE, asked_bytes_per_second(minute) * MINUTE_SECONDS, CAP)
        balance = went.closing_bytes
        rates = [float(BURST if there else EARNED) for there in (went.opening_bytes, balance)]
        written = went.served_bytes or None
        for (metric, statistic), values in metrics.values.items():
            match metric, statistic:
                case "BurstCreditBalance", _:
                    values.append(float(round(min(went.opening_bytes, balance))))
                case "PermittedThroughput", "Minimum":
                    values.append(min(rates))
                case "PermittedThroughput", _:
                    values.append(max(rates))
                case "MeteredIOBytes" | "DataWriteIOBytes", "Sum":
                    values.append(written)
                case "DataWriteIOBytes", _:
                    values.append(None if written is None else -(-written // MIB))
                case _:
                    values.append(None)
    described = FileSystem(file_system_id=FILE_SYSTEM_ID, name="ci", mode=ThroughputMode.BURSTING, standard_bytes=SIZE)
    return replay(metrics, [(0, described)], STACK)


def hourly(period: int) -> Callable[[int], float]:
    return lambda minute: LOAD if minute % period < period / 2 else 0.0


def advice(life: Replayed, word: str = "") -> list[int]:
    return [one.minute for one in life.mails if one.topic == "advice" and one.subject.startswith(word)]


def own(life: Replayed, alarm: str, state: str = "ALARM") -> list[int]:
    return [one.minute for one in life.mails if one.by_cloudwatch and (one.subject, one.body) == (alarm, state)]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("alarm", "lead", "period"),
    [("critical", 60, 60), ("critical", 60, 120), ("critical", 60, 240), ("warning", 180, 60), ("warning", 180, 240)],
)
def test_a_day_of_hovering_has_few_readable_mails_and_each_of_cloudwatchs_own(
    alarm: str, lead: int, period: int
) -> None:
    """It is so low for half of each period, about."""
    life = lived(lead + period * EARNED / BURST / 4, hourly(period))
    days = Counter(minute // DAY_MINUTES for minute in advice(life))
    assert days[0] <= MOST
    assert days[1] <= MEDIAN
    assert len(own(life, alarm)) >= MINUTES // period - 2
    assert len(own(life, alarm, "OK")) >= MINUTES // period - 2
    # The first of each day has its mail, and the last of the first day that has one says what comes.
    went_off = own(life, alarm)
    for day in (0, 1):
        first = next(minute for minute in went_off if minute // DAY_MINUTES == day)
        assert first in advice(life, alarm.upper())
    (*_, last) = [one for one in life.mails if one.topic == "advice" and one.minute < DAY_MINUTES]
    assert "told by CloudWatch's own ALARM and OK messages alone" in " ".join(last.body.split())
    assert f"on the {alarm.capitalize()} topic" in " ".join(last.body.split())


def about_a_minutes_worth(minute: int) -> float:
    """A little more than is earned for half an hour, and as much less for the next: it is so low for 20 minutes."""
    return EARNED + (3 if minute % 60 < 30 else -3) * MIB


@pytest.mark.more
def test_a_day_of_hovering_about_a_minutes_worth_has_few_readable_mails_and_each_of_cloudwatchs_own() -> None:
    life = lived(1.6, about_a_minutes_worth)
    repeats = advice(life, "STILL CRITICAL")
    days = Counter(minute // DAY_MINUTES for minute in advice(life) if minute not in repeats)
    assert len(own(life, "exhausted")) >= MINUTES // 60 - 2
    assert (days[0], days[1]) <= (MOST, MEDIAN)
    # Every four hours, as chosen: what is left out stands for none of them.
    assert {later - one for one, later in pairwise(repeats) if later < DAY_MINUTES} == {4 * HOUR_MINUTES}
    told = [one for one in life.mails if one.topic == "advice" and one.subject.startswith("NEARLY GONE")]
    assert {one.minute for one in told} <= set(own(life, "exhausted"))
    first_of_today = next(minute for minute in own(life, "exhausted") if minute >= DAY_MINUTES)
    assert first_of_today in [one.minute for one in told]
    says_again = [" ".join(one.body.split()) for one in life.mails if one.subject.startswith("STILL CRITICAL")]
    assert all("at the least, and more came back each time." in one for one in says_again)
    last_of_the_first_day = [one for one in told if one.minute < DAY_MINUTES][-1]
    says = " ".join(last_of_the_first_day.body.split())
    assert "told by CloudWatch's own ALARM and OK messages alone, on the Critical topic" in says
    assert "A mail like this one comes each time they are gone, or nearly so" not in says


@pytest.mark.whole
def test_of_those_the_one_that_ends_the_credits_is_told_within_the_hour() -> None:
    late = 10 * HOUR_MINUTES
    life = lived(1.6, lambda minute: about_a_minutes_worth(minute) if minute < late else EARNED + 3 * MIB)
    on = [minute for minute in own(life, "exhausted") if minute < late + HOUR_MINUTES][-1]
    assert on not in advice(life, "NEARLY GONE")
    (gone, *_) = [
        one.minute
        for one in life.mails
        if one.topic == "advice" and one.minute > late and "burst credits gone" in one.subject
    ]
    assert gone - late <= 2 * HOUR_MINUTES


def test_of_short_ones_too() -> None:
    """Five minutes of each hour take a little more than a minute's worth, which comes back within 25; the tenth fall
    goes on, and ends the credits minutes after its alarm, which nobody explained.
    """
    late, a_fall = 9 * HOUR_MINUTES, 1.05 * 100 * MIB

    def load(minute: int) -> float:
        if minute >= late or minute % 60 < 5:
            return EARNED + a_fall / 5
        return EARNED - a_fall / 25 if minute % 60 < 30 else EARNED

    life = lived(1.6, load, late + 3 * HOUR_MINUTES)
    (on,) = [minute for minute in own(life, "exhausted") if minute >= late]
    assert on not in advice(life)
    (told, *_) = [one for one in life.mails if one.topic == "advice" and one.minute > on]
    assert "burst credits gone" in told.subject
    assert told.minute - on < HOUR_MINUTES


def test_of_those_one_that_falls_faster_is_told() -> None:
    late = 10 * HOUR_MINUTES
    life = lived(1.6, lambda minute: about_a_minutes_worth(minute) if minute < late else EARNED + 12 * MIB)
    (first, *_) = [minute for minute in own(life, "exhausted") if minute > late]
    assert first in [*advice(life, "NEARLY GONE"), *advice(life, "GONE")]


def test_one_that_goes_on_after_its_fellows_is_told_before_the_credits_end() -> None:
    """After ten hours the load of half an hour does not end: nobody has told that Critical went off."""
    often = hourly(60)
    life = lived(60 + 11, lambda minute: often(minute) if minute < 10 * HOUR_MINUTES else LOAD)
    on = [minute for minute in own(life, "critical") if minute > 10 * HOUR_MINUTES]
    gone = own(life, "exhausted")[0]
    assert on[0] not in advice(life, "CRITICAL")
    told = [minute for minute in advice(life, "DRAINING") if on[0] < minute < gone]
    assert gone - told[0] >= 45
    assert gone in advice(life, "GONE")


def test_one_that_is_faster_than_its_fellows_is_told() -> None:
    often, late = hourly(60), 10 * HOUR_MINUTES
    life = lived(60 + 11, lambda minute: often(minute) if minute < late else BURST)
    (first, *_) = [minute for minute in own(life, "critical") if minute > late]
    assert first in advice(life, "CRITICAL")


def test_one_after_a_recovery_is_told() -> None:
    """Six hours of rest, in which the balance rises above Critical's threshold by more than half of it."""
    often, rest = hourly(60), range(10 * HOUR_MINUTES, 16 * HOUR_MINUTES)
    asked = [0.0 if minute in rest else often(minute) for minute in range(16 * HOUR_MINUTES)]
    life = lived(60 + 11, lambda minute: asked[minute] if minute < len(asked) else LOAD)
    (first, *_) = [minute for minute in own(life, "critical") if minute > rest.stop]
    assert first in advice(life, "CRITICAL")
