"""The tables of a scenario's file: what each may hold, and in which units.

A key that nobody knows, or a value of another kind, is refused: what is mistyped would else be played without a word.
"""

import math
import re
from typing import Annotated, Literal, Self

from efs_monitor.fleet.monitor_parameters import allowed_values, is_parameter, no_such_parameter
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from localaws.account import REGION
from simulation.burst_credits import GIB, MIB
from stage.mount.tutorial import NAMED

MINUTES_PER_DAY = 1440

type ThroughputModeName = Literal["bursting", "provisioned", "elastic"]
# What a stack makes, by the end of its name.
type TopicName = Literal["warning", "critical", "advice"]
type AlarmName = Literal[
    "warning",
    "critical",
    "exhausted",
    "draining",
    "permitted-throughput-rise",
    "throughput-utilization",
    "percent-io-limit",
    "benchmark-failures",
    "benchmark-regressions",
]


class ScenarioError(ValueError):
    """A scenario file that cannot be played; says which, where and why."""


def minute_of(written: object) -> int:
    """`1d 04:30` or `04:30` as minutes from the start of the scenario; ValueError where it is no such time."""
    match = re.fullmatch(r"(?:(\d+)d )?(\d\d):([0-5]\d)", written) if isinstance(written, str) else None
    if match is None:
        raise ValueError("give a time such as '1d 04:30' or '04:30'")
    days, hours, minutes = (int(part or 0) for part in match.groups())
    minute = days * MINUTES_PER_DAY + hours * 60 + minutes
    if hours * 60 + minutes > MINUTES_PER_DAY:
        raise ValueError(f"a day ends at 24:00: give '{at(minute)}' if you mean the next day")
    return minute


def at(minute: int) -> str:
    """A minute of the scenario as `1d 04:30`."""
    day, of_day = divmod(minute, MINUTES_PER_DAY)
    return f"{day}d {of_day // 60:02}:{of_day % 60:02}"


def _amount(written: object) -> float:
    if isinstance(written, int | float) and not isinstance(written, bool) and 0 <= written < math.inf:
        return written
    raise ValueError("give a number that is not below zero")


def _like(pattern: str, wanted: str) -> AfterValidator:
    """A text is refused that is not like the pattern as a whole, with what is `wanted` instead."""

    def checked(written: str) -> str:
        if not re.fullmatch(pattern, written):
            raise ValueError(f"give {wanted}")
        return written

    return AfterValidator(checked)


def _mount(written: str) -> str:
    if written not in NAMED:
        raise ValueError(f"there is no such mount; there are {', '.join(NAMED)}")
    return written


def _texts(written: object) -> object:
    """The values of parameters as CloudFormation takes them, which are texts, from what is easier to write in TOML."""
    if not isinstance(written, dict):
        return written
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in written.items()}


def _parameter(name: str) -> str:
    if not is_parameter(name):
        raise ValueError(no_such_parameter(name))
    return name


MOUNT, LOCAL = "$MOUNT", "$LOCAL"
"""Values of parameters that stand for the paths of the machine on which a scenario is played."""
REFUSED = "parameter_refused"
"""How pydantic calls a parameter with a value that it may not have; the error has its `name` and the `value`."""


def _allowed(parameters: dict[str, str]) -> dict[str, str]:
    """What CloudFormation would refuse is refused before a scenario is played."""
    for name, value in parameters.items():
        parameter = allowed_values()[name]
        if value not in {MOUNT, LOCAL} and not parameter.allows(value):
            wanted = parameter.sentence.removesuffix(".")
            raise PydanticCustomError(REFUSED, "{wanted}", {"name": name, "value": repr(value), "wanted": wanted})
    return parameters


