"""A scenario of one's own that is written wrongly is refused with the key, the value, and what to give instead."""

import re
from typing import get_args

import pytest

from operate.template_files import template
from stage.scenario import FOLDER, Scenario, read
from stage.scenario_tables import AlarmName, ScenarioError, TopicName
from tests.unit.docs.pages import blocks

HEAD = 'about = "x"\n'
DAYS = "days = 1\n"
SYSTEM = "[file_system]\nsize_gib = 1\n"
WHOLE = HEAD + DAYS + SYSTEM
INSTANCE = '[[instance]]\nid = "i-0123456789abcdef0"\n'


def load(hours: str, rest: str = "write_mib_per_second = 1") -> str:
    start, end = hours.split(" to ")
    return f'[[load]]\nfrom = "{start}"\nto = "{end}"\n{rest}\n'


def change(rest: str, at: str = '"01:00"') -> str:
    return f"[[change]]\nat = {at}\n{rest}\n"


def deploy(parameters: str) -> str:
    return f"[[deploy]]\n[deploy.parameters]\n{parameters}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # Not a table, or not one of many.
        (WHOLE + '[load]\nfrom = "00:00"\n', "load must be headed [[load]], once for each"),
        (WHOLE + "[deploy]\nnew_code = true\n", "deploy must be headed [[deploy]], once for each"),
        (WHOLE + "[[expect]]\nmails = []\n", "expect must be headed [expect], with its keys below"),
        ("load = [3]\n" + WHOLE, "load must be headed [[load]], once for each"),
        (HEAD + DAYS + "file_system = 3\n", "file_system must be headed [file_system], with its keys below"),
        ("about = \n", "Scenario own is no TOML that can be read: Invalid value (at line 1, column 9)"),
        # Missing, or mistyped.
        (HEAD + SYSTEM, "'days' is missing"),
        (HEAD + DAYS, "'file_system' is missing"),
        (WHOLE + load("00:00 to 01:00", "write_mib = 1"), "nobody knows what 'write_mib' means in [[load]] number 1"),
        (
            WHOLE + change("size_gib = 2") + change("size_gb = 2"),
            "nobody knows what 'size_gb' means in [[change]] number 2: the nearest is size_gib",
        ),
        (
            WHOLE + deploy("WarningMinuts = 120"),
            "'WarningMinuts' in [[deploy]] number 1: there is no such parameter; the nearest is WarningMinutes",
        ),
        (
            WHOLE + deploy('AlertEmail = "nobody"'),
            "AlertEmail is 'nobody' in [[deploy]] number 1: AlertEmail must be one mail address in ASCII",
        ),
        (
            WHOLE + deploy("") + deploy("WarningMinutes = 100000000"),
            "WarningMinutes is '100000000' in [[deploy]] number 2: WarningMinutes must be",
        ),
        (WHOLE + "[expect]\nmial = []\n", "nobody knows what 'mial' means in [expect]: the nearest is mails"),
        # Of another kind.
        ("about = 5\n" + DAYS + SYSTEM, "about is 5: give a text, in quotation marks"),
        (HEAD + 'days = "three"\n' + SYSTEM, "days is 'three': give a number that is not below zero"),
        (WHOLE + "name = 5\n", "name is 5 in [file_system]: give a text, in quotation marks"),
        (HEAD + DAYS + '[file_system]\nsize_gib = "big"\n', "size_gib is 'big' in [file_system]: give a number"),
        (
            WHOLE + 'balance_percent = "30"\n',
            "balance_percent is '30' in [file_system]: give it without quotation marks",
        ),
        (WHOLE + 'metrics_late_minutes = "5"\n', "is '5' in [file_system]: give it without quotation marks"),
        (WHOLE + 'balance_percent = "full"\n', "balance_percent is 'full' in [file_system]: give a number"),
        (WHOLE + change("size_gib = true"), "size_gib is True in [[change]] number 1: give a number"),
        (WHOLE + "metrics_late_minutes = 1.5\n", "metrics_late_minutes is 1.5 in [file_system]: give a whole number"),
        (WHOLE + load("01:00 to 02:00", 'daily = "yes"'), "daily is 'yes' in [[load]] number 1: give true or false"),
        (WHOLE + '[expect]\nalarms = "x"\n', "alarms is 'x' in [expect]: give a list of texts, in [ and ]"),
        (WHOLE + "[expect]\nmails = ['a', 3]\n", "entry 2 of mails is 3 in [expect]: give a text"),
        (WHOLE + "[[deploy]]\nparameters = 3\n", "parameters is 3 in [[deploy]] number 1: give a table"),
        # Of the right kind, and impossible.
        (HEAD + "days = -2\n" + SYSTEM, "days is -2: give a number above zero"),
        (HEAD + "days = 0\n" + SYSTEM, "days is 0: give a number above zero"),
        (HEAD + "days = nan\n" + SYSTEM, "days is nan: give a number"),
        (WHOLE + "infrequent_access_gib = -1\n", "infrequent_access_gib is -1 in [file_system]: give a number"),
        (WHOLE + "balance_percent = 180\n", "balance_percent is 180 in [file_system]: give a number that is not above"),
        (WHOLE + 'id = "fs-x"\n', "id is 'fs-x' in [file_system]: give an id such as 'fs-0123456789abcdef0'"),
        (WHOLE + 'mount = "slow"\n', "mount is 'slow' in [file_system]: there is no such mount; there are plain, "),
        (WHOLE + 'mode = "elastc"\n', "mode is 'elastc' in [file_system]: give 'bursting', 'provisioned' or 'elastic'"),
        (WHOLE + change('mode = "elastc"'), "mode is 'elastc' in [[change]] number 1: give 'bursting', 'provisioned'"),
        (WHOLE + change('subscribe = "critcal"'), "subscribe is 'critcal' in [[change]] number 1: give 'warning', "),
        (
            WHOLE + change('delete_alarm = "critcal"'),
            "delete_alarm is 'critcal' in [[change]] number 1: give 'warning'",
        ),
        (
            WHOLE + 'availability_zone = "us-east-1"\n',
            "is 'us-east-1' in [file_system]: give a zone of the Region us-east-1, such as 'us-east-1a'",
        ),
        (
            WHOLE + change("delete = true", "'1:00'"),
            "at is '1:00' in [[change]] number 1: give a time such as '1d 04:30'",
        ),
        (WHOLE + change("delete = true", "01:00:00"), "at is 01:00:00 in [[change]] number 1: give a time such as"),
        (WHOLE + load("00:75 to 02:00"), "from is '00:75' in [[load]] number 1: give a time such as"),
        (
            WHOLE + load("00:00 to 01:00", "write_mib_per_second = -1"),
            "write_mib_per_second is -1 in [[load]] number 1",
        ),
        (
            WHOLE + load("25:00 to 1d 02:00"),
            "from is '25:00' in [[load]] number 1: a day ends at 24:00: give '1d 01:00'",
        ),
        (WHOLE + change("delete = true", '"24:01"'), "a day ends at 24:00: give '1d 00:01' if you mean the next day"),
        (WHOLE + '[[instance]]\nid = "i-1"\n', "id is 'i-1' in [[instance]] number 1: give an id such as 'i-0123456"),
        (WHOLE + INSTANCE + 'type = "big"\n', "type is 'big' in [[instance]] number 1: give a type such as 'm5.large'"),
        (WHOLE + INSTANCE + 'agent = "newest"\n', "agent is 'newest' in [[instance]] number 1: give a version such as"),
        # Nothing comes of it.
        (
            WHOLE + load("05:00 to 04:00"),
            "to 0d 04:00, which is never: give a later time as `to`; of one that ends on the next day, such as '1d",
        ),
        (WHOLE + load("05:00 to 05:00", "daily = true"), "which is never: give a later time as `to`"),
        (WHOLE + load("1d 05:00 to 1d 06:00", "daily = true"), "give hours of a day, from '00:00' to '24:00'"),
        (WHOLE + load("01:00 to 02:00", ""), "[[load]] number 1: it moves nothing: give read_mib_per_second"),
        (WHOLE + INSTANCE * 2, "there are 2 [[instance]] with the id 'i-0123456789abcdef0': give each its own"),
        (WHOLE + change(""), "[[change]] number 1: it changes nothing: give what happens then"),
        (WHOLE + change('restore_alarm = "critical"'), "puts the alarm 'critical' back: delete it before"),
        (WHOLE + change('unmount = "i-1"'), "is of the instance 'i-1': give an [[instance]] with this id, or one of"),
        # Half of it.
        (WHOLE + change('mode = "provisioned"'), "mode = 'provisioned' needs a rate: give provisioned_mib_per_second"),
        (WHOLE + 'mode = "provisioned"\nprovisioned_mib_per_second = 0.5\n', "of 1 or more, and not 0.5"),
        (WHOLE + "provisioned_mib_per_second = 5\n", "it goes with mode = 'provisioned' alone"),
    ],
)
def test_what_is_written_wrongly_is_named_with_its_value(text: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(said)):
        read("own", text)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ScenarioError) as refused:
        read("own", 'about = "x"\n[file_system]\nsize_gb = 1\n')
    assert str(refused.value).splitlines() == [
        "Scenario own:",
        "- 'days' is missing",
        "- 'size_gib' is missing in [file_system]",
        "- nobody knows what 'size_gb' means in [file_system]: the nearest is size_gib",
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (load("1d 00:00 to 1d 01:00"), "The [[load]] from 1d 00:00"),
        (change("delete = true", '"1d 02:00"'), "The [[change]] at 1d 02:00"),
        ('[[deploy]]\nat = "2d 00:00"\n', "The [[deploy]] at 2d 00:00"),
    ],
)
def test_what_begins_after_the_end_is_told_and_is_no_error(text: str, what: str) -> None:
    assert read("own", WHOLE + text).never_played == (f"{what} never comes: the scenario is over at 1d 00:00",)


