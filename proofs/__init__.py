"""Proofs that take too long for every test run: `make prove` runs all of them, the tests a share of each."""
