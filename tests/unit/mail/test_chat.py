"""What a chat shows of each mail. After a change on purpose: UPDATE_GOLDEN=1, as for the mails."""

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from efs_monitor.aws.chat_notification import custom_notification
from efs_monitor.mail.chat import Chat, ChatStep, chat, unmarked
from efs_monitor.mail.layout import Message, as_drill, in_thread

from tests.unit.aws.custom_notifications import assert_valid
from tests.unit.mail.figures import figures_of_chat, figures_of_mail
from tests.unit.mail.mail_cases import FILE_SYSTEM_ID, HERE
from tests.unit.mail.test_message_goldens import MAILS, message_of

GOLDEN = Path(__file__).parent / "golden" / "chat"
# A phone shows so much without scrolling; what others wrote may be longer.
SHORT_CHARACTERS = 700


def shown(one: Chat) -> str:
    """As people see it, more or less: the title, the text, a list."""
    return "\n\n".join((one.title, one.text, "\n".join(f"- {step}" for step in one.steps))) + "\n"


@dataclass(frozen=True)
class Named:
    """A mail and what its golden files are called."""

    name: str
    message: Message


@pytest.fixture(scope="module", params=MAILS)
def mail(request: pytest.FixtureRequest) -> Named:
    """Each mail, written once for all tests of it."""
    return Named(request.param, message_of(request.param))


def test_the_chat_reads_as_agreed(mail: Named) -> None:
    path, text = GOLDEN / f"{mail.name}.txt", shown(mail.message.chat)
    agreed = path.read_text(encoding="ascii") if path.exists() else ""
    if text != agreed and os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="ascii")
        pytest.fail(f"{path.name} is written anew: read the difference, then run this again")
    assert text == agreed


def test_no_golden_file_of_a_chat_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(MAILS)


@pytest.mark.whole
def test_every_mail_is_a_custom_notification_of_amazon_q(mail: Named) -> None:
    assert_valid(custom_notification(mail.message.chat))
    assert_valid(custom_notification(in_thread(mail.message, f"{FILE_SYSTEM_ID}-20300107T0241Z").chat))


@pytest.mark.whole
def test_a_chat_has_the_figures_of_its_mail_and_is_short_enough_for_a_phone(mail: Named) -> None:
    assert figures_of_chat(mail.message) <= figures_of_mail(mail.message)
    assert len(mail.message.chat.text) <= SHORT_CHARACTERS


def test_nobody_is_called_and_nothing_linked_by_the_name_of_a_file_system() -> None:
    name = "<!channel> @here [a](https://b) `c` *d* ~e~ <https://f|g> _h_ __i__ :skull: :+1:"
    assert unmarked(name) == "(!channel) (at)here (a)(https: //b) 'c' -d- -e- (https: //f/g) -h- -i- (skull) (+1)"


@pytest.mark.parametrize("words", ["at 01:41: 5 min", "arn:aws:sns:us-east-1:1:t", "files_write", "1.5: ratio 3:1:"])
def test_what_no_chat_takes_for_markup_stays(words: str) -> None:
    assert unmarked(words) == words


def test_a_command_stands_between_backticks_and_cannot_end_them() -> None:
    assert str(ChatStep(words="Do", command="aws efs `x` <y>")) == "Do: `aws efs 'x' (y)`"


def test_an_address_stands_bare_for_either_chat() -> None:
    assert str(ChatStep(words="Alarm", address="https://a.example/b#c")) == "Alarm: https://a.example/b#c"


def text_of(*lines: str) -> str:
    return chat(HERE, FILE_SYSTEM_ID, "critical", lines).text


def test_a_long_line_is_cut_between_words_and_no_number_in_itself() -> None:
    assert set(re.findall(r"\d+", text_of("12345 " * 200))) == {"12345"}


@pytest.mark.parametrize(("characters", "kept"), [(500, True), (501, False)])
def test_a_line_has_500_characters(characters: int, kept: bool) -> None:
    line = f"{'w' * 400} {'v' * (characters - 401)}"
    assert (text_of(line) == line) is kept


@pytest.mark.parametrize(("last", "lines"), [(496, 5), (497, 4)])
def test_a_text_has_2500_characters_and_ends_with_the_first_line_that_does_not_fit(last: int, lines: int) -> None:
    text = text_of(*["w" * 500] * 4, "v" * last, "short" * (lines == 4))
    assert len(text.splitlines()) == lines
    assert "short" not in text


def test_a_chat_is_headed_by_its_mail() -> None:
    one = chat(HERE, FILE_SYSTEM_ID, "critical", ["text"])
    assert (one.title, one.summary) == ("", "")
    headed = one.headed("CRITICAL: <home>", "CRITICAL fs-1: `home`")
    assert (headed.title, headed.summary) == ("CRITICAL: (home)", "CRITICAL fs-1: 'home'")


def test_of_many_commands_a_chat_has_eight_and_the_pages() -> None:
    one = chat(HERE, FILE_SYSTEM_ID, "critical", ["text"], [ChatStep(words="Do", command="it")] * 20)
    assert len(one.steps) == 8 + 2


def test_a_drill_says_so_in_title_text_and_summary() -> None:
    drill = as_drill(message_of("limited")).chat
    assert drill.title.startswith("DRILL - GONE: ")
    assert drill.text.startswith("This is a drill: ")
    assert drill.summary.startswith("DRILL - GONE ")


def test_a_message_stands_alone_unless_it_is_put_into_a_thread() -> None:
    alone = message_of("limited")
    assert "threadId" not in json.dumps(custom_notification(alone.chat))
    told = custom_notification(in_thread(alone, "fs-1-20300107T0241Z").chat)
    assert told["metadata"] == {
        "threadId": "fs-1-20300107T0241Z",
        "summary": alone.chat.summary,
        "eventType": "efs-burst-credits",
        "relatedResources": [FILE_SYSTEM_ID],
    }


def test_where_nothing_is_to_do_and_no_page_is_known_there_is_no_list() -> None:
    nowhere = type(HERE)(stack_name="home", region="us-iso-east-1", account_id="1", partition="aws-iso", runbook_url="")
    content = custom_notification(chat(nowhere, FILE_SYSTEM_ID, "critical", ["text"]).headed("title", "summary"))
    assert_valid(content)
    assert "nextSteps" not in json.dumps(content)


def texts(messages: Iterable[Message]) -> str:
    return " ".join(shown(message.chat) for message in messages)


def test_a_way_out_comes_with_its_command() -> None:
    assert "`aws efs update-file-system --file-system-id fs-0123456789abcdef0 --throughput-mode elastic" in texts(
        [message_of("critical-draining-fast")]
    )
