"""Check parameters: whether a fleet may give its stacks what it was told to, asked by its own deployment."""

import re
from collections.abc import Mapping
from dataclasses import replace

from efs_monitor.alarms.alarm_topics import Topic, require_topics_within_reach
from efs_monitor.aws import kms
from efs_monitor.aws.custom_resource import Answer, Request, patiently
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.errors import AwsDenied, SettingsRefused
from efs_monitor.fleet.monitor_parameters import BOUNDARY, fleet_parameters, require_lead_times
from efs_monitor.notify.given_key import is_readable, judged_key
from efs_monitor.notify.given_topics import StackIdentity
from efs_monitor.usecases import rollback

# The ends of the names of the fleet's own alarms, which tell one of its topics, as each of its stacks' alarms does.
OWN_ALARMS = ("reconciliation-fails", "reconciliation-not-run")
# The name of the policy, with its path, in what every stack is given.
BOUNDED_BY = re.compile(rf"\b{BOUNDARY}=[^;]*:policy/([^;]+)")


def check_parameters(clients: Clients, request: Request) -> Answer:
    """What CloudFormation is answered, with what the key's policy says; SettingsRefused names the parameter, its value
    and what it must be, or the boundary that the stacks have, TopicRefused a topic of another Region, KeyRefused what
    the key's policy lacks.

    By the properties of this very request, not by the environment: a rollback asks for the old ones again, and is not
    refused.
    """
    if request.kind == "Delete":
        return Answer(succeeded=True)
    return rollback.answer(
        clients, request, deploy=lambda: _checked(clients, request), keep=lambda: {"KeyPolicy": rollback.NOT_CHECKED}
    )


def _checked(clients: Clients, request: Request) -> Answer:
    given = fleet_parameters(str(request.properties.get("MonitorParameters", "")))
    _require_the_former_boundary(given, request)
    require_deployable(given, StackIdentity.of(request.stack_id).region)
    said = _of_key(clients, given, request)
    # By name: a value may be somebody's address, and logs are read by others than a stack's parameters are.
    logger.info("checked parameters", extra={"cause": request.kind, "parameters": sorted(given), "key": said})
    return Answer(succeeded=True, data={"KeyPolicy": said})


def _require_the_former_boundary(given: Mapping[str, str], request: Request) -> None:
    """Refuse another permissions boundary where the service role may not give the former one: SettingsRefused names it.

    A stack's update that fails gives its roles back the boundary that they had. Refused that, it would end in
    UPDATE_ROLLBACK_FAILED, out of which no fleet helps.
    """
    # As another release may have given them, of which this one would refuse something.
    before = BOUNDED_BY.search(str(request.former_properties.get("MonitorParameters", "")))
    former, may_give = before[1] if before else "", request.properties.get("FormerBoundaryPolicy")
    now = given.get(BOUNDARY, "").partition(":policy/")[2]
    if former and now != former != may_give:
        raise SettingsRefused(
            f"The roles of the stacks are bounded by {former!r}, and are to be by {now!r}: give FormerBoundaryPolicy "
            f"as {former!r} until every stack is updated, or one whose update fails could not go back"
        )


def require_deployable(given: Mapping[str, str], region: str) -> None:
    """Refuse what each of the fleet's stacks in this Region would: SettingsRefused for lead times that go together
    badly, TopicRefused for a topic of another Region.
    """
    require_lead_times(given)
    require_topics_within_reach({one.parameter: arn for one in Topic if (arn := given.get(one.parameter))}, region)


def _of_key(clients: Clients, given: Mapping[str, str], request: Request) -> str:
    """What is to be said of the key of the fleet's topics: empty, where they have none.

    What keeps CloudWatch out would fail each of the stacks, and the digest would be the first to say so.
    """
    key_arn = given.get("EncryptionKeyArn", "")
    if not key_arn:
        return ""
    fleet = replace(StackIdentity.of(request.stack_id), stack_name=str(request.properties.get("FleetName", "")))
    policy = None
    if is_readable(key_arn, fleet):
        try:
            policy = patiently(lambda: kms.key_policy(clients.kms, key_arn))
        except AwsDenied:
            policy = None
    return judged_key(key_arn, policy, OWN_ALARMS, fleet)
