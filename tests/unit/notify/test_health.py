"""What keeps people from being told: found, over, or not to be judged now."""

from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.benchmarks.ledger import LeftBehind
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.notify.health import judge_health
from efs_monitor.notify.health_finding import Condition, Verdict
from efs_monitor.notify.health_observations import AlarmAction, Deliveries, HealthObservations, Runs, Subscription

from tests.unit.notify.seen_health import (
    EMAIL,
    FUNCTION_ARN,
    SUBSCRIBED,
    TOPIC_ARNS,
    TOPICS,
    WAITING,
    an_alarm,
    balances,
    hours_ago,
    observed,
    watch,
)
from tests.unit.strategies import NOW

TOPIC_ARN = TOPIC_ARNS["critical"]


def judged(seen: HealthObservations, *, email: str = EMAIL, hours: int = 3) -> Verdict:
    return judge_health(seen, watch(email=email, hours=hours), NOW)


def keys(seen: HealthObservations, *, email: str = EMAIL, hours: int = 3) -> list[str]:
    return [one.key for one in judged(seen, email=email, hours=hours).found]


def test_where_everything_works_nothing_is_found() -> None:
    assert keys(observed()) == []


def test_a_subscriber_who_has_not_confirmed_is_found_with_the_topic() -> None:
    seen = observed(subscriptions={"advice": (SUBSCRIBED,), "warning": (SUBSCRIBED,), "critical": (WAITING,)})
    (found,) = judged(seen).found
    assert (found.key, found.detail) == ("unconfirmed:critical", f"critical: email {EMAIL}")


def test_everybody_who_has_not_confirmed_is_named() -> None:
    pager = Subscription(protocol="https", endpoint="https://pager.example.com", confirmed=False)
    seen = observed(subscriptions={"critical": (SUBSCRIBED, WAITING, pager)})
    (found,) = judged(seen).found
    assert found.detail == f"critical: email {EMAIL}, https https://pager.example.com"


def test_an_address_that_is_not_subscribed_any_more_is_found_on_each_topic() -> None:
    assert keys(observed(subscriptions=dict.fromkeys(TOPICS, ()))) == [
        "unsubscribed:advice",
        "unsubscribed:warning",
        "unsubscribed:critical",
    ]


def test_who_is_not_subscribed_is_named_with_the_topic() -> None:
    (found,) = judged(observed(subscriptions={"critical": ()})).found
    assert found.detail == f"critical: {EMAIL}"


def test_somebody_elses_subscription_does_not_stand_for_the_configured_address() -> None:
    other = Subscription(protocol="email", endpoint="other@example.com", confirmed=True)
    assert keys(observed(subscriptions={"critical": (other,)})) == ["unsubscribed:critical"]


def test_without_a_configured_address_nobody_has_to_be_subscribed() -> None:
    assert keys(observed(subscriptions=dict.fromkeys(TOPICS, ())), email="") == []


def test_the_address_is_missed_only_on_topics_that_the_stack_makes() -> None:
    seen = observed(subscriptions=dict.fromkeys(TOPICS, ()))
    found = judge_health(seen, watch(own_topics=("critical",)), NOW).found
    assert [one.key for one in found] == ["unsubscribed:critical"]


def test_who_has_not_confirmed_a_topic_of_a_fleet_is_left_to_the_fleet_to_say_and_nothing_is_over() -> None:
    verdict = judged(
        observed(
            subscriptions={"advice": (WAITING,), "warning": (WAITING,), "critical": (WAITING,)},
            fleet_topics=frozenset({"advice", "warning"}),
        )
    )
    assert [one.key for one in verdict.found] == ["unconfirmed:critical"]
    assert [verdict.undecided(f"unconfirmed:{one}") for one in ("advice", "warning", "critical")] == [True, True, False]


