"""Addresses of the AWS console and of the runbook."""

from dataclasses import replace
from urllib.parse import unquote

from tests.unit.messages.cases import CHINA, FILE_SYSTEM_ID, GOVERNMENT, HERE


def test_each_partition_has_its_own_console() -> None:
    assert HERE.file_system_page(FILE_SYSTEM_ID) == (
        "https://us-east-1.console.aws.amazon.com/efs/home?region=us-east-1#/file-systems/fs-0123456789abcdef0"
    )
    assert CHINA.alarm_page("efs-home-warning") == (
        "https://cn-north-1.console.amazonaws.cn/cloudwatch/home?region=cn-north-1#alarmsV2:alarm/efs-home-warning"
    )
    assert GOVERNMENT.file_system_page(FILE_SYSTEM_ID).startswith(
        "https://us-gov-west-1.console.amazonaws-us-gov.com/efs/"
    )


def test_an_unknown_partition_gets_the_common_console() -> None:
    assert ".console.aws.amazon.com/" in replace(HERE, partition="aws-new").file_system_page(FILE_SYSTEM_ID)


def test_the_runbook_is_opened_at_a_heading() -> None:
    assert HERE.runbook("critical") == "https://wiki.example.com/efs/runbook#critical"


def test_the_graph_shows_the_minimum_of_balance_and_permitted_throughput() -> None:
    graph = unquote(HERE.balance_graph(FILE_SYSTEM_ID)).partition("#metricsV2:graph=~")[2]
    assert graph == (
        "(metrics~(~(~'AWS*2fEFS~'BurstCreditBalance~'FileSystemId~'fs-0123456789abcdef0)"
        "~(~'AWS*2fEFS~'PermittedThroughput~'FileSystemId~'fs-0123456789abcdef0~(yAxis~'right)))"
        "~view~'timeSeries~stacked~false~region~'us-east-1~stat~'Minimum~period~60~start~'-PT12H~end~'P0D)"
    )


def test_a_link_has_no_character_at_which_a_mail_program_ends_it() -> None:
    assert not set("()'\"<> ") & set(HERE.balance_graph(FILE_SYSTEM_ID))
