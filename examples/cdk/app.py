"""The monitor of one file system in an app of CDK, from a release: unpack efs-monitor-VERSION.zip, and in its folder

    aws cloudformation package --template-file whole.yaml --s3-bucket BUCKET --s3-prefix efs-monitor-home \
        --use-json --output-template-file packaged.json

Put packaged.json beside this file, then, in an account and Region that `cdk bootstrap` has prepared,

    pip install aws-cdk-lib && cdk deploy --no-previous-parameters --app "python3 app.py"

Without that option every value stays what it was at the first deployment, whatever stands below. CDK reads no template
that includes files, so it is whole.yaml.
"""

import json
from pathlib import Path

from aws_cdk import App, Stack
from aws_cdk.cloudformation_include import CfnInclude

PACKAGED = Path(__file__).parent / "packaged.json"
# Every parameter of the template, at its default but for the first two: what the stack is deployed with.
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
    """The stack, with what the template has in it; of CDK's own there is only the version of its bootstrap. Parameters,
    resources and outputs keep their names: by its parameter FileSystemId a fleet knows what the stack watches.
    """
    stack = Stack(app, "efs-monitor-home")
    included = CfnInclude(stack, "Monitor", template_file=str(PACKAGED))
    for name, value in PARAMETERS.items():
        included.get_parameter(name).default = value
    for name, resource in json.loads(PACKAGED.read_text())["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function" and "EventInvokeConfig" in resource["Properties"]:
            # CDK insists on a destination for success, which SAM does not: handed over as it is written.
            function = included.get_resource(name)
            function.event_invoke_config = None
            function.add_property_override("EventInvokeConfig", resource["Properties"]["EventInvokeConfig"])
    return stack


if __name__ == "__main__":
    app = App()
    monitor(app)
    app.synth()
