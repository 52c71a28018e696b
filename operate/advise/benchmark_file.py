"""What a benchmark found, as `efs-monitor benchmark --json` wrote it: a file, which comes from anywhere.

What is not whole and plausible counts as not measured. No text of it is repeated.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from efs_monitor.aws.systems_manager import MOST_INSTANCES
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.json_lines import number, text, whole_number
from efs_monitor.benchmarks.results import GREATEST_RATE, Status
from efs_monitor.efs.credits import MIB

from operate.history.recorded import FILE_SYSTEM_ID

# The results of every workload on as many instances as one command goes to are a quarter of that.
MOST_BYTES = 4 * MIB
INSTANCE_TYPE = re.compile(r"[a-z][a-z0-9-]{0,20}\.[a-z0-9-]{1,20}")
# More than the memory of any instance.
GREATEST_READ_AHEAD_KB = 2**40


class MeasuredRefused(Exception):
    """Nothing can be taken from the file; the text says why, and what to give instead."""


@dataclass(frozen=True, kw_only=True)
class Client:
    """An instance that ran the benchmark, and its mount: options by name, without `=` an empty value."""

    instance_type: str
    read_ahead_kb: int | None
    mount_options: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class BenchmarkFile:
    """The clients, and the best rate that instances of a type had in a workload: bytes or files a second.

    `called` is the name of the file; `file_system_id` what was measured, empty where the file does not say.
    """

    called: str
    file_system_id: str = ""
    clients: tuple[Client, ...]
    rates: Mapping[tuple[str, str], float]

    @property
    def instance_types(self) -> tuple[str, ...]:
        """Each type once."""
        types = [*(one.instance_type for one in self.clients), *(kind for kind, _ in self.rates)]
        return tuple(dict.fromkeys(one for one in types if one))

    def remark_beside(self, file_system_id: str) -> str:
        """What is to be said where this stands beside the metrics of a file system: empty where both are of the same.

        MeasuredRefused where they are known to be of two.
        """
        if not self.file_system_id:
            return (
                f"The benchmark {self.called} does not say which file system it measured: what is said of its "
                f"instances is only worth something if that was {file_system_id or 'the one whose metrics these are'}"
            )
        if not file_system_id:
            return (
                f"The benchmark {self.called} measured {self.file_system_id}, and whose metrics these are is not "
                "known: what is said of its instances is only worth something if they are of the same"
            )
        if self.file_system_id != file_system_id:
            raise MeasuredRefused(
                f"The benchmark {self.called} measured {self.file_system_id}, and not {file_system_id}: give one of "
                f"{file_system_id}"
            )
        return ""


def read_measured(path: Path) -> BenchmarkFile:
    """What the file has; MeasuredRefused for one that is none of a benchmark."""
    advice = "give what `efs-monitor benchmark --json` wrote"
    try:
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise MeasuredRefused(f"The benchmark {path} cannot be read: {error.strerror}") from error
    if len(found) > MOST_BYTES:
        raise MeasuredRefused(f"The benchmark {path.name} is larger than {MOST_BYTES // MIB} MiB: {advice}")
    try:
        whole = json.loads(found)
    except (ValueError, RecursionError) as error:
        raise MeasuredRefused(f"The benchmark {path.name} is no JSON: {advice}") from error
    results = whole.get("results") if isinstance(whole, dict) else None
    if not isinstance(results, list):
        raise MeasuredRefused(f"The benchmark {path.name} has no results: {advice}")
    machines = whole.get("machines")
    identifier = text(whole, "file_system_id")
    measured = BenchmarkFile(
        called=path.name,
        file_system_id=identifier if FILE_SYSTEM_ID.fullmatch(identifier) else "",
        clients=tuple(_client(one) for one in machines if isinstance(one, dict)) if isinstance(machines, list) else (),
        rates=_rates(one for one in results if isinstance(one, dict)),
    )
    if not measured.clients and not measured.rates:
        raise MeasuredRefused(f"The benchmark {path.name} tells of no instance and measured nothing: {advice}")
    if len(measured.instance_types) > MOST_INSTANCES:
        raise MeasuredRefused(
            f"The benchmark {path.name} tells of {len(measured.instance_types):,} instance types, and none runs on "
            f"more than {MOST_INSTANCES} instances: {advice}"
        )
    return measured


def _client(values: Mapping[str, object]) -> Client:
    read_ahead_kb = whole_number(values, "read_ahead_kb")
    # What is mounted, then the options.
    options = text(values, "mount_options").partition(" ")[2].split(",")
    return Client(
        instance_type=_instance_type(values),
        read_ahead_kb=None if read_ahead_kb is None or read_ahead_kb > GREATEST_READ_AHEAD_KB else read_ahead_kb,
        mount_options={name: value for name, _, value in (one.partition("=") for one in options) if name},
    )


def _rates(results: Iterable[Mapping[str, object]]) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for values in results:
        instance_type, workload = _instance_type(values), CATALOGUE.get(text(values, "workload"))
        rate = number(values, "rate_per_second")
        if workload is None or rate is None or not instance_type or values.get("status") != Status.OK:
            continue
        if rate <= GREATEST_RATE[workload.rate_kind]:
            key = instance_type, workload.id
            found[key] = max(rate, found.get(key, 0.0))
    return found


def _instance_type(values: Mapping[str, object]) -> str:
    name = text(values, "instance_type")
    return name if INSTANCE_TYPE.fullmatch(name) else ""
