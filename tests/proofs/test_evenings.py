"""Evenings drawn from seeds, a few of those that the proof of figures lives through, and some that no seed draws."""

from datetime import timedelta
from pathlib import Path

import pytest

from proofs.figures.evenings import evening
from proofs.figures.proof import wrong_figures
from stage.direct_deployment import DirectDeployer
from stage.runs import played
from stage.scenario import read

# More than its Region permits is earned, or all but a hundredth of it; from little or nothing, driven at the cap.
A_CAPPED_EVENING = """
about = "A balance that was low before the file system grew"
days = 0.04

[file_system]
size_gib = {size_gib}
balance_percent = {balance_percent}
regional_cap_mib_per_second = 1024

[[load]]
from = "00:00"
to = "00:50"
write_mib_per_second = 1100

[[deploy]]
at = "00:20"
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


# Four terabytes, of which hardly any earns.
COLD = """
about = "Four terabytes of which next to all is in Infrequent Access"
days = 0.02

[file_system]
size_gib = 40
infrequent_access_gib = 4000
balance_percent = 48.5

[[load]]
from = "00:05"
to = "00:30"
write_mib_per_second = 90

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


# A load of every night, between two of which most of the data leaves Standard.
TIERED = """
about = "A load of every night, between two of which a lifecycle policy leaves little in Standard"
days = 0.7

[file_system]
size_gib = 1400
balance_percent = 34

[[load]]
from = "01:00"
to = "07:00"
daily = true
write_mib_per_second = 98

[[change]]
at = "07:10"
size_gib = 150

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


@pytest.mark.days
@pytest.mark.parametrize("seed", [0, 3])
def test_the_mails_of_an_evening_after_a_return_from_elastic_are_right(seed: int, built: Path, tmp_path: Path) -> None:
    assert evening(seed).mode == "elastic"
    with played(evening(seed), tmp_path, deployer_of=DirectDeployer) as result:
        assert any("FIGURES" in mail.body for mail in result.sandbox.mailbox.mails)
        assert wrong_figures(result) == []


# Clients want more than is provisioned for a day; then the file system bursts again, or less is provisioned.
HELD_DOWN = """
about = "A balance that comes back while a provisioned rate holds clients down"
days = 1.3

[file_system]
size_gib = 100
balance_percent = 25

[[load]]
from = "08:00"
to = "16:00"
daily = true
write_mib_per_second = 90

[[change]]
at = "00:40"
mode = "provisioned"
provisioned_mib_per_second = 20

[[change]]
at = "1d 01:00"
mode = "bursting"

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""
LOWERED = """
about = "Less is provisioned, and the credits are gone half an hour later"
days = 1.31

[file_system]
size_gib = 40
balance_percent = 1

[[load]]
from = "23:30"
to = "1d 06:00"
write_mib_per_second = 90

[[change]]
at = "02:10"
mode = "provisioned"
provisioned_mib_per_second = 50

[[change]]
at = "1d 03:00"
mode = "provisioned"
provisioned_mib_per_second = 1

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


# Clients take all of a provisioned rate in the busiest hours of the day before the file system bursts again.
CUT_OFF = """
about = "A load that a provisioned rate cuts off, and credits that fall a day later"
days = 1.22

[file_system]
size_gib = 100
balance_percent = 14

[[load]]
from = "01:00"
to = "1d 06:00"
write_mib_per_second = 24

[[load]]
from = "10:00"
to = "12:00"
write_mib_per_second = 55

[[change]]
at = "02:40"
mode = "provisioned"
provisioned_mib_per_second = 60

[[change]]
at = "1d 05:00"
mode = "bursting"

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


# A day after the mode was changed the way back is still locked, because more was provisioned in between.
RAISED = """
about = "More is provisioned some hours after the first rate"
days = 1.45

[file_system]
size_gib = 100
balance_percent = 25

[[load]]
from = "08:00"
to = "16:00"
daily = true
write_mib_per_second = 50

[[change]]
at = "00:40"
mode = "provisioned"
provisioned_mib_per_second = 60

[[change]]
at = "09:25"
mode = "provisioned"
provisioned_mib_per_second = 61

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


# It has grown by a sixth when it is metered at three, and the first datapoint after a gap is of three minutes before.
METERED = """
about = "The limit is lifted minutes after a size that grew was metered"
days = 0.13

