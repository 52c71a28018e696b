"""The fingerprint of the alarm definitions in template.yaml, as a property that it includes.

A custom resource is asked again only where one of its properties has changed.
"""

import hashlib
import json
from typing import Any

from operate.template_files import TEMPLATE, as_written


def properties() -> dict[str, str]:
    """`AlarmFingerprint`, of the template as it is."""
    return {"AlarmFingerprint": fingerprint(as_written(TEMPLATE)["Resources"])}


def fingerprint(resources: dict[str, Any]) -> str:
    """The first 16 hex digits of the SHA-256 of the properties, as they stand in the template, of those alarms whose
    thresholds the recalculation owns. An alarm with a fixed threshold may be written again with what the template has.
    """
    alarms = {name: resource["Properties"] for name, resource in resources.items() if recalculated(resource)}
    return hashlib.sha256(json.dumps(alarms, sort_keys=True).encode()).hexdigest()[:16]


def recalculated(resource: dict[str, Any]) -> bool:
    """Whether a resource is an alarm with a threshold that is worked out."""
    return resource["Type"] == "AWS::CloudWatch::Alarm" and isinstance(resource["Properties"]["Threshold"], dict)
