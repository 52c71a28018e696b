"""What people were already told, so that nothing is said twice and nothing is left out."""

import json
from dataclasses import dataclass

FORMAT_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Told:
    """The reference the last mail (or the deployment) named, whether a suspension was, and which conditions."""

    reference_bytes_per_second: int | None = None
    suspended: bool = False
    conditions: frozenset[str] = frozenset()

    def to_json(self, file_system_id: str) -> str:
        """The value as it is stored, with the file system it is about; the same for equal values."""
        return json.dumps(
            {
                "version": FORMAT_VERSION,
                "file_system_id": file_system_id,
                "reference_bytes_per_second": self.reference_bytes_per_second,
                "suspended": self.suspended,
                "conditions": sorted(self.conditions),
            }
        )


def told_from_json(text: str, file_system_id: str) -> Told:
    """Read a stored value back. A lost or corrupt one counts as nothing told, at worst a mail is repeated; and so does
    one about another file system, which the stack watched before.
    """
    try:
        stored = json.loads(text)
        if stored.get("file_system_id") != file_system_id:
            return Told()
        reference = stored.get("reference_bytes_per_second")
        return Told(
            reference_bytes_per_second=int(reference) if reference else None,
            suspended=stored.get("suspended", False) is True,
            conditions=frozenset(str(condition) for condition in stored.get("conditions", [])),
        )
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError):
        return Told()
