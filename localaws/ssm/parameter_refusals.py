"""What a parameter's name and value may be, beyond the model of the API.

https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-su-create.html
"""

import re
from collections.abc import Callable
from typing import Any

from moto.ssm.responses import SimpleSystemManagerResponse

from localaws.service_error import ServiceError

MOST_STANDARD_BYTES = 4_096
# As Systems Manager says it: https://github.com/hashicorp/terraform-provider-aws/issues/18521
REFUSAL = (
    f"Standard tier parameters support a maximum parameter value of {MOST_STANDARD_BYTES} characters. To create a "
    "larger parameter value, upgrade the parameter to use the advanced-parameter tier. For more information, see "
    "https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html"
)

# A value that names another parameter: https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutParameter.html
NESTED = re.compile(r"\{\{.*\}\}", re.DOTALL)
# As Systems Manager says it; with which code, nobody writes.
NESTED_REFUSAL = 'Parameter value can\'t nest another parameter. Do not use "{{}}" in the value.'

NAME = re.compile(r"[A-Za-z0-9_./-]+")
# The sentence that moto has for names with a reserved beginning, which tells of characters as well.
NAME_REFUSAL = (
    'Parameter name: can\'t be prefixed with "ssm" (case-insensitive). If formed as a path, it can consist of '
    "sub-paths divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 "
    "symbols .-_"
)
MOST_LEVELS = 15
LEVELS_REFUSAL = f"A hierarchy can have a maximum of {MOST_LEVELS} levels."

type Answer = Callable[[SimpleSystemManagerResponse], Any]


def refusing_with(theirs: Answer) -> Answer:
    """`SimpleSystemManagerResponse.put_parameter`.

    The refusal says characters, the quota 4 KB: counted are bytes, rather refused here than there.
    """

    def put_parameter(response: SimpleSystemManagerResponse) -> Any:
        name = response._get_param("Name").strip(" ")
        if not NAME.fullmatch(name):
            raise ServiceError("ValidationException", NAME_REFUSAL)
        if name.strip("/").count("/") >= MOST_LEVELS:
            raise ServiceError("HierarchyLevelLimitExceededException", LEVELS_REFUSAL)
        is_standard = (response._get_param("Tier") or "Standard") == "Standard"
        if is_standard and len(response._get_param("Value").encode()) > MOST_STANDARD_BYTES:
            raise ServiceError("ValidationException", REFUSAL)
        if NESTED.search(response._get_param("Value")):
            raise ServiceError("ValidationException", NESTED_REFUSAL)
        return theirs(response)

    return put_parameter
