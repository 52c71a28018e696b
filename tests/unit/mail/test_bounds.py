"""A figure that a mail calls the least is no more than was worked out, and one that it calls the most no less."""

import re
from dataclasses import replace
from datetime import timedelta
from math import floor

import pytest
from efs_monitor.costs.mode_costs import elastic_dollars
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.falls_alike import falls_alike
from efs_monitor.incidents.recurring_load import worst_recurring_load
from efs_monitor.incidents.situation import STEP, Work
from efs_monitor.incidents.times_at_zero import times_at_zero
from efs_monitor.mail.back_to_bursting_mails import back_to_bursting, elastic_day
from efs_monitor.mail.coming_day import what_comes_back
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted
from efs_monitor.mail.mode_changes import elastic
from efs_monitor.mail.numbers import at_least, money_rounded_down, size_rounded_down, size_rounded_up
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.unit.incidents.earlier_days import EARNED, MINUTE_BYTES, a_day, a_life, now_with
from tests.unit.incidents.test_falls_alike import HOURLY, falling
from tests.unit.mail.mail_cases import FILE_SYSTEM_ID, HERE, TIME, WRITING, a_file_system, a_situation
from tests.unit.mail.test_message_goldens import LASTED, nearly_spent

# Two orders of the same floating-point sums.
SUMMING = 1e-9


def number(told: str) -> float:
    return float(told.strip("$").replace(",", ""))


def in_text(words: str, text: str) -> re.Match[str]:
    found = re.search(words, " ".join(text.split()))
    assert found is not None, text
    return found


@given(st.floats(0, 1e6))
def test_a_size_is_rounded_down_or_up_by_less_than_what_its_digits_tell(gib: float) -> None:
    unit = 0.1 if gib < 10 else 1
    down, up = size_rounded_down(gib * GIB).split()[-2], size_rounded_up(gib * GIB).split()[-2]
    if not size_rounded_down(gib * GIB).startswith("less than"):
        assert gib - unit <= number(down) <= gib * (1 + SUMMING) + SUMMING
    # Some bytes are what sums are off by.
    assert gib * (1 - SUMMING) - 1e-6 <= number(up) <= gib + unit + SUMMING


@pytest.mark.parametrize(
    ("gib", "down", "up"),
    [
        (0, "0 GiB", "0 GiB"),
        (0.04, "less than 0.1 GiB", "0.1 GiB"),
        (0.1, "0.1 GiB", "0.1 GiB"),
        (9.97, "9.9 GiB", "10 GiB"),
        (10, "10 GiB", "10 GiB"),
        (50.4, "50 GiB", "51 GiB"),
        (310.6, "310 GiB", "311 GiB"),
        (1234.5, "1,234 GiB", "1,235 GiB"),
    ],
)
def test_a_bound_has_the_digits_of_any_size(gib: float, down: str, up: str) -> None:
    assert (size_rounded_down(gib * GIB), size_rounded_up(gib * GIB)) == (down, up)


@pytest.mark.parametrize(
    ("dollars", "text"),
    [
        (0.009, "less than $0.01"),
        (0.019, "$0.01"),
        (0.29, "$0.29"),
        (9.999, "$9.99"),
        (10.9, "$10"),
        (12.51, "$12"),
        (15242.7, "$15,242"),
    ],
)
def test_what_is_spent_at_the_least_is_rounded_down(dollars: float, text: str) -> None:
    assert money_rounded_down(dollars) == text
    assert at_least(dollars) == (text if text.startswith("less") else f"at least {text}")


@given(st.integers(1, 100_000), st.floats(0.01, 1e5))
def test_a_dear_day_costs_more_than_the_limit_as_its_mail_tells_both(limit: int, excess: float) -> None:
    mail = elastic_day(
        a_file_system(mode=ThroughputMode.ELASTIC), limit + excess, limit, TIME - timedelta(days=3), HERE, TIME
    )
    told = in_text(r"cost at least (\$[\d,.]+): more than the (\$[\d,.]+) a day", mail.body)
    assert number(told[2]) < number(told[1]) <= (limit + excess) * (1 + SUMMING)
    assert in_text(r"cost (\$[\d,.]+) in 24 h", mail.subject)[1] == told[1]


@given(st.floats(20, 60), st.floats(0.7, 0.9))
def test_a_fall_like_others_takes_less_than_is_told_and_leaves_no_less(top: float, pace: float) -> None:
    situation = replace(falling(*HOURLY, top=top, pace=pace), activity=WRITING)
    alike = falls_alike(situation)
    assume(alike is not None)
    assert alike is not None
    told = in_text(
        r"by less than ([\d,.]+) GiB, .* at least ([\d,.]+) GiB are left", draining(60, situation, HERE).body
    )
    assert number(told[1]) >= alike.most_bytes / GIB * (1 - SUMMING)
    assert number(told[2]) <= alike.left_bytes / GIB * (1 + SUMMING)


