"""What each request does to the files, what it answers, and what it is to the model."""

import errno
import os
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from stage.mount import protocol, replies
from stage.mount.handles import Handles
from stage.mount.model import Kind, OperationCost
from stage.mount.protocol import FuseRequest, Opcode, Valid
from stage.mount.replies import WRITE_BYTES
from stage.mount.tree import OperationFailed, Tree

RENAME_NOREPLACE = 1

FREE = OperationCost(Kind.CACHED)
METADATA = OperationCost(Kind.METADATA)
CREATE = OperationCost(Kind.CREATE)
REMOVE = OperationCost(Kind.REMOVE)
SETATTR = OperationCost(Kind.SETATTR)


@dataclass(frozen=True, slots=True)
class OperationResult:
    """What follows the header of a reply. A refusal carries its errno and takes no less time."""

    payload: bytes | memoryview = b""
    cost: OperationCost = FREE
    error: int = 0


class Operations:
    def __init__(self) -> None:
        self.tree = Tree()
        self._handles = Handles(self.tree)
        self._now = 0.0
        self._missed: dict[int, tuple[bytes, float]] = {}
        self._by_opcode = self._operations()

    def answer(self, request: FuseRequest, now: float) -> OperationResult | None:
        """What the kernel is answered; None where it waits for no reply.

        What is not spoken here is ENOSYS, and is asked for but once.
        """
        self._now = now
        if request.opcode in (Opcode.FORGET, Opcode.BATCH_FORGET):
            self._forget(request)
            return None
        operation = self._by_opcode.get(request.opcode)
        if operation is None:
            return OperationResult(error=errno.ENOSYS)
        try:
            return operation(request)
        except OperationFailed as refused:
            return OperationResult(error=refused.error, cost=FREE if request.opcode == Opcode.LOOKUP else METADATA)

    def _operations(self) -> Mapping[int, Callable[[FuseRequest], OperationResult]]:
        return {
            Opcode.INIT: self._init,
            Opcode.LOOKUP: self._lookup,
            # Asked for after a change of our own only, where NFS has the attributes in the answer to the change.
            Opcode.GETATTR: lambda request: OperationResult(replies.attributes(self.tree.node(request.node))),
            Opcode.SETATTR: self._setattr,
            Opcode.READLINK: lambda request: OperationResult(self.tree.node(request.node).target, METADATA),
            Opcode.SYMLINK: self._symlink,
            Opcode.MKNOD: self._mknod,
            Opcode.MKDIR: self._mkdir,
            Opcode.UNLINK: lambda request: self._remove(request, folder=False),
            Opcode.RMDIR: lambda request: self._remove(request, folder=True),
            Opcode.RENAME: self._rename,
            Opcode.RENAME2: self._rename2,
            Opcode.LINK: self._link,
            Opcode.OPEN: lambda request: OperationResult(self._handles.open(self.tree.node(request.node)), METADATA),
            Opcode.CREATE: self._create,
            Opcode.READ: self._read,
            Opcode.WRITE: self._write,
            Opcode.FSYNC: lambda request: OperationResult(
                cost=OperationCost(Kind.COMMIT, self._handles.of(request).stream)
            ),
            Opcode.FLUSH: lambda request: OperationResult(
                cost=OperationCost(Kind.CLOSE, self._handles.of(request).stream)
            ),
            Opcode.RELEASE: self._release,
            Opcode.OPENDIR: lambda request: OperationResult(self._handles.open(self.tree.node(request.node))),
            Opcode.READDIR: self._readdir,
            Opcode.RELEASEDIR: self._release,
            Opcode.FSYNCDIR: lambda _: OperationResult(),
            Opcode.STATFS: lambda _: OperationResult(replies.room(), METADATA),
            Opcode.DESTROY: lambda _: OperationResult(),
        }

    def _init(self, request: FuseRequest) -> OperationResult:
        major, minor, read_ahead_bytes, offered = protocol.INIT_IN.unpack_from(request.body)
        if (major, minor) < (protocol.MAJOR, protocol.MINOR):
            return OperationResult(error=errno.EPROTO)
        wanted = sum(protocol.Init)
        pages = WRITE_BYTES // os.sysconf("SC_PAGESIZE")
        return OperationResult(
            protocol.INIT_OUT.pack(
                protocol.MAJOR, protocol.MINOR, read_ahead_bytes, offered & wanted, 64, 48, WRITE_BYTES, 1, pages, 0
            )
        )

    def _lookup(self, request: FuseRequest) -> OperationResult:
        [name] = request.names(0)
        try:
            return OperationResult(replies.entry(self.tree.child(request.node, name)), METADATA)
        except OperationFailed:
            # NFS 4 looks up and creates in one OPEN: what creates this name next has begun here.
            self._missed[request.node] = (name, self._now)
            raise

    def _setattr(self, request: FuseRequest) -> OperationResult:
        valid, _, _, size_bytes, _, _, mtime, _, _, mtime_ns, _, mode, _, uid, gid, _ = protocol.SETATTR_IN.unpack_from(
            request.body
        )
        node = self.tree.node(request.node)
        if valid & Valid.MODE:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        if valid & Valid.UID:
            node.uid = uid
        if valid & Valid.GID:
            node.gid = gid
        if valid & Valid.SIZE:
            node.resize(size_bytes)
        node.changed_ns = time.time_ns()
        if valid & Valid.MTIME:
            node.modified_ns = node.changed_ns if valid & Valid.MTIME_NOW else mtime * 10**9 + mtime_ns
        return OperationResult(replies.attributes(node), SETATTR)

    def _symlink(self, request: FuseRequest) -> OperationResult:
        name, target = request.names(0)
        return self._made(request, name, stat.S_IFLNK | 0o777, target)

    def _mknod(self, request: FuseRequest) -> OperationResult:
        mode, _, _, _ = protocol.MKNOD_IN.unpack_from(request.body)
        [name] = request.names(protocol.MKNOD_IN.size)
        return self._made(request, name, mode)

    def _mkdir(self, request: FuseRequest) -> OperationResult:
        mode, _ = protocol.MKDIR_IN.unpack_from(request.body)
        [name] = request.names(protocol.MKDIR_IN.size)
        return self._made(request, name, stat.S_IFDIR | mode)

    def _made(self, request: FuseRequest, name: bytes, mode: int, target: bytes = b"") -> OperationResult:
        node = self.tree.create(request.node, name, mode, uid=request.uid, gid=request.gid, target=target)
        return OperationResult(replies.entry(node), self._creation(request, name))

    def _creation(self, request: FuseRequest, name: bytes, kind: Kind = Kind.CREATE) -> OperationCost:
        missed, at = self._missed.pop(request.node, (b"", None))
        return OperationCost(kind, began_at=at if missed == name else None)

    def _create(self, request: FuseRequest) -> OperationResult:
        flags, mode, _, _ = protocol.CREATE_IN.unpack_from(request.body)
        [name] = request.names(protocol.CREATE_IN.size)
        node = self.tree.create(request.node, name, stat.S_IFREG | mode, uid=request.uid, gid=request.gid)
        kind = Kind.CREATE_EXCLUSIVELY if flags & os.O_EXCL else Kind.CREATE
        return OperationResult(replies.entry(node) + self._handles.open(node), self._creation(request, name, kind))

    def _remove(self, request: FuseRequest, *, folder: bool) -> OperationResult:
        [name] = request.names(0)
        self.tree.remove(request.node, name, folder=folder)
        return OperationResult(cost=REMOVE)

    def _rename(self, request: FuseRequest) -> OperationResult:
        [directory] = protocol.RENAME_IN.unpack_from(request.body)
        old, new = request.names(protocol.RENAME_IN.size)
        self.tree.rename((request.node, old), (directory, new), keep=False)
        return OperationResult(cost=METADATA)

    def _rename2(self, request: FuseRequest) -> OperationResult:
        directory, flags, _ = protocol.RENAME2_IN.unpack_from(request.body)
        if flags not in (0, RENAME_NOREPLACE):
            raise OperationFailed(errno.EINVAL)
        old, new = request.names(protocol.RENAME2_IN.size)
        self.tree.rename((request.node, old), (directory, new), keep=bool(flags))
        return OperationResult(cost=METADATA)

    def _link(self, request: FuseRequest) -> OperationResult:
        [number] = protocol.UNSIGNED_64.unpack_from(request.body)
        [name] = request.names(protocol.UNSIGNED_64.size)
        node = self.tree.node(number)
        self.tree.link(node, request.node, name)
        return OperationResult(replies.entry(node), CREATE)

    def _read(self, request: FuseRequest) -> OperationResult:
        _, offset, size, _ = protocol.HANDLE_IN.unpack_from(request.body)
        handle = self._handles.of(request)
        data = handle.node.read(offset, size)
        return OperationResult(data, OperationCost(Kind.READ, handle.stream, len(data)) if data else FREE)

    def _write(self, request: FuseRequest) -> OperationResult:
        _, offset, size, _ = protocol.HANDLE_IN.unpack_from(request.body)
        handle = self._handles.of(request)
        handle.node.write(offset, request.body[protocol.DATA_IN_BYTES : protocol.DATA_IN_BYTES + size])
        return OperationResult(protocol.UNSIGNED_64.pack(size), OperationCost(Kind.WRITE, handle.stream, size))

    def _release(self, request: FuseRequest) -> OperationResult:
        self._handles.release(request)
        return OperationResult()

    def _readdir(self, request: FuseRequest) -> OperationResult:
        _, offset, size, _ = protocol.HANDLE_IN.unpack_from(request.body)
        listed = self._handles.of(request).listed(offset, size)
        return OperationResult(listed, METADATA if listed else FREE)

    def _forget(self, request: FuseRequest) -> None:
        if request.opcode == Opcode.FORGET:
            [times] = protocol.UNSIGNED_64.unpack_from(request.body)
            self.tree.forget(request.node, times)
            return
        count, _ = protocol.FORGET_COUNT.unpack_from(request.body)
        for index in range(count):
            offset = protocol.FORGET_COUNT.size + index * protocol.FORGET_ONE.size
            self.tree.forget(*protocol.FORGET_ONE.unpack_from(request.body, offset))
