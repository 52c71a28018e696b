"""A container is reached, and reaches us, by the bridge of the Docker engine, whatever the engine says of it."""

from pathlib import Path

import pytest

from stage.invocation.docker import Docker

LOOPBACK_NETWORK = "127.0.0.0/8"
"""Whose first address is this machine's, as that of a bridge is."""


def an_engine(folder: Path, bridge: str) -> str:
    """A folder whose `docker` says this of the bridge, as its template asks for it."""
    command = folder / "docker"
    command.write_text(f"#!/bin/sh\n[ \"$1 $2\" = 'network inspect' ] && echo '{bridge}'\nexit 0\n", encoding="utf-8")
    command.chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    "bridge",
    [
        pytest.param(f"{LOOPBACK_NETWORK} 127.0.0.1", id="subnet and gateway"),
        pytest.param(f"{LOOPBACK_NETWORK} ", id="no gateway, as Docker 20.10 when it is started for the first time"),
    ],
)
def test_containers_are_reached_at_the_bridge(bridge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", an_engine(tmp_path, bridge), prepend=":")
    with Docker("any") as docker:
        assert " ".join(docker.options).endswith("--container-host 127.0.0.1 --container-host-interface 127.0.0.1")


@pytest.mark.parametrize(
    "bridge",
    [
        pytest.param("", id="nothing is said"),
        pytest.param("198.51.100.0/24 198.51.100.1", id="the bridge is another machine's"),
    ],
)
def test_without_a_bridge_of_this_machine_sam_finds_its_own_way(
    bridge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", an_engine(tmp_path, bridge), prepend=":")
    with Docker("any") as docker:
        assert "--container-host" not in docker.options
