"""The commands that the documents give can be typed as they stand."""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator

import botocore.session
import jmespath
import pytest
from botocore import xform_name
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.events import trigger

from operate.template_files import template
from tests.unit.docs.pages import PAGES, PROJECT, blocks, code

OWN_FILES = (".ci/run", ".pre-commit-config.yaml")
CI = (PROJECT / ".ci/run").read_text()
WORKFLOW = (PROJECT / ".github/workflows/ci.yml").read_text()
TARGETS = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
# Of the command line itself, for every service.
GLOBAL_OPTIONS = {"region", "query", "output"}
# The command line calls these otherwise than the API.
RENAMED = {("sns", "notification-endpoint"): "endpoint"}
SESSION = botocore.session.get_session()
# What GNU's tools know and those of macOS do not, or the other way round.
NOT_EVERYWHERE = re.compile(r"\bdate [^|)]*-[dv]\b|\bsed -i\b|\bgrep -P|\bbase64 -w|\breadlink -f|\bstat -[cf]\b")


def _aws_commands() -> Iterator[tuple[str, str, set[str]]]:
    for page in PAGES:
        for block in blocks(page, "sh"):
            for line in block.text.replace("\\\n", " ").splitlines():
                for service, operation, rest in re.findall(r"(?<![\w-])aws ([a-z]+) ([a-z-]+)(.*)", line):
                    yield service, operation, set(re.findall(r"(?<=\s)--([a-z0-9-]+)", rest))


@pytest.mark.parametrize("page", PAGES)
def test_what_is_pasted_works_on_linux_and_macos(page: str) -> None:
    assert [found[0] for text in code(page) for found in NOT_EVERYWHERE.finditer(text)] == []


def test_what_works_on_one_of_them_only_is_noticed() -> None:
    assert NOT_EVERYWHERE.search("""--start-time "$(date -u -d '-3 hours' +%FT%TZ)\"""")
    assert not NOT_EVERYWHERE.search('--start-time "$(($(date +%s) - 10800))" --end-time "$(date +%s)"')


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_that_is_named_exists(page: str) -> None:
    named = {target for text in code(page) for target in re.findall(r"\bmake ([a-z-]+)", text)}

    assert named <= TARGETS


def test_outputs_are_shown_by_name_and_value_alone_and_in_no_table() -> None:
    """With their descriptions, and as wide as the longest of them, a table of them has lines of 330 columns."""
    # What is not a page writes that of a release.
    shown = [*(text for page in PAGES for text in code(page)), (PROJECT / "tools" / "package.py").read_text()]
    asked = [found for text in shown for found in re.findall(r"'(Stacks\[0\]\.Outputs[^']*)' --output (\w+)", text)]
    assert len(asked) >= 3
    assert set(asked) == {("Stacks[0].Outputs[].[OutputKey, OutputValue]", "text")}


def test_what_is_called_after_a_stack_is_called_so_in_the_template() -> None:
    given = set(re.findall(r"\$\{AWS::StackName\}([-/][a-z/-]+)", json.dumps(template()["Resources"])))
    named = {ending for page in PAGES for text in code(page) for ending in re.findall(r"\$STACK([-/][a-z/-]+)", text)}

    assert named
    assert named <= given


@pytest.mark.parametrize("file", OWN_FILES)
def test_hooks_and_ci_run_make_targets_that_exist(file: str) -> None:
    lines = (PROJECT / file).read_text().splitlines()
    run = {line.split()[-1] for line in lines if re.match(r"( *(- run|entry): )?make [a-z]+$", line)}

    assert run
    assert run <= TARGETS


def test_ci_runs_all_tests_and_lets_none_be_skipped_then_the_other_linters_and_then_the_demo() -> None:
    run = re.findall(r"^make (.+)$", CI, re.MULTILINE)
    assert run == ["test WHOLE=1", "oldest BUILT=1", "demo"]
    # Beside what somebody types, with its end waited for.
    assert '{ make security && make shellcheck; } >"$judged" 2>&1 &\njudges=$!\n' in CI
    assert 'wait "$judges" || {\n    cat "$judged"\n    exit 1\n}\n' in CI


