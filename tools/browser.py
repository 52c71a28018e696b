"""A headless Chromium, driven by its own DevTools protocol over two pipes: no port, no server, no further package."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

CHROMIUM = "chromium"
PATIENCE_SECONDS = 60
GONE_WITHIN_SECONDS = 0.5
FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
    *("--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-features=Translate,OptimizationHints,MediaRouter", "--force-color-profile=srgb", "--mute-audio"),
    # /dev/shm is 64 MiB in a container.
    "--disable-dev-shm-usage",
    # Root has none, and many a container has no room for it; what is opened are pages of this project's own making.
    "--no-sandbox",
)


class BrowserFailed(Exception):
    """What the browser answered instead of a result."""


class Browser:
    """One page of a browser. `complaints` are the errors that the page wrote to its console, or that nobody caught."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self._events: list[str] = []
        self.complaints: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        """The result of a method of the protocol; BrowserFailed where there is none."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": given}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserFailed(f"{method}: {answer['error']}")
                found: dict[str, Any] = answer["result"]
                return found

    def look(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        """The size of the window, whether it is dark, and whether fingers touch it."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.ask("Emulation.setTouchEmulationEnabled", enabled=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, path: Path) -> None:
        """Open a file, and wait until it has loaded."""
        self._events.clear()
        self.ask("Page.navigate", url=path.resolve().as_uri())
        until = time.monotonic() + PATIENCE_SECONDS
        while "Page.loadEventFired" not in self._events:
            if time.monotonic() > until:
                raise BrowserFailed(f"{path} did not load")
            self._read()

    def run(self, script: str) -> Any:
        """The value of an expression in the page, awaited; BrowserFailed where it throws."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise BrowserFailed(json.dumps(found["exceptionDetails"].get("exception", {}).get("description", found)))
        return found["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, *, pressed: bool = False) -> None:
        """`mouseMoved`, `mousePressed` or `mouseReleased` at a place of the window."""
        button = "left" if pressed or kind != "mouseMoved" else "none"
        given = {"button": button, "buttons": int(pressed), "clickCount": int(kind != "mouseMoved")}
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **given)

    def fingers(self, kind: str, *places: tuple[float, float]) -> None:
        """`touchStart`, `touchMove` or `touchEnd` with fingers at places of the window."""
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def picture(self) -> bytes:
        """What is seen, as PNG."""
        return b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """End the browser, so that it leaves nothing behind."""
        self._session = None
        self.ask("Browser.close")

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready = wait([self._from], PATIENCE_SECONDS)
            more = os.read(self._from, 1 << 20) if ready else b""
            if not more:
                raise BrowserFailed("the browser is silent" if not ready else "the browser has ended")
            self._rest += more
        one, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(one)
        if "method" in message:
            self._heard(message["method"], message.get("params", {}))
        return message

    def _heard(self, event: str, given: dict[str, Any]) -> None:
        self._events.append(event)
        if event == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(given["exceptionDetails"]))
        elif event == "Runtime.consoleAPICalled" and given["type"] in {"error", "warning", "assert"}:
            self.complaints.append(json.dumps(given["args"]))
        elif event == "Log.entryAdded" and given["entry"]["level"] in {"error", "warning"}:
            self.complaints.append(given["entry"]["text"])


def _end_group(leader: int) -> None:
    """End what a browser that is over has left running: it would write into the profile while that is removed."""
    until = time.monotonic() + GONE_WITHIN_SECONDS
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.killpg(leader, signal.SIGKILL)
            time.sleep(0.01)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a profile of its own, both gone afterwards."""
    command = shutil.which(CHROMIUM)
    if command is None:
        raise BrowserFailed(f"{CHROMIUM} is missing: apt-get install {CHROMIUM}")
    read_commands, to_browser = os.pipe()
    from_browser, write_answers = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = [command, *FLAGS, f"--user-data-dir={profile}"]
        # It reads from 3 and writes to 4, whatever these are here.
        shell = ["bash", "-c", f'exec "$@" 3<&{read_commands} 4>&{write_answers}', "sh", *words]
        process = subprocess.Popen(
            shell,
            pass_fds=(read_commands, write_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Where it is broken off, it leaves what it put into TMPDIR.
            env=os.environ | dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"), profile),
            # Ctrl-C is for the command alone: of a browser that it ends, too, nobody knows when its last process goes.
            start_new_session=True,
        )
        os.close(read_commands)
        os.close(write_answers)
        try:
            one = Browser(to_browser, from_browser)
            yield one
            one.close()
        finally:
            os.close(to_browser)
            os.close(from_browser)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            _end_group(process.pid)