def test_of_a_topic_whose_subscribers_may_not_be_read_nothing_is_said_and_nothing_is_over() -> None:
    verdict = judged(observed(subscriptions={"advice": None, "warning": (SUBSCRIBED,), "critical": (WAITING,)}))
    assert [one.key for one in verdict.found] == ["unconfirmed:critical"]
    found = [verdict.undecided(f"{key}:advice") for key in ("unconfirmed", "unsubscribed")]
    assert (found, verdict.undecided("topic-gone:advice")) == ([True, True], True)
    found = [verdict.undecided(f"{key}:warning") for key in ("unconfirmed", "unsubscribed")]
    assert (found, verdict.undecided("topic-gone:warning")) == ([False, False], False)


def test_a_topic_that_is_gone_is_found_and_nobody_is_missed_on_it() -> None:
    subscriptions = {"advice": (SUBSCRIBED,), "warning": (SUBSCRIBED,), "critical": ()}
    verdict = judged(observed(subscriptions=subscriptions, gone_topics=frozenset({"critical"})))
    (found,) = verdict.found
    assert (found.key, found.about) == ("topic-gone:critical", "critical")
    assert found.detail == f"critical: there is no topic {TOPIC_ARN} any more"
    # Whoever was told of it is not subscribed again.
    assert verdict.undecided("unsubscribed:critical")


def test_failed_deliveries_are_found_and_are_over_when_messages_went_out_and_none_failed() -> None:
    key = "undelivered:critical"
    failed = judged(observed(deliveries={"critical": Deliveries(published=3, failed=1)}))
    assert [one.detail for one in failed.found] == [
        "critical: 1 delivery given up in the last day, of 3 messages published"
    ]
    many = judged(observed(deliveries={"critical": Deliveries(published=1, failed=2)}))
    assert [one.detail for one in many.found] == [
        "critical: 2 deliveries given up in the last day, of 1 message published"
    ]
    assert judged(observed(deliveries={"critical": Deliveries(published=0, failed=0)})).undecided(key)
    assert not judged(observed(deliveries={"critical": Deliveries(published=1, failed=0)})).undecided(key)


def action(error: str = "", *, target: str = TOPIC_ARN) -> AlarmAction:
    return AlarmAction(alarm="critical", target_arn=target, time=hours_ago(1), error=error)


def test_an_action_whose_newest_run_failed_is_found_with_the_error() -> None:
    actions = (action("not authorized"), action(target=FUNCTION_ARN))
    (found,) = judged(replace(runs(Explain=(1, 0)), actions=actions)).found
    assert found.condition is Condition.ACTION_FAILED
    assert found.detail == f"critical, at 11:00 UTC on Mon 7 Jan, to {TOPIC_ARN}: not authorized"


def test_an_action_that_its_alarm_has_no_more_is_forgotten_and_one_of_an_alarm_that_is_missing_is_not() -> None:
    (key,) = keys(observed(actions=(action("no"),)))
    for alarms, forgotten, undecided in (
        ({AlarmKind.CRITICAL: an_alarm(TOPIC_ARN)}, False, True),
        ({AlarmKind.CRITICAL: an_alarm(FUNCTION_ARN)}, True, False),
        ({}, False, True),
    ):
        verdict = judged(observed(alarms=alarms))
        assert (verdict.forgotten(key), verdict.undecided(key)) == (forgotten, undecided)


def test_each_target_of_an_alarm_is_a_finding_of_its_own() -> None:
    found = keys(observed(actions=(action("no"), action("no", target=FUNCTION_ARN))))
    assert len(set(found)) == 2


def test_the_key_of_a_failed_action_is_the_same_in_every_version() -> None:
    """It is remembered: another one would have the same failure told again after the next deployment."""
    assert keys(observed(actions=(action("no"),))) == ["action-failed:critical:b4485f5b6f1e"]


def test_an_action_is_over_when_it_worked_and_undecided_when_it_was_not_run_since() -> None:
    (key,) = keys(observed(actions=(action("no"),)))
    assert not judged(observed(actions=(action(),))).undecided(key)
    assert judged(observed()).undecided(key)


