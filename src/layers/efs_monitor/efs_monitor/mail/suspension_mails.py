"""The mails about alarms that are suspended, for burst credits mean nothing in another throughput mode, and that act
again.
"""

from collections.abc import Sequence

from efs_monitor.alarms.alarm import LEAD_ALARMS, AlarmKind
from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.decision import Decision
from efs_monitor.efs.credits import threshold_bytes
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Taken
from efs_monitor.incidents.identity import EndedByMode
from efs_monitor.mail.chat import chat
from efs_monitor.mail.descriptions import why_credits_mean_nothing
from efs_monitor.mail.layout import Message, compose, enumerated, listed, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import clock, counted, rate, size, up_to
from efs_monitor.mail.overtaken_alarm_mails import takes_all_provisioned, took_more_than_provisioned
from efs_monitor.mail.stack_context import StackContext

# Who goes back as soon as AWS lets them is at zero at once, and locked there.
NOT_BACK_YET = (
    "AWS refuses the way back for a day. No credits come back meanwhile: bursting would begin with what was left, "
    "locked for a day. A mail tells when it would be enough."
)

# What notify/threshold_news.py does, in words: who reads other thresholds in CloudWatch by then is to know why.


def suspended(
    decision: Decision, stack: StackContext, ended: EndedByMode | None = None, taken: Taken | None = None
) -> Message:
    """The alarms on credits fall silent, because burst credits mean nothing at the moment; and with them the incident
    that the change of mode has `ended`. What clients have `taken` tells whether a provisioned rate holds them down.
    """
    file_system = decision.file_system
    elastic = file_system.mode is ThroughputMode.ELASTIC
    mode = "elastic" if elastic else "provisioned"
    instead = (
        "No action is needed. Nothing limits it in the way credits did, but every byte read and written is billed now: "
        "keep an eye on that."
        if elastic
        else f"Its limit is now {rate(file_system.provisioned_bytes_per_second)} at any time, with no bursts above it. "
        f"{_enough_provisioned(file_system, taken)}"
    )
    silent = (
        f"The alarms on burst credits are suspended: {titled(file_system)} {why_credits_mean_nothing(file_system)}."
    )
    limit = f"limited to {rate(file_system.provisioned_bytes_per_second)}"
    limits = _limits(file_system, taken)
    head, outcome, over = "INFO", f"alarms suspended, {limit if limits else f'{mode} throughput'}", []
    if ended:
        still = "still " if AlarmKind.EXHAUSTED in ended.alarms else ""
        head, outcome = "RECOVERED", f"over by {mode} throughput, {f'{still}{limit}' if limits else 'alarms suspended'}"
        over = [_over(file_system, ended, "over as far as credits go" if limits else "over")]
        # With data in Archive there is no way back.
        instead += f" {NOT_BACK_YET}" if elastic and not file_system.archive_bytes else ""
    return compose(
        subject=f"{head}: {outcome}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            *map(wrapped, over),
            wrapped(silent),
            wrapped(instead),
            wrapped(
                "Meanwhile the alarms stay OK and tell nobody. They resume by themselves, with thresholds worked "
                "out afresh, within about an hour of the file system living on burst credits again: a mail says so, or "
                "that of an alarm which goes off then."
            ),
            *links(stack, "suspended", file_system.file_system_id),
        ],
        short=f"{head} {file_system.file_system_id}: {outcome}. They resume by themselves.",
        chat=chat(stack, file_system.file_system_id, "suspended", [*over, silent, instead]),
    )


def _limits(file_system: FileSystem, taken: Taken | None) -> str:
    """The sentence that less is provisioned than clients have taken before; empty where it is not, or nobody knows."""
    if taken is None:
        return ""
    return took_more_than_provisioned(file_system, taken.busiest_bytes_per_second, taken.known_minutes)


def _enough_provisioned(file_system: FileSystem, taken: Taken | None) -> str:
    takes_all = taken and takes_all_provisioned(file_system, taken.lately_bytes_per_second)
    enough = "Should clients want more, provision more: no lock keeps you from that."
    return _limits(file_system, taken) or takes_all or enough


def _over(file_system: FileSystem, ended: EndedByMode, over: str) -> str:
    began = f" that began at {clock(ended.began, ended.time)}" if ended.began is not None else ""
    one = len(ended.alarms) == 1
    names = enumerated(ended.alarms)
    return (
        f"The incident on {titled(file_system)}{began} is {over}, by a change of the throughput mode. {names} "
        f"{'was' if one else 'were'} on and {'is' if one else 'are'} set to OK, which closes what a pager has open of "
        f"{'it' if one else 'them'}."
    )


def resumed(
    decision: Decision,
    stack: StackContext,
    ending_unheard: Sequence[AlarmKind] = (),
    newest_balance_bytes: float | None = None,
) -> Message:
    """The alarms on credits act again; those `ending_unheard` send an OK after an ALARM that nobody got."""
    file_system = decision.file_system
    settings, reference = decision.settings, decision.reference.bytes_per_second
    permitted = up_to(rate(reference), may_be_less=decision.reference.may_be_capped)
    active = (
        f"The alarms on the burst credits of {titled(file_system)} are active again: it lives on them again, and may "
        f"be driven at {permitted} while they last."
    )
    real = (
        "They do so by themselves. A balance that is low already sets off its alarm within minutes, and that mail is "
        "a real one."
    )
    over = [_over_unheard(ending_unheard)] if ending_unheard else []
    return compose(
        subject=f"INFO: alarms active again, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(active),
            wrapped(real),
            *map(wrapped, over),
            listed(
                *([f"Newest balance: {size(newest_balance_bytes)}"] if newest_balance_bytes is not None else []),
                *(
                    f"{kind.capitalize()}, {counted(minutes)} ahead: below {size(threshold_bytes(minutes, reference))}"
                    for kind in LEAD_ALARMS
                    if (minutes := settings.lead_minutes(kind))
                ),
            ),
            *links(stack, "resumed", file_system.file_system_id),
        ],
        short=f"INFO {file_system.file_system_id}: burst credit alarms are active again.",
        chat=chat(stack, file_system.file_system_id, "resumed", [active, real, *over]),
    )


def _over_unheard(alarms: Sequence[AlarmKind]) -> str:
    one = len(alarms) == 1
    return (
        f"{enumerated(alarms)} went off unheard while the alarms were silent, for a balance that is above "
        f"{'its threshold' if one else 'their thresholds'} again. After {counted(EVALUATION_MINUTES)} above "
        f"{'it ends, and its OK' if one else 'they end, and the OK of each'} asks for nothing."
    )
