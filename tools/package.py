"""Packs what `sam build` made into one zip from which the AWS command line alone deploys: `make package`.

The same sources give the same bytes, wherever and whenever they are packed: entries are sorted, carry one date and one
mode, and nothing of this machine is in them.
"""

import hashlib
import io
import os
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from operate.template_files import with_included_files
from operate.terminal import wrapped

PROJECT = Path(__file__).parent.parent
NAME = "efs-monitor"
TEMPLATE = "template.yaml"
WHOLE = "whole.yaml"
FLEET = "fleet.yaml"
FLEET_FUNCTION = "reconcile_fleet"
CHECKSUMS = "SHA256SUMS"
# The earliest that a zip can hold: no file of a bundle has a time of its own.
NO_TIME = (1980, 1, 1, 0, 0, 0)
READABLE = 0o100644 << 16
ON_UNIX = 3
LAYER_FOLDER = "MonitorLayer"
# What the template names in the sources, and what of it lies in the bundle.
FUNCTION = re.compile(r"(?<=CodeUri: )src/functions/(\w+)")
LAYER = re.compile(r"(?<=ContentUri: )src/layers/efs_monitor")
INCLUDED = re.compile(r"(?<=Location: )src/included/")
RELEASED = re.compile(r"(?<=    Value: )none \(from the sources\)$", re.MULTILINE)
BUILT_BY_SAM = re.compile(r"    Metadata:\n      BuildMethod: makefile\n")


class NotBuilt(Exception):
    """There is nothing to pack, or not from these sources; the text says what to do."""


