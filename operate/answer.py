"""How a command for a deployed stack ends: with its own exit status, or with a sentence about what stood in its way."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress

from botocore import exceptions
from botocore.exceptions import BotoCoreError, ClientError
from efs_monitor.aws.calls import DENIED_CODES, plain
from efs_monitor.errors import MonitorError

from operate.environment import Refused
from operate.terminal import wrapped

REFUSED = 2
UNREAD = 128 + signal.SIGPIPE
LOG_IN = "set AWS_PROFILE to a profile that works, or log in again (aws sso login)"
NOBODY = (
    exceptions.NoCredentialsError,
    exceptions.PartialCredentialsError,
    exceptions.CredentialRetrievalError,
    exceptions.ProfileNotFound,
    exceptions.ConfigNotFound,
    exceptions.ConfigParseError,
    exceptions.SSOError,
    exceptions.TokenRetrievalError,
)
OUT_OF_REACH = (
    exceptions.ConnectionError,
    exceptions.HTTPClientError,
    exceptions.InvalidRegionError,
    exceptions.NoRegionError,
)
# Without the word Exception, with which some end.
EXPIRED_CODES = frozenset({"ExpiredToken", "RequestExpired"})
UNKNOWN_CODES = frozenset(
    {"AuthFailure", "InvalidClientTokenId", "InvalidSignature", "SignatureDoesNotMatch", "UnrecognizedClient"}
)
FOR_NOBODY_CODES = EXPIRED_CODES | UNKNOWN_CODES

AS_JSON = "write what was found as JSON, and what is told meanwhile to standard error"


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
        _write_no_more()
        return UNREAD
    except OSError as error:
        _write_no_more()
        named = "What was found" if error.filename is None else error.filename
        sentence = f"{named} cannot be written or read: {error.strerror or error}"
    except Refused as refused:
        sentence = str(refused)
    except MonitorError as refused:
        sentence = _of_credentials(refused) or str(refused)
    except (BotoCoreError, ClientError) as error:
        sentence = explained(error)
    print(wrapped(sentence), file=sys.stderr)
    return REFUSED


def _of_credentials(refused: MonitorError) -> str:
    """What to do where it is the credentials that stood in the way, whatever was called; else empty."""
    cause = refused.__cause__
    if isinstance(cause, ClientError) and plain(str(cause.response["Error"].get("Code"))) in FOR_NOBODY_CODES:
        return explained(cause)
    return explained(cause) if isinstance(cause, NOBODY) else ""


def _write_no_more() -> None:
    """Python writes what is left when it ends, which would fail once more."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def explained(error: BotoCoreError | ClientError) -> str:
    """What AWS or its library complains about, and what to do."""
    if isinstance(error, ClientError):
        return _refusal(error)
    if isinstance(error, NOBODY):
        return f"There are no credentials for AWS ({_flat(error)}): {LOG_IN}"
    if isinstance(error, OUT_OF_REACH):
        return f"AWS cannot be reached ({_flat(error)}): is the Region's name right, and the network up?"
    return f"AWS did not answer as it should: {_flat(error)}"


def _refusal(error: ClientError) -> str:
    code, message = (str(error.response["Error"].get(key, "")) for key in ("Code", "Message"))
    if plain(code) in EXPIRED_CODES:
        return f"The credentials have expired ({message or code}): {LOG_IN}"
    if plain(code) in UNKNOWN_CODES:
        return f"AWS does not know these credentials ({message or code}): {LOG_IN}"
    if plain(code) in DENIED_CODES:
        return (
            f"These credentials may not call {error.operation_name} ({message or code}): use others, or have it allowed"
        )
    return f"AWS refused {error.operation_name}: {message} ({code})"


def _flat(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")
