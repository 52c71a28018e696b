"""What the project promises about speed and size, each promise measured by a room of its own."""
