"""The ledger of the benchmarks where it lies: a parameter that two functions write at any time."""

from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from efs_monitor.aws import parameter_store
from efs_monitor.benchmarks.ledger import Lease, Ledger, ledger_from_json
from efs_monitor.errors import StartedElsewhere
from efs_monitor.usecases.shared_parameter import save_together

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient


@dataclass(frozen=True)
class StoredLedger:
    """The parameter that holds the ledger of a file system."""

    ssm: "SSMClient"
    parameter_name: str
    file_system_id: str

    def read(self, version: int | None = None) -> Ledger:
        """The ledger, or an earlier version of it; an empty one that says so, where it is gone or unreadable."""
        stored = parameter_store.read(self.ssm, self.parameter_name, version)
        if stored is None:
            return Ledger(known=False)
        return replace(ledger_from_json(stored.text, self.file_system_id), version=stored.version)

    def save(self, ledger: Ledger, before: Ledger) -> Ledger:
        """Write what was added to the ledger since it was read as `before`; returns it as it is now, with what somebody
        else entered meanwhile.
        """
        return save_together(
            replace(ledger, known=True),
            before,
            write=lambda ours: parameter_store.write(self.ssm, self.parameter_name, ours.to_json(self.file_system_id)),
            read=self._known,
            together=lambda theirs, ours, read_before: theirs.merged(ours, read_before),
        )

    def _known(self, version: int | None) -> Ledger | None:
        ledger = self.read(version)
        return ledger if ledger.known else None

    def take_lease(self, idempotency_key: str, before: Ledger, now: datetime) -> Ledger:
        """Enter that this invocation starts a run, so that no other does; returns the ledger as it is now.

        Of two that do at the same time the parameter's versions tell who wrote first. The other raises
        StartedElsewhere, and so does one that cannot read what was written first.
        """
        ours = Lease(idempotency_key=idempotency_key, token=token_hex(4), time=now.replace(microsecond=0))
        _require_free(before, ours, now)
        ledger = self.save(replace(before, lease=ours), before)
        for version in range(before.version + 1, ledger.version):
            written_meanwhile = self.read(version)
            if not written_meanwhile.known:
                raise StartedElsewhere(
                    f"Another invocation wrote the ledger at this moment, and version {version} of "
                    f"{self.parameter_name} cannot be read yet: it may be about to start a benchmark. Try again in a "
                    "minute"
                )
            try:
                _require_free(written_meanwhile, ours, now)
            except StartedElsewhere:
                # Theirs is put back: it was written over unseen.
                self.save(replace(ledger, lease=written_meanwhile.lease), ledger)
                raise
        return ledger


def _require_free(ledger: Ledger, ours: Lease, now: datetime) -> None:
    lease = ledger.lease
    if lease is not None and lease.token != ours.token and lease.is_held(now):
        raise StartedElsewhere(
            f"Another invocation began to start a benchmark at {lease.time:%H:%M:%S} UTC; two at a time would measure "
            f"each other. Try again after {lease.expires_at:%H:%M:%S} UTC"
        )
