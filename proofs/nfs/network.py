"""The server and its clients: one kernel, but each client an NFS client of its own, with its own address and lease."""

import re
from dataclasses import dataclass

from localaws.account import REGION
from proofs.nfs.virtual_machine import GuestCommand, MachineFailed, Said, VirtualMachine

FILE_SYSTEM_ID = "fs-0123456789abcdef0"
DNS_NAME = f"{FILE_SYSTEM_ID}.efs.{REGION}.amazonaws.com"
EXPORTED = "/srv/efs"
SERVER_ADDRESS = "10.0.0.1"
# As EFS: its root may write there, and clients come from any port (noresvport).
AS_EFS = "rw,no_root_squash,insecure,no_subtree_check"
# What AWS recommends, https://docs.aws.amazon.com/efs/latest/ug/mounting-fs-nfs-mount-settings.html
RECOMMENDED = "nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport"
SERVE = """
modprobe -a nfsd nfsv4 sch_netem loop
mkfs.ext4 -q -E lazy_itable_init=1,lazy_journal_init=1 /dev/vdb
mkdir -p /srv/disk "$exported" /run/uts
mount /dev/vdb /srv/disk
ip link set lo up
ip link add nfs type bridge
ip address add "$address/24" dev nfs
ip link set nfs up
echo "$address $name" >>/etc/hosts
echo "$exported *($options,fsid=0)" >/etc/exports
mount -t nfsd nfsd /proc/fs/nfsd
# A small machine's server would say half of it.
echo 1048576 >/proc/fs/nfsd/max_block_size
systemctl start nfs-server
exportfs -ra
"""
CREATE = """
truncate -s "$bytes" "/srv/disk/$name"
mkfs.ext4 -q -E lazy_itable_init=1,lazy_journal_init=1,root_owner=0:0 "/srv/disk/$name"
mkdir "$exported/$name"
mount -o loop "/srv/disk/$name" "$exported/$name"
rmdir "$exported/$name/lost+found"
echo "$exported/$name *($options,fsid=$number)" >>/etc/exports
exportfs -ra
"""
# Until now it must have been served as it was told to be last time: without -i exportfs serves all others as in
# /etc/exports again, and what befell them would be over.
EXPORT = """
told=/run/exported-$number
served() { exportfs -s | grep "^$path "; }
[ ! -e "$told" ] || served | diff "$told" - >&2
exportfs -i -o "$options,fsid=$number" "*:$path"
served >"$told"
"""
JOIN = """
ip netns add "$name"
ip link add "$name" type veth peer name eth0 netns "$name"
ip link set "$name" master nfs up
ip -n "$name" address add "$address/24" dev eth0
ip -n "$name" link set eth0 up
ip -n "$name" link set lo up
# Its name is part of what an NFS client calls itself: of one name would be one client that has restarted.
touch "/run/uts/$name"
unshare "--uts=/run/uts/$name" hostname "$name"
"""


