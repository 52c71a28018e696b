"""The small changes of a source that tests must notice, each a mutant with a name of its own."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

type Ancestors = tuple[ast.AST, ...]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
# What is said in these needs no test: it never runs, or only for whoever reads or checks types.
UNTESTED_FIELDS = frozenset({"annotation", "returns", "decorator_list", "type_params"})


@dataclass(frozen=True, kw_only=True, eq=False)
class Mutant:
    """One change in the `place` of a file, the outermost function or the class it is in, or nothing at the top.

    `at_import` where it is evaluated when the module is imported, and not by a call of the place.
    """

    path: str
    place: str
    line: int
    before: str
    after: str
    at_import: bool
    module: ast.Module

    @property
    def name(self) -> str:
        """What stays the same while nothing near it changes, wherever in the file it moves."""
        return f"{self.path} {self.place}: {self.before} → {self.after}"


@dataclass(frozen=True, kw_only=True)
class Site:
    """One node, what it becomes, and what it is part of, outermost first."""

    node: ast.AST
    becomes: ast.AST
    ancestors: Ancestors

    def text(self, levels: int) -> tuple[str, str]:
        """The change, seen with so many of its surroundings."""
        chain = (*self.ancestors, self.node)
        shown = chain[max(0, len(chain) - 1 - levels)]
        return _line(shown), _line(_with(chain[max(0, len(chain) - 1 - levels) :], self.becomes))


def mutants(path: str, source: str) -> list[Mutant]:
    """Every mutant of a source, in its order."""
    module = ast.parse(source)
    by_place: dict[str, list[Site]] = {}
    for site in _sites(module, ()):
        by_place.setdefault(_place(site), []).append(site)
    return sorted(
        (
            Mutant(
                path=path,
                place=place,
                line=getattr(site.node, "lineno", 0),
                before=before,
                after=after,
                at_import=_at_import(site),
                module=_with((*site.ancestors, site.node), site.becomes),  # type: ignore[arg-type] # a condition is an expression
            )
            for place, sites in by_place.items()
            for site, (before, after) in zip(sites, _texts(sites), strict=True)
        ),
        key=lambda mutant: mutant.line,
    )


def _texts(sites: list[Site]) -> list[tuple[str, str]]:
    """The changes of one place, each with as much around it as tells it from the others, else numbered."""
    levels = [0] * len(sites)
    texts = [site.text(0) for site in sites]
    while True:
        counted = Counter(texts)
        alike = [
            index
            for index, site in enumerate(sites)
            if counted[texts[index]] > 1 and levels[index] < len(site.ancestors) and not _whole(site, levels[index])
        ]
        if not alike:
            break
        for index in alike:
            levels[index] += 1
            texts[index] = sites[index].text(levels[index])
    seen: Counter[tuple[str, str]] = Counter()
    numbered = []
    for text in texts:
        seen[text] += 1
        numbered.append(text if seen[text] == 1 else (text[0], f"{text[1]} ({seen[text]})"))
    return numbered


def _whole(site: Site, level: int) -> bool:
    """Whether so many levels show the whole statement."""
    chain = (*site.ancestors, site.node)
    return isinstance(chain[len(chain) - 1 - level], ast.stmt)


def _line(node: ast.AST) -> str:
    """A node as one line; of a compound statement the first."""
    text = ast.unparse(node).strip()
    if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.Match):
        text = text.partition("\n")[0]
    return " ".join(text.split())


def _with(chain: Ancestors, becomes: ast.AST) -> ast.AST:
    """The first of the chain as it is with its last replaced; what is not part of the chain stays itself."""
    *parents, node = chain
    for new in ast.walk(becomes):
        if isinstance(new, ast.expr | ast.stmt) and not hasattr(new, "lineno"):
            ast.copy_location(new, node)
    for parent in reversed(parents):
        fields = {
            field: [becomes if one is node else one for one in value]
            if isinstance(value, list)
            else (becomes if value is node else value)
            for field, value in ast.iter_fields(parent)
        }
        becomes, node = ast.copy_location(type(parent)(**fields), parent), parent
    return becomes


def _sites(node: ast.AST, ancestors: Ancestors) -> Iterator[Site]:
    for becomes in _variants(node, ancestors):
        yield Site(node=node, becomes=becomes, ancestors=ancestors)
    if isinstance(node, ast.Import | ast.ImportFrom | ast.TypeAlias) or _of_names_only(node):
        return
    for field, value in ast.iter_fields(node):
        if field in UNTESTED_FIELDS:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_docstring(child):
                yield from _sites(child, (*ancestors, node))


def _of_names_only(node: ast.AST) -> bool:
    """`__all__`, and what only the type checker reads."""
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _variants(node: ast.AST, ancestors: Ancestors) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    yield from _other_operators(node)
    yield from _other_statements(node)
    match node:
        case ast.Constant(value):
            yield from _constants(value)
        case ast.Call(ast.Name(name), arguments) if name in CALLS:
            keywords = [] if name == "sorted" else node.keywords
            yield ast.Call(ast.Name(CALLS[name], ast.Load()), arguments, keywords)
    if ancestors and _is_condition(node, ancestors[-1]):
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type] # a condition is an expression


def _other_operators(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, ops, comparators):
            for index, op in enumerate(ops):
                changed = [*ops[:index], COMPARISONS[type(op)](), *ops[index + 1 :]]
                yield ast.Compare(left, changed, comparators)
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in ARITHMETIC:
            yield ast.AugAssign(target, ARITHMETIC[type(op)](), value)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.UnaryOp(ast.USub(), operand):
            yield ast.UnaryOp(ast.UAdd(), operand)


def _other_statements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Return(value) if value is not None and not _is_none(value) and not _is_truth(value):
            yield ast.Return(ast.Constant(None))
        case ast.Yield(value) if value is not None:
            yield ast.Yield(ast.Constant(None))
        case ast.Expr(ast.Call()) | ast.Raise():
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _constants(value: object) -> Iterator[ast.AST]:
    match value:
        case bool():
            yield ast.Constant(not value)
        case int() | float():
            yield ast.Constant(value + 1)
        case str():
            yield ast.Constant(f"XX{value}XX" if value else "XX")
        case bytes():
            yield ast.Constant(b"XX" + value)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_truth(node: ast.AST) -> bool:
    """`True` or `False`, which are turned round as constants; None would be as untrue as `False`."""
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _is_condition(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a truth value is asked here that no other change turns round."""
    if isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
        return False
    match parent:
        case ast.If(test) | ast.While(test) | ast.IfExp(test):
            return node is test
        case ast.comprehension():
            return any(node is condition for condition in parent.ifs)
        case ast.BoolOp(_, values):
            # `x or default`: only what is asked for its truth, not what is given back.
            return any(node is value for value in values[:-1])
    return False


def _place(site: Site) -> str:
    names = []
    for node in site.ancestors:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.FunctionDef):
            names.append(node.name)
            break
    return ".".join(names)


def _at_import(site: Site) -> bool:
    chain = (*site.ancestors, site.node)
    for node, child in pairwise(chain):
        if isinstance(node, ast.FunctionDef):
            return child is node.args
    return True
