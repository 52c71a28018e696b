"""What the first invocation of each function costs, beside a handler that does nothing but make the same clients.

Each is a fresh process behind the runtime interface, in turns, against one endpoint. The caller's time is taken:
starting Python, importing, and the whole of the first event.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import built_function
from stage.invocation.deployed_stack import DeployedStack
from stage.invocation.emulator import Emulator
from stage.invocation.sample_events import event_text
from stage.measuring.promise import NotMeasured, PromisedValue

TIMES = 9
LIMIT = 1.30

# What each one makes in a run that has nothing unusual to tell.
TYPICAL = {
    "Explain": ("warning-alarm", ("efs", "cloudwatch", "ssm", "sns")),
    "RecalculateThresholds": ("hourly-schedule", ("ssm", "efs", "cloudwatch")),
    "ReportSilence": ("hourly-schedule", ("ssm", "efs", "cloudwatch", "sns")),
    "SetLateAlarms": ("hourly-schedule", ("cloudwatch",)),
    "ApplyOnDeploy": ("deploy-create", ("efs", "cloudwatch")),
    # With no instance online: dd beside it would be measured, too.
    "RunBenchmark": ("benchmark-schedule", ("ssm", "efs", "cloudwatch")),
    "CollectBenchmark": ("hourly-schedule", ("ssm",)),
    "ReconcileFleet": ("fleet-schedule", ("efs", "cloudformation", "ssm")),
}

BASELINE = """\
import boto3

clients = [boto3.client(name) for name in {services!r}]


def handler(event, context):
    return None
"""


def first_invocations(stack: DeployedStack, work_dir: Path) -> Iterator[PromisedValue]:
    """The ratio of the medians, function to baseline, and both medians in its name."""
    for name, (event_name, services) in TYPICAL.items():
        baseline = work_dir / f"baseline-{name}"
        baseline.mkdir(parents=True)
        (baseline / "app.py").write_text(BASELINE.format(services=services), encoding="utf-8")
        paths = built_function(name).import_paths
        functions, baselines = [], []
        for _ in range(TIMES):
            functions.append(_first(stack, name, paths, event_name, work_dir))
            baselines.append(_first(stack, name, (baseline,), event_name, work_dir))
        whole, bare = median(functions) * 1000, median(baselines) * 1000
        yield PromisedValue(
            name=f"{name}, first invocation: {whole:.0f} ms to {bare:.0f} ms of boto3 and clients, medians of {TIMES}",
            value=round(whole / bare, 2),
            unit="×",
            limit=LIMIT,
        )


def _first(stack: DeployedStack, name: str, paths: tuple[Path, ...], event_name: str, work_dir: Path) -> float:
    with AnswerDesk() as desk, Emulator(stack.function(name), paths, stack.endpoint_url, work_dir) as emulator:
        outcome = emulator.invoke(desk.redirected(event_text(event_name)))
    if outcome.failed:
        raise NotMeasured(f"{name} failed: {outcome.error}")
    return outcome.seconds
