"""Whether a schedule's cron has hours, days, months and years that there are, and how many runs a schedule makes."""

import csv
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from efs_monitor.benchmarks.schedule import comes_no_more, require_cron_fields, require_cron_to_come, runs_a_month
from efs_monitor.errors import SettingsRefused
from hypothesis import given, settings
from hypothesis import strategies as st

from localaws.schedule_expression import ExpressionError, parse
from tests.quick import first_of
from tests.template.parameter_values import PARAMETERS
from tests.template.template_documents import with_includes

PATTERN = with_includes()["Parameters"]["BenchmarkSchedule"]["AllowedPattern"]
# Of no page of AWS.
LOCALLY_REFUSED = re.compile(r"L-\d")
NOW = datetime(2026, 11, 17, 10, 0, tzinfo=UTC)
OF_THE_MONTH = "1 to 31, or alone L, LW, or such as 15W"
OF_THE_WEEK = "1 to 7 or SUN to SAT, without a step, or alone L, such as 6L, or such as 6#3"


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
        ("cron(0 3, * * ? *)", "whose hour has '', but may have 0 to 23"),
        ("cron(0 3 ? * MON,,FRI *)", f"whose day of the week has '', but may have {OF_THE_WEEK}"),
        ("cron(0 3 ? * 0L *)", f"whose day of the week has '0L', but may have {OF_THE_WEEK}"),
        ("cron(0 3 ? * 6L,2 *)", f"whose day of the week has '6L', but may have {OF_THE_WEEK}"),
        ("cron(0 3 ? * 1-7/2 *)", f"whose day of the week has '1-7/2', but may have {OF_THE_WEEK}"),
        ("cron(0 3 1,L * ? *)", f"whose day of the month has 'L', but may have {OF_THE_MONTH}"),
        ("cron(0 3 1,15W * ? *)", f"whose day of the month has '15W', but may have {OF_THE_MONTH}"),
        ("cron(0 3 WL * ? *)", f"whose day of the month has 'WL', but may have {OF_THE_MONTH}"),
        ("cron(0 3 * * ? 2100-2030)", "whose year has '2100-2030', but may have 1970 to 2199"),
        ("cron(0 3 * * ? 1969)", "whose year has '1969', but may have 1970 to 2199"),
        ("cron(0 3 * * ? 2200)", "whose year has '2200', but may have 1970 to 2199"),
    ],
)
def test_what_is_just_beyond_is_refused_by_the_field_that_has_it(expression: str, sentence: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        require_cron_fields(expression)
    assert str(refused.value) == f"BenchmarkSchedule is {expression}, {sentence}"


@pytest.mark.parametrize(
    "fields",
    [
        *("31 2 ? *", "30 FEB ? *", "31 FEB,APR,NOV ? *", "31 4/5 ? *", "30,31 2 ? *", "30-31 2 ? *"),
        *("31 6/5 ? *", "30/1 2 ? *", "29 2 ? 2025-2027", "? 2 MON#5 2031", "? 2 1#5 2030,2031,2033"),
    ],
)
def test_days_that_no_month_of_it_has_never_come(fields: str) -> None:
    expression = f"cron(0 3 {fields})"
    with pytest.raises(SettingsRefused) as refused:
        require_cron_fields(expression)
    assert str(refused.value) == (
        f"BenchmarkSchedule is {expression}, which never comes: no month that it names has such a day"
    )


@pytest.mark.parametrize(
    "fields",
    [
        *("29 2 ? *", "31 DEC,FEB ? *", "31 4/4 ? *", "L 2 ? *", "*/30 2 ? *", "? 2 6#5 *", "29 2 ? 2027,2028"),
        *("? 2 MON#5 2028-2060", "31W 8 ? 2030"),
    ],
)
def test_a_day_that_some_month_of_it_has_comes(fields: str) -> None:
    require_cron_fields(f"cron(0 3 {fields})")


@pytest.mark.parametrize(
    ("fields", "last_time"),
    [
        ("0 3 * * ? 2025", "2025-12-31 03:00"),
        ("0 3 ? * MON 2020-2025", "2025-12-29 03:00"),
        ("0 3 ? 10 6L 2026", "2026-10-30 03:00"),
        ("0 3 ? 10 6#3 2026", "2026-10-16 03:00"),
        ("0 3 ? 10 L 2026", "2026-10-31 03:00"),
        ("0 3 * * ? 2020/3,2001", None),
        ("59 9 17 11 ? 2026", "2026-11-17 09:59"),
        ("0 10 17 11 ? 2026", None),
        ("30 0-8/4 17 11 ? 2026", "2026-11-17 08:30"),
        ("0 3 L OCT ? 2026", "2026-10-31 03:00"),
        ("0 3 LW OCT ? 2026", "2026-10-30 03:00"),
        ("0 3 31W 10 ? 2026", "2026-10-30 03:00"),
        ("0 3 1W 8 ? 2026", "2026-08-03 03:00"),
        ("0 3 30W 8 ? 2026", "2026-08-31 03:00"),
        ("0 3 31W 5 ? 2026", "2026-05-29 03:00"),
        ("0 3 * * ? 2026", None),
        ("0 3 ? * MON *", None),
        ("0 3 */20 2 ? 2026", "2026-02-21 03:00"),
    ],
)
def test_what_came_for_the_last_time_comes_no_more(fields: str, last_time: str | None) -> None:
    expression = f"cron({fields})"
    require_cron_fields(expression)
    assert comes_no_more(expression, NOW) is (last_time is not None)
    if last_time is None:
        require_cron_to_come(expression, NOW)
        return
    with pytest.raises(SettingsRefused) as refused:
        require_cron_to_come(expression, NOW)
    assert str(refused.value) == (
        f"BenchmarkSchedule is {expression}, which comes no more: its last time was {last_time} UTC, and it is "
        "2026-11-17 10:00; give later years, or * for each"
    )


# What Quartz 2.3.2 makes of each, whose forms AWS's page of cron expressions has, read as `0` and the six fields: the
# starts of 2026, 2027 and 2028, and the last of them. Nobody of this project wrote it. A step after a range of names,
# as OCT-MAR/2, is not here: Quartz passes over the step, and AWS's page has no such example. Nor is one in days of the
# week, which Quartz takes and AWS's page has not.
QUARTZ = [
    (row["expression"], int(row["starts"]), row["last"])
    for row in csv.DictReader(Path(__file__).with_name("quartz.csv").read_text(encoding="utf-8").splitlines())
]
IN_YEARS = re.compile(r"\S+$")


@pytest.mark.parametrize(("fields", "starts", "last"), QUARTZ)
def test_a_cron_starts_when_quartz_starts_it(fields: str, starts: int, last: str) -> None:
    expression = f"cron({fields})"
    years = fields.rpartition(" ")[2]
    in_years = f"cron({IN_YEARS.sub('2026-2028' if years == '*' else years, fields)})"
    if not starts:
        assert last == "none"
        with pytest.raises(SettingsRefused):
            require_cron_fields(in_years)
        return
    require_cron_fields(expression)
    end = datetime.fromisoformat(f"{last}Z")
    assert not comes_no_more(in_years, end)
    assert comes_no_more(in_years, end + timedelta(minutes=1))


@pytest.mark.parametrize(
    ("fields", "last"),
    [
        # The minutes of a list are not in order where they are written so.
        ("40,5 3 1 12 ? 2026", "2026-12-01 03:40"),
        # 2 May 2026 is a Saturday, and 1 August 2026 too: it has no Friday before it.
        ("0 3 2W 5 ? 2026", "2026-05-01 03:00"),
        ("0 3 1W 8 ? 2026", "2026-08-03 03:00"),
        ("0 3 ? 12 6L 2026", "2026-12-25 03:00"),
        ("0 3 ? 12 FRIL 2026", "2026-12-25 03:00"),
    ],
)
def test_the_last_time_of_a_cron_is_the_last_of_its_last_day(fields: str, last: str) -> None:
    end = datetime.fromisoformat(f"{last}Z")
    assert not comes_no_more(f"cron({fields})", end)
    assert comes_no_more(f"cron({fields})", end + timedelta(minutes=1))


@pytest.mark.parametrize(
    ("fields", "runs"),
    [
        # The step is the greatest that there is: it comes at 0 and at 59 minutes, and at 0 and at 23 hours.
        ("*/59 */23 * * ? *", 120),
        # From 22 to 2.
        ("0 22-2 * * ? *", 150),
        ("0 3 * * ? *", 30),
    ],
)
def test_runs_of_every_day_are_counted_exactly(fields: str, runs: int) -> None:
    require_cron_fields(f"cron({fields})")
    assert runs_a_month(f"cron({fields})") == pytest.approx(runs, rel=1e-9)


def test_a_value_with_two_hyphens_is_no_range() -> None:
    with pytest.raises(SettingsRefused):
        require_cron_fields("cron(0 1-2-3 * * ? *)")


LOCAL = [(fields, starts) for fields, starts, _ in QUARTZ if not LOCALLY_REFUSED.search(fields)]


@pytest.mark.whole
@pytest.mark.parametrize(("fields", "starts"), first_of(LOCAL, 2, in_ci=20))
def test_the_local_scheduler_starts_it_as_often_as_quartz(fields: str, starts: int) -> None:
    cron, first = parse(f"cron({fields})"), datetime(2026, 1, 1, tzinfo=UTC)
    minute = timedelta(minutes=int(fields.partition(" ")[0]))
    hours = [first + timedelta(hours=number) + minute for number in range((365 + 365 + 366) * 24)]
    assert sum(len(cron.due_between(one - timedelta(minutes=1), one, start=first)) for one in hours) == starts


def numbers(highest: int, *names: str) -> st.SearchStrategy[str]:
    """Values of a field and some beyond, steps and lists of them."""
    value = st.integers(0, highest + 3).map(str) | st.sampled_from(("*", "FOO", *names))
    stepped = st.builds("{}/{}".format, value, st.integers(0, highest))
    return st.lists(value | stepped, min_size=1, max_size=3).map(",".join)


@given(
    days=numbers(31) | st.sampled_from(("L", "LW", "15W", "1W")),
    months=numbers(12, "FEB"),
    of_week=st.sampled_from(("MON", "L", "6L", "2#5", "MON-FRI", "1,7", "SUN#1")),
    years=st.sampled_from(("2024", "2025", "2024-2025", "2023/2,2024")),
    by_week=st.booleans(),
)
def test_its_last_day_is_the_last_on_which_the_local_scheduler_starts_it(
    days: str, months: str, of_week: str, years: str, by_week: bool
) -> None:
    """That one is written apart. What has years after 2026 comes after any day that is tried here."""
    expression = f"cron(30 3 {'?' if by_week else days} {months} {of_week if by_week else '?'} {years})"
    try:
        cron = parse(expression)
    except ExpressionError:
        return
    first = datetime(2024, 1, 1, 3, 29, tzinfo=UTC)
    minutes = [first + timedelta(days=number) for number in range(731)]
    due = [found for one in minutes for found in cron.due_between(one, one + timedelta(minutes=1), start=first)]
    if not due:
        with pytest.raises(SettingsRefused):
            require_cron_fields(expression)
    elif "/2" not in years:
        assert not comes_no_more(expression, due[-1])
        assert comes_no_more(expression, due[-1] + timedelta(minutes=1))


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
    require_cron_to_come("rate(24 hours)", NOW)
    assert not comes_no_more("", NOW)


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
        ("cron(0 3 1-2,8,15 * ? *)", 4),
        ("cron(0 3 1-31 * ? *)", 30),
        ("cron(0 3 1 JAN-MAR ? *)", 0.25),
    ],
)
def test_so_many_runs_a_month_does_a_schedule_make(expression: str, runs: float) -> None:
    assert runs_a_month(expression) == pytest.approx(runs, rel=0.02)


