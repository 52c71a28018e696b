"""What EFS takes as a tag: moto takes whatever it is given.

https://docs.aws.amazon.com/efs/latest/ug/API_Tag.html
"""

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from moto.core.exceptions import JsonRESTError
from moto.efs.responses import EFSResponse

TAG_KEY = r"^(?![aA]{1}[wW]{1}[sS]{1}:)([\p{L}\p{Z}\p{N}_.:/=+\-@]+)$"
TAG_VALUE = r"^([\p{L}\p{Z}\p{N}_.:/=+\-@]*)$"
LONGEST_KEY, LONGEST_VALUE = 128, 256
# Python's own expressions know no categories of Unicode: letters, separators and numbers.
CATEGORIES, SIGNS = "LZN", "_.:/=+-@"
# Every call that brings tags.
TAGGING = ("create_access_point", "create_file_system", "tag_resource")

type Answer = Callable[[EFSResponse], Any]


def refusing_with(theirs: Answer) -> Answer:
    """Moto's own answer, unless a tag may not be: then the request is refused, and nothing of it is done."""

    def answer(response: EFSResponse) -> Any:
        if problems := list(_problems(response._get_param("Tags") or [])):
            counted = "1 validation error" if len(problems) == 1 else f"{len(problems)} validation errors"
            raise JsonRESTError("ValidationException", f"{counted} detected: {'; '.join(problems)}")
        return theirs(response)

    return answer


def _problems(tags: list[dict[str, str]]) -> Iterator[str]:
    """In the words in which EFS refuses other values, such as the path of an access point."""
    for number, tag in enumerate(tags, 1):
        for member, longest, pattern in (("Key", LONGEST_KEY, TAG_KEY), ("Value", LONGEST_VALUE, TAG_VALUE)):
            text = tag.get(member, "")
            where = f"Value '{text}' at 'tags.{number}.member.{member.lower()}'"
            said = f"{where} failed to satisfy constraint: Member must"
            if len(text) > longest:
                yield f"{said} have length less than or equal to {longest}"
            if not all(map(_is_taken, text)) or (member == "Key" and text.lower().startswith("aws:")):
                yield f"{said} satisfy regular expression pattern: {pattern}"


def _is_taken(character: str) -> bool:
    return character in SIGNS or unicodedata.category(character)[0] in CATEGORIES
