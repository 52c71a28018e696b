"""`make bench`: measures what the project promises about speed and size, as a table and in out/bench.json."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from localaws.cloudwatch.metrics import MetricId
from localaws.sandbox import Sandbox
from operate.terminal import print_in_any_encoding, wrapped
from simulation.alarm_evaluation import State
from stage.invocation.built import built_function
from stage.invocation.deployed_stack import DeployedStack
from stage.measuring.benchmarks import benchmarks
from stage.measuring.first_invocation import TYPICAL, first_invocations
from stage.measuring.layer import layer
from stage.measuring.own_time import warm_keep
from stage.measuring.planning import planning
from stage.measuring.playing import demo, simulated_days
from stage.measuring.promise import NotMeasured, PromisedValue
from stage.measuring.reconciling import reconciling
from stage.measuring.replaying import backtests
from stage.out_folder import OUT, OutFolderError, emptied
from stage.runs import FLEET_NAME, STACK_NAME, deploy_fleet, living, without_an_instance
from stage.sam_deployment import CommandFailed, Deployer
from stage.scenario import Scenario

WORK_DIR = OUT / "bench"


def main() -> int:
    """0 when every promise was kept, 1 when one was not, 2 when not all could be measured."""
    print_in_any_encoding()
    try:
        with emptied(WORK_DIR, "every bench writes there, one at a time"):
            return _bench()
    except (NotMeasured, CommandFailed, OutFolderError) as error:
        print(wrapped(str(error)), file=sys.stderr)
        return 2


def _bench() -> int:
    results = []
    for measured in _measure(WORK_DIR):
        results.append(measured)
        mark = "ok  " if measured.ok else "MISS"
        figures = f"{mark} {measured.value:8g} {measured.unit:8} ≤ {measured.limit:<6g} "
        print(wrapped(measured.name, first=figures, then=" " * len(figures)), flush=True)
    (OUT / "bench.json").write_text(json.dumps([one.as_json() for one in results], indent=2) + "\n", encoding="utf-8")
    return 0 if all(one.ok for one in results) else 1


def _measure(work_dir: Path) -> Iterator[PromisedValue]:
    # The demo builds: what follows measures what it built.
    yield demo()
    [layer_path] = built_function("Explain").layer_paths
    yield from layer(layer_path)
    scenario = Scenario.named("nightly-batch")
    with living(work_dir / "sandbox", scenario) as player:
        Deployer(player.sandbox.endpoint_url, work_dir, str).deploy(STACK_NAME, without_an_instance(player))
        # The first hourly run, so that the next ones have nothing new to tell.
        player.sandbox.step()
        deploy_fleet(player.sandbox)
        stack = DeployedStack(player.sandbox.endpoint_url, STACK_NAME, FLEET_NAME)
        _become_a_day_old(player.sandbox, stack)
        yield warm_keep(stack, work_dir)
        yield from first_invocations(stack, work_dir)
        yield reconciling(player.sandbox, stack, 40, limit_seconds=3, work_dir=work_dir)
        stack.close()
    yield from simulated_days(work_dir / "days")
    yield from backtests()
    yield planning(1_000, limit_seconds=1)
    yield from benchmarks()


def _become_a_day_old(sandbox: Sandbox, stack: DeployedStack) -> None:
    """Each function has run, and alarms were written more than a day ago; those that are off have been so for as long,
    as with most stacks in most hours: of what has just begun or changed more is asked.
    """
    now = sandbox.clock.now()
    before = now - timedelta(days=2)
    for alarm in sandbox.alarms.all():
        alarm.configuration_updated = before
        if alarm.state.value is State.OK:
            alarm.state = replace(alarm.state, transitioned=before)
    for name in TYPICAL:
        ran = MetricId.of("AWS/Lambda", "Invocations", FunctionName=stack.function(name).name)
        sandbox.metrics.record(ran, now, 1)


if __name__ == "__main__":
    sys.exit(main())
