"""What Amazon EFS costs, as AWS lists it for us-east-1: https://aws.amazon.com/efs/pricing/.

All second calculations read it here. It shares nothing with the prices from which mails and advice are written, so a
price that is mistaken there shows.
"""

ELASTIC_READ_DOLLARS_A_GIB, ELASTIC_WRITTEN_DOLLARS_A_GIB = 0.03, 0.06
PROVISIONED_DOLLARS_A_MIB_SECOND = 6.0
STANDARD_STORAGE_DOLLARS_A_GB = 0.3
HOURS_A_MONTH = 730
