"""The numbers in the remedies: what to provision and what it costs."""

from dataclasses import replace

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.observations import Activity
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.remedies import needed_mib_per_second, remedies

from tests.unit.mail.cases import (
    FILE_SYSTEM_ID,
    GOVERNMENT,
    HERE,
    IDLE,
    LIMITED,
    WRITING,
    a_file_system,
    a_situation,
)


def text_for(situation: Situation | None) -> str:
    return " ".join(" ".join(remedies(FILE_SYSTEM_ID, situation, HERE)).split())


def metering(mib_per_second: float, *, minutes: int = 60) -> Activity:
    return Activity(
        read_bytes=0,
        written_bytes=mib_per_second * MIB * 60 * minutes,
        metadata_bytes=0,
        metered_bytes=mib_per_second * MIB * 60 * minutes,
        busiest_bytes_per_second=mib_per_second * MIB,
        observed_minutes=minutes,
    )


@pytest.mark.parametrize(("metered_mib_per_second", "needed"), [(71.2, 72), (72, 72), (4.9, 5), (3415, 3415)])
def test_what_is_needed_is_the_rate_of_the_busiest_minutes_rounded_up(
    metered_mib_per_second: float, needed: int
) -> None:
    situation = a_situation(balance_gib=250, hour_ago_gib=300, activity=metering(metered_mib_per_second))
    assert needed_mib_per_second(situation) == needed


def test_a_batch_that_began_half_an_hour_ago_is_covered_and_not_cut_in_half() -> None:
    batch = replace(metering(33), busiest_bytes_per_second=98 * MIB)
    text = text_for(a_situation(balance_gib=250, hour_ago_gib=300, activity=batch))
    assert "--provisioned-throughput-in-mibps 98 " in text
    assert (
        "98 MiB/s covers the busiest five minutes of the last hour (98 MiB/s as metered; 33 MiB/s on average; "
        "4.9 MiB/s is there without credits)."
    ) in text


@pytest.mark.parametrize("metered_mib_per_second", [0, 0.4, 4.8])
def test_an_idle_hour_gives_no_number_that_would_hold_down_what_comes_back(metered_mib_per_second: float) -> None:
    situation = a_situation(balance_gib=50, hour_ago_gib=40, activity=metering(metered_mib_per_second))
    text = text_for(situation)
    assert needed_mib_per_second(situation) is None
    assert "--provisioned-throughput-in-mibps N " in text
    assert "Hardly more than that would hold the load down for a day." in text
    assert "a month for" not in text


def test_a_load_that_is_held_down_tells_what_it_needs_only_of_the_minutes_before() -> None:
    held_down = a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=4.9)
    driven = replace(LIMITED, busiest_bytes_per_second=98 * MIB)
    assert needed_mib_per_second(held_down) is None
    assert needed_mib_per_second(replace(held_down, activity=driven)) == 98


def test_provisioning_is_ruled_out_where_efs_does_not_reach_that_far() -> None:
    situation = a_situation(balance_gib=250, hour_ago_gib=300, activity=metering(5000))
    text = text_for(situation)
    assert "2. Provisioned throughput does not help here: it ends at 3,414 MiB/s" in text
    assert "--provisioned-throughput-in-mibps" not in text


def test_the_monthly_price_is_for_what_is_above_the_earned_rate() -> None:
    situation = a_situation(
        balance_gib=250, hour_ago_gib=300, activity=metering(150), file_system=a_file_system(standard_bytes=TIB)
    )
    assert "above what the size earns (50 MiB/s): $600 a month for 150 MiB/s." in text_for(situation)


def test_a_small_file_system_pays_from_what_it_earns_and_not_from_the_floor() -> None:
    small = a_file_system(standard_bytes=10 * GIB)
    situation = a_situation(balance_gib=250, hour_ago_gib=300, activity=metering(2), file_system=small)
    assert "(0.5 MiB/s): $9.07 a month for 2 MiB/s." in text_for(situation)


def test_elastic_is_priced_by_the_bytes_that_were_read_and_written() -> None:
    activity = Activity(
        read_bytes=100 * GIB,
        written_bytes=50 * GIB,
        metadata_bytes=10 * GIB,
        metered_bytes=90 * GIB,
        busiest_bytes_per_second=90 * GIB / 3600,
        observed_minutes=60,
    )
    text = text_for(a_situation(balance_gib=250, hour_ago_gib=300, activity=activity))
    assert "that is at least $6.30 an hour, or $4,599 if it went on for a month; more where operations" in text


def test_the_price_of_elastic_is_a_lower_bound_because_operations_have_a_smallest_size() -> None:
    text = text_for(a_situation(balance_gib=250, hour_ago_gib=300, activity=metering(2)))
    assert "because each counts as 32 KiB or more, one on metadata as 4 KiB or more." in text


def test_half_an_hour_of_figures_is_not_priced_as_an_hour() -> None:
    situation = a_situation(balance_gib=250, hour_ago_gib=300, activity=metering(512, minutes=30))
    assert (
        "At the rates of the 30 minutes that CloudWatch has of the last hour that is at least $108 an hour"
        in text_for(situation)
    )


def test_at_zero_the_prices_say_that_the_rates_were_limited() -> None:
    situation = a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=4.9)
    text = text_for(situation)
    assert "At the rates of the last hour, limited as they were, that is" in text
    assert "--provisioned-throughput-in-mibps N " in text
    assert "clients got 4.9 MiB/s in its busiest five minutes" in text


def test_an_idle_hour_has_no_price() -> None:
    text = text_for(a_situation(balance_gib=250, hour_ago_gib=250, activity=IDLE))
    assert "Clients moved no bytes in the last hour: what their work would cost is not known." in text
    assert "at least $" not in text


def test_without_an_observed_minute_no_price_is_made_up() -> None:
    nothing = replace(IDLE, observed_minutes=0)
    for activity in (None, nothing):
        text = text_for(a_situation(balance_gib=250, hour_ago_gib=250, activity=activity))
        assert "At the rates of" not in text
        assert "--provisioned-throughput-in-mibps N " in text
        assert "N is the MiB/s that the load needs, which is not known." in text


def test_the_commands_are_complete() -> None:
    paragraphs = remedies(FILE_SYSTEM_ID, a_situation(balance_gib=250, hour_ago_gib=300, activity=WRITING), GOVERNMENT)
    assert [paragraph.strip() for paragraph in paragraphs if paragraph.startswith("   aws ")] == [
        (
            "aws efs update-file-system --file-system-id fs-0123456789abcdef0 --throughput-mode elastic "
            "--region us-gov-west-1"
        ),
        (
            "aws efs update-file-system --file-system-id fs-0123456789abcdef0 --throughput-mode provisioned "
            "--provisioned-throughput-in-mibps 72 --region us-gov-west-1"
        ),
    ]
