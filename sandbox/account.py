"""The one account and Region the sandbox plays."""

ACCOUNT_ID = "123456789012"
REGION = "us-east-1"
REGION_NAME = "US East (N. Virginia)"
"""How CloudWatch writes the Region in mails and messages."""
