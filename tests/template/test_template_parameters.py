"""What the template lets through as a parameter, and the sentence it refuses the rest with."""

import pytest
import yaml
from efs_monitor.benchmarks.profiles import DEFAULT_PROFILE, PROFILES
from moto.core.exceptions import ServiceException

from sandbox.cloudformation.parameters import Given, texts
from tests.template.documents import as_written
from tools.fingerprint import TEMPLATE

PARAMETERS = as_written()["Parameters"]
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def accepted(name: str, value: str) -> str:
    """The value as CloudFormation takes it."""
    return texts({name: PARAMETERS[name]}, [Given(name, value)], {})[name]


def refusal(name: str, value: str) -> str:
    """The sentence CloudFormation refuses it with."""
    with pytest.raises(ServiceException) as refused:
        accepted(name, value)
    return str(refused.value.message)


@pytest.mark.parametrize("value", ["fs-01234567", "fs-89abcdef", "fs-0123456789abcdef0"])
def test_both_lengths_of_file_system_ids_are_accepted(value: str) -> None:
    assert accepted("FileSystemId", value) == value


@pytest.mark.parametrize(
    "value",
    [
        "",
        "fs-",
        "fs-0123456",
        "fs-012345678",
        "fs-0123456789abcdef",
        "fs-0123456789abcdef01",
        "fs-0123456G",
        "fs-0123ABCD",
        "FS-01234567",
        " fs-01234567",
        "fs-01234567\n",
        "fs-01234567 fs-01234567",
        "arn:aws:elasticfilesystem:us-east-1:123456789012:file-system/fs-01234567",
    ],
)
def test_any_other_file_system_id_is_refused_in_a_sentence(value: str) -> None:
    assert refusal("FileSystemId", value) == (
        "Parameter FileSystemId failed to satisfy constraint: FileSystemId must be fs- followed by 8 or 17 "
        "hexadecimal digits (0-9, a-f), as EFS shows it."
    )


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [
        *[("WarningMinutes", 2, 360), ("CriticalMinutes", 1, 359), ("RiseTolerancePercent", 1, 100)],
        ("MaxCreditSharePercent", 1, 100),
    ],
)
def test_numbers_have_bounds(name: str, lowest: int, highest: int) -> None:
    assert (accepted(name, str(lowest)), accepted(name, str(highest))) == (str(lowest), str(highest))
    for outside in (lowest - 1, highest + 1, -lowest, "many", ""):
        assert f"{name} must be from {lowest} to {highest}" in refusal(name, str(outside))


@pytest.mark.parametrize("value", ["", "team@example.com", "first.last+efs@sub.example.co.uk"])
def test_a_mail_address_or_none_is_accepted(value: str) -> None:
    assert accepted("AlertEmail", value) == value


@pytest.mark.parametrize(
    "value",
    [
        "team",
        "team.example.com",
        "@example.com",
        "team@",
        "team@localhost",
        "a@b@example.com",
        "a@example.com,b@example.com",
        "te am@example.com",
        "team@example.com\n",
        f"{'a' * 250}@example.com",
    ],
)
def test_anything_but_one_mail_address_is_refused_in_a_sentence(value: str) -> None:
    assert "AlertEmail must be one mail address with an @" in refusal("AlertEmail", value)


def test_only_the_arn_of_a_key_or_nothing_encrypts() -> None:
    assert (accepted("EncryptionKeyArn", KEY), accepted("EncryptionKeyArn", "")) == (KEY, "")
    for value in ("alias/aws/sns", KEY.replace(":key/", ":alias/"), KEY.removeprefix("arn:"), f"{KEY} "):
        assert "not of an alias" in refusal("EncryptionKeyArn", value)


def test_a_runbook_is_a_web_address_that_fits_into_a_description() -> None:
    assert accepted("RunbookUrl", "https://wiki.example.com/efs?page=1")
    for value in ("", "wiki/efs", "ftp://example.com/", "https://example.com/a b", f"https://example.com/{'a' * 256}"):
        assert "RunbookUrl must be an http or https address" in refusal("RunbookUrl", value)


@pytest.mark.parametrize("name", ["BenchmarkPath", "BenchmarkLocalPath"])
@pytest.mark.parametrize("value", ["", "/mnt/efs", "/efs", "/srv/a-b/c_d.e", f"/{'a' * 255}"])
def test_a_path_is_absolute_or_nothing(name: str, value: str) -> None:
    assert accepted(name, value) == value


