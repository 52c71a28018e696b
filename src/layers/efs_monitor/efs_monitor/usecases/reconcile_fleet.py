"""Brings the monitor stacks of a fleet nearer to what they should be, and says once a day how it stands."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.aws import cloudformation, cloudwatch_alarms, cloudwatch_dashboards, efs, sns
from efs_monitor.aws.calls import patiently
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.costs.monthly_costs import added_dollars, fleet_dollars
from efs_monitor.errors import AwsDenied, AwsRefused, AwsThrottled, StackAtWork, TopicGone
from efs_monitor.fleet.departures import next_digest, told_too_late
from efs_monitor.fleet.failures import failing
from efs_monitor.fleet.fleet_dashboard import A_TABLE, dashboard_body
from efs_monitor.fleet.fleet_settings import FleetSettings
from efs_monitor.fleet.membership import membership_of
from efs_monitor.fleet.monitor_parameters import FLEET_DEFAULTS, fleet_parameters, with_defaults
from efs_monitor.fleet.monitor_stack import FLEET_TAG, TEMPLATE_TAG, MonitorStack
from efs_monitor.fleet.notes import Note
from efs_monitor.fleet.reasons import CAUSE_CHARACTERS, REASON_CHARACTERS, cause, resource
from efs_monitor.fleet.reconciliation import Create, Delete, Fleet, Keep, Plan, Refuse, Update, fingerprint, plan
from efs_monitor.mail.fleet_mails import FleetDay, fleet_digest
from efs_monitor.mail.layout import shortened
from efs_monitor.notify.given_topics import GivenTopic, any_stack_of, doubt, topics_of_a_fleet
from efs_monitor.notify.health_news import audience, untold
from efs_monitor.notify.health_observations import Subscription
from efs_monitor.stack_identity import StackIdentity
from efs_monitor.usecases.stored_notes import recall, remember

# An update of the fleet's own stack has long ended by then, and a dashboard that could not be drawn was tried again.
BLANKED_WITHIN = timedelta(hours=1)
ADDRESS = re.compile(r"[^\s'\"=;]+@[^\s'\"=;]+")


@dataclass(frozen=True, kw_only=True)
class Reconciled:
    """How many steps of each kind there were, what CloudFormation refused by the name of the stack, and whether the
    digest was sent.
    """

    steps: Mapping[str, int]
    refused: Mapping[str, str]
    digest: bool


def reconcile_fleet(clients: Clients, settings: FleetSettings, now: datetime) -> Reconciled:
    """Look, plan, remember, ask CloudFormation, and tell; last, delete what nobody had been told of.

    What is to be tried is remembered before it is: where a run breaks off, the next knows.
    """
    fleet = fleet_of(settings)
    memory = recall(clients.ssm, settings.notes_parameter)
    described = patiently(lambda: cloudformation.every_stack(clients.cloudformation))
    stacks, updated = described.monitors, described.updates.get(settings.stack_id)
    own = {one.file_system_id: one for one in stacks if fleet.owns(one)}
    before = _with_reasons(clients, own, memory.notes)
    file_systems = efs.every_file_system(clients.efs)
    made = plan(fleet, file_systems, stacks, before, now)
    memory = remember(clients.ssm, settings.notes_parameter, memory, made.notes, memory.told_on)
    for step in made.steps:
        if not isinstance(step, Keep):
            _log(step.file_system_id, step.kind, step.reason)
    unannounced = [one for one in made.changes if one.leaves and not made.notes[one.file_system_id].announced]
    others = [one for one in made.changes if one not in unannounced]
    carry_out = partial(_carry_out, partial(_ask, clients, fleet, settings.role_arn, now))
    notes, refused = carry_out(others, made.notes, before, made.if_refused)
    daily = next_digest(settings.digest_hour, memory.told_on, now)
    leaving = [one.file_system_id for one in made.leaving]
    drawn = _drawn(made, stacks, elsewhere={one.file_system_id for one in file_systems if not one.lives_on_credits})
    digest = daily <= now or told_too_late(leaving, notes, fleet.grace, daily)
    if digest:
        failed = _failed(made, own, notes, refused, now)
        told_before = frozenset(one for one in failed if notes[one].is_told)
        own_dollars = fleet_dollars(dashboard=bool(settings.dashboard_name), tables=ceil(len(drawn) / A_TABLE))
        day = replace(_day(fleet, made, own, failed), told_before=told_before, own_dollars=own_dollars)
        _tell(clients, settings, fleet, day)
        notes = _once_told(notes, failed, made)
        told_on = f"{now:%Y-%m-%d}" if daily <= now else memory.told_on
        memory = remember(clients.ssm, settings.notes_parameter, memory, notes, told_on)
    if unannounced:
        # Whatever keeps CloudFormation from beginning, people were told.
        before |= {one: replace(before.get(one, Note(gone=now)), announced=True) for one in leaving}
        notes, refused_last = carry_out(unannounced, notes, before, made.if_refused)
        refused |= refused_last
    remember(clients.ssm, settings.notes_parameter, memory, notes, memory.told_on)
    # An update may have written the template's placeholder, also one of tags alone; when it did, nobody says.
    blanked = updated is not None and now - updated < BLANKED_WITHIN
    if settings.dashboard_name and (digest or made.changes or blanked or len(drawn) > A_TABLE):
        _draw(clients, settings, fleet, drawn)
    return Reconciled(steps=Counter(step.kind for step in made.steps), refused=refused, digest=digest)


def _log(file_system_id: str, step: str, reason: str) -> None:
    """In one field of the log, without addresses of mail: they are of people."""
    reason = ADDRESS.sub("(an address)", reason)
    logger.info("step", extra={"step": {"file_system_id": file_system_id, "step": step, "reason": reason}})


def _drawn(made: Plan, stacks: Iterable[MonitorStack], elsewhere: Collection[str]) -> list[str]:
    """The file systems that have a stack, or get one, and live on credits: `elsewhere` a balance says nothing, and a
    full one is fewer minutes at a high provisioned rate than any Warning asks for.
    """
    watched = {one.file_system_id for one in stacks if one.watches}
    return [
        one.file_system_id
        for one in made.steps
        if one.file_system_id not in elsewhere
        and (isinstance(one, Create | Update | Keep) or (isinstance(one, Refuse) and one.file_system_id in watched))
    ]


def _draw(clients: Clients, settings: FleetSettings, fleet: Fleet, drawn: Sequence[str]) -> None:
    """Write the dashboard: nothing else waits for it.

    One table sorts itself; which of several a file system is in is decided here, in each run: by the alarms that are
    on, which costs one call, and not two metrics for each file system.
    """
    try:
        first = _in_an_incident(clients, fleet) if len(drawn) > A_TABLE else ()
        warning_minutes = int(with_defaults(fleet.parameters)["WarningMinutes"])
        body = dashboard_body(settings.region, drawn, first, warning_minutes=warning_minutes)
        cloudwatch_dashboards.put(clients.cloudwatch, settings.dashboard_name, body)
    except AwsRefused as error:
        logger.warning(f"{error}. The dashboard stays as it is.")


def fleet_of(settings: FleetSettings) -> Fleet:
    """The fleet that an operator asked for; SettingsRefused where it cannot be."""
    return Fleet(
        name=settings.name,
        region=settings.region,
        template=settings.template_url,
        membership=membership_of(settings.tag),
        parameters=fleet_parameters(settings.monitor_parameters),
        grace=timedelta(hours=settings.grace_hours),
    )


def _with_reasons(clients: Clients, own: Mapping[str, MonitorStack], notes: Mapping[str, Note]) -> dict[str, Note]:
    """The notes, with what CloudFormation says of each try that failed: of a stack that is deleted it says no more."""
    failed = {file_system_id: one for file_system_id, one in own.items() if one.failed and not one.in_progress}
    return {
        file_system_id: note.failed_because(_why(clients, failed[file_system_id]))
        if file_system_id in failed and note.tries and not note.looked
        else note
        for file_system_id, note in notes.items()
    }


def _why(clients: Clients, stack: MonitorStack) -> str:
    try:
        why = cloudformation.first_failure(clients.cloudformation, stack.name)
    except AwsRefused as error:
        logger.warning(f"{error}. The status is told instead.")
        why = ""
    why = why or f"{stack.status} {stack.reason}".strip()
    # All of it: a stack that never came into being is deleted soon, and what it said goes with it.
    _log(stack.file_system_id, "failed", why)
    return _noted(why)


def _noted(why: str) -> str:
    """What a note has room for."""
    return shortened(resource(why) + shortened(cause(why), CAUSE_CHARACTERS), REASON_CHARACTERS)


def _carry_out(
    ask: Callable[[Create | Update | Delete], bool],
    changes: Sequence[Create | Update | Delete],
    remembered: Mapping[str, Note],
    before: Mapping[str, Note],
    if_refused: Mapping[str, Note],
) -> tuple[dict[str, Note], dict[str, str]]:
    """Ask for each change: one that is refused is noted with the reason and keeps no other from being asked for.

    Throttled, all that is left is not tried at all, and waits for the next run; so does a stack on which CloudFormation
    is at work by now.
    """
    notes, refused = dict(remembered), dict[str, str]()
    for number, step in enumerate(changes):
        try:
            if not ask(step):
                noted = notes.get(step.file_system_id, Note())
                notes[step.file_system_id] = replace(noted, why="", told="", unchanged=True)
        except AwsThrottled as throttled:
            logger.warning(f"{throttled}. What is left is asked for in the next run.")
            for one in changes[number:]:
                notes[one.file_system_id] = before.get(one.file_system_id, Note())
            break
        except StackAtWork as at_work:
            logger.info(f"{at_work}. The next run sees what came of it.")
            notes[step.file_system_id] = before.get(step.file_system_id, Note())
        except AwsRefused as error:
            refused[step.stack_name] = str(error)
            noted = if_refused.get(step.file_system_id) or notes.get(step.file_system_id, Note())
            notes[step.file_system_id] = noted.failed_because(_noted(str(error)))
            _log(step.file_system_id, "failed", str(error))
    return {one: note for one, note in notes.items() if note != Note()}, refused


def _ask(clients: Clients, fleet: Fleet, role_arn: str, now: datetime, step: Create | Update | Delete) -> bool:
    """Whether CloudFormation has anything to do."""
    if isinstance(step, Delete):
        cloudformation.delete_stack(clients.cloudformation, step.stack_name, role_arn)
        return True
    defaults = with_defaults(FLEET_DEFAULTS)
    wanted = cloudformation.WantedStack(
        name=step.stack_name,
        template_url=fleet.template,
        parameters={name: value for name, value in step.parameters.items() if defaults.get(name) != value},
        # The template's may be of another release than this fleet's, and the stack would differ from these ever after.
        defaults=defaults,
        tags={FLEET_TAG: fleet.name, TEMPLATE_TAG: fleet.template},
        role_arn=role_arn,
        token=f"{step.stack_name}-{fingerprint(fleet.template, step.parameters)}-{now:%Y%m%dT%H%M%SZ}",
    )
    if isinstance(step, Update):
        return cloudformation.update_stack(clients.cloudformation, wanted)
    cloudformation.create_stack(clients.cloudformation, wanted)
    return True


def _failed(
    made: Plan, own: Mapping[str, MonitorStack], notes: Mapping[str, Note], refused: Collection[str], now: datetime
) -> dict[str, str]:
    """What was tried in vain, and why; that a stack is gone which was deleted on purpose is none of it."""
    living = {one: note for one, note in notes.items() if one not in made.deleted}
    return failing(living, own, {one.file_system_id for one in made.changes if one.stack_name in refused}, now)


def _once_told(notes: Mapping[str, Note], failed: Mapping[str, str], made: Plan) -> dict[str, Note]:
    """The notes after a digest, without what is forgotten once people know it."""
    living = {one: note for one, note in notes.items() if one not in made.deleted}
    living |= {one: living[one].once_told(why) for one, why in failed.items()}
    return living | {one.file_system_id: replace(living[one.file_system_id], announced=True) for one in made.leaving}


def _day(fleet: Fleet, made: Plan, own: Mapping[str, MonitorStack], failed: Mapping[str, str]) -> FleetDay:
    """How the fleet stands, as far as nobody is to be asked for it."""
    leaving = {one.file_system_id: one.reason for one in made.leaving if one.file_system_id not in failed}
    quiet = failed.keys() | leaving.keys() | {one.file_system_id for one in made.changes}
    return FleetDay(
        name=fleet.name,
        membership=str(fleet.membership),
        watched=sum(one.was_whole for one in own.values()),
        failing=failed,
        refused={one.file_system_id: one.reason for one in made.steps if isinstance(one, Refuse)},
        others={
            one.file_system_id: one.reason
            for one in made.steps
            if isinstance(one, Keep) and not one.is_right and one.file_system_id not in quiet
        },
        leaving=leaving,
        deleted=made.deleted,
        added_dollars=sum(added_dollars(one.parameters) for one in own.values() if one.was_whole),
    )


def _tell(clients: Clients, settings: FleetSettings, fleet: Fleet, day: FleetDay) -> None:
    """Send the mail of the day, before it is remembered: rather twice than never."""
    subscriptions = {topic: _subscribed(clients, arn) for topic, arn in settings.topic_arns.items()}
    day = replace(
        day,
        incidents=tuple(sorted(_in_an_incident(clients, fleet))),
        untold=untold(subscriptions, settings.alert_email),
        shut=_shut_topics(clients, settings, fleet),
    )
    to_chat = fleet.parameters.get("ChatMessages") == "on"
    topic_arn = settings.topic_arns[audience(subscriptions) or Topic.ADVICE]
    sns.publish(clients.sns, topic_arn, fleet_digest(day), to_chat=to_chat)


def _subscribed(clients: Clients, topic_arn: str) -> tuple[Subscription, ...] | None:
    """A topic's subscribers; unknown where they could not be read: the digest goes out all the same."""
    try:
        return sns.subscriptions(clients.sns, topic_arn)
    except TopicGone:
        return ()
    except AwsRefused as error:
        logger.warning(f"{error}. The digest says nothing of who has not confirmed there.")
        return None


