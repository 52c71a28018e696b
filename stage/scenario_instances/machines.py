"""The instances of a scenario, for as long as they are needed, with the file system mounted on each.

The mount is FUSE with the model of a file system behind it where this machine can have one, else a plain directory. It
lies outside the project: whoever the script becomes must get through every folder above it, and its path is one of the
stack's parameters, which allows no space in it.
"""

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from localaws.ssm.agents import Agents
from localaws.ssm.host import Host, Mount
from localaws.ssm.instances import Instance, instances
from localaws.ssm.power import power_off
from stage.mount.metered import Metered
from stage.mount.mounted import ModelledMount
from stage.mount.tutorial import NAMED
from stage.scenario_instances.load import PrintedLoad
from stage.scenario_tables import LOCAL, MOUNT, ScenarioInstance

TAG = "efs-monitor"
"""The key by which the stack finds its benchmark hosts."""
EVERYBODY_MAY_PASS = 0o755


def _folder() -> Path:
    """TMPDIR, or where that has a space in it, or what else no stack takes in a path of benchmarks, /tmp."""
    temporary = Path(tempfile.gettempdir()).resolve()
    return temporary if re.fullmatch(r"[A-Za-z0-9_./-]+", str(temporary)) else Path("/tmp")  # noqa: S108 - mkdtemp makes a folder of its own in it


class Machines:
    """`with Machines(...) as machines:` makes their folders; `register` then makes them known to a sandbox."""

    def __init__(self, wanted: Sequence[ScenarioInstance], file_system_id: str, model: str = "plain") -> None:
        self._wanted = wanted
        self._file_system_id = file_system_id
        self._profile = NAMED[model]
        self._undo = ExitStack()
        self._modelled: ModelledMount | None = None
        self._known = Metered()
        self._printed = PrintedLoad()
        self.mount_path = self.local_path = Path("/nowhere")

    def __enter__(self) -> Self:
        if not self._wanted:
            return self
        with ExitStack() as undo:
            base = Path(tempfile.mkdtemp(prefix="efs-", dir=_folder())).resolve()
            undo.callback(shutil.rmtree, base)
            base.chmod(EVERYBODY_MAY_PASS)
            self._base, self.mount_path, self.local_path = base, base / "efs", base / "local"
            for folder in (self.mount_path, self.local_path):
                folder.mkdir(EVERYBODY_MAY_PASS)
            if self.why_plain is None:
                self._modelled = undo.enter_context(ModelledMount(self.mount_path, self._profile))
            # A script leaves somebody behind who cleans up after it; nobody may be on the mount when that goes.
            undo.callback(self._power_off)
            self._undo = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    @property
    def why_plain(self) -> str | None:
        """Why the benchmarks run in a plain directory, for people; None where they run on a mount, or none are to."""
        return ModelledMount.why_not() if self._wanted else None

    def register(self) -> None:
        """Make them known to Systems Manager, each with the file system mounted."""
        for machine in self._wanted:
            tags = {TAG: self._file_system_id} if machine.tagged else {}
            instances()[machine.id] = Instance(host=self._host(machine), tags=tags)

    def filled(self, parameters: Mapping[str, str]) -> dict[str, str]:
        """A stack's parameters, with `$MOUNT` and `$LOCAL` as these machines have them."""
        places = {MOUNT: str(self.mount_path), LOCAL: str(self.local_path)}
        return {name: places.get(value, value) for name, value in parameters.items()}

    def mount(self, instance_id: str) -> None:
        """Mount the file system again."""
        self._remount(instance_id, (self._mount(),))

    def unmount(self, instance_id: str) -> None:
        """Unmount it on one instance: its folder is then one of the disk."""
        self._remount(instance_id, ())

    def permit(self, bytes_per_second: float) -> None:
        """What the mount lets through from now on, in metered bytes."""
        if self._modelled is not None and bytes_per_second > 0:
            self._modelled.permit(min(bytes_per_second, self._profile.shared_bytes_per_second))

    def load_between(self, agents: Agents, start: datetime, end: datetime) -> Metered:
        """What benchmarks did from one moment to the other; one that is under way is first given all of that time."""
        if not agents.have_run_since(start):
            return Metered()
        agents.wait_until(end)
        return self.new_load() or self._printed.new(agents.commands)

    def new_load(self) -> Metered | None:
        """What went through the mount since this was last asked; None where nobody counts."""
        if self._modelled is None:
            return None
        counted = self._modelled.metered()
        new, self._known = counted - self._known, counted
        return new

    def _power_off(self) -> None:
        for machine in self._wanted:
            power_off(self._host(machine))

    def _host(self, machine: ScenarioInstance) -> Host:
        return Host(
            instance_id=machine.id,
            folder=self._base / machine.id,
            instance_type=machine.type,
            agent_version=machine.agent_version,
            mounts=(self._mount(),),
        )

    def _mount(self) -> Mount:
        return Mount(path=self.mount_path, file_system_id=self._file_system_id)

    def _remount(self, instance_id: str, mounts: tuple[Mount, ...]) -> None:
        instance = instances()[instance_id]
        instances()[instance_id] = replace(instance, host=replace(instance.host, mounts=mounts))
