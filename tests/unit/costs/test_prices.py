"""What a price comes to for one, and how it is said."""

import pytest
from efs_monitor.costs.prices import Price


@pytest.mark.parametrize(
    ("price", "dollars", "text"),
    [
        (Price("0.30", 1, "https://aws.example/"), 0.3, "$0.30 each"),
        (Price("0.30", 720, "https://aws.example/"), 0.3 / 720, "$0.30 per 720"),
        (Price("2.00", 100_000, "https://aws.example/"), 0.00002, "$2.00 per 100,000"),
    ],
)
def test_a_price_is_for_one_and_is_said_as_it_is_listed(price: Price, dollars: float, text: str) -> None:
    assert price.dollars == pytest.approx(dollars)
    assert str(price) == text
