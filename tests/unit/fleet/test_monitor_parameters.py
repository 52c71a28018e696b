"""The parameters that a fleet and tags give."""

import unicodedata

import pytest
from efs_monitor.errors import SettingsRefused
from efs_monitor.fleet.monitor_parameters import (
    allowed_values,
    fleet_parameters,
    parameters_for,
    with_defaults,
)
from efs_monitor.fleet.tag_values import NOT_BY_TAG
from hypothesis import given
from hypothesis import strategies as st


def test_parameters_are_written_in_one_text_whatever_their_values_hold() -> None:
    text = "AlertEmail=a@example.com; RunbookUrl=https://example.com/a;b=c?d=E;BenchmarkSchedule=cron(0 3 * * ? *);"
    assert fleet_parameters(text) == {
        "AlertEmail": "a@example.com",
        "RunbookUrl": "https://example.com/a;b=c?d=E",
        "BenchmarkSchedule": "cron(0 3 * * ? *)",
    }
    assert fleet_parameters("") == fleet_parameters("  ") == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("WarningMinutes", "MonitorParameters has 'WarningMinutes', but must be Name=value; Name=value"),
        ("Warning=90", "there is no such parameter; the nearest is WarningMinutes"),
        ("BenchmarkSchedule=cron(0 3 32 * ? *)", "BenchmarkSchedule is cron(0 3 32 * ? *), whose day of the month has"),
        ("WarningMinutes=9000", "MonitorParameters gives WarningMinutes as '9000': WarningMinutes must be a whole"),
        (
            "FileSystemId=fs-0123abcd",
            "FileSystemId as 'fs-0123abcd': each stack watches the file system that it is made for; leave it out",
        ),
        ("Qqq=1", "there is no such parameter; docs/parameters.md of the project lists them"),
        ("WarningMinutes=120; Dashboard=off; WarningMinutes=90", "gives WarningMinutes twice, as '120' and as '90'"),
        (
            "Architecture=arm64;Architecture=x86_64;Architecture=arm64",
            "gives Architecture twice, as 'x86_64' and as 'arm64': leave one of them out",
        ),
        (
            "PermissionsBoundaryArn=arn:aws:iam::aws:policy/of-the-fleet;PermissionsBoundaryArn=",
            "MonitorParameters gives PermissionsBoundaryArn as '': the fleet's own PermissionsBoundaryPolicy gives it",
        ),
    ],
)
def test_what_is_wrong_in_it_is_said(text: str, sentence: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        fleet_parameters(text)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("name", "of_the_fleet", "instead"),
    [
        ("WarningTopicArn", "arn:aws:sns:us-east-1:123456789012:fleet", ""),
        ("CriticalTopicArn", "arn:aws:sns:us-east-1:123456789012:fleet", ""),
        ("AdviceTopicArn", "arn:aws:sns:us-east-1:123456789012:fleet", ""),
        ("EncryptionKeyArn", "arn:aws:kms:us-east-1:123456789012:key/1a2b", ""),
        ("LogRetentionDays", "30", "90"),
        ("Architecture", "arm64", "x86_64"),
    ],
)
def test_what_the_fleet_gives_by_itself_may_be_given_otherwise_once(name: str, of_the_fleet: str, instead: str) -> None:
    assert fleet_parameters(f"{name}={of_the_fleet};{name}={instead}") == {name: instead}


@pytest.mark.parametrize(("characters", "taken"), [(256, True), (257, False)])
def test_a_text_may_be_as_long_as_its_parameter_says_and_no_longer(characters: int, *, taken: bool) -> None:
    assert allowed_values()["RunbookUrl"].allows("https://example.com/".ljust(characters, "x")) is taken


TOPICS = "; ".join(f"{name}TopicArn=arn:aws:sns:us-east-1:123456789012:t" for name in ("Warning", "Critical", "Advice"))
ADDRESS = "AlertEmail=a@example.com"


def test_an_address_that_no_stack_would_subscribe_is_refused_once_for_all() -> None:
    """The fleet gives its own three topics, before whatever MonitorParameters say."""
    with pytest.raises(SettingsRefused) as refused:
        fleet_parameters(f"{TOPICS};{ADDRESS}")
    assert str(refused.value) == (
        "MonitorParameters gives AlertEmail as 'a@example.com', but all three topics are given, and a stack subscribes "
        "nobody to those: subscribe the address to them yourself, or give WarningTopicArn, CriticalTopicArn or "
        "AdviceTopicArn empty"
    )
    assert fleet_parameters(f"{TOPICS};{ADDRESS}; AdviceTopicArn=")["AdviceTopicArn"] == ""


def test_an_address_in_a_tag_needs_a_topic_that_the_stack_makes() -> None:
    fleet, address = fleet_parameters(TOPICS), {"efs-monitor:AlertEmail": "a@example.com"}
    with pytest.raises(SettingsRefused, match=r"Its AlertEmail is 'a@example.com', but all three topics are given"):
        parameters_for("fs-1", fleet, address)
    assert parameters_for("fs-1", fleet, address | {"efs-monitor:WarningTopicArn": ""})["AlertEmail"] == "a@example.com"


def test_every_default_is_allowed_and_every_refusal_names_its_parameter() -> None:
    for name, value in with_defaults({}).items():
        assert allowed_values()[name].allows(value), name
    assert all(one.sentence.startswith(f"{name} must be") for name, one in allowed_values().items())


