"""How metric math refuses an expression."""


class MetricMathError(ValueError):
    """An expression that CloudWatch would refuse, or that is not simulated; the sentence says what, and where."""
