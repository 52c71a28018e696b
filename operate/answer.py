"""How a command for a deployed stack ends: with its own exit status, or with a sentence about what stood in its way."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout

from botocore import exceptions
from botocore.exceptions import BotoCoreError, ClientError
from efs_monitor.aws.calls import DENIED_CODES, plain
from efs_monitor.errors import AwsDenied, AwsThrottled, MonitorError

from operate.environment import Refused
from operate.standard_output import unread_status, write_no_more
from operate.terminal import one_line, wrapped

REFUSED = 2
# How botocore's ValueError begins that refuses an address.
NO_ENDPOINT = "Invalid endpoint"
LOG_IN = "set AWS_PROFILE to a profile that works, or log in again (aws sso login)"
NOBODY = (
    exceptions.NoCredentialsError,
    exceptions.PartialCredentialsError,
    exceptions.CredentialRetrievalError,
    exceptions.ConfigNotFound,
    exceptions.ConfigParseError,
    exceptions.InvalidConfigError,
    exceptions.SSOError,
    exceptions.TokenRetrievalError,
)
OUT_OF_REACH = (exceptions.ConnectionError, exceptions.HTTPClientError)
# What AWS was never asked about, or never heard.
SET_WRONG = (
    exceptions.ProfileNotFound,
    exceptions.InvalidRegionError,
    exceptions.NoRegionError,
    *NOBODY,
    *OUT_OF_REACH,
)
# What an address of one's own answers where the Region is none, as AWS's own do for another one.
REGION_OF_SIGNATURE = re.compile("scoped to a valid region, not '(?P<region>[^']+)'")
# https://monitoring.eu-west-1.amazonaws.com: what stands before the domain, where something stands before that.
REGION_OF_ENDPOINT = re.compile(r"\.(?P<region>[^./]+)\.(?:amazonaws|api)\.")
WHERE_REGION = "such as eu-west-1 (--region, AWS_REGION, or where the profile or samconfig.toml names it)"
# Without the word Exception, with which some end.
EXPIRED_CODES = frozenset({"ExpiredToken", "RequestExpired"})
UNKNOWN_CODES = frozenset(
    {"AuthFailure", "InvalidClientTokenId", "InvalidSignature", "SignatureDoesNotMatch", "UnrecognizedClient"}
)
FOR_NOBODY_CODES = EXPIRED_CODES | UNKNOWN_CODES


@contextmanager
def as_data(wanted: bool) -> Iterator[Callable[[object], None]]:
    """Writes what is given as JSON to standard output, where that is wanted; all else that is printed goes to standard
    error then, so that a program reads one value.
    """
    if not wanted:
        yield lambda _: None
        return
    output = sys.stdout
    with redirect_stdout(sys.stderr):
        yield lambda found: print(json.dumps(found, indent=2), file=output)


def answered(run: Callable[[], int]) -> int:
    """The exit status of `run`; 2 where something stood in its way, which is said, or its answer could not be written.

    Where nobody reads that to its end, the status of a program that a closed pipe ended: it says nothing of the answer.
    """
    try:
        status = run()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        write_no_more()
        return unread_status()
    except OSError as error:
        write_no_more()
        named = "What was found" if error.filename is None else error.filename
        sentence = f"{named} cannot be written or read: {error.strerror or error}"
    except Refused as refused:
        sentence = str(refused)
    except MonitorError as refused:
        sentence = _of_access(refused) or str(refused)
        if isinstance(refused, AwsThrottled):
            sentence += "; this account and Region ask for too much at the moment: run it again in a minute"
    except (BotoCoreError, ClientError) as error:
        sentence = explained(error)
    except ValueError as error:
        if NO_ENDPOINT not in str(error):
            raise
        sentence = f"{error}: AWS_ENDPOINT_URL, or endpoint_url of the profile, must begin with http:// or https://"
    print(wrapped(sentence), file=sys.stderr)
    return REFUSED


def is_for_nobody(refused: MonitorError) -> bool:
    """Whether credentials or a policy stood in the way, so that asking again is in vain until somebody changes them."""
    return isinstance(refused, AwsDenied) or isinstance(refused.__cause__, NOBODY) or _has_code_for_nobody(refused)


def _has_code_for_nobody(refused: MonitorError) -> bool:
    cause = refused.__cause__
    return isinstance(cause, ClientError) and plain(str(cause.response["Error"].get("Code"))) in FOR_NOBODY_CODES


def _of_access(refused: MonitorError) -> str:
    """What to do where it is credentials, profile, Region or network that stood in the way, whatever was called; else
    empty.
    """
    cause = refused.__cause__
    if isinstance(cause, ClientError) and _has_code_for_nobody(refused):
        return explained(cause)
    return explained(cause) if isinstance(cause, SET_WRONG) else ""


def explained(error: BotoCoreError | ClientError) -> str:
    """What AWS or its library complains about, and what to do."""
    if isinstance(error, ClientError):
        return _refusal(error)
    if isinstance(error, exceptions.ProfileNotFound):
        profile = error.kwargs["profile"]
        return (
            f"There is no profile {profile!r} here, which --profile, AWS_PROFILE or the environment in samconfig.toml "
            f"names: make it (aws configure --profile {profile}), or name another"
        )
    if isinstance(error, exceptions.InvalidRegionError | exceptions.NoRegionError):
        region = error.kwargs.get("region_name")
        return f"{f'There is no Region {region!r}' if region else 'No Region is set'}: give one {WHERE_REGION}"
    if isinstance(error, NOBODY):
        return f"There are no credentials for AWS ({one_line(error)}): {LOG_IN}"
    if isinstance(error, OUT_OF_REACH):
        return _unreached(error)
    return f"AWS did not answer as it should: {one_line(error)}"


def _unreached(error: BotoCoreError) -> str:
    """What to do where no AWS answered: a local one may have ended, a Region that there is not has no address, and
    without a network none has.
    """
    local = os.environ.get("AWS_ENDPOINT_URL")
    if local and str(error.kwargs.get("endpoint_url")).startswith(local):
        aws_itself = "or for AWS itself: unset AWS_ENDPOINT_URL"
        if isinstance(error, exceptions.EndpointConnectionError):
            return f"Nothing answers at AWS_ENDPOINT_URL ({local}): start it, {aws_itself}"
        broken_off = f"AWS_ENDPOINT_URL ({local}) did not answer to the end ({one_line(error)})"
        return f"{broken_off}: see what it logged, {aws_itself}"
    asked = REGION_OF_ENDPOINT.search(str(error.kwargs.get("endpoint_url")))
    if asked is None or not isinstance(error, exceptions.EndpointConnectionError):
        return f"AWS cannot be reached ({one_line(error)}): see to the network"
    return (
        f"AWS cannot be reached in the Region {asked['region']} ({one_line(error)}): give a Region that there is, "
        f"{WHERE_REGION}, or see to the network"
    )


def _refusal(error: ClientError) -> str:
    code, message = (str(error.response["Error"].get(key, "")) for key in ("Code", "Message"))
    if plain(code) in EXPIRED_CODES:
        return f"The credentials have expired ({message or code}): {LOG_IN}"
    if found := REGION_OF_SIGNATURE.search(message):
        return f"There is no Region {found['region']!r}: give one {WHERE_REGION}"
    if plain(code) in UNKNOWN_CODES:
        return f"AWS does not know these credentials ({message or code}): {LOG_IN}"
    if plain(code) in DENIED_CODES:
        return (
            f"These credentials may not call {error.operation_name} ({message or code}): use others, or have it allowed"
        )
    return f"AWS refused {error.operation_name}: {message} ({code})"
