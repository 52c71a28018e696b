"""A backtest as JSON: every figure with its unit in its name, every time in ISO 8601 and UTC."""

from typing import Any

from efs_monitor.alarms.alarm import AlarmKind

from operate.backtest.backtest_result import BacktestResult
from operate.backtest.lead_times import USEFUL_MINUTES, Choice
from operate.backtest.warnings import Record
from operate.backtest.words import not_recommended


def as_json(found: BacktestResult) -> dict[str, Any]:
    """The whole of it, as plain values."""
    history = found.history

    def record(one: Record) -> dict[str, Any]:
        return {
            "messages": one.messages,
            "lead_minutes": list(one.leads),
            "late_minutes": list(one.late),
            "in_vain": [history.iso_time(minute) for minute in one.vain],
        }

    return {
        "file_system_id": history.file_system_id,
        "region": history.region,
        "from": history.iso_time(history.begins),
        "to": history.iso_time(history.minutes),
        "five_minute_steps_until": history.iso_time(history.coarse_until) if history.coarse_until else None,
        "remarks": list(history.remarks),
        "settings": _settings(found),
        "reference_bytes_per_second": [
            {"from": history.iso_time(minute), "value": rate} for minute, rate in found.references
        ],
        "throughput_modes": _modes(found),
        "spells_without_credits": [
            {
                "from": history.iso_time(one.begin),
                "to": history.iso_time(one.end),
                "over": one.over,
                "minutes": one.minutes,
                "limited_minutes": one.limited_minutes,
            }
            for one in found.spells
        ],
        "alarms": {str(kind): record(one) for kind, one in found.records.items()},
        "other_alarms": {name: record(one) for name, one in found.others.items()},
        "messages": [
            {
                "time": history.iso_time(one.minute),
                "topic": one.topic,
                "by": "CloudWatch" if one.by_cloudwatch else "efs-monitor",
                "subject": f"{one.body}: {one.subject}" if one.by_cloudwatch else one.subject,
                "body": None if one.by_cloudwatch else one.body,
            }
            for one in found.mails
        ],
        "runs_failed": [{"time": history.iso_time(minute), "function": function} for minute, function in found.failed],
        "lead_times": [
            {
                "minutes": one.minutes,
                "useful_minutes": dict(USEFUL_MINUTES),
                "told_in_time_as": {name: one.warned(useful) for name, useful in USEFUL_MINUTES.items()},
                **record(one.record),
            }
            for one in found.curve
        ],
        "recommended": _choice(found.best) if found.is_enough else None,
        "why_none_is_recommended": not_recommended(found) or None,
    }


def _settings(found: BacktestResult) -> dict[str, int]:
    return {
        "warning_minutes": found.settings.lead_minutes(AlarmKind.WARNING),
        "critical_minutes": found.settings.lead_minutes(AlarmKind.CRITICAL),
        "rise_tolerance_percent": found.settings.rise_tolerance_percent,
    }


def _modes(found: BacktestResult) -> list[dict[str, object]]:
    answer: list[dict[str, object]] = []
    for minute, one in found.history.file_systems:
        if not answer or answer[-1]["mode"] != str(one.mode):
            answer.append({"from": found.history.iso_time(minute), "mode": str(one.mode)})
    return answer


def _choice(best: Choice) -> dict[str, Any]:
    return {
        "warning_minutes": best.warning.minutes,
        "critical_minutes": best.critical.minutes,
        "messages": best.messages,
        "told_in_time": {"warning": best.warned[0], "critical": best.warned[1]},
    }
