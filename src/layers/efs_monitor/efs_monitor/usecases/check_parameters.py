"""Check parameters: whether a fleet may give its stacks what it was told to, asked by its own deployment."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from efs_monitor.alarms.alarm_topics import Topic, require_key_within_reach, require_topics_within_reach
from efs_monitor.aws import cloudformation, kms, s3
from efs_monitor.aws.calls import patiently
from efs_monitor.aws.custom_resource import Answer, Request
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.benchmarks.schedule import require_cron_to_come
from efs_monitor.errors import AwsDenied, AwsRefused, ObjectGone, SettingsRefused
from efs_monitor.fleet.monitor_parameters import BOUNDARY, fleet_parameters, require_together
from efs_monitor.notify.given_key import is_readable, judged_key
from efs_monitor.notify.given_topics import Publishing, any_stack_of, judged, statements, topics_of_a_fleet
from efs_monitor.stack_identity import StackIdentity
from efs_monitor.usecases import rollback
from efs_monitor.usecases.read_policies import read_policies

# The ends of the names of the fleet's own alarms, which tell one of its topics, as each of its stacks' alarms does.
OWN_ALARMS = ("reconciliation-fails", "reconciliation-not-run")
# The name of the policy, with its path, in what every stack is given: as another release may have written it.
BOUNDED_BY = re.compile(rf"\b{BOUNDARY}=[^;]*:policy/([^;]+)")


def check_parameters(clients: Clients, request: Request, now: datetime) -> Answer:
    """What CloudFormation is answered, with what the policies of key and topics say; SettingsRefused names the
    parameter, its value and what it must be, the boundary that the stacks have, or a release that cannot be read,
    TopicRefused a topic of another Region or what its policy lacks, KeyRefused what the key's policy lacks.

    By the properties of this very request, not by the environment: a rollback asks for the old ones again, and is not
    refused.
    """
    if request.kind == "Delete":
        return Answer(succeeded=True)
    return rollback.answer(
        clients,
        request,
        deploy=lambda clients: _checked(clients, request, now),
        keep=lambda: dict.fromkeys(("KeyPolicy", "TopicPolicies"), rollback.NOT_CHECKED),
    )


def _checked(clients: Clients, request: Request, now: datetime) -> Answer:
    given = fleet_parameters(str(request.properties.get("MonitorParameters", "")))
    _require_schedule_to_come(given, request, now)
    _require_release(clients, request)
    _require_the_former_boundary(clients, given, request)
    require_deployable(given, StackIdentity.of(request.stack_id).region)
    said = {"KeyPolicy": _of_key(clients, given, request), "TopicPolicies": _of_topics(clients, given, request)}
    # By name: a value may be somebody's address, and logs are read by others than a stack's parameters are.
    logger.info("checked parameters", extra={"cause": request.kind, "parameters": sorted(given), "policies": said})
    return Answer(succeeded=True, data=said)


def _require_the_former_boundary(clients: Clients, given: Mapping[str, str], request: Request) -> None:
    """Refuse another permissions boundary than stacks of the fleet have where the service role may not give them theirs
    again: SettingsRefused names it.

    A stack's update that fails gives its roles back the boundary that they had. Refused that, it would end in
    UPDATE_ROLLBACK_FAILED, out of which no fleet helps.
    """
    fleet, now = str(request.properties.get("FleetName", "")), _policy(given)
    if request.kind == "Update" and not _changes_boundary(now, request):
        return
    try:
        described = patiently(lambda: cloudformation.every_stack(clients.cloudformation))
    except AwsRefused as error:
        # What cannot be read is no reason to refuse, in a rollback least of all.
        logger.warning(f"{error}. Whether stacks have another permissions boundary is not known.")
        return
    stacks = [one for one in described.monitors if one.fleet == fleet and not one.never_whole]
    busy = sorted(one.name for one in stacks if one.in_progress)
    if busy and request.kind == "Update":
        raise SettingsRefused(
            f"CloudFormation is at work on {busy[0]}{' and others' if len(busy) > 1 else ''}: until that has ended "
            "nobody knows which permissions boundary its roles need. Change it some minutes later"
        )
    former = sorted({_policy(one.parameters) for one in stacks} - {now, ""})
    if former in ([], [request.properties.get("FormerBoundaryPolicy")]):
        return
    said = (
        f"The roles of the fleet's stacks are bounded by {' and by '.join(map(repr, former))}, and are to be by {now!r}"
    )
    if len(former) > 1:
        raise SettingsRefused(
            f"{said}. FormerBoundaryPolicy can give one alone: deploy with the PermissionsBoundaryPolicy of before "
            "until every stack has it"
        )
    raise SettingsRefused(
        f"{said}: give FormerBoundaryPolicy as {former[0]!r} until every stack is updated, or one whose update fails "
        "could not go back"
    )


def _require_release(clients: Clients, request: Request) -> None:
    """Refuse a template that the function may not read, with whose rights CloudFormation reads it: SettingsRefused
    names it. Each of the stacks would fail for it, and the digest would be the first to say so.
    """
    bucket, key = str(request.properties.get("ReleaseBucket", "")), str(request.properties.get("ReleaseTemplate", ""))
    try:
        patiently(lambda: s3.require_readable(clients.s3, bucket, key))
    except (AwsDenied, ObjectGone) as error:
        raise SettingsRefused(
            f"ReleaseTemplate is {key!r}, and no such object of ReleaseBucket {bucket!r} can be read: put the packaged "
            f"template there, and let this account read it. {error}"
        ) from error


def _changes_boundary(now: str, request: Request) -> bool:
    """Whether an update gives the stacks' roles, or takes from the service role, another boundary than before."""
    before = BOUNDED_BY.search(str(request.former_properties.get("MonitorParameters", "")))
    names = ("FormerBoundaryPolicy", "FleetName")
    is_same = [request.former_properties.get(name) == request.properties.get(name) for name in names]
    return (before[1] if before else "") != now or not all(is_same)


