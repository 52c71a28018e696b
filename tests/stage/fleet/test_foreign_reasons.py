"""Reasons of CloudFormation, of a handler or of an organisation's hook, which may have any sign in them."""

from datetime import timedelta

import pytest
from efs_monitor.aws import cloudformation

from proofs.fleet.fleet_account import FleetAccount, file_system_id
from proofs.fleet.fleet_starting_points import TAKEN

REASON = "ToldParameter: The hook Acme::Names says: use {{resolve:ssm:/acme/names}}, and no {{{braces}}}"


def test_one_that_repeats_a_dynamic_reference_is_told_and_keeps_no_other_stack_waiting(
    fleet: FleetAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parameter Store, in which it is remembered, takes no value with something between two braces."""
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.file_system(1, BenchmarkPath=TAKEN)
    fleet.run_here()
    fleet.settle()
    monkeypatch.setattr(cloudformation, "first_failure", lambda *_: REASON)
    fleet.file_system(2)
    for _ in range(2):
        fleet.run_here()
        fleet.settle()
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    assert fleet.statuses()[f"efs-fleet-{file_system_id(2)}"] == "CREATE_COMPLETE"
    assert f"{file_system_id(1)}: {REASON}" in " ".join(" ".join(fleet.digests()).split())
