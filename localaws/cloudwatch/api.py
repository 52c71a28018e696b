"""CloudWatch's endpoint in place of moto's; moto still reads and writes every wire protocol of it."""

from datetime import datetime
from typing import Any

from moto import settings
from moto.cloudwatch.responses import CloudWatchResponse
from moto.core.responses import ActionContext, ActionResult, BaseResponse
from moto.core.serialize import DefaultAttributePicker

from localaws.account import REGION
from localaws.cloudwatch import dashboard_grid, unknown_member
from localaws.cloudwatch.alarm_api import AlarmApi
from localaws.cloudwatch.json_lists import with_lists_at_once
from localaws.cloudwatch.metric_api import MetricApi
from localaws.cloudwatch.metrics import MetricStore
from localaws.cloudwatch.registry import AlarmRegistry
from localaws.iam.sessions import Sessions
from localaws.quotas import DATAPOINTS, DATAPOINTS_LATELY, Quotas, Throttled
from localaws.service_error import ServiceError


class CloudWatchApi(MetricApi, AlarmApi, BaseResponse):  # type: ignore[misc] # moto has no types
    """A method for each call that the sandbox answers."""

    quotas: Quotas
    sessions: Sessions
    is_simulated: bool

    # Dashboards are only kept and given back, as moto does it.
    cloudwatch_backend = CloudWatchResponse.cloudwatch_backend
    get_dashboard = CloudWatchResponse.get_dashboard
    list_dashboards = CloudWatchResponse.list_dashboards
    delete_dashboards = CloudWatchResponse.delete_dashboards

    def __init__(self) -> None:
        super().__init__(service_name="cloudwatch")
        self.automated_parameter_parsing = True

    def call_action(self) -> Any:
        if self.region != REGION:
            elsewhere = f"This sandbox is {REGION}; it has no {self.region}."
            return self.serialized(ActionResult(ServiceError("InvalidParameterValue", elsewhere)))
        # Before anything else, as AWS does: also what would be refused counts.
        action = self._get_action()
        if action != "GetMetricData":
            try:
                self.quotas.take(action, 1, self._second())
            except Throttled as throttled:
                return self.serialized(ActionResult(throttled))
        return super().call_action()

    def put_dashboard(self) -> ActionResult:
        dashboard_grid.check(self._get_param("DashboardBody"))
        return CloudWatchResponse.put_dashboard(self)

    def get_metric_data(self) -> ActionResult:
        quota = DATAPOINTS_LATELY if self.begins_lately() else DATAPOINTS
        self.quotas.take(quota, self.estimated_datapoints(), self._second())
        return super().get_metric_data()

    def serialized(self, action_result: ActionResult) -> Any:
        answered = action_result.result
        is_ours = not isinstance(answered, Exception) and "Dashboard" not in self._get_action()
        return super().serialized(_Answer(answered) if is_ours else action_result)

    def _second(self) -> datetime | None:
        return self.quotas.second_of(self, self.sessions, is_simulated=self.is_simulated)


class _Answer(ActionResult):  # type: ignore[misc] # moto has no types
    """Holds every value under the API's own name: moto need not try what else it might be called, which takes long."""

    def execute_result(self, context: ActionContext) -> Any:
        serializer = with_lists_at_once(context.serializer_class)(
            operation_model=context.operation_model,
            pretty_print=settings.PRETTIFY_RESPONSES,
            value_picker=DefaultAttributePicker(),
        )
        serialized = serializer.serialize(self.result)
        return serialized["status_code"], serialized["headers"], serialized["body"]


def url_paths(
    metrics: MetricStore, alarms: AlarmRegistry, quotas: Quotas, sessions: Sessions, *, is_simulated: bool
) -> dict[str, Any]:
    """moto's table of routes for CloudWatch, answered from these metrics and alarms."""
    unknown_member.foresee()
    members = {
        "metrics": metrics,
        "alarms": alarms,
        "quotas": quotas,
        "sessions": sessions,
        "is_simulated": is_simulated,
    }
    api: Any = type("CloudWatchApi", (CloudWatchApi,), members)
    return {"{0}/$": api.dispatch, "{0}/service/[^/]+/operation/[^/]+$": api.dispatch}
