"""What no file system can have: a rate above what its Region lets an account provision, elastic in Max I/O."""

import pytest

from localaws.throughput_limits import refusal
from localaws.throughput_lock import Throughput
from stage.scenario import read
from stage.scenario_tables import ScenarioError

ELASTIC, BURSTING = Throughput("elastic"), Throughput("bursting")


@pytest.mark.parametrize(
    ("region", "is_one_zone", "highest"),
    [
        ("us-east-1", False, 3414),
        ("us-east-2", False, 3414),
        ("us-west-2", False, 3414),
        ("eu-west-1", False, 3414),
        ("us-east-1", True, 1024),
        ("eu-central-1", False, 1024),
        ("eu-central-1", True, 1024),
    ],
)
def test_a_region_has_a_highest_rate(region: str, is_one_zone: bool, highest: int) -> None:
    def refused(mib_per_second: float) -> str:
        wanted = Throughput("provisioned", mib_per_second)
        found = refusal(wanted, performance_mode="generalPurpose", is_one_zone=is_one_zone, region=region)
        return found.code if found else ""

    assert (refused(highest), refused(highest + 0.1)) == ("", "ThroughputLimitExceeded")


@pytest.mark.parametrize(
    ("performance_mode", "is_one_zone", "wanted", "is_refused"),
    [
        ("maxIO", False, ELASTIC, True),
        ("maxIO", False, BURSTING, False),
        ("maxIO", True, BURSTING, True),
        ("generalPurpose", True, ELASTIC, False),
        ("generalPurpose", False, ELASTIC, False),
    ],
)
def test_max_io_is_neither_elastic_nor_in_one_zone(
    performance_mode: str, is_one_zone: bool, wanted: Throughput, is_refused: bool
) -> None:
    found = refusal(wanted, performance_mode=performance_mode, is_one_zone=is_one_zone)
    assert bool(found) == is_refused


@pytest.mark.parametrize(
    ("system", "change", "problem"),
    [
        ('mode = "provisioned"\nprovisioned_mib_per_second = 3500', "", "the throughput at its beginning is refused"),
        (
            "",
            '[[change]]\nat = "06:00"\nmode = "provisioned"\nprovisioned_mib_per_second = 3500',
            "the throughput at 0d 06:00 is refused by AWS: .* limit of 3414 MiB/s",
        ),
        ('performance_mode = "maxIO"', '[[change]]\nat = "06:00"\nmode = "elastic"', "at 0d 06:00 is refused by AWS"),
        ('performance_mode = "maxIO"\navailability_zone = "us-east-1a"', "", "not supported on One Zone"),
    ],
)
def test_a_scenario_cannot_have_it_either(system: str, change: str, problem: str) -> None:
    text = f'about = "x"\ndays = 1\n[file_system]\nsize_gib = 100\n{system}\n{change}\n'
    with pytest.raises(ScenarioError, match=problem):
        read("beyond", text)
