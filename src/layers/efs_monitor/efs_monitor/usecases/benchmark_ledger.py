"""Where the books of the benchmarks lie: an SSM parameter of the stack.

SSM knows no conditional write, but numbers them: where somebody else wrote between our reading and our writing, the
number jumps, and what they wrote can still be read by its number.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import named, number
from efs_monitor.benchmarks.ledger import Ledger, Start, ledger_from_json
from efs_monitor.errors import StartedElsewhere

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

# Two functions write here, some times an hour: a fourth attempt is never needed.
ATTEMPTS = 3


@dataclass(frozen=True)
class Ledgers:
    """The parameter that holds the books of a file system."""

    ssm: "SSMClient"
    parameter_name: str
    file_system_id: str

    def recall(self) -> Ledger:
        """The books; empty ones that say so, where the parameter is gone or unreadable."""
        return self._read(self.parameter_name)

    def remember(self, ledger: Ledger, before: Ledger) -> Ledger:
        """Write what was added to the books since they were read as `before`; returns them as they are now.

        Where somebody else wrote meanwhile, their entries are put together with ours.
        """
        expected = before.version + 1
        for _ in range(ATTEMPTS):
            written = self._write(ledger)
            ledger = replace(ledger, known=True, version=written)
            if written <= expected:
                return ledger
            theirs = self._read(f"{self.parameter_name}:{written - 1}")
            merged = replace(theirs.merged(ledger, before), version=written)
            if merged == ledger:
                return ledger
            before, ledger, expected = theirs, merged, written + 1
        return ledger

    def claim(self, origin: str, before: Ledger, now: datetime) -> Ledger:
        """Enter that this invocation starts a run, so that no other does; returns the books as they are now.

        Of two that do at the same time the parameter's numbers tell who wrote first. The other raises StartedElsewhere.
        """
        ours = Start(origin=origin, token=token_hex(4), time=now.replace(microsecond=0))
        _require_free(before, ours, now)
        books = self.remember(replace(before, start=ours), before)
        for version in range(before.version + 1, books.version):
            written_meanwhile = self._read(f"{self.parameter_name}:{version}")
            try:
                _require_free(written_meanwhile, ours, now)
            except StartedElsewhere:
                # Theirs is put back: it was written over unseen.
                self.remember(replace(books, start=written_meanwhile.start), books)
                raise
        return books

    def _read(self, name: str) -> Ledger:
        with named("ssm:GetParameter", name):
            try:
                found = self.ssm.get_parameter(Name=name)["Parameter"]
            except ClientError as error:
                if error.response.get("Error", {}).get("Code") == "ParameterNotFound":
                    return Ledger(known=False)
                raise
            version = round(number(found["Version"]))
            return replace(ledger_from_json(found["Value"], self.file_system_id), version=version)

    def _write(self, ledger: Ledger) -> int:
        with named("ssm:PutParameter", self.parameter_name):
            answer = self.ssm.put_parameter(
                Name=self.parameter_name, Value=ledger.to_json(self.file_system_id), Type="String", Overwrite=True
            )
            return round(number(answer["Version"]))


def _require_free(books: Ledger, ours: Start, now: datetime) -> None:
    start = books.start
    if start is not None and start.token != ours.token and start.may_be_under_way(now):
        raise StartedElsewhere(
            f"Another invocation began to start a benchmark at {start.time:%H:%M:%S} UTC; two at a time would measure "
            f"each other. Try again after {start.settled_at:%H:%M:%S} UTC"
        )