@pytest.mark.parametrize("hours", ["00:00 to 24:00", "22:00 to 24:00", "22:00 to 02:00"])
def test_daily_hours_may_end_at_midnight_or_cross_it(hours: str) -> None:
    (one,) = read("own", WHOLE + load(hours, "daily = true\nwrite_mib_per_second = 1")).loads
    assert one.holds_at(23 * 60)
    assert one.holds_at(2 * 1440 - 1)


def test_parameters_may_be_written_as_numbers_and_booleans() -> None:
    (one,) = read("own", WHOLE + deploy('WarningMinutes = 120\nAlertEmail = "a@example.com"')).deployments
    assert one.parameters == {"WarningMinutes": "120", "AlertEmail": "a@example.com"}


@pytest.mark.parametrize(
    ("kind", "key", "known"),
    [
        ("AWS::CloudWatch::Alarm", "AlarmName", get_args(AlarmName.__value__)),
        ("AWS::SNS::Topic", "TopicName", get_args(TopicName.__value__)),
    ],
)
def test_each_alarm_and_topic_of_the_template_can_be_named(kind: str, key: str, known: tuple[str, ...]) -> None:
    named = [
        one["Properties"][key]["Fn::Sub"].removeprefix("${AWS::StackName}-")
        for one in template()["Resources"].values()
        if one["Type"] == kind
    ]
    assert sorted(named) == sorted(known)


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_of_our_own_scenarios_everything_is_played(name: str) -> None:
    assert Scenario.named(name).never_played == ()


def test_the_scenario_that_the_documents_show_is_one() -> None:
    (shown,) = blocks("docs/without-an-account.md", "toml")
    scenario = read("mine", shown.text)
    assert scenario.never_played == ()
    assert (scenario.minutes, len(scenario.loads), len(scenario.changes)) == (2 * 1440, 1, 1)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "out/mine.toml",
            "There is no file 'out/mine.toml': give the path of one, or the name of a file in scenarios/",
        ),
        ("out/grwth.toml", "There is no file 'out/grwth.toml': the scenario whose name is nearest is growth"),
        ("grwth", "There is no scenario 'grwth': the scenario whose name is nearest is growth; there are"),
        ("xyz", "There is no scenario 'xyz'; there are"),
    ],
)
def test_a_scenario_that_there_is_not_is_answered_with_the_nearest(name: str, says: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        Scenario.named(name)
    assert str(refused.value).startswith(says)
