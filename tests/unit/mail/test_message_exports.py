"""What the room of messages hands out, each from the file that has it, and only when it is asked for."""

import subprocess
import sys
from pathlib import Path

import pytest
from efs_monitor import mail as messages

SHOWN = "import sys, efs_monitor.usecases.explain; print(*(name for name in sys.modules if name.endswith('_mails')))"


@pytest.mark.parametrize("name", messages.__all__)
def test_every_name_is_found(name: str) -> None:
    assert getattr(messages, name).__module__.startswith("efs_monitor.mail.")


def test_another_name_is_refused_by_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'credits_high'"):
        _ = messages.credits_high  # type: ignore[attr-defined] # there is no such mail


def test_whoever_explains_an_alarm_loads_no_mails_of_another_kind() -> None:
    command = [sys.executable, "-c", SHOWN]
    layer = str(Path(messages.__file__).parents[2])
    shown = subprocess.run(command, env={"PYTHONPATH": layer}, capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("efs_monitor.mail.") for name in shown.stdout.split()}
    assert loaded == {"cap_mails", "credit_mails", "hovering_mails", "mode_mails"}
