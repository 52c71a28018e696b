"""What each parameter of the template takes, at its bounds, and what it refuses, just beyond them."""

from dataclasses import dataclass

BOUNDARY = "arn:aws:iam::123456789012:policy/developers"
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
INSTANCE = "i-0123456789abcdef0"
TOPIC = "arn:aws:sns:us-east-1:123456789012:storage-alarms"


@dataclass(frozen=True)
class Values:
    """Values of one parameter; the first that it takes is the shortest or lowest, the last the longest or highest."""

    taken: tuple[str, ...]
    refused: tuple[str, ...]


def whole_number(lowest: int, highest: int, *, besides: tuple[str, ...] = ()) -> Values:
    """Whole numbers between two, and what people and programs take for one."""
    middle = (lowest + highest) // 2
    other_ways = (f"{middle}.0", f"{middle}.5", f"{middle}e0", f"0{middle}", f"+{middle}", f"-{middle}", f" {middle}")
    no_numbers = ("", "many", "NaN", "Infinity", "0x1f", "٦٠", f"{middle} ", f"{middle}\n", f"{middle},0")
    below = () if lowest == 0 else (str(lowest - 1), *({"0"} - {*besides, str(lowest - 1)}))
    return Values(
        taken=(*besides, str(lowest), str(middle), str(highest)),
        refused=(*below, "-1", str(highest + 1), f"{highest}0", *other_ways, *no_numbers),
    )


def choice(*taken: str) -> Values:
    """One of a few words, as they are written."""
    return Values(taken, ("", taken[0].upper(), f" {taken[0]}", f"{taken[0]}\n", "none"))


def path(letter: str) -> Values:
    """An absolute path of a directory whose name begins with the letter, or none."""
    return Values(
        taken=("", f"/{letter}", f"/{letter}/efs", f"/{letter}/a-b/c_d.e", f"/{letter * 255}"),
        refused=(
            *("/", "a", "mnt/efs", "/mnt/efs/", "/mnt//efs", "/mnt/../etc", "/mnt/.efs", "/mnt/e fs", "/mnt/efs\n"),
            *("/mnt/\nefs", "/mnt/$(reboot)", "/mnt/`id`", "/mnt/a;b", "/mnt/a'b", '/mnt/a"b', "/mnt/a&b", "/mnt/é"),
            *("/mnt/[a]", "/mnt/a\\b", f"/{letter * 256}"),
        ),
    )


def topic(name: str) -> Values:
    """The ARN of a standard topic, or none."""
    arn = f"{TOPIC}-{name}"
    return Values(
        taken=("", f"{TOPIC[:-14]}x", arn, arn.replace("arn:aws:", "arn:aws-us-gov:"), f"{TOPIC[:-14]}{'n' * 256}"),
        refused=(
            *("alarms", f"{arn}.fifo", arn.removeprefix("arn:"), f"{arn} ", f"{arn}\n", f" {arn}", f"{arn},{arn}"),
            *(arn.replace("123456789012", "12345678901"), arn.replace(":sns:", ":sqs:"), TOPIC[:-14], f"{arn}:x"),
            *(f"{TOPIC[:-14]}{'n' * 257}", f"{arn}/x", f"{arn}é", arn.upper(), "https://example.com"),
        ),
    )


