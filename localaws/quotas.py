"""What an account may ask of a service in a second of a Region; beyond it AWS throttles.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
https://docs.aws.amazon.com/general/latest/gr/ssm.html
https://docs.aws.amazon.com/general/latest/gr/sns.html
https://docs.aws.amazon.com/sns/latest/api/API_ListSubscriptionsByTopic.html

Of CloudFormation and EFS AWS publishes how much there may be, and not how often anybody may ask:
https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
https://docs.aws.amazon.com/efs/latest/ug/limits.html
So they have no quota here but one that a test supposes.

That of PutParameter AWS's page has not always told; Support does:
https://github.com/github-aws-runners/terraform-aws-github-runner/issues/2944
"""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from localaws.iam.sessions import Sessions
from localaws.service_error import ServiceError

CALLS_PER_SECOND: Mapping[str, int] = {
    "PutMetricAlarm": 3,
    "DescribeAlarms": 9,
    "DescribeAlarmHistory": 3,
    "DescribeAlarmsForMetric": 9,
    "SetAlarmState": 3,
    "PutParameter": 3,
    "GetParameters": 40,
    "ListSubscriptionsByTopic": 30,
    "Publish": 300,
}
"""What an account may ask of each in a second, until it has AWS raise that. DescribeAlarmHistory has 20 today; whoever
lives within the three that it had lives within both. Publish has 300 in the smallest Regions and 30,000 in the largest.
"""
SHARED: Mapping[str, str] = {"GetParameter": "GetParameters", "GetParametersByPath": "GetParameters"}
"""What counts as another call."""
LATELY = timedelta(hours=3)
DATAPOINTS, DATAPOINTS_LATELY = "GetMetricData", "GetMetricData of the last three hours"
ESTIMATED_DATAPOINTS_PER_SECOND: Mapping[str, int] = {DATAPOINTS: 396_000, DATAPOINTS_LATELY: 180_000}
"""What all GetMetricData calls together may be about to answer, by when they begin. CloudWatch's page on its quotas:
"180,000 Datapoints Per Second (DPS) if the StartTime used in the API request is less than or equal to three hours from
current time. 396,000 DPS if the StartTime is more than three hours from current time."
"""
FEW = 1_000
KEPT_SECONDS = 600


class Throttled(ServiceError):
    """The account asked for too much within a second; each service has a `code` of its own for that."""

    def __init__(self, code: str = "Throttling") -> None:
        super().__init__(code, "Rate exceeded")


class Quotas:
    """What was used of each quota in each second of its callers' clocks.

    A function's clock begins at the simulated moment at which it was started, runs on in real seconds while it works,
    and by the whole pause while it waits. So functions that AWS would run at the same time meet here too, although
    the sandbox runs them one after the other; and hours that pass in a real second do not add up. A caller without
    such a clock, because time stands still around it, is not counted, but never gets more at once than a second has;
    unless a test that moves the clock itself `counts_everybody`. `supposed` are calls a second that a test supposes of
    what AWS publishes no quota of.
    """

    def __init__(self) -> None:
        self.counts_everybody = False
        self.supposed: dict[str, int] = {}
        self._used = Counter[tuple[str, int]]()
        self.throttled: list[tuple[datetime, str]] = []
        self.estimates: list[int] = []

    def take(self, what: str, amount: int, second: datetime | None) -> None:
        """Use some of a quota in the caller's second; Throttled where there is not so much left of it."""
        what = SHARED.get(what, what)
        limit = self.supposed.get(what, CALLS_PER_SECOND.get(what))
        limit = ESTIMATED_DATAPOINTS_PER_SECOND.get(what, limit)
        if limit is None:
            return
        if what in ESTIMATED_DATAPOINTS_PER_SECOND:
            self.estimates.append(amount)
        key = (what, int(second.timestamp()) if second else 0)
        if amount + (self._used[key] if second else 0) > limit:
            self.throttled.append((second or datetime.now(UTC), what))
            raise Throttled
        if second:
            self._used[key] += amount
            self._forget_before(key[1] - KEPT_SECONDS)

    def second_of(self, response: Any, sessions: Sessions, *, is_simulated: bool) -> datetime | None:
        """The second at which the caller signed by its own clock, and None where that stands still."""
        has_clock = self.counts_everybody or not is_simulated
        if not has_clock and sessions.of(response.access_key) is None:
            return None
        signed = response.headers.get("X-Amz-Date")
        return datetime.strptime(signed, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) if signed else None

    def second_passes(self) -> None:
        """Make every quota whole again, for a test whose clock stands still between two calls of a function."""
        self._used.clear()

    def _forget_before(self, oldest: int) -> None:
        if len(self._used) > FEW:
            self._used = Counter({key: amount for key, amount in self._used.items() if key[1] >= oldest})
