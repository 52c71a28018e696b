"""Every figure of every mail, held against a second calculation from the simulation's own minutes."""
