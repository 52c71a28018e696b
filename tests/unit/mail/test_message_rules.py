"""What must hold for any file system, however it is named and however large its numbers are."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from string import ascii_letters, digits

import pytest
from efs_monitor.alarms.alarm import SUSPENDED_MARK, AlarmKind, alarm_name
from efs_monitor.alarms.decision import CurrentThresholds, Decision, decide
from efs_monitor.alarms.thresholds import LONGEST_LEAD_MINUTES, NEWS_MINUTES, Settings
from efs_monitor.aws.chat_notification import custom_notification
from efs_monitor.efs.credits import GIB, MIB, TIB, baseline_bytes_per_second
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Activity, BalancePoint, Observations
from efs_monitor.incidents.back_to_bursting import DayOnCredits
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.alarm_fault_mails import alarm_edited, alarm_missing, alarm_restored, edit_undone
from efs_monitor.mail.back_to_bursting_mails import back_to_bursting
from efs_monitor.mail.descriptions import alarm_description
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted, limited
from efs_monitor.mail.figureless_mails import alarm_without_figures
from efs_monitor.mail.file_system_mails import file_system_back, file_system_gone
from efs_monitor.mail.health_mails import silence_found, silence_over
from efs_monitor.mail.layout import Message, as_drill
from efs_monitor.mail.low_credits_mails import credits_low, not_low
from efs_monitor.mail.recovered_mails import recovered
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.mail.suspension_mails import resumed, suspended
from efs_monitor.mail.threshold_mails import thresholds_moved
from efs_monitor.mail.trend_mails import warning_ahead
from efs_monitor.notify.health_finding import Condition, Finding
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.aws.custom_notifications import assert_valid
from tests.unit.mail.figures import figures_of_chat, figures_of_mail
from tests.unit.mail.mail_cases import (
    HERE,
    NEWEST,
    QUIET,
    SETTINGS,
    TIME,
    WRITING,
    a_decision,
    a_file_system,
    a_situation,
    alarms_before,
)

PIB = 1024**5
FILE_SYSTEM_IDS = st.integers(0, 16**8 - 1).map("fs-{:08x}".format) | st.integers(0, 16**17 - 1).map(
    "fs-{:017x}".format
)
NAMES = st.one_of(
    st.text(max_size=256),
    st.sampled_from(["", "größe", "Zürich\nhome", "🗄️ " * 100, "x" * 256, "a\tb\r\nc", "\x00\x7f", "ﷺ" * 40]),
)
STACK_NAMES = st.builds(str.__add__, st.sampled_from(ascii_letters), st.text(f"-{ascii_letters}{digits}", max_size=127))
BYTES = st.one_of(st.just(0.0), st.floats(min_value=0, max_value=64 * PIB))
RATES = st.floats(min_value=1, max_value=PIB)
SENTENCES = st.text(max_size=300).map("AlarmActions is {}, the stack has others".format)
URLS = st.integers(min_value=0, max_value=256 - len("https://a.example/")).map(lambda n: "https://a.example/" + "r" * n)

stacks = st.builds(
    StackContext,
    stack_name=STACK_NAMES,
    region=st.sampled_from(["us-east-1", "ap-southeast-7", "cn-northwest-1", "us-gov-east-1"]),
    account_id=st.just("123456789012"),
    partition=st.sampled_from(["aws", "aws-cn", "aws-us-gov", "aws-iso"]),
    runbook_url=URLS,
)
file_systems = st.builds(
    FileSystem,
    file_system_id=FILE_SYSTEM_IDS,
    name=NAMES,
    mode=st.sampled_from(ThroughputMode),
    standard_bytes=st.integers(min_value=0, max_value=8 * PIB),
    provisioned_bytes_per_second=st.integers(min_value=0, max_value=2**40),
)
activities = st.none() | st.builds(
    Activity,
    read_bytes=BYTES,
    written_bytes=BYTES,
    metadata_bytes=BYTES,
    metered_bytes=BYTES,
    busiest_bytes_per_second=BYTES,
    observed_minutes=st.integers(min_value=0, max_value=60),
)
severities = st.sampled_from((AlarmKind.WARNING, AlarmKind.CRITICAL))
leads = st.integers(min_value=1, max_value=LONGEST_LEAD_MINUTES)


@st.composite
def all_settings(draw: st.DrawFn) -> Settings:
    critical = draw(st.integers(min_value=NEWS_MINUTES, max_value=LONGEST_LEAD_MINUTES - NEWS_MINUTES))
    warning = draw(st.integers(min_value=critical + NEWS_MINUTES, max_value=LONGEST_LEAD_MINUTES))
    return Settings(
        warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=draw(st.integers(1, 100))
    )


@st.composite
def decisions(draw: st.DrawFn, *, on_credits: bool | None = None) -> Decision:
    file_system = draw(file_systems.filter(lambda it: on_credits is None or it.lives_on_credits is on_credits))
    live = alarms_before(suspended=draw(st.booleans()))
    return decide(file_system, Observations(), draw(all_settings()), draw(st.none() | st.just(live)))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    file_system = draw(file_systems)
    balances = draw(st.lists(BYTES, min_size=1, max_size=3))
    step = timedelta(minutes=draw(st.integers(min_value=1, max_value=30)))
    return Situation(
        file_system=file_system,
        time=TIME,
        balances=tuple(
            BalancePoint(time=NEWEST - step * (len(balances) - 1 - position), balance_bytes=balance)
            for position, balance in enumerate(balances)
        ),
        permitted_bytes_per_second=draw(st.just(0.0) | RATES),
        reference_bytes_per_second=draw(RATES),
        baseline_bytes_per_second=baseline_bytes_per_second(file_system.standard_bytes),
        activity=draw(activities),
    )


@given(severities, leads, situations(), stacks)
def test_a_mail_about_low_credits_is_one_that_sns_takes(
    severity: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext
) -> None:
    message = credits_low(severity, lead_minutes, situation, stack)
    assert_publishable(message, situation.file_system.file_system_id)
    assert message.subject.startswith(f"{severity.upper()}: ")


@given(severities, leads, situations(), stacks, BYTES)
def test_a_mail_about_a_threshold_of_before_is_one_that_sns_takes_and_has_no_remedies(
    severity: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext, went_off_below_bytes: float
) -> None:
    message = not_low(severity, lead_minutes, went_off_below_bytes, situation, stack)
    assert_publishable(message, situation.file_system.file_system_id)
    assert message.subject.startswith(f"{severity.upper()}: ")
    assert "went off below" in message.body.partition("\n\n")[0].replace("\n", " ")
    assert "WHAT TO DO" not in message.body


@given(severities, leads, situations(), stacks)
def test_a_recovery_mail_is_one_that_sns_takes(
    severity: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext
) -> None:
    message = recovered(severity, lead_minutes, situation, stack)
    assert_publishable(message, situation.file_system.file_system_id)


@given(situations(), stacks)
def test_the_mails_about_the_limit_are_ones_that_sns_takes(situation: Situation, stack: StackContext) -> None:
    on, off = limited(situation, stack), limit_lifted(60, situation, stack)
    for message in (on, off):
        assert_publishable(message, situation.file_system.file_system_id)
    assert on.subject.partition(":")[0] in {"GONE", "NEARLY GONE"}
    assert (" are gone" in " ".join(on.body.split())) is on.subject.startswith("GONE: no burst credits left")
    assert off.subject.partition(":")[0] in {"LIMIT LIFTED", "NOT GONE"}
    assert ("nothing was limited" in " ".join(off.body.split())) is off.subject.startswith("NOT GONE")


@pytest.mark.parametrize(
    ("balance_gib", "hour_ago_gib", "subject"),
    [
        (0, 0, "GONE: no burst credits left, limited to 4.9 MiB/s"),
        (5, 9, "NEARLY GONE: credits gone at 03:56 UTC, in 1 h 11 min"),
        (5, 5, "NEARLY GONE: under 1 min of credits left at full speed"),
        (5, 5.2, "NEARLY GONE: credits gone at 03:41 UTC, in 24 h 56 min"),
        (8, 4, "NEARLY GONE: 1 min of credits left at full speed"),
    ],
)
def test_gone_is_said_of_what_is_gone(balance_gib: float, hour_ago_gib: float, subject: str) -> None:
    """The alarm goes off at a minute's worth: what is left of it may last long where little is taken."""
    situation = a_situation(balance_gib=balance_gib, hour_ago_gib=hour_ago_gib, activity=None)
    assert limited(situation, HERE).subject.startswith(subject)


