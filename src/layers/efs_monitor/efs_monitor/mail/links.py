"""What every Advice mail ends with: where to look, and which stack wrote it."""

from efs_monitor.mail.stack_context import Place


def links(place: Place, anchor: str, file_system_id: str, alarm_name: str | None = None) -> list[str]:
    """Paragraphs with the runbook at `anchor`, the console's pages, and the sender.

    Where the console's address is not known, names stand for its pages.
    """
    addresses = [
        f"Runbook:     {place.runbook(anchor)}",
        f"File system: {place.file_system_page(file_system_id) or file_system_id}",
    ]
    if alarm_name is not None:
        addresses.append(f"Alarm:       {place.alarm_page(alarm_name) or alarm_name}")
    graph = place.balance_graph(file_system_id)
    drawn = [f"Balance, drawn over 12 hours:\n{graph}"] if graph else []
    return ["\n".join(addresses), *drawn, sender(place)]


def sender(place: Place) -> str:
    """Who wrote the mail, for people with more than one account."""
    return f"Stack:   {place.stack_name}\nAccount: {place.account_id}, {place.region}"