@pytest.mark.parametrize("name", ["BenchmarkPath", "BenchmarkLocalPath"])
@pytest.mark.parametrize(
    "value",
    [
        *(
            "/",
            "mnt/efs",
            "/mnt/efs/",
            "/mnt//efs",
            "/mnt/../etc",
            "/mnt/.efs",
            "/mnt/e fs",
            "/mnt/efs\n",
            "/mnt/\nefs",
        ),
        *("/mnt/$(reboot)", "/mnt/`id`", "/mnt/a;b", "/mnt/a'b", '/mnt/a"b', "/mnt/a&b", "/mnt/é", f"/{'a' * 256}"),
    ],
)
def test_nothing_that_a_shell_would_read_is_a_path(name: str, value: str) -> None:
    assert f"{name} must be an absolute path" in refusal(name, value)


def test_a_path_of_the_stack_is_one_that_the_document_takes() -> None:
    document = yaml.safe_load((TEMPLATE.parent / "src" / "documents" / "benchmark.yaml").read_text())
    pattern = document["parameters"]["MountPath"]["allowedPattern"]
    assert PARAMETERS["BenchmarkPath"]["AllowedPattern"] == f"^$|{pattern}"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "rate(1 hour)",
        "rate(1 day)",
        "rate(12 hours)",
        "rate(7 days)",
        "cron(0 3 * * ? *)",
        "cron(0 3 ? * MON-FRI *)",
    ],
)
def test_a_schedule_is_a_rate_or_six_fields_or_nothing(value: str) -> None:
    assert accepted("BenchmarkSchedule", value) == value


@pytest.mark.parametrize(
    "value", ["daily", "rate(1 days)", "rate(0 days)", "rate(5 minutes)", "cron(0 3 * * *)", "at(2026-11-17T03:00:00)"]
)
def test_a_schedule_more_often_than_hourly_or_of_another_kind_is_refused(value: str) -> None:
    assert "BenchmarkSchedule must be a rate such as rate(1 day)" in refusal("BenchmarkSchedule", value)


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_up_to_five_instances_may_be_named(count: int) -> None:
    value = ",".join([*["i-0123456789abcdef0", "i-01234567"] * 3][:count])
    assert accepted("BenchmarkInstanceIds", value) == value


@pytest.mark.parametrize("value", ["web", "i-123", "mi-0123456789abcdef0", "i-01234567, i-01234568", "i-01234567,"])
def test_what_is_no_list_of_instance_ids_is_refused(value: str) -> None:
    assert "BenchmarkInstanceIds must be one to five ids" in refusal("BenchmarkInstanceIds", value)


def test_six_instances_are_too_many_to_name() -> None:
    assert "one to five ids" in refusal("BenchmarkInstanceIds", ",".join(["i-01234567"] * 6))


def test_the_profiles_are_those_of_the_catalogue() -> None:
    assert PARAMETERS["BenchmarkProfile"]["AllowedValues"] == list(PROFILES)
    assert PARAMETERS["BenchmarkProfile"]["Default"] == DEFAULT_PROFILE


def test_logs_are_kept_for_periods_that_cloudwatch_offers() -> None:
    assert accepted("LogRetentionDays", "30") == "30"
    assert "one of the periods CloudWatch Logs offers" in refusal("LogRetentionDays", "31")


def test_functions_run_on_two_architectures() -> None:
    assert (accepted("Architecture", "arm64"), accepted("Architecture", "x86_64")) == ("arm64", "x86_64")
    assert "arm64 or x86_64" in refusal("Architecture", "riscv")


def test_only_the_file_system_has_no_default() -> None:
    assert [name for name, definition in PARAMETERS.items() if "Default" not in definition] == ["FileSystemId"]


@pytest.mark.parametrize("name", [name for name in PARAMETERS if name != "FileSystemId"])
def test_every_default_keeps_to_its_own_constraint(name: str) -> None:
    assert texts({name: PARAMETERS[name]}, [], {})


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_is_described_constrained_and_grouped_once(name: str) -> None:
    definition = PARAMETERS[name]
    assert definition["Description"].strip()
    assert name in definition["ConstraintDescription"]
    assert {"AllowedPattern", "AllowedValues", "MaxValue"} & definition.keys()
    groups = as_written()["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert [group["Label"]["default"] != "" for group in groups if name in group["Parameters"]] == [True]
