"""The mails about an alarm that another throughput mode has overtaken."""

from dataclasses import replace

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.mail.low_credits_mails import credits_low

from tests.unit.mail.mail_cases import HERE, WRITING, a_file_system, a_situation


def told(mode: ThroughputMode, busiest_mib_per_second: float) -> str:
    provisioned = 150 * MIB if mode is ThroughputMode.PROVISIONED else 0
    situation = a_situation(
        balance_gib=340,
        hour_ago_gib=500,
        activity=replace(WRITING, busiest_bytes_per_second=busiest_mib_per_second * MIB),
        file_system=a_file_system(mode=mode, provisioned_bytes_per_second=provisioned),
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


def test_elastic_throughput_has_no_limit_to_stand_at() -> None:
    assert "No action is needed." in told(ThroughputMode.ELASTIC, 900)
