"""The CloudWatch calls about dashboards: kept and given back, never drawn."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from moto.core.responses import ActionResult

from localaws.account import ACCOUNT_ID
from localaws.pages import page
from localaws.service_error import ServiceError


@dataclass(frozen=True, slots=True)
class Dashboard:
    name: str
    body: str
    modified: datetime

    @property
    def arn(self) -> str:
        return f"arn:aws:cloudwatch::{ACCOUNT_ID}:dashboard/{self.name}"


class DashboardApi:
    """A part of the CloudWatch endpoint; `dashboards`, by name, comes with the class that is put together."""

    dashboards: dict[str, Dashboard]
    params: dict[str, Any]

    def put_dashboard(self) -> ActionResult:
        name, body = self.params["DashboardName"], self.params["DashboardBody"]
        try:
            json.loads(body)
        except ValueError as error:
            raise ServiceError(
                "InvalidParameterInput", f"The body of dashboard {name!r} is not JSON: {error}"
            ) from error
        self.dashboards[name] = Dashboard(name, body, datetime.now(UTC))
        return ActionResult({"DashboardValidationMessages": []})

    def get_dashboard(self) -> ActionResult:
        dashboard = self._get(self.params["DashboardName"])
        return ActionResult(
            {"DashboardName": dashboard.name, "DashboardArn": dashboard.arn, "DashboardBody": dashboard.body}
        )

    def list_dashboards(self) -> ActionResult:
        prefix = self.params.get("DashboardNamePrefix") or ""
        fitting = [self.dashboards[name] for name in sorted(self.dashboards) if name.startswith(prefix)]
        on_page, token = page(fitting, 1_000, self.params.get("NextToken"))
        entries = [
            {
                "DashboardName": one.name,
                "DashboardArn": one.arn,
                "LastModified": one.modified,
                "Size": len(one.body.encode()),
            }
            for one in on_page
        ]
        return ActionResult({"DashboardEntries": entries, "NextToken": token})

    def delete_dashboards(self) -> ActionResult:
        names = self.params["DashboardNames"]
        for name in names:
            self._get(name)
        for name in names:
            del self.dashboards[name]
        return ActionResult({})

    def _get(self, name: str) -> Dashboard:
        if name not in self.dashboards:
            raise ServiceError("ResourceNotFound", f"There is no dashboard named {name!r}.")
        return self.dashboards[name]
