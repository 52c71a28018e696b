"""Runs what EventBridge Scheduler has due: moto stores the schedules and never starts one."""

import json
import logging
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from moto.scheduler.exceptions import ValidationException
from moto.scheduler.models import EventBridgeSchedulerBackend, Schedule, scheduler_backends
from moto.sqs.models import sqs_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.functions.destinations import stored_function
from localaws.functions.event_queue import EventQueue
from localaws.iam.operations import invoking, queueing
from localaws.iam.sessions import SCHEDULER, AccessRefused, NotAssumable, Session, Sessions
from localaws.schedule_expression import Cron, ExpressionError, Rate, earliest, parse

log = logging.getLogger(__name__)

LAMBDA_ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:"
A_MOMENT = timedelta(microseconds=1)
A_MINUTE = timedelta(minutes=1)
GENERATED_END = re.compile("-[A-Z0-9]{12}$")

LARGEST_INPUT_BYTES = 256 * 1024
"""https://docs.aws.amazon.com/scheduler/latest/UserGuide/scheduler-quotas.html; its words for more are not known."""

RETRIES_UNLESS_SAID = 185
"""https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html"""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """The `number`-th try, at `time`, to tell the target of the start that was due at `scheduled`."""

    schedule: Schedule
    scheduled: datetime
    time: datetime
    number: int = 1


@dataclass(frozen=True, kw_only=True)
class _Waiting:
    """The starts that an expression had due, each with its moment in the flexible window, which is still to come."""

    when: tuple[Rate | Cron, timedelta]
    starts: list[tuple[datetime, datetime]]


class Schedules:
    """What is due between the last look and this one is handed to the target, in order of time.

    Everything is handed over once, unless a test wants what AWS promises no more than: `delivers_twice` makes two
    deliveries of each start, and `loses_answers` lets the target take the first attempt and the scheduler not know, so
    that it tries again a minute later. Each attempt has an execution id of its own; the scheduled time is the start's.

    A rate without a start date is due the moment it is created, whatever else is still being deployed. A flexible time
    window delivers each start at a moment of its own in the window; `seed` chooses which.

    Differs from AWS: failures are ignored. What cannot be started once goes to the target's dead-letter queue right
    away, without the attributes that say why.
    """

    def __init__(self, events: EventQueue, sessions: Sessions, seed: int = 0) -> None:
        self.seed = seed
        self.delivers_twice = False
        self.loses_answers = False
        self._events = events
        self._sessions = sessions
        self._looked: dict[tuple[str, float], datetime] = {}
        self._waiting: dict[tuple[str, float], _Waiting] = {}
        self._retries: list[Attempt] = []

    def run_due(self, now: datetime) -> bool:
        """Start what is due by `now`; True when something was."""
        due = self.take_due(now)
        for attempt in due:
            self._deliver(attempt, now)
        return bool(due)

    def take_due(self, now: datetime) -> list[Attempt]:
        """What is due between the last look and `now`, in order of time; it will not be due again."""
        due = [
            attempt
            for group in list(scheduler_backends[ACCOUNT_ID][REGION].schedule_groups.values())
            for schedule in list(group.schedules.values())
            for attempt in self._due(schedule, now)
        ]
        due += [attempt for attempt in self._retries if attempt.time <= now]
        self._retries = [attempt for attempt in self._retries if attempt.time > now]
        return sorted(due, key=lambda one: (one.time, one.schedule.arn))

    def begin(self, schedule: Schedule, now: datetime) -> None:
        """Start a schedule that was just created, if it is due at once."""
        for attempt in self._due(schedule, now):
            self._deliver(attempt, now)

    def _deliver(self, attempt: Attempt, now: datetime) -> None:
        for _ in range(2 if self.delivers_twice else 1):
            self._start(attempt)
        if self.loses_answers and attempt.number == 1 and _retries_of(attempt.schedule) > 0:
            self._retries.append(replace(attempt, time=now + A_MINUTE, number=2))

    def _due(self, schedule: Schedule, now: datetime) -> list[Attempt]:
        """What is to be delivered since the last look: starts of now, and of earlier whose moment has come."""
        created = datetime.fromtimestamp(schedule.creation_date, UTC)
        identity = (schedule.arn, schedule.creation_date)
        # Just before its creation: a rate without a start date is first due at once.
        looked = self._looked.get(identity, created - A_MOMENT)
        self._looked[identity] = now
        waiting = self._waiting.pop(identity, None)
        if schedule.state == "DISABLED":
            return []
        start = earliest(schedule.start_date, schedule.creation_date)
        end = earliest(schedule.end_date, now.timestamp())
        expression = parse(schedule.schedule_expression, schedule.schedule_expression_timezone)
        window = timedelta(minutes=(schedule.flexible_time_window or {}).get("MaximumWindowInMinutes") or 0)
        # What another expression or window started before an update of the schedule is forgotten with it.
        kept = waiting.starts if waiting is not None and waiting.when == (expression, window) else []
        new = expression.due_between(looked, min(now, end), start=start)
        starts = [*kept, *((one, one + self._delay(schedule, one, window)) for one in new)]
        if later := [one for one in starts if one[1] > now]:
            self._waiting[identity] = _Waiting(when=(expression, window), starts=later)
        return [Attempt(schedule=schedule, scheduled=one, time=moment) for one, moment in starts if moment <= now]

    def _delay(self, schedule: Schedule, scheduled: datetime, window: timedelta) -> timedelta:
        # Without what CloudFormation draws for a name, so that it is the same whatever else was deployed before.
        name = GENERATED_END.sub("", schedule.name)
        drawn = Random(f"{self.seed} {name} {scheduled.isoformat()}").random()  # noqa: S311 - no secret
        return window * drawn

    def _start(self, attempt: Attempt) -> None:
        schedule = attempt.schedule
        target, text = schedule.target, _input(attempt)
        name = target["Arn"].removeprefix(LAMBDA_ARN)
        try:
            session = _session(self._sessions, target, schedule.name, schedule.group_name)
            try:
                session.require(*invoking(target["Arn"]))
                if stored_function(name) is None:
                    raise LookupError(f"{target['Arn']} does not exist")
            except (AccessRefused, LookupError) as reason:
                log.warning("schedule %s: its function was not started: %s", schedule.name, reason)
                _keep(target.get("DeadLetterConfig", {}).get("Arn"), session, text)
                return
        except (AccessRefused, NotAssumable) as refused:
            log.warning("schedule %s: its event is lost: %s", schedule.name, refused)
            return
        self._events.accept(name, text.encode(), attempt.time)


