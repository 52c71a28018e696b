"""How long a run of a fleet's function takes by itself, of whose file systems each has the stack that it should."""

import json
from pathlib import Path
from statistics import median

from efs_monitor.fleet.monitor_parameters import fleet_parameters, parameters_for
from efs_monitor.fleet.monitor_stack import FLEET_TAG, TEMPLATE_TAG

from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from operate.template_files import template
from stage.invocation.built import built_function
from stage.invocation.deployed_stack import DeployedStack
from stage.invocation.emulator import Emulator
from stage.invocation.sample_events import event_text
from stage.measuring.own_time import HANDLERS
from stage.measuring.promise import NotMeasured, PromisedValue

FUNCTION = "ReconcileFleet"
TIMES = 5


def reconciling(
    sandbox: Sandbox, stack: DeployedStack, file_systems: int, limit_seconds: float, work_dir: Path
) -> PromisedValue:
    """The median of some runs in one runtime process, each of which reads them all and changes none."""
    _with_their_stacks(sandbox, stack, file_systems)
    function = built_function(FUNCTION)
    seconds = []
    with Emulator(
        stack.function(FUNCTION),
        (*function.import_paths, HANDLERS),
        stack.endpoint_url,
        work_dir,
        handler="timed.handler",
    ) as emulator:
        for _ in range(TIMES):
            outcome = emulator.invoke(event_text("fleet-schedule"))
            if outcome.failed:
                raise NotMeasured(f"{FUNCTION} failed: {outcome.error}")
            steps = outcome.answer["answer"]["steps"]
            if steps.get("keep") != file_systems or {"create", "update", "delete"} & steps.keys():
                raise NotMeasured(f"{FUNCTION} was to keep {file_systems} stacks, not to do {steps}")
            seconds.append(outcome.answer["own_seconds"])
    name = f"a fleet's run over {file_systems} with nothing to do, outside AWS calls, median of {TIMES}"
    return PromisedValue(name=name, value=round(median(seconds), 3), unit="s", limit=limit_seconds)


def _with_their_stacks(sandbox: Sandbox, stack: DeployedStack, file_systems: int) -> None:
    """Stacks with the parameters and tags that the fleet gives, and of the monitor nothing else."""
    variables = stack.function(FUNCTION).environment
    cloudformation, whole = stack.client("cloudformation"), template()
    topic = {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": {"Ref": "AWS::StackName"}}}
    body = {"Description": whole["Description"], "Parameters": whole["Parameters"], "Resources": {"Topic": topic}}
    for number in range(file_systems):
        file_system_id = f"fs-{number:017x}"
        sandbox.file_systems.create(file_system_id, Size(standard_bytes=2**30))
        given = parameters_for(file_system_id, fleet_parameters(variables["MONITOR_PARAMETERS"]), {})
        tags = {FLEET_TAG: variables["FLEET_NAME"], TEMPLATE_TAG: variables["TEMPLATE_URL"]}
        cloudformation.create_stack(
            StackName=f"{variables['FLEET_NAME']}-{file_system_id}",
            TemplateBody=json.dumps(body),
            Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in given.items()],
            Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
        )
