"""A stack as it was asked for: template, parameters and tags, checked, with everything decided that can be.

What remains open are the references between resources; they are resolved while the stack is built. In two steps, since
AWS expands macros once it has taken a request: `accept` judges what can be judged before, `expand` everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from localaws.cloudformation import (
    capabilities,
    conditions,
    includes,
    parameters,
    rules,
    serverless,
    template,
    template_limits,
)
from localaws.cloudformation.dependencies import creation_order, references
from localaws.cloudformation.error_codes import RequestRefused, validation_error
from localaws.cloudformation.intrinsics import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from localaws.cloudformation.includes import Snippets
    from localaws.cloudformation.parameters import Given
    from localaws.cloudformation.resources.base import Registry
    from localaws.cloudformation.template import Template

DELETION_POLICIES = {"Delete", "Retain", "RetainExceptOnCreate"}
UPDATE_REPLACE_POLICIES = {"Delete", "Retain"}


@dataclass(frozen=True)
class StackIdentity:
    """Where a stack lives and what it is called: the source of the pseudo parameters."""

    account_id: str
    region: str
    stack_name: str
    stack_id: str

    def pseudo_parameters(self, notification_arns: Iterable[str]) -> dict[str, Any]:
        return {
            "AWS::AccountId": self.account_id,
            "AWS::NotificationARNs": list(notification_arns),
            "AWS::Partition": "aws",
            "AWS::Region": self.region,
            "AWS::StackId": self.stack_id,
            "AWS::StackName": self.stack_name,
            "AWS::URLSuffix": "amazonaws.com",
        }


@dataclass(frozen=True)
class Submission:
    """What a caller handed in to create or change a stack."""

    template_text: str
    given: tuple[Given, ...] = ()
    tags: Mapping[str, str] | None = None
    capabilities: frozenset[str] = frozenset()
    notification_arns: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ResourceDefinition:
    """One resource of the template whose condition holds."""

    logical_id: str
    type: str
    properties: Mapping[str, Any]
    needs: frozenset[str]
    deletion_policy: str
    update_replace_policy: str


@dataclass(frozen=True)
class Definition:
    """The whole of a stack as asked for; `order` is the order of creation."""

    original: str
    processed: Template
    parameter_texts: Mapping[str, str]
    tags: Mapping[str, str]
    capabilities: frozenset[str]
    notification_arns: tuple[str, ...]
    resources: Mapping[str, ResourceDefinition]
    order: tuple[str, ...]
    outputs: Mapping[str, Mapping[str, Any]]
    static_scope: Scope

    @property
    def has_macros(self) -> bool:
        """Whether there is something to expand in it."""
        return template.has_macros(self.processed)

    def scope(self, ref: Callable[[str], Any], get_att: Callable[[str, str], Any]) -> Scope:
        return replace(self.static_scope, ref=ref, get_att=get_att)

    @property
    def description(self) -> str | None:
        return self.processed.get("Description")

    def shown_parameters(self) -> list[dict[str, str]]:
        declared = self.processed.get("Parameters", {})
        return [
            {
                "ParameterKey": name,
                "ParameterValue": parameters.HIDDEN if parameters.is_hidden(declared[name]) else text,
            }
            for name, text in self.parameter_texts.items()
        ]


type Expansion = Callable[[], Definition]
"""Makes the whole of a stack of what was accepted; Refused where a macro fails, or what comes out of it is wrong."""


def accept(submission: Submission, identity: StackIdentity, previous: Definition | None = None) -> Definition:
    """What a stack is of which the macros are not expanded yet: without resources and outputs.

    Raises ValidationError, as AWS would, for the form of the template, for parameters, and for rules about them.
    """
    document = template.parse(submission.template_text)
    template.check_places_of_macros(document)
    declared = document.get("Parameters", {})
    texts = parameters.texts(declared, submission.given, previous.parameter_texts if previous else {})
    notification_arns = _kept(submission.notification_arns, previous.notification_arns if previous else ())
    scope = Scope({**parameters.typed(declared, texts), **identity.pseudo_parameters(notification_arns)})
    rules.check(document.get("Rules", {}), scope)
    return Definition(
        original=submission.template_text,
        processed=document,
        parameter_texts=texts,
        tags=_kept(submission.tags, previous.tags if previous else {}),
        capabilities=submission.capabilities,
        notification_arns=notification_arns,
        resources={},
        order=(),
        outputs={},
        static_scope=scope,
    )


def expand(
    accepted: Definition, identity: StackIdentity, registry: Registry, *, snippets: Snippets = includes.no_bucket
) -> Definition:
    """The whole of a stack that was accepted; raises ValidationError (or InsufficientCapabilities) as AWS would.

    `snippets` reads what the template includes.
    """
    document = includes.process(accepted.processed, snippets)
    given = parameters.typed(document.get("Parameters", {}), accepted.parameter_texts)
    processed = serverless.process(document, given, identity.region)
    template_limits.check(processed)
    template.check_resource_keys(processed)
    scope = accepted.static_scope
    scope = replace(scope, conditions=conditions.evaluate(processed.get("Conditions", {}), scope))
    resources = _active_resources(processed, scope, registry)
    outputs = {name: output for name, output in processed.get("Outputs", {}).items() if _is_active(output, scope)}
    _check_references(resources, outputs, scope, registry)
    capabilities.check(processed, accepted.capabilities)
    return replace(
        accepted,
        processed=processed,
        resources=resources,
        order=tuple(creation_order({name: item.needs for name, item in resources.items()})),
        outputs=outputs,
        static_scope=scope,
    )


def prepare(
    submission: Submission,
    identity: StackIdentity,
    registry: Registry,
    previous: Definition | None = None,
    *,
    snippets: Snippets = includes.no_bucket,
) -> Definition:
    """Accept and expand a template at once, as CloudFormation does where it has no macro."""
    return expand(accept(submission, identity, previous), identity, registry, snippets=snippets)


def _kept[T](given: T | None, previous: T) -> T:
    """Tags and notification topics that a caller does not mention stay as they are."""
    return previous if given is None else given


def _is_active(item: Mapping[str, Any], scope: Scope) -> bool:
    name = item.get("Condition")
    if name is None:
        return True
    if name not in scope.conditions:
        message = f"Template format error: Unresolved condition dependencies [{name}]"
        raise validation_error(message)
    return scope.conditions[name]


def _active_resources(processed: Template, scope: Scope, registry: Registry) -> dict[str, ResourceDefinition]:
    declared = processed["Resources"]
    unknown_types = sorted({item["Type"] for item in declared.values() if not registry.knows(item["Type"])})
    if unknown_types:
        message = (
            f"Template format error: Unrecognized resource types: [{', '.join(unknown_types)}]: "
            "the sandbox does not know them"
        )
        raise validation_error(message)
    for logical_id, item in declared.items():
        registry.find(item["Type"]).check_properties(logical_id, item.get("Properties", {}))
    active = {name: item for name, item in declared.items() if _is_active(item, scope)}
    return {name: _resource(name, item, active.keys(), declared.keys(), scope) for name, item in active.items()}


def _resource(
    logical_id: str, item: Mapping[str, Any], active: Iterable[str], declared: Iterable[str], scope: Scope
) -> ResourceDefinition:
    depends_on = item.get("DependsOn", [])
    explicit = {depends_on} if isinstance(depends_on, str) else set(depends_on)
    if missing := sorted(explicit - set(declared)):
        raise _unresolved(missing)
    properties = item.get("Properties", {})
    # AWS does not document what a DependsOn on a resource whose condition is false does; here it is ignored.
    needs = explicit & set(active) | {found.logical_id for found in references(properties, scope)}
    return ResourceDefinition(
        logical_id=logical_id,
        type=item["Type"],
        properties=properties,
        needs=frozenset(needs),
        deletion_policy=_policy(logical_id, item, "DeletionPolicy", DELETION_POLICIES),
        update_replace_policy=_policy(logical_id, item, "UpdateReplacePolicy", UPDATE_REPLACE_POLICIES),
    )


def _policy(logical_id: str, item: Mapping[str, Any], key: str, allowed: set[str]) -> str:
    policy = item.get(key, "Delete")
    if policy not in allowed:
        message = (
            f"Template error: {key} {policy} of {logical_id} is not known to the sandbox: use one of {sorted(allowed)}"
        )
        raise validation_error(message)
    return str(policy)


def _check_references(
    resources: Mapping[str, ResourceDefinition],
    outputs: Mapping[str, Any],
    scope: Scope,
    registry: Registry,
) -> None:
    values = [item.properties for item in resources.values()]
    values += [{key: item for key, item in output.items() if key != "Condition"} for output in outputs.values()]
    for found in references(values, scope):
        if found.logical_id not in resources:
            raise _unresolved([found.logical_id])
        if found.attribute is None:
            continue
        kind = registry.find(resources[found.logical_id].type)
        if not kind.has_attribute(found.attribute):
            message = (
                f"Template error: resource {found.logical_id} does not support attribute type "
                f"{found.attribute} in Fn::GetAtt (the sandbox knows {sorted(kind.attributes)})"
            )
            raise validation_error(message)


def _unresolved(names: list[str]) -> RequestRefused:
    return validation_error(
        f"Template format error: Unresolved resource dependencies [{', '.join(names)}] in the Resources block "
        "of the template"
    )
