"""Whether a schedule's cron has hours, days, months and years that there are, and how many runs a schedule makes."""

from datetime import UTC, date, datetime, timedelta

import pytest
from efs_monitor.benchmarks.schedule import require_cron_fields, require_cron_to_come, runs_a_month
from efs_monitor.errors import SettingsRefused
from hypothesis import given, settings
from hypothesis import strategies as st

from localaws.schedule_expression import ExpressionError, parse
from tests.template.parameter_values import PARAMETERS

TODAY = date(2026, 11, 17)
OF_THE_MONTH = "1 to 31, L, LW, or such as 15W"
OF_THE_WEEK = "1 to 7 or SUN to SAT, L, such as 6L, or one such as 6#3 alone"


@pytest.mark.parametrize("expression", PARAMETERS["BenchmarkSchedule"].taken)
def test_whatever_the_parameter_takes_at_its_bounds_is_taken(expression: str) -> None:
    require_cron_fields(expression)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("cron(0 24 * * ? *)", "whose hour has '24', but may have 0 to 23"),
        ("cron(0 3,24 * * ? *)", "whose hour has '24', but may have 0 to 23"),
        ("cron(0 3-24 * * ? *)", "whose hour has '3-24', but may have 0 to 23"),
        ("cron(0 */0 * * ? *)", "whose hour has '*/0', but may have 0 to 23"),
        ("cron(0 */ * * ? *)", "whose hour has '*/', but may have 0 to 23"),
        ("cron(0 3 0 * ? *)", f"whose day of the month has '0', but may have {OF_THE_MONTH}"),
        ("cron(0 3 32 * ? *)", f"whose day of the month has '32', but may have {OF_THE_MONTH}"),
        ("cron(0 3 32W * ? *)", f"whose day of the month has '32W', but may have {OF_THE_MONTH}"),
        ("cron(0 3 1 13 ? *)", "whose month has '13', but may have 1 to 12 or JAN to DEC"),
        ("cron(0 3 1 0 ? *)", "whose month has '0', but may have 1 to 12 or JAN to DEC"),
        ("cron(0 3 1 JUNE ? *)", "whose month has 'JUNE', but may have 1 to 12 or JAN to DEC"),
        (
            "cron(0 3 ? * 0 *)",
            f"whose day of the week has '0', but may have {OF_THE_WEEK}",
        ),
        (
            "cron(0 3 ? * 8 *)",
            f"whose day of the week has '8', but may have {OF_THE_WEEK}",
        ),
        (
            "cron(0 3 ? * MON#6 *)",
            f"whose day of the week has 'MON#6', but may have {OF_THE_WEEK}",
        ),
        (
            "cron(0 3 ? * 3#1,6#3 *)",
            f"whose day of the week has '3#1,6#3', but may have {OF_THE_WEEK}",
        ),
        ("cron(0 3 * * ? 1969)", "whose year has '1969', but may have 1970 to 2199"),
        ("cron(0 3 * * ? 2200)", "whose year has '2200', but may have 1970 to 2199"),
    ],
)
def test_what_is_just_beyond_is_refused_by_the_field_that_has_it(expression: str, sentence: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        require_cron_fields(expression)
    assert str(refused.value) == f"BenchmarkSchedule is {expression}, {sentence}"


@pytest.mark.parametrize(
    "days_and_months",
    ["31 2", "30 FEB", "31 FEB,APR,NOV", "31 4/5", "30,31 2", "30-31 2", "31W 2", "31 6/5", "30/1 2"],
)
def test_days_that_no_month_of_it_has_never_come(days_and_months: str) -> None:
    expression = f"cron(0 3 {days_and_months} ? *)"
    with pytest.raises(SettingsRefused) as refused:
        require_cron_fields(expression)
    assert str(refused.value) == (
        f"BenchmarkSchedule is {expression}, which never comes: no month that it names has such a day"
    )


@pytest.mark.parametrize("fields", ["29 2 ? *", "31 NOV-FEB ? *", "31 4/4 ? *", "L 2 ? *", "*/30 2 ? *", "? 2 6#5 *"])
def test_a_day_that_some_month_of_it_has_comes(fields: str) -> None:
    require_cron_fields(f"cron(0 3 {fields})")


def test_the_29th_of_february_comes_in_leap_years_alone() -> None:
    require_cron_fields("cron(0 3 29 2 ? 2027,2028)")
    with pytest.raises(SettingsRefused):
        require_cron_fields("cron(0 3 29 2 ? 2025-2027)")


@pytest.mark.parametrize(
    ("fields", "last_day"),
    [
        ("* * ? 2025", "2025-12-31"),
        ("? * MON 2020-2025", "2025-12-31"),
        ("* * ? 2020/3,2001", None),
        ("16 11 ? 2026", "2026-11-16"),
        ("17 11 ? 2026", None),
        ("L OCT ? 2026", "2026-10-31"),
        ("* * ? 2026", None),
        ("? * MON *", None),
        ("*/20 2 ? 2026", "2026-02-21"),
    ],
)
def test_what_was_for_the_last_time_comes_no_more(fields: str, last_day: str | None) -> None:
    expression = f"cron(0 3 {fields})"
    require_cron_fields(expression)
    if last_day is None:
        require_cron_to_come(expression, TODAY)
        return
    with pytest.raises(SettingsRefused) as refused:
        require_cron_to_come(expression, TODAY)
    assert str(refused.value) == (
        f"BenchmarkSchedule is {expression}, which comes no more: its last day was {last_day}, and it is 2026-11-17; "
        "give later years, or * for each"
    )


@given(days=st.integers(1, 31), month=st.integers(1, 12), year=st.integers(2024, 2028))
def test_a_single_day_comes_where_the_calendar_has_it_and_it_is_not_over(days: int, month: int, year: int) -> None:
    expression = f"cron(0 3 {days} {month} ? {year})"
    try:
        day = date(year, month, days)
    except ValueError:
        with pytest.raises(SettingsRefused):
            require_cron_fields(expression)
        return
    require_cron_fields(expression)
    if day >= TODAY:
        require_cron_to_come(expression, TODAY)
    else:
        with pytest.raises(SettingsRefused):
            require_cron_to_come(expression, TODAY)


def numbers(highest: int, *names: str) -> st.SearchStrategy[str]:
    """Values of a field and some beyond, steps and lists of them."""
    value = st.integers(0, highest + 3).map(str) | st.sampled_from(("*", "FOO", *names))
    stepped = st.builds("{}/{}".format, value, st.integers(0, highest))
    return st.lists(value | stepped, min_size=1, max_size=3).map(",".join)


@given(
    hours=numbers(23),
    days=numbers(31) | st.sampled_from(("L", "LW", "W", "0W", "1W", "31W", "32W")),
    months=numbers(12, "JAN", "DEC"),
    years=st.sampled_from(("*", "1969", "1970", "2199", "2200", "2026-2030", "2026/2")),
)
def test_it_takes_what_the_local_scheduler_takes(hours: str, days: str, months: str, years: str) -> None:
    """That one is written apart, and works out when each is due."""
    expression = f"cron(5 {hours} {days} {months} ? {years})"
    try:
        require_cron_fields(expression)
    except SettingsRefused:
        with pytest.raises(ExpressionError):
            parse(expression)
    else:
        parse(expression)


def test_a_rate_has_no_fields() -> None:
    require_cron_fields("rate(24 hours)")
    require_cron_fields("")
    require_cron_to_come("rate(24 hours)", TODAY)


@pytest.mark.parametrize(
    ("expression", "runs"),
    [
        ("", 0),
        ("rate(1 day)", 30),
        ("rate(2 days)", 15),
        ("rate(1 hour)", 720),
        ("rate(12 hours)", 60),
        ("cron(0 3 * * ? *)", 30),
        ("cron(0 3,15 * * ? *)", 60),
        ("cron(0 */6 * * ? 2030)", 120),
        ("cron(0 0-5/2 * * ? *)", 90),
        ("cron(0 3 ? * MON-FRI *)", 150 / 7),
        ("cron(0 3 ? * L *)", 30 / 7),
        ("cron(0 3 ? * 6L *)", 1),
        ("cron(0 3 ? * 6#3 *)", 1),
        ("cron(0 3 L * ? *)", 1),
        ("cron(0 3 LW,15W,1-2 * ? *)", 4),
        ("cron(0 3 1-31 * ? *)", 30),
        ("cron(0 3 1 JAN-MAR ? *)", 0.25),
    ],
)
def test_so_many_runs_a_month_does_a_schedule_make(expression: str, runs: float) -> None:
    assert runs_a_month(expression) == pytest.approx(runs)


@settings(max_examples=8)
@given(
    hours=st.sampled_from(["3", "*", "*/6", "8-18", "0-5/2"]),
    days=st.sampled_from(["* * ?", "1 * ?", "L * ?", "? * MON-FRI", "? * L", "? * 6#3", "*/5 * ?", "1,15 1-6 ?"]),
)
def test_it_is_what_the_local_scheduler_starts_in_a_year(hours: str, days: str) -> None:
    expression = f"cron(0 {hours} {days} *)"
    start, cron = datetime(2026, 1, 1, tzinfo=UTC), parse(expression)
    hours_of_year = [start + timedelta(hours=number) for number in range(8760)]
    year = sum(len(cron.due_between(hour - timedelta(minutes=1), hour, start=start)) for hour in hours_of_year)
    assert runs_a_month(expression) * 365 / 30 == pytest.approx(year, rel=0.2)
