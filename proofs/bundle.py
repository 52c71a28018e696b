"""The bundle, built twice, is the same; and a Debian that has the AWS command line alone deploys it by its own page.

That machine is a root file system of its own, made for this proof and taken away after it: it has no Python of ours, no
SAM and no checkout, only what Debian's `awscli` brings, and the bundle. It reaches the sandbox of this machine. Needs
root, mmdebstrap and unshare.
"""

import re
import shlex
import subprocess
import sys
import tempfile
import zipfile
from datetime import timedelta
from pathlib import Path

from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.efs.credits import GIB, burst_bytes_per_second, full_bucket_bytes

from localaws.clock import MINUTE
from localaws.cloudwatch.metrics import MetricId
from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from operate.template_files import as_written
from proofs.bare import RELEASE, USERS, entered, why_not
from stage.direct_deployment import create_bucket
from stage.invocation.built import build_if_needed
from stage.sam_deployment import Deployer
from tools.package import TEMPLATE, written

PACKAGES = ("awscli", "unzip", "ca-certificates")
STACK_NAME = "efs-monitor-home"
FILE_SYSTEM_ID = "fs-0123456789abcdef0"
BUCKET = "artifacts-of-ours"
ARMED_WITHIN = timedelta(minutes=5)
SIZE_BYTES = 100 * GIB


def is_built_the_same_twice() -> bool:
    """Whether the test that builds it in two folders holds."""
    words = ["pytest", "-q", "-m", "long", "tests/stage/test_bundle_built_twice.py"]
    return subprocess.run([sys.executable, "-m", *words], check=False).returncode == 0


def machine(root: Path, bundle: Path) -> None:
    """A root file system with the AWS command line, and the bundle as somebody has downloaded it."""
    include = f"--include={','.join(PACKAGES)}"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", include, RELEASE, root], check=True)
    home = root / "root" / "project"
    home.mkdir(parents=True)
    (home / bundle.name).write_bytes(bundle.read_bytes())
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n", encoding="utf-8")


def commands(bundle: Path) -> list[str]:
    """The commands of the bundle's own page, every parameter by name at its default, but for what must be given."""
    with zipfile.ZipFile(bundle) as archive:
        page = archive.read(f"{bundle.stem}/README.md").decode()
        template = bundle.parent / TEMPLATE
        template.write_bytes(archive.read(f"{bundle.stem}/{TEMPLATE}"))
    package, deploy = (
        re.sub(r"\\\n\s*", "", one).replace("BUCKET", BUCKET)
        for one in re.findall(r"^    (aws cloudformation (?:package|deploy)(?:.*\\\n)*.*)$", page, re.MULTILINE)
    )
    parameters = {name: str(one.get("Default", "")) for name, one in as_written(template)["Parameters"].items()}
    given = parameters | {"FileSystemId": FILE_SYSTEM_ID, "AlertEmail": "team@example.com"}
    overrides = shlex.join(f"{name}={value}" for name, value in given.items())
    return [package, f"{deploy.partition(' --parameter-overrides ')[0]} --parameter-overrides {overrides}"]


def deploys(root: Path, bundle: Path, work_dir: Path) -> bool:
    """Whether its commands, run there, leave a stack whose alarms are armed within five minutes."""
    with Sandbox(work_dir) as sandbox:
        sandbox.file_systems.create(FILE_SYSTEM_ID, Size(standard_bytes=SIZE_BYTES))
        create_bucket(sandbox.client("s3"), BUCKET)
        account = " ".join(
            f"{name}={shlex.quote(value)}"
            for name, value in Deployer(sandbox.endpoint_url, work_dir, str).environment().items()
        )
        sandbox.clock.let_run()
        began = sandbox.clock.now()
        for command in [f"unzip -q {bundle.name}", *commands(bundle)]:
            print(f"$ {command}", flush=True)
            there = command if command.startswith("unzip") else f"cd {bundle.stem} && {account} {command}"
            if subprocess.run(entered(root, USERS[0], there), check=False).returncode != 0:
                return False
        for _ in range(3):
            for metric, value in (
                ("BurstCreditBalance", full_bucket_bytes(SIZE_BYTES)),
                ("PermittedThroughput", burst_bytes_per_second(SIZE_BYTES)),
            ):
                sandbox.metrics.record(
                    MetricId.of("AWS/EFS", metric, FileSystemId=FILE_SYSTEM_ID), sandbox.clock.now(), value
                )
            sandbox.clock.move_to(sandbox.clock.now() + MINUTE)
            sandbox.step()
        found = sandbox.client("cloudwatch").describe_alarms(AlarmNamePrefix=f"{STACK_NAME}-")["MetricAlarms"]
        states = {one["AlarmName"].removeprefix(f"{STACK_NAME}-"): one["StateValue"] for one in found}
        took = sandbox.clock.now() - began
        print(
            f"{', '.join(f'{end} {states.get(end)}' for end in CREDIT_ALARMS)}, after {took.total_seconds():.0f} s",
            flush=True,
        )
        return all(states.get(end) == "OK" for end in CREDIT_ALARMS) and took < ARMED_WITHIN


def main() -> int:
    """0 when both hold, 2 where no such machine can be made."""
    if not is_built_the_same_twice():
        return 1
    if reason := why_not():
        print(reason, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="efs-monitor-bundle-", dir="/var/tmp") as folder:
        root, work_dir = Path(folder) / "root", Path(folder) / "work"
        work_dir.mkdir()
        build_if_needed(Deployer("", work_dir, str))
        bundle = written(Path(folder) / "dist")
        machine(root, bundle)
        return 0 if deploys(root, bundle, work_dir) else 1


if __name__ == "__main__":
    sys.exit(main())
