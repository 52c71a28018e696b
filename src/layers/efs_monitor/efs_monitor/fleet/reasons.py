"""Why a stack of a fleet failed, in CloudFormation's words: which reasons of several stacks, and tries, are one."""

import re

REASON_CHARACTERS = 300
# The same of every reason, however long the name of the resource before it is.
CAUSE_CHARACTERS = REASON_CHARACTERS - 50
# Stands for the file system in a reason that several have.
ANY = "fs-*"
# `WarningAlarm: ` before what CloudFormation said of it.
RESOURCE = re.compile(r"[A-Z][A-Za-z0-9]{0,254}: ")
# As IAM says it, of whatever is asked for first.
DENIED = "not authorized to perform"
# The role with which CloudFormation works, which is the same for every stack, and its ARN leaves no room for the rest.
SERVICE_ROLE = re.compile(r"User: \S+/AWSCloudFormation is (?=not authorized)")
# A name that begins with its stack's, of a layer with the number of its version.
OWN_NAME = re.compile(r"\b(fs-[0-9a-f]+)-[\w-]+(?::\d+\b)?")


def cause(why: str) -> str:
    """A reason without the resource that met it first, and, where somebody was denied, without that resource's name and
    the ARN of the fleet's own role.

    CloudFormation makes several at once: of a statement that denies one role it tells of another at the next try, and
    in the next stack.
    """
    said = why.removeprefix(resource(why))
    return OWN_NAME.sub(r"\1-*", SERVICE_ROLE.sub("The service role is ", said)) if DENIED in said else said


def resource(why: str) -> str:
    """What a reason begins with where it is one of a resource, such as `WarningAlarm: `; else nothing."""
    found = RESOURCE.match(why)
    return found[0] if found else ""


def alike(file_system_id: str, why: str) -> str:
    """A reason without the one file system that it names: what keeps many from their stacks is one reason."""
    return why.replace(file_system_id, ANY)


def of_one(file_system_id: str, why: str) -> str:
    """A reason that `alike` made general, with the id of the file system in it again."""
    return why.replace(ANY, file_system_id)
