"""CloudWatch for the sandbox: metrics, alarms with their actions and history, dashboards.

Differs from AWS: periods are multiples of 60 seconds; no percentiles, searches, composite or anomaly alarms (all
refused by name); the metrics of one expression have one period; alarms are evaluated once a minute, on the minute, and
again in that minute after a function has run; an action whose target is not let in fails at once. Policies are judged
by principal, action, resource and the conditions StringEquals, StringLike, ArnLike, ArnEquals and Bool.
"""
