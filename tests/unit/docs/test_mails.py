"""The README's table of mails, and its sample of the demo, show what is really sent."""

import re

import pytest

from sandbox.scenario import Scenario
from tests.unit.docs.pages import PROJECT, blocks, table

GOLDEN = PROJECT / "tests" / "unit" / "messages" / "golden"
SUBJECTS = sorted(
    {match[1] for file in GOLDEN.glob("*.txt") if (match := re.match(r"Subject: (.+)\n", file.read_text()))}
)
EXPECTED = Scenario.named("nightly-batch").expected
# CloudWatch's own mails, those of the optional alarms among them.
SENT = [mail.partition(": ")[2] for mail in (*EXPECTED.mails, *Scenario.named("busy").expected.mails)]
CLOUDWATCH = [subject for subject in SENT if re.match(r'(ALARM|OK): "', subject)]
WILDCARDS = {
    "FILE-SYSTEM": r"fs-[0-9a-f]+( \(.+\))?",
    "SEVERITY": "(WARNING|CRITICAL|Warning|Critical)",
    "MODE": "(elastic|provisioned)",
    "DIRECTION": "(up|down)",
    "STACK": r"[\w-]+?",
    "REGION": ".+",
    "N": r"[\d,.]+",
    "SPAN": r"[\w ]+",
    "DAY": r"\w{3} \d+ \w{3}",
    # Of one of the other lines.
    "MAIL": ".+",
}
# Lambda's record of a failure has SNS's own subject.
NOT_OURS = "AWS Notification Message"


def _pattern(shown: str) -> re.Pattern[str]:
    words = re.split(rf"\b({'|'.join(WILDCARDS)})\b", shown.strip("`"))
    return re.compile("".join(WILDCARDS.get(word, re.escape(word)) for word in words))


PATTERNS = [_pattern(row[0]) for row in table("README.md", "Subject") if row[0].strip("`") != NOT_OURS]


def _demo() -> str:
    (shown,) = [block.text for block in blocks("README.md", "console") if block.text.startswith("$ make demo")]
    return shown


@pytest.mark.parametrize("subject", [*SUBJECTS, *sorted(set(CLOUDWATCH))])
def test_every_mail_is_in_the_table_once(subject: str) -> None:
    assert len([pattern for pattern in PATTERNS if pattern.fullmatch(subject)]) == 1


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.pattern)
def test_every_line_of_the_table_is_a_mail_that_is_sent(pattern: re.Pattern[str]) -> None:
    assert any(pattern.fullmatch(subject) for subject in (*SUBJECTS, *CLOUDWATCH))


def test_the_mails_shown_of_the_demo_are_ones_that_it_sends() -> None:
    shown = re.findall(r"^\dd \d\d:\d\d (?:warning|critical|advice) to .+$", _demo(), re.MULTILINE)

    assert shown
    assert set(shown) <= set(EXPECTED.mails)


def test_the_number_of_mails_shown_of_the_demo_is_right() -> None:
    assert f"\n{len(EXPECTED.mails)} mails in out/demo/mails/\n" in _demo()


def test_the_transitions_shown_of_the_demo_are_ones_that_happen() -> None:
    shown = re.findall(r"^(\dd \d\d:\d\d) .+  (\S+ \w+) → (\w+)$", _demo(), re.MULTILINE)

    assert shown
    assert {f"{time} {alarm} -> {state}" for time, alarm, state in shown} <= set(EXPECTED.transitions)
