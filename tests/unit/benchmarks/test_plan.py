"""The plan that is sent: one line that no shell can mistake, and back."""

import re

import pytest
from efs_monitor.benchmarks.plan import LONGEST_PLAN_CHARACTERS, PLAN, decode, encode
from efs_monitor.benchmarks.profiles import PROFILES, workload, workloads_of
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.errors import SettingsRefused
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.benchmarks.plans import QUICK, plans


@given(plans)
def test_every_plan_is_read_back_as_it_was(plan: tuple[Workload, ...]) -> None:
    assert decode(encode(plan)) == plan


@given(plans)
def test_no_character_of_a_plan_means_anything_to_a_shell(plan: tuple[Workload, ...]) -> None:
    assert re.fullmatch("[a-z0-9=,;-]+", encode(plan))


@pytest.mark.parametrize(
    ("workload_id", "text"),
    [
        ("touch-serial", "id=touch-serial,on=efs,do=touch,threads=1,files=1024,directories=1"),
        (
            "dd-write-16m-each-local",
            "id=dd-write-16m-each-local,on=local,do=write,threads=1,block=16777216,sync=each,files=1,bytes=2147483648",
        ),
        ("dd-read-4", "id=dd-read-4,on=efs,do=read,threads=4,block=1048576,files=4,bytes=536870912"),
        ("copy-cp", "id=copy-cp,on=efs,do=copy,tool=cp,threads=1,files=5000,bytes=1048576"),
    ],
)
def test_a_workload_is_written_with_its_fields_in_order(workload_id: str, text: str) -> None:
    assert encode([workload(workload_id)]) == text


@pytest.mark.parametrize("profile", PROFILES)
def test_the_plan_of_every_profile_is_short_enough_to_send(profile: str) -> None:
    assert len(encode(workloads_of(profile, size_mib=20_480, local_baselines=True))) < LONGEST_PLAN_CHARACTERS / 2


def test_a_plan_that_is_too_long_is_refused() -> None:
    many = [workload("touch-serial")] * 300
    with pytest.raises(SettingsRefused, match=r"A plan of 2\d,\d{3} characters can not be sent"):
        encode(many)


def test_an_empty_plan_is_refused() -> None:
    with pytest.raises(SettingsRefused, match="A plan of 0 characters"):
        encode([])


TOUCH = "id=touch-serial,on=efs,do=touch,threads=1,files=1024,directories=1"
TOUCH_PARALLEL = TOUCH.replace("serial", "parallel")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "''"),
        (f"{TOUCH};", "id, on, do"),
        (f"{TOUCH};{TOUCH}", "touch-serial again"),
        (TOUCH.replace("do=touch", "do=fly"), "do=fly"),
        (TOUCH.replace("on=efs", "on=nfs"), "on=nfs"),
        (TOUCH.replace("threads=1", "threads=0"), "threads=0"),
        (TOUCH.replace("threads=1", "threads=-1"), "threads=-1"),
        (TOUCH.replace("files=1024", "files=01024"), "files=01024"),
        (TOUCH.replace("files=1024", "files=9999999999999999"), "files=9999999999999999"),
        (TOUCH.replace("id=touch-serial", "id=serial"), "id=serial"),
        (TOUCH.replace(",directories=1", ""), "directories"),
        (f"{TOUCH},directories=1", "directories"),
        (TOUCH.replace("threads=1,files=1024", "files=1024,threads=1"), "in this order"),
        (TOUCH + "$(reboot)", "$(reboot)"),
        (TOUCH.upper(), "ID=TOUCH"),
        (TOUCH + "\n", "must match"),
    ],
)
def test_what_is_no_plan_is_refused_with_what_is_wrong(text: str, named: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        decode(text)
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("$" * 150, f"A plan must match {PLAN.pattern}, unlike {'$' * 100!r}"),
        (
            ";".join([TOUCH, TOUCH_PARALLEL, TOUCH_PARALLEL, TOUCH]),
            "A plan has each workload once, but names touch-parallel, touch-serial again",
        ),
        ("id=touch-serial", "A workload of a plan has the fields id, on, do in this order, unlike 'id=touch-serial'"),
        (
            "id=touch-serial,on=efs,do=touch",
            (
                "A workload of a plan has the fields id, on, do, threads, files, directories in this order, unlike "
                "'id=touch-serial,on=efs,do=touch'"
            ),
        ),
        (
            TOUCH.replace("threads=1", "threads=0"),
            (
                "threads=0 means nothing in a plan; it stands in "
                "'id=touch-serial,on=efs,do=touch,threads=0,files=1024,directories=1'"
            ),
        ),
    ],
    ids=["characters", "twice", "fields", "fields of a touch", "value"],
)
def test_a_refused_plan_is_told_in_one_whole_sentence(text: str, sentence: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        decode(text)
    assert str(refused.value) == sentence


@given(st.text(alphabet="abdefiklnorstuy0123456789=,;-", max_size=200))
def test_any_text_is_either_a_plan_or_refused(text: str) -> None:
    try:
        plan = decode(text)
    except SettingsRefused:
        return
    assert encode(plan) == text


@given(st.data())
def test_a_plan_with_one_character_changed_is_another_plan_or_refused(data: st.DataObject) -> None:
    text = encode(QUICK)
    place = data.draw(st.integers(0, len(text) - 1))
    changed = text[:place] + data.draw(st.sampled_from("a0=,;- $\n")) + text[place + 1 :]
    try:
        plan = decode(changed)
    except SettingsRefused:
        return
    assert encode(plan) == changed