def version(project: Path = PROJECT) -> str:
    """The project's version, which stands in pyproject.toml and nowhere else."""
    return str(tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def bundle(project: Path = PROJECT) -> dict[str, bytes]:
    """The files of the bundle, by their names in it."""
    build = project / ".aws-sam" / "build"
    if not (build / LAYER_FOLDER).is_dir():
        raise NotBuilt("There is nothing to pack yet: run sam build first, as make package does")
    written = (project / TEMPLATE).read_text(encoding="utf-8")
    files = {
        TEMPLATE: _of_release(_pointing_into_the_bundle(written), project).encode(),
        WHOLE: _whole(project).encode(),
        FLEET: _of_release(_fleet((project / FLEET).read_text(encoding="utf-8")), project).encode(),
        "layer.zip": packed(_below(build / LAYER_FOLDER)),
        "LICENSE": (project / "LICENSE").read_bytes(),
        "README.md": _readme(version(project)).encode(),
        **{f"included/{path.name}": path.read_bytes() for path in (project / "src" / "included").glob("*.yaml")},
    }
    for name in FUNCTION.findall(written):
        files[f"functions/{name}.zip"] = packed(_below(build / _logical_id(name)))
    # No build makes it, and none would change it: it is a handler alone, and all it imports is in the layer.
    handler = {"app.py": (project / "src" / "functions" / FLEET_FUNCTION / "app.py").read_bytes()}
    files[f"functions/{FLEET_FUNCTION}.zip"] = packed(handler)
    return files | {CHECKSUMS: _checksums(files).encode()}


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files that depends on nothing but their names and contents."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = READABLE
            entry.create_system = ON_UNIX
            archive.writestr(entry, files[name])
    return into.getvalue()


def written(folder: Path, project: Path = PROJECT) -> Path:
    """Write the bundle into the folder, and its checksum beside it; the path of the zip."""
    name = f"{NAME}-{version(project)}"
    content = packed({f"{name}/{file}": data for file, data in bundle(project).items()})
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.zip"
    path.write_bytes(content)
    (folder / f"{path.name}.sha256").write_text(_checksums({path.name: content}), encoding="utf-8")
    return path


def _below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _logical_id(name: str) -> str:
    """What `sam build` calls the folder of a function."""
    return "".join(word.capitalize() for word in name.split("_"))


def _pointing_into_the_bundle(template: str) -> str:
    """The template as people wrote it, with its comments, but for where code and included files lie."""
    template = FUNCTION.sub(r"functions/\1.zip", template)
    template = LAYER.sub("layer.zip", template)
    template = INCLUDED.sub("included/", template)
    return BUILT_BY_SAM.sub("", template)


def _of_release(template: str, project: Path) -> str:
    """The template with its version in the output `Release`."""
    return RELEASED.sub(f'"{version(project)}"', template)


def _whole(project: Path) -> str:
    """The template for those that cannot include files: the Serverless Application Repository, which takes no macro but
    SAM's own, with what it wants to know, and CDK.
    """
    document = with_included_files(project / TEMPLATE)
    pointing = yaml.safe_dump(document, sort_keys=False, width=10_000, allow_unicode=True)
    whole = yaml.safe_load(_of_release(_pointing_into_the_bundle(pointing), project))
    whole["Resources"][LAYER_FOLDER].pop("Metadata", None)
    description = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["description"]
    whole["Metadata"]["AWS::ServerlessRepo::Application"] = {
        "Name": "efs-burst-credit-monitor",
        "Description": description,
        "Author": "efs-monitor",
        "SpdxLicenseId": "Apache-2.0",
        "LicenseUrl": "LICENSE",
        "ReadmeUrl": "README.md",
        "Labels": ["efs", "burst-credits", "cloudwatch", "alarms", "monitoring"],
        "SemanticVersion": version(project),
    }
    return yaml.safe_dump(whole, sort_keys=False, width=120, allow_unicode=True)


def _fleet(template: str) -> str:
    """The fleet's template, which no macro of SAM transforms: `aws cloudformation package` reads other keys of it."""
    template = template.replace(f"Code: src/functions/{FLEET_FUNCTION}", f"Code: functions/{FLEET_FUNCTION}.zip")
    return template.replace(f"Content: .aws-sam/build/{LAYER_FOLDER}", "Content: layer.zip")


def _checksums(files: Mapping[str, bytes]) -> str:
    """The checksums as `sha256sum --check` reads them."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))


def _readme(number: str) -> str:
    return "\n".join(_readme_lines(number)) + "\n"


def _readme_lines(number: str) -> Iterator[str]:
    yield f"# EFS burst-credit monitor {number}"
    yield ""
    yield "Mails before the burst credits of an Amazon EFS file system run out. One stack watches one file system."
    yield "With the AWS command line, in this folder, and a bucket of yours in the Region:"
    yield ""
    yield "    aws cloudformation package --template-file template.yaml --s3-bucket BUCKET \\"
    yield "        --s3-prefix efs-monitor-home --output-template-file packaged.yaml"
    yield "    aws cloudformation deploy --template-file packaged.yaml --stack-name efs-monitor-home \\"
    yield "        --s3-bucket BUCKET --s3-prefix efs-monitor-home --capabilities CAPABILITY_IAM \\"
    yield "        --parameter-overrides FileSystemId=fs-0123456789abcdef0 AlertEmail=storage-team@example.com"
    yield ""
    yield "Who must confirm a subscription, and whether anybody is told at all, is the stack's output NextStep:"
    yield ""
    yield "    aws cloudformation describe-stacks --stack-name efs-monitor-home \\"
    yield "        --query 'Stacks[0].Outputs[].[OutputKey, OutputValue]' --output text"
    yield ""
    yield f"{FLEET} makes such a stack for every file system of an account, or for those with a tag: docs/fleet.md of"
    yield "the project says how."
    yield ""
    yield "Functions and layer are pure Python: the same zips run on both processors (parameter Architecture)."
    yield f"`sha256sum --check {CHECKSUMS}` shows that nothing was changed. The license is in LICENSE."


def main() -> int:
    """0 when it is written, 2 where nothing was built, or nothing can be written."""
    try:
        path = written(PROJECT / "dist")
    except OSError as error:
        print(
            wrapped(f"{error.filename} cannot be written ({error.strerror}): dist must be a folder that you may write"),
            file=sys.stderr,
        )
        return 2
    except NotBuilt as reason:
        print(wrapped(str(reason)), file=sys.stderr)
        return 2
    print((path.parent / f"{path.name}.sha256").read_text(encoding="utf-8"), end="")
    print(os.path.relpath(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
