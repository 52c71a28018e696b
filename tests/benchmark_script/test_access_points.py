"""Mounts on which the server decides who somebody is: an access point, or one that maps root to nobody."""

import os

import pytest

from tests.benchmark_script.instance import OWN, BenchmarkInstance, eventually

# Only root can give files away.
pytestmark = pytest.mark.needs("root")


STAT = (
    "[[ $* != *'%u %a %d'* ]] || exec /usr/bin/stat -c '%u 700 %d' .\n"
    "[[ $* != '-L -c %u '* ]] || exec echo 1000\n"
    'exec /usr/bin/stat "$@"\n'
)


@pytest.fixture
def access_point(instance: BenchmarkInstance) -> BenchmarkInstance:
    """Whatever is made belongs to user 1000, nobody may give it away, and everybody counts as that user."""
    instance.command("stat", f"#!/bin/bash\n{STAT}")
    instance.command("chown", "#!/bin/sh\necho 'Operation not permitted' >&2; exit 1\n")
    instance.command(
        "mkdir",
        '#!/bin/bash\n/usr/bin/mkdir "$@" || exit\n'
        '[ $UID != 0 ] || { /bin/chown 1000 "${@: -1}"; chmod 777 "${@: -1}"; }\n',
    )
    return instance


def test_on_an_access_point_the_directory_may_belong_to_its_user(access_point: BenchmarkInstance) -> None:
    ended = access_point.run()
    assert ended.status == 0, ended
    assert access_point.leftovers() == []


def test_one_that_is_killed_while_it_asks_whose_its_files_are_locks_nobody_out(access_point: BenchmarkInstance) -> None:
    """Between making what it asks by and removing it."""
    access_point.command("stat", f"#!/bin/bash\n[[ $* != '-L -c %u '* ]] || exec sleep 1000\n{STAT}")
    access_point.command("rmdir", '#!/bin/bash\n[[ $* != *-i-* ]] || exec sleep 1000\nexec /usr/bin/rmdir "$@"\n')
    running = access_point.start()
    assert eventually(lambda: len(access_point.leftovers()) > 1, within_seconds=10)
    access_point.command("stat", f"#!/bin/bash\n{STAT}")
    access_point.command("rmdir", '#!/bin/bash\nexec /usr/bin/rmdir "$@"\n')
    running.kill_group()
    assert eventually(lambda: access_point.leftovers() == [], within_seconds=60)
    assert eventually(lambda: not access_point.processes(), within_seconds=20)


def test_somebodys_directory_is_not_taken_for_that_of_an_access_point(access_point: BenchmarkInstance) -> None:
    access_point.command("stat", f"#!/bin/bash\n{STAT.replace('echo 1000', 'echo 1001')}")
    access_point.own.mkdir(mode=0o700)
    os.chown(access_point.own, 1000, 1000)
    assert access_point.run().refusal.endswith("belongs to user 1000: it is not ours")
    assert access_point.leftovers() == [OWN]


def test_where_root_is_mapped_to_nobody_the_way_out_is_told(instance: BenchmarkInstance) -> None:
    instance.command("mkdir", '#!/bin/sh\necho "mkdir: cannot create directory: Permission denied" >&2; exit 1\n')
    assert instance.run().refusal.endswith(
        "cannot be made: mkdir: cannot create directory: Permission denied (where a file system policy is set, root"
        " needs elasticfilesystem:ClientWrite and ClientRootAccess)"
    )


def test_where_the_worker_may_not_write_an_access_point_is_advised(instance: BenchmarkInstance) -> None:
    instance.command(
        "mkdir",
        "#!/bin/bash\n[ $UID = 0 ] && exec /usr/bin/mkdir \"$@\"\necho 'mkdir: Permission denied' >&2; exit 1\n",
    )
    assert "may not write in" in instance.run().refusal
    assert instance.leftovers() == []
