"""The documents, taken apart into what can be held true: code, tables, headings and links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[3]
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "localaws/README.md")
PAGES = (*TOP, *(f"docs/{page.name}" for page in PROJECT.glob("docs/*.md")))

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


# The page that shows most of what the demo prints.
SAMPLE = "docs/without-an-account.md"


@dataclass(frozen=True)
class Block:
    """A fenced block of code; `language` is the word behind its fence."""

    language: str
    text: str


def text_of(page: str) -> str:
    """The page as it is written."""
    return (PROJECT / page).read_text()


def blocks(page: str, *languages: str) -> list[Block]:
    """The page's fenced blocks, of these languages only where any are named."""
    found = [Block(match[2], match[3]) for match in FENCE.finditer(text_of(page))]
    return [block for block in found if not languages or block.language in languages]


def demo(page: str = SAMPLE) -> str:
    """What the page shows of the demo, each wrapped line put together again."""
    (shown,) = [block.text for block in blocks(page, "console") if block.text.startswith("$ make demo")]
    return re.sub(r"\n {9,}(?!\d{4}-)", " ", shown)


def shown_mails() -> list[str]:
    """The mails of the demo that the sample shows, with their minutes and addresses."""
    return re.findall(r"^\dd \d\d:\d\d (?:warning|critical|advice) to .+$", demo(), re.MULTILINE)


def shown_subjects() -> list[str]:
    """The subjects of the demo that the README shows."""
    (shown,) = [block.text for block in blocks("README.md") if block.text.startswith("WARNING: ")]
    return shown.splitlines()


def prose(page: str) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", text_of(page))


def code(page: str) -> Iterator[str]:
    """Everything set in code: each span and each block."""
    yield from CODE_SPAN.findall(prose(page))
    yield from (block.text for block in blocks(page))


def links(page: str) -> list[str]:
    """Where the page's links lead, as written."""
    return LINK.findall(prose(page))


def anchors(page: str) -> set[str]:
    """The anchors that the page's headings make, by GitHub's rule."""
    headings = HEADING.findall(prose(page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def table(page: str, first_column: str) -> list[list[str]]:
    """The rows of the page's table whose first column has this heading, without the heading."""
    lines = text_of(page).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first_column} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows
