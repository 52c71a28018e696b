"""What the custom resource gives the template: every number and text of the alarms, as strings."""

from efs_monitor.alarms.alarm import WAKING, AlarmKind
from efs_monitor.alarms.decision import Decision, Resume
from efs_monitor.mail import StackContext, alarm_description


def attributes(decision: Decision, stack: StackContext) -> dict[str, str]:
    """What Fn::GetAtt can read. An alarm that must be woken stays asleep here: waking takes steps that
    CloudFormation cannot make, and the next recalculation makes them.
    """
    waking = isinstance(decision, Resume)
    asleep = waking or decision.suspended
    return {
        "WarningThresholdBytes": str(decision.thresholds.warning_bytes),
        "CriticalThresholdBytes": str(decision.thresholds.critical_bytes),
        "RiseThresholdBytesPerSecond": str(decision.thresholds.rise_bytes_per_second),
        "ReferenceBytesPerSecond": str(decision.reference.bytes_per_second),
        "WarningDescription": WAKING if waking else alarm_description(AlarmKind.WARNING, decision, stack),
        "CriticalDescription": WAKING if waking else alarm_description(AlarmKind.CRITICAL, decision, stack),
        "RiseDescription": alarm_description(AlarmKind.RISE, decision, stack),
        "ActionsEnabled": "false" if asleep else "true",
        "State": "suspended" if asleep else "armed",
        "Reason": decision.reason,
    }
