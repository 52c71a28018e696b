"""What Amazon Q takes for a custom notification, by a schema of its page."""

import json
from pathlib import Path

SCHEMA = json.loads((Path(__file__).parent / "custom_notification.schema.json").read_text())


def assert_valid(notification: object) -> None:
    """Raises what is wrong with it."""
    # Not at the top: few of the tests need it.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # jsonschema has no py.typed

    Draft202012Validator(SCHEMA).validate(notification)
