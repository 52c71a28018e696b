"""What a person types: the options of each command, and what it runs."""
