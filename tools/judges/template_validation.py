"""Holds templates against the CloudFormation team's own schemas and rules, without the network.

    python -m tools.judges.template_validation TEMPLATE...

Errors are never explained away; warnings are, in .cloudformation-validate.yaml. What it has for information only
(tags that could be set, properties that a change would replace) is left out.
"""

import sys
from pathlib import Path

import yaml
from cloudformation_validate import CompositeEngine, Severity

from tools.judges.explanations import Found, explained, objections, of_template

EXPLANATIONS = Path(__file__).parent.parent.parent / ".cloudformation-validate.yaml"
# A judge that finds nothing wrong in this has no eyes.
KNOWN_WRONG = b"Resources: {Topic: {Type: AWS::SNS::Topic, Properties: {TopicNam: x}}}"
NOT_INFORMATION = {severity for severity in Severity if severity.name not in {"INFO", "DEBUG"}}


def main(arguments: list[str]) -> int:
    """1 when anything is wrong."""
    engine = CompositeEngine()
    if not [one for one in engine.validate_template(KNOWN_WRONG).diagnostics if one.severity in NOT_INFORMATION]:
        print("cloudformation-validate no longer sees a property that does not exist", file=sys.stderr)
        return 1
    explanations = explained(yaml.safe_load(EXPLANATIONS.read_text(encoding="utf-8"))["explained"])
    wrong = 0
    for name in arguments:
        found, errors = set(), []
        for one in engine.validate_template(name).diagnostics:
            if one.severity not in NOT_INFORMATION:
                continue
            said = Found(rule=one.rule_id, resource=one.entity.logical_id if one.entity else "", text=one.message)
            if one.severity is Severity.WARN:
                found.add(said)
            else:
                errors.append(f"{said.rule} {said.resource}: {said.text}")
        sentences = [*errors, *objections(found, of_template(explanations, Path(name).name))]
        print(f"{name}: {len(sentences)} objections, {len(found)} warnings explained or not.", *sentences, sep="\n")
        wrong += len(sentences)
    return 1 if wrong or not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
