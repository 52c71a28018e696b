"""A member that no model knows yet, in what DescribeAlarms answers: AWS adds such without asking its clients."""

from typing import Any

from moto.core.utils import get_service_model

FIELD_OF_TOMORROW = "ForecastConfiguration"
_SHAPES: dict[str, Any] = {
    FIELD_OF_TOMORROW: {
        "type": "structure",
        "members": {"Enabled": {"shape": "AlarmForecastEnabled"}, "Horizons": {"shape": "AlarmForecastHorizons"}},
    },
    "AlarmForecastEnabled": {"type": "boolean"},
    "AlarmForecastHorizons": {"type": "list", "member": {"shape": "AlarmForecastHorizon"}},
    "AlarmForecastHorizon": {"type": "string"},
}


def foresee() -> None:
    """Let moto's own copy of the API model know the member, so that it reaches the wire; clients have other copies."""
    shapes = get_service_model("cloudwatch")._service_description["shapes"]
    shapes.update(_SHAPES)
    shapes["MetricAlarm"]["members"][FIELD_OF_TOMORROW] = {"shape": FIELD_OF_TOMORROW}
