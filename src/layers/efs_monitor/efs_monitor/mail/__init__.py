"""Every sentence that a person reads: alarm descriptions and Advice mails, as pure functions of values.

Each is loaded when it is first asked for: a function's cold start pays for the mails that it sends, and no others.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efs_monitor.mail.alarm_fault_mails import (
        alarm_edited,
        alarm_missing,
        alarm_restored,
        edit_undone,
        file_system_back,
        file_system_gone,
    )
    from efs_monitor.mail.credit_mails import credits_low, credits_recovering, not_low, recovered
    from efs_monitor.mail.descriptions import alarm_description, late_reason
    from efs_monitor.mail.draining_mails import draining
    from efs_monitor.mail.figureless_mails import alarm_without_figures, end_without_figures
    from efs_monitor.mail.fleet_mails import fleet_digest
    from efs_monitor.mail.health_mails import silence_found, silence_over
    from efs_monitor.mail.layout import Message, as_drill, in_thread
    from efs_monitor.mail.limit_mails import limit_lifted, limited
    from efs_monitor.mail.stack_context import StackContext, stack_context_of
    from efs_monitor.mail.threshold_mails import resumed, suspended, thresholds_moved
    from efs_monitor.mail.trend_mails import warning_ahead
    from efs_monitor.mail.way_back_mails import elastic_day, way_back

__all__ = [
    "Message",
    "StackContext",
    "alarm_description",
    "alarm_edited",
    "alarm_missing",
    "alarm_restored",
    "alarm_without_figures",
    "as_drill",
    "credits_low",
    "credits_recovering",
    "draining",
    "edit_undone",
    "elastic_day",
    "end_without_figures",
    "file_system_back",
    "file_system_gone",
    "fleet_digest",
    "in_thread",
    "late_reason",
    "limit_lifted",
    "limited",
    "not_low",
    "recovered",
    "resumed",
    "silence_found",
    "silence_over",
    "stack_context_of",
    "suspended",
    "thresholds_moved",
    "warning_ahead",
    "way_back",
]

_MODULES = {
    "credit_mails": ("credits_low", "credits_recovering", "not_low", "recovered"),
    "descriptions": ("alarm_description", "late_reason"),
    "draining_mails": ("draining",),
    "alarm_fault_mails": (
        *("alarm_edited", "alarm_missing", "alarm_restored"),
        *("edit_undone", "file_system_back", "file_system_gone"),
    ),
    "figureless_mails": ("alarm_without_figures", "end_without_figures"),
    "layout": ("Message", "as_drill", "in_thread"),
    "fleet_mails": ("fleet_digest",),
    "limit_mails": ("limit_lifted", "limited"),
    "stack_context": ("StackContext", "stack_context_of"),
    "health_mails": ("silence_found", "silence_over"),
    "threshold_mails": ("resumed", "suspended", "thresholds_moved"),
    "trend_mails": ("warning_ahead",),
    "way_back_mails": ("elastic_day", "way_back"),
}

# Hidden from type checkers, which would take any name for one of ours.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
