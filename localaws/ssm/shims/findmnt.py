"""`findmnt` of an instance: its disk, and what it has mounted."""

import argparse
import json
import os
import sys
from pathlib import Path

parser = argparse.ArgumentParser(allow_abbrev=False)
parser.add_argument("-n", "--noheadings", action="store_true")
parser.add_argument("-r", "--raw", action="store_true")
parser.add_argument("-P", "--pairs", action="store_true")
parser.add_argument("-f", "--first-only", action="store_true")
parser.add_argument("-v", "--nofsroot", action="store_true")
parser.add_argument("-e", "--evaluate", action="store_true")
parser.add_argument("-k", "--kernel", action="store_true")
parser.add_argument("-o", "--output", default="TARGET,SOURCE,FSTYPE,OPTIONS")
parser.add_argument("-t", "--types", default="")
parser.add_argument("-T", "--target", default="")
parser.add_argument("-M", "--mountpoint", default="")
parser.add_argument("device", nargs="?", default="")
options = parser.parse_args()

asked = Path(os.path.realpath(options.target or options.mountpoint or options.device or "/"))
known = json.loads((Path(__file__).parent / "host" / "mounts.json").read_text(encoding="utf-8"))
mount = None
# Where mounts lie upon one another, the last is the upmost.
for one in known:
    path = Path(os.path.realpath(one["TARGET"]))
    if (asked == path or (options.target and path in asked.parents)) and (
        not options.types or one["FSTYPE"] in options.types.split(",")
    ):
        mount = one
if mount is None:
    sys.exit(1)
device = os.stat(mount["TARGET"]).st_dev
mount["MAJ:MIN"] = f"{os.major(device)}:{os.minor(device)}"
device = os.stat(mount["TARGET"]).st_dev
mount["MAJ:MIN"] = f"{os.major(device)}:{os.minor(device)}"
columns = options.output.upper().split(",")
if unknown := [column for column in columns if column not in mount]:
    sys.exit(f"findmnt: the sandbox's instance does not know the column {', '.join(unknown)}")
if not options.noheadings and not options.pairs:
    print(" ".join(columns))
if options.pairs:
    print(" ".join(f'{column}="{mount[column]}"' for column in columns))
else:
    print(" ".join(mount[column] for column in columns))
