"""The events that ask for a benchmark, or tell that one ended; checked before anything is read or written for them."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from efs_monitor.benchmarks.sent_commands import idempotency_key_of
from efs_monitor.errors import EventRefused
from efs_monitor.events import SCHEDULE_SOURCE, require_schedule

TIMER_SOURCE = "efs-monitor.benchmark"
BY_HAND_SOURCE = "efs-monitor.benchmark-by-hand"
FINISHED = "EC2 Command Invocation Status-change Notification"
BY_HAND_KEYS = ("source", "stack", "profile", "size_mib", "instance_ids", "accept_cost_bytes")
INSTANCE_ID = re.compile("i-([0-9a-f]{8}|[0-9a-f]{17})")


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """A benchmark that somebody wants; None and an empty tuple leave the stack's own settings.

    `accept_cost_bytes` is the cost that a person takes upon them, 0 for a schedule. `idempotency_key` is the same in
    every delivery and attempt of one start and ends the run's id. `rate` tells schedules of a fixed rate from each
    other, and is empty for any other start: theirs begins the moment they are created.
    """

    run_id: str
    by_hand: bool
    profile: str | None = None
    size_mib: int | None = None
    instance_ids: tuple[str, ...] = ()
    accept_cost_bytes: int = 0
    rate: str = ""

    @property
    def idempotency_key(self) -> str:
        """What the ids of one and the same run share, however late its event comes once more."""
        return idempotency_key_of(self.run_id)

    @property
    def by_cron(self) -> bool:
        """Whether a schedule asks that names its times, and does not begin the moment it is created."""
        return not self.by_hand and not self.rate


def run_request(event: object, stack_name: str, request_id: str, now: datetime) -> RunRequest:
    """What the timer or a person asks for; EventRefused names what is malformed or foreign in it.

    `request_id` is Lambda's: the same again where it tries an invocation a second time.
    """
    if not isinstance(event, Mapping):
        raise EventRefused(f"The event is a {type(event).__name__}, not the JSON object that asks for a benchmark")
    source = event.get("source")
    if source not in (TIMER_SOURCE, BY_HAND_SOURCE):
        raise EventRefused(f"The event's source is {source!r}, neither {TIMER_SOURCE!r} nor {BY_HAND_SOURCE!r}")
    if event.get("stack") != stack_name:
        raise EventRefused(f"The benchmark is one of stack {event.get('stack')!r}, not of {stack_name}")
    if source == TIMER_SOURCE:
        return RunRequest(run_id=_scheduled_run_id(event), by_hand=False, rate=_rate(event))
    if unknown := sorted(str(key) for key in event.keys() - set(BY_HAND_KEYS)):
        raise EventRefused(f"The event has {', '.join(unknown)}; there are {', '.join(BY_HAND_KEYS)}")
    return RunRequest(
        run_id=_run_id(now, request_id),
        by_hand=True,
        profile=_text(event, "profile") if "profile" in event else None,
        size_mib=_amount(event, "size_mib") if "size_mib" in event else None,
        instance_ids=_instance_ids(event.get("instance_ids", [])),
        accept_cost_bytes=_amount(event, "accept_cost_bytes") if "accept_cost_bytes" in event else 0,
    )


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A command that ended on an instance at `time`, as Systems Manager's event tells it."""

    command_id: str
    instance_id: str
    time: datetime


def finished(event: object, stack_name: str, document_name: str) -> Finished | None:
    """What has ended, or None for the sweep over everything that has; EventRefused for anything else."""
    if not isinstance(event, Mapping) or event.get("source") == SCHEDULE_SOURCE:
        require_schedule(event, stack_name)
        return None
    if event.get("detail-type") != FINISHED:
        raise EventRefused(f"The event's detail-type is {event.get('detail-type')!r}, not {FINISHED!r}")
    detail = event.get("detail")
    if not isinstance(detail, Mapping):
        raise EventRefused(f"The event's detail is {detail!r}, not that of a command")
    if detail.get("document-name") != document_name:
        raise EventRefused(f"The command is one of {detail.get('document-name')!r}, not of {document_name}")
    return Finished(
        command_id=_text(detail, "command-id"),
        instance_id=_text(detail, "instance-id"),
        time=_time(event.get("time")),
    )


def _scheduled_run_id(event: Mapping[object, object]) -> str:
    """The id of a start, and not of what brought word of it: the scheduler may deliver twice, and try again after an
    answer that was lost. The schedule is part of it because stacks of one file system may start in the same minute.
    """
    scheduled = _time(event.get("time"))
    return _run_id(scheduled, f"{_text(event, 'schedule')} {scheduled.isoformat()}")


def _rate(event: Mapping[object, object]) -> str:
    """A digest of the schedule's name and its rate(...), which changes with either; empty for a cron."""
    expression = str(event.get("expression", ""))
    return _digest(f"{_text(event, 'schedule')} {expression}") if expression.startswith("rate(") else ""


def _run_id(time: datetime, start: str) -> str:
    """`run-20261117t030000z-1a2b3c4d`, as the document's RunId takes it."""
    return f"run-{time.astimezone(UTC):%Y%m%dt%H%M%Sz}-{_digest(start)}"


def _digest(text: str) -> str:
    # JSON can write half of a character of UTF-16, which plain UTF-8 cannot.
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]


def _time(value: object) -> datetime:
    """An event's time in UTC, which it is taken for without a zone; EventRefused for what is none, in UTC too."""
    try:
        time = datetime.fromisoformat(str(value))
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise EventRefused(f"The event's time is {value!r}, not one such as 2026-11-17T03:00:00Z") from error


def _text(event: Mapping[object, object], key: str) -> str:
    value = event.get(key)
    if not isinstance(value, str) or not value:
        raise EventRefused(f"The event's {key} is {value!r}, not a text")
    return value


def _amount(event: Mapping[object, object], key: str) -> int:
    value = event.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise EventRefused(f"The event's {key} is {value!r}, not a whole number")
    return value


def _instance_ids(value: object) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    for one in found:
        if not isinstance(one, str) or not INSTANCE_ID.fullmatch(one):
            raise EventRefused(f"The event's instance_ids have {one!r}, not ids such as i-0123456789abcdef0")
    return tuple(dict.fromkeys(found))
