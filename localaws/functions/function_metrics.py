"""AWS/Lambda's own metrics of what ran: how often, and how often it failed."""

from localaws.cloudwatch.metrics import MetricId, MetricStore
from localaws.functions.executor import InvocationAttempt


class FunctionMetrics:
    """Differs from AWS: the metrics are there at once; Duration, Throttles and the like are not."""

    def __init__(self, metrics: MetricStore) -> None:
        self._metrics = metrics

    def count(self, invocation: InvocationAttempt) -> None:
        """One invocation, and whether it was an error; a success counts as no error, not as nothing."""
        for name, value in (("Invocations", 1), ("Errors", int(invocation.failed))):
            metric = MetricId.of("AWS/Lambda", name, FunctionName=invocation.function_name)
            self._metrics.record(metric, invocation.time, value, unit="Count")
