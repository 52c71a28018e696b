"""Copies of what `sam build` left: they deploy from wherever they lie."""

from pathlib import Path

import pytest

from operate.template_files import as_written, including, with_included_files
from stage.sam_deployment import Deployer, copied_build
from tests.quick import first_of


@pytest.mark.whole
def test_a_copy_has_in_its_template_what_the_build_includes(built: Path, tmp_path: Path) -> None:
    """Where the included files are is said relative to the build."""
    template = copied_build(tmp_path / "deeper" / "copy")
    assert template.parent == tmp_path / "deeper" / "copy"
    assert as_written(template) == with_included_files(built / "template.yaml")
    assert including(as_written(template)) == []


@pytest.mark.parametrize("new_code", first_of([True, False], in_ci=1))
def test_a_changed_copy_has_other_code_or_a_resource_that_fails_after_the_alarms(
    built: Path, tmp_path: Path, new_code: bool
) -> None:
    template = Deployer("", tmp_path, str).changed_build("changed", new_code=new_code, breaks=not new_code)
    code = [(folder / "Explain" / "app.py").read_text() for folder in (built, template.parent)]
    before = with_included_files(built / "template.yaml")["Resources"]
    after = as_written(template)["Resources"]
    assert (code[0] != code[1]) == new_code
    assert after.keys() - before.keys() == (set() if new_code else {"Broken"})
    assert {name: after[name] for name in before} == before
