"""Which findings of a judge are explained, and which explanations nothing is left of."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, kw_only=True, order=True)
class Found:
    """What a judge says of a resource, by its rule; `resource` is empty where it means the template as a whole."""

    rule: str
    resource: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Explained:
    """Why a rule does not fit these resources, and since when somebody thinks so.

    `templates` are the names of the files in which it is found.
    """

    rule: str
    resources: frozenset[str]
    since: date
    because: str
    templates: frozenset[str]


def explained(entries: Iterable[Mapping[str, Any]]) -> list[Explained]:
    """The list as it is written; ValueError for an entry that lacks one of the five."""
    read = []
    for entry in entries:
        one = Explained(
            rule=str(entry.get("rule", "")),
            resources=frozenset(map(str, entry.get("resources", ()))),
            since=entry.get("since", date.min),
            because=str(entry.get("because", "")).strip(),
            templates=frozenset(map(str, entry.get("templates", ()))),
        )
        whole = one.rule and one.templates and one.resources and one.because
        if not whole or type(one.since) is not date or one.since == date.min:
            raise ValueError(
                f"an explanation has rule, templates, resources, since (a date) and because, unlike {dict(entry)}"
            )
        read.append(one)
    return read


def of_template(explanations: Iterable[Explained], name: str) -> list[Explained]:
    """The explanations that are about a template."""
    return [one for one in explanations if name in one.templates]


def objections(found: Iterable[Found], explanations: Iterable[Explained]) -> Iterator[str]:
    """A sentence for each finding without an explanation, and for each explanation without its finding."""
    known = {(one.rule, resource) for one in explanations for resource in one.resources}
    said = set()
    for one in sorted(set(found)):
        said.add((one.rule, one.resource))
        if (one.rule, one.resource) not in known:
            yield f"{one.rule} {one.resource}: {one.text}"
    for rule, resource in sorted(known - said):
        yield f"{rule} {resource} is explained, but not found any more: take the explanation out"
