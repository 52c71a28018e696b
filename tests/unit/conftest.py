"""Unit tests are about values: whoever opens a socket here is in the wrong room."""

import pytest
from pytest_socket import disable_socket


@pytest.fixture(autouse=True)
def no_sockets() -> None:
    disable_socket()
