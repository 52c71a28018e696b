"""One built function on one event, in the Lambda runtime interface, and what it did to a deployed stack."""
