"""The stack as it is deployed, with everything optional in it, and what is needed to watch one privilege at work."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.efs.credits import GIB

from localaws.account import ACCOUNT_ID, REGION
from localaws.clock import MINUTE
from localaws.cloudformation.engine import AccountRegion
from localaws.cloudwatch.metrics import MetricId
from localaws.sandbox import Sandbox
from localaws.schedule_expression import parse
from localaws.sns.mailbox import Publication
from stage.benchmark_hosts import BenchmarkHosts
from stage.home import Home, Names, as_request
from stage.invocation.answer_desk import AnswerDesk
from stage.sam_deployment import PROJECT
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.stage.privileges.needs import NeededAction, roles

KEY_POLICY = {
    "Statement": [
        {
            "Effect": "Allow",
            "Principal": {"Service": "cloudwatch.amazonaws.com"},
            "Action": ["kms:Decrypt", "kms:GenerateDataKey*"],
            "Resource": "*",
        },
        {
            "Effect": "Allow",
            "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT_ID}:root"},
            "Action": "kms:*",
            "Resource": "*",
        },
    ]
}
SEVERITIES = ("warning", "critical", "advice")
HOST, STRANGER = "i-0123456789abcdef0", "i-0fedcba9876543210"


@dataclass(kw_only=True)
class WholeStack:
    """One deployed stack. Proofs set the scene by themselves: each begins with `reset`."""

    stack: StackUnderTest
    desk: AnswerDesk
    key_arn: str = ""
    given_topic_arn: str = ""
    hosts: BenchmarkHosts
    alarms: dict[str, dict[str, Any]] = field(default_factory=dict)
    starts: int = 0

    @classmethod
    @contextmanager
    def deployed(cls, built: Path, work_dir: Path) -> Iterator["WholeStack"]:
        """Deploy it, and let the first run of the schedules be over."""
        with Sandbox(work_dir) as sandbox, AnswerDesk() as desk:
            stack = StackUnderTest(sandbox=sandbox, built=built)
            of_hosts = Home(sandbox=sandbox, names=Names(stack.name, stack.file_system_id))
            whole = cls(stack=stack, desk=desk, hosts=BenchmarkHosts(home=of_hosts, folder=work_dir / "hosts"))
            key = sandbox.client("kms").create_key(Policy=json.dumps(KEY_POLICY))["KeyMetadata"]
            whole.key_arn = key["Arn"]
            whole.stack.create_file_system()
            whole.given_topic_arn = sandbox.client("sns").create_topic(
                Name="pager", Attributes={"KmsMasterKeyId": whole.key_arn}
            )["TopicArn"]
            whole.stack.deploy(
                EncryptionKeyArn=whole.key_arn, BenchmarkPath="/mnt/efs", CriticalTopicArn=whole.given_topic_arn
            )
            whole.stack.live(3)
            whole.alarms = whole.stack.alarms()
            whole.hosts.write_document(whole.physical_id("BenchmarkDocument"))
            whole.hosts.add(HOST)
            whole.hosts.add(STRANGER, tag="fs-0fedcba9876543210")
            yield whole

    @property
    def sandbox(self) -> Sandbox:
        """The local AWS it lives in."""
        return self.stack.sandbox

    def reset(self, balance_gib: float = 500) -> None:
        """As on the day of the deployment: alarms, file system, subscriptions, memory, and metrics of just now."""
        self.sandbox.file_systems.set_mode(self.stack.file_system_id, "bursting")
        for end in self.alarms:
            self.edit(end)
        for severity in SEVERITIES:
            self.sandbox.client("sns").subscribe(
                TopicArn=self.topic_arn(severity), Protocol="email", Endpoint="team@example.com"
            )
        self.remember("{}")
        self.hosts.measures(workloads_of("quick"))
        minute_ago = self.sandbox.clock.now() - MINUTE
        for metric, value in (
            ("BurstCreditBalance", balance_gib * GIB),
            ("PermittedThroughput", self.stack.permitted_bytes_per_second),
        ):
            identity = MetricId.of("AWS/EFS", metric, FileSystemId=self.stack.file_system_id)
            self.sandbox.metrics.record(identity, minute_ago, float(value))

    def has_fallen(self, balance_gib: float = 500) -> None:
        """To this balance in the last twenty minutes, by as much in each of them: no faster than a load may take it,
        for that would be a file system that has shrunk.
        """
        identity = MetricId.of("AWS/EFS", "BurstCreditBalance", FileSystemId=self.stack.file_system_id)
        for minutes in range(1, 21):
            balance_bytes = (balance_gib + 5 * (minutes - 1)) * GIB
            self.sandbox.metrics.record(identity, self.sandbox.clock.now() - minutes * MINUTE, balance_bytes)

    def edit(self, end: str, **changes: Any) -> None:
        """Put an alarm as it was deployed, except for these."""
        self.sandbox.client("cloudwatch").put_metric_alarm(**{**as_request(self.alarms[end]), **changes})

    def unsubscribe(self, severity: str) -> None:
        """Leave a topic without any subscriber."""
        sns = self.sandbox.client("sns")
        for one in sns.list_subscriptions_by_topic(TopicArn=self.topic_arn(severity))["Subscriptions"]:
            sns.unsubscribe(SubscriptionArn=one["SubscriptionArn"])

    def topic_arn(self, severity: str) -> str:
        """The topic that is told: one of the stack's own, or that which it was given for Critical."""
        if severity == "critical":
            return self.given_topic_arn
        return f"arn:aws:sns:{REGION}:{ACCOUNT_ID}:{self.stack.name}-{severity}"

    def remember(self, value: str) -> None:
        """Overwrite the memory."""
        ssm = self.sandbox.client("ssm")
        ssm.put_parameter(Name=f"/efs-monitor/{self.stack.name}/told", Value=value, Overwrite=True)

    def remembered(self) -> str:
        """What the memory holds."""
        answer = self.sandbox.client("ssm").get_parameter(Name=f"/efs-monitor/{self.stack.name}/told")
        return str(answer["Parameter"]["Value"])

    def hourly(self, function: str) -> dict[str, Any]:
        """What a function answers to its schedule's event."""
        self.sandbox.quotas.second_passes()
        return self.stack.invoke(function, {"source": "efs-monitor.schedule", "stack": self.stack.name})

    def benchmark(self) -> dict[str, Any]:
        """What RunBenchmark answers to its timer, which has never started this run before."""
        self.starts += 1
        event = self.hosts.home.names.daily_after(days=self.starts)
        return self.stack.invoke("RunBenchmark", event)

    def calm(self) -> None:
        """No alarm is on."""
        for end in self.alarms:
            self.sandbox.client("cloudwatch").set_alarm_state(
                AlarmName=f"{self.stack.name}-{end}", StateValue="OK", StateReason="of the test"
            )

    def let_minute_pass(self) -> None:
        """With whatever is due in it."""
        self.sandbox.advance()

    def let_pass_unmeasured(self, span: timedelta) -> None:
        """Time in which CloudWatch hears nothing of the file system, and nothing that falls due is done."""
        self.sandbox.clock.move_to(self.sandbox.clock.now() + span)

    @contextmanager
    def in_deployment(self, status: str = "UPDATE_IN_PROGRESS") -> Iterator[str]:
        """CloudFormation is at work on the stack for a while; with the stack's id."""
        cloudformation = self.sandbox.cloudformation
        found = cloudformation.find(AccountRegion(ACCOUNT_ID, REGION), self.stack.name)
        assert found is not None
        before, found.status = found.status, status
        try:
            yield found.identity.stack_id
        finally:
            found.status = before

    @contextmanager
    def losing_events(self) -> Iterator[None]:
        """EventBridge hears nothing of commands for a while."""
        self.sandbox.agents.loses_events = True
        try:
            yield
        finally:
            self.sandbox.agents.loses_events = False

    def give_up(self, function: str) -> None:
        """Let Lambda take an event for a function that it may not run."""
        client, name = self.sandbox.client("lambda"), self.physical_id(function)
        client.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=0)
        try:
            client.invoke(FunctionName=name, InvocationType="Event", Payload=b"{}")
            self.sandbox.events.wait_for_background()
        finally:
            client.delete_function_concurrency(FunctionName=name)

    def queued(self, queue: str) -> int:
        """How many messages a queue holds."""
        url = self.physical_id(queue)
        found = self.sandbox.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
        return int(found["Attributes"]["ApproximateNumberOfMessages"])

    def sample(self, name: str) -> Any:
        """One of the project's sample events, as if it came from this stack."""
        text = (PROJECT / "events" / f"{name}.json").read_text()
        return json.loads(re.sub(r"efs-monitor-home\b", self.stack.name, text))

    def mailed(self, severity: str = "advice") -> list[Publication]:
        """What functions have told people on a topic so far."""
        return [
            one
            for one in self.sandbox.mailbox.publications
            if one.topic_arn == self.topic_arn(severity) and one.subject and not one.message.startswith("{")
        ]

    def let_start(self, schedule: str) -> None:
        """Move on to the end of the window in which a schedule is next due."""
        name = self.physical_id(schedule)
        described = self.sandbox.client("scheduler").get_schedule(Name=name)
        now = self.sandbox.clock.now()
        expression = parse(described["ScheduleExpression"], "UTC")
        due = expression.due_between(now, now + timedelta(days=2), start=described["CreationDate"])
        window = timedelta(minutes=described["FlexibleTimeWindow"].get("MaximumWindowInMinutes", 0))
        # What else was due until then, every hour, would only take long.
        self.sandbox.schedules.take_due(due[0] - MINUTE)
        self.sandbox.clock.move_to(due[0] + window)
        self.sandbox.step()

    def runs(self, function: str) -> int:
        """How often a function was run so far."""
        name = self.stack.function(function)
        return sum(one.function_name == name for one in self.sandbox.functions.invocations)

    def physical_id(self, logical_id: str) -> str:
        """What CloudFormation called a resource."""
        return self.stack.function(logical_id)

    @contextmanager
    def without(self, need: NeededAction) -> Iterator[None]:
        """Take one action, or one resource of it, out of the deployed role, and put it back afterwards."""
        iam, role = self.sandbox.client("iam"), self.physical_id(need.role)
        (policy,) = roles()[need.role]["Properties"]["Policies"]
        name = policy["PolicyName"]
        before = json.dumps(iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"])
        remaining = need.left_out_of(before)
        if json.loads(remaining)["Statement"]:
            iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=remaining)
        else:
            iam.delete_role_policy(RoleName=role, PolicyName=name)
        self.sandbox.sessions.refusals.clear()
        try:
            yield
        finally:
            iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=before)

    @contextmanager
    def with_statements(self, role: str, statements: list[dict[str, Any]]) -> Iterator[None]:
        """Give a deployed role other statements for a while."""
        iam, physical = self.sandbox.client("iam"), self.physical_id(role)
        (policy,) = roles()[role]["Properties"]["Policies"]
        name = policy["PolicyName"]
        before = json.dumps(iam.get_role_policy(RoleName=physical, PolicyName=name)["PolicyDocument"])
        other = json.dumps({"Version": "2012-10-17", "Statement": statements})
        iam.put_role_policy(RoleName=physical, PolicyName=name, PolicyDocument=other)
        try:
            yield
        finally:
            iam.put_role_policy(RoleName=physical, PolicyName=name, PolicyDocument=before)

    def statements(self, role: str) -> list[dict[str, Any]]:
        """What a role is allowed at the moment."""
        (policy,) = roles()[role]["Properties"]["Policies"]
        found = self.sandbox.client("iam").get_role_policy(
            RoleName=self.physical_id(role), PolicyName=policy["PolicyName"]
        )
        listed: list[dict[str, Any]] = found["PolicyDocument"]["Statement"]
        return listed

    def refused(self) -> set[str]:
        """The actions that roles were refused since something was taken from one, as policies write them."""
        return {refusal.ask.action.lower() for refusal in self.sandbox.sessions.refusals}

    @contextmanager
    def distrusted(self, role: str) -> Iterator[None]:
        """Let the role trust another service for a while, with everybody who uses it gone."""
        iam, name = self.sandbox.client("iam"), self.physical_id(role)
        before = json.dumps(iam.get_role(RoleName=name)["Role"]["AssumeRolePolicyDocument"])
        stranger = json.loads(before)
        stranger["Statement"][0]["Principal"] = {"Service": "ec2.amazonaws.com"}
        iam.update_assume_role_policy(RoleName=name, PolicyDocument=json.dumps(stranger))
        self.end_workers()
        try:
            yield
        finally:
            iam.update_assume_role_policy(RoleName=name, PolicyDocument=before)

    def end_workers(self) -> None:
        """The next invocation of each function is a cold start: with a new session, and a new log stream."""
        self.sandbox.functions.close()
