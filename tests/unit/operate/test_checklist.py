"""The list of what was checked: what could not be tried is neither right nor wrong."""

import pytest

from operate.checklist import Checklist


def listed(*results: bool | None) -> tuple[Checklist, list[str]]:
    shown: list[str] = []
    checklist = Checklist(show=shown.append)
    for number, ok in enumerate(results):
        checklist.add(ok=ok, what=f"check {number}", seen="this")
    return checklist, shown


def test_each_line_says_whether_it_holds_or_could_not_be_tried() -> None:
    checklist, shown = listed(True, False, None)
    assert shown == ["[ok] check 0: this", "[NOT OK] check 1: this", "[not tried] check 2: this"]
    values = {f"check {number}": ok for number, ok in enumerate((True, False, None))}
    checks = [{"ok": ok, "what": what, "seen": "this"} for what, ok in values.items()]
    assert checklist.as_json() == {"ok": False, "checks": checks}


@pytest.mark.parametrize(
    ("results", "holds", "verdict"),
    [
        ((True, True), True, "All 2 checks hold."),
        ((True, None), True, "All 1 checks hold. 1 could not be tried."),
        ((True, False, None), False, "1 of 2 checks do NOT hold; each is marked above. 1 could not be tried."),
        ((None,), False, "All 0 checks hold. 1 could not be tried."),
        ((), False, "All 0 checks hold."),
    ],
)
def test_all_of_it_holds_where_something_was_tried_and_nothing_is_wrong(
    results: tuple[bool | None, ...], holds: bool, verdict: str
) -> None:
    checklist, _ = listed(*results)
    assert (checklist.ok, checklist.verdict()) == (holds, verdict)
