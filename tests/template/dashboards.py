"""The dashboard as CloudWatch receives it."""

import json

from tests.template.template_documents import Document, resolved, transformed

# The words of what is wider or higher than its room, and of an SVG what is beyond its edge.
CUT_OFF = """
[...document.querySelectorAll('section, section h1, section div, .singleValue span')]
  .filter((one) => one.scrollWidth > one.clientWidth + 8 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent.slice(0, 80))
  .concat([...document.querySelectorAll('svg text')].filter((one) => {
    const [inside, room] = [one.getBoundingClientRect(), one.closest('svg').getBoundingClientRect()];
    return inside.left < room.left - 1 || inside.right > room.right + 1 || inside.bottom > room.bottom + 1;
  }).map((one) => one.textContent))
"""


def dashboard(profile: str = "quick", **conditions: bool) -> Document:
    """The body that a stack with everything optional in it gives CloudWatch, but for what is conditioned away."""
    properties = transformed()["Resources"]["FileSystemDashboard"]["Properties"]
    measures = {f"Measures{name.capitalize()}": name == profile for name in ("quick", "tutorial", "sweep")}
    body: Document = json.loads(resolved(properties["DashboardBody"], **measures | conditions))
    return body


def widget(title: str, profile: str = "quick") -> Document:
    """The widget of this title."""
    (found,) = [one for one in dashboard(profile)["widgets"] if one["properties"].get("title") == title]
    return dict(found)


def graphs(profile: str = "quick") -> list[Document]:
    """The properties of every widget that shows metrics."""
    return [one["properties"] for one in dashboard(profile)["widgets"] if one["type"] == "metric"]
