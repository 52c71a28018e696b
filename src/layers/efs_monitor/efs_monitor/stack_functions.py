"""The functions of a stack, by their logical ids in the template."""

from enum import StrEnum


class StackFunction(StrEnum):
    """What a function is called in the template, in health findings and in the mails about them."""

    RECALCULATE_THRESHOLDS = "RecalculateThresholds"
    EXPLAIN = "Explain"
    REPORT_SILENCE = "ReportSilence"
    SET_LATE_ALARMS = "SetLateAlarms"
    RUN_BENCHMARK = "RunBenchmark"
    COLLECT_BENCHMARK = "CollectBenchmark"
