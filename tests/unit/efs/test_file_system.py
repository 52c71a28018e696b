"""What is said of a file system by its size."""

import pytest

from tests.unit.mail.mail_cases import a_file_system


@pytest.mark.parametrize(
    ("standard_bytes", "colder_bytes", "cold"), [(100, 99, False), (100, 100, True), (0, 0, False), (0, 1, True)]
)
def test_half_of_what_is_stored_may_earn_nothing(standard_bytes: int, colder_bytes: int, cold: bool) -> None:
    assert a_file_system(standard_bytes=standard_bytes, colder_bytes=colder_bytes).is_mostly_cold is cold