@dataclass(frozen=True, kw_only=True)
class NfsClient:
    """A benchmark host, in namespaces of its own; `mount_path` is its own, too."""

    machine: VirtualMachine
    number: int

    @property
    def name(self) -> str:
        """What it is called, as a host, a network and a network interface."""
        return f"client{self.number}"

    @property
    def address(self) -> str:
        """The IP address of the host."""
        return f"10.0.0.{10 + self.number}"

    @property
    def instance_id(self) -> str:
        """The EC2 instance that it stands for."""
        return f"i-{self.number:017x}"

    @property
    def mount_path(self) -> str:
        """Where it mounts the file system."""
        return f"/mnt/{self.name}"

    def inside(self, *words: str) -> tuple[str, ...]:
        """The command line of a command of this host."""
        return ("nsenter", f"--net=/run/netns/{self.name}", f"--uts=/run/uts/{self.name}", *words)

    def start(self, *words: str, environment: dict[str, str] | None = None) -> GuestCommand:
        """Start a command on this host."""
        return self.machine.start(*self.inside(*words), environment=environment)

    def ask(self, *words: str, within_seconds: float = 120) -> Said:
        """Run a command on this host, however it ends."""
        return self.start(*words).ended(within_seconds)

    def mount(self, file_system: "NfsFileSystem", options: str = RECOMMENDED) -> None:
        """Mount a file system, as without efs-utils."""
        self.machine.shell('mkdir -p "$path"', path=self.mount_path)
        source = f"{DNS_NAME}:/{file_system.name}"
        said = self.ask("mount", "-t", "nfs4", "-o", options, source, self.mount_path)
        if said.status:
            raise MachineFailed(f"{self.name} cannot mount {source}: {said.errors.strip()}")

    def unmount(self) -> None:
        """Unmount it, whoever still uses it."""
        self.ask("umount", "-f", "-l", self.mount_path)

    def cut_off(self) -> None:
        """No packet goes to or from this host any more: to both sides it is silence."""
        self.machine.shell(
            'iptables -w -I INPUT -s "$it" -j DROP && iptables -w -I OUTPUT -d "$it" -j DROP', it=self.address
        )

    def heal(self) -> None:
        """Undo `cut_off`, as often as it was done."""
        self.machine.shell(
            'while iptables -w -D INPUT -s "$it" -j DROP; do :; done 2>/dev/null\n'
            'while iptables -w -D OUTPUT -d "$it" -j DROP; do :; done 2>/dev/null',
            it=self.address,
        )

    def delay(self, milliseconds: float) -> None:
        """Each packet of this host to the server takes so long; 0 for as fast as it goes."""
        self.machine.shell(
            'tc -n "$name" qdisc del dev eth0 root 2>/dev/null || true\n'
            '[ "$delay" = 0.000ms ] || tc -n "$name" qdisc add dev eth0 root netem delay "$delay" limit 100000',
            name=self.name,
            delay=f"{milliseconds:.3f}ms",
        )

    def operations(self) -> dict[str, int]:
        """How often each operation of NFS was sent since the mount, by its name in the protocol."""
        found = re.findall(r"^\t\s*([A-Z_0-9]+): (\d+) ", self._statistics(), re.MULTILINE)
        return {name: int(count) for name, count in found}

    def bytes_moved(self) -> tuple[int, int]:
        """Bytes written to the server and read from it since the mount."""
        (line,) = re.findall(r"^\tbytes:\t([\d ]+)$", self._statistics(), re.MULTILINE)
        # Its last four are what went to and from the server, and pages.
        read, written = line.split()[4:6]
        return int(written), int(read)

    def _statistics(self) -> str:
        text = self.machine.shell("cat /proc/self/mountstats")
        for device in text.split("device ")[1:]:
            if f" mounted on {self.mount_path} " in device.splitlines()[0]:
                return device
        raise LookupError(f"{self.mount_path} is not mounted")


@dataclass(frozen=True, kw_only=True)
class NfsFileSystem:
    """A file system of the server's, on a disk of its own; clients mount it as a path of the one that EFS has."""

    machine: VirtualMachine
    number: int

    @property
    def name(self) -> str:
        """The name of the directory."""
        return f"place{self.number}"

    @property
    def path(self) -> str:
        """Where the server has it."""
        return f"{EXPORTED}/{self.name}"

    def create(self, size_bytes: int) -> None:
        """Make and serve it."""
        given = {"name": self.name, "bytes": str(size_bytes), "exported": EXPORTED, "options": AS_EFS}
        self.machine.shell(CREATE, number=str(self.number), **given)

    def export(self, options: str) -> None:
        """Serve it with other options, mounts as they are. MachineFailed where it is not served as last told."""
        self.machine.shell(EXPORT, path=self.path, options=options, number=str(self.number))

    def permit(self, mode: str, owner: str = "0:0") -> None:
        """Owner and mode of its root."""
        # With fewer than five digits chmod leaves a directory its setgid bit.
        self.machine.shell('chown "$owner" "$path" && chmod "00$mode" "$path"', path=self.path, mode=mode, owner=owner)

    def fill(self) -> None:
        """Take all the room that is left."""
        self.machine.shell(
            'fallocate -l 1G "$path/full" || dd if=/dev/zero of="$path/full" bs=1M || true', path=self.path
        )

    def empty(self) -> None:
        """Give the room back."""
        self.machine.shell('rm -f "$path/full"', path=self.path)


@dataclass(frozen=True, kw_only=True)
class NfsServer:
    """The NFS server, on the machine itself."""

    machine: VirtualMachine

    def prepare(self) -> None:
        """Serve a root that has nothing in it yet."""
        self.machine.shell(SERVE, exported=EXPORTED, address=SERVER_ADDRESS, name=DNS_NAME, options=AS_EFS)

    def client(self, number: int) -> NfsClient:
        """Make a client of this number, with a network and a name of its own, and no mount."""
        client = NfsClient(machine=self.machine, number=number)
        self.machine.shell(JOIN, name=client.name, address=client.address)
        return client

    def stop(self) -> None:
        """Nobody is served any more; connections break."""
        self.machine.shell("systemctl stop nfs-server")

    def serve(self) -> None:
        """Serve again, everything as in the beginning."""
        self.machine.shell("systemctl start nfs-server && exportfs -ra")
