"""What a mail that knows nothing of the credits says of those that do."""

# Such a mail may come amid an incident: that nothing is to be done would be read as meaning the credits. And it may
# come days after one that is over.
STILL_TO_BE_DONE = "what an earlier mail about credits asked for still is to be done while its alarm is on"