@given(leads, situations(), stacks)
def test_the_mail_about_a_fast_fall_is_one_that_sns_takes(
    critical_minutes: int, situation: Situation, stack: StackContext
) -> None:
    message = draining(critical_minutes, situation, stack)
    assert_publishable(message, situation.file_system.file_system_id)
    assert message.subject.startswith("DRAINING: ")


@given(FILE_SYSTEM_IDS, st.text(max_size=1023), st.text(max_size=500), stacks)
def test_so_are_those_about_limit_and_fall_without_figures(
    file_system_id: str, state_reason: str, problem: str, stack: StackContext
) -> None:
    for kind, head in ((AlarmKind.EXHAUSTED, "GONE"), (AlarmKind.DRAINING, "DRAINING")):
        message = alarm_without_figures(kind, file_system_id, state_reason, problem, stack, TIME)
        assert_publishable(message, file_system_id)
        assert message.subject.startswith(f"{head}: ")


@given(severities, FILE_SYSTEM_IDS, st.text(max_size=1023), st.text(max_size=500), stacks)
def test_a_mail_without_figures_is_one_that_sns_takes(
    severity: AlarmKind, file_system_id: str, state_reason: str, problem: str, stack: StackContext
) -> None:
    message = alarm_without_figures(severity, file_system_id, state_reason, problem, stack, TIME)
    assert_publishable(message, file_system_id)


