"""What a stack has where its operator chose nothing: the defaults of template.yaml, in the list that `make generate`
writes of its parameters and that the installed package has with it.
"""

from efs_monitor.alarms.thresholds import Settings
from efs_monitor.fleet.monitor_parameters import with_defaults
from efs_monitor.notify.health_settings import RepeatHours

_DEFAULTS = with_defaults({})

WARNING_MINUTES = int(_DEFAULTS["WarningMinutes"])
CRITICAL_MINUTES = int(_DEFAULTS["CriticalMinutes"])
RISE_TOLERANCE_PERCENT = int(_DEFAULTS["RiseTolerancePercent"])
SILENT_METRICS_HOURS = int(_DEFAULTS["SilentMetricsHours"])
REPEAT_HOURS = RepeatHours(warning=int(_DEFAULTS["RepeatWarningHours"]), critical=int(_DEFAULTS["RepeatCriticalHours"]))
SETTINGS = Settings(
    warning_minutes=WARNING_MINUTES,
    critical_minutes=CRITICAL_MINUTES,
    rise_tolerance_percent=RISE_TOLERANCE_PERCENT,
)
