"""The mails about the way back to burst credits and about a dear day: their sentences, and from where on each holds."""

from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.costs.mode_costs import FixedRate
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.back_to_bursting import DayOnCredits
from efs_monitor.mail.back_to_bursting_mails import back_to_bursting, elastic_day
from efs_monitor.mail.layout import Message

from tests.unit.mail.mail_cases import HERE, TIME, a_file_system
from tests.unit.mail.test_message_goldens import A_RATE, ENDED, LASTED, LEFT

ELASTIC = a_file_system(mode=ThroughputMode.ELASTIC)
PROVISIONED = a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=80 * MIB)
MINUTE, A_WEEK = timedelta(minutes=1), timedelta(days=7)
A_MINUTES_WORTH = 6000 * MIB
LAST_DAY = (
    "The last 24 hours, in which clients moved 380 GiB as metered, would have lasted on credits: begun with the last "
    "balance that is known (520 GiB), at least 411 GiB would have been left, at about 23:45 UTC on Sun 6 Jan. That is "
    "70 minutes at 100 MiB/s."
)


def paragraphs(mail: Message) -> list[str]:
    return [" ".join(one.split()) for one in mail.body.split("\n\n")]


def way_back(day: DayOnCredits) -> Message:
    return back_to_bursting(ELASTIC, LEFT, 50.12, day, HERE, TIME)


def told_of(day: DayOnCredits) -> str:
    """What the mail says of the last day on credits."""
    return paragraphs(way_back(day))[2]


@pytest.mark.parametrize(
    ("lasted", "in_the_subject", "span"),
    [(A_WEEK, "", "since then"), (A_WEEK + MINUTE, " in 7 days", "in the last 7 days")],
)
def test_a_mode_of_more_than_a_week_is_told_with_what_the_last_seven_days_cost(
    lasted: timedelta, in_the_subject: str, span: str
) -> None:
    mail = back_to_bursting(ELASTIC, TIME - lasted, 50.12, LASTED, HERE, TIME)
    assert mail.short == (
        f"INFO fs-0123456789abcdef0: bursting would be enough again, elastic cost $50{in_the_subject}."
    )
    assert paragraphs(mail)[1] == (
        f"What was read and written cost at least $50 {span}. These are list prices of us-east-1; each operation is "
        f"counted as 32 KiB or more, one on metadata as 4 KiB or more."
    )


@pytest.mark.parametrize(
    ("opening_bytes", "at_once"),
    [
        (A_MINUTES_WORTH, ""),
        (
            A_MINUTES_WORTH - 1,
            " With the last balance that is known (5.9 GiB) everything is limited to 4.9 MiB/s at once.",
        ),
    ],
)
def test_a_way_back_with_less_than_a_minutes_worth_begins_at_the_limit(opening_bytes: float, at_once: str) -> None:
    assert paragraphs(way_back(replace(ENDED, opening_bytes=opening_bytes)))[5] == (
        f"It locks the mode for 24 hours once more. The alarms are active again within the hour: those whose "
        f"thresholds are above the balance go off, rightly.{at_once}"
    )


@pytest.mark.parametrize(
    ("lower_bytes", "then"),
    [
        (A_MINUTES_WORTH - 1, ""),
        (A_MINUTES_WORTH, " But another day like it would leave 406 GiB at about 23:45 UTC: 69 minutes."),
    ],
)
def test_a_second_day_is_told_where_it_would_leave_a_minutes_worth_less(lower_bytes: float, then: str) -> None:
    day = replace(LASTED, lowest_the_next_day_bytes=LASTED.lowest_bytes - lower_bytes)
    assert told_of(day) == f"{LAST_DAY}{then}"


@pytest.mark.parametrize(
    ("short_bytes", "too_early"),
    [(0, ""), (1, " With less than 60 minutes left, a little more load would end them: it is too early.")],
)
def test_less_than_an_hours_worth_is_too_early_and_an_hours_worth_is_not(short_bytes: float, too_early: str) -> None:
    """An hour's worth are 60 minutes at full speed, to the byte."""
    enough_bytes = 60 * A_MINUTES_WORTH
    lowest_bytes = enough_bytes - short_bytes
    day = replace(LASTED, enough_bytes=enough_bytes, lowest_bytes=lowest_bytes, lowest_the_next_day_bytes=lowest_bytes)
    minutes = 59 if short_bytes else 60
    assert told_of(day) == (
        f"The last 24 hours, in which clients moved 380 GiB as metered, would have lasted on credits: begun with the "
        f"last balance that is known (520 GiB), at least 351 GiB would have been left, at about 23:45 UTC on Sun 6 "
        f"Jan. That is {minutes} minutes at 100 MiB/s.{too_early}"
    )


@pytest.mark.parametrize(
    ("lowest_bytes", "lasts"),
    [(A_MINUTES_WORTH - 1, "less than 1 minute"), (A_MINUTES_WORTH, "1 minute"), (2 * A_MINUTES_WORTH, "2 minutes")],
)
def test_what_would_have_been_left_is_told_in_full_minutes(lowest_bytes: float, lasts: str) -> None:
    day = replace(LASTED, lowest_bytes=lowest_bytes, lowest_the_next_day_bytes=lowest_bytes)
    assert f"That is {lasts} at 100 MiB/s. With less than 60 minutes left" in told_of(day)