[file_system]
size_gib = 1300
balance_percent = 0
metrics_late_minutes = 3

[[load]]
from = "00:00"
to = "01:05"
write_mib_per_second = 130

[[change]]
at = "01:00"
metrics_stop_for_minutes = 117

[[change]]
at = "02:00"
size_gib = 1510
over_hours = 1

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


# Driven as fast as its Region permits, which needs a quarter more than may be provisioned in One Zone.
ONE_ZONE = """
about = "A One Zone file system at the limit"
days = 0.06

[file_system]
size_gib = 12288
balance_percent = 10
availability_zone = "us-east-1a"

[[load]]
from = "00:00"
to = "01:20"
write_mib_per_second = 1100

[[deploy]]
at = "00:20"
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


# Credits permit more than elastic or provisioned throughput reach in One Zone.
FAST_ONE_ZONE = """
about = "A One Zone file system in a Region that permits more than its other modes"
days = 0.04

[file_system]
size_gib = {size_gib}
balance_percent = {balance_percent}
availability_zone = "us-east-1a"
regional_cap_mib_per_second = 1706

[[load]]
from = "00:00"
to = "00:50"
write_mib_per_second = 1700

[[deploy]]
at = "00:05"
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("size_gib", "balance_percent", "earns_more"),
    [pytest.param(15_360, 4, False, marks=pytest.mark.more), (25_600, 1, True)],
)
def test_mails_of_a_one_zone_file_system_say_where_elastic_throughput_ends_and_leave_it_out_where_more_is_earned(
    size_gib: int, balance_percent: int, built: Path, tmp_path: Path, *, earns_more: bool
) -> None:
    fast = FAST_ONE_ZONE.format(size_gib=size_gib, balance_percent=balance_percent)
    with played(read("fast-one-zone", fast), tmp_path, deployer_of=DirectDeployer) as result:
        mails = [" ".join(one.body.split()) for one in result.sandbox.mailbox.mails if "WHAT TO DO" in one.body]
        assert mails
        cut_off = "It ends at 1,024 MiB/s in One Zone: peaks above that are cut off. Credits permit 1,500 MiB/s."
        left_out = "2. Elastic throughput does not help here: in One Zone it ends at 1,024 MiB/s, and as much is there"
        assert all((cut_off in one) is ("--throughput-mode elastic" in one) is not earns_more for one in mails)
        assert all((left_out in one) is earns_more for one in mails)
        assert wrong_figures(result) == []


def test_no_mail_of_a_one_zone_file_system_advises_more_than_may_be_provisioned_there(
    built: Path, tmp_path: Path
) -> None:
    with played(read("one-zone", ONE_ZONE), tmp_path, deployer_of=DirectDeployer) as result:
        mails = [" ".join(one.body.split()) for one in result.sandbox.mailbox.mails if "WHAT TO DO" in one.body]
        assert mails
        # With credits they may have more; without, it is better than what is left.
        ends = "in One Zone it ends at 1,024 MiB/s"
        most = "1,024 MiB/s is the most that AWS takes in One Zone"
        assert all((ends in one) is not ("--provisioned-throughput-in-mibps 1024 " in one) for one in mails)
        assert all((ends in one) is not (most in one) for one in mails)
        assert wrong_figures(result) == []


# Its size would permit 1,200 MiB/s with credits, its Region 1,024; clients have moved more than that in elastic mode.
CAPPED_WAY_BACK = """
about = "A file system that its Region caps, elastic for a day"
days = 1.1

[file_system]
size_gib = 12288
balance_percent = 60
regional_cap_mib_per_second = 1024
elastic_mib_per_second = 3072

[[load]]
from = "12:00"
to = "12:20"
write_mib_per_second = 1100

[[change]]
at = "00:40"
mode = "elastic"

[[deploy]]
at = "00:20"
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


@pytest.mark.days
def test_the_way_back_is_reckoned_by_what_a_region_permits(built: Path, tmp_path: Path) -> None:
    with played(read("capped-way-back", CAPPED_WAY_BACK), tmp_path, deployer_of=DirectDeployer) as result:
        (back,) = (one for one in result.sandbox.mailbox.mails if "The 24 hours in which AWS" in one.body)
        assert "In 20 minutes clients moved more than the 1,024 MiB/s" in " ".join(back.body.split())
        assert wrong_figures(result) == []


# With the size the bucket shrinks, what no longer fits in is gone, and less is permitted: as after another mode.
SHRUNK = """
about = "A full file system is cleaned up"
days = 0.05

