"""Who needs whom: references inside a value, and the order in which resources come into being."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from localaws.cloudformation.error_codes import validation_error
from localaws.cloudformation.intrinsics import VARIABLE, Scope, get_att_parts, single_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence, Set


@dataclass(frozen=True)
class ResourceReference:
    """One use of another resource: its Ref (`attribute` None) or one of its attributes."""

    logical_id: str
    attribute: str | None


def references(value: Any, scope: Scope) -> Iterator[ResourceReference]:
    """References to resources; the branch of an Fn::If that is not taken refers to nothing."""
    call = single_function(value)
    if call is None:
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for child in children:
            yield from references(child, scope)
        return
    name, argument = call
    if name == "Ref":
        yield from _plain(str(argument), scope)
    elif name == "Fn::GetAtt":
        yield ResourceReference(*get_att_parts(argument, scope))
    elif name == "Fn::If":
        taken = argument[1] if scope.conditions.get(argument[0]) else argument[2]
        yield from references(taken, scope)
    elif name == "Fn::Sub":
        text, extra = argument if isinstance(argument, list) else (argument, {})
        yield from references(list(extra.values()), scope)
        for variable in (found.strip() for found in VARIABLE.findall(text)):
            if variable not in extra and not variable.startswith("!"):
                yield from _plain(variable, scope)
    else:
        yield from references(argument, scope)


def _plain(name: str, scope: Scope) -> Iterator[ResourceReference]:
    if name in scope.values or name.startswith("AWS::"):
        return
    logical_id, dot, attribute = name.partition(".")
    yield ResourceReference(logical_id, attribute if dot else None)


type Choice = Callable[[Sequence[str]], str]
"""Chooses what comes next, among all whose needs are met."""


def first(ready: Sequence[str]) -> str:
    """The template's own order."""
    return ready[0]


def creation_order(needs: Mapping[str, Set[str]], kind: str = "resources", choose: Choice = first) -> list[str]:
    """Every resource after all it needs, otherwise as chosen.

    Raises ValidationError, worded as AWS does, for a cycle.
    """
    ordered: list[str] = []
    waiting = dict(needs)
    while waiting:
        ready = [name for name, wanted in waiting.items() if not wanted & waiting.keys()]
        if not ready:
            message = f"Circular dependency between {kind}: [{', '.join(_in_cycles(waiting))}]"
            raise validation_error(message)
        ordered.append(choose(ready))
        del waiting[ordered[-1]]
    return ordered


def _in_cycles(waiting: Mapping[str, Set[str]]) -> list[str]:
    """Which of the waiting can reach themselves; the others merely wait behind a cycle."""

    def reachable(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            for name in waiting[todo.pop()] & waiting.keys():
                if name not in seen:
                    seen.add(name)
                    todo.append(name)
        return seen

    return [name for name in waiting if name in reachable(name)]
