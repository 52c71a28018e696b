"""The proof on a real account: a stack of its own, held against the template, put through trials, and deleted."""
