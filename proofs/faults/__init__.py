"""Whatever AWS, the network or the machine does to a run: what must hold afterwards holds."""