def test_a_baseline_on_the_very_file_system_is_refused_for_the_one_whose_tag_puts_it_there() -> None:
    fleet = fleet_parameters("BenchmarkLocalPath=/srv/scratch")
    assert parameters_for("fs-1", fleet, {"efs-monitor:BenchmarkPath": "/mnt/efs"})["BenchmarkPath"] == "/mnt/efs"
    with pytest.raises(SettingsRefused, match=r"^BenchmarkLocalPath is /srv/scratch, which lies on the file system"):
        parameters_for("fs-2", fleet, {"efs-monitor:BenchmarkPath": "/srv"})


MEASURED = {"BenchmarkPath": "/mnt/efs"}
RATES = st.integers(2, 999).flatmap(
    lambda count: st.sampled_from(["1 hour", "1 day", f"{count} hours", f"{count} days"])
)


def from_a_tag(name: str, value: str) -> str:
    """What a stack is given for the parameter of that name, which EFS must take as the value of a tag."""
    assert len(value) <= 256
    assert all(one in "_.:/=+-@" or unicodedata.category(one)[0] in "LZN" for one in value)
    return parameters_for("fs-1", MEASURED, {f"efs-monitor:{name}": value})[name]


@given(RATES)
def test_a_tag_holds_every_rate_without_its_parentheses_which_efs_takes_in_no_tag(rate: str) -> None:
    assert from_a_tag("BenchmarkSchedule", f"rate {rate}") == f"rate({rate})"


@pytest.mark.parametrize("name", sorted(with_defaults({}).keys() - NOT_BY_TAG))
def test_what_a_tag_can_hold_as_it_is_means_just_that(name: str) -> None:
    value = "" if name == "BenchmarkSchedule" else with_defaults({})[name]
    assert from_a_tag(name, value) == value


@pytest.mark.parametrize("value", ["cron 0 3 L", "rate 1 minute"])
def test_a_tag_that_is_written_otherwise_is_refused_by_what_a_tag_can_hold(value: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        from_a_tag("BenchmarkSchedule", value)
    assert str(refused.value) == (
        f"Its tag efs-monitor:BenchmarkSchedule is {value!r}: a tag holds a rate, written as rate 1 day, at most "
        "hourly, or nothing; a cron, whose signs EFS takes in no tag, MonitorParameters give."
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BenchmarkInstanceIds", "i-0123456789abcdef0"),
        ("BenchmarkInstanceIds", ""),
        ("BenchmarkLocalPath", "/etc"),
    ],
)
def test_no_tag_says_on_which_instance_and_where_on_it_a_benchmark_runs(name: str, value: str) -> None:
    """It runs as root, and whoever may tag a file system need not be somebody who may."""
    with pytest.raises(SettingsRefused) as refused:
        parameters_for("fs-1", MEASURED, {f"efs-monitor:{name}": value})
    said = f"Its tag efs-monitor:{name} is {value!r}: no tag may say where a benchmark runs; MonitorParameters give it"
    assert str(refused.value).startswith(said)
    given = fleet_parameters(f"{name}={value}")
    assert parameters_for("fs-1", MEASURED | given, {})[name] == value


def test_no_tag_says_what_a_role_may_do() -> None:
    with pytest.raises(SettingsRefused) as refused:
        parameters_for("fs-1", {}, {"efs-monitor:PermissionsBoundaryArn": "arn:aws:iam::aws:policy/mine"})
    assert str(refused.value) == (
        "Its tag efs-monitor:PermissionsBoundaryArn is 'arn:aws:iam::aws:policy/mine': no tag may say what a role may "
        "do; the fleet's own PermissionsBoundaryPolicy does"
    )


@pytest.mark.parametrize(
    "key",
    [
        "efs-monitor:warningMinutes",
        "efs-monitor:WARNINGMINUTES",
        "efs-monitor: WarningMinutes",
        "efs-monitor:WarningMinutes ",
        "efs-monitor:Warning Minutes",
        "EFS-Monitor:WarningMinutes",
        " efs-monitor :warningminutes",
    ],
)
def test_a_tag_that_is_called_like_a_parameter_but_for_case_and_spaces_is_refused_with_the_right_spelling(
    key: str,
) -> None:
    with pytest.raises(SettingsRefused) as refused:
        parameters_for("fs-1", {}, {key: "240"})
    assert str(refused.value) == (
        f"Its tag {key!r} is called almost like a parameter: a tag for WarningMinutes is efs-monitor:WarningMinutes, "
        "with these capitals and without spaces"
    )


@pytest.mark.parametrize("key", ["efs-monitor:fleet", "efs-monitor:", "WarningMinutes", "warningminutes", "Dashboard"])
def test_what_else_a_file_system_is_tagged_with_says_nothing_to_the_fleet(key: str) -> None:
    assert parameters_for("fs-1", {}, {key: "x"}) == {"FileSystemId": "fs-1", "Dashboard": "off"}


def test_a_tag_without_the_path_that_it_needs_is_told_as_it_was_written() -> None:
    with pytest.raises(
        SettingsRefused, match=r"^Its tag efs-monitor:BenchmarkSchedule is 'rate 2 days': .*give the path"
    ):
        parameters_for("fs-1", {}, {"efs-monitor:BenchmarkSchedule": "rate 2 days"})
