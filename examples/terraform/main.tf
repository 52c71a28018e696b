# The monitor of one file system as a stack of CloudFormation, from a release: unpack efs-monitor-VERSION.zip, run the
# first command of its README (`aws cloudformation package`), and put packaged.yaml beside this file.

terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "file_system_id" {
  description = "The file system to watch."
  type        = string
}

variable "alert_email" {
  description = "Where mails go; each topic that the stack makes asks this address for confirmation."
  type        = string
  default     = ""
}

variable "bucket" {
  description = "A bucket in the Region: CloudFormation takes no template of this length without one."
  type        = string
}

variable "parameters" {
  description = "Any other parameter of docs/parameters.md by its name, such as { WarningMinutes = \"240\" }."
  type        = map(string)
  default     = {}
}

data "aws_s3_bucket" "artifacts" {
  bucket = var.bucket
}

resource "aws_s3_object" "template" {
  bucket = data.aws_s3_bucket.artifacts.id
  # Named by its content: another template is another address.
  key    = "efs-monitor/${filesha256("${path.module}/packaged.yaml")}.yaml"
  source = "${path.module}/packaged.yaml"
}

resource "aws_cloudformation_stack" "efs_monitor" {
  name         = "efs-monitor-${var.file_system_id}"
  template_url = "https://${data.aws_s3_bucket.artifacts.bucket_regional_domain_name}/${aws_s3_object.template.key}"
  # Roles, and macros: without a change set of its own a stack with a transform needs the second.
  capabilities = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
  # Every parameter of the template, at its default.
  parameters = merge({
    FileSystemId           = var.file_system_id
    AlertEmail             = var.alert_email
    WarningTopicArn        = ""
    CriticalTopicArn       = ""
    AdviceTopicArn         = ""
    ChatMessages           = "off"
    WarningMinutes         = "180"
    CriticalMinutes        = "60"
    RiseTolerancePercent   = "10"
    RepeatWarningHours     = "24"
    RepeatCriticalHours    = "4"
    ElasticDailyUSD        = "0"
    SilentMetricsHours     = "3"
    RunbookUrl             = ""
    UtilizationAlarm       = "off"
    IoLimitAlarm           = "off"
    Dashboard              = "on"
    BenchmarkPath          = ""
    BenchmarkSchedule      = "rate(1 day)"
    BenchmarkProfile       = "quick"
    BenchmarkInstanceIds   = ""
    BenchmarkLocalPath     = ""
    BenchmarkSizeMiB       = "0"
    MaxCreditSharePercent  = "1"
    MonthlyGiBBudget       = "30"
    BenchmarkFailuresAlarm = "off"
    RegressionsAlarm       = "off"
    EncryptionKeyArn       = ""
    PermissionsBoundaryArn = ""
    LogRetentionDays       = "30"
    Architecture           = "arm64"
  }, var.parameters)
}

output "outputs" {
  description = "Thresholds, topics and what is left to do (NextStep)."
  value       = aws_cloudformation_stack.efs_monitor.outputs
}
