"""The daily mail about a fleet: how many file systems are watched, what is in the way of others, and what it costs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from efs_monitor.costs.monthly_costs import STACK_DOLLARS_A_MONTH
from efs_monitor.costs.prices import REGION
from efs_monitor.fleet.reasons import alike, cause, resource
from efs_monitor.mail.chat import LINE_CHARACTERS, MOST_STEPS, Chat, unmarked
from efs_monitor.mail.layout import SUBJECT_CHARACTERS, Message, compose, listed, shortened, wrapped

LISTED = 20
# The same trouble of a whole account, such as a role that is missing, is said with so many names.
NAMED = 3
# So many counts stand in a subject.
WORST = 3


@dataclass(frozen=True, kw_only=True)
class FleetDay:
    """How a fleet stands. What is failing and what is refused are reasons by file system; `told_before` failed already
    when the last digest said why; `others` are reasons of all that waits, and `leaving` of those whose file system left
    the fleet; of those that are `deleted` no earlier digest said so; `untold` has a line for each topic that does not
    reach somebody, `shut` for each given one that may keep the alarms out. `added_dollars` a month are those of
    dashboards, optional alarms and benchmarks of its stacks, `own_dollars` those of the fleet itself.
    """

    name: str
    membership: str
    watched: int
    incidents: tuple[str, ...] = ()
    failing: Mapping[str, str] = field(default_factory=dict)
    told_before: frozenset[str] = frozenset()
    refused: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    leaving: Mapping[str, str] = field(default_factory=dict)
    deleted: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    shut: tuple[str, ...] = ()
    added_dollars: float = 0
    own_dollars: float = 0

    @property
    def dollars_a_month(self) -> float:
        """What the monitor stacks cost together, by list prices."""
        return self.watched * STACK_DOLLARS_A_MONTH + self.added_dollars


def fleet_digest(day: FleetDay) -> Message:
    """One mail a day, also where all is well: that it comes says that somebody looks."""
    leaving = f"{len(day.leaving):,} leaving, " if day.leaving else ""
    counts = (
        f"{day.watched:,} watched, {leaving}{len(day.incidents):,} in an incident, {len(day.failing):,} failed, "
        f"{len(day.refused):,} refused"
    )
    new = {one: why for one, why in day.failing.items() if one not in day.told_before}
    old = [one for one in day.failing if one in day.told_before]
    paragraphs = [wrapped(f"The fleet {day.name} watches {day.membership}: {counts}.")]
    paragraphs += _section("Not told anything on these topics:", [*day.untold])
    paragraphs += _section(
        "Topics that may tell nobody; what the policy of each needs is in the output TopicPolicies of the fleet's "
        "stack, and lets the fleet look, too:",
        [*day.shut],
    )
    paragraphs += _section("Leaving, and their stacks are deleted:", _reasons(day.leaving))
    paragraphs += _section("Deleted since the last of these mails, because the file system left:", [*day.deleted])
    paragraphs += _section("In an incident, each told by mails of its own:", [*day.incidents])
    paragraphs += _section("Failed since the last of these mails:", _reasons(new))
    paragraphs += _section("Still failing; an earlier one of these mails said why:", old)
    paragraphs += _section("Refused, until a person changes what is in the way:", _reasons(day.refused))
    paragraphs += _section("Waiting:", _reasons(day.others))
    said = "\n".join(paragraphs)
    if not all(one in said for one in (*day.failing, *day.refused, *day.others, *day.leaving)):
        paragraphs.append(
            wrapped(f"`efs-monitor fleet {day.name}` names those that are left out here, each with its reason.")
        )
    if not (day.failing or day.refused or day.leaving or day.shut):
        paragraphs.append("Nothing is in the way of any of them.")
    paragraphs += [
        wrapped(
            f"{_monitor_stacks(day.watched)} about ${day.dollars_a_month:,.2f} a month at {REGION} list prices: "
            f"${STACK_DOLLARS_A_MONTH:.2f} each, and ${day.added_dollars:,.2f} for dashboards, optional alarms, "
            f"benchmarks and x86_64. The fleet itself adds about ${day.own_dollars:,.2f}."
        ),
        f"Fleet: {day.name}",
    ]
    urgent = day.failing or day.refused or day.untold or day.shut or day.leaving
    head = f"{'ACTION' if urgent else 'INFO'}: fleet {day.name}: "
    told = head + _worst_first(day, SUBJECT_CHARACTERS - len(head))
    return compose(
        subject=told,
        about="",
        paragraphs=paragraphs,
        short=f"{told}.",
        chat=_chat(
            day,
            counts,
            [
                *(f"Not told yet: {one}" for one in day.untold),
                *(f"May tell nobody: {one}" for one in day.shut),
                *_reasons(day.leaving),
                *([f"Deleted: {_several([*day.deleted])}"] if day.deleted else []),
                *_reasons(new),
                *_reasons(day.refused),
            ],
        ),
    )


def _worst_first(day: FleetDay, room_characters: int) -> str:
    """The three worst of what there is any of, or as many as there is room for: what nobody would learn of, what ends
    by a certain time, what has no stack until somebody does something; then what is told elsewhere, and what ends by
    itself.
    """
    found = (
        (len(day.untold), "subscription missing" if len(day.untold) == 1 else "subscriptions missing"),
        (len(day.shut), "topic in doubt" if len(day.shut) == 1 else "topics in doubt"),
        (len(day.leaving), "leaving"),
        (len(day.failing), "failed"),
        (len(day.refused), "refused"),
        (len(day.incidents), "in an incident"),
        (len(day.others), "waiting"),
        (len(day.deleted), "deleted"),
    )
    worst = [f"{number:,} {what}" for number, what in found if number][:WORST]
    if not worst and not day.watched:
        return "0 watched"
    watched = f"; {day.watched:,} watched"
    while len(", ".join(worst) + watched) > room_characters:
        worst.pop()
    return f"{', '.join(worst) or 'all is well'}{watched}"


def _chat(day: FleetDay, counts: str, reasons: list[str]) -> Chat:
    """The counts, and the first of what is in the way; the mail has all of it."""
    shown = reasons[:MOST_STEPS]
    more = [f"and {len(reasons) - len(shown):,} more, in the mail"] if len(reasons) > len(shown) else []
    return Chat(
        file_system_id=day.name,
        text=unmarked(f"The fleet watches {day.membership}: {counts}."),
        steps=tuple(unmarked(shortened(one, LINE_CHARACTERS)) for one in shown + more),
        keywords=(day.name,),
    )


def _reasons(found: Mapping[str, str]) -> list[str]:
    """A line for each reason: what several have is said once."""
    having: dict[str, list[str]] = {}
    for one, why in sorted(found.items()):
        having.setdefault(alike(one, cause(why)), []).append(one)
    return [f"{_several(ids)}: {_said_of_all({one: found[one] for one in ids})}" for ids in having.values()]


def _said_of_all(found: Mapping[str, str]) -> str:
    """One reason of several, and which resources met it where that is not the same."""
    if len(found) == 1:
        return next(iter(found.values()))
    said = {alike(one, why) for one, why in found.items()}
    if len(said) == 1:
        return said.pop()
    met = sorted({resource(why).removesuffix(": ") for why in found.values()} - {""})
    first, why = next(iter(found.items()))
    return f"{_several(met)}: {alike(first, why.removeprefix(resource(why)))}"


def _several(ids: list[str]) -> str:
    if len(ids) == 1:
        return ids[0]
    if len(ids) <= NAMED:
        return f"{', '.join(ids[:-1])} and {ids[-1]}"
    return f"{', '.join(ids[: NAMED - 1])} and {len(ids) - NAMED + 1:,} more"


def _section(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    more = [f"and {len(lines) - LISTED:,} more"] if len(lines) > LISTED else []
    return [f"{wrapped(title)}\n\n{listed(*lines[:LISTED], *more)}"]


def _monitor_stacks(number: int) -> str:
    return "1 monitor stack costs" if number == 1 else f"{number:,} monitor stacks cost"
