"""Which workloads run together, and at which size."""

from collections.abc import Mapping
from dataclasses import dataclass

from efs_monitor.benchmarks.benchmark_settings import CollectionSettings
from efs_monitor.benchmarks.catalogue import (
    CATALOGUE,
    COPIES,
    DD_READS,
    DD_WRITES,
    MANY_FILES_AT_ONCE,
    SIZE_SWEEP,
    SMALL_READ,
    TOUCHES,
    local_baseline,
)
from efs_monitor.benchmarks.workloads import OWN_SIZE, Workload, check_size, scaled
from efs_monitor.errors import SettingsRefused

QUICK_SIZE_MIB = 128


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Workloads in the order in which they run; `size_mib` of each is the profile's own, 0 the published one."""

    name: str
    workload_ids: tuple[str, ...]
    size_mib: int = OWN_SIZE


def _profile(name: str, *workloads: Workload) -> Profile:
    return Profile(name=name, workload_ids=tuple(workload.id for workload in workloads))


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        # At most 1 GiB of credits and two minutes: it may run every day, everywhere.
        Profile(
            name="quick",
            workload_ids=(
                "touch-serial",
                "touch-parallel",
                "touch-parallel-directories",
                "dd-write-1m-end",
                "dd-write-1m-each",
                "dd-write-16m-each",
                "dd-write-16-writers",
                "dd-read-4",
            ),
            size_mib=QUICK_SIZE_MIB,
        ),
        _profile("tutorial", *TOUCHES, *DD_WRITES),
        _profile("sweep", *SIZE_SWEEP, SMALL_READ, *MANY_FILES_AT_ONCE, *DD_READS),
        _profile("copy", *COPIES),
    )
}


def workload(workload_id: str) -> Workload:
    """The workload of the catalogue with this id, or its local baseline; SettingsRefused lists those that exist."""
    known = dict(CATALOGUE)
    for each in CATALOGUE.values():
        if local := local_baseline(each):
            known[local.id] = local
    if workload_id not in known:
        raise SettingsRefused(f"No workload is called {workload_id!r}; there are {', '.join(CATALOGUE)}")
    return known[workload_id]


def profile(name: str) -> Profile:
    """The profile of this name; SettingsRefused lists those that exist."""
    if name not in PROFILES:
        raise SettingsRefused(f"No profile is called {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]


def workloads_of(profile_name: str, *, size_mib: int = OWN_SIZE, local_baselines: bool = False) -> tuple[Workload, ...]:
    """What a run of this profile does, in order; with `local_baselines` each dd and touch once more on the local disk.

    `size_mib` scales each workload, 0 leaves the profile's own size. Raises SettingsRefused for an unknown profile or
    an impossible size.
    """
    check_size(size_mib)
    chosen = profile(profile_name)
    on_efs = tuple(scaled(CATALOGUE[each], size_mib or chosen.size_mib) for each in chosen.workload_ids)
    if not local_baselines:
        return on_efs
    # Each right after its twin: what else the instance does at that time then touches both alike.
    pairs = ((each, local_baseline(each)) for each in on_efs)
    return tuple(each for pair in pairs for each in pair if each is not None)


def scheduled_workloads(settings: CollectionSettings) -> tuple[Workload, ...]:
    """What the stack's own schedule measures, as its settings say: the workloads at their size.

    Raises SettingsRefused for an unknown profile or an impossible size.
    """
    return workloads_of(
        settings.profile,
        size_mib=settings.size_mib,
        local_baselines=bool(settings.local_path),
    )
