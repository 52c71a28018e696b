"""Events from a seed: the real ones of events/ with something wrong in them, and arbitrary JSON."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from stage.invocation.sample_events import event_names, event_text

# One in so many events has nothing to do with a real one.
ARBITRARY_SHARE = 0.2
DEEPEST = 4
LONG = 50_000
KEYS = (
    "source",
    "alarmData",
    "alarmName",
    "state",
    "value",
    "RequestType",
    "ResponseURL",
    "stack",
    "",
    "é",
    "__class__",
)
ODD_TEXTS = (
    "",
    " ",
    "null",
    "180",
    "-1",
    "1e400",
    "NaN",
    "OK",
    "ALARM",
    "Delete",
    "DRILL: ",
    "{}",
    "${jndi:ldap://x}",
    "%s%n{0}",
    "\x00",
    "\n\r\t",
    "\u202eabc",
    "\ud800",
    "数字",
    "٣٤",
    "🧨" * 300,
    "a" * LONG,
)
ODD_NUMBERS = (0, -1, 1, 180, 2**63, 10**400, 0.1, -0.0, 1e308, float("nan"), float("inf"))
ODD_ADDRESSES = (
    "file:///etc/passwd",
    "ftp://127.0.0.1/x",
    "data:,x",
    "gopher://127.0.0.1:9/",
    "//127.0.0.1/x",
    "http:///x",
    "http://",
    "http://[::1",
    "http://[::1]:notaport/",
    "http://a b/",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1:-1/",
    "http://user:pass@127.0.0.1:9/",
    "http://\u2488.example/",
    "http://xn--a/",
    "http://" + "a" * 70 + "/",
    "http://.../",
    "http://\ud800/",
    "http://127.0.0.1:9/\ud800",
    "http://127.0.0.1:9/\r\nX-Evil: 1",
    "https://127.0.0.1:9/",
    "HTTP://127.0.0.1:9/",
    "http+unix://%2Ftmp%2Fx/",
    "javascript:alert(1)",
    "localhost:9",
)


def events(seed: int, desk_url: str) -> Iterator[Any]:
    """Endless events, the same for the same seed; what would be answered is answered to the desk."""
    random = Random(seed)  # noqa: S311 - no secret
    texts = _real(desk_url)
    while True:
        if random.random() < ARBITRARY_SHARE:
            yield _anything(random, 0)
        else:
            event = json.loads(random.choice(texts))
            for _ in range(random.choice((1, 1, 1, 2, 3))):
                event = _mutated(event, random)
            yield event


@cache
def _real(desk_url: str) -> tuple[str, ...]:
    found = []
    for name in event_names():
        event = json.loads(event_text(name))
        if isinstance(event, dict) and "ResponseURL" in event:
            event["ResponseURL"] = desk_url
        found.append(json.dumps(event))
    return tuple(found)


def _mutated(event: Any, random: Random) -> Any:
    """The event with one thing wrong in it."""
    places = list(_places(event))
    if not places:
        return _anything(random, 0)
    container, key = random.choice(places)
    value = container[key]
    match random.randrange(10):
        case 0:
            del container[key]
        case 1:
            container[key] = _anything(random, DEEPEST - 1)
        case 2:
            container[key] = [value, value]
        case 3:
            container[key] = {"value": value}
        case 4:
            other, elsewhere = random.choice(places)
            # A copy: an event that holds itself is no JSON.
            container[key] = json.loads(json.dumps(other[elsewhere]))
        case 5 if isinstance(container, dict):
            container[_odd_key(str(key), random)] = container.pop(key)
        case 6:
            container[key] = _other_type(value)
        case 7:
            container[key] = random.choice(ODD_TEXTS)
        case 8:
            container[key] = random.choice(ODD_NUMBERS)
        case _ if isinstance(event, dict) and "ResponseURL" in event:
            event["ResponseURL"] = _odd_address(str(event["ResponseURL"]), random)
        case _:
            container[key] = _nested(random)
    return event


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield value, key
        yield from _places(inner)


def _odd_key(key: str, random: Random) -> str:
    return random.choice((key.upper(), key[:-1], f"{key} ", f"x{key}", "", *KEYS))


def _odd_address(address: str, random: Random) -> str:
    if random.random() < 0.5:
        return random.choice(ODD_ADDRESSES)
    position = random.randrange(len(address) + 1)
    return (
        address[:position]
        + random.choice(("\x00", " ", "\n", "é", "@", "#", "?", "[", "%", "\\", "\ud800"))
        + address[position:]
    )


def _other_type(value: Any) -> Any:
    match value:
        case bool() | None:
            return str(value)
        case int() | float():
            return str(value)
        case str():
            return float(value) if value.replace(".", "", 1).isdecimal() else [value]
        case list():
            return {str(index): one for index, one in enumerate(value)}
        case _:
            return json.dumps(value)


def _nested(random: Random) -> Any:
    value: Any = random.choice(ODD_TEXTS)
    for _ in range(random.choice((5, 50, 200))):
        value = [value] if random.random() < 0.5 else {random.choice(KEYS): value}
    return value


def _anything(random: Random, depth: int) -> Any:  # noqa: PLR0911 - a table
    kind = random.randrange(7 if depth < DEEPEST else 5)
    match kind:
        case 0:
            return random.choice(ODD_TEXTS)
        case 1:
            return random.choice(ODD_NUMBERS)
        case 2:
            return random.choice((None, True, False))
        case 3:
            return random.choice(("aws.cloudwatch", "efs-monitor.schedule", "efs-monitor-home", "Create", "Delete"))
        case 4:
            return "".join(chr(random.randrange(0x3000)) for _ in range(random.randrange(12)))
        case 5:
            return [_anything(random, depth + 1) for _ in range(random.randrange(4))]
        case _:
            return {random.choice(KEYS): _anything(random, depth + 1) for _ in range(random.randrange(5))}
