"""The demo, where a terminal cannot show all that it says."""

import io
import sys
from pathlib import Path

import pytest

from stage import demonstration
from stage.deployment import CommandFailed, Deployer

ABOUT_AN_ARROW = 'about = "From here → to there."\ndays = 1\n[file_system]\nsize_gib = 100\n'


def test_what_the_terminals_encoding_has_not_is_a_question_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "arrow.toml"
    path.write_text(ABOUT_AN_ARROW, encoding="utf-8")
    terminal = io.BytesIO()

    def not_built(deployer: Deployer) -> None:
        raise CommandFailed("Enough is seen")

    monkeypatch.setattr(demonstration, "OUT", tmp_path / "out")
    monkeypatch.setattr(Deployer, "build", not_built)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(terminal, encoding="iso-8859-1", write_through=True))
    assert demonstration.main([str(path)]) == 1
    assert terminal.getvalue() == b"arrow: From here ? to there.\n\n"
