"""Lists of times and numbers as moto writes them in JSON, without its search for how to write each of them: for the
thousands of datapoints that a function reads every hour, that took as long as finding them.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

from moto.core.serialize import BaseJSONSerializer


def _whole_seconds(moment: datetime) -> int:
    return int(moment.timestamp())


WRITTEN: dict[str, Callable[[Any], float]] = {"double": float, "timestamp": _whole_seconds}


class _ListsAtOnce(BaseJSONSerializer):  # type: ignore[misc] # moto has no types
    def _serialize_type_list(self, serialized: Any, value: Any, shape: Any, key: str) -> None:
        written = WRITTEN.get(shape.member.type_name)
        if written is None:
            super()._serialize_type_list(serialized, value, shape, key)
        else:
            self._default_serialize(serialized, [written(one) for one in value], shape, key)


@cache
def with_lists_at_once(serializer: type) -> type:
    """A serializer of moto's, quicker where it writes JSON. Times in lists are whole seconds, as CloudWatch's are."""
    if not issubclass(serializer, BaseJSONSerializer):
        return serializer
    return type(serializer.__name__, (_ListsAtOnce, serializer), {})
