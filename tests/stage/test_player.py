"""What a file system that is played publishes."""

from datetime import timedelta
from pathlib import Path

import pytest

from localaws.clock import MINUTE, START
from localaws.sandbox import Sandbox
from stage.player import Player
from stage.scenario import read

LIFE = """
about = "A file system that works."
days = 1
[file_system]
size_gib = 100
performance_mode = "{mode}"
[[load]]
from = "00:00"
to = "01:00"
read_mib_per_second = 10
"""


@pytest.mark.parametrize(("mode", "published"), [("generalPurpose", 1), ("maxIO", 0)])
def test_how_near_the_limit_on_operations_is_only_general_purpose_tells(
    tmp_path: Path, mode: str, published: int
) -> None:
    with Sandbox(tmp_path, start=START - MINUTE) as sandbox:
        player = Player(sandbox, read("one", LIFE.format(mode=mode)))
        sandbox.clock.move_to(player.time_of(1) + timedelta(minutes=player.scenario.metrics_late_minutes))
        player.catch_up()
        names = [one.name for one in sandbox.metrics.visible_metrics(sandbox.clock.now())]
        found = {name: names.count(name) for name in ("PercentIOLimit", "PermittedThroughput")}
        assert found == {"PercentIOLimit": published, "PermittedThroughput": 1}
