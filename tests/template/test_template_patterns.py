"""Every pattern of both templates and of the document reads alike in Java, Go, Python and JavaScript.

CloudFormation matches by Java, the agent of Systems Manager by Go, and tests by Python.
"""

import base64
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from localaws.cloudformation.regular_expressions import refused_by_java
from operate.template_files import FLEET_TEMPLATE, TEMPLATE, as_written
from tests.template.differing_patterns import read_differently
from tests.template.parameter_values import FLEET_PARAMETERS, PARAMETERS
from tests.template.template_documents import with_includes

ENGINES = {
    "java": ["java", "Match.java"],
    "go": ["go", "run", "match.go"],
    "node": ["node", "match.js"],
}
# What patterns of the document are given, and values that each refuses.
DOCUMENT_VALUES = {
    "RunId": (["run-20300107t000100z-a90a74b3", "a" * 64], ["short", "a" * 65, "RUN-20300107", "run-2030 0107"]),
    "FileSystemId": (list(PARAMETERS["FileSystemId"].taken), list(PARAMETERS["FileSystemId"].refused)),
    "MountPath": (list(PARAMETERS["BenchmarkPath"].taken[1:]), ["", *PARAMETERS["BenchmarkPath"].refused[:-1]]),
    "LocalPath": (list(PARAMETERS["BenchmarkPath"].taken), list(PARAMETERS["BenchmarkPath"].refused[:-1])),
    "Plan": (["id=touch-serial,do=touch,files=1024;id=b"], ["", "id=A", "id=a b", "id=$(reboot)", "id='a'"]),
    "DeadlineSeconds": (["60", "99999"], ["", "6", "060", "100000", "60.5", "٦٠"]),
    "Instances": (["1", "999"], ["", "0", "1000", "1.5"]),
    "ExecutionTimeout": (["60", "3600"], ["", "6", "060", "100000"]),
}
# What differs between engines where a pattern is careless: ends of lines, blanks, digits and letters of other scripts.
STRANGERS = [
    *("\n", "\r", "\u0085", "\u2028", " ", "\u00a0", "\u0663", "\u00e9", "\u0131", "\U0001f9e8"),
    *("[", "]", "\\", "&&", "^", "-", "$", "\0"),
]


def patterns() -> dict[str, tuple[str, list[str], list[str]]]:
    """Each pattern by where it stands, with values that it takes, its default too, and some that it refuses."""
    found = {}
    templates = {
        "template": (with_includes(), PARAMETERS),
        "fleet": (as_written(FLEET_TEMPLATE), FLEET_PARAMETERS),
    }
    for called, (written, examples) in templates.items():
        for name, parameter in written["Parameters"].items():
            if "AllowedPattern" in parameter:
                values = examples[name]
                longest = parameter.get("MaxLength", 4_096)
                refused = [value for value in values.refused if len(value) <= longest]
                taken = [*([parameter["Default"]] if "Default" in parameter else []), *values.taken]
                found[f"{called} {name}"] = (parameter["AllowedPattern"], taken, refused)
    document = yaml.safe_load((TEMPLATE.parent / "src" / "documents" / "benchmark.yaml").read_text())
    for name, parameter in document["parameters"].items():
        taken, refused = DOCUMENT_VALUES[name]
        default = [parameter["default"]] if "default" in parameter else []
        found[f"document {name}"] = (parameter["allowedPattern"], [*default, *taken], refused)
    return found


PATTERNS = patterns()


def unanchored(pattern: str) -> list[str]:
    """Go searches where CloudFormation matches the whole value: each alternative says where it begins and ends."""
    bare = re.sub(r"\[[^\]]*\]", "_", re.sub(r"\\.", "_", pattern))
    while (outer := re.sub(r"\([^()]*\)", "_", bare)) != bare:
        if any(set("^$") & set(group) for group in re.findall(r"\([^()]*\)", bare)):
            return ["an anchor within a group"]
        bare = outer
    if all(re.fullmatch(r"\^[^^$]*\$", one) for one in bare.split("|")):
        return []
    return ["an alternative without ^ at its beginning and $ at its end, and only there"]


