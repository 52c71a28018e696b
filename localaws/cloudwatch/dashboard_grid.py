"""Where the widgets of a dashboard may be, and CloudWatch's words for those that are elsewhere.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
"""

import json
from collections.abc import Iterator
from typing import Any

from localaws.service_error import ServiceError

GRID = {"x": (0, 23), "y": (0, None), "width": (1, 24), "height": (1, 1_000)}
"""The lowest and the highest value of each; there is no end downwards."""


def check(text: str) -> None:
    """Raise InvalidParameterInput for widgets outside of the grid; what is no dashboard is left to moto.

    Differs from AWS: nothing else of a body is judged. Whether a widget may be wider than what is left of its row AWS
    does not say.
    """
    try:
        body = json.loads(text)
    except ValueError:
        return
    widgets = body.get("widgets") if isinstance(body, dict) else None
    wrong = list(_outside(widgets)) if isinstance(widgets, list) else []
    if wrong:
        told = (
            f"The dashboard body is invalid, there are {len(wrong)} validation errors:\n{json.dumps(wrong, indent=2)}"
        )
        raise ServiceError("InvalidParameterInput", told)


def _outside(widgets: list[Any]) -> Iterator[dict[str, str]]:
    for number, widget in enumerate(widgets):
        for name, (lowest, highest) in GRID.items():
            value = widget.get(name, lowest)
            path = f"/widgets/{number}/{name}"
            if value < lowest:
                yield {"dataPath": path, "message": f"Should be >= {lowest}"}
            if highest is not None and value > highest:
                yield {"dataPath": path, "message": f"Should be <= {highest}"}
