"""The proof on a real account.

Deploys a stack of its own next to an existing file system, which it only reads; drills it, compares every resource with
the template, tries what only an account can show, deletes it, looks for leftovers, and prints what it saw.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from efs_monitor.stack_identity import smoke_stack_name

from operate.checklist import Checklist
from operate.described_stack import Account, DescribedStack, described_stack, find_stack
from operate.drill import PAUSE_SECONDS, NotNow, Waiting, drill
from operate.environment import Environment, Refused
from operate.interruption import Interrupted
from operate.smoke.account_trials import Trials
from operate.smoke.inspection import inspect
from operate.smoke.inventory import exists

GOING = Waiting(attempts=60 // PAUSE_SECONDS)
"""For what a deleted stack leaves to go: a minute."""

type Run = Callable[[Sequence[str]], bool]
"""Runs a command line and says whether it went well."""


def smoke(
    chosen: Environment, account: Account, run: Run, checklist: Checklist, *, waiting: Waiting | None = None
) -> None:
    """The whole of it; the stack is deleted whatever happens in between. Refused where its name is taken."""
    own = replace(chosen, stack_name=smoke_stack_name(chosen.stack_name))
    if described_stack(account, own.stack_name) is not None:
        raise Refused(f"There is a stack {own.stack_name} in {account.region} already, left over perhaps: delete it")
    deploy = partial(_deploy, own, run)
    stack = None
    try:
        if not deploy():
            checklist.add(ok=False, what=f"sam deploy of {own.stack_name}", seen="failed; what it printed is above")
            return
        stack = find_stack(account, own.stack_name)
        checklist.add(ok=True, what=f"sam deploy of {own.stack_name}", seen=f"{len(stack.resources)} resources")
        inspect(stack, checklist)
        _drill(stack, checklist, waiting)
        Trials(stack=stack, deploy=deploy, checklist=checklist, tags=own.tags, waiting=waiting or Waiting()).run()
    except KeyboardInterrupt as interrupt:
        raise Interrupted(f"Interrupted: {own.stack_name} was deleted first.") from interrupt
    finally:
        deleted = _delete(own, run)
        checklist.add(ok=deleted, what=f"sam delete of {own.stack_name}", seen="done" if deleted else "FAILED")
        if stack is not None:
            look_for_what_is_left(stack, checklist, waiting or GOING)


def _deploy(own: Environment, run: Run, *options: str) -> bool:
    """Deploy as `sam deploy --config-env` would, under the stack's own name and with a folder of its own in the bucket.

    In the environment's folder `sam delete` would take the environment's code as well.
    """
    never_asks = ("--no-confirm-changeset", "--no-fail-on-empty-changeset")
    return run(["sam", "deploy", *_named(own), *_where(own), *never_asks, *options])


def _delete(own: Environment, run: Run) -> bool:
    return run(["sam", "delete", *_named(own), *_where(own), "--no-prompts"])


def _where(own: Environment) -> list[str]:
    """The account and Region, which may be others than the environment's; older versions of `sam delete` take them from
    their options alone.
    """
    return ["--region", own.region, *(["--profile", own.profile] if own.profile else [])]


def _named(own: Environment) -> list[str]:
    """The environment that `sam` reads, which would be `default`, and what of it is the stack's own."""
    return [
        *("--config-file", str(own.configuration), "--config-env", own.name),
        *("--stack-name", own.stack_name, "--s3-prefix", own.stack_name),
    ]


def _drill(stack: DescribedStack, checklist: Checklist, waiting: Waiting | None) -> None:
    try:
        drill(stack, checklist, waiting=waiting)
    except NotNow as refused:
        # An elastic or exhausted file system is no failure of the stack; that nothing was drilled must be seen.
        checklist.add(ok=None, what="drill", seen=f"{refused.why}; smoke again {refused.until}")
    except Refused as refused:
        # An alarm that is not there or has no actions, in a stack that nobody but smoke has touched.
        checklist.add(ok=False, what="drill", seen=str(refused))


def look_for_what_is_left(stack: DescribedStack, checklist: Checklist, waiting: Waiting) -> None:
    """Look again for what is still there before saying so: SQS takes up to a minute to delete a queue."""
    there = {one: exists(stack.account, one) for one in stack.resources.values()}
    for _ in range(waiting.attempts):
        if not any(there.values()):
            break
        waiting.pause()
        there |= {one: exists(stack.account, one) for one, is_there in there.items() if is_there}
    for one, is_left in there.items():
        if is_left is not None:
            checklist.add(
                ok=not is_left, what=f"{one.logical_id} is deleted", seen="STILL THERE" if is_left else "gone"
            )
