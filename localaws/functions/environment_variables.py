"""The variables that Lambda takes for a function, and its words for the others.

https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
https://github.com/github-aws-runners/terraform-aws-github-runner/issues/3594
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from moto.awslambda.exceptions import InvalidParameterValueException

from localaws.service_error import ServiceError

LARGEST_BYTES = 4_096
NAME = "[a-zA-Z]([a-zA-Z0-9_])+"
RESERVED = (
    *("AWS_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_DEFAULT_REGION", "AWS_EXECUTION_ENV"),
    *("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_LAMBDA_FUNCTION_NAME", "AWS_LAMBDA_FUNCTION_VERSION"),
    *("AWS_LAMBDA_INITIALIZATION_TYPE", "AWS_LAMBDA_LOG_GROUP_NAME", "AWS_LAMBDA_LOG_STREAM_NAME"),
    *("AWS_LAMBDA_METADATA_API", "AWS_LAMBDA_METADATA_TOKEN", "AWS_LAMBDA_RUNTIME_API", "AWS_REGION"),
    *("AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY", "AWS_SECURITY_TOKEN", "AWS_SESSION_TOKEN", "LAMBDA_RUNTIME_DIR"),
    *("LAMBDA_TASK_ROOT", "_HANDLER", "_X_AMZN_TRACE_ID"),
)
REFUSAL = (
    "Lambda was unable to configure your environment variables because the environment variables you have provided"
)


def check_environment(environment: Mapping[str, Any] | None) -> None:
    """Raise what Lambda answers to a name that is none, to variables that it keeps to itself, and to more than 4 KB.

    Lambda measures the text that they are sent as, with its quotes and commas.
    """
    variables = (environment or {}).get("Variables") or {}
    if not all(re.fullmatch(NAME, name) for name in variables):
        message = (
            "1 validation error detected: Value at 'environment.variables' failed to satisfy constraint: Map keys must "
            f"satisfy constraint: [Member must satisfy regular expression pattern: {NAME}]"
        )
        raise ServiceError("ValidationException", message)
    if reserved := [name for name in RESERVED if name in variables]:
        message = (
            f"{REFUSAL} contains reserved keys that are currently not supported for modification. Reserved keys used "
            f"in this request: {', '.join(reserved)}"
        )
        raise InvalidParameterValueException(message)
    text = json.dumps(variables, separators=(",", ":"), ensure_ascii=False)
    if len(text.encode()) > LARGEST_BYTES:
        raise InvalidParameterValueException(f"{REFUSAL} exceeded the 4KB limit. String measured: {text}")
