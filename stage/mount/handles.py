"""What is open: files as streams, directories as the names they had when they were opened."""

import errno
from dataclasses import dataclass, field

from stage.mount import protocol, replies
from stage.mount.model import Stream
from stage.mount.protocol import FuseRequest
from stage.mount.tree import Node, OperationFailed, Tree


@dataclass(slots=True)
class Handle:
    """An open file or directory; `listing` are a directory's entries."""

    node: Node
    stream: Stream = field(default_factory=Stream)
    listing: list[bytes] = field(default_factory=list)

    def listed(self, offset: int, size_bytes: int) -> bytes:
        """The entries from a position on, as many as fit; none at the end."""
        listed = b""
        for entry in self.listing[offset:]:
            if len(listed) + len(entry) > size_bytes:
                break
            listed += entry
        return listed


class Handles:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._opened: dict[int, Handle] = {}
        self._last = 0

    def open(self, node: Node) -> bytes:
        """Open a node; the answer names its handle."""
        handle = Handle(node)
        if node.is_directory:
            # Kept as it is now: reading goes on by position, while somebody may be deleting what was read.
            listed = enumerate(self._tree.listed(node.number), start=1)
            handle.listing = [replies.directory_entry(one, name, position) for position, (name, one) in listed]
        node.opened += 1
        self._last += 1
        self._opened[self._last] = handle
        return protocol.OPEN_OUT.pack(self._last, 0, 0)

    def of(self, request: FuseRequest) -> Handle:
        """The handle that a request begins with; OperationFailed where there is none such."""
        [number] = protocol.UNSIGNED_64.unpack_from(request.body)
        try:
            return self._opened[number]
        except KeyError:
            raise OperationFailed(errno.EBADF) from None

    def release(self, request: FuseRequest) -> None:
        """Nobody uses the handle any more."""
        [number] = protocol.UNSIGNED_64.unpack_from(request.body)
        handle = self._opened.pop(number, None)
        if handle is not None:
            handle.node.opened -= 1
            self._tree.tidy(handle.node)
