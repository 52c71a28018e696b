"""What makes a sandbox quick: each of the functions that are shipped is loaded once for all stacks."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from localaws.functions import forked_workers

PROJECT = Path(__file__).parents[3]
FUNCTIONS = sorted(path.parent.name for path in (PROJECT / "src" / "functions").glob("*/app.py"))
LOAD = """
import json, os, runpy, sys
environment = runpy.run_path(sys.argv[1])["ReadEnvironment"]
environment.read, environment.asked_for = set(), set()
os.environ.__class__ = environment
import app
print(json.dumps(sorted(environment.read)))
"""
ALIKE = {"AWS_EXECUTION_ENV", "AWS_LAMBDA_INITIALIZATION_TYPE", "AWS_LAMBDA_LOG_LEVEL", "HOME", "LOG_LEVEL"}
"""What each function of a sandbox has alike; the templates set none of it, nor what begins so:"""
ALIKE_BEGINNINGS = ("POWERTOOLS_", "_PYTHON_SUBPROCESS_")


@pytest.mark.whole
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_reads_no_variable_while_it_is_loaded_that_differs_between_stacks(function: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOAD, forked_workers.__file__],
        cwd=PROJECT / "src" / "functions" / function,
        env={"PYTHONPATH": str(PROJECT / "src" / "layers" / "efs_monitor"), "AWS_LAMBDA_FUNCTION_NAME": "one"},
        capture_output=True,
        text=True,
        check=True,
    )
    read = json.loads(done.stdout)
    assert [name for name in read if name not in ALIKE and not name.startswith(ALIKE_BEGINNINGS)] == []


def test_the_templates_set_none_of_what_is_alike() -> None:
    templates = (PROJECT / "template.yaml").read_text() + (PROJECT / "fleet.yaml").read_text()
    assert [name for name in (*(f"{one}:" for one in ALIKE), *ALIKE_BEGINNINGS) if name in templates] == []
