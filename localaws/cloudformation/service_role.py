"""The role that a stack was given: whatever CloudFormation does to its resources, it does with the rights of that role.

What that is, each type's schema says of its handlers: https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/
resource-type-schema.html. A schema names what its handlers do to any property; what they do to some alone is here.
"""

from __future__ import annotations

import re
import uuid
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal

from localaws.cloudformation import schemas
from localaws.cloudformation.error_codes import ResourceFailure
from localaws.iam.condition_keys import alarm_actions
from localaws.iam.policy import Ask
from localaws.iam.sessions import AccessRefused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from localaws.cloudformation.resources.base import HandlerRequest
    from localaws.iam.policy import KeyValue
    from localaws.iam.sessions import Session

type Verb = Literal["create", "update", "delete"]

# A resource is read once it was made or changed, for what Fn::GetAtt gives; its tags, and the stack's, may be others.
HANDLERS: dict[Verb, tuple[str, ...]] = {
    "create": ("create", "read"),
    "update": ("update", "read", "tagging"),
    "delete": ("delete",),
}
# Done only where one of these properties is set.
ONLY_WITH = {
    "ec2:*": ("VpcConfig",),
    "elasticfilesystem:*": ("FileSystemConfigs",),
    "s3files:*": ("FileSystemConfigs",),
    "kms:*": ("KmsKeyArn", "KmsKeyId"),
    "iam:AttachRolePolicy": ("ManagedPolicyArns",),
    "iam:DetachRolePolicy": ("ManagedPolicyArns",),
    "iam:PutRolePermissionsBoundary": ("PermissionsBoundary",),
    # Where a boundary is taken away, which an update is not asked about here.
    "iam:DeleteRolePermissionsBoundary": (),
    "*:PutDataProtectionPolicy": ("DataProtectionPolicy",),
    "*:DeleteDataProtectionPolicy": ("DataProtectionPolicy",),
    "lambda:PassCapacityProvider": ("CapacityProviderConfig",),
    "lambda:AssociateRuntimeAlias": ("RuntimeManagementConfig",),
    "lambda:PutRuntimeManagementConfig": ("RuntimeManagementConfig",),
    "lambda:PublishVersion": ("PublishToLatestPublished",),
    "lambda:GetCodeSigningConfig": ("CodeSigningConfigArn",),
    "lambda:PutFunctionCodeSigningConfig": ("CodeSigningConfigArn",),
    "lambda:DeleteFunctionCodeSigningConfig": ("CodeSigningConfigArn",),
    "lambda:PutFunctionRecursionConfig": ("RecursiveLoop",),
    "lambda:PutFunctionScalingConfig": ("FunctionScalingConfig",),
    "logs:*ssociateKmsKey": ("KmsKeyId",),
    "logs:CreateLogDelivery": ("DataProtectionPolicy",),
    "s3:REST.PUT.OBJECT": ("DataProtectionPolicy",),
    "firehose:*": ("DataProtectionPolicy",),
    "logs:PutResourcePolicy": ("ResourcePolicyDocument",),
    "logs:DeleteResourcePolicy": ("ResourcePolicyDocument",),
    "logs:PutIndexPolicy": ("FieldIndexPolicies",),
    "logs:DeleteIndexPolicy": ("FieldIndexPolicies",),
    "logs:PutLogGroupDeletionProtection": ("DeletionProtectionEnabled",),
    "logs:PutBearerTokenAuthentication": ("BearerTokenAuthenticationEnabled",),
}
# What knows no resource, by the service authorization reference.
OF_NO_RESOURCE = (
    "cloudwatch:DescribeAlarms",
    "logs:Describe*",
    "logs:*QueryDefinition*",
    "sns:*SubscriptionAttributes",
    "sns:Unsubscribe",
)
ARNS = {
    "AWS::CloudWatch::Alarm": "arn:aws:cloudwatch:{region}:{account}:alarm:{name}",
    "AWS::CloudWatch::Dashboard": "arn:aws:cloudwatch::{account}:dashboard/{name}",
    "AWS::Events::Rule": "arn:aws:events:{region}:{account}:rule/{name}",
    "AWS::IAM::Role": "arn:aws:iam::{account}:role/{name}",
    "AWS::Lambda::EventInvokeConfig": "arn:aws:lambda:{region}:{account}:function:{name}",
    "AWS::Lambda::Function": "arn:aws:lambda:{region}:{account}:function:{name}",
    "AWS::Lambda::LayerVersion": "arn:aws:lambda:{region}:{account}:layer:{name}",
    "AWS::Lambda::Permission": "arn:aws:lambda:{region}:{account}:function:{name}",
    "AWS::Logs::LogGroup": "arn:aws:logs:{region}:{account}:log-group:{name}",
    "AWS::SNS::Subscription": "arn:aws:sns:{region}:{account}:{name}",
    "AWS::SNS::Topic": "arn:aws:sns:{region}:{account}:{name}",
    "AWS::SNS::TopicPolicy": "arn:aws:sns:{region}:{account}:{name}",
    "AWS::SQS::Queue": "arn:aws:sqs:{region}:{account}:{name}",
    "AWS::SSM::Document": "arn:aws:ssm:{region}:{account}:document/{name}",
    "AWS::SSM::Parameter": "arn:aws:ssm:{region}:{account}:parameter{name}",
    "AWS::Scheduler::Schedule": "arn:aws:scheduler:{region}:{account}:schedule/default/{name}",
}
# What is done to another resource than the type's own, which this property names.
DONE_TO = {
    "AWS::Lambda::EventInvokeConfig": "FunctionName",
    "AWS::Lambda::LayerVersion": "LayerName",
    "AWS::Lambda::Permission": "FunctionName",
    "AWS::SNS::Subscription": "TopicArn",
    "AWS::SNS::TopicPolicy": "Topics",
}
PASSED_TO = {
    "AWS::Events::Rule": "events.amazonaws.com",
    "AWS::Lambda::Function": "lambda.amazonaws.com",
    "AWS::Scheduler::Schedule": "scheduler.amazonaws.com",
}
# What IAM tells the role's boundary of; that of a role which has none yet is the one that it is being given.
OF_BOUNDED_ROLES = ("iam:CreateRole", "iam:DeleteRolePolicy", "iam:PutRolePermissionsBoundary", "iam:PutRolePolicy")
ROLE_ARN = re.compile(r"arn:aws:iam::[0-9]{12}:role/\S+")


