"""What the page about the local AWS shows is so."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "localaws" / "README.md").read_text()


def test_the_example_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (printed,) = re.findall(r"^prints `(.*?)`", PAGE, re.MULTILINE)
    exec(example, {})  # noqa: S102 - our own page
    assert capsys.readouterr().out.split() == [printed]