def test_ci_runs_every_function_in_a_container_and_nowhere_else() -> None:
    """With an end, as a container may never answer."""
    bounded = '.ci/with-docker timeout --signal=INT --kill-after=30 "$container_seconds"'
    called = re.findall(r"(\S*with-docker.*|\S+) make local-invoke\b( CONTAINERS=1)?", CI)
    assert called == [(bounded, " CONTAINERS=1")]
    # Beside the other checks, and alone where that failed.
    assert len(re.findall(r"^(?:in_containers &|if ! wait .* ! in_containers; then)$", CI, re.MULTILINE)) == 2


def test_the_workflow_runs_the_same_ci_and_leaves_nothing_of_it_out() -> None:
    """As root, as .ci/run must be: some tests mount, and it installs what they need."""
    run = re.findall(r"^ *- run: (.+)$", WORKFLOW, re.MULTILINE)
    assert run == ['sudo env "PATH=$PATH" .ci/run', 'sudo env "PATH=$PATH" make prove PROOF=days']


# No calls of an API: the command line puts them together itself. tests/stage/test_bundle.py runs the first two.
OF_THE_COMMAND_LINE = {
    ("cloudformation", "package"): {"template-file", "s3-bucket", "s3-prefix", "output-template-file", "use-json"},
    ("cloudformation", "deploy"): {
        *("template-file", "stack-name", "s3-bucket", "s3-prefix", "capabilities", "parameter-overrides"),
    },
    # For what botocore calls a waiter: here change_set_create_complete.
    ("cloudformation", "wait"): {"stack-name", "change-set-name"},
}


@pytest.mark.parametrize(("service", "operation", "options"), _aws_commands())
def test_every_aws_command_is_one_with_options_it_has_and_all_that_it_requires(
    service: str, operation: str, options: set[str]
) -> None:
    if (service, operation) in OF_THE_COMMAND_LINE:
        assert options <= OF_THE_COMMAND_LINE[service, operation]
        return
    model = SESSION.get_service_model(service)
    by_command = {xform_name(name, "-"): name for name in model.operation_names}
    assert operation in by_command, f"aws {service} has no {operation}"

    shape = model.operation_model(by_command[operation]).input_shape
    assert shape is not None
    known = {xform_name(member, "-") for member in shape.members}
    required = {xform_name(member, "-") for member in shape.required_members}
    given = {RENAMED.get((service, option), option) for option in options} - GLOBAL_OPTIONS
    assert given <= known
    assert required <= given


GOLDEN_MAILS = sorted((PROJECT / "tests/unit/mail/golden").rglob("*.txt"))


def test_what_cloudformation_finds_a_name_for_is_not_looked_for_by_the_name_of_the_stack() -> None:
    """It takes the beginning of a long one alone (IdentifierUtils of its cloudformation-cli-java-plugin)."""
    texts = [text for page in PAGES for text in code(page)] + [mail.read_text() for mail in GOLDEN_MAILS]
    by_prefix = {
        (service, operation)
        for text in texts
        for service, operation in re.findall(r"aws ([a-z]+) ([a-z-]+)[^\n|]*--[a-z-]*prefix", text.replace("\\\n", " "))
    }
    # The names of alarms are the template's; uploads are put below a prefix.
    assert by_prefix <= {("cloudwatch", "describe-alarms"), *OF_THE_COMMAND_LINE}


def test_the_documents_do_give_aws_commands() -> None:
    assert ("efs", "update-file-system") in {(service, operation) for service, operation, _ in _aws_commands()}


def test_the_sample_environment_sets_parameters_that_the_template_has() -> None:
    (sample,) = blocks("README.md", "toml")
    (environment,) = tomllib.loads(sample.text).values()
    overrides = environment["deploy"]["parameters"]["parameter_overrides"]

    assert {override.partition("=")[0] for override in overrides} <= template()["Parameters"].keys()


def test_the_key_policy_lets_cloudwatch_encrypt_what_alarms_publish() -> None:
    policies = [json.loads(block.text) for block in blocks("docs/integrations.md", "json")]
    (statements,) = [policy["Statement"] for policy in policies if "Statement" in policy]
    (cloudwatch,) = [one for one in statements if one["Principal"] == {"Service": "cloudwatch.amazonaws.com"}]

    assert cloudwatch["Effect"] == "Allow"
    assert cloudwatch["Action"] == ["kms:Decrypt", "kms:GenerateDataKey*"]


