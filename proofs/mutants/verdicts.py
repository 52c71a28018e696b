"""Each mutant in a forked process of its own, against the tests that can notice it."""

import gc
import importlib
import importlib.machinery
import os
import pickle
import resource
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, BinaryIO

import pytest
from hypothesis import Phase, settings

from proofs.mutants.imports import Imports
from proofs.mutants.mutation_operators import Mutant
from proofs.mutants.reach import Function, Reach, calls_of, timed

# What is imported before pytest begins saves its time in every fork.
PYTEST = (
    *("-q", "-s", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
    # Also what `make test WHOLE=1` alone runs.
    *("-m", "not speed and not long and not days and not typed and not more"),
)
# A mutant that never ends: processor seconds beyond what its test takes, and seconds asleep.
PATIENCE_SECONDS = 5
PATIENCE_FACTOR = 20
ASLEEP_SECONDS = 3600
IMPORT_SECONDS = 2
MEMORY_BYTES = 4 << 30
OURS = frozenset({"efs_monitor", "simulation", "localaws", "stage", "operate", "tests", "tools", "proofs", "conftest"})


class MutantVerdict(StrEnum):
    """What came of a mutant."""

    KILLED = "killed"
    ENDLESS = "endless"
    SURVIVED = "survived"
    UNREACHED = "unreached"


type Told = Callable[[Mutant, MutantVerdict], None]


def tried(mutants: Sequence[Mutant], tests: Sequence[str], told: Told, at_once: int) -> None:
    """Try every mutant against these files or folders of tests, so many at once, and tell each verdict as it comes."""
    reach, modules = _surveyed(mutants, tests, told, at_once)
    with warnings.catch_warnings():
        # A plugin warns of being imported early, which is what saves its time in every fork.
        warnings.simplefilter("ignore")
        for module in modules:
            with suppress(Exception):
                importlib.import_module(module)
    imports = Imports()
    rest = [index for index, mutant in enumerate(mutants) if _needs_import(mutant, reach)]
    _forked(rest, lambda index: _imported(mutants[index], reach, imports), at_once, lambda i, v: told(mutants[i], v))


def _surveyed(mutants: Sequence[Mutant], tests: Sequence[str], told: Told, at_once: int) -> tuple[Reach, Sequence[str]]:
    """Try what needs no import of its own in a process that has imported everything; and which modules that are."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as printed:
        surveyor = os.fork()
        if surveyor == 0:
            os.close(reading)
            _prints_to(printed.fileno())
            with os.fdopen(writing, "wb") as answers:
                pytest.main([*PYTEST, *tests], plugins=[Survey(mutants, answers, at_once)])
            os._exit(0)
        os.close(writing)
        found: tuple[Reach, Sequence[str]] | None = None
        with os.fdopen(reading, "rb") as answers, suppress(EOFError):
            while True:
                answer = pickle.load(answers)  # noqa: S301 - of our own process
                if isinstance(answer[0], int):
                    told(mutants[answer[0]], answer[1])
                else:
                    found = answer
        os.waitpid(surveyor, 0)
        if found is None:
            printed.seek(0)
            raise SystemExit(f"The tests do not pass without any mutant:\n{printed.read().decode()}")
        return found


def _needs_import(mutant: Mutant, reach: Reach) -> bool:
    """What ran while the tests were imported may be in their values: that needs an import of its own."""
    return mutant.at_import or _function(mutant) in reach.at_import


def _function(mutant: Mutant) -> Function:
    return str(Path(mutant.path).resolve()), mutant.place


def _forked(
    indices: Iterable[int],
    trial: Callable[[int], MutantVerdict],
    at_once: int,
    told: Callable[[int, MutantVerdict], None],
) -> None:
    running: dict[int, int] = {}

    def finished() -> None:
        pid, status = os.wait()
        if os.WIFSIGNALED(status):
            told(running.pop(pid), MutantVerdict.ENDLESS)
        else:
            told(running.pop(pid), tuple(MutantVerdict)[os.WEXITSTATUS(status)])

    gc.freeze()
    for index in indices:
        if len(running) == at_once:
            finished()
        pid = os.fork()
        if pid == 0:
            gc.disable()
            _prints_to(os.open(os.devnull, os.O_WRONLY))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            signal.alarm(ASLEEP_SECONDS)
            try:
                verdict = trial(index)
            except BaseException:
                verdict = MutantVerdict.KILLED
            os._exit(tuple(MutantVerdict).index(verdict))
        running[pid] = index
    while running:
        finished()


def _prints_to(file: int) -> None:
    for descriptor in (1, 2):
        os.dup2(file, descriptor)


def _patience(seconds: float) -> None:
    """End this process once it has computed for much longer than it should."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE_SECONDS + PATIENCE_FACTOR * seconds)


class Alike:
    """Every run of the tests gets the same examples, and spends none on making a failure small."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """After the project's own profile."""
        settings.register_profile(
            "mutants",
            settings.get_profile("patient"),
            database=None,
            derandomize=True,
            phases=(Phase.explicit, Phase.generate),
        )
        settings.load_profile("mutants")


class Survey(Alike):
    """Runs every test once to see what it calls, then every mutant of a function against those that call it."""

    def __init__(self, mutants: Sequence[Mutant], answers: BinaryIO, at_once: int) -> None:
        self.mutants, self.answers, self.at_once = mutants, answers, at_once
        self.paths = frozenset(str(Path(mutant.path).resolve()) for mutant in mutants)
        self.reach = Reach()
        self.importing = ExitStack()
        self.reach.at_import = self.importing.enter_context(calls_of(self.paths))
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Heed every phase of a test."""
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> object:
        """In place of pytest's own loop."""
        self.importing.close()
        if session.testsfailed:
            return None
        # What the project's own tests froze, so that nobody looks through it for garbage, is not listed either.
        gc.unfreeze()
        caches = _caches()
        for item in session.items:
            # A function that has remembered its answer would be called by the first of its tests alone.
            for cache in caches:
                cache.cache_clear()
            with calls_of(self.paths) as called, timed(self.reach, item.nodeid):
                _run([item], lambda: self.failed)
            self.reach.called[item.nodeid] = called
        if self.failed:
            return True
        functions, caches = _live_functions(self.paths), _caches()
        items = {item.nodeid: item for item in session.items}
        mine = [index for index, mutant in enumerate(self.mutants) if not _needs_import(mutant, self.reach)]
        called = {_function(self.mutants[index]) for index in mine} & {
            one for of in self.reach.called.values() for one in of
        }
        if unfound := called - functions.keys():
            # To exchange nothing would be to try nothing, and to call that noticed.
            raise LookupError(f"tests call what is not found in memory: {sorted(unfound)}")

        def trial(index: int) -> MutantVerdict:
            for cache in caches:
                cache.cache_clear()
            return self._verdict(self.mutants[index], functions, items)

        _forked(mine, trial, self.at_once, self._answer)
        modules = [name for name in sys.modules if name.partition(".")[0] not in OURS]
        pickle.dump((self.reach, modules), self.answers)
        self.answers.flush()
        return True

    def _answer(self, index: int, verdict: MutantVerdict) -> None:
        pickle.dump((index, verdict), self.answers)
        self.answers.flush()

    def _verdict(
        self, mutant: Mutant, functions: dict[Function, list[FunctionType]], items: dict[str, pytest.Item]
    ) -> MutantVerdict:
        function = _function(mutant)
        tests = self.reach.tests_of(function)
        if not tests:
            return MutantVerdict.UNREACHED
        code = _code_of(compile(mutant.module, function[0], "exec"), mutant.place)
        for live in functions[function]:
            live.__code__ = code
        _run([items[test] for test in tests], lambda: self.failed, self.reach)
        return MutantVerdict.KILLED if self.failed else MutantVerdict.SURVIVED


def _run(items: Sequence[pytest.Item], failed: Callable[[], bool], reach: Reach | None = None) -> None:
    """Run tests as pytest does, up to the first that fails."""
    for item, following in pairwise((*items, None)):
        assert item is not None  # noqa: S101 - only the last has none after it
        if reach is not None:
            _patience(reach.seconds[item.nodeid])
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failed():
            return


def _live_functions(paths: frozenset[str]) -> dict[Function, list[FunctionType]]:
    """The functions of these files as they are in memory, whoever holds them."""
    found: dict[Function, list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename in paths:
            found.setdefault((one.__code__.co_filename, one.__code__.co_qualname), []).append(one)
    return found


def _caches() -> list[Any]:
    """What functions have remembered until now."""
    return [one for one in gc.get_objects() if hasattr(type(one), "cache_clear") and _is_ours(one)]


def _is_ours(cached: Any) -> bool:
    return str(cached.__module__).partition(".")[0] in OURS


def _code_of(code: CodeType, qualified_name: str) -> CodeType:
    """The code of a function, out of that of its module."""
    return next(one for one in _nested(code) if one.co_qualname == qualified_name)


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


class Instead(importlib.machinery.SourceFileLoader):
    """Loads a mutant where its module is asked for."""

    def __init__(self, module: str, mutant: Mutant) -> None:
        super().__init__(module, str(Path(mutant.path).resolve()))
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the importer calls it so
        """The code that the file does not have."""
        return compile(self.mutant.module, self.path, "exec")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find the module that is replaced, and no other."""
        if fullname != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = self
        return spec


class ChosenTests(Alike):
    """Runs these tests in this order, each for as long as it may."""

    def __init__(self, tests: Sequence[str], reach: Reach) -> None:
        self.rank = {test: number for number, test in enumerate(tests)}
        self.reach = reach

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """A file holds more tests than those asked for."""
        items[:] = sorted((one for one in items if one.nodeid in self.rank), key=lambda one: self.rank[one.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Give each its own time."""
        _patience(self.reach.seconds[item.nodeid])


def _imported(mutant: Mutant, reach: Reach, imports: Imports) -> MutantVerdict:
    """Import everything anew, the mutant in place of its module; the nearest tests come first."""
    sys.meta_path.insert(0, Instead(imports.module_of(mutant.path), mutant))
    done: set[str] = set()
    for files in imports.rings(mutant.path):
        near = set(reach.tests_of_files({str(Path(file).resolve()) for file in files}))
        tests = [
            test
            for test in sorted(reach.called, key=lambda test: reach.seconds[test])
            if test not in done and (test in near or test.partition("::")[0] in files)
        ]
        if not tests:
            continue
        done.update(tests)
        _patience(IMPORT_SECONDS)
        files_of_tests = sorted({test.partition("::")[0] for test in tests})
        if pytest.main([*PYTEST, "-x", *files_of_tests], plugins=[ChosenTests(tests, reach)]) != pytest.ExitCode.OK:
            return MutantVerdict.KILLED
    return MutantVerdict.SURVIVED if done else MutantVerdict.UNREACHED
