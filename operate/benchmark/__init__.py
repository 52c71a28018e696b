"""A benchmark of a deployed stack, now: the stack's own function is asked for it, and what came out is a table."""
