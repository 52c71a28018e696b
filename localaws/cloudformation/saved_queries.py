"""Saved queries of CloudWatch Logs, which moto's Logs lacks: stored and listed, never run."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

from moto.logs.responses import LogsResponse


@dataclass(frozen=True)
class SavedQuery:
    """One query definition as the console would list it."""

    name: str
    text: str
    log_groups: tuple[str, ...]


_queries: dict[tuple[str, str, str], SavedQuery] = {}


def install() -> None:
    """Adds the three query-definition actions to moto's Logs API."""
    LogsResponse.put_query_definition = _put
    LogsResponse.delete_query_definition = _delete
    LogsResponse.describe_query_definitions = _describe


def _put(response: Any) -> str:
    parameters = json.loads(response.body)
    query_id = parameters.get("queryDefinitionId") or str(uuid.uuid4())
    _queries[response.current_account, response.region, query_id] = SavedQuery(
        parameters["name"], parameters["queryString"], tuple(parameters.get("logGroupNames", []))
    )
    return json.dumps({"queryDefinitionId": query_id})


def _delete(response: Any) -> str:
    key = (response.current_account, response.region, json.loads(response.body)["queryDefinitionId"])
    return json.dumps({"success": _queries.pop(key, None) is not None})


def _describe(response: Any) -> str:
    prefix = json.loads(response.body).get("queryDefinitionNamePrefix", "")
    found = [
        {
            "queryDefinitionId": query_id,
            "name": query.name,
            "queryString": query.text,
            "logGroupNames": list(query.log_groups),
        }
        for (account, region, query_id), query in _queries.items()
        if (account, region) == (response.current_account, response.region) and query.name.startswith(prefix)
    ]
    return json.dumps({"queryDefinitions": found})
