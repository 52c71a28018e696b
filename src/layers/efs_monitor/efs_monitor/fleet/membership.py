"""Which file systems belong to a fleet: all of an account and Region, or those that carry its tag."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class TaggedFileSystem:
    """A file system that is there, with its tags; what is being deleted is not there any more. `lives_on_credits` is
    not so in elastic mode, nor at a provisioned rate above what the size earns.
    """

    file_system_id: str
    tags: Mapping[str, str] = field(default_factory=dict)
    lives_on_credits: bool = True


@dataclass(frozen=True)
class Membership:
    """`key` empty: every file system belongs. `value` None: the tag may have any."""

    key: str = ""
    value: str | None = None

    def includes(self, file_system: TaggedFileSystem) -> bool:
        """Whether the file system belongs to the fleet by its tags."""
        if not self.key:
            return True
        found = file_system.tags.get(self.key)
        return found is not None and self.value in {None, found}

    def __str__(self) -> str:
        if not self.key:
            return "every file system"
        return f"the tag {self.key}" if self.value is None else f"the tag {self.key}={self.value}"


def membership_of(text: str) -> Membership:
    """`key=value`, `key` or nothing, as the parameter FleetTag has it."""
    key, equals, value = text.partition("=")
    return Membership(key, value if equals else None)
