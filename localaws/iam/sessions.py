"""Who signs a request: the session of a role that Lambda or the Scheduler assumed, known by its access key id."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Never

from moto.core.exceptions import ServiceException
from moto.iam.exceptions import NotFoundException
from moto.iam.models import ManagedPolicy, Role, iam_backends
from moto.sts.models import sts_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.iam.owned import owned
from localaws.iam.policy import Ask, KeyValue, PolicyVerdict, Statement, judged
from localaws.iam.resource_policy import ServiceRequest, allows, judged_for_session

PARTITION = "aws"
LAMBDA = "lambda.amazonaws.com"
CLOUDFORMATION = "cloudformation.amazonaws.com"
SCHEDULER = "scheduler.amazonaws.com"
NOT_ASSUMABLE = "The role defined for the function cannot be assumed by Lambda."


class NotAssumable(Exception):
    """The role does not exist, or does not trust the service."""


class AccessRefused(Exception):
    """A role's statements, or the policy of what it asks for, do not let its session do something, in AWS's own words.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
    """

    def __init__(self, principal: str, ask: Ask, verdict: PolicyVerdict, policy: str = "identity-based policy") -> None:
        because = (
            f"with an explicit deny in {'an' if policy[0] in 'aeiou' else 'a'} {policy}"
            if verdict is PolicyVerdict.DENIED
            else f"because no {policy} allows the {ask.action} action"
        )
        super().__init__(
            f"User: {principal} is not authorized to perform: {ask.action} on resource: {ask.resource} {because}"
        )
        self.ask = ask


@dataclass(frozen=True, slots=True)
class Session:
    """A role while somebody uses it; what it may do is read afresh for every request."""

    role_arn: str
    name: str
    refusals: list["AccessRefused"] = field(default_factory=list, compare=False, repr=False)

    @property
    def arn(self) -> str:
        """The principal, as AWS names it in a refusal."""
        return f"arn:{PARTITION}:sts::{ACCOUNT_ID}:assumed-role/{self.role_arn.rpartition('/')[2]}/{self.name}"

    @property
    def access_key_id(self) -> str:
        """Made of the role and the name alone, so that it is the same in every run."""
        digest = hashlib.sha256(f"{self.role_arn} {self.name}".encode()).hexdigest()
        return f"ASIASANDBOX{digest[:9].upper()}"

    def require(self, *asks: Ask) -> None:
        """Raise AccessRefused unless the role's statements allow all of it, and its permissions boundary where it has
        one; ValueError where they cannot be judged.

        The policy of a topic or key may deny it besides, and must allow it where that is another account's. That of a
        key must in its own account, too: https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-overview.html.
        """
        for ask in asks:
            asked = Ask(action=ask.action, resource=ask.resource, context=self._context(ask))
            for policy, statements in _said_of(self.role_arn).items():
                verdict = judged(statements, asked)
                if verdict is not PolicyVerdict.ALLOWED:
                    self._refuse(AccessRefused(self.arn, ask, verdict, policy))
            resource = owned(ask.resource)
            if resource is None:
                continue
            verdict = judged_for_session(resource.statements, asked, self.role_arn, self.arn)
            must_allow = resource.account_id != ACCOUNT_ID or ask.action.startswith("kms:")
            if verdict is PolicyVerdict.DENIED or (must_allow and verdict is not PolicyVerdict.ALLOWED):
                self._refuse(AccessRefused(self.arn, ask, verdict, "resource-based policy"))

    def grants(self, ask: Ask) -> bool:
        """Whether the role's own statements allow it; no other policy is looked at, and no refusal noted."""
        asked = Ask(action=ask.action, resource=ask.resource, context=self._context(ask))
        return all(
            judged(statements, asked) is PolicyVerdict.ALLOWED for statements in _said_of(self.role_arn).values()
        )

    def _refuse(self, refused: AccessRefused) -> Never:
        self.refusals.append(refused)
        raise refused

    def _context(self, ask: Ask) -> dict[str, KeyValue]:
        everywhere: dict[str, KeyValue] = {
            "aws:principalaccount": ACCOUNT_ID,
            "aws:principalarn": self.role_arn,
            "aws:requestedregion": REGION,
            "aws:securetransport": "true",
            # SNS's own older key, which its default topic policy uses.
            "aws:sourceowner": ACCOUNT_ID,
        }
        return everywhere | dict(ask.context)


class Sessions:
    """Every session so far, and every refusal. A key that belongs to none is an operator's and may do everything."""

    def __init__(self) -> None:
        self._by_key: dict[str, Session] = {}
        self.refusals: list[AccessRefused] = []

    def assume(self, role_arn: str, name: str, service: str, source_arn: str) -> Session:
        """The role for an AWS service that works for `source_arn`; NotAssumable where its trust policy says no."""
        role = _role(role_arn)
        trust = json.loads(role.assume_role_policy_document).get("Statement", []) if role else []
        request = ServiceRequest(service, "sts:AssumeRole", role_arn, source_arn=source_arn, source_account=ACCOUNT_ID)
        if not allows(trust if isinstance(trust, list) else [trust], request):
            raise NotAssumable(f"{service} cannot assume {role_arn}")
        session = Session(role_arn, name, self.refusals)
        self._by_key[session.access_key_id] = session
        return session

    def of(self, access_key_id: str) -> Session | None:
        """Whose key it is; a role that somebody assumed over STS counts as well."""
        if access_key_id in self._by_key:
            return self._by_key[access_key_id]
        assumed = sts_backends[ACCOUNT_ID][PARTITION].get_assumed_role_from_access_key(access_key_id)
        return Session(assumed.role_arn, assumed.session_name, self.refusals) if assumed else None


def _role(role_arn: str) -> Role | None:
    try:
        return iam_backends[ACCOUNT_ID][PARTITION].get_role_by_arn(role_arn)
    except (NotFoundException, ServiceException):
        return None


def _said_of(role_arn: str) -> dict[str, list[Statement]]:
    """The statements that all must allow what the role does, by what AWS calls the policies that they stand in.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
    """
    role = _role(role_arn)
    if role is None:
        return {"identity-based policy": []}
    attached = [_document(policy) for policy in role.managed_policies.values()]
    said = {"identity-based policy": [*_statements(*role.policies.values(), *attached)]}
    if role.permissions_boundary_arn:
        boundary = iam_backends[ACCOUNT_ID][PARTITION].get_policy(role.permissions_boundary_arn)
        said["permissions boundary"] = [*_statements(_document(boundary))]
    return said


def _document(policy: ManagedPolicy) -> str:
    return next(str(version.document) for version in policy.versions if version.is_default)


def _statements(*documents: str) -> Iterator[Statement]:
    for document in documents:
        statements = json.loads(document)["Statement"]
        yield from statements if isinstance(statements, list) else [statements]
