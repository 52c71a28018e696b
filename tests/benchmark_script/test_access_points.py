"""Mounts on which the server decides who somebody is: an access point, or one that maps root to nobody."""

import pytest

from tests.benchmark_script.instance import Instance

# Only root can give files away.
pytestmark = pytest.mark.needs("root")


@pytest.fixture
def access_point(instance: Instance) -> Instance:
    """Whatever is made belongs to user 1000, nobody may give it away, and everybody counts as that user."""
    instance.command(
        "stat",
        "#!/bin/bash\n[[ $* != *'%u %a %d'* ]] || exec /usr/bin/stat -c '%u 700 %d' .\nexec /usr/bin/stat \"$@\"\n",
    )
    instance.command("chown", "#!/bin/sh\necho 'Operation not permitted' >&2; exit 1\n")
    instance.command(
        "mkdir",
        '#!/bin/bash\n/usr/bin/mkdir "$@" || exit\n'
        '[ $UID != 0 ] || { /bin/chown 1000 "${@: -1}"; chmod 777 "${@: -1}"; }\n',
    )
    return instance


def test_on_an_access_point_the_directory_may_belong_to_its_user(access_point: Instance) -> None:
    ended = access_point.run()
    assert ended.status == 0, ended
    assert access_point.leftovers() == []


def test_where_root_is_mapped_to_nobody_the_way_out_is_told(instance: Instance) -> None:
    instance.command("mkdir", '#!/bin/sh\necho "mkdir: cannot create directory: Permission denied" >&2; exit 1\n')
    assert instance.run().refusal.endswith(
        "cannot be made: mkdir: cannot create directory: Permission denied (where a file system policy is set, root"
        " needs elasticfilesystem:ClientWrite and ClientRootAccess)"
    )


def test_where_the_worker_may_not_write_an_access_point_is_advised(instance: Instance) -> None:
    instance.command(
        "mkdir",
        "#!/bin/bash\n[ $UID = 0 ] && exec /usr/bin/mkdir \"$@\"\necho 'mkdir: Permission denied' >&2; exit 1\n",
    )
    assert "may not write in" in instance.run().refusal
    assert instance.leftovers() == []
