"""The stack's alarms: their definition and thresholds, what becomes of them, and what must be written."""
