"""The instances of a scenario, and what the benchmarks on them do to its file system."""
