"""What divides and measures the tests names tests and modules that there are: a name of old would mean nothing."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from stage.deployment import PROJECT
from tests.division import ONE_BY_ONE, WAITING
from tests.measured import LOADED, MEASURED, UNMEASURED


@pytest.mark.parametrize("path", [*MEASURED, *UNMEASURED, *ONE_BY_ONE, WAITING])
def test_each_path_is_one_of_tests(path: str) -> None:
    file, _, test = path.partition("::")
    found = PROJECT / file
    assert (found.is_file() and f"\ndef {test}" in found.read_text()) or any(found.glob("**/test_*.py"))


@pytest.mark.parametrize("name", LOADED)
def test_each_package_has_modules(name: str) -> None:
    found = find_spec(name)
    assert found is not None
    assert any(module for place in found.submodule_search_locations or () for module in Path(place).glob("*.py"))
