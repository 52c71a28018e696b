"""Which policies IAM takes, and in which words it refuses the others."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.account import ACCOUNT_ID
from localaws.iam.principals import is_service
from localaws.sandbox import Sandbox
from tests.localaws.roles import role

READ: dict[str, Any] = {"Sid": "Read", "Effect": "Allow", "Action": "ssm:GetParameter", "Resource": "*"}
LAMBDA = {"Service": "lambda.amazonaws.com"}
TRUST: dict[str, Any] = {"Effect": "Allow", "Principal": LAMBDA, "Action": "sts:AssumeRole"}
UNPREFACED = "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc."
SID = "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*"
ROLE_ARN = f"arn:aws:iam::{ACCOUNT_ID}:role/limited"


def document(*statements: dict[str, Any], version: str | None = "2012-10-17") -> str:
    return json.dumps(({"Version": version} if version else {}) | {"Statement": list(statements)})


def without(statement: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in statement.items() if key != name}


REFUSED = [
    (document(READ | {"Sid": "read-it"}), SID),
    (document(READ | {"Sid": "read it"}), SID),
    (document(READ | {"Sid": "read_it"}), SID),
    (document(READ, READ), "Statement IDs (SID) in a single policy must be unique."),
    (document(without(READ, "Resource")), "Policy statement must contain resources."),
    (document(without(READ, "Action")), "Policy statement must contain actions."),
    (document(without(READ, "Effect")), "Syntax errors in policy."),
    (document(READ | {"Condition": {"StringIs": {"aws:SourceAccount": ACCOUNT_ID}}}), "Syntax errors in policy."),
    (document(READ | {"Condition": {"aws:SourceAccount": ACCOUNT_ID}}), "Syntax errors in policy."),
    (document(READ | {"Resources": "*"}), "Syntax errors in policy."),
    (document(READ, version="2020-01-01"), "Syntax errors in policy."),
    (document(READ | {"Action": "GetParameter"}), UNPREFACED),
    (document(READ | {"Resource": "parameter/a"}), 'Resource parameter/a must be in ARN format or "*".'),
    (
        document(READ | {"Resource": "arn:aws-moon:ssm:us-east-1:1:parameter/a"}),
        'Partition "aws-moon" is not valid for resource "arn:aws-moon:ssm:us-east-1:1:parameter/a".',
    ),
    (
        document(READ | {"Resource": "arn:aws-cn:ssm:cn-north-1:1:parameter/a"}),
        'Partition "aws-cn" is not valid for resource "arn:aws-cn:ssm:cn-north-1:1:parameter/a".',
    ),
    (document(READ | {"Principal": "*"}), "Policy document should not specify a principal."),
]  # fmt: skip


@pytest.fixture
def iam(sandbox: Sandbox) -> Any:
    role(sandbox, "limited", [READ])
    return sandbox.client("iam")


def refusal(call: Callable[..., Any], **request: Any) -> tuple[str, str]:
    with pytest.raises(ClientError) as refused:
        call(**request)
    told = refused.value.response["Error"]
    return told["Code"], told["Message"]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_a_policy_that_iam_would_not_take_is_refused_wherever_it_is_put(iam: Any, text: str, words: str) -> None:
    malformed = ("MalformedPolicyDocument", words)
    assert refusal(iam.put_role_policy, RoleName="limited", PolicyName="p", PolicyDocument=text) == malformed
    assert refusal(iam.create_policy, PolicyName="p", PolicyDocument=text) == malformed


def test_only_a_managed_policy_must_say_its_version(iam: Any) -> None:
    words = "Policy document must be version 2012-10-17 or greater."
    for version in (None, "2008-10-17"):
        text = document(READ, version=version)
        iam.put_role_policy(RoleName="limited", PolicyName="p", PolicyDocument=text)
        iam.update_assume_role_policy(RoleName="limited", PolicyDocument=document(TRUST, version=version))
        assert refusal(iam.create_policy, PolicyName="p", PolicyDocument=text) == ("MalformedPolicyDocument", words)


@pytest.mark.parametrize(
    ("trust", "words"),
    [
        (TRUST | {"Sid": "let-it"}, SID),
        (TRUST | {"Resource": "*"}, "Has prohibited field Resource."),
        (without(TRUST, "Principal"), "Missing required field Principal"),
        (TRUST | {"Condition": {"StringIs": {"aws:SourceAccount": ACCOUNT_ID}}}, "Syntax errors in policy."),
        *(
            (TRUST | {"Principal": {"Service": name}}, f'Invalid principal in policy: "SERVICE":"{name}"')
            for name in ("tagging.amazonaws.com", "lamda.amazonaws.com", "lambda.amazon.com", "amazonaws.com", "lambda")
        ),
        (TRUST | {"Principal": {"AWS": f"{ROLE_ARN}-gone"}}, f'Invalid principal in policy: "AWS":"{ROLE_ARN}-gone"'),
    ],
)
def test_a_trust_policy_that_iam_would_not_take_is_refused(iam: Any, trust: dict[str, Any], words: str) -> None:
    malformed = ("MalformedPolicyDocument", words)
    text = document(trust)
    assert refusal(iam.create_role, RoleName="other", AssumeRolePolicyDocument=text) == malformed
    assert refusal(iam.update_assume_role_policy, RoleName="limited", PolicyDocument=text) == malformed
    assert [one["RoleName"] for one in iam.list_roles()["Roles"]] == ["limited"]


@pytest.mark.parametrize(
    "principal",
    [
        {"AWS": ROLE_ARN},
        {"AWS": [ACCOUNT_ID, f"arn:aws:iam::{ACCOUNT_ID}:root", "*"]},
        {"AWS": "arn:aws:iam::210987654321:role/of-somebody-else"},
        {"Service": ["lambda.amazonaws.com", "scheduler.amazonaws.com"]},
        {"Federated": "cognito-identity.amazonaws.com"},
        "*",
    ],
)
def test_a_trust_policy_of_whoever_is_known_is_taken(iam: Any, principal: Any) -> None:
    iam.create_role(RoleName="other", AssumeRolePolicyDocument=document(TRUST | {"Principal": principal}))


@pytest.mark.parametrize(
    "name",
    [
        *("apigateway", "cloudformation", "cloudwatch", "delivery.logs", "ec2", "ecs-tasks", "edgelambda", "events"),
        *("costalerts", "logs", "logs.eu-central-1", "s3", "sns", "sqs", "ssm", "states.us-east-1", "vpc-flow-logs"),
    ],
)
def test_a_service_that_acts_by_itself_is_known(name: str) -> None:
    assert is_service(f"{name}.amazonaws.com")
    assert is_service(f"{name}.amazonaws.com.cn")
    assert not is_service(f"{name}s.example.amazonaws.com")
    for malformed in (f"*.{name}", f".{name}", f"a..{name}", f"a b.{name}"):
        assert not is_service(f"{malformed}.amazonaws.com")


@pytest.mark.parametrize(
    ("part", "service"),
    [
        *(("lambda.alarms", "cloudwatch"), ("export", "rds"), ("events", "rds"), ("monitoring", "rds")),
        *(("stacksets", "cloudformation"), ("member.org.stacksets", "cloudformation")),
        *(("logdelivery", "elasticloadbalancing"), ("replicator", "lambda"), ("ops", "apigateway")),
        ("a-part-of-later", "sns"),
    ],
)
def test_a_part_of_a_known_service_is_known_and_of_an_unknown_one_is_not(part: str, service: str) -> None:
    assert is_service(f"{part}.{service}.amazonaws.com")
    assert is_service(f"{part}.{service}.eu-central-1.amazonaws.com")
    assert not is_service(f"{part}.{service}-of-nobody.amazonaws.com")


def test_a_permission_of_a_function_is_for_whoever_is_known(sandbox: Sandbox, deploy: Callable[..., str]) -> None:
    deploy("called", "handler = lambda e, c: e")
    add = sandbox.client("lambda").add_permission
    request = {"FunctionName": "called", "StatementId": "s", "Action": "lambda:InvokeFunction"}
    words = "The provided principal was invalid. Please check the principal and try again."
    for principal in ("lambda.alarms.cloudwach.amazonaws.com", "amazonaws.com", f"{ROLE_ARN}-gone"):
        assert refusal(add, **request, Principal=principal) == ("InvalidParameterValueException", words)
    add(**request, Principal="lambda.alarms.cloudwatch.amazonaws.com")


def filled(characters: int) -> str:
    """A policy of so many characters that count, beside blanks that do not."""
    statement = READ | {"Resource": f"arn:aws:ssm:us-east-1:{ACCOUNT_ID}:parameter/"}
    statement["Resource"] += "x" * (characters - len("".join(document(statement).split())))
    return json.dumps(json.loads(document(statement)), indent=4)


def test_the_policies_of_a_role_are_measured_together_without_blanks(iam: Any) -> None:
    iam.delete_role_policy(RoleName="limited", PolicyName="limited")
    put = iam.put_role_policy
    put(RoleName="limited", PolicyName="first", PolicyDocument=filled(6_000))
    put(RoleName="limited", PolicyName="second", PolicyDocument=filled(4_240))
    too_large = ("LimitExceeded", "Maximum policy size of 10240 bytes exceeded for role limited")
    assert refusal(put, RoleName="limited", PolicyName="second", PolicyDocument=filled(4_241)) == too_large
    assert refusal(put, RoleName="limited", PolicyName="third", PolicyDocument=filled(200)) == too_large


def test_a_managed_policy_has_a_size_of_its_own(iam: Any) -> None:
    created = iam.create_policy(PolicyName="p", PolicyDocument=filled(6_144))
    too_large = ("LimitExceeded", "Cannot exceed quota for PolicySize: 6144")
    assert refusal(iam.create_policy, PolicyName="q", PolicyDocument=filled(6_145)) == too_large
    version = {"PolicyArn": created["Policy"]["Arn"], "PolicyDocument": filled(6_145)}
    assert refusal(iam.create_policy_version, **version) == too_large


def test_a_trust_policy_has_a_size_of_its_own(iam: Any) -> None:
    def trusting(characters: int) -> str:
        statement = TRUST | {"Sid": ""}
        return document(TRUST | {"Sid": "x" * (characters - len("".join(document(statement).split())))})

    iam.create_role(RoleName="other", AssumeRolePolicyDocument=trusting(2_048))
    too_large = ("LimitExceeded", "Cannot exceed quota for ACLSizePerRole: 2048")
    assert refusal(iam.create_role, RoleName="third", AssumeRolePolicyDocument=trusting(2_049)) == too_large
    update = iam.update_assume_role_policy
    assert refusal(update, RoleName="other", PolicyDocument=trusting(2_049)) == too_large
