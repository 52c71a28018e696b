"""Where a stack is, and the addresses that follow from it: AWS console pages, the runbook, and command lines."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from efs_monitor.stack_identity import StackIdentity

if TYPE_CHECKING:
    from efs_monitor.config import Config

# By partition. Those of the others (aws-iso and its kind) are not public, and no link is better than a wrong one.
CONSOLE_HOSTS = {
    "aws": "console.aws.amazon.com",
    "aws-cn": "console.amazonaws.cn",
    "aws-eusc": "console.amazonaws-eusc.eu",
    "aws-us-gov": "console.amazonaws-us-gov.com",
}

# What stands between the name of a fleet and the rest of a file system's id in the name of its stack.
FILE_SYSTEM = "-fs-"


@dataclass(frozen=True, kw_only=True)
class StackContext(StackIdentity):
    """The stack, and people's own page of what to do, empty where they have none.

    `topic_arns` are topics that it tells, by the ends of the names of its own. `benchmark_path` is where instances have
    the file system, where they measure it.
    """

    runbook_url: str
    topic_arns: Mapping[str, str] = field(default_factory=dict)
    benchmark_path: str = ""

    def topic_arn(self, topic: str) -> str:
        """One of the stack's topics, by the end of its name: its own, unless another is among `topic_arns`."""
        return self.topic_arns.get(topic, self.own_topic_arn(topic))

    def makes(self, topic: str) -> bool:
        """Whether the stack makes this topic itself, and none that exists was given in its place."""
        return self.topic_arn(topic) == self.own_topic_arn(topic)

    @property
    def fleet(self) -> str:
        """The name of the fleet whose stack this is, empty for one that somebody deployed.

        By the names that it gives: that of the stack ends with the file system, and a topic that it tells is the
        fleet's. By hand a stack may be called so, too, but tells other topics.
        """
        return self.stack_name.rpartition(FILE_SYSTEM)[0] if self.fleet_topics else ""

    @property
    def fleet_topics(self) -> frozenset[str]:
        """The stack's topics that its fleet made, by the ends of their names; none where there is no fleet."""
        name = self.stack_name.rpartition(FILE_SYSTEM)[0]
        of_it = {replace(self, stack_name=name).own_topic_arn(topic) for topic in self.topic_arns}
        return frozenset(topic for topic, arn in self.topic_arns.items() if name and arn in of_it)

    def runbook(self, anchor: str) -> str | None:
        """The runbook at one of its headings, None where there is none: another's page does not have them.

        The anchors are part of what is promised and do not change. A URL that leads to a heading already is taken as it
        is: a second one leads nowhere.
        """
        if not self.runbook_url or "#" in self.runbook_url:
            return self.runbook_url or None
        return f"{self.runbook_url}#{anchor}"

    def file_system_page(self, file_system_id: str) -> str | None:
        """The file system in the EFS console; None where no address of the console is known."""
        return self._console_page("efs", f"/file-systems/{file_system_id}")

    def alarm_page(self, alarm_name: str) -> str | None:
        """The alarm in the CloudWatch console; None where no address of the console is known."""
        return self._console_page("cloudwatch", f"alarmsV2:alarm/{quote(alarm_name, safe='')}")

    def balance_graph(self, file_system_id: str) -> str | None:
        """The credit balance and the permitted throughput of the last twelve hours, drawn by CloudWatch; None where no
        address of the console is known.

        The console keeps a graph in its address in a notation of its own. Brackets and apostrophes are
        percent-encoded, because mail programs end a link at them.
        """
        metrics = (
            f"(~'AWS*2fEFS~'BurstCreditBalance~'FileSystemId~'{file_system_id})"
            f"~(~'AWS*2fEFS~'PermittedThroughput~'FileSystemId~'{file_system_id}~(yAxis~'right))"
        )
        graph = (
            f"(metrics~(~{metrics})~view~'timeSeries~stacked~false~region~'{self.region}"
            f"~stat~'Minimum~period~60~start~'-PT12H~end~'P0D)"
        )
        return self._console_page("cloudwatch", f"metricsV2:graph=~{quote(graph, safe='~*')}")

    def aws_command(self, words: str) -> str:
        """A command line for the AWS CLI, complete with the Region."""
        return f"aws {words} --region {self.region}"

    def made_up_name(self, logical_id: str) -> str:
        """In place of a name within a command: one that CloudFormation made up, which need not begin with all of the
        stack's.
        """
        asked = self.aws_command(
            f"cloudformation describe-stack-resource --stack-name {self.stack_name} --logical-resource-id {logical_id} "
            "--query StackResourceDetail.PhysicalResourceId --output text"
        )
        return f"$({asked})"

    def delete_command(self, stack_name: str | None = None) -> str:
        """The command that removes this stack, or another of the Region, however it was deployed."""
        return self.aws_command(f"cloudformation delete-stack --stack-name {stack_name or self.stack_name}")

    def tag_command(self, parameter: str, value: str) -> str:
        """The command that has a fleet give its stack another value for one parameter: what it reads off the tags of
        the file system goes before what it gives all its stacks.
        """
        file_system_id = self.stack_name.removeprefix(f"{self.fleet}-")
        return self.aws_command(
            f"efs tag-resource --resource-id {file_system_id} --tags Key=efs-monitor:{parameter},Value={value}"
        )

    def update_command(self, parameter: str, value: str) -> str:
        """The command that gives one parameter another value, however the stack was deployed: CloudFormation takes its
        own copy of the template, and wants every other parameter named to keep it.
        """
        others = (
            f"Stacks[].Parameters[?ParameterKey!='{parameter}'][]"
            f".join('', ['ParameterKey=', ParameterKey, ',UsePreviousValue=true'])"
        )
        kept = self.aws_command(
            f'cloudformation describe-stacks --stack-name {self.stack_name} --output text --query "{others}"'
        )
        return self.aws_command(
            f"cloudformation update-stack --stack-name {self.stack_name} --use-previous-template "
            f"--capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND "
            f"--parameters ParameterKey={parameter},ParameterValue={value} $({kept})"
        )

    def _console_page(self, service: str, fragment: str) -> str | None:
        host = CONSOLE_HOSTS.get(self.partition)
        return f"https://{self.region}.{host}/{service}/home?region={self.region}#{fragment}" if host else None


def stack_context_of(config: "Config") -> StackContext:
    """The context of the stack that a function belongs to, Region and account read off its id: a Lambda context has
    made-up ARNs when run on a desk, and a topic may be another account's.
    """
    return StackContext(**asdict(StackIdentity.of(config.stack_id)), runbook_url=config.runbook_url)
