"""The parameters that a fleet and tags give."""

import pytest
from efs_monitor.errors import SettingsRefused
from efs_monitor.fleet.monitor_parameters import allowed_values, fleet_parameters, parameters_for, with_defaults


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
        ("WarningMinutes=9000", "MonitorParameters gives WarningMinutes as '9000': WarningMinutes must be a whole"),
        ("FileSystemId=fs-0123abcd", "leave it out"),
        ("Qqq=1", "there is no such parameter; see parameters.md"),
    ],
)
def test_what_is_wrong_in_it_is_said(text: str, sentence: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        fleet_parameters(text)
    assert sentence in str(refused.value)


TOPICS = "; ".join(f"{name}TopicArn=arn:aws:sns:us-east-1:123456789012:t" for name in ("Warning", "Critical", "Advice"))
ADDRESS = "AlertEmail=a@example.com"


def test_an_address_that_no_stack_would_subscribe_is_refused_once_for_all() -> None:
    """The fleet gives its own three topics, before whatever MonitorParameters say."""
    with pytest.raises(SettingsRefused, match=r"MonitorParameters gives AlertEmail as 'a@example.com', but all three"):
        fleet_parameters(f"{TOPICS};{ADDRESS}")
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
