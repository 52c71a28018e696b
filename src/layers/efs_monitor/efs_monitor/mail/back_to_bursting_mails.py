"""The Advice mails of a mode in which credits mean nothing: the way back to bursting is open, and what a day cost."""

from datetime import datetime, timedelta

from efs_monitor.costs import prices
from efs_monitor.costs.mode_costs import DAYS_A_MONTH, FixedRate
from efs_monitor.efs.credits import SECONDS_PER_MINUTE, earned_bytes_per_second, minutes_left
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.metering import SMALLEST_DATA_OPERATION_KIB, SMALLEST_METADATA_OPERATION_KIB
from efs_monitor.incidents.back_to_bursting import DayOnCredits
from efs_monitor.incidents.recurring_load import ENOUGH_MINUTES
from efs_monitor.mail.chat import ChatStep, chat
from efs_monitor.mail.layout import INDENT, Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.mode_changes import LIST_PRICE, LOCKS, PROVISIONED_LOCK, provisioned_command
from efs_monitor.mail.numbers import (
    MINUTES_PER_DAY,
    at_least,
    at_least_size,
    clock,
    counted,
    duration,
    money,
    money_rounded_down,
    rate,
    rates,
    size,
)
from efs_monitor.mail.stack_context import StackContext

LONGEST_KNOWN = timedelta(days=7)
A_MINUTE = timedelta(minutes=1)


def bursting_command(file_system_id: str, stack: StackContext) -> str:
    """The command that goes back to burst credits."""
    return stack.aws_command(f"efs update-file-system --file-system-id {file_system_id} --throughput-mode bursting")


def back_to_bursting(
    file_system: FileSystem,
    since: datetime,
    dollars: float,
    day: DayOnCredits | None,
    stack: StackContext,
    now: datetime,
    cheaper: FixedRate | None = None,
    *,
    enough_was_told: bool = False,
) -> Message:
    """The mode may be changed again: what it has cost `since`, and what the last `day` would have been on credits.

    Where they would not have been enough, a rate that would be far `cheaper` than elastic throughput. `enough_was_told`
    where an earlier mail has said of another day that they would: then it comes once a week at most.
    """
    file_system_id, mode = file_system.file_system_id, _mode(file_system)
    outcome, spent = "the throughput mode is unlocked", ""
    if day is not None:
        # Of elastic throughput it is the least, as in the text.
        is_the_least = file_system.mode is ThroughputMode.ELASTIC
        spent = f", {mode} cost {money_rounded_down(dollars) if is_the_least else money(dollars)}"
        if now - since > LONGEST_KNOWN:
            spent += f" in {LONGEST_KNOWN.days} days"
        outcome = _verdict(day)
    heading = _heading(day)
    unlocked = (
        f"{titled(file_system)} {_has_been(file_system)} since {clock(since, now)}, as far as is known. The 24 hours "
        f"in which AWS refuses another change are over."
    )
    command = bursting_command(file_system_id, stack)
    return compose(
        subject=f"INFO: {outcome}{spent}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(unlocked),
            wrapped(_spent(file_system, since, dollars, now)),
            wrapped(_on_credits(day, now)),
            *(_fixed_rate(file_system, cheaper, "the last 24 hours", stack) if cheaper else ()),
            heading,
            INDENT + command,
            wrapped(
                f"It locks the mode for 24 hours once more. The alarms are active again within the hour: those whose "
                f"thresholds are above the balance go off, rightly.{_limited_at_once(day)}"
            ),
            wrapped(_repeats(file_system, cheaper, is_first=not enough_was_told and (day is None or not day.suffices))),
            *links(stack, "going-back", file_system_id),
        ],
        short=f"INFO {file_system_id}: {outcome}{spent}.",
        chat=chat(
            stack,
            file_system_id,
            "going-back",
            [unlocked, _spent(file_system, since, dollars, now), _on_credits(day, now)],
            [*_step(file_system_id, cheaper, stack), ChatStep(words=heading.capitalize(), command=command)],
        ),
    )


def elastic_day(
    file_system: FileSystem,
    dollars: float,
    limit_dollars: int,
    since: datetime,
    stack: StackContext,
    now: datetime,
    cheaper: FixedRate | None = None,
    *,
    last_balance_bytes: float | None = None,
) -> Message:
    """Elastic throughput cost more than `limit_dollars` in the last 24 hours, or `since` it was chosen; a rate that
    would be far `cheaper`, with its command once AWS takes it. Whoever goes back begins with the last balance.
    """
    file_system_id = file_system.file_system_id
    day_ago = now - timedelta(days=1)
    is_whole = since <= day_ago
    span = "the last 24 hours" if is_whole else f"the time since {clock(since, now)}"
    minutes = MINUTES_PER_DAY if is_whole else (now - since) / A_MINUTE
    spent = f"{money_rounded_down(dollars, limit_dollars)} in {duration(minutes)}"
    month = f" A month of such days costs {money(dollars * DAYS_A_MONTH)}." if is_whole else ""
    unlocked = since + timedelta(days=1)
    dear = (
        f"What was read and written on {titled(file_system)} in {span} cost "
        f"{at_least(dollars, limit_dollars)}: more than the {money(limit_dollars)} a day of ElasticDailyUSD.{month}"
    )
    possible = _possible(file_system, unlocked, now, cheaper, last_balance_bytes)
    find = f"Find the load, and ask whether it is meant. {possible}"
    not_before = clock(unlocked, now) if unlocked > now else ""
    return compose(
        subject=f"INFO: elastic throughput cost {spent}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(f"{dear} {_COUNTED}"),
            wrapped(find),
            *(_fixed_rate(file_system, cheaper, span, stack, not_before) if cheaper else ()),
            wrapped("This mail comes once a day at most."),
            *links(stack, "elastic-throughput-is-dear", file_system_id),
        ],
        short=f"INFO {file_system_id}: elastic throughput cost {spent}.",
        chat=chat(
            stack,
            file_system_id,
            "elastic-throughput-is-dear",
            [dear, find],
            _step(file_system_id, cheaper, stack, not_before),
        ),
    )


