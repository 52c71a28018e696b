"""The runbook's table of mails, and the samples of the demo, show what is really sent."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from operate.template_files import as_written, template
from stage.differences import as_stated
from stage.scenario import Scenario
from tests.unit.docs.pages import PROJECT, SAMPLE, demo, shown_mails, shown_subjects, table, text_of

GOLDEN = PROJECT / "tests" / "unit" / "mail" / "golden"
SUBJECTS = sorted(
    {match[1] for file in GOLDEN.glob("*.txt") if (match := re.match(r"Subject: (.+)\n", file.read_text()))}
)
EXPECTED = Scenario.named("nightly-batch").expected
TOPICS = [
    {"Fn::If": [f"Makes{severity}Topic", {"Ref": f"{severity}Topic"}, {"Ref": f"{severity}TopicArn"}]}
    for severity in ("Warning", "Critical", "Advice")
]
FLEET_TOPIC = {"Ref": "AdviceTopic"}
NAME = re.compile(r"\$\{(AWS::StackName|FleetName)\}")
# CloudWatch's own mails, of every alarm that tells a topic of its changes.
CLOUDWATCH = [
    f'{state}: "{NAME.sub("efs-monitor-home", one["Properties"]["AlarmName"]["Fn::Sub"])}" in US East (N. Virginia)'
    for one in (*template()["Resources"].values(), *as_written(PROJECT / "fleet.yaml")["Resources"].values())
    if one["Type"] == "AWS::CloudWatch::Alarm"
    for state, actions in (
        ("ALARM", "AlarmActions"),
        ("OK", "OKActions"),
        ("INSUFFICIENT_DATA", "InsufficientDataActions"),
    )
    if any(action in (*TOPICS, FLEET_TOPIC) for action in one["Properties"].get(actions, ()))
]
WILDCARDS = {
    "FILE-SYSTEM": r"fs-[0-9a-f]+( \(.+\))?",
    "SEVERITY": "(WARNING|CRITICAL|Warning|Critical)",
    "MODE": "(elastic|provisioned)",
    "DIRECTION": "(up|down)",
    "STACK": r"[\w-]+?",
    "REGION": ".+",
    "N": r"[\d,.]+",
    "SPAN": r"[\w ]+",
    "COUNTS": r"[\d,]+ [a-z][a-z ]+(, [\d,]+ [a-z][a-z ]+)*",
    "TIME": r"\d\d:\d\d UTC( on \w{3} \d+ \w{3})?",
    "LEFT": r"(under 1|[\d,]+) min",
    "MONEY": r"\$[\d,.]+( in 7 days)?",
    "DAY": r"\w{3} \d+ \w{3}",
    # Of one of the other lines.
    "MAIL": ".+",
}
# Lambda's record of a failure has SNS's own subject.
NOT_OURS = "AWS Notification Message"


def _pattern(shown: str) -> re.Pattern[str]:
    words = re.split(rf"\b({'|'.join(WILDCARDS)})\b", shown.strip("`"))
    return re.compile("".join(WILDCARDS.get(word, re.escape(word)) for word in words))


PATTERNS = [_pattern(row[0]) for row in table("docs/runbook.md", "Subject") if row[0].strip("`") != NOT_OURS]


def test_every_mail_is_in_the_table_once() -> None:
    lines = {
        subject: [pattern.pattern for pattern in PATTERNS if pattern.fullmatch(subject)]
        for subject in (*SUBJECTS, *CLOUDWATCH)
    }
    assert lines
    assert {subject: found for subject, found in lines.items() if len(found) != 1} == {}


def test_every_line_of_the_table_is_a_mail_that_is_sent() -> None:
    sent = (*SUBJECTS, *CLOUDWATCH)
    assert [one.pattern for one in PATTERNS if not any(one.fullmatch(subject) for subject in sent)] == []


LOG_PATTERN = re.compile(r"--filter-pattern ('[^']+')")
WITH_LOG_PATTERNS = [mail for mail in sorted(GOLDEN.glob("*.txt")) if LOG_PATTERN.search(mail.read_text())]


@pytest.mark.parametrize("mail", WITH_LOG_PATTERNS, ids=lambda mail: mail.stem)
def test_a_log_is_searched_alike_in_a_mail_and_in_its_section_of_the_runbook(mail: Path) -> None:
    text = mail.read_text()
    (section,) = (section for subject, section in _sections() if text.startswith(f"Subject: {subject}"))
    assert set(LOG_PATTERN.findall(section)) == set(LOG_PATTERN.findall(text))


def test_there_are_mails_that_search_a_log() -> None:
    assert WITH_LOG_PATTERNS


def _sections() -> Iterator[tuple[str, str]]:
    """How each subject of the runbook's first table begins, with the section that the table names for it."""
    texts = {
        text.partition("\n")[0]: text for text in re.split(r"^##+ ", text_of("docs/runbook.md"), flags=re.MULTILINE)
    }
    for subjects, section in table("docs/runbook.md", "Mail"):
        for subject in re.findall(r"`([^`.]+)", subjects):
            yield from ((subject, texts[title]) for title in re.findall(r"\[([^\]]+)\]\(#", section))


def test_the_mails_shown_of_the_demo_are_ones_that_it_sends() -> None:
    """With their words and figures: tests/*/test_scenarios.py, where it is played."""
    shown = shown_mails()
    assert shown
    assert {as_stated(line) for line in shown} <= set(EXPECTED.mails)


def test_the_subjects_in_the_readme_are_in_the_table_of_mails() -> None:
    assert all(any(pattern.fullmatch(subject) for pattern in PATTERNS) for subject in shown_subjects())


def test_the_number_of_mails_shown_of_the_demo_is_right() -> None:
    assert f"\n{len(EXPECTED.mails)} mails in out/demo/mails/\n" in demo()


@pytest.mark.parametrize("page", ["README.md", SAMPLE])
def test_the_transitions_shown_of_the_demo_are_ones_that_happen(page: str) -> None:
    shown = re.findall(r"^(\dd \d\d:\d\d) .+  (\S+ \w+) → (\w+)$", demo(page), re.MULTILINE)

    assert shown
    assert {f"{time} {alarm} -> {state}" for time, alarm, state in shown} <= set(EXPECTED.transitions)


def test_the_benchmarks_shown_of_the_demo_are_ones_that_happen() -> None:
    shown = re.findall(r"^(\dd \d\d:\d\d) .+  benchmark (.+)$", demo(), re.MULTILINE)

    assert shown
    assert {f"{time} {what}" for time, what in shown} <= set(EXPECTED.benchmarks)


def test_the_readme_shows_lines_of_the_whole_sample() -> None:
    shown = [line for line in demo("README.md").splitlines() if line != "..."]

    assert shown
    assert set(shown) <= set(demo().splitlines())
