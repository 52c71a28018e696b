"""What AWS asks for what this stack uses or advises, in dollars: list prices, free tiers left out.

Other Regions and partitions differ, hence the Region beside every price that is shown. README, runbook and mails say
these and no others, which tests see to: where AWS changes one, change it here, with the date.
"""

from dataclasses import dataclass

REGION = "us-east-1"
AS_OF = "June 2026"
HOURS_PER_MONTH = 730


@dataclass(frozen=True)
class Price:
    """A price in dollars, as `listed`, for an `amount` of something; `source` is the page of AWS that says so."""

    listed: str
    amount: int
    source: str

    @property
    def dollars(self) -> float:
        """US dollars for a single unit."""
        return float(self.listed) / self.amount

    def __str__(self) -> str:
        return f"${self.listed} " + ("each" if self.amount == 1 else f"per {self.amount:,}")


_CLOUDWATCH = "https://aws.amazon.com/cloudwatch/pricing/"
_EFS = "https://aws.amazon.com/efs/pricing/"
_LAMBDA = "https://aws.amazon.com/lambda/pricing/"

# Elastic throughput, a GB; provisioned, above what the size earns, a MiB/s and month; storage, a GB and month.
ELASTIC_READ = Price("0.03", 1, _EFS)
ELASTIC_WRITTEN = Price("0.06", 1, _EFS)
PROVISIONED = Price("6.00", 1, _EFS)
STANDARD_STORAGE = Price("0.30", 1, _EFS)
# A GB and month in Infrequent Access, which is cheaper in elastic mode, and in the Standard class of One Zone.
# These, and what it costs to move, are from copies of AWS's price lists of us-east-1 and us-east-2, not from the page.
INFREQUENT_ACCESS_STORAGE = Price("0.025", 1, _EFS)
INFREQUENT_ACCESS_STORAGE_ELASTIC = Price("0.016", 1, _EFS)
ONE_ZONE_STANDARD_STORAGE = Price("0.16", 1, _EFS)
# A GB and month in Infrequent Access of One Zone, in every throughput mode: of the usage types in "Understanding
# billing and usage reports for Amazon EFS" only those of Regional file systems tell elastic throughput apart. The
# amount is as several others list it, for want of a copy of AWS's list that has it.
ONE_ZONE_INFREQUENT_ACCESS_STORAGE = Price("0.0133", 1, _EFS)
# A GB that is read from Infrequent Access, and one that is moved there.
INFREQUENT_ACCESS_MOVED = Price("0.01", 1, _EFS)

# An alarm costs this for each metric that it is about, a month.
ALARM_METRIC = Price("0.10", 1, _CLOUDWATCH)
# $0.30 a month of 720 hours: prorated by the hour, and charged only for hours in which a value is sent.
CUSTOM_METRIC_HOUR = Price("0.30", 720, _CLOUDWATCH)
DASHBOARD = Price("3.00", 1, _CLOUDWATCH)
GET_METRIC_DATA = Price("0.01", 1_000, _CLOUDWATCH)
CLOUDWATCH_CALL = Price("0.01", 1_000, _CLOUDWATCH)
# A MB, where a GB is 1,000.
LOGS = Price("0.50", 1_000, _CLOUDWATCH)

LAMBDA_REQUEST = Price("0.20", 1_000_000, _LAMBDA)
LAMBDA_ARM_GB_SECOND = Price("0.0133334", 1_000, _LAMBDA)
LAMBDA_X86_GB_SECOND = Price("0.0166667", 1_000, _LAMBDA)
SCHEDULER_START = Price("1.00", 1_000_000, "https://aws.amazon.com/eventbridge/pricing/")
MAIL = Price("2.00", 100_000, "https://aws.amazon.com/sns/pricing/")
KMS_KEY = Price("1.00", 1, "https://aws.amazon.com/kms/pricing/")
CONFIGURATION_ITEM = Price("0.003", 1, "https://aws.amazon.com/config/pricing/")
