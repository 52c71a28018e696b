"""What the figures of `mail/outlook.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from math import ceil, inf

from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    LAST,
    RATE,
    SPAN,
    TOLD_AHEAD_MINUTES,
    Comparison,
    claim,
    named_rate,
    rate,
    same,
    size,
    told_span,
)
from proofs.figures.fall_under_way import pace_of_the_fall
from proofs.figures.known import DRAINING_MINUTES, MINUTE, PACE_MINUTES, QUARTER_OF_AN_HOUR, Known, Window, lowest_bytes
from proofs.figures.readings import SUMMING, is_clock, is_duration, is_whole
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import METADATA_OPERATION_BYTES

# Credits for one minute at full speed that take longer do not come back.
USEFUL_TIME = timedelta(days=30)
# What ends with a minute to the byte ends a moment before it by whole bytes.
A_SECOND = timedelta(seconds=1)
# Of a mail: the newest datapoint is older.
TWO_DAYS_MINUTES = 2 * 24 * 60

AT_THE_MOST = rf"(?:, at the size of now by (?P<fastest>{RATE}) MiB/s at the most)?"


def at_the_most(told: re.Match[str], pace: Window) -> Iterator[Comparison]:
    """How fast the balance can fall by now, beside a pace that is faster; and not beside another."""
    fastest = pace.fastest_bytes_per_second
    yield told["fastest"], fastest, (told["fastest"] is None) is (fastest is None)
    if told["fastest"] and fastest is not None:
        yield rate(told["fastest"], fastest)


@claim(
    rf"Driven at (?:the permitted (?P<reference>{RATE})|(?P<at>{RATE})) MiB/s without a pause, and with what is "
    rf"earned meanwhile(?:, which the (?P<minutes>[\d,]+) minutes above leave out)?, they last (?P<span>{SPAN})"
    rf"(?:, until (?P<end>{CLOCK}))?\."
)
def _end_at_the_permitted_rate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Counted from the mail on; never of credits that may be gone by then."""
    if told["minutes"]:
        left = known.minutes_left_at(known.uncapped_bytes_per_second) if told["at"] else known.minutes_left
        yield told["minutes"], left, is_whole(told["minutes"], *left)
    if told["at"]:
        least, most = known.minutes_until_end_at(known.uncapped_bytes_per_second)
        yield from named_rate(told["at"], known)
    else:
        least, most = known.minutes_until_end_at(known.reference_bytes_per_second)
        yield rate(told["reference"], known.reference_bytes_per_second)
    yield told["span"], (least, most), most > 0 and is_duration(told["span"], least, most)
    if told["end"]:
        middle = known.asked + timedelta(minutes=(least + most) / 2)
        blur = timedelta(minutes=(most - least) / 2) + (known.time - known.asked) + A_SECOND
        yield told["end"], middle, is_clock(told["end"], middle, known.time, blur)