def evaluated(state: str) -> HealthObservations:
    alarm = an_alarm(TOPIC_ARN)._replace(evaluation_state=state, state_reason="no permission")
    return observed(alarms={AlarmKind.CRITICAL: alarm})


@pytest.mark.parametrize(
    ("state", "found"),
    [
        ("", []),
        ("EVALUATION_ERROR", ["evaluation-error:critical"]),
        ("EVALUATION_FAILURE", ["evaluation-failure:critical"]),
        ("PARTIAL_DATA", []),
        ("IN_WARM_UP", []),
        ("OF_TOMORROW", []),
    ],
)
def test_an_alarm_that_is_not_evaluated_is_found_and_is_over_when_nothing_is_said_of_it_any_more(
    state: str, found: list[str]
) -> None:
    verdict = judged(evaluated(state))
    assert [one.key for one in verdict.found] == found
    assert [one.detail for one in verdict.found] == ["critical, shown as OK: no permission"] * len(found)
    told = ("evaluation-error:critical", "evaluation-failure:critical")
    assert [verdict.undecided(key) for key in told] == [state != ""] * 2


def test_of_an_alarm_that_is_missing_nobody_is_told_that_it_is_evaluated_again() -> None:
    assert judged(observed(alarms={})).undecided("evaluation-error:critical")


@pytest.mark.parametrize(
    ("age_minutes", "found"),
    [(24.9, []), (25, ["metrics-late"]), (184.9, ["metrics-late"]), (185, ["metrics-stopped"])],
)
def test_metrics_are_late_at_first_and_have_stopped_after_the_hours_that_were_chosen(
    age_minutes: float, found: list[str]
) -> None:
    """From the end of the five minutes in which the newest datapoint lies."""
    assert keys(observed(balances=balances(timedelta(minutes=age_minutes)))) == found


def test_that_metrics_come_in_time_again_is_not_said_when_they_have_stopped() -> None:
    stopped = judged(observed(balances=balances(timedelta(hours=4))))
    assert stopped.undecided("metrics-late")
    assert not stopped.undecided("metrics-stopped")


@pytest.mark.parametrize(("age_minutes", "in_time"), [(15.9, True), (16, False), (24.9, False)])
def test_metrics_come_in_time_again_when_alarms_see_them_for_sure(age_minutes: float, in_time: bool) -> None:
    """Until then the monitor may still set alarms itself; that they are back is no question."""
    verdict = judged(observed(balances=balances(timedelta(minutes=age_minutes))))
    assert verdict.found == ()
    assert verdict.undecided("metrics-late") is not in_time
    assert not verdict.undecided("metrics-stopped")


def test_the_mail_about_late_metrics_says_since_when() -> None:
    (found,) = judged(observed(balances=balances(timedelta(hours=1)))).found
    assert found.detail == "no datapoint since 11:05 UTC on Mon 7 Jan yet"


def test_where_the_newest_minutes_are_known_they_tell_since_when_and_how_fast_it_fell() -> None:
    """Two minutes of a load: by the five that they lie in it would seem less than half as fast."""
    newest = NOW - timedelta(minutes=58)
    minutes = tuple(BalancePoint(newest - age * MINUTE, (100 + 4 * age) * GIB) for age in (2, 1, 0))
    steps = (*balances(timedelta(hours=1, minutes=5), gib=106), *balances(timedelta(hours=1), gib=100))
    (found,) = judged(observed(balances=steps, newest_minutes=minutes)).found
    assert found.detail == "no datapoint since 11:03 UTC on Mon 7 Jan yet"
    assert found.last_seen is not None
    assert found.last_seen.drain_bytes_per_second == 4 * GIB / 60


