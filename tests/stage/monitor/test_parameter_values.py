"""Every parameter's values, at its bounds and just beyond, through the API of the sandbox's CloudFormation."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from efs_monitor.fleet.monitor_parameters import allowed_values

from localaws.sandbox import Sandbox
from stage.direct_deployment import BUCKET, DeploymentRefused
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.template.parameter_values import INSTANCE, PARAMETERS, TOPIC
from tests.template.template_documents import with_includes

SENTENCES = {name: parameter["ConstraintDescription"] for name, parameter in with_includes()["Parameters"].items()}
MOST_TAKEN = max(len(values.taken) for values in PARAMETERS.values())
WITHOUT_PATH = "but without BenchmarkPath nothing is measured"


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[StackUnderTest]:
    """One stack for all: nothing here goes further than a change set."""
    with Sandbox(tmp_path_factory.mktemp("values")) as sandbox:
        yield StackUnderTest(sandbox=sandbox, built=built)


@pytest.fixture(autouse=True)
def _nothing_is_left(stack: StackUnderTest) -> Iterator[None]:
    yield
    assert stack.status() is None
    assert stack.sandbox.client("sns").list_topics()["Topics"] == []


@pytest.mark.whole
@pytest.mark.parametrize("name", PARAMETERS)
def test_what_is_just_beyond_is_refused_with_the_sentence_of_the_parameter(stack: StackUnderTest, name: str) -> None:
    """Two of the values; tests/template holds all of them against the same rules."""
    for value in (PARAMETERS[name].refused[0], PARAMETERS[name].refused[-1]):
        with pytest.raises(DeploymentRefused) as refused:
            stack.propose(**{name: value})
        assert refused.value.reason == f"Parameter {name} failed to satisfy constraint: {SENTENCES[name]}", value


@pytest.mark.whole
@pytest.mark.parametrize("place", range(MOST_TAKEN))
def test_what_is_at_the_bounds_is_taken_by_all_parameters_at_once(stack: StackUnderTest, place: int) -> None:
    given = {name: values.taken[min(place, len(values.taken) - 1)] for name, values in PARAMETERS.items()}
    # Options of benchmarks are refused without a path, which has its shortest value at the first place.
    if not given["BenchmarkPath"]:
        given = {name: value for name, value in given.items() if allowed_values()[name].need is None}
    # An address is refused where the stack makes no topic to subscribe it to.
    assert stack.propose(**(given | ({"CriticalTopicArn": ""} if place % 2 else {"AlertEmail": ""})))


def test_an_address_that_no_topic_would_have_is_refused_in_a_sentence(stack: StackUnderTest) -> None:
    given = dict.fromkeys(("WarningTopicArn", "CriticalTopicArn", "AdviceTopicArn"), TOPIC)
    with pytest.raises(DeploymentRefused) as refused:
        stack.propose(**given)
    assert "AlertEmail is given, but all three topics are given too" in refused.value.reason
    assert stack.propose(**given, AlertEmail="")
    assert stack.propose(**(given | {"AdviceTopicArn": ""}))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("BenchmarkSchedule", "rate(12 hours)", f"BenchmarkSchedule says when to measure, {WITHOUT_PATH}"),
        ("BenchmarkProfile", "sweep", f"BenchmarkProfile says what to measure, {WITHOUT_PATH}"),
        ("BenchmarkSizeMiB", "16", f"BenchmarkSizeMiB says how much to measure with, {WITHOUT_PATH}"),
        (
            "MaxCreditSharePercent",
            "2",
            f"the credits that benchmarks take, {WITHOUT_PATH}",
        ),
        ("MonthlyGiBBudget", "0", f"MonthlyGiBBudget bounds what benchmarks read and write, {WITHOUT_PATH}"),
        ("BenchmarkFailuresAlarm", "on", f"BenchmarkFailuresAlarm is on, {WITHOUT_PATH}"),
        ("RegressionsAlarm", "on", f"RegressionsAlarm is on, {WITHOUT_PATH}"),
        ("BenchmarkInstanceIds", INSTANCE, f"BenchmarkInstanceIds names instances, {WITHOUT_PATH}"),
        ("BenchmarkLocalPath", "/var/tmp", f"BenchmarkLocalPath is for local baselines, {WITHOUT_PATH}"),
    ],
)
def test_an_option_without_what_it_needs_is_refused_in_a_sentence(
    stack: StackUnderTest, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(DeploymentRefused) as refused:
        stack.propose(**{name: value})
    assert sentence in refused.value.reason
    assert stack.propose(**{name: value, "BenchmarkPath": "/mnt/efs"})


def test_atemplate_with_a_pattern_that_java_does_not_read_is_refused_as_a_whole(stack: StackUnderTest) -> None:
    assert stack.propose()
    s3 = stack.sandbox.client("s3")
    read = s3.get_object(Bucket=BUCKET, Key="template.json")["Body"].read().decode()
    careless = read.replace("^https?://[!#-&(-Z^-~]+$", r"^https?://[!#-[\\]-~]+$")
    s3.put_object(Bucket=BUCKET, Key="careless.json", Body=careless.encode())
    with pytest.raises(DeploymentRefused) as refused:
        StackUnderTest(
            sandbox=stack.sandbox,
            built=stack.built,
            template_url=stack.template_url.replace("template.json", "careless.json"),
        ).propose()
    assert refused.value.reason == (
        r"Template format error: AllowedPattern '^$|^https?://[!#-[\]-~]+$' of parameter RunbookUrl is not a valid "
        "regular expression: Unclosed character class near index 24"
    )
