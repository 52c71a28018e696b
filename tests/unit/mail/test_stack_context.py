"""Addresses of the AWS console and of the runbook."""

from dataclasses import replace
from urllib.parse import unquote

import botocore.session
import pytest
from efs_monitor.mail.links import links, runbook_link
from efs_monitor.mail.stack_context import CONSOLE_HOSTS, StackContext

from tests.unit.mail.mail_cases import CHINA, FILE_SYSTEM_ID, GOVERNMENT, HERE

PARTITIONS = botocore.session.get_session().get_available_partitions()
SOVEREIGN = replace(HERE, partition="aws-eusc", region="eusc-de-east-1")


def graph_of(place: StackContext) -> str:
    address = place.balance_graph(FILE_SYSTEM_ID)
    assert address
    return address


def test_each_partition_has_its_own_console() -> None:
    assert HERE.file_system_page(FILE_SYSTEM_ID) == (
        "https://us-east-1.console.aws.amazon.com/efs/home?region=us-east-1#/file-systems/fs-0123456789abcdef0"
    )
    assert CHINA.alarm_page("efs-home-warning") == (
        "https://cn-north-1.console.amazonaws.cn/cloudwatch/home?region=cn-north-1#alarmsV2:alarm/efs-home-warning"
    )
    assert GOVERNMENT.file_system_page(FILE_SYSTEM_ID) == (
        "https://us-gov-west-1.console.amazonaws-us-gov.com/efs/home?region=us-gov-west-1"
        "#/file-systems/fs-0123456789abcdef0"
    )
    assert SOVEREIGN.alarm_page("efs-home-warning") == (
        "https://eusc-de-east-1.console.amazonaws-eusc.eu/cloudwatch/home?region=eusc-de-east-1"
        "#alarmsV2:alarm/efs-home-warning"
    )


def test_every_partition_is_one_with_a_public_console_or_one_without() -> None:
    assert {name for name in PARTITIONS if not name.startswith("aws-iso")} == set(CONSOLE_HOSTS)


@pytest.mark.parametrize("partition", ["aws-iso", "aws-iso-b", "aws-iso-e", "aws-iso-f", "aws-new"])
def test_where_no_console_is_known_a_mail_has_names_in_place_of_links(partition: str) -> None:
    elsewhere = replace(HERE, partition=partition, region="us-iso-east-1")
    ending = "\n\n".join(links(elsewhere, "critical", FILE_SYSTEM_ID, "efs-home-critical"))

    assert ending == (
        "Runbook:     https://wiki.example.com/efs/runbook#critical\n"
        "File system: fs-0123456789abcdef0\n"
        "Alarm:       efs-home-critical\n\n"
        "Stack:   efs-home\n"
        "Account: 123456789012, us-iso-east-1"
    )


ID = "fs-0123456789abcdef0"
TOPICS = dict.fromkeys(("warning", "critical", "advice"), "arn:aws:sns:us-east-1:123456789012:storage")


def test_a_stack_is_a_fleets_by_its_name_and_by_a_topic_that_it_tells() -> None:
    own = {"advice": "arn:aws:sns:us-east-1:123456789012:efs-fleet-advice"}
    assert replace(HERE, stack_name=f"efs-fleet-{ID}", topic_arns=TOPICS | own).fleet == "efs-fleet"
    # Somebody may call a stack so by hand; the topics of a fleet of that name it does not tell.
    assert replace(HERE, stack_name=f"efs-monitor-{ID}", topic_arns=TOPICS | own).fleet == ""
    assert replace(HERE, stack_name=f"efs-fleet-{ID}", topic_arns=TOPICS).fleet == ""
    assert replace(HERE, stack_name="efs-fleet", topic_arns=TOPICS | own).fleet == ""
    assert HERE.fleet == ""
    # Each of its stacks may have another topic for one severity.
    assert replace(HERE, stack_name=f"efs-fleet-{ID}", topic_arns=TOPICS | own).fleet_topics == {"advice"}
    assert HERE.fleet_topics == set()


def test_a_stack_of_a_fleet_gets_another_value_by_a_tag_of_its_file_system() -> None:
    own = {"advice": "arn:aws:sns:us-east-1:123456789012:efs-fleet-advice"}
    stack = replace(HERE, stack_name=f"efs-fleet-{ID}", topic_arns=own)
    assert stack.tag_command("AdviceTopicArn", "ARN") == (
        f"aws efs tag-resource --resource-id {ID} --tags Key=efs-monitor:AdviceTopicArn,Value=ARN --region us-east-1"
    )


def test_the_runbook_is_opened_at_a_heading() -> None:
    assert HERE.runbook("critical") == "https://wiki.example.com/efs/runbook#critical"
    at_a_heading = "https://wiki.example.com/efs#ours"
    assert replace(HERE, runbook_url=at_a_heading).runbook("critical") == at_a_heading


def test_without_a_runbook_of_their_own_people_are_led_nowhere_for_the_mails_have_the_steps() -> None:
    nobodys = replace(HERE, runbook_url="")
    assert nobodys.runbook("critical") is None
    assert runbook_link(nobodys, "critical") == []
    first, *_ = links(nobodys, "critical", FILE_SYSTEM_ID, "efs-home-critical")
    assert first.startswith("File system: https://")


def test_the_graph_shows_the_minimum_of_balance_and_permitted_throughput() -> None:
    graph = unquote(graph_of(HERE)).partition("#metricsV2:graph=~")[2]
    assert graph == (
        "(metrics~(~(~'AWS*2fEFS~'BurstCreditBalance~'FileSystemId~'fs-0123456789abcdef0)"
        "~(~'AWS*2fEFS~'PermittedThroughput~'FileSystemId~'fs-0123456789abcdef0~(yAxis~'right)))"
        "~view~'timeSeries~stacked~false~region~'us-east-1~stat~'Minimum~period~60~start~'-PT12H~end~'P0D)"
    )


def test_a_link_has_no_character_at_which_a_mail_program_ends_it() -> None:
    assert not set("()'\"<> ") & set(graph_of(HERE))