@pytest.mark.whole
@settings(max_examples=4)
@given(
    hours=st.sampled_from(["3", "*", "*/6", "8-18", "0-5/2"]),
    days=st.sampled_from(["* * ?", "1 * ?", "L * ?", "? * MON-FRI", "? * L", "? * 6#3", "*/5 * ?", "1,15 1-6 ?"]),
)
def test_it_is_what_the_local_scheduler_starts_in_a_year(hours: str, days: str) -> None:
    expression = f"cron(0 {hours} {days} *)"
    start, cron = datetime(2026, 1, 1, tzinfo=UTC), parse(expression)
    hours_of_year = [start + timedelta(hours=number) for number in range(8760)]
    year = sum(len(cron.due_between(hour - timedelta(minutes=1), hour, start=start)) for hour in hours_of_year)
    assert runs_a_month(expression) * 365 / 30 == pytest.approx(year, rel=0.02)


@pytest.mark.whole
@given(st.from_regex(re.compile(PATTERN, re.ASCII), fullmatch=True))
def test_whatever_the_pattern_takes_is_judged_without_an_error_also_where_its_fields_are_not(expression: str) -> None:
    """A stack may have it of another release, and a digest counts its benchmarks."""
    with suppress(SettingsRefused):
        require_cron_fields(expression)
    with suppress(SettingsRefused):
        require_cron_to_come(expression, NOW)
    assert runs_a_month(expression) >= 0
    assert comes_no_more(expression, NOW) in {True, False}


@pytest.mark.whole
@pytest.mark.parametrize(
    "fields",
    [
        *(f"? * {day} *" for day in ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")),
        *(f"1 {month} ? *" for month in ("JAN", "FEB", "MAR", "APR", "MAY", "JUN")),
        *(f"1 {month} ? *" for month in ("JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
    ],
)
def test_each_name_of_a_day_and_of_a_month_is_its_number(fields: str) -> None:
    expression = f"cron(0 3 {fields})"
    require_cron_fields(expression)
    noons = [datetime(2026, 1, 1, 3, tzinfo=UTC) + timedelta(days=number) for number in range(365)]
    due = sum(len(parse(expression).due_between(one - timedelta(minutes=1), one, start=noons[0])) for one in noons)
    assert runs_a_month(expression) * 365 / 30 == pytest.approx(due, rel=0.02)