[file_system]
size_gib = 3072
balance_percent = 100

[[load]]
from = "00:00"
to = "01:12"
write_mib_per_second = 20

[[change]]
at = "00:40"
size_gib = 1229

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


@pytest.mark.more
def test_a_size_that_shrank_is_not_taken_for_another_mode(built: Path, tmp_path: Path) -> None:
    with played(read("shrunk", SHRUNK), tmp_path, deployer_of=DirectDeployer) as result:
        (warning,) = (one for one in result.sandbox.mailbox.mails if one.subject.startswith("WARNING"))
        assert "mode seems to have been changed" not in " ".join(warning.body.split())
        assert wrong_figures(result) == []


# Its size gives 1,200 MiB/s with credits, its Region 1,024: which nobody knows before it has any.
UNSEEN_CAP = """
about = "A file system that may be capped, without credits from its first day"
days = 0.08

[file_system]
size_gib = 12288
balance_percent = {balance_percent}
regional_cap_mib_per_second = {cap}

[[load]]
from = "00:00"
to = "{until}"
write_mib_per_second = 1300

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
"""


@pytest.mark.parametrize(
    ("cap", "balance_percent", "until"),
    [
        (1024, 0, "01:00"),
        pytest.param(3072, 1, "00:06", marks=pytest.mark.more),
        pytest.param(1024, 8, "00:30", marks=pytest.mark.more),
    ],
)
def test_no_mail_says_what_a_region_permits_before_it_is_seen(
    cap: int, balance_percent: int, until: str, built: Path, tmp_path: Path
) -> None:
    text = UNSEEN_CAP.format(cap=cap, balance_percent=balance_percent, until=until)
    with played(read("unseen-cap", text), tmp_path, deployer_of=DirectDeployer) as result:
        bodies = [" ".join(one.body.split()) for one in result.sandbox.mailbox.mails]
        assert "slows from up to 1,200 MiB/s to 600 MiB/s" in next(one for one in bodies if "slows from" in one)
        assert any(f"driven at {min(cap, 1200):,} MiB/s" in one for one in bodies)
        assert wrong_figures(result) == []


@pytest.mark.more
def test_minutes_that_are_left_are_those_of_a_size_that_was_just_metered(built: Path, tmp_path: Path) -> None:
    with played(read("metered", METERED), tmp_path, deployer_of=DirectDeployer) as result:
        (lifted,) = (one for one in result.sandbox.mailbox.mails if one.subject.startswith("LIMIT LIFTED"))
        assert f"{lifted.time:%H:%M}" == "03:01"
        assert wrong_figures(result) == []


@pytest.mark.days
def test_that_the_balance_came_back_while_a_rate_held_clients_down_is_told(built: Path, tmp_path: Path) -> None:
    with played(read("held-down", HELD_DOWN), tmp_path, deployer_of=DirectDeployer) as result:
        (recovered,) = (one for one in result.sandbox.mailbox.mails if one.subject.startswith("RECOVERED: Warning"))
        assert "held clients down to 20 MiB/s for at least 8 h" in " ".join(recovered.body.split())
        assert "o action is needed" not in recovered.body
        assert wrong_figures(result) == []


@pytest.mark.days
def test_a_rate_that_cut_clients_off_is_told_and_none_is_offered_while_aws_refuses_one(
    built: Path, tmp_path: Path
) -> None:
    with played(read("cut-off", CUT_OFF), tmp_path, deployer_of=DirectDeployer) as result:
        *_, warning = (one for one in result.sandbox.mailbox.mails if one.subject.startswith("WARNING"))
        assert "held clients down to 60 MiB/s for at least 2 h" in " ".join(warning.body.split())
        assert "--throughput-mode" not in warning.body
        assert wrong_figures(result) == []


