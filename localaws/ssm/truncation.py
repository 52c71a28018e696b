"""How the agent shortens what a script wrote before it sends it: by bytes, also in the middle of a character."""

LONGEST_OUTPUT_BYTES = 24_000
CUT_OFF = b"--output truncated--"

LONGEST_SUMMARY_BYTES = 2_500
ERRORS = b"\n----------ERROR-------\n"
CUT_OUTPUT = b"\n---Output truncated---"
CUT_ERRORS = b"\n---Error truncated----"


def shortened(written: bytes) -> str:
    """An output as it is sent. From exactly the limit on it is cut, both outputs at the limit of the first.

    agent/plugins/pluginutil/pluginutil.go, StringPrefix; agent/framework/runpluginutil/runpluginutil.go, RunPlugins
    """
    if len(written) >= LONGEST_OUTPUT_BYTES:
        written = written[: LONGEST_OUTPUT_BYTES - len(CUT_OFF)] + CUT_OFF
    return written.decode(errors="replace")


def summary(stdout: bytes, stderr: bytes) -> str:
    """Standard output and errors in one, as lists of invocations have them.

    agent/framework/processor/executer/iohandler/iohandler.go, TruncateOutput
    """
    title = ERRORS if stderr else b""
    room = LONGEST_SUMMARY_BYTES - len(title)
    if len(stdout) + len(stderr) >= room:
        if len(stdout) > room // 2 and len(stderr) > room // 2:
            each = (room - len(CUT_OUTPUT) - len(CUT_ERRORS)) // 2
            stdout, stderr = stdout[:each] + CUT_OUTPUT, stderr[:each] + CUT_ERRORS
        elif len(stdout) <= room // 2:
            stderr = stderr[: room - len(CUT_ERRORS) - len(stdout)] + CUT_ERRORS
        else:
            stdout = stdout[: room - len(CUT_OUTPUT) - len(stderr)] + CUT_OUTPUT
    return (stdout + title + stderr).decode(errors="replace")
