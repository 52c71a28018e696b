"""Nodes in the shape in which the kernel is told of them."""

import stat

from stage.mount import protocol
from stage.mount.tree import Node

CACHE_SECONDS = 86_400
"""For how long the kernel need not ask again: it is the only client, so what it knows of names and attributes holds.
An NFS client asks again after some seconds, which no benchmark here is about."""

WRITE_BYTES = 2**20
"""The largest read or write, as the wsize and rsize EFS recommends."""
CAPACITY_BYTES = 2**63
"""What `df` shows of an EFS mount: 8 EiB."""
MOST_FILES = 2**32
LONGEST_NAME_BYTES = 255
BLOCK_BYTES = 512


def entry(node: Node) -> bytes:
    """A node found by its name, or made: the kernel has one reference more to it."""
    node.looked_up += 1
    return protocol.ENTRY_OUT.pack(node.number, 0, CACHE_SECONDS, CACHE_SECONDS, 0, 0) + _packed(node)


def attributes(node: Node) -> bytes:
    """What stat(2) tells of a node."""
    return protocol.ATTRIBUTES_OUT.pack(CACHE_SECONDS, 0, 0) + _packed(node)


def directory_entry(node: Node, name: bytes, position: int) -> bytes:
    """A name in a directory; reading goes on after it at `position`."""
    kind = stat.S_IFMT(node.mode) >> 12
    padded = name.ljust(-(-len(name) // 8) * 8, b"\0")
    return protocol.DIRECTORY_ENTRY.pack(node.number, position, len(name), kind) + padded


def room() -> bytes:
    """What statfs(2) tells: all of it is free, always."""
    blocks = CAPACITY_BYTES // WRITE_BYTES
    return protocol.STATFS_OUT.pack(
        *(blocks, blocks, blocks, MOST_FILES, MOST_FILES), *(WRITE_BYTES, LONGEST_NAME_BYTES, WRITE_BYTES, 0)
    )


def _packed(node: Node) -> bytes:
    modified, modified_ns = divmod(node.modified_ns, 10**9)
    changed, changed_ns = divmod(node.changed_ns, 10**9)
    return protocol.ATTRIBUTES.pack(
        node.number,
        node.size_bytes,
        -(-node.size_bytes // BLOCK_BYTES),
        *(modified, modified, changed),
        *(modified_ns, modified_ns, changed_ns),
        *(node.mode, node.links, node.uid, node.gid, 0, WRITE_BYTES, 0),
    )
