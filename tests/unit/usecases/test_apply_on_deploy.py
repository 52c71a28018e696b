"""What the custom resource gives the template."""

import json
from dataclasses import replace

from efs_monitor.alarms.alarm import WAKING, AlarmKind
from efs_monitor.alarms.decision import CurrentThresholds, Decision, decide
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws.custom_resource import LONGEST_ANSWER_BYTES
from efs_monitor.efs.credits import TIB
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.efs.observations import Observations
from efs_monitor.mail.descriptions import alarm_description
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.usecases.apply_on_deploy import attributes
from hypothesis import example, given
from hypothesis import strategies as st

from tests.template.template_documents import references, with_includes
from tests.unit.mail.mail_cases import GOVERNMENT, HERE
from tests.unit.strategies import DEFAULTS, bursting, elastic, file_systems, observations, provisioned, seen, settings

LONGEST = Settings(warning_minutes=360, critical_minutes=340, rise_tolerance_percent=100)
# The longest names that a partition, or a Region, has.
ISOLATED = replace(GOVERNMENT, partition="aws-iso-b", region="us-isob-east-1")
places = st.sampled_from([GOVERNMENT, ISOLATED])
# EFS names no largest size: as far as nobody has one, in each mode that lives on credits.
huge = st.builds(bursting, st.integers(64 * TIB, 9_999 * TIB))
longest_sizes = (
    huge
    | st.builds(replace, huge, max_io=st.just(True))
    | st.builds(provisioned, st.floats(1, 3000), st.integers(64 * TIB, 9_999 * TIB))
)
ASLEEP = CurrentThresholds(
    warning_bytes=1, critical_bytes=1, exhausted_bytes=1, rise_bytes_per_second=1, suspended=True
)


def test_a_first_deployment_gets_armed_alarms_with_numbers_as_text() -> None:
    decision = decide(bursting(2 * TIB), seen(), DEFAULTS)
    given = attributes(decision, HERE)
    assert given["WarningThresholdBytes"] == "2264924160000"
    assert given["CriticalThresholdBytes"] == "754974720000"
    assert given["ExhaustedThresholdBytes"] == "12582912000"
    assert given["RiseThresholdBytesPerSecond"] == "230686720"
    assert given["ReferenceBytesPerSecond"] == "209715200"
    assert (given["ActionsEnabled"], given["State"]) == ("true", "armed")
    assert given["WarningDescription"] == alarm_description(AlarmKind.WARNING, decision, HERE)
    assert given["CriticalDescription"] == alarm_description(AlarmKind.CRITICAL, decision, HERE)
    assert given["ExhaustedDescription"] == alarm_description(AlarmKind.EXHAUSTED, decision, HERE)
    assert given["DrainingDescription"] == alarm_description(AlarmKind.DRAINING, decision, HERE)
    assert given["RiseDescription"] == alarm_description(AlarmKind.RISE, decision, HERE)
    assert given["Reason"] == decision.reason


def test_an_elastic_file_system_is_deployed_suspended_and_marked() -> None:
    given = attributes(decide(elastic(), seen(), DEFAULTS), HERE)
    assert (given["ActionsEnabled"], given["State"]) == ("false", "suspended")
    assert given["WarningDescription"].startswith("[suspended]")
    assert given["CriticalDescription"].startswith("[suspended]")
    assert given["ExhaustedDescription"].startswith("[suspended]")
    assert given["DrainingDescription"].startswith("[suspended]")
    assert not given["RiseDescription"].startswith("[suspended]")


def test_an_alarm_that_must_be_woken_stays_asleep_until_the_next_recalculation() -> None:
    """CloudFormation cannot make the steps that let an alarm which is already low mail again."""
    given = attributes(decide(bursting(), seen(), DEFAULTS, ASLEEP), HERE)
    assert (given["WarningDescription"], given["CriticalDescription"]) == (WAKING, WAKING)
    assert (given["ExhaustedDescription"], given["DrainingDescription"]) == (WAKING, WAKING)
    assert (given["ActionsEnabled"], given["State"]) == ("false", "suspended")


@given(file_systems, observations)
def test_every_number_is_text_without_an_exponent(file_system: FileSystem, seen: Observations) -> None:
    given = attributes(decide(file_system, seen, DEFAULTS), HERE)
    assert all(given[name].isdigit() for name in given if "Bytes" in name)
    assert all(isinstance(value, str) for value in given.values())


@given(
    longest_sizes | file_systems,
    observations,
    settings(),
    st.none() | st.tuples(st.sampled_from([0.5, 1, 2]), st.booleans()),
    places,
)
@example(bursting(22_517_998_157_824), seen(), DEFAULTS, None, GOVERNMENT)
@example(bursting(9_999 * TIB), seen(), LONGEST, (1, False), ISOLATED)
def test_everything_fits_into_an_answer_to_cloudformation(
    file_system: FileSystem,
    seen: Observations,
    settings: Settings,
    before: tuple[float, bool] | None,
    place: StackContext,
) -> None:
    """Also that of an update, whose reason says more: `before` is how far the alarms are from what is right, and
    whether they sleep.
    """
    place = replace(place, stack_name="s" * 128, runbook_url=f"https://{'r' * 248}")
    stack = f"{place.region}:{place.account_id}:stack/{place.stack_name}"
    live = alarms_of(decide(file_system, seen, settings), *before) if before else None
    body = {
        "Status": "SUCCESS",
        "Reason": "",
        "PhysicalResourceId": f"Thresholds-{'i' * 36}",
        "StackId": f"arn:{place.partition}:cloudformation:{stack}/{'i' * 36}",
        "RequestId": "i" * 36,
        "LogicalResourceId": "Thresholds",
        "Data": attributes(decide(file_system, seen, settings, live), place),
    }
    assert len(json.dumps(body).encode()) <= LONGEST_ANSWER_BYTES


def alarms_of(decision: Decision, share: float, suspended: bool) -> CurrentThresholds:
    """Alarms at this share of what a decision would have them at."""
    return CurrentThresholds(
        warning_bytes=decision.thresholds.warning_bytes * share,
        critical_bytes=decision.thresholds.critical_bytes * share,
        exhausted_bytes=decision.thresholds.exhausted_bytes * share,
        rise_bytes_per_second=decision.thresholds.rise_bytes_per_second * share,
        suspended=suspended,
    )


def test_the_template_asks_for_nothing_else() -> None:
    document = with_includes()
    asked = {
        value["Fn::GetAtt"][1]
        for section in (document["Resources"], document["Outputs"])
        for value in _calls(section)
        if value["Fn::GetAtt"][0] == "Thresholds"
    }
    assert asked == attributes(decide(bursting(), seen(), DEFAULTS), HERE).keys()
    assert "Thresholds" in set(references(document["Outputs"]))


def _calls(value: object) -> list[dict[str, list[str]]]:
    if isinstance(value, list):
        return [call for item in value for call in _calls(item)]
    if not isinstance(value, dict):
        return []
    return ([value] if "Fn::GetAtt" in value else []) + [call for item in value.values() for call in _calls(item)]