PARAMETERS: dict[str, Values] = {
    "FileSystemId": Values(
        taken=("fs-01234567", "fs-89abcdef", "fs-0123456789abcdef0"),
        refused=(
            *("", "fs-", "fs-0123456", "fs-012345678", "fs-0123456789abcdef", "fs-0123456789abcdef01", "fs-0123456G"),
            *("fs-0123ABCD", "FS-01234567", " fs-01234567", "fs-01234567\n", "fs-01234567 fs-01234567"),
            "arn:aws:elasticfilesystem:us-east-1:123456789012:file-system/fs-01234567",
        ),
    ),
    "AlertEmail": Values(
        taken=(
            *("", "a@b.cd", "team@example.com", "first.last+efs@sub.example.co.uk", "a.b.c@example.com", "a@1.b-2.io"),
            *(f"{'a' * 64}@example.com", f"{'a' * 32}.{'b' * 31}@example.com", "a@example.xn--p1ai"),
            *(f"a@{'b' * 63}.com", f"a@example.{'c' * 63}", f"{'a' * 64}@{'b' * 63}.{'c' * 63}.{'d' * 61}"),
        ),
        refused=(
            *("team", "team.example.com", "@example.com", "team@", "team@localhost", "a@b@example.com", "team@.com"),
            *("a@example.com,b@example.com", "te am@example.com", "team@example.com\n", "team@exa\u00a0mple.com"),
            *("<team@example.com>", "tëam@example.com", "team@exämple.com", "team@example..com", "team@example.com."),
            *("team@-example.com", "team@example-.com", ".@-.-", "..a@example.com", ".a@example.com", "a.@example.com"),
            *("a..b@example.com", "a@b.c", "a@example.com-", "a@example.1a", "a@192.0.2.1", f"{'a' * 65}@example.com"),
            *(f"a@{'b' * 64}.com", f"a@example.{'c' * 64}", f"{'a' * 64}@{'b' * 63}.{'c' * 63}.{'d' * 62}"),
        ),
    ),
    "WarningTopicArn": topic("warning"),
    "CriticalTopicArn": topic("critical"),
    "AdviceTopicArn": topic("advice"),
    "ChatMessages": choice("on", "off"),
    "WarningMinutes": whole_number(40, 360),
    "CriticalMinutes": whole_number(20, 340),
    "RiseTolerancePercent": whole_number(1, 100),
    "RepeatWarningHours": whole_number(0, 168),
    "RepeatCriticalHours": whole_number(0, 168),
    "ElasticDailyUSD": whole_number(0, 100_000),
    "SilentMetricsHours": whole_number(0, 72),
    "RunbookUrl": Values(
        taken=("", "http://a", "https://wiki.example.com/efs?page=1", f"https://{'a' * 248}"),
        refused=(
            *("wiki/efs", "ftp://example.com/", "https://", "https://example.com/a b", 'https://example.com/"'),
            *("https://example.com/\\", "https://example.com/[a]", "https://exämple.com", "https://example.com/\n"),
            *("https://example.com/x'y", "HTTPS://example.com", " https://example.com", f"https://{'a' * 249}"),
        ),
    ),
    "UtilizationAlarm": choice("off", "on"),
    "IoLimitAlarm": choice("off", "on"),
    "Dashboard": choice("on", "off"),
    "BenchmarkPath": path("p"),
    "BenchmarkSchedule": Values(
        taken=(
            *("", "rate(1 hour)", "rate(1 day)", "rate(12 hours)", "rate(7 days)", "rate(999 days)"),
            *("cron(0 3 * * ? *)", "cron(59 23 ? * MON-FRI *)", "cron(05 */6 L * ? 2030)", "cron(0 3 ? JAN 6#3 *)"),
        ),
        refused=(
            *("daily", "rate(1 days)", "rate(0 days)", "rate(1 hours)", "rate(1000 days)", "rate(5 minutes)"),
            *("rate(1.5 days)", "rate(1 day) ", "Rate(1 day)", "cron(0 3 * * *)", "cron(0 3 * * * *)"),
            *("cron(0 3 ? * ? *)", "cron(* * * * ? *)", "cron(*/5 * * * ? *)", "cron(0,30 3 * * ? *)"),
            *("cron(60 3 * * ? *)", "cron(0 3 * * ? *)\n", "cron(0 3 * * ? * *)", "at(2026-11-17T03:00:00)"),
        ),
    ),
    "BenchmarkProfile": choice("quick", "tutorial", "sweep", "copy"),
    "BenchmarkInstanceIds": Values(
        taken=("", "i-01234567", INSTANCE, f"{INSTANCE},i-01234567", ",".join([INSTANCE] * 5)),
        refused=(
            *("web", "i-123", "mi-0123456789abcdef0", "i-01234567, i-01234568", "i-01234567,", "i-0123456G"),
            *("I-01234567", "i-01234567\n", ",".join(["i-01234567"] * 6)),
        ),
    ),
    "BenchmarkLocalPath": path("l"),
    "BenchmarkSizeMiB": whole_number(16, 20_480, besides=("0",)),
    "MaxCreditSharePercent": whole_number(1, 100),
    "MonthlyGiBBudget": whole_number(0, 100_000),
    "BenchmarkFailuresAlarm": choice("off", "on"),
    "RegressionsAlarm": choice("off", "on"),
    "EncryptionKeyArn": Values(
        taken=("", KEY, KEY.replace("arn:aws:", "arn:aws-us-gov:"), KEY.replace("arn:aws:", "arn:aws-eusc:")),
        refused=(
            *("alias/aws/sns", KEY.replace(":key/", ":alias/"), KEY.removeprefix("arn:"), f"{KEY} ", f"{KEY}\n"),
            *(KEY.replace("123456789012", "12345678901"), KEY.replace(":kms:", ":sns:"), KEY.rpartition("/")[0]),
        ),
    ),
    "PermissionsBoundaryArn": Values(
        taken=(
            *("", BOUNDARY, BOUNDARY.replace("123456789012", "aws"), BOUNDARY.replace("arn:aws:", "arn:aws-cn:")),
            *(BOUNDARY.replace("policy/", "policy/team/"), f"{BOUNDARY}{'b' * (200 - len(BOUNDARY))}"),
        ),
        refused=(
            *("boundary", BOUNDARY.replace(":policy/", ":role/"), BOUNDARY.removeprefix("arn:"), f"{BOUNDARY} "),
            *(BOUNDARY.replace("iam::", "iam:us-east-1:"), f"{BOUNDARY}\n", f"{BOUNDARY}{'b' * (201 - len(BOUNDARY))}"),
        ),
    ),
    "LogRetentionDays": Values(taken=("1", "30", "3653"), refused=("", "0", "2", "31", "3654", "30.5", "forever")),
    "Architecture": choice("arm64", "x86_64"),
}

