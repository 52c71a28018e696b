"""Roles that count: what a function or a schedule asks of the sandbox is held against its role as it is deployed.

The policy of a topic or key may deny it besides, and must allow it where another account owns that; a key's must in its
own account, too.

Differs from AWS: in its own account only the role's statements and attached policies let it do something, never a
topic's or another resource's policy beside them, and whatever they let it do its permissions boundary must allow;
NotAction, NotResource, policy variables and condition operators that are not known here are refused rather than
guessed; a role is known everywhere as soon as it exists.
"""
