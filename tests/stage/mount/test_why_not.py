"""Where nothing can be mounted, people are told why, and what needs a mount is left out."""

import os

import pytest

from stage.measuring.benchmarks import benchmarks
from stage.mount import kernel
from stage.mount.mounted import ModelledMount


def test_who_is_not_root_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert ModelledMount.why_not() == "mounting needs root"


def test_a_machine_without_fuse_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(kernel, "FUSE_DEVICE", "/dev/no-fuse")
    assert ModelledMount.why_not() == "there is no /dev/no-fuse to be opened"


def test_make_bench_says_what_it_leaves_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert list(benchmarks()) == []
    assert capsys.readouterr().out == "skipped: all that is measured on a mount, since mounting needs root\n"
