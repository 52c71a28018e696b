"""The histories that are shipped are what their seeds make, and what they are called."""

import gzip

import pytest

from operate.backtest.backtest_result import backtest
from operate.history.export import read_export
from operate.history.file_system_history import history_of
from tests.unit.operate.histories import NOW, SETTINGS
from tools.example_histories import EXAMPLES, FOLDER


@pytest.mark.days
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_what_its_seed_makes(name: str) -> None:
    shipped = gzip.decompress((FOLDER / f"{name}.csv.gz").read_bytes()).decode()
    assert shipped == "\n".join(EXAMPLES[name]()) + "\n"


@pytest.mark.days
@pytest.mark.parametrize(("name", "spells"), [("calm", 0), ("growing", 8), ("hungry", 14)])
def test_an_example_is_what_it_is_called(name: str, spells: int) -> None:
    one = history_of(read_export(FOLDER / f"{name}.csv.gz"), None, NOW)
    found = backtest(one, SETTINGS)
    assert one.remarks == ()
    assert found.unwarned == ()
    assert found.failed == ()
    assert len(found.spells) == spells
