"""What was seen of a file system, as one HTML page: `contents` is what it shows, `page` draws it."""
