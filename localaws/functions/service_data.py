"""botocore's data of services, read once in a process: each session has its own reader, which takes 30 ms a client.

The times in answers, too: functions read days of minutes every hour, and a fifth of that was reading times.
"""

from functools import lru_cache
from typing import Any

import botocore.parsers
from botocore.loaders import JSONFileLoader

TIMES_KEPT = 50_000


def read_once() -> None:
    """From now on, whichever session asks. What was read is shared; botocore adds the same extras to it each time."""
    botocore.parsers.DEFAULT_TIMESTAMP_PARSER = lru_cache(TIMES_KEPT)(botocore.parsers.DEFAULT_TIMESTAMP_PARSER)
    theirs = JSONFileLoader.load_file
    known: dict[str, Any] = {}

    def load_file(self: JSONFileLoader, file_path: str) -> Any:
        if file_path not in known:
            known[file_path] = theirs(self, file_path)
        return known[file_path]

    JSONFileLoader.load_file = load_file  # type: ignore[method-assign] # of the same form
