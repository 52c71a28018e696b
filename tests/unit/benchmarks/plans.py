"""Workloads and plans for the tests: of the catalogue, and any that can be."""

from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.workloads import Do, Sync, Target, Tool, Workload
from hypothesis import strategies as st

MIB = 1024**2
QUICK = workloads_of("quick")

counts = st.integers(1, 200)
sizes = st.integers(1, 8 * 1024**3)
blocks = st.sampled_from([4096, 1000, MIB, 16 * MIB])
endings = st.from_regex("[a-z0-9-]{1,30}", fullmatch=True)


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    """Any workload that a plan can hold."""
    do = draw(st.sampled_from(Do))
    family = {Do.TOUCH: "touch", Do.WRITE: "dd-write", Do.READ: "dd-read", Do.COPY: "copy"}[do]
    timed_by_dd = do in (Do.WRITE, Do.READ)
    return Workload(
        id=f"{draw(st.sampled_from([family, 'files']))}-{draw(endings)}",
        do=do,
        on=draw(st.sampled_from(Target)),
        threads=draw(counts),
        files=draw(counts),
        file_bytes=0 if do is Do.TOUCH else draw(sizes),
        block_bytes=draw(blocks) if timed_by_dd else None,
        sync=draw(st.sampled_from(Sync)) if do is Do.WRITE else None,
        directories=draw(counts) if do is Do.TOUCH else 1,
        tool=draw(st.sampled_from(Tool)) if do is Do.COPY else None,
    )


plans = st.lists(workloads(), min_size=1, max_size=40, unique_by=lambda workload: workload.id).map(tuple)
