"""What a wrong parameter gets: a refusal that names it, and no harm even where SSM's patterns let it through."""

import itertools
from pathlib import Path

import pytest

from tests.benchmark_script.instance import TOUCH, WRITE, BenchmarkInstance

HARMFUL = [
    "{efs} {marker}",
    "{efs}'\"",
    "{efs}$(touch {marker})",
    "{efs}`touch {marker}`",
    "{efs};touch {marker}",
    "{efs}\ntouch {marker}",
    "{efs}\n",
    "{efs}/../../{marker}",
    "{efs}/.",
    "{efs}/",
    "{efs}//x",
    "{efs}/*",
    "{efs}/${IFS}x",
    "efs",
    "-rf",
    "/",
    "{efs}\u00e9",
]


@pytest.mark.parametrize(("name", "path"), [("MountPath", ""), *itertools.product(("MountPath", "LocalPath"), HARMFUL)])
def test_a_path_that_is_no_plain_path_is_refused_and_does_nothing(
    instance: BenchmarkInstance, folder: Path, name: str, path: str
) -> None:
    marker = folder / "marker"
    given = path.replace("{efs}", str(instance.mount)).replace("{marker}", str(marker))
    before = sorted(folder.rglob("*"))
    assert f"{name} must be" in instance.run(**{name: given}).refusal
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RunId", "short"),
        ("RunId", "run-20261120t140000z-$(id)"),
        ("RunId", "../../../../etc"),
        ("RunId", "run-0123456\n-89"),
        ("FileSystemId", "fs-0123"),
        ("FileSystemId", "fs-0123456789abcdef0/../x"),
        ("FileSystemId", "FS-0123456789abcdef0"),
        ("DeadlineSeconds", "0"),
        ("DeadlineSeconds", "60; reboot"),
        ("DeadlineSeconds", "x[$(id)]"),
        ("Instances", "0"),
        ("Instances", "1000"),
        ("Instances", "a[0$(id)]"),
    ],
)
def test_every_other_parameter_is_checked_too(instance: BenchmarkInstance, name: str, value: str) -> None:
    assert instance.run(**{name: value}).refusal.startswith(f"{name} must be")
    assert instance.leftovers() == []


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        ("id=x", "do= is none of touch, write, read, copy"),
        ("id=x,on=efs,do=format", "do=format is none of touch, write, read, copy"),
        (f"{WRITE};", "Plan has an empty workload"),
        (f"{WRITE};;{TOUCH}", "Plan has an empty workload"),
        (f"{WRITE},", "an empty field"),
        (f"{WRITE};{WRITE}", "write is there twice"),
        (WRITE.replace("block=1048576,", ""), "block is missing"),
        (WRITE.replace("sync=end", "sync=never"), "sync=never is not end or each"),
        (WRITE.replace("on=efs", "on=root"), "on=root is not efs or local"),
        (WRITE.replace("threads=1", "threads=0"), "threads must be 1 to 256"),
        (WRITE.replace("threads=1", "threads=100000"), "threads must be 1 to 256"),
        (WRITE.replace("files=1", "files=01"), "files must be 1 to 100000"),
        (WRITE.replace("bytes=2097152", "bytes=99999999999999999999"), "bytes must be 1 to 1 TiB"),
        (f"{WRITE},extra=1", "write has no extra"),
        (f"{WRITE},files=2", "files is there twice"),
        (f"{WRITE},alone", "alone is not key=value"),
        (TOUCH.replace("directories=1", "directories=3"), "8 files do not go evenly into 3 directories"),
        ("id=c,on=efs,do=copy,tool=scp,threads=1,files=1,bytes=1", "tool=scp is none of cp rsync fpsync"),
        ("id=c,on=local,do=copy,tool=cp,threads=1,files=1,bytes=1", "on=local is not efs"),
        (";".join(TOUCH.replace("id=touch", f"id=touch-{place}") for place in range(91)), "Plan has 91 workloads"),
        (f"{WRITE};id=$(touch /tmp/x),on=efs", "Plan must be workloads of a-z"),
        (f"{WRITE}\n", "Plan must be workloads of a-z"),
        ("", "Plan must be workloads of a-z"),
        ("a" * 8_001, "Plan has 8001 characters"),
    ],
)
def test_a_malformed_plan_is_refused_by_name_before_anything_is_touched(
    instance: BenchmarkInstance, plan: str, complaint: str
) -> None:
    assert complaint in instance.run(Plan=plan).refusal
    assert instance.leftovers() == []


def test_an_agent_that_passes_no_variables_is_asked_to_be_updated(instance: BenchmarkInstance) -> None:
    names = dict.fromkeys(instance.parameters)
    assert instance.run(**names).refusal == (
        "the SSM agent passed no parameters (SSM_RunId is not set): update it to 3.3.2746.0 or later"
    )


def test_what_the_host_has_in_its_environment_changes_nothing(instance: BenchmarkInstance, folder: Path) -> None:
    trap = folder / "trap.sh"
    trap.write_text(f"touch {folder}/trapped\n")
    host = instance.host.environment()
    object.__setattr__(instance.host, "variables", {"CDPATH": "/", "ENV": str(trap), "LC_ALL": "de_DE.UTF-8", **host})
    assert instance.run().status == 0
    assert not (folder / "trapped").exists()


@pytest.mark.whole
@pytest.mark.parametrize("name", ["LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_NUMERIC"])
def test_tools_speak_english_whichever_variable_they_take_their_language_from(
    instance: BenchmarkInstance, name: str
) -> None:
    """GNU takes it from LC_ALL first; uutils, which Ubuntu has since 25.10, from LANG whatever LC_ALL says."""
    object.__setattr__(instance.host, "variables", {name: "fr_FR.UTF-8"})
    french = "s/bytes/octets/; s/copied/copiés/; s/No such file or directory/Aucun fichier ou dossier de ce nom/"
    for tool in ("dd", "stat", "mkdir", "rm"):
        instance.command(
            tool,
            f'#!/bin/bash\nif [[ ${{{name}-}} != fr* ]]; then exec /usr/bin/{tool} "$@"; fi\n'
            f'/usr/bin/{tool} "$@" 2> >(sed "{french}" >&2)\n',
        )
    ended = instance.run()
    assert [(one["status"], one.get("reason")) for one in ended.workloads] == [("ok", None)]
    assert (ended.status, ended.left) == (0, "")
