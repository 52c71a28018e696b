"""CloudWatch dashboards: a dashboard is its body, which replaces the one before."""

from typing import TYPE_CHECKING

from efs_monitor.aws.calls import named

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient


def put(cloudwatch: "CloudWatchClient", name: str, body: str) -> None:
    """Write the dashboard, whatever it was."""
    with named("cloudwatch:PutDashboard", name):
        cloudwatch.put_dashboard(DashboardName=name, DashboardBody=body)
