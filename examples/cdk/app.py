"""The monitor of one file system in an app of CDK, from a release: unpack efs-monitor-VERSION.zip, and in its folder

    aws cloudformation package --template-file whole.yaml --s3-bucket BUCKET --s3-prefix efs-monitor-home \
        --use-json --output-template-file packaged.json

Put packaged.json beside this file, then `pip install aws-cdk-lib && cdk deploy --app "python3 app.py"`. CDK reads no
template that includes files, so it is whole.yaml.
"""

import json
from pathlib import Path

from aws_cdk import App, Stack
from aws_cdk.cloudformation_include import CfnInclude

PACKAGED = Path(__file__).parent / "packaged.json"
# Every parameter of the template, at its default but for the first two.
PARAMETERS = {
    "FileSystemId": "fs-0123456789abcdef0",
    "AlertEmail": "storage-team@example.com",
    "WarningTopicArn": "",
    "CriticalTopicArn": "",
    "AdviceTopicArn": "",
    "ChatMessages": "off",
    "WarningMinutes": "180",
    "CriticalMinutes": "60",
    "RiseTolerancePercent": "10",
    "RepeatWarningHours": "24",
    "RepeatCriticalHours": "4",
    "ElasticDailyUSD": "0",
    "SilentMetricsHours": "3",
    "RunbookUrl": "",
    "UtilizationAlarm": "off",
    "IoLimitAlarm": "off",
    "Dashboard": "on",
    "BenchmarkPath": "",
    "BenchmarkSchedule": "rate(1 day)",
    "BenchmarkProfile": "quick",
    "BenchmarkInstanceIds": "",
    "BenchmarkLocalPath": "",
    "BenchmarkSizeMiB": "0",
    "MaxCreditSharePercent": "1",
    "MonthlyGiBBudget": "30",
    "BenchmarkFailuresAlarm": "off",
    "RegressionsAlarm": "off",
    "EncryptionKeyArn": "",
    "PermissionsBoundaryArn": "",
    "LogRetentionDays": "30",
    "Architecture": "arm64",
}


def monitor(app: App) -> Stack:
    """The stack, with what the template has in it and nothing of CDK's own; resources and outputs keep their names."""
    stack = Stack(app, "efs-monitor-home")
    included = CfnInclude(stack, "Monitor", template_file=str(PACKAGED), parameters=PARAMETERS)
    for name, resource in json.loads(PACKAGED.read_text())["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function" and "EventInvokeConfig" in resource["Properties"]:
            # CDK insists on a destination for success, which SAM does not: handed over as it is written.
            function = included.get_resource(name)
            function.event_invoke_config = None
            function.add_property_override("EventInvokeConfig", given(resource["Properties"]["EventInvokeConfig"]))
    return stack


def given(value: object) -> object:
    """A part of the template with the parameters' values in it: CDK puts these in place of the parameters."""
    if isinstance(value, list):
        return [given(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.get("Ref") in PARAMETERS:
        return PARAMETERS[value["Ref"]]
    return {key: given(one) for key, one in value.items()}


if __name__ == "__main__":
    app = App()
    monitor(app)
    app.synth()