@claim(
    rf"The load comes and goes: over the last (?:(?P<minutes>\d+) minutes|hour) they fell by (?P<drain>{RATE}) MiB/s, "
    rf"and at that they last (?P<span>{SPAN})(?:, until (?P<end>{CLOCK}))?\."
)
def _end_with_rests(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the balance so many minutes ago and now; a third of the last quarter of an hour rose, and fell far less."""
    newest, minutes = known.newest, int(told["minutes"] or 60)
    earlier = [one for one in known.with_balance if abs(newest.minute - one.minute - minutes) <= 1]
    found = []
    for one in earlier:
        seconds = (newest.minute - one.minute) * MINUTE_SECONDS
        drain = (lowest_bytes(one) - lowest_bytes(newest)) / seconds
        end = known.newest_time + timedelta(seconds=lowest_bytes(newest) / drain)
        left = (end - known.asked).total_seconds() / MINUTE_SECONDS
        held = rate(told["drain"], drain)[2] and is_duration(told["span"], left - 2, left + 1)
        is_then = told["end"] is None or is_clock(told["end"], end, known.time, 2 * MINUTE)
        found.append((drain, held and is_then and drain > 1.4 * known.pace.drain_bytes_per_second))
    yield told["drain"], [drain for drain, _ in found], any(held for _, held in found)
    lately = known.with_balance[-PACE_MINUTES - 1 :]
    rises = sum(lowest_bytes(after) > lowest_bytes(before) for before, after in pairwise(lately))
    yield "comes and goes", rises, rises >= (len(lately) - 1) / 3


@claim(
    rf"At the pace of {LAST} \(falling by (?P<drain>{RATE}) MiB/s{AT_THE_MOST}"
    rf"(?:, in pulses of (?P<depth>{RATE}) GiB)?\) they "
    rf"(?:last (?P<span>{SPAN})(?:, until (?P<end>{CLOCK}))?|ran out at (?P<gone>{CLOCK}): they may be gone by now)\."
)
def _end_at_the_pace(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    yield told_span(told["last"], pace)
    yield rate(told["drain"], pace.drain_bytes_per_second, pace.blur_bytes_per_second)
    yield from at_the_most(told, pace)
    if pace.pulses is not None and told["depth"]:
        yield size(told["depth"], pace.pulses.depth_bytes)
    else:
        yield told["depth"], pace.pulses, pace.pulses is None and told["depth"] is None
    least, most = known.until_zero(pace)
    youngest, oldest = known.age_minutes
    if told["span"]:
        yield told["span"], (least, most), is_duration(told["span"], least - oldest, most - youngest)
    if told["end"] or told["gone"]:
        end = told["end"] or told["gone"]
        latest = min(most, TOLD_AHEAD_MINUTES)
        middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
        yield end, middle, is_clock(end, middle, known.time, timedelta(minutes=(latest - least) / 2))
        may_be, must_be = least <= oldest * (1 + SUMMING), most <= youngest * (1 - SUMMING)
        yield end, (least, most), must_be <= (told["gone"] is not None) <= may_be


@claim(
    rf"Pulses of (?P<depth>{RATE}) GiB came about every (?P<every>{SPAN})(?:\. If they go on so, the credits are gone "
    rf"at (?P<end>{CLOCK}), (?P<span>{SPAN}) from now|, and (?P<more>took more) than the rests between them earned)\."
)
def _end_in_pulses(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pulses = known.pace.pulses
    yield told["depth"], "pulses", pulses is not None
    if pulses is None:
        return
    yield size(told["depth"], pulses.depth_bytes)
    yield told["every"], pulses.every_minutes, is_duration(told["every"], pulses.every_minutes, pulses.every_minutes)
    if told["more"]:
        yield told["more"], pulses.drain_bytes_per_second, pulses.drain_bytes_per_second > 0
        return
    (minutes, _), (youngest, oldest) = known.until_zero(known.pace), known.age_minutes
    end = known.newest_time + minutes * MINUTE
    yield told["end"], end, is_clock(told["end"], end, known.time)
    yield told["span"], minutes, is_duration(told["span"], minutes - oldest, minutes - youngest)


@claim(r", or at (?P<end>\d\d:\d\d UTC) in pulses(?=, )")
def _end_in_pulses_in_a_subject(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    minutes, _ = known.until_zero(known.pace)
    end = known.newest_time + minutes * MINUTE
    yield told["end"], end, known.pace.pulses is not None and is_clock(told["end"], end, known.time)
    yield told["end"], "within a day", end < known.time + A_DAY


@claim(r", or after a day in pulses(?=, )")
def _end_after_a_day_in_pulses_in_a_subject(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    minutes, _ = known.until_zero(known.pace)
    end = known.newest_time + minutes * MINUTE
    yield told[0], end, known.pace.pulses is not None and end >= known.time + A_DAY


@claim(
    rf"In {LAST} they fell by (?P<drain>{RATE}) MiB/s: if that (?:goes on, they are gone at (?P<end>{CLOCK})|went on, "
    rf"they have been gone since (?P<gone>{CLOCK}))\."
)
def _end_within_minutes(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The end at the pace of the newest minute of the metric, which is what the mail has."""
    paces = [known.pace, known.pace_of(DRAINING_MINUTES), pace_of_the_fall(known)]
    newest = next((one for pace in paces if (one := known.sooner_than(pace)) is not None), None)
    if newest is None and told.string.startswith("RECOVERED"):
        newest = _begins_after_a_rise(known)
    yield told["last"], newest, newest is not None
    if newest is None:
        return
    yield told_span(told["last"], newest)
    yield rate(told["drain"], newest.drain_bytes_per_second)
    end = known.newest_time + timedelta(seconds=known.balance_bytes / newest.drain_bytes_per_second)
    yield told["end"] or told["gone"], end, is_clock(told["end"] or told["gone"], end, known.time)
    yield "gone", end, known.asked - A_SECOND <= end if told["end"] else end <= known.time


def _begins_after_a_rise(known: Known) -> Window | None:
    """The newest minute, where it ends them within two days and is the first or the second of a load, though the pace
    has them rise.
    """
    if not known.has_a_pace or not known.has_just_begun(known.pace):
        return None
    newest = known.newest_minute
    minutes = known.balance_bytes / newest.drain_bytes_per_second / MINUTE_SECONDS
    return newest if minutes < TOLD_AHEAD_MINUTES else None


@claim(r"RECOVERED(?=: .* they do not end)")
def _ends_after_all(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """It does not say so where a load of a minute or two ends them within two days."""
    newest = _begins_after_a_rise(known)
    least = 0.0 if newest is None else known.balance_bytes / newest.drain_bytes_per_second / MINUTE_SECONDS
    yield told[0], newest, newest is None or least >= TWO_DAYS_MINUTES


@claim(r"(?P<head>\w+): (?:\w+ is over, )?burst credits may be gone by now(?=[,;] )")
def _may_be_gone(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Credits may be gone by the time of the mail if they went on falling at the pace, or as fast as in the newest
    minute.
    """
    pace = pace_of_the_fall(known) if told["head"] == "DRAINING" else known.pace
    windows = [pace, *filter(None, [known.sooner_than(pace)])]
    fastest = max(one.from_now_on[1] for one in windows)
    _, oldest = known.age_minutes
    yield told[0], (known.balance_bytes, fastest), known.balance_bytes <= fastest * oldest * MINUTE_SECONDS


@claim(rf"of credits left at full speed, as of (?P<newest>{CLOCK})(?=, fs-)")
def _left_of_late_metrics(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Of a limit that is lifted by metrics which are so late that a load at full speed may have ended them since."""
    fastest = known.reference_bytes_per_second - known.earned_bytes_per_second
    youngest, oldest = known.age_minutes
    yield told["newest"], known.newest_time, is_clock(told["newest"], known.newest_time, known.time)
    yield told["newest"], oldest, youngest > QUARTER_OF_AN_HOUR / MINUTE
    yield told["newest"], known.balance_bytes, known.balance_bytes <= fastest * oldest * MINUTE_SECONDS


@claim(
    rf"(?P<head>\w+): (?:\w+ is over, )?credits gone at (?P<end>\d\d:\d\d UTC), in (?P<span>{SPAN})"
    rf"(?:; (?P<full>under 1|\d+) min at (?:full speed|{RATE} MiB/s))?(?=[,;] )"
)
def _end_in_a_subject(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """When the credits end, at the pace that the mail has, and in how long, counted from the mail. The time stands
    without a date: how far away it is tells the day.
    """
    pace = pace_of_the_fall(known) if told["head"] == "DRAINING" else known.pace
    yield told["end"], "nothing ends them sooner", known.sooner_than(pace) is None
    youngest, oldest = known.age_minutes
    least, most = known.until_zero(pace)
    yield told["span"], (least, most), is_duration(told["span"], least - oldest, most - youngest)
    full = known.minutes_left
    if told["full"]:
        yield told["full"], full, is_whole(told["full"].replace("under 1", "0"), *full)
    else:
        # A subject that says for how long the alarm has been on has no room for it.
        must_be_said = told["head"] == "CRITICAL" and least - oldest >= 60 and full[1] < 20
        yield told["span"], full, not must_be_said
    latest = min(most, TOLD_AHEAD_MINUTES)
    middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
    blur = timedelta(minutes=(latest - least) / 2) + MINUTE
    ends = {f"{middle + offset * MINUTE:%H:%M} UTC" for offset in range(-ceil(blur / MINUTE), ceil(blur / MINUTE) + 1)}
    yield told["end"], middle, told["end"] in ends


@claim(
    rf"At the pace of {LAST} they (?:do not end: the balance (?P<how>neither falls nor rises|hardly rises)|"
    r"last more than two days: the balance (?P<falls>hardly falls))"
)
def _no_end(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    yield told_span(told["last"], pace)
    yield rate("0.0", pace.drain_bytes_per_second, pace.blur_bytes_per_second)
    how, drain = told["how"] or told["falls"], pace.drain_bytes_per_second
    sign = {"hardly falls": 1, "hardly rises": -1}.get(how, 0)
    # A rise shows a minute late.
    yield how, drain, sign * drain > 0 or abs(drain) <= pace.blur_bytes_per_second
    slowest = pace.drain_bytes_per_second - pace.blur_bytes_per_second
    latest = known.balance_bytes / slowest / MINUTE_SECONDS if slowest > 0 and known.balance_bytes else inf
    yield "no end", latest, latest >= 2 * 24 * 60


@claim(
    rf"How fast the balance falls is not known: CloudWatch has a single datapoint of it"
    rf"(?: since (?:(?P<since>{CLOCK})|the size changed, at (?P<changed>{CLOCK})))?\."
    rf"(?: At the size before it fell by (?P<before>{RATE}) MiB/s, and is taken to have gone on so until now\.)?"
)
def _no_pace(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The only balance, or the first of the newest size or after minutes that are missing, since which that is."""
    yield "a single datapoint", known.in_a_row, not known.has_a_pace
    if told["changed"]:
        changed = known.size_changed
        right = changed is not None and is_clock(told["changed"], changed, known.time)
        yield told["changed"], changed, right
        if told["before"]:
            pace = known.at_the_size_before
            yield "a pace before", pace, pace is not None
            if pace is not None:
                yield rate(told["before"], pace.drain_bytes_per_second, pace.blur_bytes_per_second)
        return
    *_, before, _ = [None, *known.with_earlier_balance]
    if before is None or told["since"] is None:
        yield f"since {told['since']}", before, before is told["since"] is None
        return
    since = known.player.time_of(before.minute + 1)
    yield told["since"], since, is_clock(told["since"], since, known.time)


@claim(
    rf"The newest datapoint is of (?P<newest>{CLOCK}), (?P<age>\d+) minutes ago: a load that has come since, at "
    rf"(?P<rate>{RATE}) MiB/s, (?:may have ended them at (?P<ended>{CLOCK})|ends them at (?P<ends>{CLOCK}) at the "
    r"earliest)\."
)
def _a_load_since_the_newest(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """What was left then, driven as hard as it may be, with what is earned meanwhile."""
    youngest, oldest = known.age_minutes
    net = known.reference_bytes_per_second - known.earned_bytes_per_second
    end = known.newest_time + MINUTE * (known.balance_bytes / net / MINUTE_SECONDS)
    yield told["newest"], known.newest_time, is_clock(told["newest"], known.newest_time, known.time)
    yield told["age"], oldest, is_whole(told["age"], youngest, oldest)
    yield rate(told["rate"], known.reference_bytes_per_second)
    yield told["ended"] or told["ends"], end, is_clock(told["ended"] or told["ends"], end, known.time, MINUTE)
    yield told["ended"], known.time, (told["ended"] is not None) == (end <= known.time)


@claim(
    rf"In the (?P<minutes>\d+) minutes up to that they fell by (?P<rate>{RATE}) MiB/s, as before: if that goes on, "
    rf"they are gone at (?P<gone>{CLOCK})"
)
@claim(
    rf"In the (?P<minutes>\d+) minutes up to that they fell by (?P<rate>{RATE}) MiB/s, as before: if that went on, "
    rf"they have been gone since (?P<gone>{CLOCK})"
)
def _as_over_missing_minutes(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The rate over missing minutes, and that of a quarter of an hour before them, which is the same to a tenth."""
    before, newest = known.with_earlier_balance[-2:]
    minutes = newest.minute - before.minute
    lost = (lowest_bytes(before) - lowest_bytes(newest)) / (minutes * MINUTE_SECONDS)
    first = next(one for one in known.with_earlier_balance if one.minute >= before.minute - PACE_MINUTES)
    lost_before = (lowest_bytes(first) - lowest_bytes(before)) / ((before.minute - first.minute) * MINUTE_SECONDS)
    gone = known.newest_time + MINUTE * (lowest_bytes(newest) / lost / MINUTE_SECONDS)
    yield told["minutes"], minutes, int(told["minutes"]) == minutes
    yield rate(told["rate"], lost)
    yield "as before", (lost_before, lost), 0.9 <= lost / lost_before <= 1.1
    yield told["gone"], gone, is_clock(told["gone"], gone, known.time)


@claim(rf"At the pace of {LAST} they do not end")
def _rises_over(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield told_span(told["last"], known.pace)


@claim(
    rf"the balance is rising by (?P<gain>{RATE}) MiB/s(?: and (?:will be|(?P<by_now>is)) above (?P<lead>\d+) minutes? "
    rf"(?:at (?P<end>{CLOCK})|in (?P<later>more than two days)|by now, if that went on))?\."
)
def _rising(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    gain, blur = -pace.drain_bytes_per_second, pace.blur_bytes_per_second
    yield rate(told["gain"], gain, blur)
    if not told["lead"]:
        return
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    missing = known.threshold_bytes(int(told["lead"])) - known.balance_bytes
    least = missing / (gain + blur) / MINUTE_SECONDS
    most = missing / (gain - blur) / MINUTE_SECONDS if gain > blur else inf
    if told["later"]:
        yield told["later"], most, is_duration(told["later"], least, most)
        return
    if told["by_now"]:
        earliest = known.newest_time + timedelta(minutes=least)
        yield "by now", earliest, earliest <= known.time
        return
    latest = min(most, TOLD_AHEAD_MINUTES)
    middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
    yield told["end"], middle, is_clock(told["end"], middle, known.time, timedelta(minutes=(latest - least) / 2))


@claim(r"It is above (?P<lead>\d+) minutes: if it stays so, the alarm ends within 15 minutes\.")
def _ends_soon(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    yield told["lead"], known.balance_bytes, known.balance_bytes >= known.threshold_bytes(int(told["lead"]))


@claim(rf"Who drives it, by {LAST}: (?P<kind>mostly reads|mostly writes|mostly metadata|no single kind)")
def _driver_lately(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """In the last quarter of an hour, or in five minutes where the pace is of fewer than ten."""
    span = 5 * MINUTE if told["last"] == "5 minutes" else QUARTER_OF_AN_HOUR
    lately = [one for one in known.hour if known.player.time_of(one.minute) > known.newest_time - span]
    yield told["last"], len(lately), told["last"] == f"{len(lately)} minutes"
    spent = (
        sum(one.moved.read_bytes for one in lately) / 3,
        sum(one.moved.write_bytes for one in lately),
        sum(one.moved.metadata_operations for one in lately) * METADATA_OPERATION_BYTES,
    )
    share = max(spent) / sum(spent)
    kind = ("mostly reads", "mostly writes", "mostly metadata")[spent.index(max(spent))]
    yield told["kind"], (kind, share), told["kind"] == (kind if share >= 0.6 else "no single kind")


@claim(rf"while clients use the (?P<earned>{RATE}) MiB/s of credits that the size earns")
def _what_is_earned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """How fast the size earns credits. It is told only where that makes a minute's worth of them in a useful time: else
    it would help nobody to use less.
    """
    yield rate(told["earned"], known.earned_bytes_per_second)
    earned = known.earned_bytes_per_second * USEFUL_TIME.total_seconds()
    yield told[0], (earned, known.threshold_bytes(1)), earned >= known.threshold_bytes(1)


@claim(r"At this size credits do not come back by themselves in any useful time")
@claim(r"Less load brings no credits back at this size: what is stored earns next to nothing")
def _earns_next_to_nothing(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    earned = known.earned_bytes_per_second * USEFUL_TIME.total_seconds()
    yield told[0], (earned, known.threshold_bytes(1)), earned < known.threshold_bytes(1)


@claim(rf"It may be driven at (?P<reference>{RATE}) MiB/s(?: again)? until they end")
def _driven_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(r"Clients took less than that in the last hour: as long as they take no more, it holds nobody down\.")
def _takes_less_than_is_there(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """In each five minutes of it, of the file system that falls all the same."""
    there = known.baseline_bytes_per_second
    yield told[0], known.busiest_bytes_per_second, known.busiest_bytes_per_second < there


@claim(r"clients took less than is there without credits all day")
def _took_less_all_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    busiest = known.busiest_of_the_day_bytes_per_second
    yield told[0], busiest, busiest < known.baseline_bytes_per_second and not known.limited_minutes
