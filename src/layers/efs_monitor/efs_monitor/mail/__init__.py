"""Every sentence that a person reads: alarm descriptions and Advice mails, as pure functions of values."""
