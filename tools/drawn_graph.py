"""A graph of a dashboard as SVG: lines, or areas on each other, over time, with their scale, annotations and legend."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from itertools import cycle, pairwise
from math import ceil, floor, log10
from typing import Any

# CloudWatch's own, in its order, for lines without a colour.
PALETTE = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf")
# Of the letters of a legend, on average.
LETTER_PIXELS, LEGEND_PIXELS, AXIS_PIXELS = 5.9, 16, 44

type Box = tuple[float, float]
type Plot = tuple[float, float, float, float]
type Span = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class GraphLine:
    """A line of a graph: seconds since 1970 and value of each point, oldest first."""

    label: str
    color: str | None
    points: tuple[tuple[float, float], ...]


def graph(properties: Mapping[str, Any], drawn_lines: Sequence[GraphLine], span: Span, box: Box) -> str:
    """Lines, or areas on each other, over time; below them the legend, in as many rows as it needs."""
    colors = colors_of(drawn_lines)
    legend = _legend((line.label, color) for line, color in zip(drawn_lines, colors, strict=True))
    rows = _legend_rows([line.label for line in drawn_lines], box[0])
    room = (box[0] - 8, box[1] - rows * LEGEND_PIXELS - 8)
    lines = _stacked(drawn_lines) if properties.get("stacked") else list(drawn_lines)
    axis, notes = properties["yAxis"]["left"], properties.get("annotations", {}).get("horizontal", ())
    low, high, ticks = _scale(lines, axis, [one["value"] for one in notes])
    plot = (AXIS_PIXELS, 18.0, room[0] - AXIS_PIXELS - 10, room[1] - 38)
    drawn = [*_grid(ticks, (low, high), plot), *_hours(span, plot), _words(4, 10, axis["label"])]
    filled, order = bool(properties.get("stacked")), list(zip(lines, colors, strict=True))
    # The highest area first, so that each lower one covers what is not of the one above it.
    drawn += [_path(one, span, (low, high), plot, color, filled=filled) for one, color in order[:: -1 if filled else 1]]
    for one in notes:
        if low <= one["value"] <= high:
            drawn.append(_note(one, (low, high), plot))
    return f'{_svg(room, "".join(drawn))}<div class="legend">{legend}</div>'


def sparkline(line: GraphLine, span: Span, box: Box, color: str) -> str:
    """A line alone, from zero to its highest point."""
    most = max(value for _, value in line.points) or 1.0
    return _svg(box, _path(line, span, (0.0, most), (0.0, 1.0, box[0], box[1] - 2), color))


def number(value: float) -> str:
    """Three digits, with K, M or G where there are more before the point."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if abs(value) >= 0.9995 * unit:
            return f"{value / unit:.3g}{name}"
    return f"{value:.3g}" if abs(value) >= 0.001 else "0"


def colors_of(lines: Sequence[GraphLine]) -> list[str]:
    """Each line's own colour, else the next of the palette."""
    left = cycle(PALETTE)
    return [line.color or next(left) for line in lines]


def _legend(entries: Iterable[tuple[str, str]]) -> str:
    return "".join(f'<span><i style="background:{color}"></i>{escape(label)}</span>' for label, color in entries)


def _legend_rows(labels: Sequence[str], width: float) -> int:
    rows, used = 1, 0.0
    for label in labels:
        wide = len(label) * LETTER_PIXELS + 26
        if used and used + wide > width - 16:
            rows, used = rows + 1, 0.0
        used += wide
    return rows


def _stacked(lines: Sequence[GraphLine]) -> list[GraphLine]:
    """Each line on those before it; where one has no point it adds nothing."""
    below: dict[float, float] = {}
    found = []
    for line in lines:
        sums = {time: below.get(time, 0.0) + value for time, value in line.points}
        below |= sums
        found.append(GraphLine(label=line.label, color=line.color, points=tuple(sorted(sums.items()))))
    return found


