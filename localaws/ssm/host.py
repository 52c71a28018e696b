"""An instance as its agent and a script see it: a folder of this machine, and commands that tell of the instance.

A script that asks about its host gets the instance's answer: a few commands stand in a directory of their own in front
of PATH, and everything else on PATH is this machine's.
"""

import json
import os
import shutil
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from localaws.account import REGION
from localaws.ssm.platforms import AMAZON_LINUX, Platform

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""What a service of systemd, as the agent is one, finds commands by."""
ENVIRONMENT_VARIABLES_SINCE = (3, 3, 2746, 0)
"""The agent's version from which on `interpolationType: ENV_VAR` does anything."""
SHIMS = Path(__file__).parent / "shims"
INTERPRETERS = {".py": f"{sys.executable} -IS", ".sh": "/bin/sh"}

DISK = {"TARGET": "/", "SOURCE": "/dev/nvme0n1p1", "FSTYPE": "xfs", "OPTIONS": "rw,noatime,attr2,inode64,noquota"}
"""What a folder is on that nothing is mounted over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A folder that the instance takes for an NFS mount of a file system."""

    path: Path
    file_system_id: str
    kind: str = "nfs4"
    # What efs-utils 1 gives without TLS, and mount.nfs4 under the DNS name.
    options: str = (
        "rw,relatime,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,hard,noresvport,proto=tcp,timeo=600,retrans=2,"
        "sec=sys,clientaddr=10.0.1.23,local_lock=none,addr=10.0.1.10"
    )

    def described(self) -> dict[str, str]:
        """The mount in the columns of findmnt."""
        return {
            "TARGET": str(self.path),
            "SOURCE": f"{self.file_system_id}.efs.{REGION}.amazonaws.com:/",
            "FSTYPE": self.kind,
            "OPTIONS": self.options,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One instance; `folder` holds what its agent writes. Usable without a sandbox.

    What the instance has mounted is this machine's folders, under their own paths: the script is told those.
    """

    instance_id: str
    folder: Path
    instance_type: str = "m5.large"
    agent_version: str = "3.3.3572.0"
    platform: Platform = AMAZON_LINUX
    mounts: tuple[Mount, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def passes_environment_variables(self) -> bool:
        """Whether the agent is new enough for parameters in the environment."""
        return tuple(int(part) for part in self.agent_version.split(".")) >= ENVIRONMENT_VARIABLES_SINCE

    def prepare(self) -> None:
        """Put the host's own commands where `environment` finds them first."""
        commands = self.folder / "commands"
        facts = commands / "host"
        shutil.rmtree(commands, ignore_errors=True)
        facts.mkdir(parents=True)
        # Nothing else that a tool left among them, such as compiled code, is a command.
        for shim in sorted(path for path in SHIMS.iterdir() if path.suffix in INTERPRETERS):
            if shim.stem == "setpriv" and os.geteuid() == 0:
                # Root really becomes somebody else.
                continue
            command = commands / shim.stem
            command.write_text(f"#!{INTERPRETERS[shim.suffix]}\n{shim.read_text(encoding='utf-8')}", encoding="utf-8")
            command.chmod(command.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        (facts / "instance_type").write_text(self.instance_type, encoding="utf-8")
        (facts / "agent_version").write_text(self.agent_version, encoding="utf-8")
        (facts / "mounts.json").write_text(
            json.dumps([DISK, *(one.described() for one in self.mounts)]), encoding="utf-8"
        )

    def environment(self) -> dict[str, str]:
        """What a script of this instance finds in its environment, before any parameter.

        The agent passes on its own, that of a service of systemd, and adds to it (agent/executers/executers.go,
        prepareEnvironment).
        """
        return {
            "PATH": f"{self.folder / 'commands'}:{SYSTEM_PATH}",
            "LANG": "C.UTF-8",
            "INVOCATION_ID": "d2f1c5e9a0b74c4f8a3e6b1d9c7f5a20",
            "JOURNAL_STREAM": "8:21037",
            "SYSTEMD_EXEC_PID": "2104",
            "AWS_SSM_INSTANCE_ID": self.instance_id,
            "AWS_SSM_REGION_NAME": REGION,
            "AWS_SSM_PLATFORM_NAME": self.platform.name,
            "AWS_SSM_PLATFORM_VERSION": self.platform.version,
            **self.variables,
        }
