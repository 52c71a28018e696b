"""The real `sam build` and `sam deploy` against a sandbox, with every command shown so that a person can repeat it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import yaml

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET, REGION
from operate.smoke.template_trials import that_breaks
from operate.template_files import as_written, with_included_files
from operate.terminal import command_line

PROJECT = Path(__file__).parent.parent
BUILD = PROJECT / ".aws-sam" / "build"
TIMEOUT_SECONDS = 300


def sam_deploy(stack_name: str, parameters: Mapping[str, str], *options: str) -> list[str]:
    """The words that deploy a stack to the sandbox, however often: its code in a folder of its own, which the deletion
    of another stack leaves alone.
    """
    return [
        *("sam", "deploy", "--stack-name", stack_name, "--region", REGION, *options),
        *("--resolve-s3", "--s3-prefix", stack_name, "--capabilities", "CAPABILITY_IAM"),
        *("--no-confirm-changeset", "--no-fail-on-empty-changeset"),
        *(["--parameter-overrides"] if parameters else []),
        *(_override(name, value) for name, value in parameters.items()),
    ]


def copied_build(folder: Path) -> Path:
    """A copy of what was built; its template, with what it includes: those files are named relative to the build."""
    shutil.copytree(BUILD, folder, dirs_exist_ok=True)
    template = folder / "template.yaml"
    template.write_text(yaml.safe_dump(with_included_files(BUILD / "template.yaml"), sort_keys=False), encoding="utf-8")
    return template


def _override(name: str, value: str) -> str:
    """A parameter as `sam` reads it: an empty value, or one with a space, in quotes of its own beside the shell's."""
    return f'{name}="{value}"' if not value or " " in value else f"{name}={value}"


class CommandFailed(RuntimeError):
    """A command ended with an error; the text says which one, and what it `printed`."""

    def __init__(self, said: str, printed: str = "") -> None:
        super().__init__(said)
        self.printed = printed


class Deployer:
    """Builds once and deploys as often as asked; `show` is given the words of each command before it runs."""

    def __init__(self, endpoint_url: str, work_dir: Path, show: Callable[[Sequence[str]], object]) -> None:
        self.endpoint_url = endpoint_url
        self._work_dir = work_dir
        self._show = show
        self.log = work_dir / "sam.log"
        self.log.parent.mkdir(parents=True, exist_ok=True)

    def build(self) -> None:
        """`sam build` of the project."""
        self._run(["sam", "build"], cwd=PROJECT)

    def deploy(self, stack_name: str, parameters: Mapping[str, str], template: Path | None = None) -> None:
        """`sam deploy` of what was built; CommandFailed says why CloudFormation refused it."""
        options = ("--template-file", str(template)) if template else ()
        self._run(sam_deploy(stack_name, parameters, *options), cwd=PROJECT)

    def delete(self, stack_name: str) -> None:
        """`sam delete`, with what was uploaded for the stack."""
        self._run(["sam", "delete", "--stack-name", stack_name, "--region", REGION, "--no-prompts"], cwd=PROJECT)

    def changed_build(self, name: str, *, new_code: bool = False, breaks: bool = False) -> Path:
        """A copy of the build with changed code, or with a resource that fails after the alarms; its template."""
        template = copied_build(self._work_dir / name)
        if new_code:
            for code in template.parent.glob("*/app.py"):
                code.write_text(code.read_text(encoding="utf-8") + f"\n# {name}\n", encoding="utf-8")
        if breaks:
            alarms = ["WarningAlarm", "CriticalAlarm", "ExhaustedAlarm", "DrainingAlarm", "RiseAlarm"]
            document = that_breaks(as_written(template), after=alarms)
            template.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
        return template

    def environment(self) -> dict[str, str]:
        """What a shell needs for `sam` and `aws` to reach the sandbox."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint_url,
            "AWS_ACCESS_KEY_ID": OPERATOR_KEY_ID,
            "AWS_SECRET_ACCESS_KEY": OPERATOR_SECRET,
            "AWS_DEFAULT_REGION": REGION,
        }

    def output(self, command: list[str]) -> str:
        """What a command line prints when it talks to the sandbox."""
        return self._execute(command, PROJECT)

    def _run(self, command: list[str], cwd: Path) -> None:
        self._show(command)
        printed = ""
        try:
            printed = self._execute(command, cwd)
        except CommandFailed as failure:
            printed = failure.printed
            raise
        finally:
            with self.log.open("a", encoding="utf-8") as log:
                log.write(f"{command_line(command, prompt='$ ')}\n{printed}\n")

    def _execute(self, command: list[str], cwd: Path) -> str:
        environment = {
            **os.environ,
            **self.environment(),
            "SAM_CLI_TELEMETRY": "0",
            # Seconds between two looks at a stack: five unless told, and here nothing takes that long.
            "SAM_CLI_POLL_DELAY": "0.2",
            "PATH": f"{PROJECT / '.venv' / 'bin'}:{PROJECT / '.venv-sam' / 'bin'}:{os.environ['PATH']}",
        }
        # The project's own import path must not reach into the environment of the SAM command line.
        environment.pop("PYTHONPATH", None)
        # `sam` leaves an empty folder behind for each zip that it made.
        with tempfile.TemporaryDirectory(prefix="efs-monitor-sam-") as own:
            done = subprocess.run(
                command,
                cwd=cwd,
                env={**environment, "TMPDIR": own},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        if done.returncode != 0:
            raise CommandFailed(f"{command_line(command)}\nfailed:\n{done.stdout}", done.stdout)
        return done.stdout