def _scale(
    lines: Sequence[GraphLine], axis: Mapping[str, Any], notes: Sequence[float]
) -> tuple[float, float, list[float]]:
    """Where the axis begins and ends, and its ticks: as given, else so that all points and annotations are on it."""
    values = [value for line in lines for _, value in line.points] + list(notes)
    low = float(axis.get("min", min(values, default=0.0)))
    most = float(axis.get("max", max(values, default=1.0)))
    span = (most - low) or 1.0
    rough = span / 4
    unit = 10 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 3, 5, 6, 10) if unit * factor >= rough * 0.999)
    high = most if "max" in axis else low + ceil(span / step - 1e-9) * step
    return low, high, [low + step * index for index in range(floor((high - low) / step + 1e-9) + 1)]


def _grid(ticks: Iterable[float], scale: Span, plot: Plot) -> Iterator[str]:
    left, _, width, _ = plot
    for tick in ticks:
        y = _height(tick, scale, plot)
        yield f'<path d="M{left:.1f} {y:.1f}h{width:.1f}" stroke="#e4e6e8"/>'
        yield _words(left - 5, y + 4, number(tick), "end")


def _hours(span: Span, plot: Plot) -> Iterator[str]:
    """Times in UTC, as many as there is room for."""
    left, top, width, tall = plot
    hours = (span[1] - span[0]) / 3600
    step = next(each for each in (1, 2, 3, 4, 6, 12, 24, 48, 96) if hours / each * 62 <= width or each == 96) * 3600
    time = ceil(span[0] / step) * step
    while time <= span[1]:
        x = left + width * (time - span[0]) / (span[1] - span[0])
        written = datetime.fromtimestamp(time, UTC).strftime("%H:%M" if step < 86400 else "%m-%d")
        anchor = "end" if x > left + width - 14 else "middle"
        yield f'<path d="M{x:.1f} {top + tall:.1f}v4" stroke="#879596"/>{_words(x, top + tall + 16, written, anchor)}'
        time += step


def _path(line: GraphLine, span: Span, scale: Span, plot: Plot, color: str, *, filled: bool = False) -> str:
    """A line that is open where points are missing; a point between gaps is a dot."""
    left, top, width, tall = plot
    found = []
    for piece in _pieces(line.points):
        places = [
            (left + width * (time - span[0]) / (span[1] - span[0]), _height(value, scale, plot))
            for time, value in piece
        ]
        drawn = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        if len(places) == 1:
            found.append(f'<circle cx="{places[0][0]:.1f}" cy="{places[0][1]:.1f}" r="2" fill="{color}"/>')
        elif filled:
            bottom = top + tall
            found.append(
                f'<path d="M{places[0][0]:.1f} {bottom:.1f}L{drawn}L{places[-1][0]:.1f} {bottom:.1f}Z" fill="{color}"/>'
            )
        else:
            found.append(f'<path d="M{drawn}" fill="none" stroke="{color}" stroke-width="1.6"/>')
    return "".join(found)


def _pieces(points: Sequence[tuple[float, float]]) -> Iterator[list[tuple[float, float]]]:
    """The points that follow each other by the shortest step that there is."""
    if not points:
        return
    step = min((later[0] - former[0] for former, later in pairwise(points)), default=0.0)
    piece = [points[0]]
    for former, later in pairwise(points):
        if later[0] - former[0] > step * 1.5:
            yield piece
            piece = []
        piece.append(later)
    yield piece


def _height(value: float, scale: Span, plot: Plot) -> float:
    """Where in the picture a value is, at the edge of the plot at most."""
    _, top, _, tall = plot
    share = (value - scale[0]) / (scale[1] - scale[0])
    return top + tall * (1 - min(1.0, max(0.0, share)))


def _note(one: Mapping[str, Any], scale: Span, plot: Plot) -> str:
    left, _, width, _ = plot
    y, color = _height(one["value"], scale, plot), one.get("color", "#d62728")
    return (
        f'<path d="M{left:.1f} {y:.1f}h{width:.1f}" stroke="{color}" stroke-dasharray="5 3"/>'
        f"{_words(left + 4, y - 3, one['label'], color=color)}"
    )


def _words(x: float, y: float, text: str, anchor: str = "start", color: str = "#545b64") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{escape(text)}</text>'


def _svg(box: Box, inside: str) -> str:
    return f'<svg width="{box[0]:.0f}" height="{box[1]:.0f}">{inside}</svg>'
