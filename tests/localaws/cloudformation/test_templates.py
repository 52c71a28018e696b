"""Templates: text, parameters, rules, conditions and functions, resolved or refused as AWS does."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from localaws.cloudformation import template
from localaws.cloudformation.definition import Definition, StackIdentity, Submission, prepare
from localaws.cloudformation.error_codes import RequestRefused
from localaws.cloudformation.intrinsics import resolve
from localaws.cloudformation.parameters import Given
from localaws.cloudformation.resources import TYPES
from localaws.cloudformation.resources.base import Registry

REGISTRY = Registry(TYPES)
PLACE = StackIdentity("123456789012", "us-east-1", "demo", "arn:aws:cloudformation:us-east-1:123456789012:stack/demo/1")
ONE = "Resources: {One: {Type: AWS::SNS::Topic}}\n"


def define(text: str, **parameters: str) -> Definition:
    given = tuple(Given(name, value) for name, value in parameters.items())
    return prepare(Submission(text, given, capabilities=frozenset({"CAPABILITY_IAM"})), PLACE, REGISTRY)


def value(text: str, sections: str = "", **parameters: str) -> Any:
    """What the expression resolves to inside a template with the given further sections."""
    definition = define(
        f"{sections}\nResources: {{One: {{Type: AWS::SNS::Topic}}}}\nMetadata: {{It: {text}}}", **parameters
    )
    scope = definition.scope(lambda name: f"ref-{name}", lambda name, attribute: f"{name}/{attribute}")
    return resolve(definition.processed["Metadata"], scope).get("It")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("!Ref One", "ref-One"),
        ("!GetAtt One.TopicName", "One/TopicName"),
        ("!GetAtt [One, TopicName]", "One/TopicName"),
        ("{Fn::GetAtt: One.TopicName}", "One/TopicName"),
        ('!Sub "${AWS::StackName}-${One} ${One.TopicArn} ${!Kept}"', "demo-ref-One One/TopicArn ${Kept}"),
        ('!Sub ["${Place}/${AWS::AccountId}", {Place: !Ref AWS::Region}]', "us-east-1/123456789012"),
        ('!Join [":", [arn, !Ref AWS::Partition, 5, true]]', "arn:aws:5:true"),
        ("!Select [1, [a, b]]", "b"),
        ('!Select ["0", !Split ["-", "x-y"]]', "x"),
        ("!Ref AWS::NoValue", None),
        ("!Ref AWS::NotificationARNs", []),
        ("2012-10-17", "2012-10-17"),
    ],
)
def test_functions_resolve(expression: str, expected: Any) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("!ImportValue x", "does not know the function Fn::ImportValue"),
        ("!Ref Absent", "does not exist|ref-Absent"),
        ("!Select [2, [a, b]]", "cannot select nonexistent value at index 2"),
        ("!FindInMap [A, b, c]", "does not know the function Fn::FindInMap"),
        ('"{{resolve:ssm:x}}"', "does not know dynamic references"),
        ("!Join ['', [[a]]]", "only text and numbers"),
        ("!If [Absent, a, b]", "unresolved condition"),
    ],
)
def test_what_cannot_be_resolved_fails_loudly(expression: str, problem: str) -> None:
    if expression == "!Ref Absent":
        with pytest.raises(RequestRefused, match=r"Unresolved resource dependencies \[Absent\]"):
            define(f"{ONE}Outputs: {{It: {{Value: !Ref Absent}}}}")
        return
    with pytest.raises(RequestRefused, match=problem):
        value(expression)


CONDITIONS = """
Parameters: {Stage: {Type: String}, Zones: {Type: CommaDelimitedList, Default: "a, b"}}
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
  IsOther: !Not [!Condition IsProd]
  Both: !And [!Condition IsProd, !Condition IsOther]
  Either: !Or [!Condition IsProd, !Condition IsOther]
"""


@pytest.mark.parametrize(
    ("expression", "prod", "test"),
    [
        ("!If [IsProd, a, b]", "a", "b"),
        ("!If [IsOther, a, !Ref AWS::NoValue]", None, "a"),
        ("!If [Both, a, b]", "b", "b"),
        ("!If [Either, a, b]", "a", "a"),
        ('!Join ["+", !Ref Zones]', "a+b", "a+b"),
    ],
)
def test_conditions_follow_the_parameters(expression: str, prod: Any, test: Any) -> None:
    assert value(expression, CONDITIONS, Stage="prod") == prod
    assert value(expression, CONDITIONS, Stage="test") == test


def test_a_resource_whose_condition_is_false_is_not_there_and_depends_on_does_not_mind() -> None:
    definition = define(
        CONDITIONS
        + """