@given(decisions(), st.integers(min_value=0, max_value=PIB), stacks)
def test_a_mail_about_the_alarms_is_one_that_sns_takes(decision: Decision, told: int, stack: StackContext) -> None:
    file_system_id = decision.file_system.file_system_id
    assert_publishable(thresholds_moved(decision, told, stack, now=TIME), file_system_id)
    assert_publishable(suspended(decision, stack), file_system_id)
    assert_publishable(resumed(decision, stack), file_system_id)


@given(FILE_SYSTEM_IDS, st.sampled_from(AlarmKind), st.lists(SENTENCES, max_size=5), stacks)
def test_a_mail_about_a_fault_is_one_that_sns_takes(
    file_system_id: str, kind: AlarmKind, edits: list[str], stack: StackContext
) -> None:
    name = alarm_name(stack.stack_name, kind)
    assert_publishable(file_system_gone(file_system_id, stack), file_system_id)
    assert_publishable(file_system_back(file_system_id, stack), file_system_id)
    assert_publishable(alarm_edited(name, tuple(edits), file_system_id, stack), file_system_id)
    assert_publishable(edit_undone(name, file_system_id, stack), file_system_id)
    assert_publishable(alarm_missing(name, file_system_id, stack), file_system_id)
    assert_publishable(alarm_restored(name, file_system_id, stack), file_system_id)


