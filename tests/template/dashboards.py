"""The dashboard as CloudWatch receives it."""

import json

from tests.template.documents import Document, resolved, transformed


def dashboard(**conditions: bool) -> Document:
    """The body that a stack with everything optional in it gives CloudWatch, but for what is conditioned away."""
    properties = transformed()["Resources"]["FileSystemDashboard"]["Properties"]
    body: Document = json.loads(resolved(properties["DashboardBody"], **conditions))
    return body


def widget(title: str) -> Document:
    """The widget of this title."""
    (found,) = [one for one in dashboard()["widgets"] if one["properties"].get("title") == title]
    return dict(found)


def graphs() -> list[Document]:
    """The properties of every widget that shows metrics."""
    return [one["properties"] for one in dashboard()["widgets"] if one["type"] == "metric"]