def _policy(parameters: Mapping[str, str]) -> str:
    """The name of the policy that bounds the roles of a stack with these parameters; empty where none does."""
    return parameters.get(BOUNDARY, "").partition(":policy/")[2]


def _require_schedule_to_come(given: Mapping[str, str], request: Request, now: datetime) -> None:
    """Refuse an update with another schedule of benchmarks that is over. A new fleet makes its stacks without one: it
    may be that of an account which has joined after its last time, whose file systems are to be watched.
    """
    schedule = given.get("BenchmarkSchedule", "")
    before = str(request.former_properties.get("MonitorParameters", ""))
    if request.kind == "Update" and f"BenchmarkSchedule={schedule}" not in before:
        require_cron_to_come(schedule, now)


def require_deployable(given: Mapping[str, str], region: str) -> None:
    """Refuse what each of the fleet's stacks in this Region would: SettingsRefused for lead times or paths that go
    together badly, TopicRefused for a topic of another Region, KeyRefused for a key of another.
    """
    require_together(given)
    require_key_within_reach(given.get("EncryptionKeyArn", ""), region)
    require_topics_within_reach({one.parameter: arn for one in Topic if (arn := given.get(one.parameter))}, region)


def _of_key(clients: Clients, given: Mapping[str, str], request: Request) -> str:
    """What is to be said of the key of the fleet's topics: empty, where they have none.

    What keeps CloudWatch out would fail each of the stacks, and the digest would be the first to say so.
    """
    key_arn = given.get("EncryptionKeyArn", "")
    if not key_arn:
        return ""
    fleet = _fleet(request)
    policy = None
    if is_readable(key_arn, fleet):
        try:
            policy = patiently(lambda: kms.key_policy(clients.kms, key_arn))
        except AwsDenied:
            policy = None
    return judged_key(key_arn, policy, OWN_ALARMS, fleet)


def _of_topics(clients: Clients, given: Mapping[str, str], request: Request) -> str:
    """What is to be said of topics that stand in place of the fleet's own, always with the statement that each needs:
    one lets in all its stacks, those to come too.

    What keeps them out would fail each of the stacks; and what may not be read, as of another account's topics, would
    leave all of them without anybody to tell, which no stack could say.
    """
    fleet = _fleet(request)
    topics = topics_of_a_fleet(given, fleet)
    if not topics:
        return "MonitorParameters names no topic."
    publishing = Publishing(
        stack=any_stack_of(fleet),
        who="the stacks of this fleet",
        reader_arn=str(request.properties.get("FunctionRoleArn", "")),
    )
    read, _ = read_policies(clients, topics, "")
    said = judged(read, given.get("EncryptionKeyArn", ""), publishing)
    return said if "Such as: " in said else f"{said} Such as: {statements(topics[0], publishing)}"


def _fleet(request: Request) -> StackIdentity:
    """The fleet by the name that it gives to its topics and stacks, which is not that of its own stack."""
    return replace(StackIdentity.of(request.stack_id), stack_name=str(request.properties.get("FleetName", "")))
