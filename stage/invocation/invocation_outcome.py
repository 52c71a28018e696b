"""How an invocation ended: what the runtime interface answered, and what the function logged."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class InvocationOutcome:
    """An answer, or an error: its sentence and the name of its type. `seconds` is what the caller waited."""

    answer: Any
    error_type: str | None
    error: str | None
    log: tuple[str, ...]
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether the function raised, ran out of time, or could not be loaded."""
        return self.error is not None


def outcome_of(answered: str, printed: Iterable[str], seconds: float) -> InvocationOutcome:
    """Read what the runtime interface answered. An error is an answer too, told apart by its two fields."""
    log = tuple(_of_the_function(printed))
    try:
        answer = json.loads(answered)
    except ValueError:
        # No JSON at all: the process is gone, or time ran out.
        sentence = answered.strip() or "the runtime ended without an answer"
        return InvocationOutcome(answer=None, error_type="Runtime.ExitError", error=sentence, log=log, seconds=seconds)
    if isinstance(answer, dict) and {"errorType", "errorMessage"} <= answer.keys():
        return InvocationOutcome(
            answer=None, error_type=answer["errorType"], error=answer["errorMessage"], log=log, seconds=seconds
        )
    return InvocationOutcome(answer=answer, error_type=None, error=None, log=log, seconds=seconds)


def _of_the_function(printed: Iterable[str]) -> Iterable[str]:
    """What the function printed, without Lambda's lines around it; its own first one may stand right behind them."""
    for line in printed:
        if line and not line.startswith(("START RequestId:", "END RequestId:", "REPORT RequestId:")):
            yield line
