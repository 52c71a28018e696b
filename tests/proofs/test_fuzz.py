"""2,000 of the events of `make prove PROOF=fuzz`."""

import json
from itertools import islice

import pytest
from efs_monitor.errors import EventRefused

from proofs.fuzz.edges import edges
from proofs.fuzz.fuzzed_events import events
from proofs.fuzz.fuzzed_handlers import HANDLERS, fuzzed, judged
from stage.sam_deployment import PROJECT

EVENTS = 2_000


def test_every_handler_is_sent_events() -> None:
    assert set(HANDLERS) == {path.parent.name for path in PROJECT.glob("src/functions/*/app.py")}


@pytest.mark.whole
def test_two_thousand_events_are_refused_with_a_sentence_or_handled() -> None:
    tally = fuzzed(EVENTS, 0)
    assert tally.wrong == ()
    # Enough of both that the next line of either handler is reached.
    assert tally.refused > EVENTS / 2
    assert tally.accepted > EVENTS / 20


def test_the_same_seed_sends_the_same_events() -> None:
    def first(seed: int) -> str:
        return json.dumps(list(islice(events(seed, "http://127.0.0.1:1/"), 200)))

    assert first(5) == first(5) != first(6)


def test_what_is_treated_wrongly_is_told() -> None:
    with edges() as edge:
        assert list(judged("explain", {}, KeyError("x"), edge, "")) == ["an exception nobody declared, KeyError('x')"]
        assert list(judged("explain", {}, EventRefused("no"), edge, "")) == ["failed without a logged error"]
        edge.calls.append("PutMetricAlarm")
        logged = '{"level":"ERROR"}'
        assert list(judged("explain", {}, EventRefused("no"), edge, logged)) == [
            "refused, and yet ['PutMetricAlarm'] [] was asked"
        ]
        edge.looked_up.append(("elsewhere.example", 80))
        wrong = list(judged("apply_on_deploy", {"ResponseURL": edge.desk_url}, None, edge, ""))
        assert wrong == ["contacted [('elsewhere.example', 80)]"]
