"""`make smoke ENV=NAME`: the proof on a real account.

Deploys a stack of its own next to an existing file system, which it only reads; drills it, holds every resource against
the template, deletes it, looks for what is left, and prints what it saw.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

from botocore.exceptions import ClientError

from tools.operations.checklist import Checklist
from tools.operations.drill import Waiting, drill
from tools.operations.environment import Environment, Refused, environment
from tools.operations.inspection import inspect
from tools.operations.inventory import exists
from tools.operations.stack import Account, Stack, find_stack

SUFFIX = "-smoke"

type Run = Callable[[list[str]], None]


def smoke(
    chosen: Environment, account: Account, run: Run, checklist: Checklist, *, waiting: Waiting | None = None
) -> None:
    """The whole of it; the stack is deleted whatever happens in between. Refused where its name is taken."""
    own = replace(chosen, stack_name=chosen.stack_name + SUFFIX)
    _require_absent(account, own.stack_name)
    stack = None
    try:
        run(_deploy(own))
        stack = find_stack(account, own.stack_name)
        checklist.add(ok=True, what=f"sam deploy of {own.stack_name}", seen=f"{len(stack.resources)} resources")
        inspect(stack, checklist)
        _drill(stack, checklist, waiting)
    finally:
        run(["sam", "delete", "--stack-name", own.stack_name, "--region", own.region, "--no-prompts"])
        if stack is not None:
            _look_for_what_is_left(stack, checklist)


def _deploy(own: Environment) -> list[str]:
    overrides = [f"{name}={value}" for name, value in own.parameters.items()]
    return [
        *("sam", "deploy", "--stack-name", own.stack_name, "--region", own.region),
        *("--resolve-s3", "--capabilities", "CAPABILITY_IAM"),
        *("--no-confirm-changeset", "--no-fail-on-empty-changeset"),
        *("--parameter-overrides", *overrides),
    ]


def _require_absent(account: Account, name: str) -> None:
    try:
        account.client("cloudformation").describe_stacks(StackName=name)
    except ClientError:
        return
    raise Refused(f"There is a stack {name} in {account.region} already, left over perhaps: delete it first")


def _drill(stack: Stack, checklist: Checklist, waiting: Waiting | None) -> None:
    try:
        drill(stack, checklist, waiting=waiting)
    except Refused as refused:
        # An elastic or exhausted file system is no failure of the stack; that nothing was drilled must be seen.
        checklist.add(ok=False, what="drill", seen=str(refused))


def _look_for_what_is_left(stack: Stack, checklist: Checklist) -> None:
    for one in stack.resources.values():
        if (there := exists(stack.account, one)) is not None:
            checklist.add(ok=not there, what=f"{one.logical_id} is deleted", seen="STILL THERE" if there else "gone")


def main(arguments: list[str]) -> int:
    """0 when all of it holds, 1 when something does not, 2 when it was refused."""
    parser = argparse.ArgumentParser(prog="make smoke", description=__doc__)
    parser.add_argument("environment", help="an environment of samconfig.toml; its stack is not touched")
    options = parser.parse_args(arguments)
    checklist = Checklist()
    account = None
    try:
        chosen = environment(options.environment)
        account = Account(chosen.region)
        smoke(chosen, account, _run, checklist)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as failed:
        print(f"{' '.join(failed.cmd)} failed; what it printed is above", file=sys.stderr)
        return 1
    finally:
        if account is not None:
            account.close()
    print(checklist.verdict())
    return 0 if checklist.ok else 1


def _run(command: list[str]) -> None:
    print(f"$ {' '.join(command)}", flush=True)
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
