"""Check parameters: whether a fleet may give its stacks what it was told to, asked by its own deployment."""

from efs_monitor.aws.custom_resource import Answer, Request
from efs_monitor.aws.runtime import logger
from efs_monitor.fleet.monitor_parameters import fleet_parameters, require_lead_times


def check_parameters(request: Request) -> Answer:
    """What CloudFormation is answered; SettingsRefused names the parameter, its value and what it must be.

    By the properties of this very request, not by the environment: a rollback asks for the old ones again.
    """
    if request.kind == "Delete":
        return Answer(succeeded=True)
    given = fleet_parameters(str(request.properties.get("MonitorParameters", "")))
    require_lead_times(given)
    # By name: a value may be somebody's address, and logs are read by others than a stack's parameters are.
    logger.info("checked parameters", extra={"cause": request.kind, "parameters": sorted(given)})
    return Answer(succeeded=True)
