"""What the documents point at is there: files, headings, and the anchors that mails link to."""

import re

import pytest

from tests.unit.docs.pages import PAGES, PROJECT, anchors, code, links, text_of

GOLDEN = PROJECT / "tests" / "unit" / "mail" / "golden"
RUNBOOK = "docs/runbook.md"
# Made when something runs, so not there on a fresh clone.
MADE = ("out/", ".venv", ".aws-sam/", "packaged.yaml", "packaged-fleet.yaml", "whole.yaml")
OURS = r"src|simulation|localaws|stage|operate|proofs|scenarios|events|tests|tools|docs"
FOLDERS = rf"(?:{OURS}|requirements|\.github|\.ci)"
# Rooms of the layer are named without the way to it.
LAYER = PROJECT / "src" / "layers" / "efs_monitor" / "efs_monitor"
ROOMS = sorted(file.parent.name for file in LAYER.glob("*/__init__.py"))
NAMED_IN_LAYER = re.compile(rf"(?<![\w./<*-])(?:{'|'.join(ROOMS)})/(?:[\w./]*\.py)?(?![\w/])")
NAMED_PATH = re.compile(rf"(?<![\w./<-])(?:{FOLDERS}/[\w./<>*-]*|[\w-]+\.(?:yaml|toml)|Makefile)(?![\w:])")


def _file_and_anchor(page: str, link: str) -> tuple[str, str]:
    path, _, anchor = link.partition("#")
    target = (PROJECT / page).parent / path if path else PROJECT / page
    return str(target.resolve().relative_to(PROJECT.resolve())), anchor


def test_links_and_named_files_are_found_at_all() -> None:
    """Else a pattern that no longer matches would let everything pass."""
    named = {path for page in PAGES for text in code(page) for path in NAMED_PATH.findall(text)}
    assert {"scenarios/", "src/documents/benchmark/", "template.yaml", "samconfig.toml"} <= named
    assert {"docs/design.md", "docs/runbook.md", "docs/benchmarks.md"} <= set(links("README.md"))


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_to_a_file_and_a_heading_that_exist(page: str) -> None:
    for link in links(page):
        if link.startswith("https://"):
            continue
        target, anchor = _file_and_anchor(page, link)
        assert (PROJECT / target).exists(), f"{page} links to {link}"
        assert not anchor or anchor in anchors(target), f"{page} links to {link}, and {target} has no such heading"


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page: str) -> None:
    for text in code(page):
        for path in NAMED_PATH.findall(text):
            pattern = re.sub("<[a-z]+>", "*", path.rstrip("/."))
            assert path.startswith(MADE) or list(PROJECT.glob(pattern)), f"{page} names {path}"


def _named_in_layer(page: str) -> set[str]:
    return {path for text in code(page) for path in NAMED_IN_LAYER.findall(text)}


@pytest.mark.parametrize("page", ["docs/design.md", "CONTRIBUTING.md"])
def test_the_rooms_of_the_layer_are_all_told(page: str) -> None:
    assert {f"{room}/" for room in ROOMS} <= _named_in_layer(page)


@pytest.mark.parametrize("page", ["docs/design.md", "CONTRIBUTING.md", "docs/changes.md"])
def test_every_file_in_a_room_of_the_layer_that_is_named_exists(page: str) -> None:
    named = _named_in_layer(page)
    assert named
    assert [path for path in named if not (LAYER / path).exists()] == []


def test_every_file_that_treats_throughput_modes_apart_is_named_where_a_new_mode_is_described() -> None:
    (section,) = re.findall(r"\n## A throughput mode\n(.*?)\n## ", text_of("docs/changes.md"), re.DOTALL)
    files = [*LAYER.rglob("*.py"), *(PROJECT / "operate").rglob("*.py")]
    apart = [file for file in files if re.search(r"ThroughputMode\.[A-Z]", file.read_text(encoding="utf-8"))]
    named = [str(file.relative_to(LAYER if file.is_relative_to(LAYER) else PROJECT)) for file in apart]
    assert [path for path in named if f"`{path}`" not in section] == []


def test_the_runbook_has_a_section_for_every_mail_that_links_to_it() -> None:
    texts = [file.read_text() for file in GOLDEN.glob("*.txt")]
    linked = {anchor for text in texts for anchor in re.findall(r"https://\S+/runbook#([a-z-]+)", text)}

    assert {"warning", "critical", "suspended", "file-system-gone"} <= linked
    assert linked <= anchors(RUNBOOK)


def test_the_runbook_has_a_section_for_a_function_that_failed() -> None:
    assert "a-function-failed" in anchors(RUNBOOK)


@pytest.mark.parametrize("index", ["README.md", "docs/README.md"])
def test_every_page_is_reached_from_the_readme_and_from_the_index(index: str) -> None:
    reached = {_file_and_anchor(index, link)[0] for link in links(index) if not link.startswith("https")}

    assert set(PAGES) - {"README.md", "docs/README.md"} <= reached


@pytest.mark.parametrize("page", PAGES)
def test_each_row_of_a_table_has_a_line_of_its_own(page: str) -> None:
    """Wrapped like a paragraph it is shown as one."""
    lines = (PROJECT / page).read_text().splitlines()
    assert [line for line in lines if "|---|" in line and set(line) - set(" |-:")] == []
