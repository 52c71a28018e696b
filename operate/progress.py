"""A progress bar where somebody looks on; elsewhere it would only fill a log."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


class Told(Protocol):
    """Takes how much is done of how much, and the words beside the bar where they change."""

    def __call__(self, done: float, total: float, words: str | None = None) -> None:
        """Draw it."""


@contextmanager
def progress_bar(words: str) -> Iterator[Told]:
    """A bar on a terminal, nothing elsewhere; on standard error, so that what is piped is the answer alone."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn()
    # What is printed meanwhile goes where it should, and not above the bar.
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:
        task = bar.add_task(words, total=None)

        def told(done: float, total: float, words: str | None = None) -> None:
            bar.update(task, completed=done, total=total, description=words)

        yield told
