"""The disk of the machine: a Debian with a kernel that has an NFS server and client, made once and kept."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

RELEASE = "bookworm"
PACKAGES = (
    *("linux-image-cloud-amd64", "systemd-sysv", "dbus", "kmod", "iproute2", "iptables", "procps", "util-linux"),
    *("nfs-kernel-server", "nfs-common", "e2fsprogs", "python3", "rsync", "fpart", "parallel", "cpio"),
)
SIZE = "6G"
COMMANDS = ("mmdebstrap", "mke2fs", "qemu-system-x86_64")
DEBIAN_PACKAGES = {"mmdebstrap": "mmdebstrap", "mke2fs": "e2fsprogs", "qemu-system-x86_64": "qemu-system-x86"}
AGENT = Path(__file__).with_name("guest_agent.py")
UNIT = """\
[Unit]
DefaultDependencies=no
After=local-fs.target dev-virtio\\x2dports-efs\\x2dmonitor.device systemd-modules-load.service
Wants=dev-virtio\\x2dports-efs\\x2dmonitor.device
[Service]
ExecStart=/usr/bin/python3 /usr/local/lib/guest_agent.py
Restart=on-failure
[Install]
WantedBy=multi-user.target
"""
IDLE_SERVICES = (
    *("exim4.service", "nfs-blkmap.service", "systemd-logind.service", "systemd-timesyncd.service"),
    *("getty@tty1.service", "serial-getty@ttyS0.service", "apt-daily.timer", "apt-daily-upgrade.timer"),
    *("dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer", "e2scrub_reap.service"),
)
# The shortest that the kernel takes: a client that is gone has lost its locks, and a server that came back takes new
# ones, after ten seconds instead of ninety.
NFS_CONFIGURATION = """\
[nfsd]
vers3=n
vers4.0=n
lease-time=10
grace-time=10
threads=16
"""


class ImageMissing(Exception):
    """The image cannot be had here; one sentence says why."""


@dataclass(frozen=True, kw_only=True)
class Image:
    """What a machine boots from."""

    disk: Path
    kernel: Path
    initial_ramdisk: Path


def image() -> Image:
    """The image, made where it is not there yet; ImageMissing where it cannot be."""
    missing = [DEBIAN_PACKAGES[command] for command in COMMANDS if shutil.which(command) is None]
    if missing:
        raise ImageMissing(f"A machine with NFS needs QEMU and an image: apt-get install {' '.join(missing)}")
    made_from = (RELEASE, PACKAGES, SIZE, UNIT, IDLE_SERVICES, NFS_CONFIGURATION, AGENT.read_text(encoding="utf-8"))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "efs-monitor"
    folder = cache / f"nfs-{hashlib.sha256(repr(made_from).encode()).hexdigest()[:16]}"
    if not folder.exists():
        _make(folder)
    return Image(disk=folder / "disk", kernel=folder / "kernel", initial_ramdisk=folder / "initial-ramdisk")


def _make(folder: Path) -> None:
    """Make the image beside its place, and then put it there whole."""
    if os.geteuid() != 0:
        raise ImageMissing("The image of a machine with NFS is not there yet, and only root can make it")
    print("Making the image of a machine with NFS, two minutes and once.", flush=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="nfs-", dir=folder.parent) as name:
        # The user that mmdebstrap's apt becomes must get through.
        Path(name).chmod(0o755)
        root, made = Path(name) / "root", Path(name) / "made"
        made.mkdir()
        words = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(PACKAGES)}", RELEASE, str(root)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
            raise ImageMissing(f"The image of a machine with NFS cannot be made: mmdebstrap ended with {last!r}")
        _configure(root)
        shutil.copy(_newest(root, "vmlinuz-*"), made / "kernel")
        shutil.copy(_newest(root, "initrd.img-*"), made / "initial-ramdisk")
        words = ["mke2fs", "-q", "-t", "ext4", "-d", str(root), str(made / "disk"), SIZE]
        subprocess.run(words, check=True)
        made.rename(folder)


def _newest(root: Path, pattern: str) -> Path:
    return max((root / "boot").glob(pattern))


def _configure(root: Path) -> None:
    (root / "etc/hostname").write_text("server\n", encoding="utf-8")
    (root / "etc/fstab").write_text("/dev/vda / ext4 rw 0 0\n", encoding="utf-8")
    (root / "etc/nfs.conf").write_text(NFS_CONFIGURATION, encoding="utf-8")
    shutil.copy(AGENT, root / "usr/local/lib/guest_agent.py")
    (root / "etc/systemd/system/guest-agent.service").write_text(UNIT, encoding="utf-8")
    subprocess.run(["chroot", root, "systemctl", "--quiet", "enable", "guest-agent"], check=True)
    # The server is started once there is something to export. The others only take time.
    subprocess.run(["chroot", root, "systemctl", "--quiet", "disable", "nfs-server"], check=True)
    subprocess.run(["chroot", root, "systemctl", "--quiet", "mask", *IDLE_SERVICES], check=True)
