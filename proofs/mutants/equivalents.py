"""The mutants that change nothing anybody could see, each with the reason, reviewed by hand."""

import tomllib
from pathlib import Path

FILE = Path(__file__).parent / "equivalent.toml"


def equivalents() -> dict[str, str]:
    """The names of equivalent mutants, each with its reason."""
    groups = tomllib.loads(FILE.read_text(encoding="utf-8"))["equivalent"]
    return {mutant.strip(): group["reason"] for group in groups for mutant in group["mutants"]}
