"""Whether a schedule's cron has hours, days, months and years that there are."""

import pytest
from efs_monitor.benchmarks.cron import require_cron_fields
from efs_monitor.errors import SettingsRefused
from hypothesis import given
from hypothesis import strategies as st

from localaws.schedule_expression import ExpressionError, parse
from tests.template.parameter_values import PARAMETERS

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
