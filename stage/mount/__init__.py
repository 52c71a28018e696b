"""A file system that behaves like a mounted Amazon EFS: a FUSE mount with a model of what each operation takes.

Differs from AWS: the data is gone with the mount; one kernel is all its clients, so that its caches hold what NFS would
ask for again; the latencies are constants where AWS's vary; zones, storage classes and locks across hosts do not exist.
"""
