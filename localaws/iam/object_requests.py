"""Requests for objects of S3, which moto answers without the parsing of other services: may a session do that?

Known is a GET of an object whose bucket stands in the path, https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html.
"""

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import unquote

from moto.s3.models import s3_backends

from localaws.account import ACCOUNT_ID
from localaws.iam.operations import NotInTable
from localaws.iam.policy import Ask
from localaws.iam.sessions import AccessRefused, Session

PARTITION = "aws"


def refusal_of(session: Session, environ: Mapping[str, Any]) -> bytes | None:
    """S3's answer to what the session may not do; None where it may. NotInTable for another request than a GET of an
    object.
    """
    bucket, _, key = unquote(str(environ["PATH_INFO"])).removeprefix("/").partition("/")
    if environ["REQUEST_METHOD"] != "GET" or not key:
        message = f"localaws/iam/object_requests.py judges no {environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        raise NotInTable(message)
    known = s3_backends[ACCOUNT_ID][PARTITION].buckets.get(bucket)
    if known is None:
        # That there is no such bucket, S3 tells everybody.
        return None
    try:
        if key not in known.keys:
            # Whoever may not list a bucket is not told what is missing in it.
            session.require(Ask(action="s3:ListBucket", resource=f"arn:aws:s3:::{bucket}"))
        else:
            session.require(Ask(action="s3:GetObject", resource=f"arn:aws:s3:::{bucket}/{key}"))
    except AccessRefused as refused:
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<Error><Code>AccessDenied</Code><Message>{escape(str(refused))}</Message></Error>"
        ).encode()
    return None
