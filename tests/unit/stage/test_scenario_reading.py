"""A scenario of one's own that is written wrongly is refused with the key and the value."""

import pytest

from stage.scenario import read
from stage.scenario_tables import ScenarioError

HEAD = 'about = "x"\n'
DAYS = "days = 1\n"
SYSTEM = "[file_system]\nsize_gib = 1\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + DAYS + SYSTEM + '[load]\nfrom = "00:00"\n', r"load must be headed \[\[load\]\], once for each"),
        (
            HEAD + DAYS + SYSTEM + "[[load]]\nfrom = '00:00'\nto = '01:00'\nwrite_mib_per_second = -1\n",
            "write_mib_per_.*-1",
        ),
        (HEAD + 'days = "three"\n' + SYSTEM, "days is 'three': give a number"),
        (HEAD + "days = -2\n" + SYSTEM, "days is -2: give a number that is not below zero"),
        (HEAD + "days = nan\n" + SYSTEM, "days is nan"),
        (HEAD + SYSTEM, "'days' is missing"),
        (HEAD + DAYS + '[file_system]\nsize_gib = "big"\n', "size_gib is 'big': give a number"),
        (HEAD + DAYS + SYSTEM + 'balance_percent = "full"\n', "balance_percent is 'full': give a number"),
        (HEAD + DAYS + SYSTEM + "infrequent_access_gib = -1\n", "infrequent_access_gib is -1: give a number"),
        (HEAD + DAYS + SYSTEM + '[[change]]\nat = "01:00"\nsize_gib = true\n', "size_gib is True: give a number"),
    ],
)
def test_what_is_written_wrongly_is_named_with_its_value(text: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read("own", text)
