"""What template.yaml includes: made of its sources, and of a form that CloudFormation takes."""

import json
from pathlib import Path

import pytest
import yaml

from operate.template_files import MACRO, TEMPLATE, as_written, including
from tests.template.template_documents import Document, transformed
from tools.generate import GENERATED, INCLUDED, included

FILES = sorted(INCLUDED.iterdir())
MOST_BYTES = 1_000_000
"""Of a template that CloudFormation has expanded: 1 MB when it comes from S3 (CloudFormation quotas)."""


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: str(path.relative_to(TEMPLATE.parent)))
def test_a_generated_file_is_as_its_sources_make_it(path: Path) -> None:
    assert path.read_text() == GENERATED[path](), "run `make generate`"


def test_the_template_includes_each_of_these_files_once_and_nothing_else() -> None:
    locations = [one[MACRO]["Parameters"]["Location"] for one in including(as_written(TEMPLATE))]
    assert sorted(TEMPLATE.parent / location for location in locations) == FILES
    assert all(one[MACRO]["Name"] == "AWS::Include" for one in including(as_written(TEMPLATE)))
    assert set(FILES) <= GENERATED.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_included_file_is_a_mapping_in_long_forms_that_includes_nothing(path: Path) -> None:
    """So the user guide wants it; what is not ASCII, CloudFormation's console shows as question marks."""
    text = path.read_text()
    loaded: Document = yaml.safe_load(text)
    assert isinstance(loaded, dict)
    assert including(loaded) == []
    assert text.isascii()
    assert not [token for token in yaml.scan(text) if isinstance(token, yaml.AliasToken | yaml.TagToken)]


def test_text_is_written_as_it_reads_and_a_digest_never_as_a_number() -> None:
    text = included({"Script": "one\n  two\n", "Digest": "12e34", "Name": "home"}, "nothing")
    assert text.splitlines()[1:] == ["Script: |", "  one", "    two", 'Digest: "12e34"', "Name: home"]
    assert text.startswith("# Made of nothing by `make generate`, ")


def test_with_all_that_it_includes_the_template_is_below_cloudformations_limit() -> None:
    assert len(json.dumps(transformed()).encode()) < MOST_BYTES
