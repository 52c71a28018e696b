"""When the model answers: pure, with seconds that nobody waits for."""

import pytest

from stage.mount.model import Efs, Kind, OperationCost, Stream
from stage.mount.profile import MIB, EfsProfile, ProfileError


def written(efs: Efs, stream: Stream, mebibytes: int, now: float = 0.0) -> float:
    """When the last of so many writes of 1 MiB is answered, each asked for when the one before was answered."""
    for _ in range(mebibytes):
        now = efs.due(now, OperationCost(Kind.WRITE, stream, MIB))
    return now


def test_a_creation_takes_its_latency() -> None:
    assert Efs(EfsProfile(create_seconds=0.02)).due(100.0, OperationCost(Kind.CREATE)) == pytest.approx(100.02)


def test_a_creation_that_began_with_its_look_up_takes_no_longer_for_it() -> None:
    efs = Efs(EfsProfile(create_seconds=0.02))
    assert efs.due(100.003, OperationCost(Kind.CREATE, began_at=100.0)) == pytest.approx(100.02)


def test_operations_of_different_kinds_do_not_wait_for_one_another() -> None:
    efs = Efs(EfsProfile(create_seconds=0.02, setattr_seconds=0.01))
    efs.due(0.0, OperationCost(Kind.CREATE))
    assert efs.due(0.0, OperationCost(Kind.SETATTR)) == pytest.approx(0.01)


def test_all_clients_together_have_so_many_metadata_operations_a_second() -> None:
    efs = Efs(EfsProfile(metadata_operations_per_second=100))
    dues = [efs.due(0.0, OperationCost(Kind.CREATE)) for _ in range(101)]
    assert dues[-1] == pytest.approx(1.0)


def test_an_open_file_has_its_bandwidth_from_the_first_mebibyte_on() -> None:
    efs, stream = Efs(EfsProfile(stream_bytes_per_second=100 * MIB)), Stream()
    assert written(efs, stream, 1) == pytest.approx(0.01)
    assert written(efs, stream, 99, now=0.01) == pytest.approx(1.0)


def test_time_that_a_client_needs_for_itself_between_two_writes_is_no_time_of_the_wire() -> None:
    efs, stream, now = Efs(EfsProfile(stream_bytes_per_second=100 * MIB)), Stream(), 0.0
    for _ in range(100):
        now = efs.due(now + 0.003, OperationCost(Kind.WRITE, stream, MIB))
    # The first request comes when it comes; 99 × 3 ms are gone, and no more.
    assert now == pytest.approx(1.003)


def test_a_pause_of_the_client_is_not_made_good_by_a_burst() -> None:
    efs, stream = Efs(EfsProfile(stream_bytes_per_second=100 * MIB)), Stream()
    first = written(efs, stream, 1)
    # Up to 0.1 s before a request may have been the client's own time, a minute may not.
    assert written(efs, stream, 100, now=first + 60) == pytest.approx(first + 60 + 0.9)


def test_clients_together_get_the_shared_bandwidth_and_equal_parts_of_it() -> None:
    efs = Efs(EfsProfile(shared_bytes_per_second=100 * MIB))
    streams = [Stream() for _ in range(4)]
    nows = [0.0] * 4
    for _ in range(25):
        nows = [efs.due(now, OperationCost(Kind.WRITE, stream, MIB)) for now, stream in zip(nows, streams, strict=True)]
    assert nows == pytest.approx([0.97, 0.98, 0.99, 1.0])


def test_a_read_takes_a_third_of_its_bytes_from_the_shared_bandwidth() -> None:
    efs = Efs(EfsProfile(shared_bytes_per_second=100 * MIB))
    dues = [efs.due(0.0, OperationCost(Kind.READ, Stream(), MIB)) for _ in range(300)]
    assert dues[-1] == pytest.approx(1.0)


def test_a_read_waits_for_its_latency_and_its_bytes() -> None:
    efs = Efs(EfsProfile(read_seconds=0.005, stream_bytes_per_second=100 * MIB))
    assert efs.due(0.0, OperationCost(Kind.READ, Stream(), MIB)) == pytest.approx(0.015)


