"""Functions run on the libraries of one lock file: the newest ones, or those that `make oldest` names."""

import os
import re
from collections.abc import Callable
from typing import Any

from stage.sam_deployment import PROJECT
from tests.localaws.conftest import Deploy

REPORT = """
    import boto3, botocore, urllib3

    def handler(event, context):
        return {module.__name__: module.__version__ for module in (boto3, botocore, urllib3)}
"""


def test_a_function_gets_the_locked_libraries(deploy: Deploy, invoke: Callable[..., dict[str, Any]]) -> None:
    lock = (PROJECT / os.environ.get("EFS_MONITOR_RUNTIME", "requirements/dev.txt")).read_text()
    deploy("versions", REPORT)
    for name, version in invoke("versions")["Payload"].items():
        assert re.search(rf"^{name}==(\S+)", lock, re.MULTILINE), name
        assert f"\n{name}=={version} " in lock
