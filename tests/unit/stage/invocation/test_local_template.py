"""The template and the variables that `sam local` is given."""

import json
from pathlib import Path

from stage.invocation.built import BuiltFunction
from stage.invocation.deployed_stack import DeployedFunction
from stage.invocation.local_template import LocalTemplate, local_template

ENDPOINT = "http://host.docker.internal:4567"


def template() -> LocalTemplate:
    functions = [
        (
            BuiltFunction(logical_id=name, code_path=Path("/built") / name, layer_paths=(Path("/built/Layer"),)),
            DeployedFunction(
                name=f"home-{name}",
                handler="app.handler",
                timeout_seconds=60,
                memory_megabytes=256,
                environment={"STACK_NAME": "home", "AWS_ENDPOINT_URL": "http://localhost:1"},
                credentials={"AWS_ACCESS_KEY_ID": f"key of {name}"},
            ),
        )
        for name in ("Explain", "ReportSilence")
    ]
    return local_template(functions, ENDPOINT)


def test_functions_share_a_layer() -> None:
    resources = template().template["Resources"]
    assert resources.keys() == {"Layer0", "Explain", "ReportSilence"}
    assert resources["Layer0"]["Properties"] == {"ContentUri": "/built/Layer"}
    assert resources["Explain"]["Properties"]["Layers"] == [{"Ref": "Layer0"}]


def test_each_function_has_its_roles_credentials_and_the_endpoint_containers_know() -> None:
    assert template().variables["ReportSilence"] == {
        "STACK_NAME": "home",
        "AWS_ENDPOINT_URL": ENDPOINT,
        "AWS_ACCESS_KEY_ID": "key of ReportSilence",
    }


def test_every_variable_is_declared_since_sam_drops_others() -> None:
    made = template()
    declared = made.template["Resources"]["Explain"]["Properties"]["Environment"]["Variables"]
    assert declared.keys() == made.variables["Explain"].keys()


def test_the_options_name_the_files_that_were_written(tmp_path: Path) -> None:
    made = template()
    _, template_file, _, variables_file = made.written(tmp_path)
    assert json.loads(Path(template_file).read_text()) == made.template
    assert json.loads(Path(variables_file).read_text()) == made.variables
