"""What SendCommand refuses, and the command it makes of what it accepts."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from moto.moto_api._internal import mock_random
from moto.ssm.exceptions import InvalidDocument as NoSuchDocument
from moto.ssm.models import SimpleSystemManagerBackend

from localaws.account import ACCOUNT_ID
from localaws.service_error import ServiceError
from localaws.ssm import document, document_refusals
from localaws.ssm.command import Command, CommandInvocation
from localaws.ssm.instances import Instance, instances

DEFAULT_TIMEOUT_SECONDS = 3_600
TAG = "tag:"


def command(backend: SimpleSystemManagerBackend, request: Mapping[str, Any], now: datetime) -> Command:
    """The command; ServiceError with the codes of the API for everything that AWS refuses at once."""
    timeout_seconds = int(request.get("TimeoutSeconds") or DEFAULT_TIMEOUT_SECONDS)
    stored = _stored(backend, request)
    try:
        parsed = document.read(json.loads(stored.content))
        parameters = parsed.checked(request.get("Parameters") or {})
    except document.InvalidContent as refused:
        raise ServiceError("InvalidDocument", f"Document {stored.name}: {refused}.") from refused
    except document.InvalidParameters as refused:
        raise ServiceError("InvalidParameters", str(refused)) from refused
    document_refusals.check(stored.content, request.get("Parameters") or {})
    chosen = _chosen(request)
    return Command(
        id=str(mock_random.uuid4()),
        document_name=stored.name,
        document_version=stored.document_version,
        document=parsed,
        parameters=parameters,
        requested=now,
        timeout_seconds=timeout_seconds,
        invocations=[
            CommandInvocation(instance_id=one.id, requested=now, expires=now + timedelta(seconds=timeout_seconds))
            for one in chosen
        ],
        targets=request.get("Targets") or (),
        comment=request.get("Comment") or "",
        maximum_concurrency=request.get("MaxConcurrency") or "50",
        maximum_errors=request.get("MaxErrors") or "0",
    )


def _stored(backend: SimpleSystemManagerBackend, request: Mapping[str, Any]) -> Any:
    name = request["DocumentName"]
    try:
        documents = backend._get_documents(name)
    except NoSuchDocument as missing:
        raise ServiceError("InvalidDocument", f"Document with name {name} does not exist.") from missing
    wanted = request.get("DocumentVersion") or "$DEFAULT"
    named = {"$DEFAULT": documents.get_default_version, "$LATEST": documents.get_latest_version}
    stored = named[wanted]() if wanted in named else documents.find_by_version(wanted)
    if stored is None:
        raise ServiceError("InvalidDocumentVersion", f"Document {name} has no version {wanted}.")
    if stored.document_type != "Command":
        raise ServiceError("InvalidDocument", f"Document {name} is of type {stored.document_type}, not Command.")
    return stored


def _chosen(request: Mapping[str, Any]) -> list[Instance]:
    ids: Sequence[str] = request.get("InstanceIds") or ()
    targets: Sequence[Mapping[str, Any]] = request.get("Targets") or ()
    if bool(ids) == bool(targets):
        raise ServiceError("ValidationException", "Give either InstanceIds or Targets.")
    if targets:
        return [one for one in instances().values() if all(_is_meant(one, target) for target in targets)]
    if len(set(ids)) < len(ids):
        raise ServiceError("DuplicateInstanceId", f"InstanceIds names one more than once: {', '.join(ids)}.")
    if unknown := [one for one in ids if one not in instances()]:
        # AWS's own words, for an instance that is gone, stopped for good, or was never managed.
        raise ServiceError(
            "InvalidInstanceId", f"Instances [[{', '.join(unknown)}]] not in a valid state for account {ACCOUNT_ID}"
        )
    return [instances()[one] for one in ids]


def _is_meant(instance: Instance, target: Mapping[str, Any]) -> bool:
    key, values = target["Key"], list(target["Values"])
    if key.lower() == "instanceids":
        return instance.id in values
    if key.startswith(TAG):
        return instance.has_tag(key.removeprefix(TAG), values)
    raise ServiceError("ValidationException", f"the sandbox's targets are InstanceIds and tag:KEY; not {key}")
