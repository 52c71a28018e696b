"""Results that others published for the very commands of the catalogue, to hold one's own against."""

from efs_monitor.benchmarks.published.comparison import FIGURES, comparison, figures
from efs_monitor.benchmarks.published.figure import Published

__all__ = ["FIGURES", "Published", "comparison", "figures"]
