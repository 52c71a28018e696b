"""What an account may ask of CloudWatch in a second of a Region; beyond it AWS throttles.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
"""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

from localaws.service_error import ServiceError

CALLS_PER_SECOND: Mapping[str, int] = {
    "PutMetricAlarm": 3,
    "DescribeAlarms": 9,
    "DescribeAlarmHistory": 3,
    "SetAlarmState": 3,
}
"""What an account may ask of each in a second. AWS raises the first two where it is asked to, and has 20 for
DescribeAlarmHistory today; whoever lives within the three that it had lives within both.
"""
ESTIMATED_DATAPOINTS_PER_SECOND = 396_000
"""What all GetMetricData calls together may be about to answer that begin more than three hours ago. For later ones AWS
has 180,000, which are not told apart here.
"""
FEW = 1_000
KEPT_SECONDS = 600


class Throttled(ServiceError):
    def __init__(self) -> None:
        super().__init__("Throttling", "Rate exceeded")


class Quotas:
    """What was used of each quota in each second of its callers' clocks.

    A function's clock begins at the simulated moment at which it was started, runs on in real seconds while it works,
    and by the whole pause while it waits. So functions that AWS would run at the same time meet here too, although
    the sandbox runs them one after the other; and hours that pass in a real second do not add up. A caller without
    such a clock, because time stands still around it, is not counted, but never gets more at once than a second has;
    unless a test that moves the clock itself `counts_everybody`.
    """

    def __init__(self) -> None:
        self.counts_everybody = False
        self._used = Counter[tuple[str, int]]()
        self.throttled: list[tuple[datetime, str]] = []
        self.estimates: list[int] = []

    def take(self, what: str, amount: int, second: datetime | None) -> None:
        """Use some of a quota in the caller's second; Throttled where there is not so much left of it."""
        limit = ESTIMATED_DATAPOINTS_PER_SECOND if what == "GetMetricData" else CALLS_PER_SECOND.get(what)
        if limit is None:
            return
        if what == "GetMetricData":
            self.estimates.append(amount)
        key = (what, int(second.timestamp()) if second else 0)
        if amount + (self._used[key] if second else 0) > limit:
            self.throttled.append((second or datetime.now(UTC), what))
            raise Throttled
        if second:
            self._used[key] += amount
            self._forget_before(key[1] - KEPT_SECONDS)

    def second_passes(self) -> None:
        """Make every quota whole again, for a test whose clock stands still between two calls of a function."""
        self._used.clear()

    def _forget_before(self, oldest: int) -> None:
        if len(self._used) > FEW:
            self._used = Counter({key: amount for key, amount in self._used.items() if key[1] >= oldest})
