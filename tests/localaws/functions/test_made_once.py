"""Functions start in many threads at once. What they share is there once: a folder, and the process that is copied."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
AT_ONCE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from localaws.functions import {module}

sys.setswitchinterval(1e-6)
together = Barrier(16)


def asked(_):
    together.wait()
    return {module}.{name}()


with ThreadPoolExecutor(16) as threads:
    print(len(set(threads.map(asked, range(16)))))
"""


def made_of_sixteen_at_once(module: str, name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE.format(module=module, name=name)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_folder_of_what_the_runtime_brings_is_made_once_for_sixteen_threads() -> None:
    assert made_of_sixteen_at_once("function_deployment", "runtime_packages") == "1\n"


@pytest.mark.more
def test_the_process_that_functions_are_copies_of_is_started_once_for_sixteen_threads() -> None:
    assert made_of_sixteen_at_once("fork_server", "fork_server") == "1\n"
