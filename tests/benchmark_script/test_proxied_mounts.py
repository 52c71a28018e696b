"""A mount behind efs-utils' proxy shows 127.0.0.1: the configuration of the proxy proves which file system it is.

`efs_utils/` holds what those versions of https://github.com/aws/efs-utils write for a mount of FILE_SYSTEM_ID on
/mnt/efs, byte for byte, by their own `write_stunnel_config_file`. From 2.0 on plain mounts go through a proxy, too.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.benchmark_script.instance import FILE_SYSTEM_ID, BenchmarkInstance

WRITTEN = Path(__file__).parent / "efs_utils"
OTHER_ID = "fs-fedcba98"
PORT = 20449
POINT = "/mnt/efs"
STATE = f"{FILE_SYSTEM_ID}.mnt.efs.{PORT}"
DNS_NAME = f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com"
PLAIN = (WRITTEN / "3.2.0-plain.conf").read_text()


@pytest.fixture
def states(instance: BenchmarkInstance, folder: Path) -> Path:
    """Where the script looks for what efs-utils keeps; the instance's mount is one through the proxy."""
    path = folder / "states"
    path.mkdir()
    instance.constant("STATES", path)
    instance.mounted_from(
        "127.0.0.1:/",
        options=f"rw,relatime,vers=4.1,hard,noresvport,proto=tcp,port={PORT},sec=sys,addr=127.0.0.1",
        point=POINT,
    )
    return path


def keep(states: Path, configuration: str, state: str = STATE) -> None:
    """What `mount.efs` leaves for a mount that stands."""
    (states / state).write_text('{"pid": 4711}')
    (states / f"stunnel-config.{state}").write_text(configuration)


def connecting_to(name: str) -> str:
    return re.sub("(?m)^connect = .*$", f"connect = {name}:2049", PLAIN)


@pytest.mark.whole
@pytest.mark.parametrize("written", ["1.4-tls", "1.36.0-tls", "2.4.2-tls", "2.4.2-plain", "3.2.0-tls", "3.2.0-plain"])
def test_what_efs_utils_writes_for_a_mount_by_name_proves_it(
    instance: BenchmarkInstance, states: Path, written: str
) -> None:
    keep(states, (WRITTEN / f"{written}.conf").read_text())
    assert instance.run().status == 0


@pytest.mark.parametrize("written", ["1.36.0-tls-by-address", "3.2.0-plain-by-address"])
def test_a_proxy_that_connects_to_an_address_proves_nothing(
    instance: BenchmarkInstance, states: Path, written: str
) -> None:
    """With `mounttargetip`, or where the name did not resolve. File name and `checkHost` are only what root typed."""
    keep(states, (WRITTEN / f"{written}.conf").read_text())
    assert instance.run().refusal == (
        f"{instance.mount} is behind a proxy that connects to 10.0.1.10:2049 (by stunnel-config.{STATE}), which proves "
        "no file system id: mount it by its DNS name, without mounttargetip"
    )
    assert instance.leftovers() == []


@pytest.mark.whole
@pytest.mark.parametrize(
    "name",
    [
        DNS_NAME,
        f"us-east-1a.{DNS_NAME}",  # One Zone
        f"use1-az1.{DNS_NAME}",  # -o crossaccount
        f"{DNS_NAME}.",
        f"{FILE_SYSTEM_ID}.efs.cn-north-1.amazonaws.com.cn",
        f"{FILE_SYSTEM_ID}.efs.eusc-de-east-1.amazonaws.eu",
        f"{FILE_SYSTEM_ID}.efs.us-iso-east-1.c2s.ic.gov",
        f"{FILE_SYSTEM_ID}.efs.us-isob-east-1.sc2s.sgov.gov",
        f"{FILE_SYSTEM_ID}.efs.us-isof-south-1.csp.hci.ic.gov",
        f"{FILE_SYSTEM_ID}.efs.eu-isoe-west-1.cloud.adc-e.uk",
    ],
)
def test_each_name_that_efs_utils_gives_a_file_system_proves_it(
    instance: BenchmarkInstance, states: Path, name: str
) -> None:
    keep(states, connecting_to(name))
    assert instance.run().status == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    "name",
    [
        "10.0.1.10",
        "2001:db8::10",
        "nas.example.com",
        f"{FILE_SYSTEM_ID}.efs.us-east-1.example.com",
        f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com.example.com",
        f"{FILE_SYSTEM_ID}.s3files.us-east-1.on.aws",
        f"x.y.{DNS_NAME}",
        "",
    ],
)
def test_any_other_name_is_refused_as_it_is(instance: BenchmarkInstance, states: Path, name: str) -> None:
    keep(states, connecting_to(name))
    assert f"connects to {name}:2049 (by stunnel-config.{STATE})" in instance.run().refusal


