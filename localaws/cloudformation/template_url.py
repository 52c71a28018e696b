"""Templates by address, as `sam deploy` hands them over."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from localaws.cloudformation import template_limits
from localaws.cloudformation.error_codes import validation_error


def bucket_and_key(url: str) -> tuple[str, str]:
    """Where an address in path style or virtual-hosted style says that a template lies; ValueError for none."""
    parts = urlsplit(url)
    path = unquote(parts.path.lstrip("/"))
    virtual = re.match(r"(.+)\.s3[.-][a-z0-9.-]*amazonaws\.com$", parts.hostname or "")
    if virtual:
        return virtual.group(1), path
    bucket, key = path.split("/", 1)
    return bucket, key


def read(s3: Any, url: str) -> str:
    """A template from the local S3; `?versionId=` is understood."""
    bucket, key = bucket_and_key(url)
    version = parse_qs(urlsplit(url).query).get("versionId", [None])[0]
    extra = {"VersionId": version} if version else {}
    try:
        answer = s3.get_object(Bucket=bucket, Key=key, **extra)
    except (BotoCoreError, ClientError) as error:
        message = f"S3 error: {error} ({url})"
        raise validation_error(message) from error
    text = answer["Body"].read()
    template_limits.check_size(text)
    return str(text.decode())
