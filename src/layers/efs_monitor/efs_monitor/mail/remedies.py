"""The three ways out, fastest first, with the exact commands and what each costs and locks."""

from math import ceil

from efs_monitor.efs.credits import GIB, MIB, earned_bytes_per_second
from efs_monitor.efs.metering import SMALLEST_DATA_OPERATION_KIB, SMALLEST_METADATA_OPERATION_KIB
from efs_monitor.efs.observations import Activity
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail import prices
from efs_monitor.mail.layout import wrapped
from efs_monitor.mail.numbers import money, observed_span, rate
from efs_monitor.mail.outlook import credits_are_gone
from efs_monitor.mail.stack_context import StackContext

LIST_PRICE = f"Price ({prices.REGION} list)"
MINUTES_PER_HOUR = 60
# UpdateFileSystem accepts 1 to 3414, with a lower limit in most Regions.
HIGHEST_PROVISIONED_MIB_PER_SECOND = 3414
# What clients get without credits is metered as a little more than they are permitted now and then.
HELD_DOWN = 1.1

INDENT = "   "


def elastic_command(file_system_id: str, stack: StackContext) -> str:
    """The command that takes the limit off at once, whatever the balance."""
    return stack.aws_command(f"efs update-file-system --file-system-id {file_system_id} --throughput-mode elastic")


def provisioned_command(file_system_id: str, mib_per_second: int | str, stack: StackContext) -> str:
    """The command that sets a fixed limit in place of the one that the size earns."""
    return stack.aws_command(
        f"efs update-file-system --file-system-id {file_system_id} --throughput-mode provisioned "
        f"--provisioned-throughput-in-mibps {mib_per_second}"
    )


def remedies(file_system_id: str, situation: Situation | None, stack: StackContext) -> list[str]:
    """Paragraphs: a heading, then each remedy. Without a `situation` they need no figures."""
    return [
        "WHAT TO DO, fastest first",
        *_elastic(file_system_id, situation, stack),
        *_provisioned(file_system_id, situation, stack),
        *_less_load(),
    ]


def needed_mib_per_second(situation: Situation) -> int | None:
    """What the load needs: the metered rate of its busiest five minutes of the last hour, rounded up.

    None where the hour does not tell. Provisioned throughput cannot be taken back for a day, so a number that is no
    more than what is there without credits would hold down the load that comes back; and a load that is held down
    already shows no more than that.
    """
    activity = situation.activity
    if activity is None:
        return None
    there_bytes = situation.baseline_bytes_per_second
    if credits_are_gone(situation):
        there_bytes *= HELD_DOWN
    busiest_bytes = activity.busiest_bytes_per_second
    return ceil(busiest_bytes / MIB) if busiest_bytes > there_bytes else None


def _elastic(file_system_id: str, situation: Situation | None, stack: StackContext) -> list[str]:
    return [
        "1. Switch to elastic throughput. Works at once, at zero credits too.",
        INDENT + elastic_command(file_system_id, stack),
        _lines(
            f"{LIST_PRICE}: {money(prices.ELASTIC_READ.dollars)} per GB read, "
            f"{money(prices.ELASTIC_WRITTEN.dollars)} per GB written.{_elastic_estimate(situation)}",
            "Limits: AWS allows one change of mode in 24 hours, so there is no way back for a day. Only file "
            "systems in General Purpose performance mode can do this.",
        ),
    ]


def _elastic_estimate(situation: Situation | None) -> str:
    activity = situation.activity if situation else None
    if situation is None or activity is None or activity.observed_minutes == 0:
        return ""
    span = observed_span(activity.observed_minutes)
    if activity.shares() is None:
        return f" Clients moved no bytes in {span}: what their work would cost is not known."
    # A lower bound: metadata counts as read, which is cheaper, and bytes as they went over the network.
    observed_dollars = (
        (activity.read_bytes + activity.metadata_bytes) * prices.ELASTIC_READ.dollars
        + activity.written_bytes * prices.ELASTIC_WRITTEN.dollars
    ) / GIB
    hourly_dollars = observed_dollars * MINUTES_PER_HOUR / activity.observed_minutes
    limited = ", limited as they were," if credits_are_gone(situation) else ""
    return (
        f" At the rates of {span}{limited} that is at least "
        f"{money(hourly_dollars)} an hour, or {money(hourly_dollars * prices.HOURS_PER_MONTH)} if it went on for a "
        f"month; more where operations are small, because each counts as {SMALLEST_DATA_OPERATION_KIB} KiB or "
        f"more, one on metadata as {SMALLEST_METADATA_OPERATION_KIB} KiB or more."
    )


