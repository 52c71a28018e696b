"""Every privilege in the template is needed, and reaches no further than the template says."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from localaws.iam.policy import matches
from tests.stage.privileges.needs import NeededAction, function_of, needs, roles, schedule_of, service_of
from tests.stage.privileges.privilege_proofs import Proof, a_benchmark_is_sent, log_lines_of, proof_of, start_by
from tests.stage.privileges.reaches import refusal_elsewhere
from tests.stage.privileges.whole_stack import HOST, STRANGER, WholeStack
from tests.template.template_documents import with_parameter
from tests.template.test_template_policies import WITHOUT_RESOURCE

NEEDS = list(needs())
# A resource that the API cannot narrow is `*`; tests/template holds the actions that may have it.
NARROWED = [need for need in NEEDS if need.action not in WITHOUT_RESOURCE]


@pytest.fixture(scope="module")
def whole(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeStack]:
    with WholeStack.deployed(built, tmp_path_factory.mktemp("home")) as deployed:
        yield deployed


@pytest.fixture(scope="module")
def shown(whole: WholeStack) -> Callable[[Proof], bool]:
    """Whether a proof succeeds with all privileges: asked once, however many privileges it is a proof of."""
    return cache(lambda proof: proof(whole))


@pytest.mark.parametrize("need", NEEDS, ids=str)
def test_each_action_of_each_statement_has_a_proof(need: NeededAction) -> None:
    """Which the next one runs, for minutes."""
    assert proof_of(need), f"nothing shows what {need} is for: write a proof of it in privilege_proofs.py"


@pytest.mark.days
@pytest.mark.parametrize("need", NEEDS, ids=str)
def test_each_action_of_each_statement_is_needed(
    whole: WholeStack, shown: Callable[[Proof], bool], need: NeededAction
) -> None:
    proof = proof_of(need)
    assert proof is not None
    assert shown(proof), f"with all its privileges, the stack does not do this: {proof.__doc__}"
    with whole.without(need):
        assert not proof(whole), f"nothing needs {need}: this works without it, too: {proof.__doc__}"
        # And for this very reason, not because something else broke.
        assert any(matches(need.action.lower(), action) for action in whole.refused())


@pytest.mark.parametrize("need", NARROWED, ids=str)
def test_no_action_reaches_another_resource(whole: WholeStack, need: NeededAction) -> None:
    refused = refusal_elsewhere(whole, need)
    assert "is not authorized to perform" in refused
    assert "no identity-based policy allows" in refused


@pytest.mark.parametrize("role", roles())
def test_a_role_works_only_for_the_service_it_trusts(
    whole: WholeStack, shown: Callable[[Proof], bool], role: str
) -> None:
    of_function = service_of(role) == "lambda.amazonaws.com"
    proof = log_lines_of(function_of(role)) if of_function else start_by(schedule_of(role))
    assert shown(proof)
    with whole.distrusted(role):
        assert not proof(whole)


@pytest.mark.parametrize(("named", "is_sent"), [(HOST, True), (f"{STRANGER},{HOST}", True), (STRANGER, False)])
def test_instances_may_be_named_instead_of_tagged(whole: WholeStack, named: str, is_sent: bool) -> None:
    (policy,) = roles()["RunBenchmarkRole"]["Properties"]["Policies"]
    as_named = with_parameter(policy["PolicyDocument"]["Statement"], "BenchmarkInstanceIds", named)
    (by_name,) = (one for one in as_named if one["Sid"] == "SendToNamedInstances")
    deployed = whole.statements("RunBenchmarkRole")
    others = [one for one in deployed if one["Sid"] != "SendToTaggedInstances"]
    assert len(others) == len(deployed) - 1
    with whole.with_statements("RunBenchmarkRole", [*others, by_name]):
        assert a_benchmark_is_sent(whole) == is_sent
