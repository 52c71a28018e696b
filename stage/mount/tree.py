"""The files of a mount, in memory. A run of zeros takes no room, and dd writes nothing else."""

import errno
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from stage.mount.protocol import ROOT

LONGEST_NAME_BYTES = 255
ZEROS = bytes(2**20)


class OperationFailed(Exception):
    """An operation that ends with an errno."""

    def __init__(self, error: int) -> None:
        super().__init__(os.strerror(error))
        self.error = error


@dataclass(slots=True)
class Node:
    """A file, directory, symlink or socket; `looked_up` counts the kernel's references to it."""

    number: int
    mode: int
    uid: int
    gid: int
    links: int
    size_bytes: int = 0
    modified_ns: int = field(default_factory=time.time_ns)
    changed_ns: int = field(default_factory=time.time_ns)
    looked_up: int = 0
    opened: int = 0
    target: bytes = b""
    entries: dict[bytes, int] = field(default_factory=dict)
    parent: int = ROOT
    content: bytearray = field(default_factory=bytearray)
    """Up to the last byte that is not zero, or further; what is missing up to the size is zeros."""

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.mode)

    def touched(self) -> None:
        self.modified_ns = self.changed_ns = time.time_ns()

    def write(self, offset: int, data: memoryview) -> None:
        end = offset + len(data)
        self.size_bytes = max(self.size_bytes, end)
        self.touched()
        if offset >= len(self.content) and _all_zeros(data):
            return
        if len(self.content) < end:
            self.content.extend(bytes(end - len(self.content)))
        self.content[offset:end] = data

    def read(self, offset: int, size: int) -> bytes | memoryview:
        size = min(size, max(0, self.size_bytes - offset))
        if offset >= len(self.content) and size <= len(ZEROS):
            return memoryview(ZEROS)[:size]
        return bytes(self.content[offset : offset + size]).ljust(size, b"\0")

    def resize(self, size_bytes: int) -> None:
        del self.content[size_bytes:]
        self.size_bytes = size_bytes
        self.touched()


class Tree:
    """Nodes by number, names by directory. Permissions are the kernel's business (mount option default_permissions)."""

    def __init__(self) -> None:
        self._last_number = ROOT
        # As Amazon EFS hands a file system out: its root is root's.
        self._nodes = {ROOT: Node(ROOT, stat.S_IFDIR | 0o755, 0, 0, links=2)}

    def node(self, number: int) -> Node:
        try:
            return self._nodes[number]
        except KeyError:
            raise OperationFailed(errno.ESTALE) from None

    def child(self, directory: int, name: bytes) -> Node:
        try:
            return self.node(self.node(directory).entries[name])
        except KeyError:
            raise OperationFailed(errno.ENOENT) from None

    def create(self, directory: int, name: bytes, mode: int, *, uid: int, gid: int, target: bytes = b"") -> Node:
        parent = self.node(directory)
        if name in parent.entries:
            raise OperationFailed(errno.EEXIST)
        if len(name) > LONGEST_NAME_BYTES:
            raise OperationFailed(errno.ENAMETOOLONG)
        self._last_number += 1
        links = 2 if stat.S_ISDIR(mode) else 1
        node = Node(self._last_number, mode, uid, gid, links, size_bytes=len(target), target=target, parent=directory)
        self._nodes[node.number] = node
        self._enter(parent, name, node)
        return node

    def link(self, node: Node, directory: int, name: bytes) -> None:
        parent = self.node(directory)
        if name in parent.entries:
            raise OperationFailed(errno.EEXIST)
        node.links += 1
        node.changed_ns = time.time_ns()
        self._enter(parent, name, node)

    def remove(self, directory: int, name: bytes, *, folder: bool) -> None:
        node = self.child(directory, name)
        if folder and not node.is_directory:
            raise OperationFailed(errno.ENOTDIR)
        if not folder and node.is_directory:
            raise OperationFailed(errno.EISDIR)
        if node.entries:
            raise OperationFailed(errno.ENOTEMPTY)
        self._leave(self.node(directory), name, node)
        node.links -= 2 if folder else 1
        node.changed_ns = time.time_ns()
        self.tidy(node)

    def rename(self, old: tuple[int, bytes], new: tuple[int, bytes], *, keep: bool) -> None:
        """`keep`: refuse where the new name is taken (RENAME_NOREPLACE)."""
        node = self.child(*old)
        taken = self.node(new[0]).entries.get(new[1])
        if taken == node.number:
            return
        if taken is not None:
            if keep:
                raise OperationFailed(errno.EEXIST)
            self.remove(*new, folder=node.is_directory)
        self._leave(self.node(old[0]), old[1], node)
        self._enter(self.node(new[0]), new[1], node)
        node.parent = new[0]

    def listed(self, directory: int) -> Iterator[tuple[bytes, Node]]:
        node = self.node(directory)
        yield b".", node
        yield b"..", self.node(node.parent)
        for name, number in node.entries.items():
            yield name, self.node(number)

    def tidy(self, node: Node) -> None:
        """Let go of what has neither name nor user."""
        if node.links <= 0 and not node.looked_up and not node.opened:
            self._nodes.pop(node.number, None)

    def forget(self, number: int, times: int) -> None:
        node = self._nodes.get(number)
        if node is not None:
            node.looked_up -= times
            self.tidy(node)

    def _enter(self, parent: Node, name: bytes, node: Node) -> None:
        parent.entries[name] = node.number
        parent.links += node.is_directory
        parent.touched()

    def _leave(self, parent: Node, name: bytes, node: Node) -> None:
        del parent.entries[name]
        parent.links -= node.is_directory
        parent.touched()


def _all_zeros(data: memoryview) -> bool:
    # Bytes are compared by memcmp, a memoryview element by element: fifty times as long.
    return len(data) <= len(ZEROS) and bytes(data) == ZEROS[: len(data)]
