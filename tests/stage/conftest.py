"""A sandbox of its own for every test and a host in it, as the tests of the local AWS have them."""

from tests.localaws.conftest import deploy, invoke, sandbox
from tests.localaws.ssm.conftest import host

__all__ = ["deploy", "host", "invoke", "sandbox"]
