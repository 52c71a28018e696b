"""What all threads of this process share, made by the first that needs it while the others wait.

`functools.cache` lets two that come at once both make it: of folders and processes one would be in the other's way.
"""

import functools
import threading
from collections.abc import Callable


def made_once[*Asked, Made](make: Callable[[*Asked], Made]) -> Callable[[*Asked], Made]:
    """Have `make` called once for the same arguments, however many threads ask at once."""
    making = threading.RLock()
    made: dict[tuple[*Asked], Made] = {}

    @functools.wraps(make)
    def shared(*asked: *Asked) -> Made:
        with making:
            if asked not in made:
                made[asked] = make(*asked)
            return made[asked]

    return shared