POLICY_NAME = Values(
    taken=("", "d", "developers", "team/developers", "a/b/c", "a+=,.@_-b", "d" * 150),
    refused=(
        *("/developers", "developers/", "team//developers", "dev elopers", "developers\n", "d" * 151, "dévelopers"),
        *(BOUNDARY, "developers:1"),
    ),
)
FLEET_PARAMETERS: dict[str, Values] = {
    "ReleaseBucket": Values(
        taken=("abc", "example-artifacts", "a.b.c", "b" * 63),
        refused=("", "ab", "Example", "-example", "example-", "exam_ple", "example\n", "exam ple", "a..b", "b" * 64),
    ),
    "ReleaseTemplate": Values(
        taken=("t", "efs-monitor-0.1.0/template.yaml", "a/b/c_d.e", "t" * 149),
        refused=("", "/template.yaml", "template.yaml/", "a//b", "a b", "template.yaml\n", "tëmplate", "t" * 150),
    ),
    "FleetName": Values(
        taken=("e", "efs-fleet", "fs", "e-f", "efs-fsx", "e2-f0", "e" * 16),
        refused=(
            *("", "2efs", "Efs", "efs-", "-efs", "efs--fleet", "efs-fs", "efs-fs-a", "efs_fleet", "efs\n", "efs fleet"),
            "e" * 17,
        ),
    ),
    "FleetTag": Values(
        taken=("", "monitored", "team=storage", "team=", "a b=c=d", f"{'k' * 128}={'v' * 256}"),
        refused=("=storage", f"{'k' * 129}", f"k={'v' * 257}", "team=stor;age", "tëam", "team\n", "team=a\n"),
    ),
    "MonitorParameters": Values(
        taken=(
            *("", "WarningMinutes=240; ChatMessages=on", "RunbookUrl=https://example.com/a;b;Architecture=arm64;"),
            f"A={'x' * 1668}",
        ),
        refused=("WarningMinutes", "x=1", "=1", "A=é", f"A={'x' * 1669}"),
    ),
    "GraceHours": Values(
        taken=("0", "9", "24", "99", "720"),
        refused=("", "-1", "721", "799", "1000", "024", "24.0", "24\n", " 24", "a", "٦"),
    ),
    "AlertEmail": PARAMETERS["AlertEmail"],
    "DigestHour": Values(taken=("0", "9", "10", "23"), refused=("", "24", "-1", "06", "6.0", "6\n", " 6", "030", "٦")),
    "Dashboard": PARAMETERS["Dashboard"],
    "EncryptionKeyArn": PARAMETERS["EncryptionKeyArn"],
    "PermissionsBoundaryPolicy": POLICY_NAME,
    "FormerBoundaryPolicy": POLICY_NAME,
    "LogRetentionDays": PARAMETERS["LogRetentionDays"],
    "Architecture": PARAMETERS["Architecture"],
}
