"""What the figures of `mail/figureless_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from proofs.figures.claims.claim import CLOCK, RATE, Comparison, alarm_went_on, claim, rate, size
from proofs.figures.known import MINUTE, Known, lowest_bytes
from proofs.figures.readings import clock, is_clock


@claim(
    rf"its (?P<alarm>Warning|Critical|Exhausted) alarm is on. .* CloudWatch's reason for the alarm "
    rf"\((?P<time>{CLOCK})\): "
    r"Threshold Crossed: 1 out of the last 15 datapoints \[(?P<balance>\S+) \((?P<minute>[^)]+)\)\] was less than the "
    r"threshold \((?P<threshold>\S+)\) \(minimum 1 datapoint for OK -> ALARM transition\)"
)
def _reason(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    went_on = alarm_went_on(told["alarm"], known)
    minute = datetime.strptime(told["minute"], "%d/%m/%y %H:%M:%S").replace(tzinfo=UTC)
    balance_bytes = lowest_bytes(known.player.lived[known.player.minute_at(minute)])
    threshold_bytes = known.threshold_bytes(known.lead_minutes[told["alarm"].lower()])
    yield told["time"], went_on, is_clock(told["time"], went_on, known.time, MINUTE)
    yield told["balance"], balance_bytes, float(told["balance"]) == balance_bytes
    yield told["threshold"], threshold_bytes, float(told["threshold"]) == threshold_bytes


@claim(
    rf"CloudWatch's reason for the alarm \((?P<time>{CLOCK})\): LATE METRICS: The balance was (?P<balance>{RATE}) GiB "
    rf"at (?P<minute>{CLOCK}), below the threshold\. The newest datapoint of \S+ is (?P<age>\d+) minutes old\. "
    r"CloudWatch looks back 15,"
)
def _reason_of_late_metrics(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The monitor sets the alarm itself when metrics are late. Its reason keeps what was so at that moment: the balance
    of the newest minute, and how old that was.
    """
    minute = clock(told["minute"], known.time)
    balance_bytes = lowest_bytes(known.player.lived[known.player.minute_at(minute)])
    set_at = clock(told["time"], known.time)
    was_known = (one for one in known.player.lived if one.visible_at is not None and one.visible_at <= set_at)
    age = (set_at - known.player.time_of(max(one.minute for one in was_known))) / MINUTE
    yield size(told["balance"], balance_bytes)
    yield told["age"], age, abs(int(told["age"]) - age) <= 1


@claim(
    rf"CloudWatch's reason for the alarm \((?P<time>{CLOCK})\): LATE METRICS, UNSEEN: The newest datapoint of \S+ is "
    rf"(?P<age>\d+) minutes old: the balance was (?P<balance>{RATE}) GiB at (?P<minute>{CLOCK}), and fell by "
    rf"(?P<pace>{RATE}) MiB/s\. If that went on, it lasts less than (?P<lead>\d+) minutes from now\."
)
def _reason_of_a_fall_that_nobody_saw(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The pace since the highest balance of the ten minutes before that one."""
    yield from _reason_of_late_metrics(known, told)
    lived, newest = known.player.lived, known.player.minute_at(clock(told["minute"], known.time))
    highest = max(range(newest, newest - 11, -1), key=lambda minute: lowest_bytes(lived[minute]))
    lost_bytes = lowest_bytes(lived[highest]) - lowest_bytes(lived[newest])
    pace = lost_bytes / ((newest - highest) * MINUTE.total_seconds())
    yield rate(told["pace"], pace)
    left_minutes = lowest_bytes(lived[newest]) / pace / MINUTE.total_seconds() - int(told["age"])
    yield told["lead"], left_minutes, left_minutes < int(told["lead"]) + 1


@claim(
    rf"CloudWatch's reason for its end \((?P<time>{CLOCK})\): LATE METRICS: For 15 minutes the balance was not below "
    rf"the threshold, at last (?P<balance>{RATE}) GiB at (?P<minute>{CLOCK})\. The newest datapoint of \S+ is "
    r"(?P<age>\d+) minutes old\. CloudWatch looks back 15,"
)
def _reason_of_a_late_end(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield from _reason_of_late_metrics(known, told)


@claim(r"CloudWatch has no datapoint of \S* ?in the last (?P<minutes>\d+) minutes")
def _no_datapoints(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Of the minutes that ended in that time, by what CloudWatch had when it was asked."""
    since = known.asked - int(told["minutes"]) * MINUTE
    times = [
        known.player.time_of(one.minute)
        for one in known.player.lived
        if one.visible_at is not None and one.visible_at <= known.asked
    ]
    newest = max(times, default=None)
    yield told["minutes"], newest, newest is None or newest < since + MINUTE
