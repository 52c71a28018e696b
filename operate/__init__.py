"""efs-monitor: what a person runs against an account, or against what was recorded of one."""
