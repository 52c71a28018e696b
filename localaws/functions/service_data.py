"""botocore's data of services, read once in a process: each session has its own reader, which takes 30 ms a client.

So with what else each session finds out anew: which services there are, what its own events are called, and which
methods a client has.

The times in answers, too: functions read days of minutes every hour, and a fifth of that was reading times.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import botocore.hooks
import botocore.parsers
from botocore.client import ClientCreator
from botocore.hooks import EVENT_ALIASES, BaseEventHooks, EventAliaser
from botocore.loaders import JSONFileLoader, Loader
from botocore.model import ServiceModel

if TYPE_CHECKING:
    from types import CodeType

TIMES_KEPT = 50_000


def read_once() -> None:
    """From now on, whichever session asks. What was read is shared; botocore adds the same extras to it each time."""
    botocore.parsers.DEFAULT_TIMESTAMP_PARSER = lru_cache(TIMES_KEPT)(botocore.parsers.DEFAULT_TIMESTAMP_PARSER)
    theirs = JSONFileLoader.load_file
    known: dict[str, Any] = {}

    def load_file(self: JSONFileLoader, file_path: str) -> Any:
        if file_path not in known:
            known[file_path] = theirs(self, file_path)
        return known[file_path]

    JSONFileLoader.load_file = load_file  # type: ignore[method-assign] # of the same form
    list_folders_once()
    begin_sessions_fast()
    make_methods_once()


def list_folders_once() -> None:
    """Each session looks through the folders of four hundred services."""
    theirs = Loader.list_available_services

    @cache
    def listed(paths: tuple[str, ...], type_name: str) -> tuple[str, ...]:
        return tuple(theirs(Loader(extra_search_paths=paths, include_default_search_paths=False), type_name))

    def list_available_services(self: Loader, type_name: str) -> list[str]:
        return list(listed(tuple(self.search_paths), type_name))

    Loader.list_available_services = list_available_services  # type: ignore[method-assign] # of the same form


def begin_sessions_fast() -> None:
    """Each session registers a hundred handlers: for each, botocore looks for the name that it has by now, and for how
    it is called, which is the same for all sessions.
    """
    aliased: dict[str, str] = {}
    theirs = EventAliaser.__init__

    def created(self: Any, event_emitter: BaseEventHooks, event_aliases: Any = None) -> None:
        theirs(self, event_emitter, event_aliases)
        if self._event_aliases == EVENT_ALIASES:
            self._alias_name_cache = aliased

    EventAliaser.__init__ = created  # type: ignore[method-assign] # of the same form
    look = botocore.hooks.accepts_kwargs
    looked: dict[CodeType, Any] = {}

    def accepts_kwargs(handler: Any) -> Any:
        code = getattr(handler, "__code__", None)
        if code is None:
            return look(handler)
        if code not in looked:
            looked[code] = look(handler)
        return looked[code]

    botocore.hooks.accepts_kwargs = accepts_kwargs  # type: ignore[assignment] # botocore asks only whether there is one


def make_methods_once() -> None:
    """Each client gets a method for each of its service's operations: those of another client do the same."""
    theirs = ClientCreator._create_methods  # type: ignore[attr-defined] # its stub has public names alone
    made: dict[tuple[str, str], dict[str, Any]] = {}

    def create_methods(self: ClientCreator, service_model: ServiceModel) -> dict[str, Any]:
        key = service_model.service_name, service_model.api_version
        if key not in made:
            made[key] = theirs(self, service_model)
        # Whoever extends a client adds to this.
        return dict(made[key])

    ClientCreator._create_methods = create_methods  # type: ignore[attr-defined] # its stub has public names alone
