"""What becomes of each stack of a fleet."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.fleet.membership import TaggedFileSystem, membership_of
from efs_monitor.fleet.monitor_stack import LONGEST_AT_WORK, MonitorStack
from efs_monitor.fleet.notes import Note
from efs_monitor.fleet.reconciliation import AT_A_TIME, DELETED, Create, Keep, Refuse, Update, fingerprint
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.fleet.fake_account import TEMPLATE, FakeAccount, file_system, file_system_id, fleet, watched


def settled(*numbers: int) -> FakeAccount:
    """An account whose file systems all have their stack."""
    account = FakeAccount(file_systems=[file_system(one) for one in numbers])
    account.live(len(numbers) // AT_A_TIME + 2)
    assert set(account.steps().values()) == {"keep"}
    return account


def by_hand(number: int, **changed: str) -> MonitorStack:
    given = {"name": "mine", "status": "CREATE_COMPLETE", "file_system_id": file_system_id(number)}
    return MonitorStack(**(given | changed))  # type: ignore[arg-type] # texts all


def test_a_file_system_without_a_stack_gets_one_with_the_fleets_parameters() -> None:
    step = FakeAccount(file_systems=[file_system(1)]).step()
    assert isinstance(step, Create)
    assert step.stack_name == f"fleet-{file_system_id(1)}"
    assert step.parameters == {
        "FileSystemId": file_system_id(1),
        "AlertEmail": "storage-team@example.com",
        "Dashboard": "off",
    }


def test_a_stack_that_is_as_it_should_be_is_told_from_one_that_waits() -> None:
    account = FakeAccount(file_systems=[file_system(1)])
    account.run()
    under_way = account.step()
    account.settle()
    later = account.step()
    assert isinstance(under_way, Keep)
    assert isinstance(later, Keep)
    assert (under_way.is_right, later.is_right) == (False, True)


def test_tags_of_a_file_system_override_the_fleets_parameters() -> None:
    step = FakeAccount(file_systems=[file_system(1, WarningMinutes="240", Dashboard="on", owner="x")]).step()
    assert isinstance(step, Create)
    assert (step.parameters["WarningMinutes"], step.parameters["Dashboard"]) == ("240", "on")


def test_what_a_fleet_says_of_benchmarks_is_for_those_that_have_a_path() -> None:
    given = {"BenchmarkProfile": "sweep", "BenchmarkSchedule": "", "RegressionsAlarm": "on", "WarningMinutes": "240"}
    with_path, without = file_system(1, BenchmarkPath="/mnt/efs"), file_system(2)
    account = FakeAccount(fleet=fleet(parameters=given), file_systems=[with_path, without])
    measured, others = account.step(1), account.step(2)
    assert isinstance(measured, Create)
    assert isinstance(others, Create)
    assert measured.parameters.items() >= given.items()
    # An empty schedule asks for nothing, and no rule refuses it.
    left = {"FileSystemId": file_system_id(2), "Dashboard": "off", "BenchmarkSchedule": "", "WarningMinutes": "240"}
    assert others.parameters == left


def test_who_takes_the_path_away_takes_the_fleets_benchmarks_with_it() -> None:
    account = FakeAccount(
        fleet=fleet(parameters={"RegressionsAlarm": "on"}), file_systems=[file_system(1, BenchmarkPath="/mnt/efs")]
    )
    account.live(2)
    account.file_systems = [file_system(1)]
    changed = account.step()
    assert isinstance(changed, Update)
    assert "BenchmarkPath '/mnt/efs' -> '', RegressionsAlarm 'on' -> 'off'" in changed.reason


OVER = "cron(0 3 * 1 ? 2029)"


def with_a_schedule(*, ends: timedelta) -> FakeAccount:
    """An account in which every benchmark comes by a schedule whose last time is `ends` from now."""
    return FakeAccount(
        fleet=fleet(parameters={"BenchmarkSchedule": OVER}),
        file_systems=[file_system(1, BenchmarkPath="/mnt/efs")],
        now=datetime(2029, 1, 31, 3, 0, tzinfo=UTC) - ends,
    )


def test_a_stack_that_is_made_after_the_last_time_of_a_schedule_is_made_without_it() -> None:
    over = with_a_schedule(ends=-timedelta(minutes=1)).step()
    still = with_a_schedule(ends=timedelta(minutes=1)).step()
    assert isinstance(over, Create)
    assert isinstance(still, Create)
    assert (over.parameters["BenchmarkSchedule"], still.parameters["BenchmarkSchedule"]) == ("", OVER)


def test_a_stack_that_is_there_keeps_a_schedule_whose_last_time_is_over() -> None:
    account = with_a_schedule(ends=timedelta(hours=1))
    account.live(2)
    account.now += timedelta(days=1)
    assert account.step().reason == "as it should be"


def test_a_stack_that_failed_with_a_schedule_is_tried_at_once_without_it_when_it_is_over() -> None:
    account = with_a_schedule(ends=timedelta(minutes=6))
    account.broken = {file_system_id(1)}
    account.live(1)
    assert account.step().kind == "keep"
    account.now += timedelta(minutes=2)
    assert account.step().kind == "delete"


@pytest.mark.parametrize(
    ("tags", "sentence"),
    [
        ({"WarningMinutes": "20"}, "Its tag efs-monitor:WarningMinutes is '20': WarningMinutes must be a whole number"),
        ({"Dashboard": "yes"}, "Dashboard must be on or off"),
        ({"Warnminutes": "90"}, "there is no such parameter; the nearest is WarningMinutes"),
        ({"FileSystemId": file_system_id(9)}, "each stack watches the file system that it is made for"),
        ({"WarningMinutes": "70"}, "CriticalMinutes is 60 and WarningMinutes is 70"),
        ({"BenchmarkSizeMiB": "16"}, "tag efs-monitor:BenchmarkSizeMiB is '16': BenchmarkSizeMiB says how much"),
        ({"RegressionsAlarm": "on"}, "RegressionsAlarm is on, but without BenchmarkPath nothing is measured; give"),
        (
            {"AdviceTopicArn": "arn:aws:sns:eu-west-1:123456789012:advice"},
            "AdviceTopicArn is arn:aws:sns:eu-west-1:123456789012:advice, a topic in eu-west-1, but alarms reach only",
        ),
        (
            {"EncryptionKeyArn": "arn:aws:kms:eu-west-1:123456789012:key/mrk-1a2b"},
            "EncryptionKeyArn is arn:aws:kms:eu-west-1:123456789012:key/mrk-1a2b, a key in eu-west-1, but topics are",
        ),
        ({"RunbookUrl": "https://" + "x" * 249}, "RunbookUrl must be an http or https address of at most 256"),
    ],
)
def test_a_tag_with_a_value_that_no_parameter_allows_refuses_that_file_system_alone(
    tags: dict[str, str], sentence: str
) -> None:
    account = FakeAccount(file_systems=[file_system(1, **tags), file_system(2)])
    assert account.steps() == {file_system_id(1): "refuse", file_system_id(2): "create"}
    assert sentence in account.step().reason


def test_what_changes_nothing_in_a_stack_is_as_it_should_be_until_something_else_is_wanted() -> None:
    account = settled(1)
    account.file_systems = [file_system(1, RepeatWarningHours="12")]
    asked = account.planned()
    assert isinstance(asked.changes[0], Update)
    (note,) = asked.notes.values()
    account.notes = {file_system_id(1): replace(note, unchanged=True)}
    account.now += timedelta(days=2)
    kept = account.step()
    assert isinstance(kept, Keep)
    assert kept.is_right
    assert account.planned().notes == account.notes
    account.file_systems = [file_system(1, RepeatWarningHours="12", WarningMinutes="240")]
    assert isinstance(account.step(), Update)
    account.file_systems = [file_system(1)]
    assert isinstance(account.step(), Keep)
    assert account.planned().notes == {}


def test_a_wrong_tag_leaves_the_stack_that_there_is() -> None:
    account = settled(1)
    account.file_systems = [file_system(1, BenchmarkSchedule="cron 0 3 L", BenchmarkPath="/mnt/efs")]
    assert account.step().reason == (
        "Its tag efs-monitor:BenchmarkSchedule is 'cron 0 3 L': a tag holds a rate, written as rate 1 day, at most "
        "hourly, or nothing; a cron, whose signs EFS takes in no tag, MonitorParameters give. Its stack stays as it is."
    )
    account.file_systems = [file_system(1, BenchmarkLocalPath="/etc")]
    assert account.step().reason.endswith("with a FleetTag of its own for some. Its stack stays as it is.")


def test_a_wrong_tag_after_an_update_that_ended_well_does_not_make_a_failure_of_it() -> None:
    account = settled(1)
    account.file_systems = [file_system(1, WarningMinutes="240")]
    account.live(1)
    assert account.notes[file_system_id(1)].tries == 1
    account.file_systems = [file_system(1, WarningMinutes="240", CriticalMinutes="ten")]
    assert isinstance(account.step(), Refuse)
    assert account.planned().notes == {}


def test_of_one_that_failed_and_is_refused_why_it_failed_is_still_to_be_told() -> None:
    account = FakeAccount(file_systems=[file_system(1)], broken={file_system_id(1)})
    account.live(1)
    account.file_systems = [file_system(1, CriticalMinutes="ten")]
    assert account.planned().notes[file_system_id(1)].tries == 1


def test_of_two_fleets_that_made_a_stack_each_neither_says_that_it_failed() -> None:
    account = FakeAccount(file_systems=[file_system(1)])
    account.live(1)
    account.stacks["other-1"] = by_hand(1, name=f"other-{file_system_id(1)}", fleet="other")
    assert account.step().reason == (
        f"other-{file_system_id(1)}, which belongs to the fleet other, watches it as well as "
        f"fleet-{file_system_id(1)}: delete one of the two"
    )
    assert account.planned().notes == {}


def test_only_file_systems_with_the_tag_belong_to_a_fleet_that_has_one() -> None:
    tagged = {1: {"team": "a"}, 2: {"team": "b"}, 3: {}}
    file_systems = [TaggedFileSystem(file_system_id=file_system_id(one), tags=tags) for one, tags in tagged.items()]
    for text, numbers in (("", [1, 2, 3]), ("team", [1, 2]), ("team=a", [1]), ("team=", [])):
        account = FakeAccount(fleet=fleet(membership=membership_of(text)), file_systems=file_systems)
        assert list(account.steps()) == [file_system_id(one) for one in numbers]


def test_a_parameter_that_is_changed_for_all_is_changed_in_all_so_many_at_a_time() -> None:
    account = settled(*range(1, 26))
    account.fleet = fleet(parameters={"WarningMinutes": "240"})
    assert list(account.steps().values()).count("update") == AT_A_TIME
    assert "AlertEmail 'storage-team@example.com' -> ''" in account.step(1).reason
    account.live(4)
    assert {one.parameters["WarningMinutes"] for one in account.stacks.values()} == {"240"}
    assert {one.parameters["AlertEmail"] for one in account.stacks.values()} == {""}
    assert set(account.steps().values()) == {"keep"}


def test_who_waits_for_a_turn_is_told_how_many_go_first() -> None:
    account = FakeAccount(file_systems=[file_system(one) for one in range(1, 13)])
    assert [one.reason for one in account.planned().steps] == [
        *["has no stack"] * 10,
        *["waits for its turn to create: 10 stacks are changed at a time"] * 2,
    ]


def test_a_stack_on_which_cloudformation_is_at_work_is_told_with_what_it_is_at() -> None:
    account = FakeAccount(file_systems=[file_system(1)])
    account.run()
    assert account.step().reason == "CloudFormation is at work on it: CREATE_IN_PROGRESS"
    account.file_systems = []
    assert account.step().reason == "CloudFormation is at work on it: CREATE_IN_PROGRESS"


def test_another_release_of_the_template_updates_every_stack() -> None:
    account = settled(1, 2)
    account.fleet = fleet(template="https://bucket/other.yaml")
    assert set(account.steps().values()) == {"update"}
    assert account.step().reason == f"template {TEMPLATE} -> https://bucket/other.yaml"
    (name, _) = account.stacks
    account.stacks[name] = replace(account.stacks[name], template="")
    assert account.step(1).reason == "template unknown -> https://bucket/other.yaml"


def test_what_differs_is_told_by_name_first_what_the_stack_has_and_then_what_its_old_template_had_not() -> None:
    account = settled(1)
    ((name, stack),) = account.stacks.items()
    had = {one: value for one, value in stack.parameters.items() if one not in {"RunbookUrl", "ElasticDailyUSD"}}
    account.stacks[name] = replace(stack, parameters=had)
    wanted = {"RunbookUrl": "https://x.example", "ElasticDailyUSD": "5", "WarningMinutes": "240", "Dashboard": "on"}
    account.fleet = fleet(parameters=wanted)
    assert account.step().reason == (
        "parameters differ: AlertEmail 'storage-team@example.com' -> '', Dashboard 'off' -> 'on', "
        "WarningMinutes '180' -> '240', ElasticDailyUSD '' -> '5', RunbookUrl '' -> 'https://x.example'"
    )


def test_the_same_parameters_in_another_order_are_nothing_else_that_is_wanted() -> None:
    first, then = {"WarningMinutes": "240", "CriticalMinutes": "90"}, {"CriticalMinutes": "90", "WarningMinutes": "240"}
    assert fingerprint(TEMPLATE, first) == fingerprint(TEMPLATE, then)
    assert fingerprint(TEMPLATE, first) != fingerprint(TEMPLATE, first | {"CriticalMinutes": "91"})
    assert fingerprint(TEMPLATE, first) != fingerprint(f"{TEMPLATE}?2", first)
    # More would leave the notes of a thousand less room.
    assert len(fingerprint(TEMPLATE, first)) == 8


@pytest.mark.parametrize(
    ("name", "made_by", "owned"),
    [
        (f"fleet-{file_system_id(1)}", "fleet", True),
        (f"fleet-{file_system_id(1)}", "", False),
        (f"fleet-{file_system_id(1)}", "other", False),
        # Of another file system, or by hand with the fleet's tag.
        (f"fleet-{file_system_id(2)}", "fleet", False),
        ("mine", "fleet", False),
    ],
)
def test_a_fleet_has_those_stacks_alone_that_have_both_its_tag_and_its_name_for_them(
    name: str, made_by: str, *, owned: bool
) -> None:
    assert fleet().owns(by_hand(1, name=name, fleet=made_by)) is owned


def test_a_file_system_that_left_loses_its_stack_after_the_grace_and_not_before() -> None:
    account = settled(1, 2)
    account.file_systems.pop(0)
    account.live(1)
    account.now += timedelta(hours=23)
    assert account.step().kind == "keep"
    assert "its stack is deleted after" in account.step().reason
    account.now += timedelta(hours=1)
    assert account.step().kind == "delete"
    account.live(2)
    assert watched(account.stacks.values()) == {file_system_id(2)}


def test_a_stack_that_was_deleted_because_its_file_system_left_is_noted_until_people_are_told() -> None:
    account = settled(1, 2)
    account.fleet = fleet(grace=timedelta(0))
    left = account.file_systems.pop(0)
    made = account.run()
    assert ([one.file_system_id for one in made.leaving], made.deleted) == ([file_system_id(1)], ())
    account.settle()
    account.live(2)
    made = account.planned()
    assert (made.leaving, made.deleted) == ((), (file_system_id(1),))
    assert made.notes == {file_system_id(1): Note(wanted=DELETED)}
    account.file_systems.append(left)
    assert account.planned().deleted == ()
    assert account.step(1).kind == "create"


def test_those_whose_stacks_were_deleted_are_told_in_the_order_of_their_ids() -> None:
    account = FakeAccount(notes={file_system_id(one): Note(wanted=DELETED) for one in (3, 1, 2)})
    assert account.planned().deleted == (file_system_id(1), file_system_id(2), file_system_id(3))


def test_the_grace_of_one_that_left_is_told_with_its_end_and_is_over_then() -> None:
    account = settled(1)
    account.file_systems = []
    assert account.step().reason == "gone, since 2030-01-07 12:10 UTC: its stack is deleted after 2030-01-08 12:10 UTC"
    account.run()
    account.now += timedelta(hours=24)
    assert (account.step().kind, account.step().reason) == ("delete", "gone, since 2030-01-07 12:10 UTC")


def test_one_that_came_back_and_goes_again_is_announced_again() -> None:
    account = settled(1)
    account.notes = {file_system_id(1): Note(gone=account.now, announced=True)}
    account.file_systems = [file_system(1, WarningMinutes="240")]
    (note,) = account.planned().notes.values()
    assert (note.gone, note.announced, note.tries) == (None, False, 1)


def test_that_its_leaving_was_announced_is_remembered_until_it_comes_back() -> None:
    account = settled(1)
    gone, account.file_systems = account.file_systems, []
    account.live(1)
    account.notes = {file_system_id(1): replace(account.notes[file_system_id(1)], announced=True)}
    account.live(1)
    assert account.notes[file_system_id(1)].announced
    account.file_systems = gone
    account.live(1)
    assert account.notes == {}


@pytest.mark.parametrize(("tag", "said"), [("", "gone, since "), ("team=a", "gone, or without the tag team=a, since ")])
def test_only_where_a_tag_makes_the_fleet_can_a_file_system_be_without_it(tag: str, said: str) -> None:
    account = FakeAccount(fleet=fleet(membership=membership_of(tag)))
    account.file_systems = [TaggedFileSystem(file_system_id=file_system_id(1), tags={"team": "a"})]
    account.live(2)
    account.file_systems = []
    assert account.step().reason.startswith(said)


def test_a_file_system_that_comes_back_within_the_grace_keeps_its_stack_and_has_a_whole_grace_again() -> None:
    account = settled(1)
    gone, account.file_systems = account.file_systems, []
    account.live(1)
    account.now += timedelta(hours=20)
    account.file_systems = gone
    account.live(1)
    account.file_systems = []
    account.live(1)
    account.now += timedelta(hours=20)
    assert account.step().kind == "keep"


@pytest.mark.more
def test_a_stack_that_failed_is_tried_again_with_growing_pauses_and_blocks_nobody() -> None:
    account = FakeAccount(file_systems=[file_system(one) for one in range(1, 41)], broken={file_system_id(7)})
    account.live(5)
    assert len(watched(account.stacks.values())) == 39
    before = len(account.made)
    account.live(24 * 12)
    # In a day: after 15 and 30 minutes, 1, 2, 4, 8 and 16 hours; each time after what was left of it was deleted.
    assert len(account.made) - before in {5, 6}
    assert account.step(7).reason.startswith("failed ")


def test_whatever_is_changed_for_a_stack_that_failed_is_tried_at_once() -> None:
    account = FakeAccount(file_systems=[file_system(1)], broken={file_system_id(1)})
    account.live(6)
    assert account.step().kind == "keep"
    account.fleet = fleet(parameters={"WarningMinutes": "240"})
    assert account.step().kind == "delete"
    account.broken = set()
    account.live(3)
    assert watched(account.stacks.values()) == {file_system_id(1)}
    assert account.notes == {}


def test_an_update_that_failed_leaves_a_stack_that_works_and_is_tried_again_later() -> None:
    account = settled(1)
    account.broken = {file_system_id(1)}
    account.fleet = fleet(parameters={"WarningMinutes": "240"})
    assert isinstance(account.run().changes[0], Update)
    account.now += timedelta(minutes=14)
    assert isinstance(account.step(), Keep)
    account.now += timedelta(minutes=1)
    assert isinstance(account.step(), Update)


def test_what_failed_is_told_with_how_often_until_when_it_waits_and_why_where_that_is_known() -> None:
    account = FakeAccount(file_systems=[file_system(1)])
    # A run that broke off before its call.
    account.run(calls=1)
    waits = "failed once, and is tried again after 2030-01-07 12:15 UTC"
    assert account.step().reason == waits
    (note,) = account.notes.values()
    account.notes = {file_system_id(1): replace(note, why="no role")}
    assert account.step().reason == f"{waits}: no role"
    account.now += timedelta(minutes=15)
    assert account.step().reason == "has no stack, and was tried once"


def test_what_the_stack_itself_says_is_told_where_no_note_has_a_reason() -> None:
    account = FakeAccount(file_systems=[file_system(1)], broken={file_system_id(1)})
    account.live(1)
    ((name, stack),) = account.stacks.items()
    account.stacks[name] = replace(stack, reason="no such topic")
    waits = "failed once, and is tried again after 2030-01-07 12:15 UTC"
    assert account.step().reason == f"{waits}: no such topic"
    account.notes = {one: replace(note, why="no role") for one, note in account.notes.items()}
    assert account.step().reason == f"{waits}: no role"
    account.now += timedelta(minutes=15)
    assert account.step().reason == "it is ROLLBACK_COMPLETE and can only be deleted; then it is made again"


def test_that_a_broken_stack_goes_is_a_try_only_where_it_did_not_go_before() -> None:
    account = settled(1)
    ((name, stack),) = account.stacks.items()
    account.stacks[name] = replace(stack, status="ROLLBACK_COMPLETE")
    first = account.planned()
    assert (first.notes, [one.tries for one in first.if_refused.values()]) == ({}, [1])
    account.stacks[name] = replace(stack, status="DELETE_FAILED")
    then = account.planned()
    assert ([one.tries for one in then.notes.values()], then.if_refused) == ([1], {})


def test_one_that_went_back_is_tried_again_though_its_tags_say_that_it_has_what_is_wanted() -> None:
    account = settled(1)
    account.broken = {file_system_id(1)}
    account.fleet = fleet(template=f"{TEMPLATE}?2")
    account.run()
    ((name, stack),) = account.stacks.items()
    account.stacks[name] = replace(stack, template=account.fleet.template)
    account.now += timedelta(minutes=14)
    assert isinstance(account.step(), Keep)
    account.now += timedelta(minutes=1)
    again = account.step()
    assert isinstance(again, Update)
    assert again.reason == "its last update is UPDATE_ROLLBACK_COMPLETE"
    # Where nobody has tried it, as where it was rolled back by hand, or to something else, it is as it should be.
    for notes in ({}, {file_system_id(1): replace(account.notes[file_system_id(1)], wanted="other")}):
        account.notes = notes
        assert account.step().reason == "as it should be"


@pytest.mark.parametrize(
    ("stack", "said"),
    [
        (by_hand(1), "mine, which was deployed by hand, watches it already: it is left alone"),
        (by_hand(1, fleet="other"), "mine, which belongs to the fleet other, watches it already: it is left alone"),
        (
            by_hand(0, name=f"fleet-{file_system_id(1)}"),
            f"there is a stack fleet-{file_system_id(1)} that is not this fleet's: delete or rename it",
        ),
        (
            by_hand(0, name=f"fleet-{file_system_id(1)}", file_system_id="", status="REVIEW_IN_PROGRESS"),
            (
                f"the name fleet-{file_system_id(1)} is taken by a change set that nobody executed: "
                f"aws cloudformation delete-stack --stack-name fleet-{file_system_id(1)} --region eu-central-1"
            ),
        ),
    ],
)
def test_a_stack_of_somebody_else_is_left_alone_and_reported(stack: MonitorStack, said: str) -> None:
    account = FakeAccount(file_systems=[file_system(1), file_system(2)], stacks={stack.name: stack})
    account.live(3)
    assert account.stacks[stack.name] == stack
    step = account.step()
    assert isinstance(step, Refuse)
    assert step.reason == said
    assert watched(one for one in account.stacks.values() if one != stack) == {file_system_id(2)}


def test_a_stack_by_hand_beside_the_fleets_own_is_reported_and_neither_is_deleted() -> None:
    account = settled(1)
    account.stacks["mine"] = by_hand(1)
    assert account.step().reason == (
        f"mine, which was deployed by hand, watches it as well as fleet-{file_system_id(1)}: delete one of the two"
    )
    account.live(3)
    assert len(account.stacks) == 2


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "DELETE_IN_PROGRESS"])
def test_nobody_is_asked_to_delete_the_only_stack_that_watches_where_the_fleets_own_does_not(status: str) -> None:
    account = settled(1)
    (name,) = account.stacks
    account.stacks[name] = replace(account.stacks[name], status=status)
    account.stacks["mine"] = by_hand(1)
    assert account.step().reason == "mine, which was deployed by hand, watches it already: it is left alone"


def test_a_stack_that_could_not_go_back_is_a_persons() -> None:
    account = settled(1)
    (name,) = account.stacks
    account.stacks[name] = replace(account.stacks[name], status="UPDATE_ROLLBACK_FAILED")
    assert account.step().reason == (
        f"{name} could not go back to what it was: "
        f"aws cloudformation continue-update-rollback --stack-name {name} --region eu-central-1"
    )


@pytest.mark.parametrize("status", ["UPDATE_FAILED", "IMPORT_ROLLBACK_FAILED"])
def test_a_stack_for_which_there_is_no_command_is_a_persons_with_what_it_is(status: str) -> None:
    account = settled(1)
    (name,) = account.stacks
    account.stacks[name] = replace(account.stacks[name], status=status)
    assert account.step().reason == f"{name} is {status}, which only a person can end"


def test_a_change_set_of_the_fleets_own_stack_that_nobody_executed_is_a_persons_too() -> None:
    account = settled(1)
    (name,) = account.stacks
    account.stacks[name] = replace(account.stacks[name], status="REVIEW_IN_PROGRESS")
    assert account.step().reason == (
        f"the name {name} is taken by a change set that nobody executed: "
        f"aws cloudformation delete-stack --stack-name {name} --region eu-central-1"
    )


SEE_EVENTS = (
    "aws cloudformation describe-stack-events --stack-name {name} --region eu-central-1 says since when it is at that "
    "and what it waits for; what takes three hours only AWS Support can end"
)
AT_WORK_ON_IT = [
    (
        "CREATE_IN_PROGRESS",
        "aws cloudformation delete-stack --stack-name {name} --region eu-central-1, to have it made again",
    ),
    ("UPDATE_IN_PROGRESS", "aws cloudformation cancel-update-stack --stack-name {name} --region eu-central-1"),
    ("UPDATE_ROLLBACK_IN_PROGRESS", f"it goes back to what it was; {SEE_EVENTS}"),
    ("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", SEE_EVENTS),
    ("DELETE_IN_PROGRESS", SEE_EVENTS),
    # What never was anything goes back to nothing.
    ("ROLLBACK_IN_PROGRESS", SEE_EVENTS),
]


@pytest.mark.parametrize(("status", "what_to_do"), AT_WORK_ON_IT)
def test_a_stack_on_which_cloudformation_is_at_work_for_hours_is_told_by_name_with_what_to_do(
    status: str, what_to_do: str
) -> None:
    account = settled(1)
    (name,) = account.stacks
    account.stacks[name] = replace(account.stacks[name], status=status, since=account.now)
    account.now += LONGEST_AT_WORK
    assert isinstance(account.step(), Keep)
    account.now += timedelta(minutes=1)
    step = account.step()
    assert isinstance(step, Refuse)
    assert step.reason == (
        f"CloudFormation is at work on {name} since 2030-01-07 12:10 UTC ({status}): {what_to_do.format(name=name)}"
    )
    account.file_systems = []
    left = account.step()
    assert (left.kind, left.leaves, left.reason) == ("keep", True, step.reason)


def test_stacks_that_never_end_keep_no_other_from_being_made() -> None:
    """However many there are: those that end make room, and these do not."""
    account = settled(*range(AT_A_TIME))
    hanging = {
        name: replace(one, status="UPDATE_IN_PROGRESS", since=account.now) for name, one in account.stacks.items()
    }
    account.stacks |= hanging
    account.file_systems.append(file_system(AT_A_TIME))
    assert isinstance(account.step(AT_A_TIME), Keep)
    account.now += LONGEST_AT_WORK + timedelta(minutes=1)
    assert isinstance(account.step(AT_A_TIME), Create)


def test_a_stack_that_does_not_go_is_tried_again_with_pauses() -> None:
    account = settled(1)
    account.file_systems = []
    account.live(1)
    account.now += timedelta(days=1)
    (name,) = account.stacks
    asked = 0
    for _ in range(12):
        asked += len(account.run().changes)
        account.stacks[name] = replace(account.stacks[name], status="DELETE_FAILED")
        account.now += timedelta(minutes=5)
    assert asked == 3


def test_the_pause_of_a_stack_that_does_not_go_is_over_with_its_last_minute() -> None:
    account = settled(1)
    ((name, stack),) = account.stacks.items()
    account.stacks[name] = replace(stack, status="DELETE_FAILED", reason="DELETE_FAILED of Mount")
    account.file_systems = []
    tried = Note(gone=account.now - timedelta(days=1), tries=1, tried=account.now, wanted=DELETED)
    account.notes = {file_system_id(1): tried}
    account.now += timedelta(minutes=14)
    assert account.step().reason == (
        "failed once, and is tried again after 2030-01-07 12:25 UTC: DELETE_FAILED of Mount"
    )
    account.now += timedelta(minutes=1)
    assert account.step().kind == "delete"


@pytest.mark.whole
@pytest.mark.parametrize("left", [False, True])
def test_a_deletion_that_is_refused_is_a_try_and_keeps_nobody_waiting(*, left: bool) -> None:
    """Whether the stack never came into being, or its file system left."""
    protected = range(1, 12)
    account = settled(*protected)
    account.protected = {file_system_id(one) for one in protected}
    account.fleet = fleet(grace=timedelta(0))
    if left:
        account.file_systems = []
    else:
        account.stacks = {name: replace(one, status="ROLLBACK_COMPLETE") for name, one in account.stacks.items()}
    account.file_systems.append(file_system(12))
    asked = [len(one.changes) for one in account.live(24 * 12)]
    assert account.stacks[f"fleet-{file_system_id(12)}"].status == "CREATE_COMPLETE"
    # Of each in a day: at once, after 15 and 30 minutes, 1, 2, 4, 8 and 16 hours.
    assert sum(asked) - 1 <= 7 * len(protected)
    account.protected = set()
    account.now += timedelta(days=1)
    account.live(6)
    assert watched(account.stacks.values()) == {file_system_id(one) for one in ((12,) if left else (*protected, 12))}


@given(
    numbers=st.sets(st.integers(1, 60), max_size=40),
    kills=st.lists(st.one_of(st.none(), st.integers(0, 12)), min_size=1, max_size=6),
    beside_itself=st.booleans(),
    unsettled=st.lists(st.booleans(), min_size=1, max_size=6),
)
def test_killed_at_any_call_run_twice_or_beside_itself_it_converges_and_makes_nothing_twice(
    numbers: set[int], kills: list[int | None], beside_itself: bool, unsettled: list[bool]
) -> None:
    foreign = by_hand(61)
    account = FakeAccount(file_systems=[file_system(one) for one in sorted(numbers)], stacks={"mine": foreign})
    for kill, still in zip(kills, unsettled, strict=False):
        planned_beside = account.planned()
        account.run(kill)
        if beside_itself:
            account.carry_out(planned_beside)
        if not still:
            account.settle()
        account.now += timedelta(minutes=5)
    account.settle()
    # What a run noted and never did is tried after its first pause.
    account.now += timedelta(minutes=60)
    account.live(8)
    assert watched(account.stacks.values()) == {file_system_id(one) for one in numbers | {61}}
    assert len(account.made) == len(set(account.made)) == len(numbers)
    assert account.stacks["mine"] == foreign
    assert account.planned().changes == ()
    assert account.notes == {}


@given(
    numbers=st.sets(st.integers(1, 30), max_size=30),
    leaving=st.sets(st.integers(1, 30)),
    broken=st.sets(st.integers(1, 30)),
    runs=st.integers(1, 40),
)
def test_never_more_than_so_many_are_under_way_and_each_file_system_has_one_step(
    numbers: set[int], leaving: set[int], broken: set[int], runs: int
) -> None:
    account = FakeAccount(file_systems=[file_system(one) for one in sorted(numbers)])
    account.live(4)
    account.broken = {file_system_id(one) for one in broken}
    account.file_systems = [
        one for one in account.file_systems if one.file_system_id not in map(file_system_id, leaving)
    ]
    account.fleet = fleet(parameters={"CriticalMinutes": "90"}, grace=timedelta(0))
    for _ in range(runs):
        made = account.run()
        named = [one.file_system_id for one in made.steps]
        assert len(named) == len(set(named))
        assert sum(one.in_progress for one in account.stacks.values()) <= AT_A_TIME
        account.settle()
        account.now += timedelta(minutes=5)
    sound = numbers - leaving - broken
    if runs >= 8:
        assert {file_system_id(one) for one in sound} <= watched(account.stacks.values())
        assert not {file_system_id(one) for one in leaving} & watched(account.stacks.values())
