"""A scenario: a file system, what clients and operators do to it, and what must then be seen. Read from TOML."""

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from stage.scenario_consistency import never_played, require_consistent
from stage.scenario_refusals import tables_of
from stage.scenario_tables import (
    MINUTES_PER_DAY,
    Change,
    Deployment,
    ScenarioError,
    ScenarioInstance,
    ScenarioLoad,
)

# In the words of the EFS API.
MAX_IO = "maxIO"
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
    """A whole scenario; minutes count from its start, a Monday at 00:00 UTC.

    `never_played` says what of its file begins only after its end.
    """

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
    never_played: tuple[str, ...] = ()

    @classmethod
    def named(cls, name: str) -> "Scenario":
        """The scenario of that name, or in that file."""
        path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
        if not path.is_file():
            if Path(name).exists() and not name.endswith(".toml"):
                raise ScenarioError(f"{name} is no scenario, which is a .toml file: give the path of one, or its name")
            raise ScenarioError(_no_such_scenario(name))
        try:
            return read(path.stem, path.read_text(encoding="utf-8"))
        except UnicodeDecodeError as error:
            raise ScenarioError(f"{path} is not a text in UTF-8: save it as one") from error


def _no_such_scenario(name: str) -> str:
    """What to give instead of a path that leads nowhere, or of a name that no scenario has."""
    known = sorted(file.stem for file in FOLDER.glob("*.toml"))
    near = get_close_matches(Path(name).stem, known, n=1)
    nearest = f": the scenario whose name is nearest is {near[0]}" if near else ""
    if name.endswith(".toml"):
        return f"There is no file {name!r}{nearest or ': give the path of one, or the name of a file in scenarios/'}"
    return f"There is no scenario {name!r}{nearest}; there are {', '.join(known)}, or give the path of a .toml file"


def read(name: str, text: str) -> Scenario:
    """Read a scenario; ScenarioError says what is missing, misspelt, of the wrong kind, or impossible."""
    try:
        tables = tables_of(tomllib.loads(text))
        require_consistent(tables)
    except ScenarioError as error:
        raise ScenarioError(_said_of(name, str(error))) from error
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"Scenario {name} is no TOML that can be read: {error}") from error
    system, expected = tables.file_system, tables.expect
    minutes = max(1, round(tables.days * MINUTES_PER_DAY))
    return Scenario(
        name=name,
        about=tables.about,
        minutes=minutes,
        file_system_id=system.id,
        file_system_name=system.name,
        size_bytes=system.size_bytes,
        infrequent_access_bytes=system.infrequent_access_bytes,
        balance_share=system.balance_percent / 100,
        mode=system.mode,
        performance_mode=system.performance_mode,
        availability_zone=system.availability_zone,
        provisioned_mebibytes_per_second=system.provisioned_mebibytes_per_second,
        regional_cap_bytes_per_second=system.regional_cap_bytes_per_second,
        elastic_bytes_per_second=system.elastic_bytes_per_second,
        metrics_late_minutes=system.metrics_late_minutes,
        loads=tuple(tables.load),
        changes=tuple(tables.change),
        deployments=tuple(tables.deploy),
        machines=tuple(tables.instance),
        mount_model=system.mount,
        expected=Expectations(
            alarms=tuple(expected.alarms),
            transitions=tuple(expected.transitions),
            mails=tuple(expected.mails),
            benchmarks=tuple(expected.benchmarks),
        ),
        never_played=tuple(never_played(tables, minutes)),
    )


def _said_of(name: str, problems: str) -> str:
    """Under the scenario's name: one problem behind it, several below."""
    lines = problems.splitlines()
    return f"Scenario {name}: {problems}" if len(lines) == 1 else "\n- ".join([f"Scenario {name}:", *lines])
