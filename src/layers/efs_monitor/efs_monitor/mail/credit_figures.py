"""The block of figures in a mail about the balance: credits, throughput, and what clients did in the last hour."""

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import SECONDS_PER_MINUTE, earned_bytes_per_second, threshold_bytes
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Activity
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.layout import listed
from efs_monitor.mail.numbers import clock, counted, observed_span, past_span, percent, rate, size
from efs_monitor.mail.outlook import Trend, direction, driver, falls_at_the_size_before, full_speed, trend

# A pace of fewer is that of a load that has just begun.
FEW_MINUTES = 10


def facts(severity: AlarmKind, lead_minutes: int, situation: Situation) -> str:
    """One paragraph, a figure a line; what CloudWatch does not have is said to be unknown."""
    heading = f"FIGURES of {clock(situation.balances[-1].time, situation.time)}, the newest that CloudWatch has"
    figures = listed(
        (
            f"Balance: {size(situation.balance_bytes)}, {percent(situation.bucket_share)} of a full "
            f"bucket{_by_now(situation)}. {_threshold(severity, lead_minutes, situation)}"
        ),
        (
            f"Throughput ({situation.file_system.mode} mode): {rate(situation.permitted_bytes_per_second)} permitted "
            f"then, {rate(situation.baseline_bytes_per_second)} without credits.{_provisioned_in_vain(situation)}"
        ),
        *_stored(situation.file_system),
        *_movement(situation),
        *_clients(situation),
        *_benchmark(situation),
    )
    return f"{heading}\n{figures}"


def _threshold(severity: AlarmKind, lead_minutes: int, situation: Situation) -> str:
    """Below what the alarm is on; or would be, where somebody deleted it."""
    threshold = size(threshold_bytes(lead_minutes, round(situation.reference_bytes_per_second)))
    at = f" at {full_speed(situation)}" if situation.may_be_capped else ""
    below = f"on below {threshold} ({counted(lead_minutes)}{at})"
    if severity in situation.alarms_missing:
        return f"{severity.capitalize()} would be {below}, but there is no such alarm any more."
    return f"{severity.capitalize()} is {below}."


def _provisioned_in_vain(situation: Situation) -> str:
    """That what is provisioned changes nothing, where the size earns as much: whoever provisioned it paid for help."""
    file_system = situation.file_system
    provisioned, earned = file_system.provisioned_bytes_per_second, earned_bytes_per_second(file_system.standard_bytes)
    if file_system.mode is not ThroughputMode.PROVISIONED or provisioned > earned:
        return ""
    return f" The {rate(provisioned)} that are provisioned change nothing: its size earns {rate(earned)}."


def _by_now(situation: Situation) -> str:
    """What the minutes that are left are counted from, where the newest datapoint is already too high."""
    at_the_size_before = falls_at_the_size_before(situation)
    falls = at_the_size_before or trend(situation) is Trend.FALLING
    if not falls or situation.balance_bytes <= 0:
        return ""
    # Of a load that has just begun its mail tells the newest minute alone: by the pace there would be too much.
    if situation.has_just_begun and situation.may_end_before_a_pace is not None:
        return ""
    left, now = size(situation.balance_bytes_by_now), clock(situation.time, situation.time)
    pace = "the size before" if at_the_size_before else past_span(situation.pace_minutes)
    return f", {left} by {now} at the pace of {pace}"


def _stored(file_system: FileSystem) -> list[str]:
    """Why a large file system earns so little; nothing where most of it earns."""
    if not file_system.is_mostly_cold:
        return []
    earns = f"{size(file_system.standard_bytes)} in Standard, which earns credits"
    colder = "Infrequent Access and Archive, which do" if file_system.archive_bytes else "Infrequent Access, which does"
    return [f"Size: {earns}; {size(file_system.colder_bytes)} in {colder} not."]


def _movement(situation: Situation) -> list[str]:
    drain = situation.hourly_drain_bytes_per_second
    if drain is None:
        return []
    first, last = situation.balances[0], situation.balances[-1]
    change_bytes = abs(last.balance_bytes - first.balance_bytes)
    minutes = (last.time - first.time).total_seconds() / SECONDS_PER_MINUTE
    moved = {
        Trend.FALLING: f"fell by {size(change_bytes)}, {rate(drain)} net",
        Trend.RISING: f"rose by {size(change_bytes)}, {rate(-drain)} net",
        Trend.FLAT: "hardly fell" if drain > 0 else "hardly rose" if drain < 0 else "neither fell nor rose",
    }[direction(drain, situation)]
    return [f"Balance in {past_span(minutes)}: {moved}."]


def _benchmark(situation: Situation) -> list[str]:
    if not situation.benchmark:
        return []
    from efs_monitor.mail.newest_benchmark import slower_than_usual  # noqa: PLC0415 - a cold start without results does not pay for what is known of benchmarks

    slower = slower_than_usual(situation.benchmark)
    if not slower:
        return []
    newest = max(one.time for one in situation.benchmark)
    # Rates are read by the hour, and carry the time at which theirs began.
    return [f"Newest benchmark (in the hour from {clock(newest, situation.time)}), far slower than usual: {slower}."]


def _clients(situation: Situation) -> list[str]:
    activity = situation.activity
    if activity is None or activity.observed_minutes == 0:
        return ["Clients: not known, CloudWatch has no I/O metrics of the last hour."]
    span = observed_span(activity.observed_minutes)
    shares = activity.shares()
    if shares is None:
        return [f"Clients moved no bytes in {span}."]
    read, write, metadata = map(percent, shares)
    driven = [] if trend(situation) is Trend.RISING else [f"Who drives it{_driver(situation, activity)}."]
    return [
        f"Clients in {span}: {rate(activity.metered_bytes_per_second)} as metered (reads count a third).",
        f"Bytes: {read} read, {write} written, {metadata} metadata.",
        *driven,
    ]


def _driver(situation: Situation, activity: Activity) -> str:
    """What drives the load; in a fall, what drove it lately: the hour may be mostly that of a load which is over. Where
    a faster load has just begun, whose pace is of few minutes, what drove it in the last five.
    """
    if trend(situation) is not Trend.FALLING:
        return f": {driver(activity)}"
    lately = activity.just_now if situation.pace_minutes < FEW_MINUTES else activity.lately
    if lately is None or lately.shares() is None:
        return f": {driver(activity)}"
    of_the_pace = driver(lately)
    span = "" if of_the_pace == driver(activity) else f", by {past_span(lately.observed_minutes)}"
    return f"{span}: {of_the_pace}"