@pytest.mark.parametrize(("hours", "condition"), [(1, "metrics-late"), (4, "metrics-stopped")])
def test_metrics_that_stop_amid_a_fall_or_at_zero_are_told_with_it(hours: int, condition: str) -> None:
    """Nothing to worry about, such a mail said, half an hour after the credits had gone."""
    before = balances(timedelta(hours=hours, minutes=5), gib=105)
    (falling,) = judged(observed(balances=(*before, *balances(timedelta(hours=hours), gib=100)))).found
    assert (falling.key, falling.last_seen is not None) == (condition, True)
    exhausted = an_alarm()._replace(threshold=6 * GIB)
    at_zero = observed(balances=balances(timedelta(hours=hours), gib=0.01), alarms={AlarmKind.EXHAUSTED: exhausted})
    (found,) = judged(at_zero).found
    assert found.last_seen is not None
    assert found.last_seen.is_zero
    (calm,) = judged(observed(balances=balances(timedelta(hours=hours)))).found
    assert calm.last_seen is None


def test_while_an_alarm_is_on_an_end_within_half_a_day_is_told_with_them_too() -> None:
    fell = (*balances(timedelta(hours=1, minutes=5), gib=121), *balances(timedelta(hours=1), gib=120))
    for state, is_told in (("OK", False), ("ALARM", True)):
        warning = an_alarm()._replace(state=state, state_reason="")
        (found,) = judged(observed(balances=fell, alarms={AlarmKind.WARNING: warning})).found
        assert (found.last_seen is not None) is is_told


def test_that_mail_knows_when_another_throughput_mode_was_over_since_aws_may_refuse_what_it_offers() -> None:
    fell = (*balances(timedelta(hours=1, minutes=5), gib=105), *balances(timedelta(hours=1), gib=100))
    for changed_seen in (None, NOW - timedelta(hours=3)):
        (found,) = judged(observed(balances=fell, changed_seen=changed_seen)).found
        assert found.last_seen is not None
        assert found.last_seen.changed_seen == changed_seen


def test_the_newest_datapoint_counts_and_not_the_oldest() -> None:
    assert keys(observed(balances=balances(timedelta(hours=100), timedelta(minutes=5)))) == []


def test_the_mail_about_metrics_says_since_when() -> None:
    """What was last heard of lies in the five minutes from 08:00, at 08:04 perhaps."""
    (found,) = judged(observed(balances=balances(timedelta(hours=4)))).found
    assert found.detail == "no datapoint since 08:05 UTC on Mon 7 Jan"


def test_metrics_that_stopped_more_than_a_week_ago_are_found_too() -> None:
    (found,) = judged(observed(balances=())).found
    assert (found.key, found.detail) == ("metrics-stopped", "no datapoint for more than a week")


def test_metrics_that_never_came_are_found_once_the_alarms_have_waited_long_enough() -> None:
    assert keys(observed(balances=(), waiting_since=hours_ago(2.9))) == []
    assert keys(observed(balances=(), waiting_since=hours_ago(3))) == ["metrics-never-came"]


@pytest.mark.parametrize(
    ("seen", "hours"),
    [
        (observed(balances=(), credits_matter=False), 3),
        (observed(balances=()), 0),
        (observed(balances=(), waiting_since=hours_ago(1)), 3),
    ],
    ids=["credits mean nothing", "switched off", "just deployed"],
)
def test_where_metrics_cannot_be_judged_what_was_told_of_them_stays(seen: HealthObservations, hours: int) -> None:
    verdict = judged(seen, hours=hours)
    assert verdict.found == ()
    assert verdict.undecided("metrics-stopped")
    assert verdict.undecided("metrics-never-came")
    assert verdict.undecided("metrics-late")
    assert not verdict.undecided("unsubscribed:critical")


def runs(**functions: tuple[float, float]) -> HealthObservations:
    given = {
        name: Runs(invocations=ran, errors=failed, hours=min(round(ran), 3))
        for name, (ran, failed) in functions.items()
    }
    return observed(functions={**observed().functions, **given})


