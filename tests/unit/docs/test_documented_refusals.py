"""Whatever the benchmark's script refuses, the runbook says what to do, in the script's own words."""

import re
from collections.abc import Iterator

from operate.template_files import template
from tests.unit.docs.pages import CODE_SPAN, anchors, table
from tools.benchmark_document import script

SCRIPT = script()
RUNBOOK = "docs/runbook.md"
SAYS = re.compile(
    r"""(?:refuse|REFUSED=|REASON=|ENDING=|LEFT_BEHIND=|FAULT=|echo) ?(?P<quote>["'])(?P<text>.*?)(?P=quote)"""
)
SAYS_BARELY = re.compile(r"\b(?:REASON|ENDING)=([a-z]+)$|\$\{REASON:-([^}]+)\}", re.MULTILINE)
# Variables and arithmetic, several with no word between; braces and parentheses may be nested once.
ONE = r"(?:\$\(\((?:[^()]|\([^()]*\))*\)\)|\$\{[^{}]*\}|\$\w+)"
FILLED_IN = re.compile(rf"{ONE}(?:[/:]?{ONE})*")
# What is wrong with a workload that somebody sent by hand stands behind "Plan, workload N".
A_WORKLOAD_OF_A_PLAN = re.search(r"^read_workload\(\) \{.*?^\}", SCRIPT, re.MULTILINE | re.DOTALL)


def _said() -> Iterator[str]:
    assert A_WORKLOAD_OF_A_PLAN
    for match in SAYS.finditer(SCRIPT.replace(A_WORKLOAD_OF_A_PLAN[0], "")):
        # Words of its own, and not only somebody else's.
        if re.search("[a-z]{3}", FILLED_IN.sub("", match["text"])):
            yield match["text"]
    yield from (match[1] or match[2] for match in SAYS_BARELY.finditer(SCRIPT))


def _shown() -> list[str]:
    rows = [*table(RUNBOOK, "The run was refused"), *table(RUNBOOK, "The workload failed, or was skipped")]
    return [span for row in rows for span in CODE_SPAN.findall(row[0])]


def _pattern(said: str) -> re.Pattern[str]:
    literal = FILLED_IN.split(said)
    return re.compile(".+".join(re.escape(part) for part in literal) + "$")


SAID = sorted(set(_said()))
SHOWN = _shown()


def test_every_refusal_of_the_script_is_in_the_runbook() -> None:
    by_hand = tuple(span.removesuffix("...").strip() for span in SHOWN if span.endswith("..."))
    missing = [said for said in SAID if not any(_pattern(said).search(span) for span in SHOWN)]
    assert [said for said in missing if not said.startswith(by_hand)] == []


def test_every_refusal_in_the_runbook_is_one_of_the_script() -> None:
    others = [span for span in SHOWN if not any(_pattern(said).search(span) for said in SAID)]
    begins = {span: span.removesuffix("...").strip() for span in others}
    assert [span for span in others if not any(said.startswith(begins[span]) for said in SAID)] == []


def test_the_script_does_refuse() -> None:
    assert len(SAID) > 40


def test_every_alarm_links_to_a_section_of_the_runbook() -> None:
    linked = set(re.findall(r"\$\{RunbookUrl\}#([a-z-]+)", str(template()["Resources"])))

    assert {"benchmarks-fail", "benchmark-regressions"} <= linked
    assert linked <= anchors(RUNBOOK)
