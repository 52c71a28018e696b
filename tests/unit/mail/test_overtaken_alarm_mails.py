"""The mails about an alarm that another throughput mode has overtaken."""

from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.situation import STEP, Work
from efs_monitor.mail.low_credits_mails import credits_low

from tests.unit.mail.mail_cases import HERE, TIME, WRITING, a_file_system, a_situation


def told(
    mode: ThroughputMode, busiest_mib_per_second: float, busiest_of_the_day_mib_per_second: float | None = None
) -> str:
    provisioned = 150 * MIB if mode is ThroughputMode.PROVISIONED else 0
    situation = a_situation(
        balance_gib=340,
        hour_ago_gib=500,
        activity=replace(WRITING, busiest_bytes_per_second=busiest_mib_per_second * MIB),
        file_system=a_file_system(mode=mode, provisioned_bytes_per_second=provisioned),
    )
    if busiest_of_the_day_mib_per_second is not None:
        in_the_night = TIME - timedelta(hours=9)
        rates = (0.0, busiest_of_the_day_mib_per_second, 60.0)
        situation = replace(
            situation,
            last_day=tuple(
                Work(time=in_the_night + at * STEP, metered_bytes=mib * MIB * STEP.total_seconds())
                for at, mib in enumerate(rates)
            ),
            permitted_of_the_day=tuple((TIME - at * STEP, 150.0 * MIB) for at in range(288)),
        )
    return " ".join(credits_low(AlarmKind.CRITICAL, 60, situation, HERE).body.split())


@pytest.mark.parametrize(("busiest", "at_its_limit"), [(142, False), (143, True)])
def test_who_takes_all_that_is_provisioned_is_not_told_that_nothing_is_to_be_done(
    busiest: float, at_its_limit: bool
) -> None:
    """From 95 % on: more may always be provisioned."""
    text = told(ThroughputMode.PROVISIONED, busiest)
    assert (
        "Clients take all or nearly all of the 150 MiB/s that are provisioned, and may want more: provision more"
        in text
    ) is (at_its_limit)
    assert ("No action is needed." in text) is not at_its_limit
    assert "The alarm is suspended by itself within the hour." in text


@pytest.mark.parametrize("lately", [0, 150])
@pytest.mark.parametrize(("busiest", "is_limited"), [(151, False), (152, True)])
def test_who_took_more_in_the_night_than_is_provisioned_now_is_told_that_such_a_load_is_limited(
    lately: float, busiest: float, *, is_limited: bool
) -> None:
    """As the mail says an hour later that the alarms are suspended: 95 MiB/s, of which 50 were provisioned."""
    text = told(ThroughputMode.PROVISIONED, lately, busiest)
    limited = (
        f"In the busiest five minutes of the last 24 hours clients took {busiest} MiB/s as metered, which is more: "
        "such a load is limited, and no mail tells of it. Provision more: no lock keeps you from that. The alarm is "
        "suspended by itself within the hour."
    )
    assert (limited in text) is is_limited
    assert ("No action is needed." in text) is (not is_limited and lately == 0)


def test_elastic_throughput_limits_no_load_of_the_night() -> None:
    assert "No action is needed." in told(ThroughputMode.ELASTIC, 0, 900)


def test_elastic_throughput_has_no_limit_to_stand_at() -> None:
    assert "No action is needed." in told(ThroughputMode.ELASTIC, 900)
