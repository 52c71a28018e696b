"""Policies that IAM does not take, in its words, besides what moto looks at.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html

moto wants a version of every policy, and AWS of managed ones alone; AWS takes resources of its own partition alone; and
moto looks at no trust policy before it is updated.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from moto.iam.exceptions import LimitExceededException, MalformedPolicyDocument
from moto.iam.models import IAMBackend, ManagedPolicy, PolicyVersion, Role
from moto.iam.policy_validation import IAMPolicyDocumentValidator, IAMTrustPolicyDocumentValidator

from localaws.iam.policy import Statement
from localaws.iam.principals import PARTITION, unknown_principals

PARTITIONS = [PARTITION]
"""Those of which a policy's resources may be."""
SID = re.compile("[0-9A-Za-z]*")
ROLE_POLICIES_CHARACTERS = 10_240
MANAGED_POLICY_CHARACTERS = 6_144
TRUST_POLICY_CHARACTERS = 2_048


class IdentityPolicy(IAMPolicyDocumentValidator):  # type: ignore[misc] # moto has no types
    """What a role, a user or a group may do."""

    def validate(self) -> None:
        """Raise MalformedPolicyDocument unless IAM would take it."""
        super().validate()
        _check_sids(self._statements)
        if any({"Principal", "NotPrincipal"} & statement.keys() for statement in self._statements):
            raise MalformedPolicyDocument("Policy document should not specify a principal.")

    def _validate_version(self) -> None:
        """Take any version of the policy language: the one of 2008 counts, too."""


class VersionedPolicy(IdentityPolicy):
    """A managed policy, which must be of the newest version."""

    def _validate_version(self) -> None:
        IAMPolicyDocumentValidator._validate_version(self)


class TrustPolicy(IAMTrustPolicyDocumentValidator):  # type: ignore[misc] # moto has no types
    """Who may assume a role."""

    def validate(self) -> None:
        """Raise MalformedPolicyDocument unless IAM would take it."""
        super().validate()
        _check_sids(self._statements)
        for statement in self._statements:
            if not {"Principal", "NotPrincipal"} & statement.keys():
                raise MalformedPolicyDocument("Missing required field Principal")
            for kind, name in unknown_principals(statement.get("Principal")):
                raise MalformedPolicyDocument(f'Invalid principal in policy: "{kind}":"{name}"')

    def _validate_version(self) -> None:
        """Take any version of the policy language: the one of 2008 counts, too."""


def role_created_with(theirs: Callable[..., Role]) -> Callable[..., Role]:
    """`IAMBackend.create_role`, which looks at the trust policy."""

    def create(
        backend: IAMBackend, role_name: str, assume_role_policy_document: str, *further: Any, **named: Any
    ) -> Role:
        _check_trust(assume_role_policy_document)
        return theirs(backend, role_name, assume_role_policy_document, *further, **named)

    return create


def trust_updated_with(theirs: Callable[..., None]) -> Callable[..., None]:
    """`IAMBackend.update_assume_role_policy`, which also measures."""

    def update(backend: IAMBackend, role_name: str, policy_document: str) -> None:
        _check_trust(policy_document)
        theirs(backend, role_name, policy_document)

    return update


def role_policy_put_with(theirs: Callable[..., None]) -> Callable[..., None]:
    """`IAMBackend.put_role_policy`, which measures all of the role's own policies together."""

    def put(backend: IAMBackend, role_name: str, policy_name: str, policy_json: str) -> None:
        IdentityPolicy(policy_json).validate()
        together = {**backend.get_role(role_name).policies, policy_name: policy_json}
        if _characters(together.values()) > ROLE_POLICIES_CHARACTERS:
            message = f"Maximum policy size of {ROLE_POLICIES_CHARACTERS} bytes exceeded for role {role_name}"
            raise LimitExceededException(message)
        theirs(backend, role_name, policy_name, policy_json)

    return put


type Made = ManagedPolicy | PolicyVersion


def managed_policy_made_with(theirs: Callable[..., Made], place: int) -> Callable[..., Made]:
    """`IAMBackend.create_policy` or `create_policy_version`, which wants a version, and measures; `place` is that of
    the document among the arguments.
    """

    def make(backend: IAMBackend, *request: Any) -> Made:
        document = request[place]
        VersionedPolicy(document).validate()
        if _characters([document]) > MANAGED_POLICY_CHARACTERS:
            raise LimitExceededException(f"Cannot exceed quota for PolicySize: {MANAGED_POLICY_CHARACTERS}")
        return theirs(backend, *request)

    return make


def _check_trust(text: str) -> None:
    TrustPolicy(text).validate()
    if _characters([text]) > TRUST_POLICY_CHARACTERS:
        raise LimitExceededException(f"Cannot exceed quota for ACLSizePerRole: {TRUST_POLICY_CHARACTERS}")


def _check_sids(statements: Iterable[Statement]) -> None:
    if any(not SID.fullmatch(statement.get("Sid", "")) for statement in statements):
        message = (
            "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression "
            "[0-9A-Za-z]*"
        )
        raise MalformedPolicyDocument(message)


def _characters(policies: Iterable[str]) -> int:
    """IAM counts no blanks."""
    return sum(len("".join(one.split())) for one in policies)