LOCKED_AGAIN = "locks the mode for 24 hours once more."


@pytest.mark.parametrize(
    ("hours", "spent", "month", "possible"),
    [
        (
            23,
            "the time since 03:45 UTC on Sun 6 Jan",
            "",
            "is possible from 03:45 UTC, as far as is known, and",
        ),
        (24, "the last 24 hours", " A month of such days costs $1,868.", "is possible, and"),
        (25, "the last 24 hours", " A month of such days costs $1,868.", "is possible, and"),
    ],
)
def test_a_dear_day_is_told_of_the_time_that_is_known_and_with_when_another_mode_is_possible(
    hours: int, spent: str, month: str, possible: str
) -> None:
    mail = elastic_day(ELASTIC, 61.4, 50, TIME - timedelta(hours=hours), HERE, TIME)
    dear, find, repeats, *_ = paragraphs(mail)
    assert dear == (
        f"What was read and written on fs-0123456789abcdef0 (home directories) in {spent} cost at least $61: more "
        f"than the $50 a day of ElasticDailyUSD.{month} These are list prices of us-east-1; each operation is counted "
        f"as 32 KiB or more, one on metadata as 4 KiB or more."
    )
    assert find == f"Find the load, and ask whether it is meant. Going back to bursting {possible} {LOCKED_AGAIN}"
    assert repeats == "This mail comes once a day at most."
    assert mail.short == f"INFO fs-0123456789abcdef0: elastic throughput cost $61 in {min(hours, 24)} h."


def test_a_dear_day_says_with_what_bursting_would_begin_where_that_is_known_and_possible() -> None:
    begins = "Bursting would begin with the last balance that is known (93 GiB): go back once a mail says"
    day_ago = TIME - timedelta(days=1)

    def told(file_system: FileSystem, balance_bytes: float | None) -> str:
        mail = elastic_day(file_system, 61.4, 50, day_ago, HERE, TIME, last_balance_bytes=balance_bytes)
        return " ".join(mail.body.split())

    assert begins in told(ELASTIC, 93.4 * GIB)
    assert "Bursting would begin" not in told(ELASTIC, None)
    assert "Bursting would begin" not in told(replace(ELASTIC, archive_bytes=GIB), 93.4 * GIB)


def test_after_a_day_that_moved_no_more_than_a_benchmark_does_no_mail_says_that_bursting_would_be_enough() -> None:
    idle = replace(LASTED, moved_bytes=0.1 * GIB, opening_bytes=0, lowest_bytes=0)
    mail = back_to_bursting(ELASTIC, TIME - timedelta(hours=30), 22, idle, HERE, TIME)
    assert mail.subject.startswith("INFO: the mode is unlocked after an idle day, elastic cost $22")
    text = " ".join(mail.body.split())
    assert "In the last 24 hours clients moved next to nothing (0.1 GiB as metered), as far as CloudWatch knows" in text
    assert "GOING BACK, if the load does not come again" in text


@pytest.mark.parametrize(
    ("hours", "not_before"),
    [(23, ["Not before 03:45 UTC, as far as is known: until then AWS refuses it."]), (24, []), (25, [])],
)
def test_a_fixed_rate_is_told_with_when_aws_takes_it_until_it_does(hours: int, not_before: list[str]) -> None:
    mail = elastic_day(ELASTIC, 61.4, 50, TIME - timedelta(hours=hours), HERE, TIME, A_RATE)
    _, find, heading, *rest = paragraphs(mail)
    command = (
        "aws efs update-file-system --file-system-id fs-0123456789abcdef0 --throughput-mode provisioned "
        "--provisioned-throughput-in-mibps 97 --region us-east-1"
    )
    assert find.startswith(
        "Find the load, and ask whether it is meant. A fixed rate, or going back to bursting, is possible"
    )
    assert heading == "A FIXED RATE, far cheaper than elastic throughput while the load stays"
    assert rest[: rest.index(command)] == not_before


@pytest.mark.parametrize(
    ("file_system", "cheaper", "other"),
    [
        (ELASTIC, None, ""),
        (ELASTIC, A_RATE, "a fixed rate would be far cheaper"),
        (PROVISIONED, None, "a day was idle"),
    ],
)
def test_when_a_mail_about_the_way_back_comes_again_depends_on_the_mode_and_on_what_was_told(
    file_system: FileSystem, cheaper: FixedRate | None, other: str
) -> None:
    def again(*, enough_was_told: bool) -> str:
        mail = back_to_bursting(file_system, LEFT, 50.12, ENDED, HERE, TIME, cheaper, enough_was_told=enough_was_told)
        (told,) = [one for one in paragraphs(mail) if one.startswith("This mail comes again")]
        return told

    or_other = f" or {other}" if other else ""
    assert again(enough_was_told=True) == (
        f"This mail comes again when a day would have been enough{or_other}, once a week at most."
    )
    rest = f"and once a week at most when {other}." if other else "then once a week at most."
    assert again(enough_was_told=False) == (
        f"This mail comes again on the first day that would have been enough, {rest}"
    )
