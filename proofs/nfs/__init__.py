"""The benchmark script on a real NFS mount: a machine with a kernel server and clients, and what befalls them."""
