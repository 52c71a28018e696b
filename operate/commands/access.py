"""In which account and Region a command reads, as the AWS CLI takes it."""

import os
from typing import Annotated, Any, NamedTuple

import boto3
import typer
from botocore.exceptions import NoCredentialsError
from efs_monitor.aws.calls import UNHURRIED

from operate.environment import Refused

Profile = Annotated[str | None, typer.Option(help="AWS CLI profile.", show_default=False)]
Region = Annotated[str | None, typer.Option(help="AWS Region.", show_default=False)]


class Access(NamedTuple):
    """The profile and Region that were given; None where the shell and its profile decide."""

    profile: str | None
    region: str | None

    def client(self, service: str) -> Any:
        """A client of a service; Refused without a Region, NoCredentialsError without credentials."""
        session = boto3.Session(profile_name=self.profile)
        region = self.region or os.environ.get("AWS_REGION") or session.region_name
        if not region:
            raise Refused("No Region is set: give --region, or set AWS_REGION")
        if session.get_credentials() is None:
            raise NoCredentialsError
        return session.client(service, region_name=region, config=UNHURRIED)  # type: ignore[call-overload] # any service
