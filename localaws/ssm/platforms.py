"""What an instance runs on, as far as its agent tells of it or behaves by it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

type PlatformType = Literal["Linux", "Windows", "MacOS"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """`sh_path` is the program that is called `sh` there: bash becomes the script, dash waits for it."""

    type: PlatformType
    name: str
    version: str
    sh_path: Path = Path("/bin/bash")


AMAZON_LINUX = Platform(type="Linux", name="Amazon Linux", version="2023")
DEBIAN = Platform(type="Linux", name="Debian GNU/Linux", version="12", sh_path=Path("/bin/dash"))
WINDOWS = Platform(type="Windows", name="Microsoft Windows Server 2022 Datacenter", version="10.0.20348")
