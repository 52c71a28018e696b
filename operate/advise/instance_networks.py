"""What an instance's network carries for longer than its network credits last: the baseline that EC2 tells of a type.

Of types that EC2 describes in words only ("Low to Moderate") there is no figure here, and so no advice. Types that are
not burstable are left out from 1,250 Mbit/s on: few clients need more than that of EFS.

Source: BaselineBandwidthInGbps of DescribeInstanceTypes, as https://github.com/aws/karpenter-provider-aws has it in
pkg/providers/instancetype/zz_generated.bandwidth.go. Of the t2 only the micro has a figure: the 7 MB/s at which it
ended in AWS's EFS tutorial, after 120 MB/s for a while.
"""

import re

_TYPES_BY_MEGABITS = {
    32: "t3.nano t3a.nano t4g.nano",
    56: "t2.micro",
    64: "t3.micro t3a.micro t4g.micro",
    128: "t3.small t3a.small t4g.small",
    256: "t3.medium t3a.medium t4g.medium",
    390: "c7a.medium c7i-flex.large m7a.medium m7i-flex.large r7a.medium",
    468: "c8i-flex.large m8i-flex.large r8i-flex.large",
    500: "a1.medium c6g.medium c6gd.medium m6g.medium m6gd.medium r6g.medium r6gd.medium x2gd.medium",
    512: "t3.large t3a.large t4g.large",
    520: "c7g.medium c7gd.medium c8a.medium c8g.medium c8gd.medium m7g.medium m7gd.medium m8a.medium m8g.medium "
    "m8gd.medium r7g.medium r7gd.medium r8a.medium r8g.medium r8gd.medium x8g.medium",
    550: "c9g.medium c9gd.medium m9g.medium m9gd.medium",
    625: "x1e.xlarge",
    750: "a1.large c5.large c5a.large c5ad.large c5d.large c6g.large c6gd.large i3.large m5.large m5a.large m5ad.large "
    "m5d.large m6g.large m6gd.large r4.large r5.large r5a.large r5ad.large r5b.large r5d.large r6g.large r6gd.large "
    "x2gd.large z1d.large",
    781: "c6a.large c6i.large c6id.large c7a.large c7i-flex.xlarge c7i.large i4g.large i4i.large m6a.large m6i.large "
    "m6id.large m7a.large m7i-flex.xlarge m7i.large r6a.large r6i.large r6id.large r7a.large r7i.large r7iz.large",
    937: "c7g.large c7gd.large c8a.large c8g.large c8gd.large c8i-flex.xlarge c8i.large c8id.large m7g.large "
    "m7gd.large m8a.large m8g.large m8gd.large m8i-flex.xlarge m8i.large m8id.large r7g.large r7gd.large r8a.large "
    "r8g.large r8gd.large r8i-flex.xlarge r8i.large r8id.large x8g.large x8i.large",
    1000: "c9g.large c9gd.large m9g.large m9gd.large",
    1024: "t3.xlarge t3a.xlarge t4g.xlarge",
    2048: "t3.2xlarge t3a.2xlarge t4g.2xlarge",
}
_MEGABITS = {name: megabits for megabits, names in _TYPES_BY_MEGABITS.items() for name in names.split()}
BURSTABLE = re.compile(r"t[0-9][a-z]?\.")


def baseline_bytes_per_second(instance_type: str) -> float | None:
    """What such an instance sends and receives at any time; None where that is not told here."""
    megabits = _MEGABITS.get(instance_type)
    return None if megabits is None else megabits * 1000**2 / 8


def is_burstable(instance_type: str) -> bool:
    """Whether the type is one of those whose CPU earns and spends credits, too."""
    return BURSTABLE.match(instance_type) is not None
