"""What an operator chose about benchmarks, read from the environment of the functions that run and collect them."""

from collections.abc import Mapping
from dataclasses import dataclass

from efs_monitor.config import required, whole_number


@dataclass(frozen=True, kw_only=True)
class BenchmarkSettings:
    """What an operator chose about benchmarks; `size_mib` 0 means the profile's own sizes.

    Without `instance_ids` every tagged instance measures, without a `local_path` there is no local baseline.
    """

    document_name: str
    parameter_name: str
    path: str
    local_path: str
    profile: str
    size_mib: int
    instance_ids: tuple[str, ...]
    max_credit_share_percent: int
    monthly_gib_budget: int


def benchmark_settings_from(environment: Mapping[str, str]) -> BenchmarkSettings:
    """Read what a run needs besides; SettingsRefused names what is missing or wrong."""
    ids = environment.get("BENCHMARK_INSTANCE_IDS", "")
    return BenchmarkSettings(
        document_name=required(environment, "DOCUMENT_NAME"),
        parameter_name=required(environment, "BENCHMARKS_PARAMETER"),
        path=required(environment, "BENCHMARK_PATH"),
        local_path=environment.get("BENCHMARK_LOCAL_PATH", ""),
        profile=required(environment, "BENCHMARK_PROFILE"),
        size_mib=whole_number(environment, "BENCHMARK_SIZE_MIB"),
        instance_ids=tuple(ids.split(",")) if ids else (),
        max_credit_share_percent=whole_number(environment, "MAX_CREDIT_SHARE_PERCENT"),
        monthly_gib_budget=whole_number(environment, "MONTHLY_GIB_BUDGET"),
    )


@dataclass(frozen=True, kw_only=True)
class CollectionSettings:
    """The names of the document whose runs are collected, and of the parameter that holds the ledger; and what the
    stack's own schedule measures.

    `size_mib` 0 means the profile's own sizes. Without a `local_path` there is no local baseline.
    """

    document_name: str
    parameter_name: str
    profile: str
    size_mib: int
    local_path: str


def collection_settings_from(environment: Mapping[str, str]) -> CollectionSettings:
    """Read what a collection needs besides; SettingsRefused names what is missing or wrong."""
    return CollectionSettings(
        document_name=required(environment, "DOCUMENT_NAME"),
        parameter_name=required(environment, "BENCHMARKS_PARAMETER"),
        profile=required(environment, "BENCHMARK_PROFILE"),
        size_mib=whole_number(environment, "BENCHMARK_SIZE_MIB"),
        local_path=environment.get("BENCHMARK_LOCAL_PATH", ""),
    )