def test_another_file_system_is_refused_whatever_the_name_of_the_state(
    instance: BenchmarkInstance, states: Path
) -> None:
    keep(states, connecting_to(f"{OTHER_ID}.efs.us-east-1.amazonaws.com"))
    assert instance.run().refusal == f"{instance.mount} is {OTHER_ID}, not {FILE_SYSTEM_ID} (by stunnel-config.{STATE})"


def test_the_name_of_the_state_is_only_what_root_typed(instance: BenchmarkInstance, states: Path) -> None:
    keep(states, PLAIN, state=f"{OTHER_ID}.mnt.efs.{PORT}")
    assert instance.run().status == 0


def test_a_configuration_without_a_connection_proves_nothing(instance: BenchmarkInstance, states: Path) -> None:
    keep(states, re.sub("(?m)^connect = .*\n", "", PLAIN))
    assert "connects to nothing (by stunnel-config" in instance.run().refusal


def test_of_several_connections_each_must_be_the_file_system(instance: BenchmarkInstance, states: Path) -> None:
    keep(states, f"{PLAIN}\nconnect = {OTHER_ID}.efs.us-east-1.amazonaws.com:2049")
    assert f"is {OTHER_ID}, not {FILE_SYSTEM_ID}" in instance.run().refusal


def test_the_last_line_counts_without_a_line_end(instance: BenchmarkInstance, states: Path) -> None:
    keep(states, f"client = yes\nconnect = {OTHER_ID}.efs.us-east-1.amazonaws.com:2049")
    assert f"is {OTHER_ID}, not {FILE_SYSTEM_ID}" in instance.run().refusal


def test_of_two_states_of_one_port_each_must_be_the_file_system(instance: BenchmarkInstance, states: Path) -> None:
    """A namespace of the network has ports of its own."""
    keep(states, PLAIN)
    keep(states, connecting_to(f"{OTHER_ID}.efs.us-east-1.amazonaws.com"), state=f"{OTHER_ID}.mnt.other.{PORT}")
    assert f"is {OTHER_ID}, not {FILE_SYSTEM_ID}" in instance.run().refusal


@pytest.mark.whole
@pytest.mark.parametrize("other", ["mnt.other", "mnt", "efs", "mnt.efs.data", "x.mnt.efs"])
def test_a_state_of_another_mount_that_had_the_port_proves_nothing(
    instance: BenchmarkInstance, states: Path, other: str
) -> None:
    keep(states, PLAIN, state=f"{FILE_SYSTEM_ID}.{other}.{PORT}")
    assert f"has no state for port {PORT} at {POINT}: mount it with efs-utils again" in instance.run().refusal


def test_one_beside_the_right_one_spoils_nothing_as_long_as_both_agree(
    instance: BenchmarkInstance, states: Path
) -> None:
    keep(states, PLAIN, state=f"{FILE_SYSTEM_ID}.mnt.other.{PORT}")
    keep(states, PLAIN)
    assert instance.run().status == 0


