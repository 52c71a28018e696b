"""A fleet: which file systems of an account and Region have a monitor stack, and what becomes of each stack."""