def strange(values: list[str]) -> list[str]:
    """Values with something strange before, within and behind them."""
    return [
        value[:place] + stranger + value[place:]
        for value in values
        for stranger in STRANGERS
        for place in {0, len(value) // 2, len(value)}
    ]


@pytest.mark.parametrize("where", PATTERNS)
def test_a_pattern_has_nothing_that_engines_read_differently(where: str) -> None:
    pattern = PATTERNS[where][0]
    assert (refused_by_java(pattern), read_differently(pattern), unanchored(pattern)) == ([], [], [])


@pytest.mark.parametrize("where", PATTERNS)
def test_a_pattern_takes_its_examples_and_refuses_what_is_just_beyond(where: str) -> None:
    pattern, taken, refused = PATTERNS[where]
    assert [value for value in taken if not re.fullmatch(pattern, value)] == []
    assert [value for value in refused if re.fullmatch(pattern, value)] == []
    assert refused


# Go compiles its own libraries first, which takes half a minute where nobody has used it before.
@pytest.mark.parametrize("engine", ["java", "node", pytest.param("go", marks=pytest.mark.whole)])
def test_every_engine_reads_every_pattern_as_python_does(engine: str) -> None:
    asked = [
        (pattern, value)
        for pattern, taken, refused in PATTERNS.values()
        for value in [*taken, *refused, *strange(taken)]
    ]
    here = ["yes" if re.fullmatch(pattern, value) else "no" for pattern, value in asked]

    answered = answers(engine, asked)

    assert [one for one in zip(asked, here, answered, strict=True) if one[1] != one[2]] == []
    assert {"yes", "no"} == set(answered)


DIFFERENT = {
    r"^[!#-[\]-~]+$": "an unescaped [ in a class",
    r"^[[:alpha:]]+$": "an unescaped [ in a class",
    r"^[a-z&&[^b]]$": "&& in a class",
    r"^[a||b]$": "|| in a class",
    r"^[]a]$": "a class that begins with ]",
    r"^\s$": r"\s",
    r"^[^@\s]+$": r"\s",
    r"^\d$": r"\d",
    r"^\w$": r"\w",
    r"^a\b$": r"\b",
    r"^\pL$": r"\p",
    r"^a\Z": r"\Z",
    r"^\Qa\E$": r"\Q",
    r"^(a)\1$": r"the back reference \1",
    r"^(?=a)a$": "the group (?=",
    r"^(?!a)b$": "the group (?!",
    r"^a(?<=a)$": "the group (?<=",
    r"^a(?<!b)$": "the group (?<!",
    r"^(?>a)$": "the group (?>",
    r"^(?<name>a)$": "the group (?<",
    r"^(?P<name>a)$": "the group (?P<",
    r"^(?i)a$": "the group (?i",
    r"^(?i:a)$": "the group (?i",
    r"^a++$": "the possessive repetition ++",
    r"^a{2}+$": "the possessive repetition {2}+",
    r"^a{1,1001}$": "more than 1,000 repetitions",
    r"^.$": "a dot, which stops at other ends of lines",
    r"^a}$": "a } that ends nothing",
    r"^]$": "a ] that ends nothing",
    r"^é$": "a character outside ASCII",
    r"^*a$": "an anchor that is repeated",
}


@pytest.mark.parametrize(("pattern", "construct"), DIFFERENT.items())
def test_what_engines_read_differently_is_named(pattern: str, construct: str) -> None:
    assert construct in read_differently(pattern)


@pytest.mark.parametrize(
    "pattern", [r"^[a-z.\]\[-]+$", r"^a\.b\(c\)$", r"^(?:a|b){2,3}?$", r"^[^a-z]*$", r"^$|^a?$", r"^\t\\$"]
)
def test_what_all_read_alike_is_let_through(pattern: str) -> None:
    assert (refused_by_java(pattern), read_differently(pattern), unanchored(pattern)) == ([], [], [])


@pytest.mark.parametrize("pattern", ["a", "^a", "a$", "^a$|b", "^(^a)$", "^a$b$", r"^a\$", "^[$]"])
def test_a_pattern_that_is_found_within_a_value_is_named(pattern: str) -> None:
    assert len(unanchored(pattern)) == 1


REFUSED_BY_JAVA = {
    r"^https?://[!#-[\]-~]+$": "Unclosed character class near index 21",
    "^[a": "Unclosed character class near index 2",
    "^[a[b]$": "Unclosed character class near index 6",
    "a**": "Dangling meta character '*' near index 2",
    "^(+a)$": "Dangling meta character '+' near index 2",
    "^{$": "Illegal repetition near index 2",
    "^a{,3}$": "Illegal repetition near index 3",
    "^(a": "Unclosed group near index 3",
    "^a)$": "Unmatched closing ')'",
    "a\\": "Unexpected internal error near index 2",
}


@pytest.mark.parametrize(("pattern", "reason"), REFUSED_BY_JAVA.items())
def test_what_java_refuses_is_refused_in_its_words(pattern: str, reason: str) -> None:
    assert refused_by_java(pattern)[0] == reason


@pytest.mark.whole
def test_java_refuses_just_that_in_these_words() -> None:
    answered = answers("java", [(pattern, "") for pattern in REFUSED_BY_JAVA])
    # It adds where the bracket stands that nothing opened.
    assert [one.partition(" near index")[0] if "closing" in one else one for one in answered] == [
        f"refused: {reason}" for reason in REFUSED_BY_JAVA.values()
    ]


def answers(engine: str, asked: list[tuple[str, str]]) -> list[str]:
    """What the engine says of each pattern and value: yes, no, or why it refuses the pattern."""
    program = shutil.which(engine)
    if program is None:
        pytest.skip(f"{engine} is not installed")
    lines = "".join(f"{_encoded(pattern)} {_encoded(value)}\n" for pattern, value in asked)
    finished = subprocess.run(
        [program, *ENGINES[engine][1:]],
        cwd=Path(__file__).parent / "engines",
        env={**os.environ, "GOTOOLCHAIN": "local"},
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.splitlines()


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
