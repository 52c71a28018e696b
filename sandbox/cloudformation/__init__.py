"""A small, faithful CloudFormation: the real `sam deploy` and `aws cloudformation` work against it.

It differs from AWS in that resources are worked on one after the other, and in that it refuses what it does
not know (types, properties, functions, transforms) where AWS knows more.
"""

from collections.abc import Callable

import moto.cloudformation.urls

from sandbox.cloudformation.api import CloudFormationApi
from sandbox.cloudformation.engine import CloudFormation

__all__ = ["CloudFormation", "install"]


def install(endpoint: Callable[[], str]) -> CloudFormation:
    """Replaces moto's CloudFormation; call it before the moto application serves its first request.

    `endpoint` gives the server's own address (http://localhost:PORT) once it is known.
    """
    engine = CloudFormation(endpoint)
    CloudFormationApi.engine = engine
    moto.cloudformation.urls.url_paths = {
        "{0}/$": CloudFormationApi.dispatch,
        "{0}/cloudformation_(?P<region>[^/]+)/custom-resource-response$": (CloudFormationApi.custom_resource_response),
    }
    return engine
