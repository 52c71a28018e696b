"""A quota of the account that ends while a stack is being made: whatever CloudFormation asks for is refused by then."""

from datetime import timedelta
from typing import Any

import pytest
from moto.iam.exceptions import LimitExceededException
from moto.iam.models import IAMBackend

from proofs.fleet.fleet_account import FleetAccount, file_system_id, small_monitor

SAID = "Cannot exceed quota for RolesPerAccount: 1000"
"""As IAM says it; CloudFormation puts it between the words of its handler."""


def monitor_with_a_role() -> dict[str, Any]:
    """A stack that needs one role, as the real one needs eight."""
    monitor = small_monitor()
    trust = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    monitor["Resources"]["ExplainRole"] = {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [trust]},
            "PermissionsBoundary": {"Ref": "PermissionsBoundaryArn"},
        },
    }
    return monitor


def test_roles_that_end_within_stacks_are_one_sentence_and_are_tried_again(
    fleet: FleetAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet.release(monitor_with_a_role())
    for number in range(3):
        fleet.file_system(number)
    create_role = IAMBackend.create_role

    def most(self: IAMBackend, *given: Any, **named: Any) -> Any:
        if any(role.name.startswith("efs-fleet-fs-") for role in self.roles.values()):
            raise LimitExceededException(SAID)
        return create_role(self, *given, **named)

    with monkeypatch.context() as full:
        full.setattr(IAMBackend, "create_role", most)
        fleet.run()
        fleet.settle()
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
        fleet.run()
        fleet.settle()
    digest = " ".join(fleet.digests()[-1].split())
    assert "1 watched, 0 in an incident, 2 failed, 0 refused." in digest
    assert digest.count(SAID) == 1
    assert sum(file_system_id(number) in digest for number in range(3)) >= 2
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    for _ in range(3):
        fleet.run()
        fleet.settle()
    assert set(fleet.statuses().values()) == {"CREATE_COMPLETE"}
    assert len(fleet.statuses()) == 3
