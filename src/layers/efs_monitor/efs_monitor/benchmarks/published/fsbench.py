"""What rstudio/fsbench published for readers and small files: durations, in the columns that it compares.

Its processes each read 1 GiB, or write or read 1,000 files of 10 kB, so that a run of N moves N times that (its
`main.R`). Its 1,000 files of 100 kB are CSV, written and read by one R process.
"""

from collections.abc import Iterator

from efs_monitor.benchmarks.published.figure import MB, Published

FSBENCH = "rstudio-fsbench"
GIB = 1024**3
# What one process of each moves.
BYTES_A_PROCESS = {"dd-read": GIB, "files-write-10kb": 10 * MB, "files-read-10kb": 10 * MB}
CSV_BYTES = 100 * MB

# Each column is an instance type and a mode, or what else was compared; what is not given is empty.
PERFORMANCE_MODES = (("", "general-purpose"), ("", "max-io"))
THROUGHPUT_MODES = (("", "bursting"), ("", "provisioned"))
ZONES = (("", "one-zone"), ("", "multi-az"))
EFS_UTILS = (("", "without-efs-utils"), ("", "with-efs-utils"))
INSTANCE_TYPES = (
    ("t3.large", ""),
    ("i3.large", ""),
    ("i3en.large", ""),
    ("c5.xlarge", ""),
    ("c5n.xlarge", ""),
    ("m5.large", ""),
    ("m5n.large", ""),
    ("r5.large", ""),
    ("r5n.large", ""),
)
T3 = (("t3.large", ""), ("t3.xlarge", ""))

# By columns and workload: the step of the first column, from where they are counted, and the seconds of each.
_DURATIONS: tuple[tuple[tuple[tuple[str, str], ...], dict[str, tuple[int, tuple[float, ...]]]], ...] = (
    (
        PERFORMANCE_MODES,
        {
            "files-write-100kb-1": (1, (24.559524, 89.26881)),
            "files-read-100kb-1": (3, (7.436476, 18.80406)),
        },
    ),
    (
        THROUGHPUT_MODES,
        {
            "files-write-10kb-2": (9, (12.749688, 12.918125)),
            "files-write-10kb-4": (11, (34.989, 36.452625)),
            "files-write-10kb-8": (13, (69.847063, 71.607333)),
            "files-write-10kb-16": (15, (142.516063, 146.054792)),
            "files-read-10kb-2": (17, (5.400938, 5.503292)),
            "files-read-10kb-4": (19, (5.667313, 5.742042)),
            "files-read-10kb-8": (21, (8.3735, 8.297542)),
            "files-read-10kb-16": (23, (15.613875, 15.381583)),
            "dd-read-2": (33, (5.820938, 5.409708)),
            "dd-read-4": (35, (13.352562, 8.297)),
            "dd-read-8": (37, (26.826, 15.804083)),
            "dd-read-16": (39, (53.789563, 32.500833)),
        },
    ),
    (
        ZONES,
        {
            "files-write-100kb-1": (41, (14.86502, 40.90557)),
            "files-read-100kb-1": (43, (6.773882, 10.66935)),
        },
    ),
    (
        INSTANCE_TYPES,
        {
            "files-write-100kb-1": (
                54,
                (22.630077, 22.27608, 22.27608, 23.2695, 23.17, 23.761, 22.484, 21.745412, 20.028),
            ),
            "files-read-100kb-1": (63, (7.743615, 7.212, 7.212, 7.8495, 6.8405, 7.31, 7.7515, 6.870118, 7.167)),
            "dd-read-2": (72, (5.423615, 5.540231, 5.540231, 6.0005, 5.954, 5.8845, 5.9995, 5.639824, 7.165)),
            "dd-read-4": (81, (9.089462, 9.245846, 9.245846, 13.4175, 13.3075, 13.395, 13.2725, 10.268941, 15.3465)),
            "dd-read-8": (90, (17.563923, 17.707692, 17.707692, 26.8515, 26.9025, 26.914, 26.856, 19.823353, 30.2875)),
            "dd-read-16": (99, (35.753846, 35.969923, 35.969923, 53.925, 53.9265, 53.9315, 53.8575, 39.928, 53.582)),
            "files-read-10kb-2": (108, (5.640154, 5.163615, 5.163615, 5.728, 4.669, 5.237, 5.4005, 5.073765, 5.6865)),
            "files-read-10kb-4": (117, (6.145077, 5.713846, 5.713846, 5.523, 4.5725, 5.7755, 5.91, 5.754588, 6.2995)),
            "files-read-10kb-8": (
                126,
                (10.072461, 9.230615, 9.230615, 6.287, 5.6185, 9.236, 9.4405, 9.604059, 10.4465),
            ),
            "files-read-10kb-16": (
                135,
                (19.851154, 18.062308, 18.062308, 10.2755, 9.4545, 18.0845, 18.243, 19.030471, 20.727),
            ),
        },
    ),
    (
        T3,
        {
            "files-write-100kb-1": (144, (23.364, 25.19867)),
            "files-read-100kb-1": (146, (7.306667, 8.631)),
            "dd-read-2": (148, (5.3, 5.153333)),
            "dd-read-4": (150, (8.446, 7.598333)),
            "dd-read-8": (152, (15.882, 15.978333)),
            "dd-read-16": (154, (32.297667, 32.665667)),
            "files-read-10kb-2": (156, (5.335667, 6.285)),
            "files-read-10kb-4": (158, (5.897333, 5.806333)),
            "files-read-10kb-8": (160, (9.516, 6.873)),
            "files-read-10kb-16": (162, (18.621667, 11.671333)),
        },
    ),
    (
        EFS_UTILS,
        {
            "files-write-100kb-1": (164, (20.893, 23.364)),
            "files-read-100kb-1": (166, (7.46175, 7.306667)),
            "files-write-10kb-2": (176, (12.41725, 12.789)),
            "files-write-10kb-4": (178, (32.8825, 40.746667)),
            "files-write-10kb-8": (180, (65.4215, 71.439)),
            "files-write-10kb-16": (182, (134.31875, 146.629667)),
        },
    ),
)


def _rows() -> Iterator[Published]:
    for columns, by_workload in _DURATIONS:
        for workload_id, (first_step, durations) in by_workload.items():
            shape, _, processes = workload_id.rpartition("-")
            amount = int(processes) * BYTES_A_PROCESS[shape] if shape in BYTES_A_PROCESS else CSV_BYTES
            for column, ((instance_type, mode), seconds) in enumerate(zip(columns, durations, strict=True)):
                yield Published(
                    source=FSBENCH,
                    step=str(first_step + column),
                    workload_id=workload_id,
                    instance_type=instance_type,
                    storage="efs",
                    mode=mode,
                    amount=amount,
                    seconds=seconds,
                    stated_rate=None,
                )


FSBENCH_FIGURES = tuple(_rows())
