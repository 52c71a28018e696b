"""The alarms on the credits as deployed: what they watch, whom they tell, and what exists before them."""

from typing import Any

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS, LEAD_ALARMS, AlarmKind, alarm_name
from efs_monitor.alarms.alarm_definition import Wiring, definition

from tests.template.template_documents import (
    FILE_SYSTEM_ID,
    STACK_NAME,
    Document,
    alarm_arn,
    depends_on,
    listed,
    of_type,
    references,
    resolved,
    transformed,
    with_includes,
    with_parameter,
)
from tools.fingerprint import fingerprint, recalculated

WIRING = Wiring(
    file_system_id=FILE_SYSTEM_ID,
    warning_topic_arn="<WarningTopic>",
    critical_topic_arn="<CriticalTopic>",
    explain_arn="<Explain.Arn>",
)
OWNED_BY_THE_RECALCULATION = {"AlarmName", "AlarmDescription", "ActionsEnabled", "Threshold"}
TOPICS = {
    AlarmKind.WARNING: "<WarningTopic>",
    AlarmKind.CRITICAL: "<CriticalTopic>",
    AlarmKind.EXHAUSTED: "<CriticalTopic>",
    AlarmKind.DRAINING: "<WarningTopic>",
}


@pytest.fixture(params=["with includes", "as transformed"])
def document(request: pytest.FixtureRequest) -> Document:
    return with_includes() if request.param == "with includes" else transformed()


def alarm(document: Document, kind: AlarmKind) -> Document:
    """The alarm's resource, found by the name it will have."""
    (found,) = (
        resource
        for resource in of_type(document, "AWS::CloudWatch::Alarm").values()
        if resolved(resource["Properties"]["AlarmName"]) == alarm_name(STACK_NAME, kind)
    )
    return found


def properties(document: Document, kind: AlarmKind) -> dict[str, Any]:
    found: dict[str, Any] = resolved(alarm(document, kind)["Properties"])
    return found


def test_the_recalculation_owns_these_alarms_and_no_other(document: Document) -> None:
    names = {resolved(one["Properties"]["AlarmName"]) for one in document["Resources"].values() if recalculated(one)}
    assert names == {alarm_name(STACK_NAME, kind) for kind in AlarmKind}
    assert not any("Condition" in one for one in document["Resources"].values() if recalculated(one))


@pytest.mark.parametrize("kind", AlarmKind)
def test_an_alarm_is_defined_as_the_recalculation_expects_it(document: Document, kind: AlarmKind) -> None:
    expected = {name: value for name, value in definition(kind, WIRING).items() if value != []}
    found = {
        name: value for name, value in properties(document, kind).items() if name not in OWNED_BY_THE_RECALCULATION
    }
    if kind is AlarmKind.RISE:
        expected |= {"AlarmActions": ["<RecalculateThresholds.Arn>"], "OKActions": ["<RecalculateThresholds.Arn>"]}
    assert found == expected


@pytest.mark.parametrize("kind", [*LEAD_ALARMS, AlarmKind.RISE])
def test_one_bad_minute_of_fifteen_alarms_and_missing_minutes_change_nothing(
    document: Document, kind: AlarmKind
) -> None:
    found = properties(document, kind)
    assert (found["Statistic"], found["Period"]) == ("Minimum", 60)
    assert (found["DatapointsToAlarm"], found["EvaluationPeriods"]) == (1, 15)
    assert found["TreatMissingData"] == "ignore"
    assert "Unit" not in found


@pytest.mark.parametrize("actions", ["AlarmActions", "OKActions"])
@pytest.mark.parametrize("kind", LEAD_ALARMS)
def test_the_severity_topic_comes_before_the_explanation(document: Document, kind: AlarmKind, actions: str) -> None:
    assert properties(document, kind)[actions] == [TOPICS[kind], "<Explain.Arn>"]


@pytest.mark.parametrize(
    ("kind", "threshold", "description"),
    [
        (AlarmKind.WARNING, "WarningThresholdBytes", "WarningDescription"),
        (AlarmKind.CRITICAL, "CriticalThresholdBytes", "CriticalDescription"),
        (AlarmKind.EXHAUSTED, "ExhaustedThresholdBytes", "ExhaustedDescription"),
        (AlarmKind.RISE, "RiseThresholdBytesPerSecond", "RiseDescription"),
    ],
)
def test_thresholds_and_texts_come_from_the_custom_resource(
    document: Document, kind: AlarmKind, threshold: str, description: str
) -> None:
    found = properties(document, kind)
    assert found["Threshold"] == f"<Thresholds.{threshold}>"
    assert found["AlarmDescription"] == f"<Thresholds.{description}>"


