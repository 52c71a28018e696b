"""Who tells of the next fall: of pulses that end the credits together, the mail about their end has said it."""

import pytest
from efs_monitor.mail.draining_mails import draining

from tests.unit.incidents.test_falling_since import minute_by_minute
from tests.unit.mail.mail_cases import HERE


@pytest.mark.parametrize(
    ("minutes", "told"),
    [
        (30, "The next ones are told by CloudWatch's own ALARM message alone, on the Warning topic, unless that end"),
        (60, "While there is twice as much as such a fall takes, the next ones are told by CloudWatch's own ALARM"),
    ],
)
def test_one_of_the_two_is_said_of_the_next_one(minutes: float, told: str) -> None:
    """Pulses of ten minutes in each forty take 6.5 of them: all that is left within three hours, or not."""
    pulses = [*[-0.8] * 10, *[0.05] * 30] * 4
    mail = draining(60, minute_by_minute([*[0.05] * 180, *pulses, *[-0.8] * 4], left=minutes), HERE)
    text = " ".join(mail.body.split())
    assert told in text
    assert text.count("by CloudWatch's own ALARM message alone") == 1