# An account of an example, which stands in an ARN that is replaced as a whole.
EXAMPLE = re.compile(r"[0-9]{12}")


def _arns_of_policies(page: str) -> Iterator[list[str]]:
    """Each ARN in a policy of the page, by its six parts."""
    for block in blocks(page, "json"):
        if '"Effect"' in block.text:
            yield from (arn.split(":", 5) for arn in re.findall(r'"(arn:[^"]+)"', block.text))


@pytest.mark.parametrize("page", PAGES)
def test_a_policy_names_no_partition_where_nobody_replaces_its_arn(page: str) -> None:
    """In GovCloud, China and the European Sovereign Cloud `arn:aws:` is no ARN: such a Deny would hit everybody."""
    kept = [arn for arn in _arns_of_policies(page) if not EXAMPLE.fullmatch(arn[4])]

    assert [":".join(arn) for arn in kept if arn[1] != "*"] == []


def test_there_are_arns_of_both_kinds_in_policies() -> None:
    accounts = [arn[4] for page in PAGES for arn in _arns_of_policies(page)]

    assert {bool(EXAMPLE.fullmatch(account)) for account in accounts} == {True, False}


def test_the_sample_failure_record_was_asked_by_the_schedule() -> None:
    records = [json.loads(block.text) for block in blocks("docs/runbook.md", "json")]
    (record,) = [record for record in records if "requestPayload" in record]

    assert trigger(record["requestPayload"], "efs-monitor-home") == "schedule"


# What JMESPath says of texts in back quotes alone, which the AWS command line reads all the same.
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_what_shows_why_a_deployment_failed_has_our_sentence_and_that_of_the_stack_itself() -> None:
    (block,) = [one.text for one in blocks("docs/runbook.md", "sh") if "describe-stack-events" in one.text]
    (query,) = re.findall(r"--query '([^']+)'", block)
    said = {
        "Custom::Thresholds": ("CREATE_FAILED", "There is no file system fs-1 in us-east-1."),
        # Where a macro failed no other event says so.
        "AWS::CloudFormation::Stack": ("ROLLBACK_IN_PROGRESS", "Transform AWS::Include failed with: broken"),
        # So is a role that a policy refuses, or a boundary that is too narrow.
        "AWS::IAM::Role": ("CREATE_FAILED", "not authorized to perform: iam:CreateRole"),
        "AWS::SNS::Topic": ("CREATE_IN_PROGRESS", "Resource creation Initiated"),
    }
    keys = ("ResourceType", "Timestamp", "LogicalResourceId", "ResourceStatus", "ResourceStatusReason")
    events = [dict(zip(keys, (kind, "now", "It", *what), strict=True)) for kind, what in said.items()]

    shown = jmespath.search(query, {"StackEvents": events})

    assert shown == [["now", "It", *what] for kind, what in said.items() if kind != "AWS::SNS::Topic"]


def test_the_actions_of_every_alarm_are_switched_on_again() -> None:
    (block,) = [one.text for one in blocks("docs/runbook.md", "sh") if "enable-alarm-actions" in one.text]

    assert set(re.findall(r'"\$STACK-([a-z-]+)"', block)) == set(AlarmKind)


@pytest.mark.parametrize("call", ["PutMetricAlarm", "DisableAlarmActions", "DeleteAlarms"])
@pytest.mark.parametrize("alarms", ['"alarmName":"home-warning"', '"alarmNames":["home-warning","home-critical"]'])
def test_who_changed_an_alarm_is_a_line_with_its_name(call: str, alarms: str) -> None:
    """What is looked up is whole events, as CloudTrail keeps them."""
    (block,) = [one.text for one in blocks("docs/runbook.md", "sh") if call in one.text]
    (script,) = re.findall(r"sed -E '([^']+)'", block)
    event = f'{{"eventVersion":"1.08","eventName":"{call}","requestParameters":{{{alarms},"dryRun":false}}}}'

    found = subprocess.run(
        [str(shutil.which("sed")), "-E", script],
        input=f"2030-01-07\t{call}\tadmin\t{event}\n",
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout == f"2030-01-07\t{call}\tadmin\t{alarms}\n"
