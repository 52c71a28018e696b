"""The edges: one thin module per AWS service, each turning an API's answers into the project's own values."""

import gc
import os

# A cold start makes 70,000 objects, nearly all of which stay. Python looks for garbage among them 36 times meanwhile,
# which is a twelfth of the time, and finds 400. In Lambda alone: who replays a month by these rules leaves garbage by
# the million.
if "AWS_LAMBDA_FUNCTION_NAME" in os.environ:
    gc.set_threshold(100_000)
