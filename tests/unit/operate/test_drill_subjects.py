"""How the mails of a drill begin, as far as the drill knows: one that it does not know is taken for missing."""

import getpass

import pytest
from efs_monitor.alarms.alarm import AlarmKind

from operate.drill import SUBJECTS, who_drills
from tests.unit.mail.test_message_goldens import MAILS, message_of

# It tells that an alarm will go on.
FORECASTS = ("warning-ahead", "warning-ahead-above-1-tib")
# How the golden mails are called that explain an alarm which goes on, or off.
EXPLAINED = {
    "warning": SUBJECTS[AlarmKind.WARNING][0],
    "critical": SUBJECTS[AlarmKind.CRITICAL][0],
    "recovered": SUBJECTS[AlarmKind.CRITICAL][1],
    "limited": SUBJECTS[AlarmKind.EXHAUSTED][0],
    "limit-lifted": SUBJECTS[AlarmKind.EXHAUSTED][1],
    "not-gone": SUBJECTS[AlarmKind.EXHAUSTED][1],
    "draining": SUBJECTS[AlarmKind.DRAINING][0],
}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "begins"),
    [
        (name, begins)
        for prefix, begins in EXPLAINED.items()
        for name in MAILS
        if name.startswith(prefix) and name not in FORECASTS
    ],
)
def test_every_mail_about_an_alarm_begins_as_a_drill_knows(name: str, begins: tuple[str, ...]) -> None:
    assert message_of(name).subject.startswith(tuple(f"{head}:" for head in begins))


def test_whoever_runs_as_a_number_without_a_name_can_drill(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a container may: Python raises an OSError of a user database that does not know the number."""

    def nobody() -> str:
        raise OSError("No username set in the environment")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert who_drills() == "somebody"
