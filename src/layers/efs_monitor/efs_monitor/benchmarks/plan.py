"""The plan that an instance is sent: workloads as one line of text, which the script reads without an interpreter.

Workloads are joined by `;`, their fields by `,`, each `key=value`; a field that means nothing for a workload is left
out. No character of it means anything to a shell.
"""

import re
from collections.abc import Iterable

from efs_monitor.benchmarks.workloads import Do, Family, Sync, Target, Tool, Workload
from efs_monitor.errors import SettingsRefused

# The 64 KiB of a document are for the values of its parameters, too, and its script takes five sixths of them.
LONGEST_PLAN_CHARACTERS = 8_000
PLAN = re.compile(rf"[a-z0-9=,;-]{{1,{LONGEST_PLAN_CHARACTERS}}}")
_NUMBER = "[1-9][0-9]{0,14}"
_WORDS = {
    "id": rf"(?:{'|'.join(Family)})-[a-z0-9-]{{1,50}}",
    "on": "|".join(Target),
    "do": "|".join(Do),
    "sync": "|".join(Sync),
    "tool": "|".join(Tool),
}
# The order of the fields after `id`, `on` and `do`, by what is done.
_FIELDS = {
    Do.TOUCH: ("threads", "files", "directories"),
    Do.WRITE: ("threads", "block", "sync", "files", "bytes"),
    Do.READ: ("threads", "block", "files", "bytes"),
    Do.COPY: ("tool", "threads", "files", "bytes"),
}


def encode(workloads: Iterable[Workload]) -> str:
    """The plan as it is sent; raises SettingsRefused where there is nothing to do, or more than fits."""
    text = ";".join(_encode(workload) for workload in workloads)
    if not PLAN.fullmatch(text):
        raise SettingsRefused(
            f"A plan of {len(text):,} characters can not be sent; it must have 1 to {LONGEST_PLAN_CHARACTERS:,}"
        )
    return text


def decode(text: str) -> tuple[Workload, ...]:
    """The workloads of a plan; raises SettingsRefused naming the first thing in it that is not understood."""
    if not PLAN.fullmatch(text):
        raise SettingsRefused(f"A plan must match {PLAN.pattern}, unlike {text[:100]!r}")
    workloads = tuple(_decode(part) for part in text.split(";"))
    ids = [workload.id for workload in workloads]
    if twice := sorted({each for each in ids if ids.count(each) > 1}):
        raise SettingsRefused(f"A plan has each workload once, but names {', '.join(twice)} again")
    return workloads


def _encode(workload: Workload) -> str:
    values: dict[str, object] = {
        "threads": workload.threads,
        "block": workload.block_bytes,
        "sync": workload.sync,
        "files": workload.files,
        "bytes": workload.file_bytes,
        "directories": workload.directories,
        "tool": workload.tool,
    }
    head = f"id={workload.id},on={workload.on},do={workload.do}"
    return ",".join([head, *(f"{field}={values[field]}" for field in _FIELDS[workload.do])])


def _decode(text: str) -> Workload:
    pairs = [field.partition("=")[::2] for field in text.split(",")]
    values = dict(pairs)
    do = values.get("do", "")
    expected = ["id", "on", "do", *(_FIELDS[Do(do)] if do in Do else ())]
    if [key for key, _ in pairs] != expected:
        raise SettingsRefused(
            f"A workload of a plan has the fields {', '.join(expected)} in this order, unlike {text!r}"
        )
    for key, value in pairs:
        if not re.fullmatch(_WORDS.get(key, _NUMBER), value):
            raise SettingsRefused(f"{key}={value} means nothing in a plan; it stands in {text!r}")
    return Workload(
        id=values["id"],
        on=Target(values["on"]),
        do=Do(do),
        threads=int(values["threads"]),
        files=int(values["files"]),
        file_bytes=int(values.get("bytes", 0)),
        block_bytes=int(values["block"]) if "block" in values else None,
        sync=Sync(values["sync"]) if "sync" in values else None,
        directories=int(values.get("directories", 1)),
        tool=Tool(values["tool"]) if "tool" in values else None,
    )
