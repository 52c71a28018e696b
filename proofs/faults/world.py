"""One sandbox for many trials: each begins at midnight with an empty account."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

from efs_monitor.aws import runtime
from moto.moto_api._internal.models import moto_api_backend

from localaws.sandbox import Sandbox
from proofs.faults.wire import Wire, listening
from stage.home import Home, Names, close, environment
from stage.invocation.answer_desk import AnswerDesk

NAMES = Names("home", "fs-0123456789abcdef0")


@dataclass(kw_only=True)
class World:
    """What outlives a trial: the sandbox, the functions' warm environments, and the desk CloudFormation listens at.

    `wire` is what the functions' calls go through at the moment, `printed` what they have published in this trial.
    """

    sandbox: Sandbox
    desk_url: str
    desk: list[bytes]
    folder: Path
    printed: StringIO = field(default_factory=StringIO)
    wire: Wire = field(default_factory=Wire)
    modules: dict[str, ModuleType] = field(default_factory=dict)
    other_modules: dict[str, ModuleType] = field(default_factory=dict)

    def new_home(self) -> Home:
        """An empty account with the topics and the memory of a stack."""
        moto_api_backend.reset()
        self.sandbox.alarms.delete([alarm.configuration.name for alarm in self.sandbox.alarms.all()])
        for noted in (self.sandbox.alarms.history, self.sandbox.alarms.transitions, self.desk):
            noted.clear()
        self.sandbox.mailbox.publications.clear()
        self.sandbox.metrics.clear()
        self.sandbox.agents.commands.clear()
        self.printed.seek(0)
        self.printed.truncate()
        self.sandbox.clock.move_to(_next_midnight(self.sandbox.clock.now()))
        self.wire = Wire()
        home = Home(sandbox=self.sandbox, names=NAMES, folder=self.folder, modules=self.modules)
        home.create_topics_and_memory()
        return home

    def elsewhere(self, home: Home) -> Home:
        """A second environment of the stack's functions, as Lambda runs two at the same time."""
        return Home(sandbox=self.sandbox, names=home.names, folder=self.folder, modules=self.other_modules)

    @contextmanager
    def wired(self, wire: Wire) -> Iterator[None]:
        """Everything asked meanwhile goes through this wire."""
        before, self.wire = self.wire, wire
        try:
            yield
        finally:
            self.wire = before

    def answers(self) -> list[dict[str, Any]]:
        """What CloudFormation was told so far."""
        return [json.loads(body) for body in self.desk]


@contextmanager
def world(work_dir: Path) -> Iterator[World]:
    """A sandbox whose functions run in this process, silently."""
    with ExitStack() as closing:
        sandbox = closing.enter_context(Sandbox(work_dir))
        closing.enter_context(environment(NAMES.environment(sandbox.endpoint_url)))
        desk = closing.enter_context(AnswerDesk())
        desk_url = f"{desk.url}?signature=x"
        made = World(sandbox=sandbox, desk_url=desk_url, desk=desk.bodies, folder=work_dir / "hosts")
        closing.enter_context(listening(lambda: made.wire))
        closing.enter_context(_silenced())
        try:
            yield made
        finally:
            for module in (*made.modules.values(), *made.other_modules.values()):
                close(module.clients)


@contextmanager
def _silenced() -> Iterator[None]:
    handler = runtime.logger.registered_handler
    if not hasattr(handler, "setStream"):
        raise TypeError(f"{handler!r} has no stream to silence")
    before = handler.setStream(StringIO())
    try:
        yield
    finally:
        handler.setStream(before)


def _next_midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
