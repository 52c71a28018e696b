"""What is wrong with a variable of make is said in make's words."""

import argparse

import pytest

from operate import benchmark
from operate.environment import Refused, add_stack_options, chosen_stack


def test_a_stack_that_is_not_named_is_asked_for() -> None:
    parser = argparse.ArgumentParser()
    add_stack_options(parser)
    with pytest.raises(Refused, match=r"add ENV=home for an environment .* or STACK=efs-monitor-home"):
        chosen_stack(parser.parse_args(["--environment", ""]))


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--accept-gib", "-1"], "ACCEPT_GIB is '-1': give a number of GiB above zero"),
        (["--accept-gib", "nan"], "ACCEPT_GIB is 'nan'"),
        (["--accept-gib", "much"], "ACCEPT_GIB is 'much'"),
        (["--size-mib", "abc"], "SIZE_MIB is 'abc': give a whole number of MiB"),
        (["--size-mib", "-5"], "SIZE_MIB is '-5'"),
    ],
)
def test_a_number_that_is_none_is_named_with_its_variable(
    option: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # A value that begins with a minus sign would be taken for an option.
    with pytest.raises(SystemExit):
        benchmark.main(["--stack", "efs-monitor-home", "=".join(option)])
    assert said in capsys.readouterr().err
