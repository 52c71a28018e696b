"""Holds every figure of the mails of a scenario against the simulation's own minutes."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from localaws.sns.mailbox import Mail
from proofs.figures.claims import CLAIMS
from proofs.figures.known import DRAINING_MINUTES, MINUTE, PACE_MINUTES, Known, lead_minutes_at
from stage.runs import Played

NAMES_REFERENCE = re.compile(r"may (?:now )?be driven at [\d,.]+ MiB/s(?! again| until they end)")
SUSPENDED = ("INFO: alarms suspended", "RECOVERED: over by")
OF_AN_ALARM = ("WARNING", "CRITICAL", "GONE", "NEARLY GONE")
# What began as a step of five minutes did is a second later behind its edge.
A_SECOND = timedelta(seconds=1)
FOOTER = "\n--\n"
# What has digits and is no figure: addresses, names, commands' other arguments, the numbers of remedies.
NO_FIGURES = re.compile(
    r"https?://\S+|arn:\S+|fs-[0-9a-f]+|\b[a-z]{2}-[a-z]+-\d\b|\b\d{12}\b|--\w+\S*|nfsiostat 5 3|Remedy 1 below|"
    r"\b[123]\. (?=[A-Z])|s3"
)


def wrong_figures(played: Played) -> list[str]:
    """A sentence for each figure that is not so, and for each that nobody checks."""
    return [
        f"{mail.time:%a %H:%M} {mail.subject}: {sentence}"
        for mail in played.sandbox.mailbox.mails
        for sentence in wrong_in(mail, played)
    ]


def wrong_in(mail: Mail, played: Played) -> list[str]:
    """What is wrong with the figures of a mail.

    A scheduled function is due at any second of the minute before, and its hour began an hour before that.
    """
    leads, last_told = lead_minutes_at(played.player, mail.time), _last_told(mail, played)
    pace_minutes = DRAINING_MINUTES if mail.subject.startswith("DRAINING") else PACE_MINUTES
    fewest: list[str] | None = None
    for asked in (mail.time, mail.time - MINUTE / 2, mail.time - MINUTE + A_SECOND, mail.time - MINUTE):
        known = Known(played.player, mail.time, asked, leads, last_told, pace_minutes)
        wrong = list(_sentences(_text(mail), known))
        fewest = wrong if fewest is None or len(wrong) < len(fewest) else fewest
        if not fewest:
            break
    return fewest or []


def _sentences(text: str, known: Known) -> Iterator[str]:
    checked = list(text)
    for claim in CLAIMS:
        for found in claim.words.finditer(text):
            checked[slice(*found.span())] = " " * len(found[0])
            for told, truth, holds in claim.compare(known, found):
                if not holds:
                    yield f"{found[0]!r} says {told}, and it is {truth}"
    left = NO_FIGURES.sub(" ", "".join(checked)).replace(f"({known.player.scenario.file_system_name})", " ")
    for figure in re.finditer(r"\S*\d\S*", left):
        yield f"nobody checks {figure[0]!r} in {left[max(0, figure.start() - 60) : figure.end() + 20].strip()!r}"


def _text(mail: Mail) -> str:
    """What of a mail is written by the stack, on one line: its own mails, and the description of an alarm."""
    body = mail.body.partition(FOOTER)[0]
    if mail.body.startswith("You are receiving this email because your Amazon CloudWatch Alarm"):
        body = body.partition("- Description:")[2].partition("- State Change:")[0]
        return " ".join(body.split())
    return " ".join(f"{mail.subject} | {body}".split())


def _last_told(mail: Mail, played: Played) -> datetime | None:
    """When a mail before this one said how fast it may be driven. That alarms are active again, with other thresholds,
    the mail of one that is on tells in place of one about that.
    """
    told, is_suspended = None, False
    for one in played.sandbox.mailbox.mails:
        if one.time >= mail.time:
            break
        is_suspended = is_suspended or one.subject.startswith(SUSPENDED)
        if NAMES_REFERENCE.search(_text(one)) or (is_suspended and one.subject.startswith(OF_AN_ALARM)):
            told, is_suspended = one.time, False
    return told
