"""Options that mean nothing without another one: refused by a rule of the template, before anything is created.

Whether one means nothing is not listed but worked out: whatever value it has, the same is deployed.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from efs_monitor.fleet.monitor_parameters import allowed_values, with_defaults
from moto.core.exceptions import ServiceException

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudformation import conditions, rules
from localaws.cloudformation.definition import StackIdentity
from localaws.cloudformation.intrinsics import Scope, resolve
from tests.template.parameter_values import PARAMETERS, TOPIC
from tests.template.template_documents import FILE_SYSTEM_ID, STACK_NAME, with_includes

TOPICS = ("WarningTopicArn", "CriticalTopicArn", "AdviceTopicArn")
# What the other options are when one of them is given: each of these makes others mean more, or nothing.
STACKS: Mapping[str, Mapping[str, str]] = {
    "a stack of defaults": {},
    "one with benchmarks": {"BenchmarkPath": "/mnt/efs"},
    "one whose benchmarks are run by hand": {"BenchmarkPath": "/mnt/efs", "BenchmarkSchedule": ""},
    "one that is given all topics": dict.fromkeys(TOPICS, TOPIC),
    "one that is given a topic": {"CriticalTopicArn": TOPIC},
    "one without a dashboard": {"Dashboard": "off", "BenchmarkPath": "/mnt/efs"},
}
# Whoever turns benchmarks off may say so twice.
ASKS_FOR_NOTHING = {("BenchmarkSchedule", "")}
# A function hears of the address, to know its subscriptions, but nothing subscribes it.
DOES_NOT_DO_WHAT_IT_SAYS = {("AlertEmail", "one that is given all topics")}


@cache
def document() -> dict[str, Any]:
    return with_includes()


def scope(given: Mapping[str, str]) -> Scope:
    place = StackIdentity(
        ACCOUNT_ID, REGION, STACK_NAME, f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/{STACK_NAME}/1"
    )
    defaults = {name: one.get("Default") for name, one in document()["Parameters"].items()}
    return Scope({**defaults, "FileSystemId": FILE_SYSTEM_ID, **given, **place.pseudo_parameters(())})


def deployed(given: Mapping[str, str]) -> str:
    """Every resource and output whose condition holds, with the values of the parameters in their places."""
    values = scope(given).values
    known = Scope(
        values,
        conditions=conditions.evaluate(document()["Conditions"], scope(given)),
        ref=lambda name: f"<{name}>",
        get_att=lambda name, attribute: f"<{name}.{attribute}>",
    )
    active = {
        f"{section} {name}": {key: resolve(part, known) for key, part in one.items() if key != "Condition"}
        for section in ("Globals", "Resources", "Outputs")
        for name, one in document()[section].items()
        if known.conditions.get(one.get("Condition"), True)
    }
    return json.dumps(active, sort_keys=True)


def refusal(given: Mapping[str, str]) -> str | None:
    """What the rules say to these parameters; None for nothing."""
    try:
        rules.check(document()["Rules"], scope(given))
    except ServiceException as refused:
        return str(refused.message)
    return None


@pytest.mark.whole
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("name", [name for name in PARAMETERS if name != "FileSystemId"])
def test_a_value_that_would_change_nothing_is_refused_and_no_other_is(name: str, stack: str) -> None:
    others = {other: value for other, value in STACKS[stack].items() if other != name}
    assert refusal(others) is None
    default = str(document()["Parameters"][name]["Default"])
    for value in PARAMETERS[name].taken:
        does_nothing = (name, stack) in DOES_NOT_DO_WHAT_IT_SAYS or deployed(others | {name: value}) == deployed(others)
        asks_for_something = value != default and (name, value) not in ASKS_FOR_NOTHING
        assert (refusal(others | {name: value}) is not None) == (does_nothing and asks_for_something), value


def assertions() -> list[tuple[str, str]]:
    """Every option that a rule may refuse, with its sentence."""
    found = []
    for rule in document()["Rules"].values():
        for one in rule["Assertions"]:
            ((_, arguments),) = one["Assert"].items()
            option = next(part["Ref"] for part in arguments if isinstance(part, dict))
            found.append((option, one["AssertDescription"]))
    return found


@pytest.mark.parametrize(("option", "sentence"), assertions())
def test_the_sentence_says_first_which_option_then_what_it_needs_and_what_to_do(option: str, sentence: str) -> None:
    what_is_wrong, _, what_to_do = sentence.partition("; ")
    assert what_is_wrong.startswith(f"{option} ")
    assert ", but " in what_is_wrong
    assert "give" in what_to_do
    assert sentence.endswith(".")


def test_a_fleet_knows_the_same_options_of_benchmarks_and_what_they_may_be_without() -> None:
    """Of the rules it reads those with a single main option; the topics of its stacks it gives itself."""
    needy = {name: one.need for name, one in allowed_values().items() if one.need is not None}
    assert set(needy) == {name for name, sentence in assertions() if "without BenchmarkPath" in sentence}
    for name, need in needy.items():
        assert need.parameter == "BenchmarkPath"
        assert with_defaults({})[name] in need.unless
        assert all(refusal({name: value}) is None for value in need.unless)
        refused = [value for value in PARAMETERS[name].taken if value not in need.unless]
        assert refused
        assert all(need.sentence in str(refusal({name: value})) for value in refused)
