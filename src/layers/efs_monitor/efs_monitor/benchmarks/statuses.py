"""The words in which Systems Manager tells how a command ended on an instance, as sentences."""

from efs_monitor.benchmarks.commands import Invocation

SUCCESS = "success"
# Status and finer word come with or without spaces and capitals, by API and event alike.
_SENTENCES = {
    "failed": "the script failed",
    "timedout": "Systems Manager ran out of time",
    "deliverytimedout": "the command was not delivered in time: the instance, or its agent, was not there",
    "executiontimedout": "the script ran longer than Systems Manager allowed and was killed",
    "cancelled": "the command was cancelled",
    "undeliverable": "the command could not be delivered: the instance does not exist, or does not answer",
    "terminated": "the command was stopped because too many other instances had failed",
    "invalidplatform": "the document does not run on this platform: a benchmark host needs Linux",
    "accessdenied": "the instance may not run the command: see the role of its instance profile",
    "noinstancesintag": "no instance has the tag any more",
}


def succeeded(invocation: Invocation) -> bool:
    """Whether the script ended well, as far as Systems Manager knows."""
    return _word(invocation.detail or invocation.status) == SUCCESS


def why_failed(invocation: Invocation) -> str:
    """Why there is no good end, in words; an unknown status is named as it is."""
    if invocation.running:
        return f"it had not ended, its status was {invocation.detail or invocation.status}"
    word = _word(invocation.detail or invocation.status)
    known = _SENTENCES.get(word) or _SENTENCES.get(_word(invocation.status))
    return known or f"it ended with the status {invocation.detail or invocation.status or 'unknown'!r}"


def _word(status: str) -> str:
    return "".join(status.split()).lower()
