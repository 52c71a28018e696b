"""The mail CloudWatch itself writes."""

from collections.abc import Callable

from localaws.sandbox import Sandbox


def test_an_alarm_reaches_the_operator_in_cloudwatchs_own_words(
    sandbox: Sandbox,
    put_alarm: Callable[..., None],
    pass_minutes: Callable[..., None],
    subscribed_topic: str,
) -> None:
    put_alarm(
        "fs-warning",
        AlarmDescription="About 60 minutes left.\nRaise the throughput.",
        Threshold=1_132_462_080_000.0,
        EvaluationPeriods=15,
        AlarmActions=[subscribed_topic],
    )
    pass_minutes(2e12, 1e12)
    (mail,) = sandbox.mailbox.mails
    assert mail.subject == 'ALARM: "fs-warning" in US East (N. Virginia)'
    reason = (
        "Threshold Crossed: 1 out of the last 15 datapoints [1.0E12 (07/01/30 00:01:00)] was less than the threshold "
        "(1.13246208E12) (minimum 1 datapoint for OK -> ALARM transition)."
    )
    assert (
        mail.body.partition("\n\n--\n")[0]
        == f"""\
You are receiving this email because your Amazon CloudWatch Alarm "fs-warning" in the US East (N. Virginia) region \
has entered the ALARM state, because "{reason}" at "Monday 07 January, 2030 00:02:00 UTC".

View this alarm in the AWS Management Console:
https://us-east-1.console.aws.amazon.com/cloudwatch/deeplink.js?region=us-east-1#alarmsV2:alarm/fs-warning

Alarm Details:
- Name:                       fs-warning
- Description:                About 60 minutes left.
Raise the throughput.
- State Change:               OK -> ALARM
- Reason for State Change:    {reason}
- Timestamp:                  Monday 07 January, 2030 00:02:00 UTC
- AWS Account:                123456789012
- Alarm Arn:                  arn:aws:cloudwatch:us-east-1:123456789012:alarm:fs-warning

Threshold:
- The alarm is in the ALARM state when the metric is LessThanThreshold 1.13246208E12 for at least 1 of the last 15 \
period(s) of 60 seconds.

Monitored Metric:
- MetricNamespace:                     AWS/EFS
- MetricName:                          BurstCreditBalance
- Dimensions:                          [FileSystemId = fs-0123456789abcdef0]
- Period:                              60 seconds
- Statistic:                           Minimum
- Unit:                                not specified
- TreatMissingData:                    ignore


State Change Actions:
- OK:
- ALARM: [{subscribed_topic}]
- INSUFFICIENT_DATA:"""
    )
