"""Every sentence that a person reads: alarm descriptions and Advice mails, as pure functions of values."""

from efs_monitor.messages.credit_mails import credits_low, credits_unreadable, recovered
from efs_monitor.messages.descriptions import alarm_description
from efs_monitor.messages.fault_mails import (
    alarm_edited,
    alarm_missing,
    alarm_restored,
    edit_undone,
    file_system_back,
    file_system_gone,
)
from efs_monitor.messages.message import Message, as_drill
from efs_monitor.messages.place import Place
from efs_monitor.messages.silence_mails import silence_found, silence_over
from efs_monitor.messages.threshold_mails import resumed, suspended, thresholds_moved
from efs_monitor.messages.trend_mails import warning_ahead

__all__ = [
    "Message",
    "Place",
    "alarm_description",
    "alarm_edited",
    "alarm_missing",
    "alarm_restored",
    "as_drill",
    "credits_low",
    "credits_unreadable",
    "edit_undone",
    "file_system_back",
    "file_system_gone",
    "recovered",
    "resumed",
    "silence_found",
    "silence_over",
    "suspended",
    "thresholds_moved",
    "warning_ahead",
]