def accepting_with(
    theirs: Callable[..., Schedule], sessions: Sessions, begin: Callable[[Schedule, datetime], None]
) -> Callable[..., Schedule]:
    """Create or update a schedule, refusing right away what the sandbox would never run, and a flexible window without
    an end (https://github.com/aws/aws-cdk/pull/28098), for which AWS's words are not known.

    Of the role AWS asks that it can be assumed, and not what it may do: a missing permission for the target or its
    dead-letter queue is seen when something is to be delivered (https://github.com/aws/aws-cdk/pull/32032).
    """

    def accept(backend: EventBridgeSchedulerBackend, **request: Any) -> Schedule:
        # moto looks for it in its own dictionary, where a schedule is made.
        backend.get_schedule_group(request.get("group_name"))
        try:
            parse(request["schedule_expression"], request.get("schedule_expression_timezone") or "UTC")
        except ExpressionError as error:
            raise ValidationException(str(error)) from error
        window = request.get("flexible_time_window") or {}
        if window.get("Mode") == "FLEXIBLE" and "MaximumWindowInMinutes" not in window:
            raise ValidationException("MaximumWindowInMinutes must be given where the Mode of a window is FLEXIBLE")
        if (size := len((request["target"].get("Input") or "").encode())) > LARGEST_INPUT_BYTES:
            raise ValidationException(f"Input of {size} bytes: at most {LARGEST_INPUT_BYTES} are allowed")
        target = request["target"]["Arn"]
        if not target.startswith(LAMBDA_ARN):
            raise ValidationException(f"the sandbox starts Lambda functions of {REGION}, by ARN; not {target}")
        try:
            _session(sessions, request["target"], str(request.get("name")), request.get("group_name"))
        except NotAssumable as error:
            raise ValidationException(
                "The execution role you provide must allow AWS EventBridge Scheduler to assume the role."
            ) from error
        schedule = theirs(backend, **request)
        begin(schedule, datetime.now(UTC))
        return schedule

    return accept


def _keep(queue_arn: str | None, session: Session, text: str) -> None:
    """Put an event into the dead-letter queue; AccessRefused where the schedule's role may not."""
    if queue_arn:
        session.require(*queueing(queue_arn))
        sqs_backends[ACCOUNT_ID][REGION].send_message(queue_arn.rpartition(":")[2], text)


def _session(sessions: Sessions, target: Mapping[str, Any], name: str, group: str | None) -> Session:
    """The target's role. A trust policy may name the schedule group, not the single schedule.

    https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
    """
    group_arn = f"arn:aws:scheduler:{REGION}:{ACCOUNT_ID}:schedule-group/{group or 'default'}"
    return sessions.assume(target["RoleArn"], name, SCHEDULER, group_arn)


def _retries_of(schedule: Schedule) -> int:
    policy: Mapping[str, int] = schedule.target.get("RetryPolicy") or {}
    return policy.get("MaximumRetryAttempts", RETRIES_UNLESS_SAID)


def _input(attempt: Attempt) -> str:
    """The target's input with the scheduler's placeholders filled in, or the event a target without one gets.

    https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html
    """
    schedule, execution_id = attempt.schedule, str(uuid.uuid4())
    scheduled_time = f"{attempt.scheduled:%Y-%m-%dT%H:%M:%SZ}"
    template = schedule.target.get("Input")
    if template is None:
        return json.dumps(
            {
                "version": "0",
                "id": execution_id,
                "detail-type": "Scheduled Event",
                "source": "aws.scheduler",
                "account": ACCOUNT_ID,
                "time": scheduled_time,
                "region": REGION,
                "resources": [schedule.arn],
                "detail": "{}",
            }
        )
    filled = {
        "<aws.scheduler.scheduled-time>": scheduled_time,
        "<aws.scheduler.schedule-arn>": schedule.arn,
        "<aws.scheduler.execution-id>": execution_id,
        "<aws.scheduler.attempt-number>": str(attempt.number),
    }
    for placeholder, value in filled.items():
        template = template.replace(placeholder, value)
    return str(template)
