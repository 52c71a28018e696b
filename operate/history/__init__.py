"""What is known of a file system's past: read from CloudWatch or an export, cleaned, marked where it is not whole."""
