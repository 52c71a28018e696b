"""What was checked, and what was seen: printed line by line as it happens."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from operate.terminal import wrapped


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing that must hold, and what was seen of it."""

    ok: bool
    what: str
    seen: str


@dataclass(kw_only=True)
class Checklist:
    """The lines so far; `show` is given each as it is added."""

    show: Callable[[str], None] = print
    lines: list[Line] = field(default_factory=list)

    def add(self, *, ok: bool, what: str, seen: str) -> bool:
        """Note a line, show it, and return whether it holds."""
        self.lines.append(Line(ok=ok, what=what, seen=seen))
        self.show(wrapped(f"[{'ok' if ok else 'NOT OK'}] {what}: {seen}", then="  "))
        return ok

    @property
    def ok(self) -> bool:
        """Whether something was checked, and all of it holds."""
        return bool(self.lines) and all(line.ok for line in self.lines)

    def as_json(self) -> dict[str, object]:
        """All of it, as plain values."""
        return {"ok": self.ok, "checks": [asdict(line) for line in self.lines]}

    def verdict(self) -> str:
        """The last line a person reads."""
        wrong = sum(not line.ok for line in self.lines)
        if not wrong:
            return f"All {len(self.lines)} checks hold."
        return f"{wrong} of {len(self.lines)} checks do NOT hold; each is marked above."
