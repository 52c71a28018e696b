"""What a file system goes through while its credits run low."""
