"""What was checked, and what was seen: printed line by line as it happens."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TypedDict

from operate.terminal import wrapped


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing that must hold, and what was seen of it; `ok` is None where that could not be tried."""

    ok: bool | None
    what: str
    seen: str


class Shown(TypedDict):
    """What a line is added with."""

    ok: bool | None
    what: str
    seen: str


@dataclass(kw_only=True)
class Checklist:
    """The lines so far; `show` is given each as it is added."""

    show: Callable[[str], None] = print
    lines: list[Line] = field(default_factory=list)

    def add(self, *, ok: bool | None, what: str, seen: str) -> None:
        """Note a line, and show it."""
        self.lines.append(Line(ok=ok, what=what, seen=seen))
        mark = "not tried" if ok is None else "ok" if ok else "NOT OK"
        self.show(wrapped(f"[{mark}] {what}: {seen}", then="  "))

    @property
    def ok(self) -> bool:
        """Whether something was checked, and all of it holds; what could not be tried counts for neither."""
        tried = self._tried()
        return bool(tried) and all(tried)

    def as_json(self) -> dict[str, object]:
        """All of it, as plain values."""
        return {"ok": self.ok, "checks": [asdict(line) for line in self.lines]}

    def verdict(self) -> str:
        """The last line a person reads."""
        tried = self._tried()
        untried = len(self.lines) - len(tried)
        further = f" {untried} could not be tried." if untried else ""
        wrong = tried.count(False)
        if not wrong:
            return f"All {len(tried)} checks hold.{further}"
        return f"{wrong} of {len(tried)} checks do NOT hold; each is marked above.{further}"

    def _tried(self) -> list[bool]:
        return [line.ok for line in self.lines if line.ok is not None]
