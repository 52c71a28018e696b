"""What `sam local` needs of the Docker engine of this machine: a base image, and ways from a container to our ports."""

import ipaddress
import os
import shutil
import socket
import subprocess
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Self

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET, REGION
from stage.invocation.relay import Relay
from stage.sam_deployment import PROJECT

STAND_IN = "efs-monitor-python3.13"
"""What tools/runtime-image makes where AWS's registry cannot be reached."""

HOST = "host.docker.internal"

_SUBNET_AND_GATEWAY = "{{with index .IPAM.Config 0}}{{.Subnet}} {{.Gateway}}{{end}}"


class NoContainerError(RuntimeError):
    """No container can run a function here; the text says why."""


class Docker:
    """The engine, for as long as the `with` block lasts; NoContainerError where none answers.

    Without `image`, a stand-in that was made before is preferred to AWS's own image.
    """

    def __init__(self, image: str = "") -> None:
        self._image = image
        self._relays = ExitStack()
        self._gateway = ""

    def __enter__(self) -> Self:
        require_engine()
        if not self._image and docker_command("image", "inspect", STAND_IN) is not None:
            self._image = STAND_IN
        self._gateway = _gateway(docker_command("network", "inspect", "bridge", "--format", _SUBNET_AND_GATEWAY) or "")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._relays.close()

    @property
    def described(self) -> str:
        """The image containers come from, in words."""
        return f"the local image {STAND_IN}" if self._image == STAND_IN else "AWS's image"

    @property
    def options(self) -> tuple[str, ...]:
        """What every `sam local` command is told about containers here."""
        stand_in = ("--invoke-image", STAND_IN, "--skip-pull-image") if self._image == STAND_IN else ()
        return ("--region", REGION, "--add-host", f"{HOST}:host-gateway", *self._way_to_containers(), *stand_in)

    def reachable(self, port: int) -> str:
        """The address by which a container reaches a port of our loopback interface."""
        # No such address here: Docker in a virtual machine of its own, as on a desktop, leads to loopback by itself.
        with suppress(OSError):
            port = self._relays.enter_context(Relay(self._gateway, port)).port
        return f"http://{HOST}:{port}"

    def _way_to_containers(self) -> tuple[str, ...]:
        """The bridge's own address, where it is this machine's.

        At a published port of the loopback interface Docker's proxy takes connections before anything in the container
        does; sam would ask too soon, and give up after 0.7 s. At the bridge there is no proxy, and sam waits.
        """
        if not self._gateway:
            return ()
        try:
            socket.create_server((self._gateway, 0)).close()
        except OSError:
            return ()
        return ("--container-host", self._gateway, "--container-host-interface", self._gateway)


def _gateway(subnet_and_gateway: str) -> str:
    """The address of this machine on the bridge; "" where none is known.

    Docker 20.10, as in Debian 12, does not say it until it is started once more: it is the first one of the subnet.
    """
    subnet, _, gateway = subnet_and_gateway.strip().partition(" ")
    return gateway or (str(next(ipaddress.ip_network(subnet).hosts())) if subnet else "")


def require_engine() -> None:
    """NoContainerError where no Docker engine answers."""
    if shutil.which("docker") is None or docker_command("info", "--format", "{{.ServerVersion}}") is None:
        raise NoContainerError("no Docker engine runs here")


def sam_environment(endpoint_url: str) -> dict[str, str]:
    """The environment of a `sam local` command."""
    environment = {
        **os.environ,
        # For sam itself: without it, it spends seconds on finding out whose credentials these are.
        "AWS_ENDPOINT_URL": endpoint_url,
        "SAM_CLI_TELEMETRY": "0",
        # Until a container listens; a busy machine needs more than the 20 s that sam gives it.
        "SAM_CLI_CONTAINER_CONNECTION_TIMEOUT": "120",
        "AWS_ACCESS_KEY_ID": OPERATOR_KEY_ID,
        "AWS_SECRET_ACCESS_KEY": OPERATOR_SECRET,
        "AWS_DEFAULT_REGION": REGION,
        "PATH": f"{PROJECT / '.venv' / 'bin'}:{PROJECT / '.venv-sam' / 'bin'}:{os.environ['PATH']}",
    }
    # The project's own import path must not reach into the environment of the SAM command line.
    environment.pop("PYTHONPATH", None)
    return environment


def docker_command(*arguments: str) -> str | None:
    """What docker prints, None when it fails."""
    try:
        done = subprocess.run(["docker", *arguments], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