@pytest.mark.days
def test_after_less_was_provisioned_more_of_it_is_the_way_out(built: Path, tmp_path: Path) -> None:
    with played(read("lowered", LOWERED), tmp_path, deployer_of=DirectDeployer) as result:
        *_, gone = (one for one in result.sandbox.mailbox.mails if one.subject.startswith("GONE"))
        assert "1. Provision more throughput: a fixed limit at a fixed price. At once, locked or not." in gone.body
        assert wrong_figures(result) == []


@pytest.mark.more
def test_most_of_what_is_stored_earns_nothing_where_it_is_in_infrequent_access(built: Path, tmp_path: Path) -> None:
    with played(read("cold", COLD), tmp_path, deployer_of=DirectDeployer) as result:
        (warning,) = (one for one in result.sandbox.mailbox.mails if one.subject.startswith("WARNING"))
        told = "40 GiB in Standard, which earns credits; 4,000 GiB in Infrequent Access, which does not."
        assert told in " ".join(warning.body.split())
        assert wrong_figures(result) == []


@pytest.mark.days
def test_the_way_back_is_not_told_open_for_a_day_after_more_was_provisioned(built: Path, tmp_path: Path) -> None:
    """To the minutes in which the monitor did not know of it; what it cost is counted from the first rate on."""
    with played(read("raised", RAISED), tmp_path, deployer_of=DirectDeployer) as result:
        (back,) = (one for one in result.sandbox.mailbox.mails if "The 24 hours in which AWS" in one.body)
        assert timedelta() <= back.time - result.player.time_of(1440 + 9 * 60 + 25) <= timedelta(minutes=75)
        assert "has had up to 61 MiB/s provisioned since" in " ".join(back.body.split())
        assert wrong_figures(result) == []


@pytest.mark.more
def test_a_load_that_comes_again_is_reckoned_with_what_the_size_earns_now(built: Path, tmp_path: Path) -> None:
    """What a lifecycle policy moves out of Standard earns no more: the load of last night takes it all."""
    with played(read("tiered", TIERED), tmp_path, deployer_of=DirectDeployer) as result:
        (recovered,) = [mail for mail in result.sandbox.mailbox.mails if mail.subject.startswith("RECOVERED")]
        assert "they are gone at about 05:05 UTC on Tue" in " ".join(recovered.body.split())
        assert "No action is needed" not in recovered.body
        assert wrong_figures(result) == []


@pytest.mark.parametrize(
    ("size_gib", "balance_percent"),
    [(30_720, 4), *(pytest.param(*more, marks=pytest.mark.more) for more in ((30_720, 0), (20_900, 4)))],
)
def test_the_mails_about_credits_that_change_nothing_are_right(
    size_gib: int, balance_percent: int, built: Path, tmp_path: Path
) -> None:
    text = A_CAPPED_EVENING.format(size_gib=size_gib, balance_percent=balance_percent)
    with played(read("capped", text), tmp_path, deployer_of=DirectDeployer) as result:
        mails = [mail for mail in result.sandbox.mailbox.mails if "FIGURES" in mail.body]
        assert mails
        assert all("credits change nothing" in mail.subject and "WHAT TO DO" not in mail.body for mail in mails)
        assert wrong_figures(result) == []


# A job of each hour: of the last hour alone nobody could tell its pace.
HOURLY_JOB = """
about = "A job of a quarter of an hour in each hour"
days = 0.32

[file_system]
size_gib = 250
balance_percent = 9

[[deploy]]
[deploy.parameters]
AlertEmail = "storage-team@example.com"
""" + "".join(
    f"""
[[load]]
from = "{hour:02}:45"
to = "{hour + 1:02}:00"
write_mib_per_second = 90
"""
    for hour in range(7)
)


@pytest.mark.more
def test_an_hourly_job_is_told_when_it_ends_the_credits_in_a_pulse_and_in_a_rest(tmp_path: Path) -> None:
    with played(read("hourly-job", HOURLY_JOB), tmp_path, deployer_of=DirectDeployer) as result:
        bodies = [" ".join(mail.body.split()) for mail in result.sandbox.mailbox.mails]
        assert wrong_figures(result) == []
    assert any(" GiB) they last" in body and ", in pulses of " in body for body in bodies)
    assert any("came about every 1 h. If they go on so" in body for body in bodies)
