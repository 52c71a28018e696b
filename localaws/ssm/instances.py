"""The instances of the account that Systems Manager manages, kept with moto's SSM so that they end with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from moto.ssm.models import ssm_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.ssm.host import Host

type Presence = Literal["Online", "ConnectionLost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A managed instance: where its agent runs things, its tags, and whether the agent is heard of."""

    host: Host
    tags: Mapping[str, str] = field(default_factory=dict)
    presence: Presence = "Online"

    @property
    def id(self) -> str:
        return self.host.instance_id

    @property
    def is_online(self) -> bool:
        return self.presence == "Online"

    def has_tag(self, key: str, values: list[str]) -> bool:
        """Whether the tag is one of the values; any value does where none is named."""
        return key in self.tags and (not values or self.tags[key] in values)


def instances() -> dict[str, Instance]:
    """By id. Put one in, put another one of the same id in its place, or take it out, as a termination does."""
    found: dict[str, Instance] = vars(ssm_backends[ACCOUNT_ID][REGION]).setdefault("_managed_instances", {})
    return found
