"""What people do behind the back of the stack: alarms deleted and put back, addresses unsubscribed, hosts stopped."""

from dataclasses import replace
from typing import TYPE_CHECKING

from moto.sns.models import sns_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.sandbox import Sandbox
from localaws.ssm.instances import Presence, instances

if TYPE_CHECKING:
    from localaws.cloudwatch.alarm import AlarmConfiguration


class ManualChanges:
    """Alarms and topics are named by the end of their name, after the stack's; what is not there is left alone."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._deleted: dict[str, AlarmConfiguration] = {}
        self._unsubscribed: dict[str, list[tuple[str, str]]] = {}

    def delete_alarm(self, end: str) -> None:
        """Delete an alarm, to be put back as it was."""
        for alarm in self._sandbox.alarms.all():
            if alarm.configuration.name.endswith(f"-{end}"):
                self._deleted[end] = alarm.configuration
                self._sandbox.alarms.delete([alarm.configuration.name])

    def restore_alarm(self, end: str) -> None:
        """Put back an alarm that was deleted, with every setting it had."""
        self._sandbox.alarms.put(self._deleted.pop(end), {})

    def unsubscribe(self, end: str) -> None:
        """Every mail address follows the topic's unsubscribe link."""
        backend = sns_backends[ACCOUNT_ID][REGION]
        for subscription in list(backend.subscriptions.values()):
            if subscription.topic_arn.endswith(f"-{end}") and subscription.protocol == "email":
                self._unsubscribed.setdefault(end, []).append((subscription.topic_arn, subscription.endpoint))
                backend.unsubscribe(subscription.arn)

    def subscribe(self, end: str) -> None:
        """Everybody who was unsubscribed is subscribed anew."""
        backend = sns_backends[ACCOUNT_ID][REGION]
        for topic_arn, endpoint in self._unsubscribed.pop(end, []):
            backend.subscribe(topic_arn, endpoint, "email")

    def disconnect(self, instance_id: str) -> None:
        """Stop an instance; its agent is not heard of any more."""
        _set_presence(instance_id, "ConnectionLost")

    def connect(self, instance_id: str) -> None:
        """Start the instance again."""
        _set_presence(instance_id, "Online")


def _set_presence(instance_id: str, presence: Presence) -> None:
    instances()[instance_id] = replace(instances()[instance_id], presence=presence)
