"""The ledger of the benchmarks: which run is being started, what was billed this month, and what is collected.

Two functions write it at any time, so that entries are only ever added: two ledgers kept apart are put together again
by taking the entries of both.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efs_monitor.benchmarks.sent_commands import Command

FORMAT_VERSION = 1
# A parameter holds 4,096 characters. What is older than the oldest of so many is taken for collected.
COLLECTED_KEPT = 80
# What instances left behind, the newest of so many of them, each in so many characters.
LEFT_KEPT = 3
LEFT_CHARACTERS = 200
# Only the instance itself can remove that.
ON_LOCAL_DISK = "on the local disk"
# A run is billed once although it is met again for a day.
BILLED_KEPT = 60
# To enter a start takes two calls of at most 23 seconds, and to send it one of six. Lambda tries again after a minute.
LEASE_DURATION = timedelta(seconds=55)


@dataclass(frozen=True, kw_only=True, order=True)
class Collected:
    """A command whose results are published; `began` is its run's time."""

    began: datetime
    command: str
    succeeded: bool

    def __str__(self) -> str:
        """The text in which the ledger stores it."""
        return f"{self.command} {self.began.timestamp():.0f} {self.succeeded:d}"


@dataclass(frozen=True, kw_only=True, order=True)
class LeftBehind:
    """What an instance could not remove in the run that `began` then, and why, in the script's words."""

    began: datetime
    instance_id: str
    what: str

    def __str__(self) -> str:
        """The text in which the ledger stores it."""
        return f"{self.instance_id} {self.began.timestamp():.0f} {self.what}"


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A run that is about to be sent, since `time`; `token` is that of the one invocation that does."""

    idempotency_key: str
    token: str
    time: datetime

    def __str__(self) -> str:
        """The text in which the ledger stores it."""
        return f"{self.idempotency_key} {self.token} {self.time.timestamp():.0f}"

    @property
    def expires_at(self) -> datetime:
        """When its command was sent, or never will be."""
        return self.time + LEASE_DURATION

    def is_held(self, now: datetime) -> bool:
        """Whether its command may be sent any moment."""
        return now < self.expires_at


@dataclass(frozen=True, kw_only=True)
class FirstStart:
    """The first start of a rate schedule, which is skipped because it fires while the stack is being deployed.

    `idempotency_key` is that of the run that it would have been.
    """

    rate: str
    idempotency_key: str

    def __str__(self) -> str:
        """The text in which the ledger stores it."""
        return f"{self.rate} {self.idempotency_key}"


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The entries of one file system, `collected` and `left` oldest first.

    `known` is False where there was no ledger or an unreadable one. `version` is the parameter's when it was read.
    """

    month: str = ""
    billed_bytes: int = 0
    billed_runs: tuple[str, ...] = ()
    collected: tuple[Collected, ...] = ()
    left: tuple[LeftBehind, ...] = ()
    lease: Lease | None = None
    first_start: FirstStart | None = None
    known: bool = field(default=True, compare=False)
    version: int = field(default=0, compare=False)

    def first_start_for(self, rate: str, idempotency_key: str) -> FirstStart | None:
        """This start if it is the first of its rate, or None: a rate fires the moment it is created, in the middle of a
        deployment.

        Every delivery of that start is the first one. Where the ledger is lost, the next start is taken for it.
        """
        first_start = FirstStart(rate=rate, idempotency_key=idempotency_key)
        is_known = self.first_start is not None and self.first_start.rate == rate and self.first_start != first_start
        return None if is_known or not rate else first_start

    def has_sent(self, idempotency_key: str) -> bool:
        """Whether the run of this key was sent: each is entered right after it, also one that costs nothing."""
        return idempotency_key in self.billed_runs

    def billed_in(self, month: str) -> int:
        """Bytes that the runs of this month were billed."""
        return self.billed_bytes if self.month == month else 0

    def with_billed(self, month: str, idempotency_key: str, billed_bytes: int) -> "Ledger":
        """This ledger with one more billed run, unless it is there already; a new month begins at zero.

        A run that cost nothing is entered too: it must not be billed later, after a change of the throughput mode.
        """
        if self.has_sent(idempotency_key) or month < self.month:
            return self
        return replace(
            self,
            month=month,
            billed_bytes=self.billed_in(month) + billed_bytes,
            billed_runs=(*self.billed_runs, idempotency_key)[-BILLED_KEPT:],
        )

    def with_commands(self, commands: "Iterable[Command]", month: str, billed: "Callable[[Command], int]") -> "Ledger":
        """This ledger with every run of the month that is missing in it: one whose entry was lost, or all of them."""
        missing = (one for one in commands if month_of(one.requested) == month)
        return reduce(lambda ledger, one: ledger.with_billed(month, one.idempotency_key, billed(one)), missing, self)

    def with_collected(self, command: "Command", began: datetime, *, succeeded: bool) -> "Ledger":
        """This ledger with one more collected command, or with what that came to by now."""
        entry = Collected(began=_to_the_second(began), command=_short(command.command_id), succeeded=succeeded)
        others = (one for one in self.collected if one.command != entry.command)
        return replace(self, collected=tuple(sorted((*others, entry)))[-COLLECTED_KEPT:])

    def with_left(self, began: datetime, said: Mapping[str, str], clean: Set[str]) -> "Ledger":
        """This ledger with what instances said in the run that began then that they left, by their ids.

        `clean` are those that got through it and left nothing. A run that nobody says anything of has removed what lay
        on the file system, whoever had left it, and what lay on the disks of its own instances. A run that is collected
        after a later one says nothing of how it is now.
        """
        began = _to_the_second(began)
        known = [*(one.began for one in self.collected), *(one.began for one in self.left)]
        if max(known, default=began) > began:
            return self
        kept = [one for one in self.left if one.instance_id not in said]
        if clean and not said:
            kept = [one for one in kept if ON_LOCAL_DISK in one.what and one.instance_id not in clean]
        new = (LeftBehind(began=began, instance_id=who, what=_shortened(what)) for who, what in said.items())
        return replace(self, left=tuple(sorted((*kept, *new)))[-LEFT_KEPT:])

    def holds(self, command: "Command") -> bool:
        """Whether a command is collected, or so old that its entry has made room for others."""
        if any(one.command == _short(command.command_id) for one in self.collected):
            return True
        return len(self.collected) >= COLLECTED_KEPT and command.requested < self.collected[0].began

    def consecutive_failures(self, command: "Command") -> int:
        """How many runs had failed in a row when this one ended, itself among them."""
        failures = 0
        for one in self.collected:
            failures = 0 if one.succeeded else failures + 1
            if one.command == _short(command.command_id):
                return failures
        return failures

    def merged(self, ours: "Ledger", before: "Ledger") -> "Ledger":
        """This ledger with what we added to the one that we had read `before`."""
        merged = self
        new = [idempotency_key for idempotency_key in ours.billed_runs if idempotency_key not in before.billed_runs]
        added = ours.billed_bytes - before.billed_in(ours.month)
        for idempotency_key, amount in zip(new, (added, *(0 for _ in new)), strict=False):
            merged = merged.with_billed(ours.month, idempotency_key, amount)
        known = {one.command for one in ours.collected}
        collected = (*(one for one in self.collected if one.command not in known), *ours.collected)
        lease = ours.lease if ours.lease != before.lease else self.lease
        first_start = ours.first_start if ours.first_start != before.first_start else self.first_start
        return replace(
            merged,
            lease=lease,
            first_start=first_start,
            left=ours.left if ours.left != before.left else self.left,
            collected=tuple(sorted(collected))[-COLLECTED_KEPT:],
        )

    def to_json(self, file_system_id: str) -> str:
        """The value as it is stored, with the file system it is about; the same for equal values."""
        return json.dumps(
            {
                "version": FORMAT_VERSION,
                "file_system_id": file_system_id,
                "month": self.month,
                "billed_bytes": self.billed_bytes,
                "billed_runs": self.billed_runs,
                "start": str(self.lease or ""),
                "birth": str(self.first_start or ""),
                "left": [str(one) for one in self.left],
                "collected": [str(one) for one in self.collected],
            },
            separators=(",", ":"),
        )


