"""What a rule finds, and from where on it is worth a word."""

from dataclasses import dataclass

# Less than this a month, or less than a twentieth, is no reason to change anything.
WORTH_DOLLARS, WORTH_SHARE = 1.0, 0.05
NO_MONEY = "no cost"


@dataclass(frozen=True, kw_only=True)
class AdviceFinding:
    """What could be better, what shows it, what it is worth, the command, and where the rule comes from."""

    title: str
    evidence: str
    money: str
    command: str
    source: str