type Minute = Annotated[int, BeforeValidator(minute_of)]
type Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
type BytesOfMebibytes = Annotated[Amount, AfterValidator(lambda mebibytes: mebibytes * MIB)]
type BytesOfGibibytes = Annotated[int, BeforeValidator(lambda gibibytes: round(_amount(gibibytes) * GIB))]
type MinutesOfHours = Annotated[int, BeforeValidator(lambda hours: round(_amount(hours) * 60))]
type WholeMinutes = Annotated[int, Field(ge=0)]
type Parameters = Annotated[
    dict[Annotated[str, AfterValidator(_parameter)], str], BeforeValidator(_texts), AfterValidator(_allowed)
]


class Table(BaseModel):
    """What a table holds. Nothing is converted: a number in quotation marks is no number."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ScenarioLoad(Table):
    """What clients drive from one minute to another; `daily` repeats the same hours every day."""

    start_minute: Minute = Field(alias="from")
    end_minute: Minute = Field(alias="to")
    daily: bool = False
    read_bytes_per_second: BytesOfMebibytes = Field(default=0, alias="read_mib_per_second")
    write_bytes_per_second: BytesOfMebibytes = Field(default=0, alias="write_mib_per_second")
    metadata_operations_per_second: Amount = 0

    @model_validator(mode="after")
    def _takes_time(self) -> Self:
        hours = f"from {at(self.start_minute)} to {at(self.end_minute)}"
        if self.daily and max(self.start_minute, self.end_minute) > MINUTES_PER_DAY:
            raise ValueError(f"it is daily, {hours}: give hours of a day, from '00:00' to '24:00'")
        if self.start_minute == self.end_minute or (not self.daily and self.start_minute > self.end_minute):
            over_midnight = f"; of one that ends on the next day, such as '{at(self.end_minute + MINUTES_PER_DAY)}'"
            raise ValueError(
                f"it goes on {hours}, which is never: give a later time as `to`{'' if self.daily else over_midnight}"
            )
        if self.model_fields_set <= {"start_minute", "end_minute", "daily"}:
            raise ValueError("it moves nothing: give read_mib_per_second, write_mib_per_second or both")
        return self

    def holds_at(self, minute: int) -> bool:
        """Whether it goes on in this minute of the scenario; daily hours may cross midnight."""
        if not self.daily:
            return self.start_minute <= minute < self.end_minute
        of_day = minute % MINUTES_PER_DAY
        if self.start_minute <= self.end_minute:
            return self.start_minute <= of_day < self.end_minute
        return of_day >= self.start_minute or of_day < self.end_minute


class Change(Table):
    """What somebody does to the file system, its metrics or the stack at a minute, all at once.

    Alarms and topics are named by the end of their name: `critical`, `advice`; instances by their id. A `mode` that AWS
    would refuse, within 24 hours of the last change, says `despite_mode_lock`.
    """

    minute: Minute = Field(alias="at")
    size_bytes: BytesOfGibibytes | None = Field(default=None, alias="size_gib")
    over_minutes: MinutesOfHours = Field(default=0, alias="over_hours")
    mode: ThroughputModeName | None = None
    provisioned_mebibytes_per_second: Amount | None = Field(default=None, alias="provisioned_mib_per_second")
    despite_mode_lock: bool = False
    delete: bool = False
    metrics_stop_for_minutes: WholeMinutes = 0
    metrics_late_minutes: WholeMinutes | None = None
    delete_alarm: AlarmName | None = None
    restore_alarm: AlarmName | None = None
    unsubscribe: TopicName | None = None
    subscribe: TopicName | None = None
    unmount: str | None = None
    mount: str | None = None
    disconnect: str | None = None
    connect: str | None = None
    terminate: str | None = None
    command_events_are_lost: bool | None = None
    schedules_are_delivered_twice: bool | None = None
    answers_to_schedules_are_lost: bool | None = None

    @property
    def instance_ids(self) -> frozenset[str]:
        """The instances to which it does something."""
        named = (self.unmount, self.mount, self.disconnect, self.connect, self.terminate)
        return frozenset(one for one in named if one is not None)

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not self.model_fields_set - {
            "minute",
            "over_hours",
            "despite_mode_lock",
            "provisioned_mebibytes_per_second",
        }:
            raise ValueError("it changes nothing: give what happens then, such as size_gib or mode")
        _require_a_rate_of_provisioned(self.mode, self.provisioned_mebibytes_per_second)
        return self


class Deployment(Table):
    """A `sam deploy`: the first one, or a later one with other parameters, new code, or something that breaks."""

    minute: Minute = Field(default=0, alias="at")
    parameters: Parameters = {}
    new_code: bool = False
    breaks: bool = False


class ScenarioInstance(Table):
    """An instance; one that is not tagged is found by its id only."""

    id: Annotated[str, _like(r"m?i-[0-9a-f]{8,17}", "an id such as 'i-0123456789abcdef0'")]
    type: Annotated[str, _like(r"[a-z][a-z0-9-]*\.[a-z0-9-]+", "a type such as 'm5.large'")] = "m5.large"
    agent_version: Annotated[str, _like(r"\d+(\.\d+){2,3}", "a version such as '3.3.3572.0'")] = Field(
        default="3.3.3572.0", alias="agent"
    )
    tagged: bool = True


class FileSystemTable(Table):
    """The file system as it begins; what its Region lets through at most, and how late its metrics are."""

    id: Annotated[str, _like(r"fs-[0-9a-f]{8,40}", "an id such as 'fs-0123456789abcdef0'")] = "fs-0123456789abcdef0"
    name: str = ""
    size_bytes: BytesOfGibibytes = Field(alias="size_gib")
    infrequent_access_bytes: BytesOfGibibytes = Field(default=0, alias="infrequent_access_gib")
    balance_percent: Annotated[float, Field(ge=0, le=100)] = 100
    mode: ThroughputModeName = "bursting"
    provisioned_mebibytes_per_second: Amount | None = Field(default=None, alias="provisioned_mib_per_second")
    performance_mode: Literal["generalPurpose", "maxIO"] = "generalPurpose"
    availability_zone: (
        Annotated[str, _like(f"{REGION}[a-f]", f"a zone of the Region {REGION}, such as '{REGION}a'")] | None
    ) = None
    regional_cap_bytes_per_second: BytesOfMebibytes = Field(default=1024 * MIB, alias="regional_cap_mib_per_second")
    elastic_bytes_per_second: BytesOfMebibytes = Field(default=1024 * MIB, alias="elastic_mib_per_second")
    metrics_late_minutes: WholeMinutes = 2
    mount: Annotated[str, AfterValidator(_mount)] = "plain"

    @model_validator(mode="after")
    def _has_a_rate(self) -> Self:
        _require_a_rate_of_provisioned(self.mode, self.provisioned_mebibytes_per_second)
        return self


class ExpectTable(Table):
    """What must be seen, line by line and complete."""

    alarms: list[str] = []
    transitions: list[str] = []
    mails: list[str] = []
    benchmarks: list[str] = []


class ScenarioFile(Table):
    """The whole file; who deploys nothing says `deploy = []`."""

    about: str
    days: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    file_system: FileSystemTable
    load: list[ScenarioLoad] = []
    change: list[Change] = []
    deploy: list[Deployment] = [Deployment.model_validate({})]
    instance: list[ScenarioInstance] = []
    expect: ExpectTable = ExpectTable()


def _require_a_rate_of_provisioned(mode: str | None, mebibytes_per_second: float | None) -> None:
    if mode == "provisioned" and (mebibytes_per_second is None or mebibytes_per_second < 1):
        given = "" if mebibytes_per_second is None else f", and not {mebibytes_per_second:g}"
        raise ValueError(f"mode = 'provisioned' needs a rate: give provisioned_mib_per_second, of 1 or more{given}")
    if mode != "provisioned" and mebibytes_per_second is not None:
        raise ValueError("provisioned_mib_per_second is given: it goes with mode = 'provisioned' alone")