@given(severities, leads, situations(), stacks, st.timedeltas(timedelta(), timedelta(days=400)))
def test_a_repeated_mail_is_one_that_sns_takes_and_says_still(
    severity: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext, lasting: timedelta
) -> None:
    first = credits_low(severity, lead_minutes, situation, stack)
    again = credits_low(severity, lead_minutes, situation, stack, lasting)
    assert_publishable(again, situation.file_system.file_system_id)
    assert again.subject.startswith(f"STILL {severity.upper()} for ")
    assert again.body == first.body


@pytest.mark.parametrize("severity", [AlarmKind.WARNING, AlarmKind.CRITICAL])
@pytest.mark.parametrize("minutes_lasting", [0, 59, 60, 47 * 60 + 59, 399 * 1440])
def test_minutes_without_end_leave_room_for_the_file_system(severity: AlarmKind, minutes_lasting: int) -> None:
    balance = BalancePoint(time=NEWEST, balance_bytes=6e16)
    situation = a_situation(balance_gib=1, hour_ago_gib=None, activity=None)
    endless = replace(situation, balances=(balance,), reference_bytes_per_second=1.0)
    message = credits_low(severity, 180, endless, HERE, timedelta(minutes=minutes_lasting))
    assert re.fullmatch(
        rf"STILL {severity.upper()} for [^:]+: over 99,999 min of credits left at full speed, fs-.+", message.subject
    )
    assert_publishable(message, situation.file_system.file_system_id)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0.5, "under 1 min"),
        (1, "1 min"),
        (99_999, "99,999 min"),
        (100_000, "over 99,999 min"),
    ],
)
def test_a_subject_says_how_much_is_left_up_to_what_it_has_room_for(minutes: float, words: str) -> None:
    balance = BalancePoint(time=NEWEST, balance_bytes=minutes * 60 * 1024)
    situation = a_situation(balance_gib=1, hour_ago_gib=None, activity=None)
    left = replace(situation, balances=(balance,), reference_bytes_per_second=1024.0)
    message = credits_low(AlarmKind.WARNING, 180, left, HERE)
    assert message.subject.startswith(f"WARNING: {words} of credits left at full speed, fs-")


@pytest.mark.parametrize(("seconds", "words"), [(59, "under 1 min"), (60, "1 min"), (119, "1 min")])
def test_a_repeated_mail_says_for_how_long_to_the_minute(seconds: int, words: str) -> None:
    situation = a_situation(balance_gib=100, hour_ago_gib=None, activity=None)
    message = credits_low(AlarmKind.WARNING, 180, situation, HERE, timedelta(seconds=seconds))
    assert message.subject.startswith(f"STILL WARNING for {words}: ")


@pytest.mark.parametrize(("left_gib", "words"), [(2.9, "less than 1 minute"), (5.9, "1 minute"), (12, "2 minutes")])
def test_a_day_that_would_have_left_next_to_nothing_is_told_in_the_words_of_every_mail(
    left_gib: float, words: str
) -> None:
    day = DayOnCredits(
        reference_bytes_per_second=100 * MIB,
        baseline_bytes_per_second=5 * MIB,
        opening_bytes=left_gib * GIB,
        lowest_bytes=left_gib * GIB,
        lowest_time=NEWEST,
        gone=None,
        lost_bytes=0,
        gone_the_next_day=None,
        lowest_the_next_day_bytes=left_gib * GIB,
        lowest_the_next_day_time=NEWEST + timedelta(days=1),
        enough_bytes=0,
        faster_minutes=0,
        moved_bytes=GIB,
    )
    elastic = a_file_system(mode=ThroughputMode.ELASTIC)
    body = back_to_bursting(elastic, TIME - timedelta(days=1), 0, day, HERE, TIME).body
    assert f"That is {words} at 100 MiB/s." in " ".join(body.split())


@pytest.mark.parametrize(
    ("enough_was_told", "words"),
    [
        (False, "on the first day that would have been enough, then once a week at most."),
        (True, "when a day would have been enough, once a week at most."),
    ],
)
def test_the_first_day_that_would_be_enough_is_promised_where_none_was_told(enough_was_told: bool, words: str) -> None:
    elastic = a_file_system(mode=ThroughputMode.ELASTIC)
    told = back_to_bursting(elastic, TIME - timedelta(days=1), 0, None, HERE, TIME, enough_was_told=enough_was_told)
    assert f"This mail comes again {words}" in " ".join(told.body.split())


