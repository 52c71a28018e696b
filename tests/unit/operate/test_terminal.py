"""What is printed fits a terminal, and what is printed as a command is that command."""

import shlex
import subprocess

from hypothesis import given
from hypothesis import strategies as st

from operate.terminal import WIDTH, command_line, narrowed, wrapped
from tests.printed import too_wide

WORDS = st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=30), min_size=1, max_size=12)


@given(WORDS)
def test_a_shell_takes_a_printed_command_apart_as_it_was(words: list[str]) -> None:
    printed = command_line(words, indent="  ")
    assert shlex.split(printed.replace("\\\n", " ")) == words
    lines = printed.split("\n")
    assert all(len(line) <= WIDTH or len(shlex.split(line.removesuffix(" \\"))) == 1 for line in lines)


def test_bash_runs_a_pasted_command_with_the_very_words() -> None:
    words = ["printf", "%s\\n", 'Schedule="cron(0 3 * * ? *)"', "it's", "$HOME", "a" * 90, "", "`id`", *["b" * 20] * 9]
    printed = command_line(words, indent="  ")
    done = subprocess.run(["bash", "-c", printed], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == words[2:]


@given(WORDS)
def test_wrapped_text_keeps_its_words_and_fits(words: list[str]) -> None:
    text = " ".join(words)
    printed = wrapped(text, first="  ", then="      ")
    assert printed.split() == text.split()
    assert too_wide(printed) == []


def test_each_line_of_a_text_is_wrapped_alone() -> None:
    assert wrapped("one\n\ntwo", first="  ", then="    ") == "  one\n\n  two"


def test_a_wide_table_of_another_program_closes_up_and_is_wrapped_by_words() -> None:
    rule = "-" * 99
    row = f"{'CREATE_COMPLETE':25}{'AWS::CloudWatch::Alarm':25}{'CriticalAlarm':25}-"
    refused = f"{'CREATE_FAILED':25}{'AWS::SSM::Document':25}{'BenchmarkDocument':25}Resource handler returned message:"
    assert narrowed(rule) == "-" * WIDTH
    assert narrowed(row) == row
    assert narrowed(refused) == (
        "CREATE_FAILED  AWS::SSM::Document  BenchmarkDocument  Resource handler returned\n    message:"
    )


@given(st.lists(st.text(alphabet="abc-=+ ", min_size=1, max_size=30)).map(" ".join))
def test_no_line_of_another_program_loses_a_word_and_each_fits(line: str) -> None:
    shown = narrowed(line)
    assert too_wide(shown) == []
    if line.strip("-=+ "):
        assert shown.split() == line.split()