@given(st.floats(0.11, 2000))
def test_a_day_on_credits_leaves_no_less_than_its_mail_tells(gib: float) -> None:
    day = replace(LASTED, lowest_bytes=gib * GIB)
    mail = back_to_bursting(a_file_system(mode=ThroughputMode.ELASTIC), TIME - timedelta(days=2), 12.6, day, HERE, TIME)
    assert number(in_text(r"at least ([\d,.]+) GiB would have been left", mail.body)[1]) <= gib * (1 + SUMMING)
    # The subject has the same amount as the text.
    assert in_text(r"elastic cost (\S+), fs-", mail.subject)[1] == in_text(r"cost at least (\S+) since", mail.body)[1]


def test_a_day_on_credits_that_leaves_next_to_nothing_leaves_no_least() -> None:
    day = replace(LASTED, lowest_bytes=0.04 * GIB)
    mail = back_to_bursting(a_file_system(mode=ThroughputMode.ELASTIC), TIME - timedelta(days=2), 12.6, day, HERE, TIME)
    assert in_text(r"520 GiB\), less than 0\.1 GiB would have been left", mail.body)


@given(st.floats(0.01, 0.99))
def test_credits_that_were_nearly_used_up_were_never_fewer_than_their_mail_tells(more_gib: float) -> None:
    situation = nearly_spent(a_situation(balance_gib=17, hour_ago_gib=3, activity=None))
    (day,) = situation.past_days
    shifted = tuple(one._replace(balance_bytes=one.balance_bytes + more_gib * GIB) for one in day.balances)
    situation = replace(situation, past_days=(replace(day, balances=shifted),))
    lowest_gib = list(times_at_zero(situation))[-1].lowest_bytes / GIB
    told = in_text(r"([\d.]+) GiB were left at the least", limit_lifted(60, situation, HERE).body)
    assert lowest_gib - 0.1 < number(told[1]) <= lowest_gib


@given(st.floats(40, 59), st.floats(2, 3))
def test_a_fall_of_which_the_beginning_is_not_known_took_no_less_and_leaves_no_more_than_is_told(
    minutes: float, a_point: float
) -> None:
    """In the first five minutes that are known of the day it fell already."""
    day = a_day(a_life(200, (36, EARNED), (12, -a_point), (240, EARNED)))
    situation = now_with(minutes, replace(day, balances=day.balances[38:]))
    recurring = worst_recurring_load(situation)
    assert recurring is not None
    assert not recurring.fall.is_whole
    told = in_text(
        r"by ([\d,.]+) GiB or more\. .* at most (\d+) minutes? (?:is|are) left", what_comes_back(situation, 60)
    )
    assert number(told[1]) <= recurring.fall.lost_bytes / GIB * (1 + SUMMING)
    left_minutes = recurring.most_bytes / MINUTE_BYTES
    assert left_minutes * (1 - SUMMING) <= int(told[2]) < left_minutes + 1


@given(st.floats(70, 300), st.sampled_from([0, 0, 10, 20]), st.sampled_from([50, 54, 55, 57]), st.booleans())
def test_what_is_left_at_the_most_counts_all_that_may_be_earned_in_hours_that_nobody_knows(
    minutes: float, first: int, known_from: int, falls_now: bool
) -> None:
    """A batch of half an hour, of which or before which hours are missing; whatever takes credits now may end at once,
    and then no more is left than on the whole of that day, which was idle but for the batch.
    """
    whole = a_day(a_life(200, (54, EARNED), (6, -5.0), (240, EARNED)))
    truth = worst_recurring_load(now_with(minutes, whole))
    assert truth is not None
    part = replace(whole, balances=whole.balances[:first] + whole.balances[known_from:])
    now = now_with(minutes, part)
    if falls_now:
        newest = now.balances[0]
        falling = [
            newest._replace(time=newest.time - age * STEP, balance_bytes=newest.balance_bytes + age * GIB)
            for age in range(12, -1, -1)
        ]
        now = replace(now, balances=tuple(falling))
    recurring = worst_recurring_load(now)
    assert recurring is not None
    assume(not recurring.gone)
    assert recurring.most_bytes >= truth.left_bytes * (1 - SUMMING)
    told = re.search(r"at most (\d+) minutes? (?:is|are) left", what_comes_back(now, 400))
    assert told is None or int(told[1]) >= floor(truth.left_bytes / MINUTE_BYTES)


@given(st.floats(0.2, 5000))
def test_a_day_of_elastic_throughput_costs_no_less_than_is_told(written_gib: float) -> None:
    steps = timedelta(days=1) // STEP
    one_step = written_gib * GIB / steps
    work = tuple(
        Work(time=TIME - (steps - one) * STEP, metered_bytes=one_step, written_bytes=one_step) for one in range(steps)
    )
    situation = replace(a_situation(balance_gib=400, hour_ago_gib=450, activity=WRITING), last_day=work)
    told = in_text(r"costs at least (\$[\d,.]+)", "\n".join(elastic(FILE_SYSTEM_ID, situation, HERE).paragraphs))
    dollars = elastic_dollars(work)
    assert floor(dollars * 100) / 100 - 1 < number(told[1]) <= dollars * (1 + SUMMING) + SUMMING
