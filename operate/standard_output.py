"""How a command ends whose output cannot be written: nobody reads it any more, or there is no room for it.

An entry imports this before all else, so it imports next to nothing.
"""

import errno
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

UNREAD = 128 + signal.SIGPIPE
"""The exit status of a program that a closed pipe ended: it says nothing of what was found."""
UNREAD_STATUS = "EFS_MONITOR_UNREAD_STATUS"
"""What the status is instead, where make starts a command: it would call any other one than 0 an error."""
NO_ROOM = 2
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def unread_status() -> int:
    """The exit status of a command whose output nobody reads to its end."""
    return int(os.environ.get(UNREAD_STATUS, UNREAD))


def written(run: Callable[[], int]) -> int:
    """The exit status of `run`, which may also end by an exit of its own; `unread_status` where nobody reads its output
    to the end, and NO_ROOM, with a sentence, where output or a file of it finds none. All `with` and `finally` in it
    are gone through.
    """
    try:
        try:
            status = run()
        except SystemExit:
            sys.stdout.flush()
            raise
        sys.stdout.flush()
    except BrokenPipeError:
        # A connection to somebody else may break as well, and that is an error of ours.
        if not (_is_unread(1) or _is_unread(2)):
            raise
        write_no_more()
        return unread_status()
    except OSError as error:
        if error.errno not in FULL:
            raise
        write_no_more()
        from operate.terminal import wrapped  # noqa: PLC0415 - an entry imports next to nothing

        print(wrapped(f"{error.filename or 'What is found'} cannot be written: {error.strerror}"), file=sys.stderr)
        return NO_ROOM
    return status


def write_no_more() -> None:
    """Python writes what is left when it ends, which would fail once more."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _is_unread(descriptor: int) -> bool:
    """Whether it is a pipe or socket whose other end is closed."""
    asked = select.poll()
    asked.register(descriptor, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in asked.poll(0))
