"""What a recalculation that changes nothing costs by itself: everything but its AWS calls."""

from pathlib import Path
from statistics import median

from stage.invocation.built import built_function
from stage.invocation.deployed_stack import DeployedStack
from stage.invocation.emulator import Emulator
from stage.invocation.sample_events import event_text
from stage.measuring.promise import NotMeasured, PromisedValue

FUNCTION = "RecalculateThresholds"
HANDLERS = Path(__file__).parent / "handlers"
WARM_UP = 5
TIMES = 100


def warm_keep(stack: DeployedStack, work_dir: Path) -> PromisedValue:
    """The median of many warm runs in one runtime process, each of which decided Keep."""
    function = built_function(FUNCTION)
    event = event_text("hourly-schedule")
    seconds = []
    with Emulator(
        stack.function(FUNCTION),
        (*function.import_paths, HANDLERS),
        stack.endpoint_url,
        work_dir,
        handler="timed.handler",
    ) as emulator:
        for number in range(WARM_UP + TIMES):
            outcome = emulator.invoke(event)
            if outcome.failed:
                raise NotMeasured(f"{FUNCTION} failed: {outcome.error}")
            if number >= WARM_UP:
                if outcome.answer["answer"]["decision"] != "keep":
                    raise NotMeasured(f"{FUNCTION} was to keep the alarms, not to {outcome.answer['answer']}")
                seconds.append(outcome.answer["own_seconds"])
    return PromisedValue(
        name=f"a warm Keep outside AWS calls, median of {TIMES}",
        value=round(median(seconds) * 1000, 2),
        unit="ms",
        limit=30,
    )
