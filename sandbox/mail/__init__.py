"""SNS as far as people see it: what topics take, and the mails that come of it.

Differs from AWS: subscriptions confirm themselves, a mail arrives at once and always, and only the protocol `email`
ends in the mailbox.
"""
