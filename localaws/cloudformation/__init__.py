"""A small, faithful CloudFormation: the real `sam deploy` and `aws cloudformation` work against it.

Where it differs from AWS:
- Resources are worked on one after the other; those that do not depend on each other in any order, which a seed
  chooses, where AWS works on them at the same time.
- What it does not know it refuses before anything is touched: resource types, properties, functions, transforms
  other than SAM's and AWS::Include, parameter types of other services, dynamic references. An action it lacks says so.
- Macros in a stack that is made or changed without a change set are expanded once the call was taken, and the stack's
  own events say how that went, as on AWS. Not known of AWS, and chosen: rules and parameters are judged before,
  capabilities for IAM afterwards; an update goes back without saying why again; the parameters of a stack whose macros
  failed are listed. A change set is ready, or has failed, at once.
- A rollback touches only what the failed update had begun to change.
- EventBridge is told of each status of a stack, not of its resources.
- Stack tags reach the resources; the `aws:cloudformation:` tags do not. A change of Metadata alone is no update.
- Bucket policies lose the statements that have a Condition (see `resources/s3.py`).
"""

from collections.abc import Callable
from typing import Any

import moto.cloudformation.urls

from localaws.cloudformation import saved_queries
from localaws.cloudformation.api import CloudFormationApi
from localaws.cloudformation.dependencies import Choice, first
from localaws.cloudformation.engine import CloudFormation
from localaws.cloudformation.service_calls import Connected, over_http

__all__ = ["CloudFormation", "install"]


def install(
    endpoint: Callable[[], str],
    publish: Callable[[dict[str, Any]], None] = lambda _: None,
    choose: Choice = first,
    connected: Connected = over_http,
    wait_until_heard: Callable[[], None] = lambda: None,
) -> CloudFormation:
    """Replaces moto's CloudFormation; call it before the moto application serves its first request.

    `endpoint` gives the server's own address (http://localhost:PORT) once it is known; `publish` takes the events for
    EventBridge; `choose` is given those resources that wait for nothing; `connected` is given each client of botocore
    by which resources are made; `wait_until_heard` waits for whoever was told of an event.
    """
    saved_queries.install()
    engine = CloudFormation(
        endpoint, publish=publish, choose=choose, connected=connected, wait_until_heard=wait_until_heard
    )
    CloudFormationApi.engine = engine
    moto.cloudformation.urls.url_paths = {
        "{0}/$": CloudFormationApi.dispatch,
        "{0}/cloudformation_(?P<region>[^/]+)/custom-resource-response$": (CloudFormationApi.custom_resource_response),
    }
    return engine
