"""What a file system could have cheaper or faster, by the load that it had: one finding a rule, none without data."""