def test_draining_lives_by_the_minutes_of_critical_and_by_nothing_that_is_worked_out(document: Document) -> None:
    found = alarm(document, AlarmKind.DRAINING)["Properties"]
    assert found["Threshold"] == {"Ref": "CriticalMinutes"}
    assert resolved(found)["AlarmDescription"] == "<Thresholds.DrainingDescription>"
    assert resolved(found)["OKActions"] == ["<WarningTopic>"]


def test_a_suspension_silences_the_alarms_on_credits_and_never_rise(document: Document) -> None:
    for kind in CREDIT_ALARMS:
        assert properties(document, kind)["ActionsEnabled"] == "<Thresholds.ActionsEnabled>"
    assert "ActionsEnabled" not in properties(document, AlarmKind.RISE)


@pytest.mark.parametrize("kind", AlarmKind)
def test_every_function_an_alarm_calls_lets_it_in_before_the_alarm_exists(document: Document, kind: AlarmKind) -> None:
    found = alarm(document, kind)
    called = {action for action in properties(document, kind)["AlarmActions"] if action.endswith(".Arn>")}
    allowed = {
        f"{permission['FunctionName'].rstrip('>')}.Arn>"
        for name, permission in _permissions(document).items()
        if name in depends_on(found)
        and permission["SourceArn"] == alarm_arn(alarm_name(STACK_NAME, kind))
        and permission["Principal"] == "lambda.alarms.cloudwatch.amazonaws.com"
        and permission["Action"] == "lambda:InvokeFunction"
        and permission["SourceAccount"] == "123456789012"
    }
    assert called == allowed != set()


@pytest.mark.parametrize("kind", CREDIT_ALARMS)
def test_the_topic_an_alarm_tells_lets_it_in_before_the_alarm_exists(document: Document, kind: AlarmKind) -> None:
    found = alarm(document, kind)
    topic = properties(document, kind)["AlarmActions"][0]
    allowed_from = [
        arn
        for name, policy in of_type(document, "AWS::SNS::TopicPolicy").items()
        if f"<{name}>" in resolved(document["Resources"]["Thresholds"]["Properties"])["Topics"]
        and topic in resolved(policy["Properties"])["Topics"]
        for arn in listed(
            resolved(policy["Properties"])["PolicyDocument"]["Statement"][0]["Condition"]["ArnEquals"]["aws:SourceArn"]
        )
    ]
    # The alarm comes after the custom resource, and that after the policies.
    assert "Thresholds" in references(found["Properties"])
    assert allowed_from == [alarm_arn(alarm_name(STACK_NAME, one)) for one in CREDIT_ALARMS if TOPICS[one] == topic]


@pytest.mark.parametrize("kind", AlarmKind)
def test_the_recalculation_knows_new_settings_before_an_alarm_does(document: Document, kind: AlarmKind) -> None:
    found = alarm(document, kind)
    assert "RecalculateThresholds" in depends_on(found) | set(references(found["Properties"]))


def test_no_permission_waits_for_an_alarm(document: Document) -> None:
    alarms = of_type(document, "AWS::CloudWatch::Alarm").keys()
    before = of_type(document, "AWS::Lambda::Permission") | of_type(document, "AWS::SNS::TopicPolicy")
    for resource in before.values():
        assert not alarms & {*references(resource["Properties"]), *depends_on(resource)}


def test_every_parameter_that_reaches_an_alarm_recalculates_it() -> None:
    """CloudFormation writes an alarm again when such a parameter changes; the thresholds must be fresh by then."""
    document = transformed()
    assert _reaching_an_alarm(document) <= _watched(document)


def test_a_parameter_used_in_an_alarm_alone_would_be_noticed() -> None:
    document = transformed()
    document["Resources"]["RiseAlarm"]["Properties"]["Period"] = {"Fn::If": ["HasKey", 60, 120]}
    assert _reaching_an_alarm(document) - _watched(document) == {"EncryptionKeyArn"}


def test_the_custom_resource_is_given_everything_its_function_works_with(document: Document) -> None:
    needed = {
        *("FileSystemId", "WarningMinutes", "CriticalMinutes", "RiseTolerancePercent", "RunbookUrl"),
        "IoLimitAlarm",
    }
    given = document["Resources"]["Thresholds"]["Properties"]
    assert {name: given[name] for name in needed} == {name: {"Ref": name} for name in needed}