@pytest.mark.whole
@pytest.mark.needs("root")  # to mount
@pytest.mark.parametrize("name", [".first", "a b", "\té\\040\n#"])
def test_a_bind_mount_is_proven_by_the_state_of_what_it_shows(
    instance: BenchmarkInstance, states: Path, folder: Path, name: str
) -> None:
    first = folder / name
    first.mkdir()
    subprocess.run(["/usr/bin/mount", "-t", "tmpfs", "none", first], check=True)
    subprocess.run(["/usr/bin/mount", "--bind", first, instance.mount], check=True)
    try:
        instance.mounted_from("127.0.0.1:/", options=f"rw,vers=4.1,port={PORT}")
        keep(states, PLAIN, state=f"{FILE_SYSTEM_ID}.{str(first).replace('/', '.').lstrip('.')}.{PORT}")
        assert instance.run().status == 0
    finally:
        subprocess.run(["/usr/bin/umount", instance.mount], check=True)
        subprocess.run(["/usr/bin/umount", first], check=True)


@pytest.mark.needs("root")  # to mount
def test_a_part_of_a_name_with_a_space_is_no_mount_point(
    instance: BenchmarkInstance, states: Path, folder: Path
) -> None:
    first = folder / f"x {STATE.split('.', 1)[1].rpartition('.')[0]} y"
    first.mkdir()
    subprocess.run(["/usr/bin/mount", "-t", "tmpfs", "none", first], check=True)
    subprocess.run(["/usr/bin/mount", "--bind", first, instance.mount], check=True)
    try:
        instance.mounted_from("127.0.0.1:/", options=f"rw,vers=4.1,port={PORT}")
        keep(states, PLAIN)
        assert f"has no state for port {PORT}" in instance.run().refusal
    finally:
        subprocess.run(["/usr/bin/umount", instance.mount], check=True)
        subprocess.run(["/usr/bin/umount", first], check=True)


@pytest.mark.whole
@pytest.mark.parametrize("source", ["localhost:/", "127.0.0.1:/data", "[::1]:/"])
def test_every_name_of_this_host_stands_for_the_proxy(instance: BenchmarkInstance, states: Path, source: str) -> None:
    keep(states, PLAIN)
    instance.mounted_from(source, options=f"rw,vers=4.1,port={PORT},addr=127.0.0.1", point=POINT)
    assert instance.run().status == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    ("state", "configuration"),
    [
        (None, None),
        (f"{FILE_SYSTEM_ID}.mnt.efs.20450", f"stunnel-config.{FILE_SYSTEM_ID}.mnt.efs.20450"),
        (f"~{STATE}", f"stunnel-config.{STATE}"),  # a mount that is being made, or never was
        (STATE, None),
        (None, f"stunnel-config.{STATE}"),
    ],
)
def test_without_state_and_configuration_of_the_port_it_is_refused(
    instance: BenchmarkInstance, states: Path, state: str | None, configuration: str | None
) -> None:
    if state:
        (states / state).write_text("{}")
    if configuration:
        (states / configuration).write_text(PLAIN)
    assert f"has no state for port {PORT} at {POINT}: mount it with efs-utils again" in instance.run().refusal
    assert instance.leftovers() == []


@pytest.mark.parametrize("name", [STATE, f"stunnel-config.{STATE}"])
def test_a_link_in_their_place_is_nobodys_word(instance: BenchmarkInstance, states: Path, name: str) -> None:
    keep(states, PLAIN)
    elsewhere = states.parent / "elsewhere"
    (states / name).rename(elsewhere)
    (states / name).symlink_to(elsewhere)
    assert "has no state for port" in instance.run().refusal


@pytest.mark.needs("root")  # to give files away
@pytest.mark.parametrize("name", [STATE, f"stunnel-config.{STATE}"])
def test_what_another_user_wrote_is_nobodys_word(instance: BenchmarkInstance, states: Path, name: str) -> None:
    keep(states, PLAIN)
    os.chown(states / name, 12345, 12345)
    assert "has no state for port" in instance.run().refusal


def test_without_a_port_nothing_says_which_proxy_it_is(instance: BenchmarkInstance, states: Path) -> None:
    keep(states, PLAIN)
    instance.mounted_from("127.0.0.1:/", options="rw,vers=4.1")
    assert "without a port option" in instance.run().refusal
