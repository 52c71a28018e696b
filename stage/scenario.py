"""A scenario: a file system, what clients and operators do to it, and what must then be seen. Read from TOML."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from localaws.throughput_lock import Throughput
from simulation.burst_credits import GIB, MIB
from stage.mount.tutorial import NAMED
from stage.scenario_instances.machines import ScenarioInstance
from stage.scenario_tables import (
    MINUTES_PER_DAY,
    Change,
    Deployment,
    ScenarioError,
    ScenarioLoad,
    amount_of,
    change,
    deployment,
    load,
    machine,
    nothing_left,
    refuse_impossible_modes,
    refuse_locked_modes,
    tables,
)

# In the words of the EFS API.
GENERAL_PURPOSE, MAX_IO = "generalPurpose", "maxIO"
FOLDER = Path(__file__).parent.parent / "scenarios"


@dataclass(frozen=True, kw_only=True)
class Expectations:
    """What must be seen, line by line and complete, in the words of `stage/observed.py`."""

    alarms: tuple[str, ...]
    transitions: tuple[str, ...]
    mails: tuple[str, ...]
    benchmarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A whole scenario; minutes count from its start, a Monday at 00:00 UTC."""

    name: str
    about: str
    minutes: int
    file_system_id: str
    file_system_name: str
    size_bytes: int
    balance_share: float
    mode: str
    performance_mode: str
    availability_zone: str | None
    provisioned_mebibytes_per_second: float | None
    regional_cap_bytes_per_second: float
    elastic_bytes_per_second: float
    metrics_late_minutes: int
    loads: tuple[ScenarioLoad, ...]
    changes: tuple[Change, ...]
    deployments: tuple[Deployment, ...]
    machines: tuple[ScenarioInstance, ...]
    mount_model: str
    expected: Expectations
    infrequent_access_bytes: int = 0

    @classmethod
    def named(cls, name: str) -> "Scenario":
        """The scenario of that name, or in that file."""
        path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
        if not path.is_file():
            if Path(name).exists() and not name.endswith(".toml"):
                raise ScenarioError(f"{name} is no scenario, which is a .toml file: give the path of one, or its name")
            known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.toml")))
            raise ScenarioError(f"There is no scenario {name!r}; there are {known}, or give the path of a .toml file")
        try:
            return read(path.stem, path.read_text(encoding="utf-8"))
        except UnicodeDecodeError as error:
            raise ScenarioError(f"{path} is not a text in UTF-8: save it as one") from error


def read(name: str, text: str) -> Scenario:
    """Read a scenario; ScenarioError names a key that is missing, misspelt or of the wrong kind."""
    try:
        document = tomllib.loads(text)
        system = document.pop("file_system")
        expected = document.pop("expect", {})
        scenario = Scenario(
            name=name,
            about=document.pop("about"),
            minutes=round(amount_of(document, "days", None) * MINUTES_PER_DAY),
            file_system_id=system.pop("id", "fs-0123456789abcdef0"),
            file_system_name=system.pop("name", ""),
            size_bytes=round(amount_of(system, "size_gib", None) * GIB),
            infrequent_access_bytes=round(amount_of(system, "infrequent_access_gib", 0) * GIB),
            balance_share=amount_of(system, "balance_percent", 100) / 100,
            mode=system.pop("mode", "bursting"),
            performance_mode=_performance_mode(system.pop("performance_mode", GENERAL_PURPOSE)),
            availability_zone=system.pop("availability_zone", None),
            provisioned_mebibytes_per_second=system.pop("provisioned_mib_per_second", None),
            regional_cap_bytes_per_second=round(amount_of(system, "regional_cap_mib_per_second", 1024) * MIB),
            elastic_bytes_per_second=round(amount_of(system, "elastic_mib_per_second", 1024) * MIB),
            metrics_late_minutes=system.pop("metrics_late_minutes", 2),
            loads=tuple(load(entry) for entry in tables(document, "load")),
            changes=tuple(change(entry) for entry in tables(document, "change")),
            deployments=tuple(deployment(entry) for entry in tables(document, "deploy", [{}])),
            machines=tuple(machine(entry) for entry in tables(document, "instance")),
            mount_model=_model(system.pop("mount", "plain")),
            expected=Expectations(
                alarms=tuple(expected.pop("alarms", ())),
                transitions=tuple(expected.pop("transitions", ())),
                mails=tuple(expected.pop("mails", ())),
                benchmarks=tuple(expected.pop("benchmarks", ())),
            ),
        )
        for left in (document, system, expected):
            nothing_left(left)
        first = Throughput(scenario.mode, scenario.provisioned_mebibytes_per_second)
        refuse_impossible_modes(
            scenario.changes,
            first,
            performance_mode=scenario.performance_mode,
            is_one_zone=scenario.availability_zone is not None,
        )
        refuse_locked_modes(scenario.changes, first)
    except KeyError as error:
        raise ScenarioError(f"Scenario {name}: {error} is missing") from error
    except (ScenarioError, TypeError, ValueError) as error:
        raise ScenarioError(f"Scenario {name}: {error}") from error
    return scenario


def _performance_mode(name: str) -> str:
    if name not in {GENERAL_PURPOSE, MAX_IO}:
        raise ScenarioError(f"there is no performance mode {name!r}; there are {GENERAL_PURPOSE} and {MAX_IO}")
    return name


def _model(name: str) -> str:
    if name not in NAMED:
        raise ScenarioError(f"there is no mount {name!r}; there are {', '.join(NAMED)}")
    return name