@pytest.mark.parametrize(
    ("called_minutes_ago", "ran", "found"),
    [(20, 0, True), (19, 0, False), (180, 0, True), (181, 0, False), (60, 1, False)],
)
def test_an_alarm_that_called_for_its_mail_in_vain_is_found(called_minutes_ago: float, ran: float, found: bool) -> None:
    """Lambda counts neither a run nor an error of a function that is throttled."""
    called = action(target=FUNCTION_ARN)
    called = replace(called, time=NOW - timedelta(minutes=called_minutes_ago))
    told = judged(replace(runs(Explain=(ran, 0)), actions=(called,))).found
    assert [(one.key, one.detail) for one in told] == found * [
        (
            "function-fails:Explain",
            f"Explain: called by an alarm at {called.time:%H:%M} UTC, and not run since: throttled, as it seems",
        )
    ]


@pytest.mark.parametrize(
    "other",
    [{"alarm": AlarmKind.RISE}, {"target_arn": TOPIC_ARN}, {"error": "not authorized"}],
    ids=["the recalculation", "a topic", "an action that failed"],
)
def test_what_is_no_call_for_a_mail_says_nothing_of_its_function(other: dict[str, str]) -> None:
    called = replace(action(target=FUNCTION_ARN), time=NOW - timedelta(hours=1), **other)
    told = judged(replace(runs(Explain=(0, 0)), actions=(called,))).found
    assert not [one for one in told if one.key == "function-fails:Explain"]


def test_one_event_lost_for_good_is_three_failures_and_found() -> None:
    (found,) = judged(runs(Explain=(3, 3))).found
    assert (found.key, found.detail) == ("function-fails:Explain", "Explain: 3 of 3 runs failed in the last hours")


def test_failures_of_a_single_run_are_told_in_the_singular() -> None:
    (found,) = judged(runs(Explain=(1, 3))).found
    assert found.detail == "Explain: 3 of 1 run failed in the last hours"


def test_a_failure_that_a_retry_made_good_is_not_worth_telling() -> None:
    assert keys(runs(Explain=(3, 2))) == []


@pytest.mark.parametrize(("ran", "failed", "undecided"), [(0, 0, True), (3, 1, True), (3, 0, False)])
def test_a_function_works_again_when_it_ran_without_failing(ran: float, failed: float, undecided: bool) -> None:
    assert judged(runs(Explain=(ran, failed))).undecided("function-fails:Explain") is undecided


def test_a_recalculation_that_does_not_run_is_found() -> None:
    assert keys(runs(RecalculateThresholds=(0, 0))) == ["not-recalculated"]


@pytest.mark.parametrize("reports", [0, 1, 2])
def test_a_recalculation_that_has_not_run_since_is_not_said_to_run_again(reports: int) -> None:
    """However often the report itself ran: in an account whose concurrency is used up neither does."""
    not_run = judged(runs(RecalculateThresholds=(0, 0), ReportSilence=(reports, 0)))
    assert not_run.undecided("not-recalculated")
    assert not judged(runs(RecalculateThresholds=(1, 0))).undecided("not-recalculated")


def test_while_there_is_no_datapoint_neither_those_that_stopped_nor_the_first_ones_have_come() -> None:
    for waiting_since in (None, hours_ago(1), hours_ago(3)):
        verdict = judged(observed(balances=(), waiting_since=waiting_since))
        found = {one.key for one in verdict.found}
        assert all(key in found or verdict.undecided(key) for key in ("metrics-stopped", "metrics-never-came"))


@pytest.mark.parametrize("name", ["SetLateAlarms", "CollectBenchmark"])
def test_a_function_that_its_schedule_does_not_start_is_found_once_there_was_time_for_it(name: str) -> None:
    key = f"not-started:{name}"
    idle = runs(**{name: (0, 0)})
    assert keys(idle) == [key]
    for young in (
        runs(**{name: (0, 0)}, ReportSilence=(1, 0)),
        # It may have been made by that deployment: benchmarks were switched on, or an older version did not have it.
        replace(idle, deployed=hours_ago(2.9)),
    ):
        assert keys(young) == []
        assert judged(young).undecided(key)
    assert keys(replace(idle, deployed=hours_ago(3))) == [key]


