"""The three ways out, fastest first, with the exact commands and what each costs and locks."""

from math import ceil, floor

from efs_monitor import prices
from efs_monitor.credits import GIB, MIB, earned_bytes_per_second
from efs_monitor.messages.figures import money, observed_span, rate
from efs_monitor.messages.message import wrapped
from efs_monitor.messages.outlook import credits_are_gone
from efs_monitor.messages.place import Place
from efs_monitor.situation import Situation

LIST_PRICE = f"Price ({prices.REGION} list)"
MINUTES_PER_HOUR = 60
# UpdateFileSystem accepts 1 to 3414, with a lower limit in most Regions.
HIGHEST_PROVISIONED_MIB_PER_SECOND = 3414

INDENT = "   "


def elastic_command(file_system_id: str, place: Place) -> str:
    """The command that takes the limit off at once, whatever the balance."""
    return place.aws_command(f"efs update-file-system --file-system-id {file_system_id} --throughput-mode elastic")


def provisioned_command(file_system_id: str, mib_per_second: int | str, place: Place) -> str:
    """The command that sets a fixed limit in place of the one that the size earns."""
    return place.aws_command(
        f"efs update-file-system --file-system-id {file_system_id} --throughput-mode provisioned "
        f"--provisioned-throughput-in-mibps {mib_per_second}"
    )


def remedies(file_system_id: str, situation: Situation | None, place: Place) -> list[str]:
    """Paragraphs: a heading, then each remedy. Without a `situation` they need no figures."""
    return [
        "WHAT TO DO, fastest first",
        *_elastic(file_system_id, situation, place),
        *_provisioned(file_system_id, situation, place),
        *_less_load(),
    ]


def provisioned_mib_per_second(situation: Situation) -> int | None:
    """What to provision: the last hour's metered average rounded up, and more than the size earns anyway.

    None where that is more than Amazon EFS provisions at all.
    """
    average = situation.activity.metered_bytes_per_second if situation.activity else 0.0
    needed = max(ceil(average / MIB), floor(situation.baseline_bytes_per_second / MIB) + 1)
    return needed if needed <= HIGHEST_PROVISIONED_MIB_PER_SECOND else None


def _elastic(file_system_id: str, situation: Situation | None, place: Place) -> list[str]:
    return [
        "1. Switch to elastic throughput. Works at once, at zero credits too.",
        INDENT + elastic_command(file_system_id, place),
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
        f"month; more where operations are small, because each counts as {prices.SMALLEST_DATA_OPERATION_KIB} KiB or "
        f"more, one on metadata as {prices.SMALLEST_METADATA_OPERATION_KIB} KiB or more."
    )


def _provisioned(file_system_id: str, situation: Situation | None, place: Place) -> list[str]:
    heading = "2. Provision throughput: a fixed limit at a fixed price. Works at zero credits too."
    price = f"{LIST_PRICE}: {money(prices.PROVISIONED.dollars)} per MiB/s-month above what the size earns"
    lock = "Limits: for 24 hours afterwards no change of mode and no decrease. An increase is always possible."
    if situation is None:
        amount = "N is the MiB/s that the load needs. It must be more than the size earns: 50 MiB/s per TiB stored."
        return [heading, INDENT + provisioned_command(file_system_id, "N", place), _lines(amount, f"{price}.", lock)]
    mib_per_second = provisioned_mib_per_second(situation)
    if mib_per_second is None:
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
        INDENT + provisioned_command(file_system_id, mib_per_second, place),
        _lines(
            _why_this_much(situation, mib_per_second),
            f"{price} ({rate(earned_bytes)}): {money(monthly_dollars)} a month for {mib_per_second:,} MiB/s.",
            lock,
        ),
    ]


def _why_this_much(situation: Situation, mib_per_second: int) -> str:
    activity = situation.activity
    baseline = rate(situation.baseline_bytes_per_second)
    if activity is None or activity.observed_minutes == 0:
        return (
            f"{mib_per_second:,} MiB/s is only just more than the {baseline} that are left without credits. What the "
            f"load needs is not known: choose a higher number."
        )
    span = observed_span(activity.observed_minutes)
    average = rate(activity.metered_bytes_per_second)
    if credits_are_gone(situation):
        return (
            f"{mib_per_second:,} MiB/s is only just more than the {baseline} of now. Clients got {average} on average "
            f"in {span} and may want more: choose a higher number."
        )
    return (
        f"{mib_per_second:,} MiB/s covers the average of {span} ({average} as metered; {baseline} is there without "
        f"credits). Peaks above it are cut off: they need more."
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
