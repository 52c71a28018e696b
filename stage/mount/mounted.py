"""A mount for as long as it is needed; its own process serves it and ends with this one, however this one ends."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self

from stage.mount import kernel
from stage.mount.metered import Metered
from stage.mount.profile import EfsProfile
from stage.sam_deployment import PROJECT

PATIENCE_SECONDS = 10


class MountError(Exception):
    """There is no mount: it could not be had, or its process is gone."""


class ModelledMount:
    """`with ModelledMount(folder, profile):` puts an empty file system over an empty folder, and takes it away."""

    def __init__(self, folder: Path, profile: EfsProfile | None = None) -> None:
        self.path = folder.absolute()
        self.profile = profile or EfsProfile()
        self._process: subprocess.Popen[str] | None = None
        self._control: socket.socket | None = None

    @staticmethod
    def why_not() -> str | None:
        """Why nothing can be mounted on this machine, for people; None where it can."""
        return kernel.why_not()

    def __enter__(self) -> Self:
        # What a killed process left behind answers nothing but errors.
        if kernel.is_mounted(self.path):
            kernel.detach(self.path)
        self.path.mkdir(parents=True, exist_ok=True)
        self._control, theirs = socket.socketpair()
        self._control.settimeout(PATIENCE_SECONDS)
        with theirs:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "stage.mount"),
                    *(str(self.path), self.profile.as_json(), str(theirs.fileno())),
                ],
                cwd=PROJECT,
                env={**os.environ, "PYTHONPATH": str(PROJECT)},
                stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                pass_fds=(theirs.fileno(),),
                # Ctrl-C is for this process to answer: what runs on the mount must end before the mount does.
                start_new_session=True,
            )
        try:
            self._answer()
        except MountError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            try:
                self._process.communicate(timeout=PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.communicate()
        if kernel.is_mounted(self.path):
            kernel.detach(self.path)

    def metered(self) -> Metered:
        """Everything metered since the mount began."""
        return self._ask({})

    def permit(self, bytes_per_second: float) -> None:
        """From now on all clients together get this much, in metered bytes: PermittedThroughput."""
        if not bytes_per_second > 0:
            raise ValueError(f"bytes_per_second is {bytes_per_second}; permitted throughput is above zero")
        self._ask({"permit": bytes_per_second})

    def _ask(self, request: dict[str, float]) -> Metered:
        if self._control is None:
            raise MountError(f"{self.path} is not mounted")
        try:
            self._control.sendall(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise MountError(f"the process that serves {self.path} is gone: {error}") from error
        read_bytes, written_bytes, metadata_operations = json.loads(self._answer())
        return Metered(read_bytes=read_bytes, written_bytes=written_bytes, metadata_operations=metadata_operations)

    def _answer(self) -> bytes:
        assert self._control is not None and self._process is not None  # noqa: PT018, S101 - mounted, so both are there
        try:
            answer = self._control.recv(4096)
        except TimeoutError:
            raise MountError(f"{self.path}: no answer within {PATIENCE_SECONDS} s") from None
        except OSError:
            answer = b""
        if not answer:
            _, told = self._process.communicate()
            raise MountError(f"{self.path}: {told.strip() or 'its process ended'}")
        return answer
