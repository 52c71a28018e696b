"""The SAM transform, by the translator that AWS itself runs."""

from __future__ import annotations

import json
import logging
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import boto3
from samtranslator.model.exceptions import InvalidDocumentException
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from localaws.cloudformation.error_codes import validation_error
from localaws.cloudformation.template import SERVERLESS_TRANSFORM, Template, transforms

if TYPE_CHECKING:
    from collections.abc import Mapping

TEMPLATES_KEPT = 16
"""Each has a tenth of a megabyte."""

# The translator collects metrics for AWS and warns when nobody publishes them.
logging.getLogger("samtranslator.metrics").setLevel(logging.ERROR)


def process(template: Template, parameters: Mapping[str, Any], region: str) -> Template:
    """The template with its transforms applied; one without a transform comes back as it was.

    Raises ValidationError with AWS's wording when the SAM document is invalid, and for every
    transform other than AWS::Serverless-2016-10-31.
    """
    declared = transforms(template)
    if unknown := [name for name in declared if name != SERVERLESS_TRANSFORM]:
        message = f"No transform named {unknown[0]} found: the sandbox knows only {SERVERLESS_TRANSFORM}"
        raise validation_error(message)
    if not declared:
        return template
    # What comes back is the caller's own to change.
    transformed: Template = json.loads(_transformed(json.dumps(template), json.dumps(dict(parameters)), region))
    return transformed


@lru_cache(TEMPLATES_KEPT)
def _transformed(template: str, parameters: str, region: str) -> str:
    """What SAM makes of a template with these parameters, both in JSON. Kept, since whoever deploys often does so with
    the same ones, and SAM makes the same of them.
    """
    translator = Translator({}, Parser(), boto_session=boto3.Session(region_name=region))
    try:
        translated = translator.translate(json.loads(template), json.loads(parameters), get_managed_policy_map=dict)
    except InvalidDocumentException as error:
        causes = " ".join(cause.message for cause in error.causes)
        message = f"Transform {SERVERLESS_TRANSFORM} failed with: {error.message} {causes}".rstrip()
        raise validation_error(message) from error
    return json.dumps(translated)