def _provisioned(file_system_id: str, situation: Situation | None, stack: StackContext) -> list[str]:
    heading = "2. Provision throughput: a fixed limit at a fixed price. Works at zero credits too."
    price = f"{LIST_PRICE}: {money(prices.PROVISIONED.dollars)} per MiB/s-month above what the size earns"
    lock = "Limits: for 24 hours afterwards no change of mode and no decrease. An increase is always possible."
    if situation is None:
        amount = "N is the MiB/s that the load needs. It must be more than the size earns: 50 MiB/s per TiB stored."
        return [heading, INDENT + provisioned_command(file_system_id, "N", stack), _lines(amount, f"{price}.", lock)]
    activity, mib_per_second = situation.activity, needed_mib_per_second(situation)
    if activity is None or mib_per_second is None:
        why = _why_no_number(situation)
        return [heading, INDENT + provisioned_command(file_system_id, "N", stack), _lines(why, f"{price}.", lock)]
    if mib_per_second > HIGHEST_PROVISIONED_MIB_PER_SECOND:
        return [
            wrapped(
                f"2. Provisioned throughput does not help here: it ends at "
                f"{HIGHEST_PROVISIONED_MIB_PER_SECOND:,} MiB/s, and this load needs more."
            )
        ]
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    monthly_dollars = (mib_per_second - earned_bytes / MIB) * prices.PROVISIONED.dollars
    return [
        heading,
        INDENT + provisioned_command(file_system_id, mib_per_second, stack),
        _lines(
            _why_this_much(situation, activity, mib_per_second),
            f"{price} ({rate(earned_bytes)}): {money(monthly_dollars)} a month for {mib_per_second:,} MiB/s.",
            lock,
        ),
    ]


def _why_no_number(situation: Situation) -> str:
    activity = situation.activity
    baseline = rate(situation.baseline_bytes_per_second)
    if activity is None or activity.observed_minutes == 0:
        return (
            f"N is the MiB/s that the load needs, which is not known. It must be well above the {baseline} that are "
            f"there without credits: N is a limit for a day."
        )
    span = observed_span(activity.observed_minutes)
    return (
        f"N is the MiB/s that the load needs, which cannot be told from {span}: clients got "
        f"{rate(activity.busiest_bytes_per_second)} in its busiest five minutes, and {baseline} are there without "
        f"credits. Hardly more than that would hold the load down for a day."
    )


def _why_this_much(situation: Situation, activity: Activity, mib_per_second: int) -> str:
    span = observed_span(activity.observed_minutes)
    more = (
        "Clients were limited since, and may want more" if credits_are_gone(situation) else "Peaks above it are cut off"
    )
    return (
        f"{mib_per_second:,} MiB/s covers the busiest five minutes of {span} "
        f"({rate(activity.busiest_bytes_per_second)} as metered; {rate(activity.metered_bytes_per_second)} on average; "
        f"{rate(situation.baseline_bytes_per_second)} is there without credits). {more}: they need a higher number."
    )


def _less_load() -> list[str]:
    return [
        "3. Slow down, pause or move the load. Free. To find it, run this on each client:",
        f"{INDENT}nfsiostat 5 3",
        _lines(
            "The client with the most kB/s or ops/s on this file system is the one. Pause its job, or let it work on "
            "another disk.",
            f"Storing more data is no way out once credits are nearly gone: the size is metered about once an hour, "
            f"and a whole TiB more earns only 50 MiB/s ({money(prices.STANDARD_STORAGE.dollars)} per GB-month, "
            f"{prices.REGION} list).",
        ),
    ]


def _lines(*sentences: str) -> str:
    return "\n".join(wrapped(sentence, INDENT) for sentence in sentences)
