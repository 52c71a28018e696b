"""What the monitor would have told of a history, and how much of it came before trouble."""