Resources:
  One: {Type: AWS::SNS::Topic, DependsOn: Two}
  Two: {Type: AWS::SNS::Topic, Condition: IsProd}
Outputs: {Two: {Condition: IsProd, Value: !Ref Two}}
""",
        Stage="test",
    )
    assert definition.order == ("One",)
    assert definition.outputs == {}


def test_a_reference_in_the_branch_not_taken_is_no_dependency() -> None:
    definition = define(
        CONDITIONS
        + """
Resources:
  One: {Type: AWS::SNS::Topic, Properties: {DisplayName: !If [IsProd, !Ref Two, none]}}
  Two: {Type: AWS::SNS::Topic, Condition: IsProd}
""",
        Stage="test",
    )
    assert definition.resources["One"].needs == frozenset()


def parameter(**constraints: Any) -> str:
    inner = ", ".join(f"{key}: {item!r}" for key, item in constraints.items())
    return f"Parameters: {{Minutes: {{{inner}}}}}\n{ONE}"


@pytest.mark.parametrize(
    ("constraints", "text", "problem"),
    [
        ({"Type": "String", "AllowedPattern": "fs-[0-9a-f]+"}, "fs-1 x", "Parameter 'Minutes' must match pattern fs-"),
        ({"Type": "String", "AllowedValues": ["a", "b"]}, "c", "Parameter 'Minutes' must be one of AllowedValues"),
        ({"Type": "String", "MinLength": 2}, "a", "must contain at least 2 characters"),
        ({"Type": "String", "MaxLength": 2}, "abc", "must contain at most 2 characters"),
        ({"Type": "Number", "MinValue": 5}, "4", "must be a number not less than 5"),
        ({"Type": "Number", "MaxValue": 5}, "6", "must be a number not greater than 5"),
        ({"Type": "Number"}, "many", "must be a number"),
        ({"Type": "List<Number>", "MaxValue": 5}, "1,6", "must be a number not greater than 5"),
        (
            {"Type": "Number", "MinValue": 5, "ConstraintDescription": "at least five minutes"},
            "4",
            "^ValidationError: Parameter Minutes failed to satisfy constraint: at least five minutes$",
        ),
        ({"Type": "Number"}, "nan", "must be a number"),
        (
            {"Type": "Number", "AllowedPattern": "[0-9]+"},
            "5",
            "AllowedPattern of Minutes is not for parameters of type",
        ),
        (
            {"Type": "String", "AllowedPattern": "[a[b]+"},
            "a",
            "is not a valid regular expression: Unclosed character cla",
        ),
        (
            {"Type": "String", "AllowedPattern": "(?<name>a)"},
            "a",
            "matches by Python, which cannot read AllowedPattern .* of Minutes: unknown extension",
        ),
        ({"Type": "AWS::EC2::VPC::Id"}, "x", "Unrecognized parameter type: AWS::EC2::VPC::Id"),
        ({"Type": "String", "Pattern": "x"}, "x", "Invalid template parameter property 'Pattern'"),
    ],
)
def test_a_broken_constraint_is_refused_in_the_words_of_aws(
    constraints: dict[str, Any], text: str, problem: str
) -> None:
    with pytest.raises(RequestRefused, match=problem):
        define(parameter(**constraints), Minutes=text)


def test_a_pattern_that_java_reads_is_taken_though_other_engines_do_not_read_it_alike() -> None:
    define(parameter(Type="String", AllowedPattern="(?i)a"), Minutes="A")


def test_parameters_must_have_values_and_be_declared() -> None:
    with pytest.raises(RequestRefused, match=r"Parameters: \[Minutes\] must have values"):
        define(parameter(Type="Number"))
    with pytest.raises(RequestRefused, match=r"Parameters: \[Hours\] do not exist in the template"):
        define(parameter(Type="Number"), Minutes="1", Hours="2")


def test_a_number_stays_text_and_a_default_is_used() -> None:
    sections = "Parameters: {A: {Type: Number, Default: 180}, B: {Type: Number}}"
    assert value('!Sub "${A} ${B}"', sections, B="1.50") == "180 1.50"


RULES = """
Parameters: {Mode: {Type: String}, Zone: {Type: String, Default: a}}
Rules:
  Paid:
    RuleCondition: !Equals [!Ref Mode, paid]
    Assertions:
      - Assert: {"Fn::Or": [{"Fn::Equals": [!Ref Zone, a]}, {"Fn::Equals": [!Ref Zone, b]}]}
        AssertDescription: zones are a and b
      - Assert: {"Fn::Not": [{"Fn::Contains": [[x, y], !Ref Mode]}]}
  Known:
    Assertions: [{Assert: {"Fn::Contains": [[paid, free], !Ref Mode]}, AssertDescription: paid or free}]
