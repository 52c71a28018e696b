"""A fall that begins while Critical is on is told by Draining, however late metrics are.

Such a fall leaves Warning and Critical as they are: without Draining the first that anybody hears is that the credits
are gone.
"""

from collections.abc import Sequence
from functools import cache

import pytest

from operate.replay.replay import Replayed, replay
from tests.quick import first_of
from tests.unit.operate.histories import FULL, MINUTE_BYTES, STACK, history

CALM, REST, DRY = 60, 400, 40
# At the permitted rate, less than Critical's 60: so it is on all the time.
LEFT_MINUTES = 45
# Five minutes make a fall, twelve lie between two looks, and a look may come up to five later than its turn and waits
# for a minute to end.
TOLD_AFTER = 5 + 12 + 5 + 1
# The alarm is over with so many minutes of rest.
REST_MINUTES = 26
# By the minute in which a datapoint begins, which is over a minute later. From the first that is late on. CloudWatch
# looks back 32 minutes here where the newest are missing, and from 28 on never sees five by itself.
LATE_MINUTES = [17, 28, 32, 61, *(one for one in range(18, 34) if one not in (28, 32)), 37, 45]
LATE = first_of(LATE_MINUTES, 2, in_ci=5)
# With 27 it sees just five: one that does not fall ends the alarm, and it goes off again by itself once that is unseen.
NOT_JUST_FIVE = first_of([one for one in LATE_MINUTES if one != 27], 2, in_ci=5)


def relapse(after_it: Sequence[float]) -> tuple[list[float | None], int]:
    """A fall to zero, a rest in which a part comes back, and another fall; and the minute in which that begins."""
    down = [max(FULL - number * MINUTE_BYTES, 0.0) for number in range(368)]
    back = [LEFT_MINUTES * MINUTE_BYTES * number / REST for number in range(1, REST + 1)]
    before = [*[FULL] * CALM, *down, *[0.0] * DRY, *back]
    return [*before, *after_it], len(before)


def to_zero(minutes: int = LEFT_MINUTES) -> list[float]:
    return [max((minutes - number) * MINUTE_BYTES, 0.0) for number in range(1, minutes + 1)]


def replayed(balances: Sequence[float | None], late_minutes: int) -> Replayed:
    return _replayed(tuple(balances), late_minutes)


@cache
def _replayed(balances: tuple[float | None, ...], late_minutes: int) -> Replayed:
    one = history(balances)
    return replay(one.metrics, list(one.file_systems), STACK, late_minutes=late_minutes)


def drainings(found: Replayed, after: int) -> list[int]:
    """When CloudWatch told that Draining went off."""
    return [
        one.minute
        for one in found.mails
        if one.by_cloudwatch and (one.subject, one.body) == ("draining", "ALARM") and one.minute > after
    ]


@pytest.mark.whole
@pytest.mark.parametrize("late_minutes", LATE)
def test_a_relapse_is_told_once_as_soon_as_its_minutes_are_there_and_a_look_has_come(late_minutes: int) -> None:
    balances, began = relapse([*to_zero(), *[0.0] * 120])
    found = replayed(balances, late_minutes)
    (told,) = drainings(found, began)
    assert told <= began + late_minutes + TOLD_AFTER
    if late_minutes + TOLD_AFTER < LEFT_MINUTES:
        assert told < began + LEFT_MINUTES
    assert found.failed == ()


@pytest.mark.parametrize("late_minutes", LATE)
def test_the_readable_mail_comes_with_it_and_says_when_the_credits_end(late_minutes: int) -> None:
    """A STILL CRITICAL that has said so minutes before takes its place."""
    balances, began = relapse([*to_zero(), *[0.0] * 120])
    found = replayed(balances, late_minutes)
    (told,) = drainings(found, began)
    (mail,) = [one for one in found.mails if not one.by_cloudwatch and told - 2 <= one.minute <= told]
    assert mail.subject.startswith("DRAINING: " if mail.minute == told else "STILL CRITICAL for ")


@pytest.mark.whole
@pytest.mark.parametrize("late_minutes", NOT_JUST_FIVE)
def test_a_relapse_with_a_calm_minute_in_it_is_told_once(late_minutes: int) -> None:
    """CloudWatch ends the alarm by that minute where it sees few others: the next look must not begin it again."""
    half = to_zero()
    falling = [*half[:22], half[21], *half[22:]]
    balances, began = relapse([*falling, *[0.0] * 120])
    assert len(drainings(replayed(balances, late_minutes), began)) == 1


@pytest.mark.more
@pytest.mark.parametrize("late_minutes", LATE)
def test_the_next_relapse_is_told_anew(late_minutes: int) -> None:
    half = LEFT_MINUTES // 2
    back = [(half + number / 10) * MINUTE_BYTES for number in range(1, 201)]
    falling = to_zero()[:half]
    balances, began = relapse([*falling, *back, *to_zero(42), *[0.0] * 120])
    again = began + half + len(back)
    found = replayed(balances, late_minutes)
    (told,) = drainings(found, again)
    assert told <= again + late_minutes + TOLD_AFTER


@pytest.mark.whole
@pytest.mark.parametrize("late_minutes", LATE)
def test_nothing_is_told_of_a_recovery_nor_at_zero(late_minutes: int) -> None:
    rising = [(LEFT_MINUTES + number / 10) * MINUTE_BYTES for number in range(1, 120)]
    balances, began = relapse(rising)
    assert drainings(replayed(balances, late_minutes), began - REST - DRY + late_minutes + TOLD_AFTER) == []


@pytest.mark.whole
@pytest.mark.parametrize("late_minutes", LATE)
def test_when_the_fall_is_over_the_alarm_is(late_minutes: int) -> None:
    balances, began = relapse([*to_zero()[:30], *[16.0 * MINUTE_BYTES] * 150])
    found = replayed(balances, late_minutes)
    (told,) = drainings(found, began)
    ends = [minute for minute, name, _, state in found.changes if (name, state) == ("draining", "OK") and minute > told]
    assert len(ends) == 1
    assert ends[0] <= began + 30 + REST_MINUTES + late_minutes + TOLD_AFTER
