"""What can go wrong, each as a sentence for the person who reads it."""


class MonitorError(Exception):
    """Something a person can understand and act on; its text names what, with which value, and what to do."""


class SettingsRefused(MonitorError):
    """Parameters or environment variables that contradict each other or are missing."""


class EventRefused(MonitorError):
    """An event that is malformed, or meant for another stack; nothing was read or written for it."""


class TopicRefused(MonitorError):
    """A topic that was given to the stack, and that its alarms or mails would not reach."""


class KeyRefused(MonitorError):
    """A key that was given for the stack's topics, and that keeps its alarms out of them."""


class FileSystemNotFound(MonitorError):
    """EFS knows no such file system in this Region and account."""


class AwsRefused(MonitorError):
    """An AWS call that failed for good, after botocore's own retries."""


class AwsThrottled(AwsRefused):
    """An AWS call of which the account makes too many at the moment; a few minutes later it goes through."""


class NotAllTold(AwsRefused):
    """CloudWatch answered, and one of the metrics that were asked for is not whole; some minutes later it is."""

    def __init__(self, about: str, metric: str, statistic: str, status: str) -> None:
        super().__init__(f"cloudwatch:GetMetricData on {about} did not tell all of {metric} ({status})")
        self.metric, self.statistic, self.status = metric, statistic, status


class StackAtWork(AwsRefused):
    """CloudFormation is at work on the stack already; what came of it is seen once it has ended."""


class AwsDenied(AwsRefused):
    """An AWS call that a policy does not allow."""


class KeyUnusable(AwsRefused):
    """A key that a topic is encrypted with and that is disabled, about to be deleted, or gone."""


class TopicGone(AwsRefused):
    """A topic that is not there any more."""


class ObjectGone(AwsRefused):
    """An object, or its bucket, that is not there."""


class NoDatapoints(MonitorError):
    """CloudWatch has nothing recent to explain an alarm with."""


class ResultsIncomplete(MonitorError):
    """A benchmark that has ended, but whose results cannot be read yet; some minutes later they can."""


class StartedElsewhere(MonitorError):
    """Another invocation is about to send a benchmark; a minute later it has, and can be found."""