def require(session: Session, verb: Verb, call: HandlerRequest) -> None:
    """Raise ResourceFailure, in AWS's words, unless the role may do all that the handler does."""
    try:
        session.require(*asks(verb, call))
    except AccessRefused as refused:
        service = call.type.split("::")[1]
        message = (
            f'Resource handler returned message: "{refused} (Service: {service}, Status Code: 403, Request ID: '
            f'{uuid.uuid4()})" (RequestToken: {uuid.uuid4()}, HandlerErrorCode: AccessDenied)'
        )
        raise ResourceFailure(message) from refused


def asks(verb: Verb, call: HandlerRequest) -> Iterator[Ask]:
    """Everything that must be allowed for a handler's work on a resource with these properties."""
    if call.type.startswith("Custom::") or call.type == "AWS::CloudFormation::CustomResource":
        yield Ask(action="lambda:InvokeFunction", resource=str(call.properties["ServiceToken"]))
        return
    handlers = schemas.handlers(call.type)
    for action in sorted({one for handler in HANDLERS[verb] for one in handlers.get(handler, ())}):
        if any(fnmatchcase(action, one) and not with_.intersection(call.properties) for one, with_ in _only_with()):
            continue
        yield from (
            Ask(action=action, resource=resource, context=_context(action, call))
            for resource in _resources(action, verb, call)
        )


def _only_with() -> Iterator[tuple[str, set[str]]]:
    return ((pattern, set(properties)) for pattern, properties in ONLY_WITH.items())


def _context(action: str, call: HandlerRequest) -> Mapping[str, KeyValue]:
    if action == "iam:PassRole":
        return {"iam:passedtoservice": PASSED_TO.get(call.type, "")}
    if action == "cloudwatch:PutMetricAlarm":
        return alarm_actions(call.properties)
    boundary = call.properties.get("PermissionsBoundary")
    return {"iam:permissionsboundary": str(boundary)} if boundary and action in OF_BOUNDED_ROLES else {}


def _resources(action: str, verb: Verb, call: HandlerRequest) -> list[str]:
    """What is asked for: nothing where the handler finds nothing to do it to."""
    if any(fnmatchcase(action, one) for one in OF_NO_RESOURCE):
        return ["*"]
    if action.startswith("s3:"):
        code = call.properties.get("Code") or call.properties.get("Content") or {}
        found = isinstance(code, dict) and "S3Bucket" in code
        return [f"arn:aws:s3:::{code['S3Bucket']}/{code['S3Key']}"] if found else []
    if action == "lambda:GetLayerVersion" and call.type == "AWS::Lambda::Function":
        return [str(one) for one in call.properties.get("Layers", ())]
    if action.startswith("iam:") and call.type != "AWS::IAM::Role":
        return sorted(_roles(call.properties)) if verb != "delete" else []
    if call.type not in ARNS:
        message = f"the sandbox does not know the ARN of a {call.type}, which a stack with a role needs"
        raise ResourceFailure(message)
    name = _name(verb, call)
    return [ARNS[call.type].format(region=call.region, account=call.account_id, name=name)]


def _roles(value: Any) -> set[str]:
    """The roles that properties name, however deep; a policy's text is none."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return {role for one in value for role in _roles(one)}
    return {value} if isinstance(value, str) and ROLE_ARN.fullmatch(value) else set()


def _name(verb: Verb, call: HandlerRequest) -> str:
    """The name within the ARN, of a new resource as CloudFormation will make it up."""
    existing = call.physical_id if verb != "create" else ""
    if existing and call.type == "AWS::Lambda::LayerVersion":
        return existing.partition(":layer:")[2]
    if call.type in DONE_TO:
        target = call.properties[DONE_TO[call.type]]
        return str(target[0] if isinstance(target, list) else target).rpartition(":")[2]
    if not existing:
        return call.name()
    return existing.rpartition("/" if call.type == "AWS::SQS::Queue" else ":")[2]