@pytest.mark.parametrize(
    ("file_system", "words"),
    [
        (
            a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=148 * MIB),
            "has had up to 148 MiB/s provisioned since 02:45 UTC on Sun 6 Jan, as far as is known.",
        ),
        (
            a_file_system(mode=ThroughputMode.ELASTIC),
            "has been in elastic throughput since 02:45 UTC on Sun 6 Jan, as far as is known.",
        ),
    ],
)
def test_a_rate_is_said_to_be_there_since_it_was_lowered_and_the_mode_may_be_there_for_longer(
    file_system: FileSystem, words: str
) -> None:
    """Less provisioned begins anew, and more does not: up to the rate of now was there since."""
    body = " ".join(back_to_bursting(file_system, TIME - timedelta(days=1), 0, None, HERE, TIME).body.split())
    assert words in body
    assert "has been in provisioned throughput" not in body


@pytest.mark.parametrize(("at_once", "words"), [(True, "gone at once, and"), (False, "gone at about 02:45 UTC on Sun")])
def test_a_day_that_would_have_begun_without_credits_has_no_time_at_which_they_would_have_been_gone(
    at_once: bool, words: str
) -> None:
    begun = TIME - timedelta(days=1)
    day = DayOnCredits(
        reference_bytes_per_second=100 * MIB,
        baseline_bytes_per_second=5 * MIB,
        opening_bytes=0,
        lowest_bytes=0,
        lowest_time=begun,
        gone=begun,
        gone_at_once=at_once,
        lost_bytes=0,
        gone_the_next_day=None,
        lowest_the_next_day_bytes=0,
        lowest_the_next_day_time=begun + timedelta(days=2),
        enough_bytes=0,
        faster_minutes=0,
        moved_bytes=GIB,
    )
    body = back_to_bursting(a_file_system(mode=ThroughputMode.ELASTIC), begun, 0, day, HERE, TIME).body
    assert words in " ".join(body.split())


@pytest.mark.parametrize(("minutes", "again"), [(180, False), (179.9, True)])
def test_a_recovery_below_its_own_threshold_says_that_the_alarm_may_be_back(minutes: float, again: bool) -> None:
    situation = a_situation(balance_gib=minutes * 100 * 60 / 1024, hour_ago_gib=None, activity=None)
    body = recovered(AlarmKind.WARNING, 180, situation, HERE).body
    assert ("That is still less than 180 minutes, so the alarm may be back soon." in body) is again
    assert ("\n\nNo action is needed.\n\n" in body) is not again


@given(severities, leads, situations(), stacks)
def test_a_drill_says_so_in_each_part_and_is_one_that_sns_takes(
    severity: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext
) -> None:
    drill = as_drill(credits_low(severity, lead_minutes, situation, stack))
    assert_publishable(drill, situation.file_system.file_system_id)
    assert drill.subject.startswith(f"DRILL - {severity.upper()}: ")
    assert drill.body.splitlines()[0].startswith("THIS IS A DRILL")
    assert drill.short.startswith("DRILL - ")


@given(
    FILE_SYSTEM_IDS,
    st.sampled_from(Condition),
    st.lists(
        st.tuples(st.from_regex(r"[A-Za-z-]{1,60}", fullmatch=True), st.text(max_size=600)), min_size=1, max_size=6
    ),
    stacks,
)
def test_a_mail_about_silence_is_one_that_sns_takes(
    file_system_id: str, condition: Condition, things: list[tuple[str, str]], stack: StackContext
) -> None:
    findings = tuple(Finding(condition=condition, about=about, detail=detail) for about, detail in things)
    assert_publishable(silence_found(findings, file_system_id, stack), file_system_id)
    assert_publishable(
        silence_over(condition, tuple(about for about, _ in things), file_system_id, stack), file_system_id
    )


