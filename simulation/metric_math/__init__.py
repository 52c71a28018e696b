"""CloudWatch's metric math: the expressions of GetMetricData, of alarms and of dashboards, as pure functions.

Simulated are the functions that its users here need, over numbers and time series; arrays are not.
Source: CloudWatch user guide, "Using metric math"; its tables are the tests.
"""

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.evaluation import Evaluator
from simulation.metric_math.syntax import names, parse
from simulation.metric_math.values import Points, Series, Timeline

__all__ = ["Evaluator", "MetricMathError", "Points", "Series", "Timeline", "names", "parse"]
