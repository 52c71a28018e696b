"""Whether somebody is told: what was told already, what is new, and what lasts."""