@given(st.datetimes().map(lambda time: time.replace(tzinfo=UTC)), leads, file_systems, stacks)
def test_a_mail_about_the_trend_is_one_that_sns_takes(
    expected: datetime, lead_minutes: int, file_system: FileSystem, stack: StackContext
) -> None:
    message = warning_ahead(expected, lead_minutes, file_system, stack)
    assert_publishable(message, file_system.file_system_id)


@pytest.mark.parametrize(("standard_bytes", "is_said"), [(TIB, False), (TIB + 1, True)])
def test_that_growth_brings_warning_sooner_is_said_where_the_threshold_grows(
    standard_bytes: int, is_said: bool
) -> None:
    message = warning_ahead(TIME, 180, a_file_system(standard_bytes=standard_bytes), HERE)
    assert ("Warning comes sooner" in " ".join(message.body.split())) is is_said


@given(st.sampled_from(AlarmKind), decisions(), stacks)
def test_a_description_fits_an_alarm(kind: AlarmKind, decision: Decision, stack: StackContext) -> None:
    description = alarm_description(kind, decision, stack)
    assert len(description) <= 1024
    assert re.fullmatch(r"[ -~\n]+", description)
    assert not description.endswith("...")


@given(decisions(), stacks)
def test_the_three_descriptions_leave_room_in_a_custom_resource_answer(decision: Decision, stack: StackContext) -> None:
    answer = json.dumps([alarm_description(kind, decision, stack) for kind in AlarmKind])
    assert len(answer) <= 3 * 1024


def test_the_description_of_draining_leads_to_steps_also_where_this_fall_has_no_mail() -> None:
    """CloudWatch's own message of a relapse carries it, and the newest Advice mail may be of the fall before."""
    description = alarm_description(AlarmKind.DRAINING, a_decision(), HERE)
    assert description.endswith("Steps: the newest Advice mail, maybe of an earlier fall.")


@given(severities, decisions(on_credits=False), stacks)
def test_the_description_of_a_suspended_alarm_begins_with_the_mark(
    kind: AlarmKind, decision: Decision, stack: StackContext
) -> None:
    assert alarm_description(kind, decision, stack).startswith(SUSPENDED_MARK)


@given(st.sampled_from(AlarmKind), decisions(on_credits=True), stacks)
def test_the_description_of_an_active_alarm_has_no_mark(
    kind: AlarmKind, decision: Decision, stack: StackContext
) -> None:
    assert SUSPENDED_MARK not in alarm_description(kind, decision, stack)


@pytest.mark.parametrize("kind", [AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED])
@pytest.mark.parametrize(("tebibytes", "helps"), [(1, True), (20.2, True), (20.3, False), (25, False)])
def test_a_description_has_the_command_of_elastic_throughput_only_where_it_is_faster_than_without_credits(
    kind: AlarmKind, tebibytes: float, *, helps: bool
) -> None:
    """In One Zone it ends at 1 GiB/s: https://docs.aws.amazon.com/efs/latest/ug/limits.html"""
    regional = a_file_system(standard_bytes=round(tebibytes * TIB))
    for file_system, is_there in ((regional, True), (replace(regional, one_zone=True), helps)):
        description = alarm_description(kind, decide(file_system, Observations(), SETTINGS, None), HERE)
        assert ("--throughput-mode elastic" in description) is is_there
        assert ("neither is faster than what is there without credits" in description) is not is_there
        assert "In ALARM read the Advice mail first" in description


