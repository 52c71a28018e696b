"""Everything the transformed template allows its roles, taken apart: one need for each action and resource of each
statement."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.template.template_documents import Document, listed, of_type, statements, transformed

# As `WholeStack` deploys it: instances are found by their tag, and Critical is a topic that was given.
DEPLOYED = {"HasNamedInstances": False, "HasGivenTopic": True, "MakesCriticalTopic": False}


@dataclass(frozen=True, kw_only=True)
class NeededAction:
    """One action of one statement of a role; `resource` is set where the statement names several."""

    role: str
    statement: str
    action: str
    resource: int | None = None

    def __str__(self) -> str:
        of = "" if self.resource is None else f" on its resource {self.resource + 1}"
        return f"{self.role} {self.statement} {self.action}{of}"

    def left_out_of(self, document: str) -> str:
        """The policy document without this privilege."""
        policy = json.loads(document)
        kept = []
        for statement in policy["Statement"]:
            if statement["Sid"] != self.statement:
                kept.append(statement)
                continue
            actions, resources = listed(statement["Action"]), listed(statement["Resource"])
            kept.append(statement | {"Action": [one for one in actions if one != self.action]})
            if self.resource is not None:
                others = [one for index, one in enumerate(resources) if index != self.resource]
                kept.append(statement | {"Sid": f"{self.statement}Others", "Action": [self.action], "Resource": others})
        return json.dumps(policy | {"Statement": [one for one in kept if one["Action"]]})


def roles() -> dict[str, Document]:
    """The template's roles, by logical id."""
    return of_type(transformed(), "AWS::IAM::Role")


def needs() -> Iterator[NeededAction]:
    """Every one of them, with the statements that only an encryption key or a topic that was given brings."""
    for role, definition in roles().items():
        for statement in statements(definition, **DEPLOYED):
            resources = listed(statement["Resource"])
            for action in listed(statement["Action"]):
                need = NeededAction(role=role, statement=statement["Sid"], action=action)
                if len(resources) == 1:
                    yield need
                else:
                    yield from (replace(need, resource=index) for index in range(len(resources)))


def service_of(role: str) -> str:
    """Who may assume a role."""
    (statement,) = roles()[role]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    return str(statement["Principal"]["Service"])


def function_of(role: str) -> str:
    """The function that runs with a role, by its logical id."""
    return _user(role, "AWS::Lambda::Function", lambda properties: properties["Role"])


def schedule_of(role: str) -> str:
    """The schedule that starts something with a role, by its logical id."""
    return _user(role, "AWS::Scheduler::Schedule", lambda properties: properties["Target"]["RoleArn"])


def target_of(schedule: str) -> str:
    """What a schedule starts, by its logical id."""
    target = transformed()["Resources"][schedule]["Properties"]["Target"]["Arn"]
    return str(target["Fn::GetAtt"][0])


def _user(role: str, kind: str, role_of: Any) -> str:
    users = [
        name
        for name, definition in of_type(transformed(), kind).items()
        if role_of(definition["Properties"]) == {"Fn::GetAtt": [role, "Arn"]}
    ]
    assert len(users) == 1, f"{role} is the role of {users or 'nothing'}; each role belongs to one {kind}"
    return users[0]
