"""What a stack of the proofs and tests tells its functions is what the template tells them."""

from stage.home import Names
from tests.template.template_documents import of_type, transformed, with_includes

PARAMETERS = with_includes()["Parameters"]
TOLD = Names("home", "fs-0123456789abcdef0").environment("http://127.0.0.1:1")
VARIABLES = {
    name: value
    for function in of_type(transformed(), "AWS::Lambda::Function").values()
    for name, value in function["Properties"]["Environment"]["Variables"].items()
}


def test_it_has_every_variable_that_any_function_is_given() -> None:
    assert VARIABLES.keys() - TOLD.keys() == set()


def test_what_has_a_default_has_that() -> None:
    defaults = {
        name: str(PARAMETERS[value["Ref"]]["Default"])
        for name, value in VARIABLES.items()
        if isinstance(value, dict) and PARAMETERS.get(value.get("Ref"), {}).get("Default")
    }
    assert len(defaults) > 5
    assert {name: TOLD[name] for name in defaults} == defaults