@pytest.mark.parametrize("kind", [AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED])
def test_a_description_never_says_that_a_rate_slows_to_itself(kind: AlarmKind) -> None:
    """Below the cap of a Region, at it and above it, by a hair too; seen, or worked out from the size."""
    for standard_bytes in (round(tib * TIB) for tib in (20.2, 20.28, 20.3, 20.46, 20.48, 20.7, 30, 300)):
        for permitted in (1024, None):
            file_system = a_file_system(standard_bytes=standard_bytes)
            observed = Observations(highest_permitted_bytes_per_second=1024 * MIB)
            decision = a_decision(file_system, permitted_mib_per_second=permitted)
            if permitted is None:
                decision = decide(file_system, observed, SETTINGS, None)
            description = alarm_description(kind, decision, HERE)
            for words in (r"slows from (.+) to (.+): ", r"limited to (.+) instead of (.+), OK"):
                found = re.search(words, description)
                assert found is None or found[1] != found[2]


def test_the_description_of_a_file_system_whose_region_permits_less_than_it_earns_offers_no_remedy() -> None:
    capped = a_decision(a_file_system(standard_bytes=30 * TIB), permitted_mib_per_second=1024)
    for kind in (AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED):
        description = alarm_description(kind, capped, HERE)
        assert "Nothing slows when they end" in description
        assert "elastic" not in description


@pytest.mark.parametrize("kind", AlarmKind)
def test_a_description_does_not_depend_on_how_the_decision_came_about(kind: AlarmKind) -> None:
    stack = StackContext(
        stack_name="efs-home", region="us-east-1", account_id="1", partition="aws", runbook_url="https://a.example"
    )
    settings = Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)
    for mode in ThroughputMode:
        file_system = FileSystem(
            file_system_id="fs-01234567",
            name="",
            mode=mode,
            standard_bytes=1024**3,
            provisioned_bytes_per_second=1024**3,
        )
        first = decide(file_system, Observations(), settings)
        live = CurrentThresholds(
            warning_bytes=first.thresholds.warning_bytes,
            critical_bytes=first.thresholds.critical_bytes,
            exhausted_bytes=first.thresholds.exhausted_bytes,
            rise_bytes_per_second=first.thresholds.rise_bytes_per_second,
            suspended=first.suspended,
        )
        later = decide(file_system, Observations(), settings, live)
        assert later.kind == "keep"
        assert alarm_description(kind, later, stack) == alarm_description(kind, first, stack)


def assert_publishable(message: Message, file_system_id: str) -> None:
    assert_valid(custom_notification(message.chat))
    assert figures_of_chat(message) <= figures_of_mail(message)
    assert re.fullmatch(r"[^<>@*~|`\[\]]+", f"{message.chat.title}{message.chat.text}{message.chat.summary}")
    assert re.fullmatch(r"[!-~][ -~]{0,98}", message.subject)
    assert f", {file_system_id}" in message.subject
    assert f", {file_system_id}" in as_drill(message).subject
    assert re.fullmatch(r"[ -~]{1,140}", message.short)
    assert file_system_id in message.short
    assert re.fullmatch(r"[ -~\n]+", message.body)
    for line in message.body.splitlines():
        assert len(line) <= 100 or re.match(r" *(aws|sam) |.*https://|Stack: ", line), line
        assert line == line.rstrip()


def test_an_alarm_that_ends_while_the_balance_falls_has_the_ways_out_and_promises_no_other_end() -> None:
    """As where somebody has made its lead time shorter in the middle of a fall."""
    falling = a_situation(balance_gib=420, hour_ago_gib=650, activity=WRITING)
    mail = recovered(AlarmKind.CRITICAL, 45, falling, HERE)
    assert "WHAT TO DO" in mail.body
    assert "The Warning alarm ends later" not in mail.body
    rising = a_situation(balance_gib=420, hour_ago_gib=400, activity=QUIET)
    mail = recovered(AlarmKind.CRITICAL, 45, rising, HERE)
    assert "WHAT TO DO" not in mail.body
    assert "The Warning alarm ends later" in mail.body