def _possible(
    file_system: FileSystem,
    unlocked: datetime,
    now: datetime,
    cheaper: FixedRate | None,
    last_balance_bytes: float | None,
) -> str:
    """From when another mode is possible, and with what bursting would begin; or why none is."""
    if file_system.archive_bytes:
        return (
            f"AWS refuses another throughput mode while data is in Archive ({size(file_system.archive_bytes)}), which "
            f"only elastic throughput has."
        )
    change = "A fixed rate, or going back to bursting," if cheaper else "Going back to bursting"
    not_yet = "" if unlocked <= now else f" from {clock(unlocked, now)}, as far as is known"
    begins = (
        f" Bursting would begin with the last balance that is known ({size(last_balance_bytes)}): go back once a mail "
        f"says that this would be enough."
        if last_balance_bytes is not None
        else ""
    )
    return f"{change} is possible{not_yet}, and locks the mode for 24 hours once more.{begins}"


def _verdict(day: DayOnCredits) -> str:
    if day.is_idle:
        return "the mode is unlocked after an idle day"
    if day.suffices:
        return "bursting would be enough again"
    return "bursting may be enough again" if day.would_suffice else "bursting would not be enough yet"


def _heading(day: DayOnCredits | None) -> str:
    if day is not None and day.suffices:
        return "GOING BACK"
    if day is not None and day.is_idle:
        return "GOING BACK, if the load does not come again"
    if day is not None and day.would_suffice:
        return "GOING BACK, if the load wants no more than it got"
    return "GOING BACK, once the load is another"


def _fixed_rate(
    file_system: FileSystem, cheaper: FixedRate, span: str, stack: StackContext, not_before: str = ""
) -> list[str]:
    """The fixed rate that is far cheaper, with its price and its command, and `not_before` when AWS takes that."""
    amount = f"{cheaper.mib_per_second:,} MiB/s"
    earned = rate(earned_bytes_per_second(file_system.standard_bytes))
    covers = (
        f"{amount} covers the busiest five minutes of {span} ({rate(cheaper.busiest_bytes_per_second)} as metered). "
        f"Peaks above it are cut off: they need a higher number."
    )
    price = (
        f"{LIST_PRICE}: {money(prices.PROVISIONED.dollars)} per MiB/s-month above what the size earns ({earned}): "
        f"{money(cheaper.day_dollars)} a day, {money(cheaper.month_dollars)} a month for {amount}."
    )
    return [
        "A FIXED RATE, far cheaper than elastic throughput while the load stays",
        *([f"Not before {not_before}, as far as is known: until then AWS refuses it."] if not_before else ()),
        INDENT + provisioned_command(file_system.file_system_id, cheaper.mib_per_second, stack),
        "\n".join(wrapped(sentence, INDENT) for sentence in (covers, price, PROVISIONED_LOCK)),
    ]


def _step(file_system_id: str, cheaper: FixedRate | None, stack: StackContext, not_before: str = "") -> list[ChatStep]:
    """The fixed rate as a step for a chat, with its price and its command; none where it is not far cheaper."""
    if cheaper is None:
        return []
    when = f", not before {not_before}" if not_before else ""
    words = f"A fixed rate, far cheaper: {money(cheaper.day_dollars)} a day{LOCKS}{when}"
    return [ChatStep(words=words, command=provisioned_command(file_system_id, cheaper.mib_per_second, stack))]


def _repeats(file_system: FileSystem, cheaper: FixedRate | None, *, is_first: bool) -> str:
    """When this mail comes again; `is_first` where no day has been told yet that would have been enough."""
    other = "a fixed rate would be far cheaper" if cheaper else ""
    if file_system.mode is ThroughputMode.PROVISIONED:
        other = "a day was idle"
    if not is_first:
        when = f"a day would have been enough or {other}" if other else "a day would have been enough"
        return f"This mail comes again when {when}, once a week at most."
    rest = f"and once a week at most when {other}" if other else "then once a week at most"
    return f"This mail comes again on the first day that would have been enough, {rest}."