def test_a_deployment_is_time_for_the_recalculation_too() -> None:
    idle = runs(RecalculateThresholds=(0, 0))
    assert keys(replace(idle, deployed=hours_ago(2.9))) == []
    assert keys(replace(idle, deployed=hours_ago(3))) == ["not-recalculated"]


def test_functions_that_no_schedule_starts_every_hour_may_rest() -> None:
    assert keys(runs(Explain=(0, 0), RunBenchmark=(0, 0))) == []


@pytest.mark.parametrize(("hours", "undecided"), [(2, True), (3, False)])
def test_a_function_is_started_again_when_a_schedule_does_it_and_no_hand_or_event(hours: int, undecided: bool) -> None:
    started = runs(CollectBenchmark=(9, 0))
    hand = {**started.functions, "CollectBenchmark": Runs(invocations=9, errors=0, hours=hours)}
    assert judged(replace(started, functions=hand)).undecided("not-started:CollectBenchmark") is undecided


@pytest.mark.parametrize(
    ("ran", "failed", "found"),
    [
        (0, 0, "metrics-unseen"),
        (15, 15, "metrics-unseen"),
        (15, 14, "metrics-late"),
        (15, 0, "metrics-late"),
    ],
)
def test_that_the_monitor_sets_the_alarms_of_late_metrics_is_said_only_where_it_does(
    ran: float, failed: float, found: str
) -> None:
    verdict = judged(replace(runs(SetLateAlarms=(ran, failed)), balances=balances(timedelta(minutes=55))))
    assert next(one.key for one in verdict.found) == found
    # Whichever was told before: metrics come no more in time than then.
    assert all(key == found or verdict.undecided(key) for key in ("metrics-late", "metrics-unseen"))


def test_just_after_a_deployment_the_monitor_is_expected_to_set_the_alarms_of_late_metrics() -> None:
    late = replace(runs(SetLateAlarms=(0, 0)), balances=balances(timedelta(minutes=55)), deployed=hours_ago(1))
    assert keys(late) == ["metrics-late"]


def test_each_other_stack_for_the_same_file_system_is_found() -> None:
    assert keys(observed(other_stacks=("old", "second"))) == ["watched-twice:old", "watched-twice:second"]


def test_what_benchmarks_left_behind_is_found_and_undecided_where_it_cannot_be_known() -> None:
    ended = hours_ago(1)
    what = ".efs-monitor-benchmark: data.x: denied; 4194304 bytes in all (files: 4)"
    left = LeftBehind(began=ended, instance_id="i-0123456789abcdef0", what=what)
    (found,) = judge_health(observed(left_behind=(left,)), replace(watch(), benchmark_path="/mnt/efs"), NOW).found
    assert found.key == "left-behind:i-0123456789abcdef0"
    when = f"{ended:%H:%M} UTC on {ended:%a} {ended.day} {ended:%b}"
    assert found.detail == f"i-0123456789abcdef0 at /mnt/efs, at {when}: {what}"
    with_benchmarks = replace(watch(), benchmark_path="/mnt/efs")
    assert judge_health(observed(left_behind=None), with_benchmarks, NOW).undecided("left-behind:i-0123456789abcdef0")
    assert not judge_health(observed(left_behind=()), with_benchmarks, NOW).undecided("left-behind:i-0123456789abcdef0")


def test_a_recalculation_has_time_to_run_first() -> None:
    assert keys(runs(RecalculateThresholds=(0, 0), ReportSilence=(1, 0))) == []
    assert keys(runs(RecalculateThresholds=(0, 0), ReportSilence=(2, 0))) == ["not-recalculated"]
