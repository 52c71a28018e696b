"""Templates by address, as `sam deploy` hands them over."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from localaws.cloudformation import template_limits
from localaws.cloudformation.errors import validation_error


def read(s3: Any, url: str) -> str:
    """A template from the local S3; path style, virtual-hosted style and `?versionId=` are understood."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    path = unquote(parts.path.lstrip("/"))
    virtual = re.match(r"(.+)\.s3[.-][a-z0-9.-]*amazonaws\.com$", host)
    bucket, key = (virtual.group(1), path) if virtual else path.split("/", 1)
    version = parse_qs(parts.query).get("versionId", [None])[0]
    extra = {"VersionId": version} if version else {}
    try:
        answer = s3.get_object(Bucket=bucket, Key=key, **extra)
    except (BotoCoreError, ClientError) as error:
        message = f"S3 error: {error} ({url})"
        raise validation_error(message) from error
    text = answer["Body"].read()
    template_limits.check_size(text)
    return str(text.decode())
