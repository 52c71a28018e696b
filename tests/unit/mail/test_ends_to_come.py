"""An end of the credits that a mail tells to come has not passed, whatever a small file system went through at zero."""

import re
from dataclasses import replace
from datetime import timedelta

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limited
from efs_monitor.mail.low_credits_mails import credits_low
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.unit.incidents.test_pace import SMALL_BYTES, STRETCHES, lived_at_zero
from tests.unit.incidents.test_situation import by_minutes
from tests.unit.mail.mail_cases import HERE, WRITING
from tests.unit.strategies import NOW, bursting

# A subject has no date, and says in how many hours where that is a day ahead.
TO_COME = re.compile(
    r"(?:are gone at|credits gone at|they last [^.,]*, until|for that until) (\d\d):(\d\d) UTC(?! on|, in \d+ h)"
)


@example([(9, 0.0), (1, 100.0), (2, 0.0)], 0.0, 4)
@given(STRETCHES, st.floats(0, 2), st.integers(2, 20))
def test_no_end_that_is_told_to_come_is_over_when_the_mail_is_written(
    stretches: list[tuple[int, float]], last_gib: float, late_minutes: int
) -> None:
    """However late its metrics are. And none is told to be over of what has just come back."""
    time = NOW + timedelta(minutes=late_minutes, seconds=30)
    lived = by_minutes(*lived_at_zero(stretches, last_gib))
    seen = replace(
        lived, file_system=bursting(SMALL_BYTES), time=time, permitted_bytes_per_second=1e8, activity=WRITING
    )
    assume(not seen.credits_are_gone)
    for mail in (credits_low(AlarmKind.CRITICAL, 60, seen, HERE), draining(60, seen, HERE), limited(seen, HERE)):
        told = " ".join(f"{mail.subject} {mail.body}".split())
        for hour, minute in TO_COME.findall(told):
            assert time.replace(hour=int(hour), minute=int(minute), second=59) >= time, told
        is_over = "they ran out" in told or "may be gone by now" in told
        before, newest = (one.balance_bytes for one in seen.balances[-2:])
        assert not is_over or newest < before or before > seen.nothing_bytes, told
