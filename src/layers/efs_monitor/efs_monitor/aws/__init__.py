"""The edges: one thin module per AWS service, each turning an API's answers into the project's own values."""

import gc

# A cold start makes 70,000 objects, nearly all of which stay. Python looks for garbage among them 36 times meanwhile,
# which is a twelfth of the time, and finds 400. What a warm function leaves behind is looked for when it is as much.
gc.set_threshold(100_000)
