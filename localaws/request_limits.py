"""How long texts and lists of a request may be, and how large its numbers: what AWS's own models say of each call,
and what its services hold to besides.

Clients check only the smallest lengths before they send: what is too long is the service's to refuse, which moto does
here and there. Patterns and sets of values are left out: the models have old ones, which services do not hold to.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from botocore.model import ListShape, MapShape, OperationNotFoundError, Shape, StructureShape
from moto.core.responses import ActionResult, BaseResponse
from moto.core.utils import get_service_model

from localaws.iam.guard import parameters_of
from localaws.service_error import ServiceError

CODES = {
    "cloudformation": "ValidationError",
    "cloudwatch": "ValidationError",
    "iam": "ValidationError",
    "logs": "InvalidParameterException",
    "sns": "ValidationError",
}
OTHER_CODE = "ValidationException"

MISSING: Mapping[str, Mapping[str, int]] = {
    # https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
    "TemplateBody": {"max": 51_200},
}
"""Limits that a model leaves out and its service holds to in the same words, by the name of a shape, which only one
service has.
"""

NUMBERS = {"integer", "long", "float", "double"}
SIZED = {"string", "blob", "list", "map"}


class Broken(NamedTuple):
    """A limit that a value does not keep: where the value is, as AWS writes it, and what must be true of it."""

    value: Any
    path: str
    rule: str

    def __str__(self) -> str:
        return f"Value '{_written(self.value)}' at '{self.path}' failed to satisfy constraint: {self.rule}"


type Check = Callable[[Any, str], Iterator[Broken]]
"""Takes a value and its path."""
type CallAction = Callable[[BaseResponse], Any]


def limiting_with(theirs: CallAction) -> CallAction:
    """`BaseResponse.call_action` for every service: a request beyond a limit of its model is refused as AWS does."""

    def call_action(response: BaseResponse) -> Any:
        service = str(response.boto3_service_name)
        check = _check_of(service, str(response._get_action()))
        broken = list(check(parameters_of(response), "")) if check else []
        if not broken:
            return theirs(response)
        return response.serialized(ActionResult(ServiceError(CODES.get(service, OTHER_CODE), _told(broken))))

    return call_action


def _told(broken: list[Broken]) -> str:
    count = "1 validation error" if len(broken) == 1 else f"{len(broken)} validation errors"
    return f"{count} detected: {'; '.join(map(str, broken))}"


def _written(value: Any) -> str:
    """A value as Java writes it, in which AWS's sentences are made."""
    return f"[{', '.join(map(_written, value))}]" if isinstance(value, list) else str(value)


@cache
def _check_of(service: str, operation: str) -> Check | None:
    """All limits of an operation's input; None where it has none, or the service has no such operation."""
    try:
        shape = get_service_model(service).operation_model(operation).input_shape
    except OperationNotFoundError:
        return None
    return _check(shape, frozenset()) if shape is not None else None


def _check(shape: Shape, within: frozenset[str]) -> Check | None:
    """The limits of a shape and of all that it holds; one that holds itself is judged to the first such depth."""
    if shape.name in within:
        return None
    within |= {shape.name}
    checks = [check for check in (_own(shape), _of_parts(shape, within)) if check is not None]

    def every(value: Any, path: str) -> Iterator[Broken]:
        for check in checks:
            yield from check(value, path)

    return every if checks else None


def _own(shape: Shape) -> Check | None:
    limits = {**shape.metadata, **MISSING.get(shape.name, {})}
    smallest, largest = limits.get("min"), limits.get("max")
    if (smallest is None and largest is None) or shape.type_name not in NUMBERS | SIZED:
        return None
    of = "value" if shape.type_name in NUMBERS else "length"
    measured: Callable[[Any], Any] = len if of == "length" else (lambda value: value)

    def own(value: Any, path: str) -> Iterator[Broken]:
        measure = measured(value)
        if largest is not None and measure > largest:
            yield Broken(value, path, f"Member must have {of} less than or equal to {largest}")
        if smallest is not None and measure < smallest:
            yield Broken(value, path, f"Member must have {of} greater than or equal to {smallest}")

    return own


def _of_parts(shape: Shape, within: frozenset[str]) -> Check | None:
    if isinstance(shape, StructureShape):
        return _of_members({name: _check(member, within) for name, member in shape.members.items()})
    if isinstance(shape, ListShape):
        is_structure = isinstance(shape.member, StructureShape | ListShape | MapShape)
        return _of_items(_check(shape.member, within), is_structure=is_structure)
    if isinstance(shape, MapShape):
        return _of_entries(_own(shape.key), _own(shape.value))
    return None


def _of_members(checks: Mapping[str, Check | None]) -> Check | None:
    limited = {name: check for name, check in checks.items() if check is not None}

    def members(value: Any, path: str) -> Iterator[Broken]:
        for name, check in limited.items():
            if (given := value.get(name)) is not None:
                # AWS writes OKActions as oKActions, too.
                own = name[0].lower() + name[1:]
                yield from check(given, f"{path}.{own}" if path else own)

    return members if limited else None


def _of_items(check: Check | None, *, is_structure: bool) -> Check | None:
    """What is wrong within a structure is told where it stands; of texts and numbers the list is told as a whole."""
    if check is None:
        return None

    def items(value: Any, path: str) -> Iterator[Broken]:
        for number, one in enumerate(value, start=1):
            yield from check(one, f"{path}.{number}.member")

    return items if is_structure else _as_a_whole(check, "Member", list)


def _of_entries(of_keys: Check | None, of_values: Check | None) -> Check | None:
    checks = []
    if of_keys is not None:
        checks.append(_as_a_whole(of_keys, "Map keys", list))
    if of_values is not None:
        checks.append(_as_a_whole(of_values, "Map value", lambda entries: list(entries.values())))

    def entries(value: Any, path: str) -> Iterator[Broken]:
        for check in checks:
            yield from check(value, path)

    return entries if checks else None


def _as_a_whole(check: Check, what: str, parts: Callable[[Any], list[Any]]) -> Check:
    def whole(value: Any, path: str) -> Iterator[Broken]:
        rules = dict.fromkeys(broken.rule for one in parts(value) for broken in check(one, path))
        if rules:
            yield Broken(value, path, f"{what} must satisfy constraint: [{', '.join(rules)}]")

    return whole
