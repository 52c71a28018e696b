"""How every AWS call is made and what is said when one fails for good."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from time import sleep
from typing import cast

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from efs_monitor.errors import AwsDenied, AwsRefused, AwsThrottled, KeyUnusable

# A call that hangs for good ends after 16 seconds and the pauses between its attempts, 23 in all: well inside a
# function's own time-out, so that what is reported is the call that failed and not a killed function.
CALLS = Config(
    connect_timeout=2,
    read_timeout=4,
    retries={"mode": "standard", "total_max_attempts": 4},
)

# For the mail beside an alarm, which somebody waits for: in one outage the alarms of forty stacks go off in seconds,
# and some of their mails would have no figures. A call that hangs for good ends within a minute.
WAITED_FOR = CALLS.merge(Config(retries={"mode": "standard", "total_max_attempts": 6}))

# For a function that nobody waits for: a quota that all stacks of an account share is free again some seconds later.
# Eight attempts and their pauses, up to 20 seconds each, end within two minutes.
UNHURRIED = CALLS.merge(Config(retries={"mode": "standard", "total_max_attempts": 8}))

# For CloudFormation where many stacks are: a page of a hundred, or a stack with macros, may take some seconds. Whoever
# asks comes again minutes later. A call that hangs for good ends within half a minute and the pauses.
OF_MANY_STACKS = CALLS.merge(Config(read_timeout=8, retries={"mode": "standard", "total_max_attempts": 3}))

# For what must not be done twice: a request whose answer is lost was heard.
ONE_ATTEMPT = CALLS.merge(Config(retries={"mode": "standard", "total_max_attempts": 1}))

# Each without the word Exception.
DENIED_CODES = frozenset({"AccessDenied", "AuthorizationError", "KMSAccessDenied", "UnauthorizedOperation"})
# What SNS answers about the key of an encrypted topic.
KEY_CODES = frozenset({"KMSDisabled", "KMSInvalidState", "KMSNotFound", "KMSOptInRequired"})
# SSM is at work on another write of the same parameter, and has not begun with this one.
CONCURRENT_CODE = "TooManyUpdates"
# Each service has its own word for it.
THROTTLED_CODES = frozenset(
    {"KMSThrottling", "RequestLimitExceeded", "SlowDown", "Throttled", "Throttling", "TooManyRequests", CONCURRENT_CODE}
)
# For reads that a deployment waits for. IAM takes about so long to know a new role everywhere.
DENIED_PAUSES_SECONDS = (1, 2, 4)
# A quota of each second, which other stacks of a deployment use up, is free again by then. botocore's own pauses are by
# chance, and may end all four attempts within one second. Both reads together end within 16 seconds, and mostly within
# 9: time is left to say what failed.
THROTTLED_PAUSE_SECONDS = 2


@contextmanager
def named(action: str, resource: str) -> Iterator[None]:
    """Name the call inside by its IAM action and the resource it is about, should it fail for good.

    Raises AwsDenied where a policy is in the way, KeyUnusable where the key of a topic is of no use, AwsThrottled where
    the account asks for too much at the moment, and AwsRefused for everything else AWS or the network answers.
    """
    try:
        yield
    except ClientError as error:
        code = error_code(error) or "unknown error"
        message = error_message(error)
        plain_code = plain(code)
        if plain_code in DENIED_CODES:
            raise AwsDenied(
                f"Not allowed to call {action} on {resource}: {message.rstrip('.')}; allow it in the caller's "
                "policy, or find the policy that denies it"
            ) from error
        if plain_code in KEY_CODES:
            raise KeyUnusable(f"{action} on {resource} failed for its encryption key with {code}: {message}") from error
        refusal = AwsThrottled if plain_code in THROTTLED_CODES else AwsRefused
        raise refusal(f"{action} on {resource} failed with {code}: {message}") from error
    except BotoCoreError as error:
        raise AwsRefused(f"{action} on {resource} failed: {error}") from error
    # botocore parses before anybody here does, and a broken body breaks it in several ways.
    except (
        ResponseParserError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
        OverflowError,
        RuntimeError,
    ) as error:
        raise AwsRefused(f"{action} on {resource} answered with something unreadable: {error!r}") from error


def patiently[Value](read: Callable[[], Value]) -> Value:
    """Read, and believe only after some seconds that it is denied or too much."""
    for pause_seconds in DENIED_PAUSES_SECONDS:
        try:
            return _again_if_throttled(read)
        except AwsDenied:
            sleep(pause_seconds)
    return _again_if_throttled(read)


def _again_if_throttled[Value](read: Callable[[], Value]) -> Value:
    try:
        return read()
    except AwsThrottled:
        sleep(THROTTLED_PAUSE_SECONDS)
        return read()


def error_code(error: ClientError) -> str:
    """What AWS calls the error; empty where an answer has no code."""
    return error.response.get("Error", {}).get("Code", "")


def error_message(error: ClientError) -> str:
    """AWS's own words; empty where an answer has none."""
    return error.response.get("Error", {}).get("Message", "")


def plain(code: str) -> str:
    """An error's code without the word Exception, with which some end: with one protocol the name of the error's shape
    is answered, with another its code.
    """
    return code.removesuffix("Exception")


def moment(value: object) -> datetime:
    """A time that an answer holds, in UTC; for use under `named`, as it raises TypeError for anything else.

    botocore gives the machine's own zone, which dateutil asks of the machine anew in every comparison: of a day's
    datapoints there are ten thousands.
    """
    if not isinstance(value, datetime):
        raise TypeError(f"{value!r} is no time")
    return value.astimezone(UTC)


def moments(values: Sequence[object]) -> Sequence[datetime]:
    """All the times of a series, as `moment` has each: at once where they are in UTC already."""
    if set(map(type, values)) <= {datetime}:
        times = cast("Sequence[datetime]", values)
        if not [one for one in times if one.tzinfo is not UTC]:
            return times
    return [moment(one) for one in values]


def number(value: object) -> float:
    """A number that an answer holds; for use under `named`, as it raises TypeError or ValueError for anything else.

    Python's JSON takes NaN and Infinity for numbers, and both spread through every sum and comparison unseen.
    """
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is no amount")
    return value


def numbers(values: Sequence[object]) -> Sequence[float]:
    """All the numbers of a series, as `number` has each: at once where their sum is finite, as that of any with NaN or
    Infinity is not.
    """
    if set(map(type, values)) <= {float}:
        floats = cast("Sequence[float]", values)
        if math.isfinite(sum(floats)):
            return floats
    return [number(one) for one in values]
