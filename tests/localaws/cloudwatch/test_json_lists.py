"""What is written quickly is what moto would have written."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moto.core.serialize import DefaultAttributePicker, JSONSerializer, QuerySerializer
from moto.core.utils import get_service_model

from localaws.cloudwatch.json_lists import with_lists_at_once

MODEL = get_service_model("cloudwatch").operation_model("GetMetricData")
moments = st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
results = st.fixed_dictionaries(
    {
        "Id": st.text(),
        "Timestamps": st.lists(moments),
        "Values": st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 2**60)),
        "Messages": st.lists(st.fixed_dictionaries({"Code": st.text(), "Value": st.text()})),
    }
)


def written(serializer: Any, result: dict[str, Any]) -> Any:
    return serializer(operation_model=MODEL, value_picker=DefaultAttributePicker()).serialize(result)


@pytest.mark.more
@given(st.lists(results), st.none() | st.text())
def test_json_is_the_same(found: list[dict[str, Any]], token: str | None) -> None:
    result = {"MetricDataResults": found, "NextToken": token, "Messages": []}
    assert written(with_lists_at_once(JSONSerializer), result) == written(JSONSerializer, result)


@pytest.mark.parametrize(("serializer", "is_another"), [(JSONSerializer, True), (QuerySerializer, False)])
def test_only_json_is_written_by_another(serializer: type, is_another: bool) -> None:
    assert (with_lists_at_once(serializer) is not serializer) is is_another
