"""Benchmarks as values: what may run, what it costs, what it measured, and what that means. Nothing here runs one."""
