"""How every AWS call is made and what is said when one fails for good."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from efs_monitor.errors import AwsDenied, AwsRefused

# Four attempts with these limits end well inside a function's own time-out, so that what is reported is the
# call that failed and not a killed function.
CALLS = Config(
    connect_timeout=2,
    read_timeout=4,
    retries={"mode": "standard", "total_max_attempts": 4},
)

DENIED_CODES = frozenset({"AccessDenied", "AccessDeniedException", "AuthorizationError", "UnauthorizedOperation"})


@contextmanager
def named(action: str, resource: str) -> Iterator[None]:
    """Name the call inside by its IAM action and the resource it is about, should it fail for good.

    Raises AwsDenied where a policy is in the way, AwsRefused for everything else AWS or the network answers.
    """
    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "unknown error")
        message = error.response.get("Error", {}).get("Message", "")
        if code in DENIED_CODES:
            raise AwsDenied(f"Not allowed to call {action} on {resource}: {message}") from error
        raise AwsRefused(f"{action} on {resource} failed with {code}: {message}") from error
    except BotoCoreError as error:
        raise AwsRefused(f"{action} on {resource} failed: {error}") from error
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise AwsRefused(f"{action} on {resource} answered with something unreadable: {error!r}") from error
