"""AWS::S3: buckets and their policies, as far as `sam deploy --resolve-s3` and small stacks need them."""

from __future__ import annotations

from botocore.exceptions import ClientError

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    listed,
    tags_by_key,
)


class Bucket(ResourceType):
    type_name = "AWS::S3::Bucket"
    applied = frozenset(
        {"BucketEncryption", "BucketName", "PublicAccessBlockConfiguration", "Tags", "VersioningConfiguration"}
    )

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        name = call.name(lower=True)
        try:
            call.aws.call("s3", "head_bucket", Bucket=name)
        except ClientError as error:
            if error.response["Error"]["Code"] != "404":
                raise
        else:
            message = f"{name} already exists"
            raise ResourceFailure(message)
        location = (
            {} if call.region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": call.region}}
        )
        call.aws.call("s3", "create_bucket", Bucket=name, **location)
        call.exists(name)
        self._configure(call, name, {})
        return self._outcome(call, name)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        self._configure(call, call.physical_id, old)
        return self._outcome(call, call.physical_id)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("s3", "delete_bucket", Bucket=call.physical_id)

    def _configure(self, call: HandlerRequest, name: str, old: Properties) -> None:
        new = call.properties
        if block := new.get("PublicAccessBlockConfiguration"):
            call.aws.call("s3", "put_public_access_block", Bucket=name, PublicAccessBlockConfiguration=block)
        elif "PublicAccessBlockConfiguration" in old:
            call.aws.call("s3", "delete_public_access_block", Bucket=name)
        if encryption := new.get("BucketEncryption"):
            rules = [
                {
                    "ApplyServerSideEncryptionByDefault": rule["ServerSideEncryptionByDefault"],
                    **({"BucketKeyEnabled": rule["BucketKeyEnabled"]} if "BucketKeyEnabled" in rule else {}),
                }
                for rule in encryption["ServerSideEncryptionConfiguration"]
            ]
            call.aws.call(
                "s3",
                "put_bucket_encryption",
                Bucket=name,
                ServerSideEncryptionConfiguration={"Rules": rules},
            )
        elif "BucketEncryption" in old:
            call.aws.call("s3", "delete_bucket_encryption", Bucket=name)
        suspended = {"Status": "Suspended"} if "VersioningConfiguration" in old else None
        if versioning := new.get("VersioningConfiguration", suspended):
            call.aws.call("s3", "put_bucket_versioning", Bucket=name, VersioningConfiguration=versioning)
        if tags := tags_by_key(new):
            call.aws.call("s3", "put_bucket_tagging", Bucket=name, Tagging={"TagSet": listed(tags)})
        elif tags_by_key(old):
            call.aws.call("s3", "delete_bucket_tagging", Bucket=name)

    def _outcome(self, call: HandlerRequest, name: str) -> ResourceOutcome:
        return ResourceOutcome(
            name,
            {
                "Arn": f"arn:aws:s3:::{name}",
                "DomainName": f"{name}.s3.amazonaws.com",
                "RegionalDomainName": f"{name}.s3.{call.region}.amazonaws.com",
            },
        )


class BucketPolicy(ResourceType):
    """Differs from AWS: only statements without a Condition reach the bucket.

    moto takes every Condition of a bucket policy as unmet and denies the request. The one that sam's own
    bucket has (nothing over plain HTTP) would shut this sandbox, which is plain HTTP, out of the bucket.
    """

    type_name = "AWS::S3::BucketPolicy"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        del old
        return self._put(call)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("s3", "delete_bucket_policy", Bucket=call.properties["Bucket"])

    def _put(self, call: HandlerRequest) -> ResourceOutcome:
        bucket = str(call.properties["Bucket"])
        document = dict(call.properties["PolicyDocument"])
        statements = document["Statement"]
        listed = statements if isinstance(statements, list) else [statements]
        document["Statement"] = [item for item in listed if "Condition" not in item]
        if document["Statement"]:
            call.aws.call("s3", "put_bucket_policy", Bucket=bucket, Policy=document)
        else:
            call.aws.call("s3", "delete_bucket_policy", Bucket=bucket)
        return ResourceOutcome(bucket)
