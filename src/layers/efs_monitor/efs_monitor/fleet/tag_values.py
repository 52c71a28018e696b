"""What the tags of a file system mean where a tag cannot hold what a parameter is.

In a tag's value EFS takes letters, digits, spaces and _.:/=+-@, 256 at most: no parenthesis, no comma, no asterisk.
https://docs.aws.amazon.com/efs/latest/ug/API_Tag.html
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TagForm:
    """What is `written` in a tag, what it `means` in the parameter, and the sentence for whoever wrote it otherwise."""

    written: re.Pattern[str]
    means: str
    sentence: str


TAG_FORMS = {
    "BenchmarkSchedule": TagForm(
        written=re.compile(r"^rate (.*)$"),
        means=r"rate(\1)",
        sentence="a tag holds a rate, written as rate 1 day, at most hourly, or nothing; a cron, whose signs EFS takes "
        "in no tag, MonitorParameters give.",
    ),
}
_WHERE = (
    "no tag may say where a benchmark runs; MonitorParameters give it, those of another fleet with a FleetTag of its "
    "own for some"
)
# What no tag may say, and who does, because whoever may tag a file system need not be somebody who may: on which
# instances a benchmark runs, and where on them, as root; what the roles of a stack may do at most.
NOT_BY_TAG = {
    "BenchmarkInstanceIds": _WHERE,
    "BenchmarkLocalPath": _WHERE,
    "PermissionsBoundaryArn": "no tag may say what a role may do; the fleet's own PermissionsBoundaryPolicy does",
}


def value_of_tag(parameter: str, text: str) -> str:
    """The parameter's value that a tag stands for: what has no form of its own in tags stands there as it is."""
    form = TAG_FORMS.get(parameter)
    return form.written.sub(form.means, text) if form else text
