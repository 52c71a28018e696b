"""What every Advice mail ends with: where to look, and which stack wrote it."""

from efs_monitor.mail.stack_context import StackContext


def links(stack: StackContext, anchor: str, file_system_id: str, alarm_name: str | None = None) -> list[str]:
    """Paragraphs with the runbook at `anchor` where there is one, the console's pages, and the sender.

    Where the console's address is not known, names stand for its pages.
    """
    runbook = stack.runbook(anchor)
    addresses = [f"Runbook:     {runbook}"] if runbook else []
    addresses.append(f"File system: {stack.file_system_page(file_system_id) or file_system_id}")
    if alarm_name is not None:
        addresses.append(f"Alarm:       {stack.alarm_page(alarm_name) or alarm_name}")
    graph = stack.balance_graph(file_system_id)
    drawn = [f"Balance, drawn over 12 hours:\n{graph}"] if graph else []
    return ["\n".join(addresses), *drawn, sender(stack)]


def runbook_link(stack: StackContext, anchor: str) -> list[str]:
    """The paragraph of a mail that has no other link; none where there is no runbook."""
    runbook = stack.runbook(anchor)
    return [f"Runbook: {runbook}"] if runbook else []


def sender(stack: StackContext) -> str:
    """Who wrote the mail, for people with more than one account."""
    return f"Stack:   {stack.stack_name}\nAccount: {stack.account_id}, {stack.region}"