"""


def test_rules_are_checked_before_anything_else_happens() -> None:
    define(RULES + ONE, Mode="paid")
    with pytest.raises(RequestRefused, match="zones are a and b"):
        define(RULES + ONE, Mode="paid", Zone="z")
    define(RULES + ONE, Mode="free", Zone="z")
    with pytest.raises(RequestRefused, match="paid or free"):
        define(RULES + ONE, Mode="other")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Resources: {A: {Type: AWS::Nope::Nope}}", r"Unrecognized resource types: \[AWS::Nope::Nope\].*does not know"),
        ("Resources: {A: {Type: AWS::SNS::Topic, Properties: {Colour: x}}}", "does not know this property of AWS::SNS"),
        ("Resources: {A: {Type: AWS::SNS::Topic, Properties: {DisplayName: !GetAtt A.TopicArn}}}", r"resources: \[A\]"),
        ("Resources: {A: {Type: AWS::SNS::Topic, DependsOn: B}, B: {Type: AWS::SNS::Topic, DependsOn: A}}",
         r"Circular dependency between resources: \[A, B\]"),
        ("Resources: {A: {Type: AWS::SNS::Topic, DependsOn: B}}", r"Unresolved resource dependencies \[B\]"),
        ("Resources: {A: {Type: AWS::SNS::Topic, CreationPolicy: {}}}", "CreationPolicy"),
        ("Resources: {A: {Type: AWS::SNS::Topic, DeletionPolicy: Snapshot}}", "Snapshot"),
        ("Resources: {A-b: {Type: AWS::SNS::Topic}}", "non alphanumeric"),
        (f"{ONE}Outputs: {{A-b: {{Value: x}}}}", "Outputs name 'A-b' is non alphanumeric."),
        (f"{ONE}Outputs: {{A: {{Value: x, Export: {{Name: a b}}}}}}", "only of alphanumeric characters, colons, or"),
        (f"{ONE}Conditions: {{A: !And [!Equals [a, a]]}}", "every Fn::And object requires a list of at least 2"),
        (f"{ONE}Conditions: {{A: !Or [{', '.join(['!Equals [a, a]'] * 11)}]}}", "at most 10 boolean parameters"),
        (f"{ONE}Rules: {{A: {{Assertions: [{{Assert: !Or [!Equals [a, a]]}}]}}}}", "every Fn::Or object requires"),
        (f"{ONE}Rules: {{A: {{Assertions: [{{Assert: !Equals [!Sub a, a]}}]}}}}", "a rule may not have Fn::Sub"),
        ("Resources: {}", "At least one Resources member must be defined"),
        ("Resources: {A: {Type: AWS::SNS::Topic}}\nHooks: {}", r"Invalid template property or properties \[Hooks\]"),
        ("Resources: {A: {Type: AWS::SNS::Topic}}\nMappings: {}", "does not know Mappings"),
        ("Resources: {A: {Type: AWS::SNS::Topic}}\nTransform: AWS::LanguageExtensions", "AWS::LanguageExtensions"),
        ("Resources: {A: {Type: AWS::SNS::Topic}}\nOutputs: {B: {Value: !GetAtt A.Colour}}",
         "does not support attribute type Colour"),
        ("Resources: [", "YAML not well-formed"),
        ('{"Resources": ', "JSON not well-formed"),
    ],
)  # fmt: skip
def test_a_template_that_is_wrong_or_unknown_is_refused(text: str, problem: str) -> None:
    with pytest.raises(RequestRefused, match=problem):
        define(text)


def test_the_sam_transform_is_applied_and_its_errors_are_told() -> None:
    sam = """
Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.13}}
Resources:
  Hello:
    Type: AWS::Serverless::Function
    Properties: {Handler: a.b, InlineCode: x, Role: "arn:aws:iam::123456789012:role/x", %s: 5}