def ledger_from_json(text: str, file_system_id: str) -> Ledger:
    """Read a stored value back. One that is corrupt, or about another file system, counts as lost."""
    try:
        stored = json.loads(text)
        if stored["file_system_id"] != file_system_id:
            return Ledger(known=False)
        return Ledger(
            month=str(stored["month"]),
            billed_bytes=int(stored["billed_bytes"]),
            billed_runs=tuple(str(run) for run in stored["billed_runs"]),
            lease=_lease(stored["start"]) if stored["start"] else None,
            # Older versions of the monitor knew of none.
            first_start=_first_start(stored["birth"]) if stored.get("birth") else None,
            left=tuple(sorted(_left(line) for line in stored.get("left", []))),
            collected=tuple(sorted(_entry(line) for line in stored["collected"])),
        )
    except (AttributeError, LookupError, OSError, OverflowError, RecursionError, TypeError, ValueError):
        return Ledger(known=False)


def month_of(moment: datetime) -> str:
    """The calendar month in UTC, as the ledger writes it."""
    return f"{moment.astimezone(UTC):%Y-%m}"


def _lease(line: str) -> Lease:
    idempotency_key, token, time = line.split(" ")
    return Lease(idempotency_key=idempotency_key, token=token, time=datetime.fromtimestamp(int(time), UTC))


def _first_start(line: str) -> FirstStart:
    rate, idempotency_key = line.split(" ")
    return FirstStart(rate=rate, idempotency_key=idempotency_key)


def _entry(line: str) -> Collected:
    command, began, succeeded = line.split(" ")
    return Collected(began=datetime.fromtimestamp(int(began), UTC), command=command, succeeded=bool(int(succeeded)))


def _left(line: str) -> LeftBehind:
    instance_id, began, what = line.split(" ", 2)
    return LeftBehind(began=datetime.fromtimestamp(int(began), UTC), instance_id=instance_id, what=what)


def _shortened(what: str) -> str:
    """What was left behind, in as many printable ASCII characters as there is room for: JSON needs one for each. Its
    end is kept, which says how much is left.

    No braces: Parameter Store takes no value with something between two of them, in which it sees another parameter.
    https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutParameter.html
    """
    plain = re.sub(r'[^ -~]|["\\\\{}]', "?", what)
    beginning, separator, end = plain.rpartition("; ")
    if len(plain) <= LEFT_CHARACTERS or len(end) > LEFT_CHARACTERS // 2:
        return plain[:LEFT_CHARACTERS]
    end = separator + end
    return beginning[: LEFT_CHARACTERS - len(end)] + end


def _short(command_id: str) -> str:
    """Enough of an id to tell it from a hundred others."""
    return command_id.replace("-", "")[:12]


def _to_the_second(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)
