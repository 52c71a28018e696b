"""An instance that is switched off: nothing that it ran goes on, whatever it was at in that moment."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from localaws.ssm.host import Host
from localaws.ssm.power import power_off

SWITCHED_OFF = 100
PATIENCE_SECONDS = 60
ALWAYS_ANOTHER_PROGRAM = 'exec sh -c "$0" "$0"'


@pytest.fixture
def host(tmp_path: Path) -> Host:
    host = Host(instance_id="i-0123456789abcdef0", folder=tmp_path)
    host.prepare()
    return host


@pytest.fixture
def processes() -> Iterator[list["subprocess.Popen[bytes]"]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.more
def test_whoever_is_just_becoming_another_program_is_ended_too(
    host: Host, processes: list["subprocess.Popen[bytes]"]
) -> None:
    command = ["sh", "-c", ALWAYS_ANOTHER_PROGRAM, ALWAYS_ANOTHER_PROGRAM]
    for _ in range(SWITCHED_OFF):
        processes[:] = [subprocess.Popen(command, env=host.environment()) for _ in range(4)]
        power_off(host)
        for process in processes:
            process.wait(timeout=PATIENCE_SECONDS)