def test_the_custom_resource_gives_up_after_minutes_not_an_hour(document: Document) -> None:
    """Lambda tries again what it had no room for, and after one and three minutes what was killed."""
    given = document["Resources"]["Thresholds"]["Properties"]
    assert int(given["ServiceTimeout"]) == 300
    assert document["Resources"]["ApplyOnDeploy"]["Properties"]["Timeout"] <= 30


@pytest.mark.parametrize("name", ["Thresholds", "Topics"])
def test_what_judges_a_deployment_does_not_wait_for_a_document(document: Document, name: str) -> None:
    """CloudFormation waits half a minute for a document, and what is wrong is told sooner than that."""
    waiting, before = [name], set[str]()
    while waiting:
        resource = document["Resources"][waiting.pop()]
        named = {*references(resource["Properties"]), *depends_on(resource)} & set(document["Resources"])
        waiting += named - before
        before |= named
    assert "RunBenchmarkRole" in before
    assert "AWS::SSM::Document" not in {document["Resources"][one]["Type"] for one in before}


@pytest.mark.parametrize("name", ["WarningAlarm", "CriticalAlarm", "ExhaustedAlarm", "DrainingAlarm", "RiseAlarm"])
def test_the_fingerprint_changes_with_each_alarm(name: str) -> None:
    resources = with_includes()["Resources"]
    before = fingerprint(resources)
    resources[name]["Properties"]["EvaluationPeriods"] += 1
    assert fingerprint(resources) != before


def _permissions(document: Document) -> dict[str, dict[str, Any]]:
    found = of_type(document, "AWS::Lambda::Permission")
    return {name: resolved(permission["Properties"]) for name, permission in found.items()}


def _watched(document: Document) -> set[str]:
    """The parameters whose change makes CloudFormation ask for thresholds again."""
    return set(references(document["Resources"]["Thresholds"]["Properties"])) & set(document["Parameters"])


def _reaching_an_alarm(document: Document) -> set[str]:
    """The parameters an alarm's properties name, by themselves or in a condition, and those that the functions which
    work out or rewrite an alarm are given. The form of mails changes none, nor does a metric that is published.
    """
    functions = ("ApplyOnDeploy", "RecalculateThresholds")
    waiting = list(
        references(
            [one["Properties"] for one in of_type(document, "AWS::CloudWatch::Alarm").values()]
            + [document["Resources"][name]["Properties"]["Environment"] for name in functions]
        )
    )
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in document["Conditions"]:
            waiting += references(listed(document["Conditions"][name]))
        found.add(name)
    return found & set(document["Parameters"]) - {"ChatMessages", "Dashboard"}


def test_nothing_depends_on_a_resource_that_may_be_left_out(document: Document) -> None:
    """CloudFormation does not create what depends on a resource whose condition is false."""
    resources = document["Resources"]
    for name, resource in resources.items():
        conditions = {resources[one].get("Condition") for one in depends_on(resource)}
        assert conditions <= {None, resource.get("Condition")}, name


def test_alarms_tell_the_topics_that_were_given_once_these_were_looked_at(document: Document) -> None:
    given = {"MakesWarningTopic": False, "MakesCriticalTopic": False, "HasGivenTopic": True}
    for kind, arn in ((AlarmKind.WARNING, "WarningTopicArn"), (AlarmKind.EXHAUSTED, "CriticalTopicArn")):
        found = alarm(document, kind)["Properties"]
        assert {arn} == {one["Fn::If"][2]["Ref"] for field in ("AlarmActions", "OKActions") for one in found[field][:1]}
    assert resolved(document["Resources"]["Thresholds"]["Properties"], **given)["Topics"] == [
        *("", "", "<AdviceTopicPolicy>", "<Topics.Policies>")
    ]


def test_a_function_tells_the_topic_that_was_given_once_it_was_looked_at() -> None:
    """Lambda may refuse a topic that is not there, too, and would not say which parameter is wrong."""
    given = {"MakesAdviceTopic": False, "HasGivenTopic": True}
    functions = of_type(with_includes(), "AWS::Serverless::Function")
    settings = {name: one["Properties"].get("EventInvokeConfig", {}) for name, one in functions.items()}
    told = {name: one["DestinationConfig"]["OnFailure"] for name, one in settings.items() if "DestinationConfig" in one}
    assert len(told) == 5
    for name, destination in told.items():
        assert "Topics" in set(references(destination["Destination"]["Fn::If"][2])), name
        assert with_parameter(destination, "AdviceTopicArn", "arn", **given)["Destination"] == "arn"
