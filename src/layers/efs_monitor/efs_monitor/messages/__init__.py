"""Every sentence that a person reads: alarm descriptions and Advice mails, as pure functions of values."""

from efs_monitor.messages.credit_mails import credits_low, credits_unreadable, recovered
from efs_monitor.messages.descriptions import alarm_description
from efs_monitor.messages.fault_mails import alarm_edited, alarm_missing, file_system_gone
from efs_monitor.messages.message import Message
from efs_monitor.messages.place import Place
from efs_monitor.messages.threshold_mails import resumed, suspended, thresholds_moved

__all__ = [
    "Message",
    "Place",
    "alarm_description",
    "alarm_edited",
    "alarm_missing",
    "credits_low",
    "credits_unreadable",
    "file_system_gone",
    "recovered",
    "resumed",
    "suspended",
    "thresholds_moved",
]
