"""SNS as far as people see it: what topics take, and the mails that come of it.

Differs from AWS: subscriptions confirm themselves and a message arrives at once, unless an address is named in
`subscribers.py` as one that does not; only the protocol `email` ends in the mailbox; and what subscribes by http or
https is reached on this machine only (`endpoints.py`).
"""
