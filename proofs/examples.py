"""The examples read by what they are written for: Terraform, and CDK on the template of a bundle.

What cannot be had here is said in one line, and no failure. CDK comes into an environment of its own.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

import yaml

from stage.invocation.built import build_if_needed
from stage.sam_deployment import PROJECT, Deployer
from tools.package import WHOLE, written

EXAMPLES = PROJECT / "examples"
STACK_NAME = "efs-monitor-home"
OF_CDK = {"BootstrapVersion"}


def terraform_reads_its_own() -> bool:
    """Whether terraform finds its example formatted as it would, and valid where its provider can be had."""
    terraform = shutil.which("terraform")
    if terraform is None:
        print("There is no terraform here: its example was not read by it.")
        return True
    form = subprocess.run([terraform, "fmt", "-check", "-diff", EXAMPLES / "terraform"], check=False).returncode == 0
    with tempfile.TemporaryDirectory(prefix="efs-monitor-terraform-") as folder:
        shutil.copy(EXAMPLES / "terraform" / "main.tf", folder)
        (Path(folder) / "packaged.yaml").write_text("Resources: {}\n", encoding="utf-8")
        started = subprocess.run([terraform, "init", "-no-color"], cwd=folder, capture_output=True, check=False)
        if started.returncode != 0:
            print("Terraform's provider for AWS cannot be had here: the example was held to its form only.")
            return form
        valid = subprocess.run([terraform, "validate", "-no-color"], cwd=folder, check=False).returncode == 0
    return form and valid


def cdk_reads_its_own(folder: Path) -> bool:
    """The app makes the template that it was given: the same parameters, resources and outputs, and nothing that is
    missing. By the parameter FileSystemId a fleet knows what a stack watches.
    """
    if shutil.which("node") is None:
        print("There is no node here: the example for CDK was not read by it.")
        return True
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    if subprocess.run([python, "-m", "pip", "install", "--quiet", "aws-cdk-lib"], check=False).returncode != 0:
        print("aws-cdk-lib cannot be had here: the example for CDK was not read by it.")
        return True
    shutil.copy(EXAMPLES / "cdk" / "app.py", folder)
    packaged = packaged_whole(folder)
    (folder / "packaged.json").write_text(json.dumps(packaged), encoding="utf-8")
    made = "import aws_cdk, app; app.monitor(made := aws_cdk.App(outdir='out')); made.synth()"
    if subprocess.run([python, "-c", made], cwd=folder, check=False).returncode != 0:
        return False
    template = json.loads((folder / "out" / f"{STACK_NAME}.template.json").read_text(encoding="utf-8"))
    named = set(re.findall(r'"Ref": "([^":]+)"', json.dumps(template)))
    parts = ("Parameters", "Resources", "Outputs")
    same = [template[part].keys() - OF_CDK == packaged[part].keys() for part in parts]
    there = template["Resources"].keys() | template["Parameters"].keys()
    return all(same) and named - there <= OF_CDK


def packaged_whole(folder: Path) -> dict[str, dict[str, dict[str, object]]]:
    """The bundle's whole template, with its code in a bucket as `aws cloudformation package` leaves it."""
    build_if_needed(Deployer("", folder, str))
    bundle = written(folder / "dist")
    with zipfile.ZipFile(bundle) as archive:
        document: dict[str, dict[str, dict[str, object]]] = yaml.safe_load(archive.read(f"{bundle.stem}/{WHOLE}"))
    for resource in document["Resources"].values():
        properties = resource.get("Properties")
        if isinstance(properties, dict):
            properties.update(
                {name: f"s3://b/{properties[name]}" for name in {"CodeUri", "ContentUri"} & properties.keys()}
            )
    return document


def main() -> int:
    """0 where nothing that could be tried failed."""
    with tempfile.TemporaryDirectory(prefix="efs-monitor-cdk-") as folder:
        held = [terraform_reads_its_own(), cdk_reads_its_own(Path(folder))]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