_COUNTED = (
    f"These are list prices of {prices.REGION}; each operation is counted as {SMALLEST_DATA_OPERATION_KIB} KiB or "
    f"more, one on metadata as {SMALLEST_METADATA_OPERATION_KIB} KiB or more."
)


def _mode(file_system: FileSystem) -> str:
    return "elastic" if file_system.mode is ThroughputMode.ELASTIC else "provisioned"


def _has_been(file_system: FileSystem) -> str:
    """What is so since the mode began, or since less was provisioned in it. More may have been provisioned since then,
    so that the rate of now is the highest.
    """
    if file_system.mode is ThroughputMode.ELASTIC:
        return "has been in elastic throughput"
    return f"has had up to {rate(file_system.provisioned_bytes_per_second)} provisioned"


def _spent(file_system: FileSystem, since: datetime, dollars: float, now: datetime) -> str:
    span = "since then" if now - since <= LONGEST_KNOWN else "in the last 7 days"
    if file_system.mode is ThroughputMode.ELASTIC and not dollars:
        return f"CloudWatch knows of nothing that was read or written {span}, so of no cost."
    if file_system.mode is ThroughputMode.ELASTIC:
        return f"What was read and written cost {at_least(dollars)} {span}. {_COUNTED}"
    earned = rate(earned_bytes_per_second(file_system.standard_bytes))
    return (
        f"Now it has {rate(file_system.provisioned_bytes_per_second)} provisioned: what was above the {earned} that "
        f"the size earns cost about {money(dollars)} {span}, by list prices of {prices.REGION}."
    )


def _limited_at_once(day: DayOnCredits | None) -> str:
    """The sentence that the way back begins at the limit, where too little for a minute was left; else empty."""
    if day is None or not day.is_limited_at_once:
        return ""
    return (
        f" With the last balance that is known ({size(day.opening_bytes)}) everything is limited to "
        f"{rate(day.baseline_bytes_per_second)} at once."
    )


def _on_credits(day: DayOnCredits | None, now: datetime) -> str:
    if day is None:
        return (
            "Whether the last 24 hours would have lasted on credits is not known: CloudWatch has too little of them, "
            "or no balance."
        )
    if day.is_idle:
        moved = f"next to nothing ({size(day.moved_bytes)} as metered)" if day.moved_bytes else "nothing"
        return (
            f"In the last 24 hours clients moved {moved}, as far as CloudWatch knows: whether credits would be "
            f"enough for a load is not known. The last balance that is known is {size(day.opening_bytes)}."
        )
    opening = f"the last balance that is known ({size(day.opening_bytes)})"
    measured = f"The last 24 hours, in which clients moved {size(day.moved_bytes)} as metered, would"
    permitted = rate(day.reference_bytes_per_second)
    if day.gone is not None:
        limit = rate(day.baseline_bytes_per_second)
        gone = "at once" if day.gone_at_once else f"at about {clock(day.gone, now)}"
        lived = (
            f"{measured} not have lasted on credits: begun with {opening}, they would have been gone {gone}, and "
            f"everything limited to {limit}."
        )
    else:
        wanted = ", had they wanted no more" if day.held_minutes else ""
        lived = (
            f"{measured} have lasted on credits{wanted}: begun with {opening}, {at_least_size(day.lowest_bytes)} "
            f"would have been left, at about {clock(day.lowest_time, now)}. That is "
            f"{_minutes_of(day.lowest_bytes, day)} at {permitted}."
        )
        if day.gone_the_next_day is not None:
            lived += (
                f" But another day like it, begun with what is left then, would end them at about "
                f"{day.gone_the_next_day:%H:%M} UTC."
            )
        elif day.lost_bytes:
            lived += f" But another day like it would end with {size(day.lost_bytes)} less, and so on until they end."
        elif day.lowest_bytes - day.lowest_the_next_day_bytes >= SECONDS_PER_MINUTE * day.reference_bytes_per_second:
            lived += (
                f" But another day like it would leave {size(day.lowest_the_next_day_bytes)} at about "
                f"{day.lowest_the_next_day_time:%H:%M} UTC: {_minutes_of(day.lowest_the_next_day_bytes, day)}."
            )
        elif day.lowest_bytes < day.enough_bytes:
            lived += f" With less than {ENOUGH_MINUTES} minutes left, a little more load would end them"
            lived += ": it is too early." if day.leaves_little else "."
    if day.held_minutes:
        lived += (
            f" In {counted(day.held_minutes)} clients took all "
            f"{_held_at(day)} that were permitted: what more they wanted is in no metric."
        )
    if not day.faster_minutes:
        return lived
    return f"{lived} In {counted(day.faster_minutes)} clients moved more than the {permitted} that credits permit."


def _held_at(day: DayOnCredits) -> str:
    """The rate that held clients down, or between which two it was."""
    held = rates(day.least_held_bytes_per_second, day.held_bytes_per_second)
    return held if held == rate(day.held_bytes_per_second) else f"of the {held}"


def _minutes_of(balance_bytes: float, day: DayOnCredits) -> str:
    """How long so much lasts, driven as fast as credits permit."""
    left = int(minutes_left(balance_bytes, day.reference_bytes_per_second))
    return counted(left) if left else "less than 1 minute"