"""
    assert define(sam % "Timeout").processed["Resources"]["Hello"]["Type"] == "AWS::Lambda::Function"
    with pytest.raises(RequestRefused, match=r"Transform AWS::Serverless-2016-10-31 failed with.*\[Hello\].*Speed"):
        define(sam % "Speed")


def test_iam_resources_need_the_capability_that_fits() -> None:
    role = "Resources: {A: {Type: AWS::IAM::Role, Properties: {AssumeRolePolicyDocument: {}%s}}}"
    define(role % "")
    with pytest.raises(RequestRefused, match=r"Requires capabilities : \[CAPABILITY_NAMED_IAM\]"):
        define(role % ", RoleName: x")
    with pytest.raises(RequestRefused, match=r"Requires capabilities : \[CAPABILITY_IAM\]"):
        prepare(Submission(role % ""), PLACE, REGISTRY)


def test_yaml_and_json_say_the_same() -> None:
    assert template.parse('{"Resources": {"A": {"Type": "T", "Properties": {"X": {"Ref": "B"}}}}}') == template.parse(
        "Resources: {A: {Type: T, Properties: {X: !Ref B}}}"
    )


MANY = {
    "Resources": "Template format error: Number of resources, 501, is greater than maximum allowed, 500",
    "Outputs": "Template format error: Outputs count 201 is greater than max allowed 200",
    "Parameters": "Template format error: Parameter count 201 is greater than max allowed 200",
}


def many(section: str, number: int) -> str:
    """A template with so many of a section."""
    topic = {"Type": "AWS::SNS::Topic"}
    one = {"Resources": topic, "Outputs": {"Value": "v"}, "Parameters": {"Type": "String"}}[section]
    document = {"Resources": {"One": topic}}
    return json.dumps(document | {section: {f"It{number}": one for number in range(number)}})


@pytest.mark.parametrize("section", MANY)
def test_a_template_has_so_many_of_each_and_no_more(section: str) -> None:
    number = int(re.findall("[0-9]+", MANY[section])[0])
    template.parse(many(section, number - 1))
    with pytest.raises(RequestRefused) as refused:
        template.parse(many(section, number))
    assert refused.value.message == MANY[section]


def test_what_a_macro_makes_is_counted_too() -> None:
    functions = "".join(
        f"  F{number}: {{Type: AWS::Serverless::Function, Properties: {{Runtime: python3.13, Handler: a.b, "
        'CodeUri: "s3://b/k"}}\n'
        for number in range(251)
    )
    text = f"Transform: AWS::Serverless-2016-10-31\nResources:\n{functions}"
    with pytest.raises(RequestRefused, match="Number of resources, 502, is greater than maximum allowed, 500"):
        define(text)


def test_a_description_has_1024_bytes() -> None:
    define(ONE + f"Description: {'d' * 1_024}")
    for text in ("d" * 1_025, "é" * 513):
        with pytest.raises(RequestRefused) as refused:
            define(f"{ONE}Description: {text}")
        assert refused.value.message == "Template format error: 'Description' length is greater than 1024."


@pytest.mark.parametrize(
    ("section", "entry"),
    [("Resources", "{Type: AWS::SNS::Topic}"), ("Outputs", "{Value: v}"), ("Parameters", "{Type: String, Default: d}")],
)
def test_a_name_has_255_characters(section: str, entry: str) -> None:
    sections = {"Resources": "{One: {Type: AWS::SNS::Topic}}"}

    def text(name: str) -> str:
        return "".join(f"{key}: {item}\n" for key, item in (sections | {section: f"{{{name}: {entry}}}"}).items())

    define(text("n" * 255))
    with pytest.raises(
        RequestRefused, match=r"Template format error: .* has 256 characters, and at most 255 are allowed"
    ):
        define(text("n" * 256))


def test_the_description_of_a_parameter_has_4000_characters() -> None:
    text = f"{ONE}Parameters: {{It: {{Type: String, Default: v, Description: %s}}}}"
    define(text % ("d" * 4_000))
    with pytest.raises(RequestRefused, match="Template format error: the description of Parameter It has 4001 char"):
        define(text % ("d" * 4_001))


@pytest.mark.parametrize(("section", "entry"), [("Outputs", "Value: v"), ("Parameters", "Type: String, Default: v")])
@pytest.mark.parametrize("description", ["!Ref AWS::StackName", "[a]", "{a: b}"])
def test_a_description_is_a_text_of_the_template_itself(section: str, entry: str, description: str) -> None:
    with pytest.raises(RequestRefused, match=f"Template format error: the description of {section[:-1]} It is no text"):
        define(f"{ONE}{section}: {{It: {{{entry}, Description: {description}}}}}")


def test_the_description_of_an_output_has_1024_bytes() -> None:
    text = f"{ONE}Outputs: {{It: {{Value: v, Description: %s}}}}"
    define(text % ("d" * 1_024))
    with pytest.raises(RequestRefused, match="Template format error: the description of Output It has 1025 bytes"):
        define(text % ("d" * 1_025))


def test_the_value_of_a_parameter_has_4096_bytes() -> None:
    text = "Parameters: {It: {Type: String}}\n" + ONE
    define(text, It="v" * 4_096)
    for value_ in ("v" * 4_097, "é" * 2_049):
        with pytest.raises(RequestRefused, match="Parameter 'It' must contain at most 4096 bytes"):
            define(text, It=value_)
