"""The proof of figures notices a figure that is wrong, and one that nobody checks."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from localaws.sns.mailbox import Mail
from proofs.figures.proof import NO_FIGURES, wrong_figures, wrong_in
from proofs.figures.readings import (
    is_clock,
    is_coarse,
    is_duration,
    is_least,
    is_least_money,
    is_money,
    is_most,
    is_rounded,
    is_whole,
)
from stage.direct_deployment import DirectDeployer
from stage.runs import Played, played
from stage.scenario import read

FIGURE = re.compile(r"(?<![\w-])\$?\d[\d,.]*\d|(?<![\w-])\d")
# Low from the start, driven hard for an hour, then idle.
AN_EVENING = """
about = "A balance that falls and comes back"
days = 0.1

[file_system]
size_gib = 1500
balance_percent = 17

[[load]]
from = "00:00"
to = "01:10"
write_mib_per_second = 100
read_mib_per_second = 30
metadata_operations_per_second = 300

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""
# Critical goes off after minutes, and some minutes later looks only half as far ahead.
REDEPLOYED = """
about = "A shorter lead time amid an incident"
days = 0.03

[file_system]
size_gib = 200
balance_percent = 17.5

[[load]]
from = "00:05"
to = "00:40"
write_mib_per_second = 80

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"

[[deploy]]
at = "00:25"
[deploy.parameters]
AlertEmail = "storage-team@example.com"
CriticalMinutes = 30
"""
NOON = datetime(2030, 1, 7, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def evening(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with played(read("evening", AN_EVENING), tmp_path_factory.mktemp("evening"), deployer_of=DirectDeployer) as result:
        yield result


def about_the_balance(evening: Played) -> list[Mail]:
    return [mail for mail in evening.sandbox.mailbox.mails if "FIGURES" in mail.body]


@pytest.mark.whole
def test_the_mails_of_an_evening_are_right(evening: Played) -> None:
    assert about_the_balance(evening)
    assert wrong_figures(evening) == []


@pytest.mark.whole
def test_a_threshold_that_a_deployment_lowers_amid_an_incident_was_that_of_the_lead_time_before(
    built: Path, tmp_path: Path
) -> None:
    with played(read("redeployed", REDEPLOYED), tmp_path, deployer_of=DirectDeployer) as lived:
        (mail,) = (one for one in lived.sandbox.mailbox.mails if "threshold was lowered" in " ".join(one.body.split()))
        assert wrong_in(mail, lived) == []
        for figures in (
            ("below 352 GiB, and", "below 353 GiB, and"),
            ("to 176 GiB", "to 177 GiB"),
            ("lowered to", "lowered with the size to"),
        ):
            changed = replace(mail, body=" ".join(mail.body.split()).replace(*figures))
            assert wrong_in(changed, lived) != []


@pytest.mark.more
def test_whatever_figure_is_changed_it_is_noticed(evening: Played) -> None:
    """Each number of each mail about the balance in turn, in its first digit."""
    unnoticed = []
    for mail in about_the_balance(evening):
        body, footer, end = mail.body.partition("\n--\n")
        kept = [found.span() for found in NO_FIGURES.finditer(body)]
        for figure in FIGURE.finditer(body):
            if any(start < figure.end() and figure.start() < stop for start, stop in kept):
                continue
            position = figure.start() + figure[0].startswith("$")
            other = str((int(body[position]) + 1) % 10)
            changed = replace(mail, body=body[:position] + other + body[position + 1 :] + footer + end)
            if not wrong_in(changed, evening):
                unnoticed.append(body[max(0, position - 40) : position + 20])
    assert unnoticed == []


def test_a_figure_that_no_claim_covers_is_named(evening: Played) -> None:
    mail = about_the_balance(evening)[0]
    (sentence,) = wrong_in(replace(mail, body=f"It has 77 clients. {mail.body}"), evening)
    assert sentence.startswith("nobody checks '77'")


def test_a_reading_is_the_rounded_truth_and_nothing_beside_it() -> None:
    assert is_rounded("4.9", 4.88)
    assert not is_rounded("4.9", 4.96)
    assert is_rounded("1,055", 1054.7)
    assert is_rounded("less than 0.1", 0.04)
    assert not is_rounded("less than 0.1", 0.2)
    assert is_coarse("1,230", 1234.0)
    assert not is_coarse("1,240", 1234.0)
    assert is_whole("59", 59.99)
    assert not is_whole("60", 59.99)
    assert is_duration("2 h 59 min", 179.9)
    assert not is_duration("3 h", 179.9)
    assert is_duration("3 d 12 h", 3.5 * 1440 + 59)
    assert not is_duration("3 d 12 h", 3.5 * 1440 + 61)
    assert is_duration("3 days", 3 * 1440 + 59)
    assert not is_duration("3 days", 3.5 * 1440)
    assert is_duration("13 days", 13.5 * 1440)
    assert is_money("$9,239", 9238.6)
    assert not is_money("$17,899", 4629)


def test_a_bound_is_rounded_to_its_own_side() -> None:
    assert is_least("50", 50.9)
    assert not is_least("51", 50.9)
    assert not is_least("49", 50.9)
    assert is_least("4.9", 4.99)
    assert is_least("less than 0.1", 0.04)
    assert is_most("51", 50.1)
    assert not is_most("50", 50.1)
    assert not is_most("52", 50.1)
    assert is_least_money("$12.40", 12.409)
    assert is_least_money("$12", 12.9)
    assert not is_least_money("$13", 12.9)
    assert is_least_money("less than $0.01", 0.004)


def test_a_time_without_a_date_is_one_of_the_day_of_the_mail() -> None:
    assert is_clock("12:20 UTC", NOON + timedelta(minutes=20, seconds=40), NOON)
    assert not is_clock("12:21 UTC", NOON + timedelta(minutes=20, seconds=40), NOON)
    assert is_clock("00:20 UTC on Tue 8 Jan", NOON + timedelta(hours=12, minutes=20), NOON)
    assert not is_clock("00:20 UTC", NOON + timedelta(hours=12, minutes=20), NOON)
