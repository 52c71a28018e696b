"""What Lambda's copies are made of takes no part in a Ctrl-C: whoever asks it ends, and it with them."""

import json
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[3]
# A Ctrl-C in a terminal reaches the whole process group: here the one of a process that asks for a worker after it.
ASKS = """
import json, os, signal, sys
from pathlib import Path

from localaws.functions.fork_server import ForkServer

server = ForkServer()
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.killpg(0, signal.SIGINT)
requests, answers = os.pipe(), os.pipe()
log = os.open(os.devnull, os.O_WRONLY)
worker = server.fork(
    environment={}, path=[], folder=Path(sys.argv[1]), requests=requests[0], answers=answers[1],
    log=log,
)
os.close(requests[1])
server.close()
print(json.dumps("asked"))
"""


def test_a_ctrl_c_while_it_loads_what_it_needs_leaves_it_able_to_answer(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKS, str(tmp_path)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        process_group=0,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{json.dumps('asked')}\n", "")
