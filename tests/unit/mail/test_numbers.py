"""How numbers are written."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.mail.numbers import (
    at_least,
    clock,
    coarse_rate,
    counted,
    duration,
    money,
    observed_span,
    past_span,
    percent,
    rate,
    size,
)


@pytest.mark.parametrize(
    ("mib_per_second", "text"),
    [
        (0, "0 MiB/s"),
        (0.01, "less than 0.1 MiB/s"),
        (0.05, "0.1 MiB/s"),
        (1, "1.0 MiB/s"),
        (4.88, "4.9 MiB/s"),
        (9.94, "9.9 MiB/s"),
        (9.95, "10 MiB/s"),
        (9.96, "10 MiB/s"),
        (1234.4, "1,234 MiB/s"),
    ],
)
def test_a_rate_is_as_exact_as_a_person_can_use(mib_per_second: float, text: str) -> None:
    assert rate(mib_per_second * MIB) == text


@pytest.mark.parametrize(
    ("mib_per_second", "text"),
    [
        (1, "1.0 MiB/s"),
        (4.8828, "4.9 MiB/s"),
        (9.949, "9.9 MiB/s"),
        (72.6, "73 MiB/s"),
        (99.7, "100 MiB/s"),
        (100.6, "101 MiB/s"),
        (153.4, "153 MiB/s"),
        (1234, "1,230 MiB/s"),
    ],
)
def test_a_coarse_rate_has_two_or_three_digits(mib_per_second: float, text: str) -> None:
    assert coarse_rate(mib_per_second * MIB) == text


def test_an_hour_of_growth_leaves_a_coarse_rate_as_it_was() -> None:
    assert coarse_rate(1234 * MIB) == coarse_rate(1234.9 * MIB)


def test_a_size_is_in_binary_gigabytes() -> None:
    assert [size(amount) for amount in (0, GIB // 100, 8 * GIB, 1055 * GIB)] == [
        "0 GiB",
        "less than 0.1 GiB",
        "8.0 GiB",
        "1,055 GiB",
    ]


def test_a_share_is_in_percent() -> None:
    assert [percent(share) for share in (0, 0.0001, 0.011, 0.85)] == ["0 %", "less than 0.1 %", "1.1 %", "85 %"]


def test_one_minute_is_singular() -> None:
    assert [counted(minutes) for minutes in (0, 1, 2)] == ["0 minutes", "1 minute", "2 minutes"]


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0.5, "less than 1 min"),
        (1, "1 min"),
        (42.9, "42 min"),
        (60, "1 h"),
        (175, "2 h 55 min"),
        (2879, "47 h 59 min"),
        (2880, "2 days"),
        (2939, "2 days"),
        (2940, "2 d 1 h"),
        (3889, "2 d 16 h"),
        (14_399, "9 d 23 h"),
        (14_400, "10 days"),
        (15_839, "10 days"),
        (1_440_000, "1,000 days"),
    ],
)
def test_a_duration_is_rounded_down(minutes: float, text: str) -> None:
    assert duration(minutes) == text


def test_a_short_span_of_figures_is_not_called_an_hour() -> None:
    assert [past_span(minutes) for minutes in (61, 60, 59, 49, 0.2)] == [
        "the last hour",
        "the last hour",
        "the last 59 minutes",
        "the last 49 minutes",
        "the last minute",
    ]


def test_a_span_of_hours_is_not_called_an_hour_either() -> None:
    """As of pulses that come every hour or less often."""
    assert [past_span(minutes) for minutes in (62, 120, 360)] == ["the last 1 h 2 min", "the last 2 h", "the last 6 h"]


def test_figures_of_fewer_minutes_than_an_hour_say_how_many_they_are() -> None:
    assert [observed_span(minutes) for minutes in (60, 59, 1)] == [
        "the last hour",
        "the 59 minutes that CloudWatch has of the last hour",
        "the one minute that CloudWatch has of the last hour",
    ]


def test_a_clock_time_of_another_day_carries_its_date() -> None:
    now = datetime(2030, 1, 7, 23, 30, tzinfo=UTC)
    assert clock(now + timedelta(minutes=29), now) == "23:59 UTC"
    assert clock(now + timedelta(minutes=31), now) == "00:01 UTC on Tue 8 Jan"


def test_a_clock_time_is_in_utc_whatever_zone_it_came_in() -> None:
    moment = datetime(2030, 1, 7, 3, 0, tzinfo=timezone(timedelta(hours=2)))
    assert clock(moment, moment) == "01:00 UTC"


def test_cents_are_shown_only_where_they_matter() -> None:
    assert [money(dollars) for dollars in (0, 0.001, 0.01, 0.03, 9.5, 10, 10.4, 21.4, 15242)] == [
        "$0",
        "less than $0.01",
        "$0.01",
        "$0.03",
        "$9.50",
        "$10",
        "$10",
        "$21",
        "$15,242",
    ]


def test_less_than_a_cent_is_no_least() -> None:
    assert [at_least(dollars) for dollars in (0.009, 0.01, 5)] == [
        "less than $0.01",
        "at least $0.01",
        "at least $5.00",
    ]
