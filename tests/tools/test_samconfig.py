"""An environment of samconfig.toml that `sam deploy` would take otherwise than it is written is told by `make lint`."""

from pathlib import Path

import pytest

from tools import samconfig

HOME = """
[home.deploy.parameters]
stack_name = "efs-monitor-home"
region = "eu-central-1"
parameter_overrides = ["FileSystemId=fs-0123456789abcdef0", "WarningMinutes=120"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_can_be_deployed_is_in_order(folder: Path) -> None:
    (folder / "samconfig.toml").write_text(HOME)
    assert samconfig.main() == 0


def test_each_environment_that_cannot_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mistyped = HOME.replace("home", "work").replace("WarningMinutes", "WarningMinuts")
    nameless = HOME.replace("home.", "lost.").replace("stack_name", "# stack_name")
    (folder / "samconfig.toml").write_text(HOME + mistyped + nameless)
    assert samconfig.main() == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "[work.deploy.parameters] in samconfig.toml has 'WarningMinuts': there is no such parameter" in told
    assert "[lost.deploy.parameters] of samconfig.toml does not set stack_name" in told
    assert "home" not in told


def test_a_file_that_cannot_be_read_is_no_stack_trace(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "samconfig.toml").write_text("[home")
    assert samconfig.main() == 1
    assert "samconfig.toml is no TOML that can be read" in capsys.readouterr().out
