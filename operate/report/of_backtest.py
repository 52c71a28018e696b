"""A report of what a backtest found: what would have been told, by replaying the monitor."""

from efs_monitor.alarms.alarm import AlarmKind

from operate.backtest.backtest_result import BacktestResult
from operate.replay.replay import DEPLOYED_AT
from operate.replay.replayed_account import ReplayedMail
from operate.report.contents import (
    LANES,
    UNJUDGED,
    AlarmSpan,
    Contents,
    advice_on,
    alarm_spans,
    suspensions,
    thresholds_of,
)


def contents_of_backtest(found: BacktestResult) -> Contents:
    """Everything that the replay lived through, and the advice on the same history."""
    history = found.history
    advice, why_none = advice_on(history)
    failed = tuple(
        f"{function} would have failed for good at {history.time(minute):%Y-%m-%d %H:%M} UTC"
        for minute, function in found.failed
    )
    return Contents(
        source="What the monitor would have told, had it been deployed: replayed over recorded metrics",
        history=history,
        settings=found.settings,
        thresholds=thresholds_of(found.references, found.settings),
        alarms={kind: _spans(found, kind) for kind in LANES},
        suspended=suspensions(found.suspended, found.last_minute),
        mails=tuple(_as_read(one) for one in found.mails),
        decisions=found.decisions,
        spells=found.spells,
        advice=advice,
        remarks=(*history.remarks, *failed, *why_none),
    )


def _spans(found: BacktestResult, kind: AlarmKind) -> tuple[AlarmSpan, ...]:
    changes = [(minute, state) for minute, changed, _, state in found.changes if changed == kind]
    return alarm_spans(changes, found.last_minute, (DEPLOYED_AT, UNJUDGED))


def _as_read(mail: ReplayedMail) -> ReplayedMail:
    """CloudWatch words its own by itself, and the replay has only what it is about."""
    if not mail.by_cloudwatch:
        return mail
    return ReplayedMail(mail.minute, mail.topic, f"{mail.body}: {mail.subject}", "", by_cloudwatch=True)
