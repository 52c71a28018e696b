"""CloudWatch's endpoint in place of moto's; moto still reads and writes every wire protocol of it."""

from typing import Any

from moto.core.responses import ActionResult, BaseResponse

from sandbox.account import REGION
from sandbox.cloudwatch import answers
from sandbox.cloudwatch.alarm_api import AlarmApi
from sandbox.cloudwatch.dashboard_api import DashboardApi
from sandbox.cloudwatch.error import CloudWatchError
from sandbox.cloudwatch.metric_api import MetricApi
from sandbox.cloudwatch.metrics import MetricStore
from sandbox.cloudwatch.registry import AlarmRegistry


class CloudWatchApi(MetricApi, AlarmApi, DashboardApi, BaseResponse):  # type: ignore[misc]
    """Every call the sandbox answers is a method."""

    def __init__(self) -> None:
        super().__init__(service_name="cloudwatch")
        self.automated_parameter_parsing = True

    def call_action(self) -> Any:
        if self.region != REGION:
            elsewhere = f"This sandbox is {REGION}; it has no {self.region}."
            return self.serialized(ActionResult(CloudWatchError("InvalidParameterValue", elsewhere)))
        return super().call_action()


def url_paths(metrics: MetricStore, alarms: AlarmRegistry) -> dict[str, Any]:
    """moto's table of routes for CloudWatch, answered from these metrics and alarms."""
    answers.foresee()
    rooms = {"metrics": metrics, "alarms": alarms, "dashboards": {}}
    api: Any = type("CloudWatchApi", (CloudWatchApi,), rooms)
    return {"{0}/$": api.dispatch, "{0}/service/[^/]+/operation/[^/]+$": api.dispatch}
