"""Check parameters: whether a fleet may give its stacks what it was told to, asked by its own deployment."""

from collections.abc import Mapping
from dataclasses import replace

from efs_monitor.aws import kms
from efs_monitor.aws.custom_resource import Answer, Request, patiently
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.errors import AwsDenied
from efs_monitor.fleet.monitor_parameters import TOPICS, fleet_parameters, require_lead_times
from efs_monitor.notify.given_key import is_readable, judged_key
from efs_monitor.notify.given_topics import StackIdentity, require_region
from efs_monitor.usecases import rollback

# The ends of the names of the fleet's own alarms, which tell one of its topics, as each of its stacks' alarms does.
OWN_ALARMS = ("reconciliation-fails", "reconciliation-not-run")


def check_parameters(clients: Clients, request: Request) -> Answer:
    """What CloudFormation is answered, with what the key's policy says; SettingsRefused names the parameter, its value
    and what it must be, TopicRefused a topic of another Region, KeyRefused what the key's policy lacks.

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
    require_deployable(given, StackIdentity.of(request.stack_id).region)
    said = _of_key(clients, given, request)
    # By name: a value may be somebody's address, and logs are read by others than a stack's parameters are.
    logger.info("checked parameters", extra={"cause": request.kind, "parameters": sorted(given), "key": said})
    return Answer(succeeded=True, data={"KeyPolicy": said})


def require_deployable(given: Mapping[str, str], region: str) -> None:
    """Refuse what each of the fleet's stacks in this Region would: SettingsRefused for lead times that go together
    badly, TopicRefused for a topic of another Region.
    """
    require_lead_times(given)
    require_region({name: arn for name in TOPICS if (arn := given.get(name))}, region)


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
