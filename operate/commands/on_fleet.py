"""The command that reads what there is of a fleet, and says what its function would do."""

import json
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from operate.commands.access import Access, Profile, Region
from operate.commands.base_command import WholeAsJson, end, show


def fleet(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="FleetName of the fleet: the names of its stacks begin with it.")
    ],
    template_url: Annotated[
        str | None, typer.Option(metavar="URL", help="URL of the packaged template in S3.", show_default=False)
    ] = None,
    tag: Annotated[
        str | None, typer.Option(metavar="KEY[=VALUE]", help="Only file systems with this tag.", show_default=False)
    ] = None,
    parameters: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Parameters for every stack: 'Name=value; Name=value'.", show_default=False),
    ] = None,
    grace_hours: Annotated[
        int | None, typer.Option(min=0, help="Hours to keep a stack without a file system.", show_default=False)
    ] = None,
    profile: Profile = None,
    region: Region = None,
    as_data: WholeAsJson = False,
) -> None:
    """What a fleet of monitor stacks would do now: create, update, delete, keep or refuse, each with its reason.

    What no option says is as the deployed fleet has it. Without a deployed
    fleet --template-url must be given, and the others are all file systems, no
    parameters and 24 hours.

    Read-only: it needs elasticfilesystem:DescribeFileSystems,
    cloudformation:DescribeStacks and cloudformation:ListStacks, and changes
    nothing. With ssm:GetParameters it knows which grace or pause has begun;
    without, it says that it does not know.

    Exit status: 0 if nothing needs a change; 1 if something would be changed or
    is refused; 2 if there is no answer, with the reason.
    """
    # Here, so that no other command waits for it.
    from efs_monitor.fleet.membership import membership_of
    from efs_monitor.fleet.reconciliation import Fleet, Keep

    from operate.fleet_plan import (
        GRACE_HOURS,
        deployed,
        given_to_stacks,
        planned,
        release_url,
        remembered,
        require_of_fleet,
    )
    from operate.fleet_plan import as_json as plan_as_json
    from operate.fleet_plan import report as plan_report

    def run() -> int:
        require_of_fleet(name, tag or "", template_url)
        access = Access(profile, region)
        with (
            closing(access.client("efs")) as efs,
            closing(access.client("cloudformation")) as cloudformation,
            closing(access.client("ssm")) as ssm,
        ):
            where = cloudformation.meta.region_name
            # What no stack may be given is refused before anything is asked of AWS.
            given_to_stacks({}, parameters, where)
            own = deployed(cloudformation, name)
            wanted = Fleet(
                name=name,
                region=where,
                template=template_url or release_url(own, name, where),
                membership=membership_of(own.get("FleetTag", "") if tag is None else tag),
                parameters=given_to_stacks(own, parameters, where),
                grace=timedelta(hours=int(own.get("GraceHours", GRACE_HOURS)) if grace_hours is None else grace_hours),
            )
            notes, not_known = remembered(ssm, name)
            found = planned(efs, cloudformation, wanted, notes, datetime.now(UTC))
        if as_data:
            sys.stdout.write(json.dumps(plan_as_json(found, wanted, not_known), indent=2) + "\n")
        else:
            show(plan_report(found, wanted, not_known))
        return int(any(not isinstance(step, Keep) for step in found.steps))

    end(run)
