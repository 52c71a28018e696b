"""What people are told after a recalculation: each thing once, and again when it comes back."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.decision import CurrentThresholds, Decision, Resume, decide
from efs_monitor.alarms.thresholds import thresholds_for
from efs_monitor.efs.credits import GIB, MIB, TIB, full_bucket_bytes
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Taken
from efs_monitor.efs.reference import Reference, Source
from efs_monitor.incidents.identity import EndedByMode
from efs_monitor.mail.chat import chat
from efs_monitor.mail.layout import Message
from efs_monitor.mail.numbers import clock
from efs_monitor.notify.state import Driven, HealthNotifications, NotificationState
from efs_monitor.notify.threshold_news import announcement_of_gone, since_deployment, threshold_news, until_told
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.mail.mail_cases import HERE
from tests.unit.strategies import DEFAULTS, NOW, bursting, elastic, provisioned, seen

FULL = full_bucket_bytes(4 * TIB)
HOUR = timedelta(hours=1)
FINDINGS = st.sampled_from(["", "missing:{}", "edited:{}:1", "edited:{}:2"])
CHAT = chat(HERE, "fs-1", "alarm-edited", ["text"])
EDITED = Message(subject="ACTION: edited", body="edited", short="edited", chat=CHAT)
MISSING = Message(subject="ACTION: deleted", body="deleted", short="deleted", chat=CHAT)


def decided(
    mib_per_second: float = 100, file_system: FileSystem | None = None, *, asleep: bool = False, before: float = 100
) -> Decision:
    thresholds = thresholds_for(round(before * MIB), DEFAULTS)
    live = CurrentThresholds(
        warning_bytes=thresholds.warning_bytes,
        critical_bytes=thresholds.critical_bytes,
        exhausted_bytes=thresholds.exhausted_bytes,
        rise_bytes_per_second=thresholds.rise_bytes_per_second,
        suspended=asleep,
    )
    return decide(
        file_system or bursting(round(mib_per_second / 100 * TIB)), seen((FULL, mib_per_second * MIB)), DEFAULTS, live
    )


def subjects(
    decision: Decision,
    told: NotificationState,
    findings: dict[str, Message] | None = None,
    *,
    now: datetime = NOW,
    keeps_time: bool = False,
) -> tuple[list[str], NotificationState]:
    messages, state_when_told = threshold_news(decision, findings or {}, told, HERE, now)
    state_when_told = state_when_told if keeps_time else replace(state_when_told, moved=None)
    return [message.subject.split(",")[0] for message in messages], state_when_told


def told_of(mib_per_second: float) -> NotificationState:
    return NotificationState(reference_bytes_per_second=round(mib_per_second * MIB))


def test_a_first_run_that_changes_nothing_leaves_the_memory_alone() -> None:
    assert subjects(decided(150, before=150), NotificationState()) == ([], NotificationState())


def test_the_first_move_is_measured_from_what_the_deployment_set() -> None:
    assert subjects(decided(105), NotificationState()) == ([], told_of(100))
    assert subjects(decided(150), NotificationState()) == (["INFO: alarm thresholds moved up"], told_of(150))


def test_a_move_of_less_than_ten_percent_is_not_told() -> None:
    assert subjects(decided(109.9), told_of(100)) == ([], told_of(100))
    assert subjects(decided(100), told_of(111.1)) == ([], told_of(111.1))


def test_a_move_of_ten_percent_is_told_in_both_directions() -> None:
    assert subjects(decided(110), told_of(100)) == (["INFO: alarm thresholds moved up"], told_of(110))
    assert subjects(decided(180), told_of(200)) == (["INFO: alarm thresholds moved down"], told_of(180))


def test_small_moves_add_up_to_one_that_is_told() -> None:
    told, mails = told_of(100), []
    for mib_per_second in (104, 108, 112, 116, 120, 123):
        found, told = subjects(decided(mib_per_second), told)
        mails += found
    assert mails == ["INFO: alarm thresholds moved up"]
    assert told == told_of(112)


def test_a_night_of_growth_is_one_mail_and_the_rest_of_it_another_a_day_later() -> None:
    told, found = told_of(100), []
    for hour, mib_per_second in enumerate((105, 112, 125, 140, 155, *[160] * 40)):
        now = NOW + timedelta(hours=hour)
        mails, told = subjects(decided(mib_per_second), told, now=now, keeps_time=True)
        found += [(hour, told.reference_bytes_per_second) for _ in mails]
    assert found == [(1, 112 * MIB), (25, 160 * MIB)]


def test_the_mail_of_a_move_says_what_of_the_next_moves_it_is_followed_by() -> None:
    (mail,), _ = threshold_news(decided(112), {}, told_of(100), HERE, NOW)
    assert (
        "Should they move again within a day, by a tenth or more but by less than half, a mail says so when that day "
        "is over." in " ".join(mail.body.split())
    )


@pytest.mark.parametrize("low", [(), (AlarmKind.EXHAUSTED,), (AlarmKind.WARNING, AlarmKind.CRITICAL)])
def test_a_move_amid_an_incident_does_not_say_that_there_is_nothing_to_do(low: tuple[AlarmKind, ...]) -> None:
    (mail,), _ = threshold_news(decided(112), {}, told_of(200), HERE, NOW, (), low, on=low)
    for text in (" ".join(mail.body.split()), mail.chat.text):
        assert ("There is nothing to do about the alarms" in text) is not bool(low)
        assert ("the incident goes on, and what its mails say to do holds" in text) is bool(low)


@pytest.mark.parametrize(
    ("reached", "newest_gib", "lasts"),
    [
        # Net of 88.5 MiB/s that 1.77 TiB earn.
        (177, 431, "lasts 1 h 23 min"),
        (177, 5, ""),
        # Net of 56 MiB/s.
        (112, 431, "lasts 2 h 11 min"),
        (112, None, ""),
    ],
)
def test_thresholds_that_move_amid_an_incident_say_how_long_the_balance_lasts_now(
    reached: int, newest_gib: float | None, lasts: str
) -> None:
    """The end that a mail before named was that of what could be driven then."""
    newest_bytes = None if newest_gib is None else newest_gib * GIB
    (mail,), _ = threshold_news(
        decided(reached), {}, told_of(140), HERE, NOW, (), WARNING, on=WARNING, newest_balance_bytes=newest_bytes
    )
    for text in (" ".join(mail.body.split()), " ".join(mail.chat.text.split())):
        assert (f"GiB, {lasts}, whatever end" in text) is bool(lasts)
        assert ("whatever end" in text) is bool(lasts)


def test_a_balance_that_nothing_can_take_is_not_said_to_last() -> None:
    """Of a size that earns as much as any Region permits, before a metric shows what its own does."""
    unseen = Reference(bytes_per_second=200 * MIB, source=Source.SIZE)
    decision = replace(decided(112), reference=unseen, file_system=bursting(4 * TIB))
    (mail,), _ = threshold_news(
        decision, {}, told_of(140), HERE, NOW, (), WARNING, on=WARNING, newest_balance_bytes=431 * GIB
    )
    assert "the incident goes on" in " ".join(mail.body.split())
    assert "whatever end" not in " ".join(mail.body.split())


WARNING, BOTH = (AlarmKind.WARNING,), (AlarmKind.WARNING, AlarmKind.CRITICAL)
IT_GOES_OFF = "it goes off within minutes, and its mail says"
THEY_GO_OFF = "they go off within minutes, and their mails say"
GOES_ON = "the incident goes on, and what its mails say to do holds."
ENDS = "ends within 15 minutes, unless less is left by then."


@pytest.mark.parametrize(
    ("low", "on", "told"),
    [
        (WARNING, (), f"the new threshold of Warning: {IT_GOES_OFF} what to do. Of the alarms nothing has"),
        (BOTH, (), f"the new thresholds of Warning and Critical: {THEY_GO_OFF} what to do."),
        (
            BOTH,
            WARNING,
            f"the new threshold of Warning, too: {GOES_ON} The balance is below the new threshold of Critical",
        ),
        ((), WARNING, f"Warning is on, and the balance is above its new threshold: it {ENDS} There is nothing to do"),
        (
            WARNING,
            (AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED),
            "Critical and Exhausted are on, and the balance is above their new thresholds: they end within",
        ),
    ],
)
def test_a_move_says_which_alarms_go_on_which_go_off_by_it_and_which_end(
    low: tuple[AlarmKind, ...], on: tuple[AlarmKind, ...], told: str
) -> None:
    (mail,), _ = threshold_news(decided(112), {}, told_of(200), HERE, NOW, (), low, on=on)
    for text in (" ".join(mail.body.split()), " ".join(mail.chat.text.split())):
        assert told in text
        assert ("incident goes on" in text) is bool(set(low) & set(on))


def test_half_as_much_again_is_told_at_once() -> None:
    _, told = subjects(decided(112), told_of(100), keeps_time=True)
    later = NOW + timedelta(hours=1)
    assert subjects(decided(165), told, now=later)[0] == []
    assert subjects(decided(168), told, now=later)[0] == ["INFO: alarm thresholds moved up"]
    assert subjects(decided(100), told, now=later)[0] == []


def test_a_resume_that_sets_off_an_alarm_at_once_is_told_by_its_mail() -> None:
    known = NotificationState(reference_bytes_per_second=100 * MIB, suspended=True)
    low = (AlarmKind.WARNING, AlarmKind.CRITICAL)
    assert threshold_news(decided(asleep=True), {}, known, HERE, NOW, (), low) == ((), told_of(100))
    # What is only told here is told all the same.
    (mail,), _ = threshold_news(decided(asleep=True), {}, known, HERE, NOW, (AlarmKind.EXHAUSTED,), low)
    assert "Exhausted went off unheard" in mail.body
    # That mail has the rate and the threshold of now, which no other one need say half an hour later.
    _, told = threshold_news(decided(200, asleep=True), {}, known, HERE, NOW, (), low)
    assert subjects(decided(200), told)[0] == []


def test_a_suspension_is_told_once() -> None:
    decision = decided(1024, elastic())
    first, told = subjects(decision, told_of(100))
    assert first == ["INFO: alarms suspended"]
    again, told_again = subjects(decided(1024, elastic(), asleep=True), told, now=NOW + timedelta(hours=1))
    assert (again, told_again) == ([], told)


def test_since_when_the_alarms_are_silent_is_remembered_until_they_act_again() -> None:
    _, told = subjects(decided(1024, elastic()), told_of(100))
    assert told.silent_since == NOW
    _, awake = subjects(decided(100, asleep=True), told, now=NOW + timedelta(days=2))
    assert awake.silent_since is None
    # A version before has told of it, and did not remember when.
    _, of_before = subjects(decided(1024, elastic(), asleep=True), replace(told, silent_since=None))
    assert of_before.silent_since is None


def test_a_stack_deployed_suspended_is_told_so_too() -> None:
    mails, told = subjects(decided(1024, elastic(), asleep=True), NotificationState())
    assert (mails, told.suspended) == (["INFO: alarms suspended"], True)


def test_a_resume_is_told_once_and_names_thresholds_that_are_then_told() -> None:
    mails, told = subjects(
        decided(200, asleep=True), NotificationState(reference_bytes_per_second=100 * MIB, suspended=True)
    )
    assert (mails, told) == (["INFO: alarms active again"], told_of(200))
    assert subjects(decided(200), told) == ([], told)


def test_a_resume_names_what_went_off_unheard_and_is_over() -> None:
    known = NotificationState(reference_bytes_per_second=100 * MIB, suspended=True)
    (mail,), _ = threshold_news(decided(asleep=True), {}, known, HERE, NOW, (AlarmKind.EXHAUSTED,))
    assert "Exhausted went off unheard" in mail.body
    (mail,), _ = threshold_news(decided(asleep=True), {}, known, HERE, NOW)
    assert "unheard" not in mail.body


def test_a_resume_is_told_although_its_suspension_was_forgotten() -> None:
    decision = decided(200, asleep=True)
    assert isinstance(decision, Resume)
    assert subjects(decision, NotificationState())[0] == ["INFO: alarms active again"]


def test_a_resume_that_a_deployment_made_is_told_by_the_next_run() -> None:
    assert subjects(decided(100), NotificationState(suspended=True))[0] == ["INFO: alarms active again"]


def test_a_finding_is_told_once_while_it_lasts() -> None:
    first, told = subjects(decided(), told_of(100), {"edited:warning:1": EDITED})
    assert first == ["ACTION: edited"]
    again, told = subjects(decided(), told, {"edited:warning:1": EDITED})
    assert again == []
    assert told.conditions == {"edited:warning:1"}


def test_a_finding_that_comes_back_is_told_again() -> None:
    _, told = subjects(decided(), told_of(100), {"edited:warning:1": EDITED})
    _, told = subjects(decided(), told)
    assert told.conditions == frozenset()
    assert subjects(decided(), told, {"edited:warning:1": EDITED})[0] == ["ACTION: edited"]


def test_the_end_of_a_finding_is_told_once() -> None:
    told = NotificationState(
        reference_bytes_per_second=100 * MIB, conditions=frozenset({"edited:warning:1", "missing:critical"})
    )
    mails, told = subjects(decided(), told)
    assert mails == ["INFO: alarm edit undone", "INFO: alarm restored"]
    assert subjects(decided(), told) == ([], told_of(100))


def test_an_alarm_that_is_edited_further_or_deleted_since_is_no_edit_undone() -> None:
    told = NotificationState(reference_bytes_per_second=100 * MIB, conditions=frozenset({"edited:warning:1"}))
    assert subjects(decided(), told, {"edited:warning:2": EDITED})[0] == ["ACTION: edited"]
    assert subjects(decided(), told, {"missing:warning": MISSING})[0] == ["ACTION: deleted"]


def test_an_alarm_that_is_back_but_otherwise_is_edited_and_right_again_once_that_is_undone() -> None:
    told = NotificationState(reference_bytes_per_second=100 * MIB, conditions=frozenset({"missing:warning"}))
    mails, told = subjects(decided(), told, {"edited:warning:2": EDITED})
    assert mails == ["ACTION: edited"]
    assert subjects(decided(), told) == (["INFO: alarm edit undone"], told_of(100))


@given(
    st.lists(st.tuples(FINDINGS, FINDINGS), max_size=8),
    st.permutations(list(AlarmKind)),
)
def test_of_one_alarm_there_is_one_mail_a_run_and_an_all_clear_only_when_nothing_is_wrong_with_it(
    runs: list[tuple[str, str]], kinds: list[AlarmKind]
) -> None:
    """Whatever two alarms go through."""
    told, before = told_of(100), [""] * 2
    for run in [*runs, ("", "")]:
        keys = [one.format(kind) for one, kind in zip(run, kinds, strict=False)]
        found = {key: replace(EDITED, subject=key) for key in keys if key}
        mails, told = threshold_news(decided(), found, told, HERE, NOW)
        for key, was, kind in zip(keys, before, kinds, strict=False):
            of_it = [one.subject for one in mails if one.subject == key or f"({kind})" in one.subject]
            assert [one.startswith("INFO") for one in of_it] == ([] if key == was else [not key])
        before = keys
    assert told == told_of(100)


def test_a_finding_that_nobody_knows_any_more_ends_without_a_word() -> None:
    told = NotificationState(reference_bytes_per_second=100 * MIB, conditions=frozenset({"renamed:thing", "", ":::"}))
    assert subjects(decided(), told) == ([], told_of(100))


def test_a_file_system_that_is_back_is_told() -> None:
    _, told = announcement_of_gone("fs-01234567", told_of(100), HERE)
    assert subjects(decided(), told) == (["INFO: file system found again"], told_of(100))


def test_what_was_told_of_silence_is_not_touched() -> None:
    health = HealthNotifications(conditions=frozenset({"metrics-stopped"}))
    before = NotificationState(reference_bytes_per_second=100 * MIB, health=health, version=7)
    _, told = subjects(decided(), before, {"missing:critical": MISSING})
    assert (told.health, told.version) == (health, 7)
    _, gone = announcement_of_gone("fs-01234567", before, HERE)
    assert (gone.health, gone.version) == (health, 7)


def test_only_the_new_one_of_two_findings_is_told() -> None:
    _, told = subjects(decided(), told_of(100), {"edited:warning:1": EDITED})
    mails, _ = subjects(decided(), told, {"edited:warning:1": EDITED, "missing:critical": MISSING})
    assert mails == ["ACTION: deleted"]


def test_findings_are_told_beside_moved_thresholds() -> None:
    mails, _ = subjects(decided(200), told_of(100), {"missing:critical": MISSING})
    assert mails == ["INFO: alarm thresholds moved up", "ACTION: deleted"]


def test_a_file_system_that_is_gone_is_told_once_and_the_rest_is_kept() -> None:
    before = NotificationState(reference_bytes_per_second=7, suspended=True, conditions=frozenset({"edited:warning:1"}))
    messages, told = announcement_of_gone("fs-01234567", before, HERE)
    assert [message.subject for message in messages] == ["ACTION: file system not found, fs-01234567"]
    assert announcement_of_gone("fs-01234567", told, HERE) == ((), told)
    assert (told.reference_bytes_per_second, told.suspended) == (7, True)
    assert before.conditions < told.conditions


def test_a_file_system_that_came_back_and_went_again_is_told_again() -> None:
    _, told = announcement_of_gone("fs-01234567", told_of(100), HERE)
    _, told = subjects(decided(), told)
    messages, _ = announcement_of_gone("fs-01234567", told, HERE)
    assert len(messages) == 1


@given(st.integers(100, 1000), st.none() | st.integers(1, 2000), st.booleans(), st.booleans())
def test_telling_the_same_thing_twice_tells_nothing_the_second_time(
    mib_per_second: int, reference: int | None, suspended: bool, is_elastic: bool
) -> None:
    decision = decided(mib_per_second, elastic(2 * TIB) if is_elastic else None)
    told = NotificationState(reference_bytes_per_second=reference and reference * MIB, suspended=suspended)
    _, once = subjects(decision, told, {"missing:critical": MISSING})
    assert subjects(decision, once, {"missing:critical": MISSING}) == ([], once)


def test_what_the_deployment_named_is_known_before_alarms_are_written() -> None:
    assert since_deployment(decided(150), NotificationState()) == told_of(100)
    assert since_deployment(decided(150, before=150), NotificationState()) == NotificationState()
    assert since_deployment(decided(150), told_of(120)) == told_of(120)


INCIDENT = EndedByMode(alarms=(AlarmKind.CRITICAL,), began=NOW, time=NOW)


def test_an_incident_that_a_suspension_ends_is_remembered_until_it_is_told_and_told_once() -> None:
    suspending = decided(file_system=elastic())
    known = until_told(suspending, told_of(100), INCIDENT, NOW)
    assert known.ended == INCIDENT
    # A run that broke off has ended the alarms: the next one sees none that is on.
    assert until_told(suspending, known, None, NOW) == known
    messages, told = threshold_news(suspending, {}, known, HERE, NOW)
    assert [one.subject.partition(",")[0] for one in messages] == ["RECOVERED: over by elastic throughput"]
    assert messages[0].chat.thread == f"{suspending.file_system.file_system_id}-{NOW:%Y%m%dT%H%MZ}"
    assert (told.suspended, told.ended) == (True, None)
    # What is on while it is silent is no incident.
    assert until_told(suspending, told, INCIDENT, NOW) == told
    assert threshold_news(suspending, {}, told, HERE, NOW)[0] == ()


def test_the_end_by_elastic_throughput_keeps_people_from_going_back_at_once_unless_there_is_no_way_back() -> None:
    for archived, is_told in ((0, True), (GIB, False)):
        suspending = decided(file_system=replace(elastic(), archive_bytes=archived))
        known = until_told(suspending, told_of(100), INCIDENT, NOW)
        (message,), _ = threshold_news(suspending, {}, known, HERE, NOW)
        assert ("AWS refuses the way back for a day." in " ".join(message.body.split())) is is_told


def test_an_incident_is_ended_by_a_suspension_only() -> None:
    assert until_told(decided(), told_of(100), INCIDENT, NOW).ended is None
    came_back = decided(asleep=True)
    known = until_told(decided(file_system=elastic()), told_of(100), INCIDENT, NOW)
    messages, told = threshold_news(came_back, {}, known, HERE, NOW)
    assert [one.subject.partition(",")[0] for one in messages] == ["INFO: alarms active again"]
    assert told.ended is None


def test_when_the_alarms_were_resumed_is_remembered_and_stays_so() -> None:
    """Before they are written: one that goes off then is told with it."""
    came_back = decided(asleep=True)
    suspended = replace(told_of(100), suspended=True)
    known = until_told(came_back, suspended, None, NOW)
    assert known == replace(suspended, resumed=NOW, driven=Driven(ThroughputMode.BURSTING, 0, None))
    (mail,), remembered = threshold_news(came_back, {}, known, HERE, NOW, newest_balance_bytes=1544.6 * GIB)
    assert remembered.resumed == NOW
    assert "- Newest balance: 1,545 GiB\n" in mail.body
    (without,), _ = threshold_news(came_back, {}, known, HERE, NOW)
    assert "Newest balance" not in without.body
    later = NOW + timedelta(hours=1)
    assert until_told(decided(), replace(known, suspended=False), None, later).resumed == NOW


def test_a_suspension_that_an_update_of_the_stack_brought_back_is_no_other_throughput_mode() -> None:
    assert until_told(decided(asleep=True), told_of(100), None, NOW).resumed is None


def test_a_size_that_grew_until_it_earns_what_is_provisioned_changed_no_mode() -> None:
    grown = decided(file_system=provisioned(2), asleep=True)
    assert isinstance(grown, Resume)
    assert until_told(grown, replace(told_of(100), suspended=True), None, NOW).resumed is None


def seen_in_turn(*driven: FileSystem) -> NotificationState:
    """What is remembered after an hourly look at each."""
    state = told_of(100)
    for hours, one in enumerate(driven):
        state = until_told(decided(file_system=one), state, None, NOW + hours * HOUR)
    return state


@pytest.mark.parametrize(
    ("driven", "changed_by_hours"),
    [
        ((bursting(TIB), bursting(TIB)), None),
        # What it was before the first look nobody knows.
        ((provisioned(2), provisioned(2)), None),
        # At no more than is earned credits matter, and no alarm is suspended.
        ((bursting(TIB), provisioned(2), provisioned(2)), 1),
        ((bursting(TIB), provisioned(2), bursting(TIB)), 2),
        ((provisioned(2), provisioned(3)), 1),
        # A size that earns as much later changes nothing by that.
        ((bursting(TIB), elastic()), 1),
        ((bursting(TIB), provisioned(200), replace(provisioned(200), standard_bytes=5 * TIB)), 1),
        ((bursting(TIB), elastic(), bursting(TIB)), 2),
        # Another size alone is no change.
        ((bursting(TIB), bursting(2 * TIB)), None),
    ],
)
def test_a_change_of_the_throughput_is_remembered_from_the_first_look_that_saw_it(
    driven: tuple[FileSystem, ...], changed_by_hours: int | None
) -> None:
    expected = None if changed_by_hours is None else NOW + changed_by_hours * HOUR
    assert seen_in_turn(*driven).changed_seen == expected


def test_without_a_beginning_the_end_is_in_no_thread() -> None:
    known = until_told(
        decided(file_system=elastic()),
        NotificationState(),
        EndedByMode(alarms=(AlarmKind.DRAINING,), began=None, time=NOW),
        NOW,
    )
    assert threshold_news(decided(file_system=elastic()), {}, known, HERE, NOW)[0][0].chat.thread == ""


def test_thresholds_after_none_at_all_are_told() -> None:
    """An edited alarm may have stood for nothing."""
    moved, told = subjects(decided(100), NotificationState(reference_bytes_per_second=0))
    assert moved == ["INFO: alarm thresholds moved up"]
    assert told.reference_bytes_per_second == round(100 * MIB)


def test_a_rate_below_what_clients_took_is_told_as_a_limit() -> None:
    """Within a hundredth it is what they took: a rate that our own mail advised."""
    at_100 = decided(file_system=provisioned(100))

    def told(busiest: float, lately: float = 0) -> str:
        taken = Taken(busiest_bytes_per_second=busiest * MIB, lately_bytes_per_second=lately * MIB, known_minutes=1440)
        (message,) = threshold_news(at_100, {}, replace(told_of(100), ended=INCIDENT), HERE, NOW, taken=taken)[0]
        return f"{message.subject} {' '.join(message.body.split())}"

    assert "over by provisioned throughput, limited to 100 MiB/s" in told(102)
    assert "clients took 102 MiB/s as metered, which is more: such a load is limited" in told(102)
    assert "over by provisioned throughput, alarms suspended" in told(101)
    assert "Should clients want more, provision more" in told(101, lately=94)
    assert "Clients take all or nearly all of the 100 MiB/s that are provisioned" in told(101, lately=95)


def test_a_move_that_was_put_off_is_told_with_since_when_it_is_so() -> None:
    """Up in the morning, which is told; down in the afternoon, which is told a day after the morning."""
    told, found = told_of(137), []
    for hour, mib_per_second in enumerate((160, *[160] * 3, *[118] * 9, *[120] * 20)):
        now = NOW + timedelta(hours=hour)
        messages, told = threshold_news(decided(mib_per_second), {}, told, HERE, now)
        found += [(hour, " ".join(one.body.split())) for one in messages]
    (first, (at, second)) = found
    assert first[0] == 0
    assert "(since about" not in first[1]
    assert at == 24
    assert f"120 MiB/s (already at 118 MiB/s by about {NOW + timedelta(hours=4):%H:%M} UTC on" in second
    assert told.untold is None


@given(st.lists(st.integers(100, 200), min_size=30, max_size=60))
def test_the_rate_beside_since_when_it_is_so_is_that_of_then(hourly_mib_per_second: list[int]) -> None:
    """What has moved on meanwhile by less than is worth a mail is another rate all the same."""
    told = told_of(100)
    for hour, mib_per_second in enumerate(hourly_mib_per_second):
        now = NOW + timedelta(hours=hour)
        messages, told = threshold_news(decided(mib_per_second), {}, told, HERE, now)
        for body in (" ".join(message.body.split()) for message in messages):
            named = re.search(r"driven at (\d+) MiB/s \((?:already at (\d+) MiB/s by|since) about ([^)]+)\)", body)
            if named is not None:
                then = {clock(NOW + timedelta(hours=one), now): one for one in range(hour)}
                assert int(named[2] or named[1]) == hourly_mib_per_second[then[named[3]]]


def test_what_moved_back_before_it_was_told_is_forgotten() -> None:
    _, told = threshold_news(decided(160), {}, told_of(137), HERE, NOW)
    _, told = threshold_news(decided(120), {}, told, HERE, NOW + timedelta(hours=1))
    assert told.untold is not None
    _, told = threshold_news(decided(160), {}, told, HERE, NOW + timedelta(hours=2))
    assert told.untold is None
