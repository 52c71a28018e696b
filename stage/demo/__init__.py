"""`make demo`: a scenario that is deployed, lived through and shown."""