def _shut_topics(clients: Clients, settings: FleetSettings, fleet: Fleet) -> tuple[str, ...]:
    """A line for each topic that stands in place of the fleet's own and may tell nobody: no stack behind it could say
    so.
    """
    identity = replace(StackIdentity.of(settings.stack_id), stack_name=fleet.name)
    doubts = {
        topic: _doubt(clients, topic, any_stack_of(identity)) for topic in topics_of_a_fleet(fleet.parameters, identity)
    }
    return tuple(f"{topic.parameter} ({topic.arn}): {why}" for topic, why in doubts.items() if why)


def _doubt(clients: Clients, topic: GivenTopic, stack: StackIdentity) -> str:
    try:
        return doubt(topic, sns.attributes(clients.sns, topic.arn), stack)
    except TopicGone:
        return "there is no such topic"
    except AwsDenied:
        return doubt(topic, None, stack)
    except AwsRefused as error:
        logger.warning(f"{error}. The digest says nothing of whether it lets the alarms in.")
        return ""


def _in_an_incident(clients: Clients, fleet: Fleet) -> set[str]:
    """The file systems of which an alarm on credits is on."""
    names = cloudwatch_alarms.names_in_alarm(clients.cloudwatch, fleet.stack_name("fs-"))
    ends = tuple(f"-{kind}" for kind in CREDIT_ALARMS)
    return {
        name.removeprefix(fleet.stack_name("")).removesuffix(end)
        for name in names
        for end in ends
        if name.endswith(end)
    }
