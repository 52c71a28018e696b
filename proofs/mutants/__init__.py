"""Whether the unit tests notice when a rule is wrong: each small change of the code is tried against them."""
