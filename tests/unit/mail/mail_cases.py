"""What the texts are shown for: a few file systems in trouble, with figures that add up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.decision import CurrentThresholds, Decision, decide
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.efs.credits import GIB, MIB, TIB, baseline_bytes_per_second, burst_bytes_per_second
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Activity, BalancePoint, Minute, Observations
from efs_monitor.incidents.situation import PastDay, Situation, Work
from efs_monitor.mail.stack_context import StackContext

from tests.unit.each_minute import each_minute

# A Monday night; the newest datapoint is four minutes old, as they are.
TIME = datetime(2030, 1, 7, 2, 45, tzinfo=UTC)
NEWEST = TIME - timedelta(minutes=4)
FILE_SYSTEM_ID = "fs-0123456789abcdef0"
SETTINGS = Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)

# As much all day as there was.
QUIET_DAY = PastDay(
    back=timedelta(days=1),
    balances=tuple(
        BalancePoint(time=NEWEST - timedelta(days=1) + step * timedelta(minutes=5), balance_bytes=1000 * GIB)
        for step in range(-12, 289)
    ),
)
# A batch at nine in the evening of the day before, until two hours' worth are gone; or from little, until it is gone.
NIGHTLY = PastDay(
    back=timedelta(days=1),
    balances=tuple(
        BalancePoint(time=NEWEST - timedelta(days=1) + step * timedelta(minutes=5), balance_bytes=balance * GIB)
        for step, balance in enumerate((*[900.0] * 220, *(900 - 28 * step for step in range(25)), *[228.0] * 44))
    ),
)
NIGHTLY_TO_ZERO = PastDay(
    back=timedelta(days=1),
    balances=tuple(
        BalancePoint(time=one.time, balance_bytes=max(0.0, one.balance_bytes - 600 * GIB)) for one in NIGHTLY.balances
    ),
)

# At zero for an hour, seven hours ago, and for fifty minutes two hours ago.
GONE_BEFORE = PastDay(
    back=timedelta(days=1),
    balances=tuple(
        BalancePoint(time=NEWEST - minutes * timedelta(minutes=1), balance_bytes=0 if gone else 100 * GIB)
        for minutes in range(25 * 60, 0, -5)
        for gone in [360 < minutes <= 420 or 70 < minutes <= 120]
    ),
)

# A load from seven in the evening that empties the bucket in twenty minutes and goes on for an hour, and one that does
# so four hours later, for fifty minutes; what 100 GiB earn comes back in between and afterwards, less 0.6 MiB/s.
EARNED_GIB_IN_FIVE_MINUTES = 1.25
GONE_IN_THE_NIGHT = PastDay(
    back=timedelta(days=1),
    balances=tuple(
        BalancePoint(time=NEWEST - (len(gib) - 1 - step) * timedelta(minutes=5), balance_bytes=one * GIB)
        for gib in [
            [
                *(100.0,) * 216,
                *(75.0, 50.0, 25.0),
                *(0.0,) * 13,
                *(step * EARNED_GIB_IN_FIVE_MINUTES for step in range(1, 45)),
                *(41.25, 27.5, 13.75),
                *(0.0,) * 11,
                *(step * EARNED_GIB_IN_FIVE_MINUTES for step in range(1, 15)),
            ]
        ]
        for step, one in enumerate(gib)
    ),
)

# The same night's second load, had it ended with three GiB left, and one that did so in the morning.
NEARLY_SPENT = replace(
    QUIET_DAY,
    balances=tuple(
        BalancePoint(time=NEWEST - (len(gib) - 1 - step) * timedelta(minutes=5), balance_bytes=one * GIB)
        for gib in [
            [
                *(100.0,) * 200,
                *(75.0, 50.0, 25.0, 2.0),
                *(2.0 + step * EARNED_GIB_IN_FIVE_MINUTES for step in range(1, 71)),
                *(60.0, 30.0, 3.0),
                *(3.0 + step * EARNED_GIB_IN_FIVE_MINUTES for step in range(1, 12)),
            ]
        ]
        for step, one in enumerate(gib)
    ),
)

# Without credits all day, and a load in it from nine in the evening to eleven that took all that was there.
EMPTY_DAY = replace(QUIET_DAY, balances=tuple(one._replace(balance_bytes=0.0) for one in QUIET_DAY.balances))
HELD_DOWN = tuple(
    Work(time=NEWEST - age * timedelta(minutes=5), metered_bytes=5.0 * MIB * 300) for age in range(68, 44, -1)
)

# Without credits until two hours ago, since when they come back by a quarter of a GiB in five minutes.
SLOWLY_BACK = replace(
    EMPTY_DAY,
    balances=tuple(
        one._replace(balance_bytes=max(0, step + 25 - len(EMPTY_DAY.balances)) / 4 * GIB)
        for step, one in enumerate(EMPTY_DAY.balances)
    ),
)

# The same, from before that day until two hours ago.
HELD_ALL_DAY = tuple(
    Work(time=NEWEST - age * timedelta(minutes=5), metered_bytes=5.0 * MIB * 300) for age in range(287, 24, -1)
)

# As CloudWatch has it of each five minutes, busy or idle.
PERMITTED_ALL_DAY = tuple((NEWEST - age * timedelta(minutes=5), 100.0 * MIB) for age in range(287, -1, -1))

# Two hours at 97 MiB/s, in writes of a MiB and small look-ups, until now.
A_DAY_OF_WORK = tuple(
    Work(
        time=NEWEST - age * timedelta(minutes=5),
        metered_bytes=97 * MIB * 300,
        read_bytes=30 * MIB * 300,
        written_bytes=86 * MIB * 300,
        metadata_bytes=1 * MIB * 300,
        reads=30 * 300,
        writes=86 * 300,
        metadata_operations=1024 * 300,
    )
    for age in range(24, 0, -1)
)

HERE = StackContext(
    stack_name="efs-home",
    region="us-east-1",
    account_id="123456789012",
    partition="aws",
    runbook_url="https://wiki.example.com/efs/runbook",
    benchmark_path="/mnt/efs",
)
CHINA = StackContext(
    stack_name="efs-home",
    region="cn-north-1",
    account_id="123456789012",
    partition="aws-cn",
    runbook_url="https://wiki.example.com/efs/runbook",
)
GOVERNMENT = StackContext(
    stack_name="efs-home",
    region="us-gov-west-1",
    account_id="123456789012",
    partition="aws-us-gov",
    runbook_url="https://wiki.example.com/efs/runbook",
)


def a_file_system(
    *,
    standard_bytes: int = 100 * GIB,
    mode: ThroughputMode = ThroughputMode.BURSTING,
    provisioned_bytes_per_second: int = 0,
    name: str = "home directories",
    archive_bytes: int = 0,
    colder_bytes: int = 0,
) -> FileSystem:
    """A bursting file system of 100 GiB, unless told otherwise."""
    return FileSystem(
        file_system_id=FILE_SYSTEM_ID,
        name=name,
        mode=mode,
        standard_bytes=standard_bytes,
        provisioned_bytes_per_second=provisioned_bytes_per_second,
        archive_bytes=archive_bytes,
        colder_bytes=colder_bytes,
    )


def a_situation(
    *,
    balance_gib: float,
    hour_ago_gib: float | None,
    activity: Activity | None,
    permitted_mib_per_second: float | None = None,
    file_system: FileSystem | None = None,
) -> Situation:
    """The balance an hour ago and now; permitted at what the size may burst to, unless told otherwise."""
    file_system = file_system or a_file_system()
    reference = burst_bytes_per_second(file_system.standard_bytes)
    now = BalancePoint(time=NEWEST, balance_bytes=balance_gib * GIB)
    before = (
        ()
        if hour_ago_gib is None
        else (BalancePoint(time=NEWEST - timedelta(hours=1), balance_bytes=hour_ago_gib * GIB),)
    )
    return Situation(
        file_system=file_system,
        time=TIME,
        balances=each_minute(*before, now),
        permitted_bytes_per_second=reference if permitted_mib_per_second is None else permitted_mib_per_second * MIB,
        reference_bytes_per_second=reference,
        baseline_bytes_per_second=baseline_bytes_per_second(file_system.standard_bytes),
        activity=activity,
        past_days=(QUIET_DAY,),
        permitted_of_the_day=PERMITTED_ALL_DAY,
    )


def an_activity(*, read_gib: float, written_gib: float, metadata_gib: float) -> Activity:
    """An hour of steady work, metered as EFS does it: reads at one third."""
    metered_bytes = (read_gib / 3 + written_gib + metadata_gib) * GIB
    return Activity(
        read_bytes=read_gib * GIB,
        written_bytes=written_gib * GIB,
        metadata_bytes=metadata_gib * GIB,
        metered_bytes=metered_bytes,
        busiest_bytes_per_second=metered_bytes / 3600,
        observed_minutes=60,
    )


# 100 GiB earn 17.2 GiB of credits an hour; what is metered above that is what the balance falls by.
WRITING = an_activity(read_gib=30, written_gib=240, metadata_gib=3)
WRITING_FAST = an_activity(read_gib=30, written_gib=330, metadata_gib=3)
READING_A_LOT = an_activity(read_gib=1900, written_gib=12, metadata_gib=2)
LISTING = an_activity(read_gib=3, written_gib=2, metadata_gib=18)
MIXED = an_activity(read_gib=24, written_gib=5.5, metadata_gib=3.7)
QUIET = an_activity(read_gib=2, written_gib=1, metadata_gib=0.3)
# An hour in which the balance of 100 GiB rises by 15.0 GiB; and one at zero, calm, and with a copy in its last minutes:
# together what is earned less the one GiB that is left.
QUIET_AT_LAST = an_activity(read_gib=2.7, written_gib=1, metadata_gib=0.28)
WRITING_AT_LAST = replace(
    an_activity(read_gib=0, written_gib=15.9, metadata_gib=0.28), busiest_bytes_per_second=34.5 * MIB
)
IDLE = an_activity(read_gib=0, written_gib=0, metadata_gib=0)
LIMITED = an_activity(read_gib=3, written_gib=15.8, metadata_gib=0.4)
HARDLY_LESS = an_activity(read_gib=3, written_gib=12.9, metadata_gib=0.3)


def a_decision(
    file_system: FileSystem | None = None,
    *,
    permitted_mib_per_second: float | None = None,
    suspended: bool = False,
) -> Decision:
    """The real decision about a file system, on a comfortable balance, with or without a minute to observe."""
    minutes = (
        ()
        if permitted_mib_per_second is None
        else (Minute(time=NEWEST, balance_bytes=2 * TIB, permitted_bytes_per_second=permitted_mib_per_second * MIB),)
    )
    decided_before = alarms_before(suspended=suspended)
    return decide(file_system or a_file_system(), Observations(minutes=minutes), SETTINGS, decided_before)


def unseen_cap(stored_tib: float) -> Decision:
    """About a file system that its Region may cap, before there is a datapoint of it."""
    return decide(a_file_system(standard_bytes=round(stored_tib * TIB)), Observations(), SETTINGS)


def alarms_before(*, suspended: bool) -> CurrentThresholds:
    """Alarms at thresholds that no decision would keep."""
    return CurrentThresholds(
        warning_bytes=1.0, critical_bytes=1.0, exhausted_bytes=1.0, rise_bytes_per_second=1.0, suspended=suspended
    )


ELASTIC = a_decision(a_file_system(mode=ThroughputMode.ELASTIC))
PROVISIONED = a_decision(a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=256 * MIB))


def gone_for(hours: int) -> Situation:
    """A load of 60 MiB/s that ended the credits so many hours ago, and has taken all that is there since."""
    steps = [NEWEST - age * timedelta(minutes=5) for age in range(299, -1, -1)]
    since = NEWEST - timedelta(hours=hours)
    left = tuple(
        BalancePoint(time=step, balance_bytes=max(0.0, (since - step) / timedelta(minutes=5)) * GIB) for step in steps
    )
    baseline = baseline_bytes_per_second(100 * GIB)
    of_the_day = [step for step in steps if step > NEWEST - timedelta(days=1)]
    return replace(
        a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=baseline / MIB),
        past_days=(PastDay(back=timedelta(days=1), balances=left),),
        permitted_of_the_day=tuple((step, baseline if step >= since else 100.0 * MIB) for step in of_the_day),
        last_day=tuple(
            Work(
                time=step,
                metered_bytes=(baseline if step >= since else 60 * MIB) * 300.0,
                written_bytes=(baseline if step >= since else 60 * MIB) * 300.0,
                writes=300.0,
            )
            for step in of_the_day
        ),
        alarms_on=(
            (AlarmKind.WARNING, since - timedelta(hours=2)),
            (AlarmKind.CRITICAL, since - timedelta(hours=1)),
            (AlarmKind.EXHAUSTED, since + timedelta(minutes=3)),
        ),
    )
