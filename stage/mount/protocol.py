"""The kernel's side of FUSE, as far as it is spoken here: include/uapi/linux/fuse.h, version 7.31 and later, x86-64 or
arm64 (little-endian, 64 bits)."""

from dataclasses import dataclass
from enum import IntEnum
from struct import Struct

MAJOR, MINOR = 7, 31
"""MINOR is the oldest kernel's that will do (5.4); what newer ones added is not asked for."""

ROOT = 1
"""The node number of the root."""


class Opcode(IntEnum):
    LOOKUP = 1
    FORGET = 2
    GETATTR = 3
    SETATTR = 4
    READLINK = 5
    SYMLINK = 6
    MKNOD = 8
    MKDIR = 9
    UNLINK = 10
    RMDIR = 11
    RENAME = 12
    LINK = 13
    OPEN = 14
    READ = 15
    WRITE = 16
    STATFS = 17
    RELEASE = 18
    FSYNC = 20
    FLUSH = 25
    INIT = 26
    OPENDIR = 27
    READDIR = 28
    RELEASEDIR = 29
    FSYNCDIR = 30
    CREATE = 35
    INTERRUPT = 36
    DESTROY = 38
    BATCH_FORGET = 42
    RENAME2 = 45


class Init(IntEnum):
    """Flags of FUSE_INIT."""

    ASYNC_READ = 1 << 0
    BIG_WRITES = 1 << 5
    ASYNC_DIO = 1 << 15
    PARALLEL_DIROPS = 1 << 18
    MAX_PAGES = 1 << 22


class Valid(IntEnum):
    """Which fields of a SETATTR are meant."""

    MODE = 1 << 0
    UID = 1 << 1
    GID = 1 << 2
    SIZE = 1 << 3
    MTIME = 1 << 5
    MTIME_NOW = 1 << 8


IN_HEADER = Struct("<IIQQIIIHH")
OUT_HEADER = Struct("<IiQ")
INIT_IN = Struct("<IIII")
INIT_OUT = Struct("<IIIIHHIIHH28x")
ATTRIBUTES = Struct("<6Q10I")
ENTRY_OUT = Struct("<4Q2I")
ATTRIBUTES_OUT = Struct("<QII")
OPEN_OUT = Struct("<QII")
STATFS_OUT = Struct("<5Q4I24x")
DIRECTORY_ENTRY = Struct("<QQII")
SETATTR_IN = Struct("<II6Q8I")
CREATE_IN = Struct("<IIII")
MKDIR_IN = Struct("<II")
MKNOD_IN = Struct("<IIII")
RENAME_IN = Struct("<Q")
RENAME2_IN = Struct("<QII")
HANDLE_IN = Struct("<QQII")
"""READ and WRITE, of which only file handle, offset and size are of interest; FSYNC, FLUSH, RELEASE begin so too."""
DATA_IN_BYTES = 40
UNSIGNED_64 = Struct("<Q")
FORGET_COUNT = Struct("<II")
FORGET_ONE = Struct("<QQ")


@dataclass(frozen=True, slots=True)
class FuseRequest:
    """One request as it was read; `body` is only good until the next one is read."""

    opcode: int
    unique: int
    node: int
    uid: int
    gid: int
    body: memoryview

    @classmethod
    def parse(cls, message: memoryview) -> "FuseRequest":
        length, opcode, unique, node, uid, gid, _, _, _ = IN_HEADER.unpack_from(message)
        return cls(opcode, unique, node, uid, gid, message[IN_HEADER.size : length])

    def names(self, offset: int) -> list[bytes]:
        """The names, each ended by a zero byte, that follow the fixed part."""
        return bytes(self.body[offset:]).split(b"\0")[:-1]
