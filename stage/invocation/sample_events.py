"""The events under `events/`: one real-shaped JSON file for each trigger, and some that must be refused."""

import json
from pathlib import Path

from stage.sam_deployment import PROJECT

FOLDER = PROJECT / "events"


class UnknownEventError(LookupError):
    """No such event, or no JSON in it; the text names the known ones."""


def event_names() -> tuple[str, ...]:
    """Each file below `events/`, without its ending."""
    return tuple(sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.json")))


def event_text(name: str) -> str:
    """The text of an event, by its name or by the path of any JSON file; UnknownEventError names those there are."""
    if not name:
        raise UnknownEventError(
            f"It is not said which event, with make EVENT=NAME: {', '.join(event_names())}, or the path of a file"
        )
    candidates = (Path(name), PROJECT / name, FOLDER / name, FOLDER / f"{name}.json")
    path = next((path for path in candidates if path.is_file()), None)
    if path is None and any(path.is_dir() for path in candidates):
        raise UnknownEventError(f"{name} is a folder: give the path of a JSON file in it")
    if path is None:
        raise UnknownEventError(f"There is no event {name!r}; there are {', '.join(event_names())}, or give a file")
    try:
        text = path.read_text(encoding="utf-8")
        json.loads(text)
    except UnicodeDecodeError as error:
        raise UnknownEventError(f"{path} is not a text in UTF-8: save it as one") from error
    except ValueError as error:
        raise UnknownEventError(f"The event {name} is not JSON: {error}") from error
    return text