def test_a_commit_is_paid_for_by_who_commits_and_not_by_each_write() -> None:
    efs, stream = Efs(EfsProfile(commit_seconds=0.03)), Stream()
    now = written(efs, stream, 10)
    assert now == 0.0
    assert efs.due(now, OperationCost(Kind.COMMIT, stream)) == pytest.approx(0.03)


def test_a_file_with_nothing_uncommitted_is_committed_and_closed_at_once() -> None:
    efs, stream = Efs(EfsProfile(commit_seconds=0.03, close_seconds=0.02)), Stream()
    now = efs.due(written(efs, stream, 1), OperationCost(Kind.COMMIT, stream))
    assert efs.due(now, OperationCost(Kind.COMMIT, stream)) == now
    assert efs.due(now, OperationCost(Kind.CLOSE, stream)) == now


def test_closing_a_file_that_is_not_committed_commits_it() -> None:
    efs, stream = Efs(EfsProfile(commit_seconds=0.03, close_seconds=0.02)), Stream()
    assert efs.due(written(efs, stream, 1), OperationCost(Kind.CLOSE, stream)) == pytest.approx(0.05)


def test_a_commit_takes_longer_the_more_is_uncommitted_up_to_its_window() -> None:
    profile = EfsProfile(commit_bytes_per_second=100 * MIB, commit_window_bytes=16 * MIB)

    def commit_seconds(mebibytes: int) -> float:
        efs, stream = Efs(profile), Stream()
        return efs.due(written(efs, stream, mebibytes), OperationCost(Kind.COMMIT, stream))

    assert [commit_seconds(each) for each in (1, 16, 1000)] == pytest.approx([0.01, 0.16, 0.16])


def test_a_stream_slows_down_beyond_what_it_may_have_uncommitted() -> None:
    profile = EfsProfile(
        stream_bytes_per_second=100 * MIB, write_behind_bytes=50 * MIB, sustained_bytes_per_second=10 * MIB
    )
    assert written(Efs(profile), Stream(), 60) == pytest.approx(1.5)


def test_writes_count_in_full_reads_a_third_and_metadata_four_kibibytes() -> None:
    efs, stream = Efs(EfsProfile()), Stream()
    efs.due(0.0, OperationCost(Kind.WRITE, stream, MIB))
    efs.due(0.0, OperationCost(Kind.READ, stream, 3 * MIB))
    efs.due(0.0, OperationCost(Kind.REMOVE))
    efs.due(0.0, OperationCost(Kind.CACHED))
    assert efs.metered.metered_bytes == 2 * MIB + 4096


def test_a_byte_counts_as_much_as_the_smallest_operation() -> None:
    efs = Efs(EfsProfile())
    efs.due(0.0, OperationCost(Kind.WRITE, Stream(), 1))
    assert efs.metered.written_bytes == 32_768


def test_what_is_permitted_holds_from_the_moment_it_is_set() -> None:
    efs, stream = Efs(EfsProfile()), Stream()
    now = written(efs, stream, 100)
    efs.permitted_bytes_per_second = 10 * MIB
    assert written(efs, stream, 10, now=now) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "value"), [("create_seconds", -1), ("shared_bytes_per_second", 0), ("read_seconds", float("nan"))]
)
def test_a_profile_that_cannot_be_is_refused_by_the_name_of_its_field(name: str, value: float) -> None:
    with pytest.raises(ProfileError, match=name):
        EfsProfile(**{name: value})  # type: ignore[arg-type] # fields by name


def test_a_profile_survives_its_way_to_the_process_that_serves_it() -> None:
    profile = EfsProfile(create_seconds=0.0123, shared_bytes_per_second=100 * MIB)
    assert EfsProfile.from_json(profile.as_json()) == profile


def test_a_profile_with_an_unknown_field_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ProfileError, match="known are create_seconds"):
        EfsProfile.from_json('{"latency": 1}')
