"""What `make demo` does: builds the stack, deploys it to a local AWS, lives through a scenario, and shows all of it."""

import os
import sys
import time
from functools import partial

from operate.benchmark.results_table import table
from operate.history.recorded import HistoryRefused
from operate.report.page import page
from operate.terminal import print_in_any_encoding, show_command, wrapped
from stage.differences import differences
from stage.out_folder import OUT as ALL_OUT
from stage.out_folder import OutFolderError, emptied
from stage.reported import contents_of_played
from stage.runs import DESCRIBE_ALARMS, Played, played
from stage.sam_deployment import PROJECT, CommandFailed, Deployer
from stage.scenario import Scenario
from stage.scenario_instances.reports import reports
from stage.scenario_tables import MINUTES_PER_DAY, ScenarioError, at
from stage.simulated_days import counted
from stage.timeline import timeline

OUT = ALL_OUT / "demo"
HANGING = " " * len("1d 00:00 ")


def main(arguments: list[str]) -> int:
    """Play the named scenario, nightly-batch if none is named; 0 when it went as its file says it must."""
    print_in_any_encoding()
    try:
        named = arguments[0] if arguments else "nightly-batch"
        scenario = Scenario.named(named)
        with emptied(OUT, "every demo writes there, one at a time"):
            return _play(scenario, named if named.endswith(".toml") else f"scenarios/{named}.toml")
    except (ScenarioError, OutFolderError) as error:
        print(wrapped(str(error)), file=sys.stderr)
        return 2


def _play(scenario: Scenario, file: str) -> int:
    print(f"{wrapped(f'{scenario.name}: {" ".join(scenario.about.split())}')}\n")
    for sentence in scenario.never_played:
        print(f"{wrapped(f'{sentence}.')}\n", file=sys.stderr)
    try:
        Deployer("", OUT, show_command).build()
    except CommandFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    begun = time.perf_counter()
    with played(scenario, OUT, show=show_command, minutes=partial(counted, total=scenario.minutes)) as result:
        print(f"\n{wrapped(_how_long(result, time.perf_counter() - begun))}\n")
        _show_alarms(result)
        _show_timeline(result)
        _show_mails(result)
        _show_benchmarks(result)
        status = _verdict(result, scenario, file)
        if _is_whole(result):
            _write_report(result)
        return status


def _is_whole(result: Played) -> bool:
    """Whether it was lived through to its end."""
    return len(result.player.lived) == result.player.scenario.minutes


def _how_long(result: Played, seconds: float) -> str:
    """How much was lived through, and how long that took."""
    lived = len(result.player.lived)
    if not _is_whole(result):
        return f"Ended at {at(lived)}, after {seconds:.0f} s: no deployment made a stack, and none is left."
    days = f"{lived / MINUTES_PER_DAY:.3g}"
    return f"{days} {'day' if days == '1' else 'days'} in {seconds:.0f} s, deployment included."


def _show_alarms(result: Played) -> None:
    """The alarms as the AWS command line shows them, to be repeated by hand against `make sandbox`."""
    show_command(DESCRIBE_ALARMS)
    print(result.deployer.output([*DESCRIBE_ALARMS]))


def _show_timeline(result: Played) -> None:
    lines = list(timeline(result.player.lived, result.observed))
    (OUT / "timeline.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def _show_mails(result: Played) -> None:
    mails = result.sandbox.mailbox.mails
    print(f"\n{wrapped(f'{len(mails)} mails in {os.path.relpath(result.sandbox.mailbox.folder, PROJECT)}/')}")
    for line, mail in zip(result.observed.mails, mails, strict=True):
        print(f"{wrapped(line, then=HANGING)}\n{HANGING}{mail.path.name}")


def _show_benchmarks(result: Played) -> None:
    """What the instances measured last, which is this machine: its own dd and touch, on a mount of the sandbox's."""
    machines, agents = result.player.machines, result.sandbox.agents
    measured = [command for command in agents.commands if command.invocations and "Plan" in command.parameters]
    if not measured:
        return
    command = measured[-1]
    print()
    print(wrapped(f"{len(measured)} benchmarks ran on this machine. The last, {command.parameters['RunId']}:"))
    for line in table(reports(command)):
        print(line)
    if machines.why_plain is None:
        place = (
            "on a mount of the sandbox: as fast as this machine, and metered no faster than PermittedThroughput, where "
            "reads count a third"
        )
    else:
        place = f"in a plain directory, as fast as this machine: {machines.why_plain}"
    print(wrapped(f"It ran {place}."))


def _verdict(result: Played, scenario: Scenario, file: str) -> int:
    expected = scenario.expected
    failed = _otherwise_deployed(result)
    # What follows is another stream: in a file of both it must come last, too.
    sys.stdout.flush()
    for line in failed:
        print(f"\n{wrapped(line)}", file=sys.stderr)
    if not any((expected.alarms, expected.transitions, expected.mails)):
        print("\nThe scenario states nothing that must be seen.")
        return 1 if failed else 0
    if wrong := differences(expected, result.observed):
        print(f"\n{wrapped(f'Not as {file} states:')}", file=sys.stderr)
        for line in wrong:
            print(wrapped(line, first="  ", then="      "), file=sys.stderr)
    if failed or wrong:
        return 1
    benchmarks = " and benchmarks" if expected.benchmarks else ""
    print(f"\n{wrapped(f'All as {file} states: alarms, transitions, mails{benchmarks}.')}")
    return 0


def _otherwise_deployed(result: Played) -> list[str]:
    """The deployments that failed, or did not, though the scenario says otherwise; a sentence each."""
    log = os.path.relpath(result.deployer.log, PROJECT)
    failed = {one.deployment.minute: one.reason for one in result.failures}
    sentences = []
    for one in result.player.scenario.deployments:
        if one.minute in failed and not one.breaks:
            reason = " ".join(failed[one.minute].split()).rstrip(".")
            sentences.append(f"The deployment at {at(one.minute)} failed: {reason}. What sam printed is in {log}.")
        if one.breaks and one.minute not in failed:
            sentences.append(f"The deployment at {at(one.minute)} was to break, and did not.")
    return sentences


def _write_report(result: Played) -> None:
    """All of it as one page; where it lies is the last line, to be clicked or copied."""
    try:
        (OUT / "report.html").write_text(page(contents_of_played(result)), encoding="utf-8")
    except HistoryRefused as refused:
        print(f"\n{wrapped(f'There is no report: {refused}.')}")
        return
    print(f"\nThe same as a page for a browser:\n{os.path.relpath(OUT / 'report.html', PROJECT)}")
