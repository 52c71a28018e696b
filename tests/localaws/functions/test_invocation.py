"""Functions run from the zips that were deployed, in a process of their own."""

import base64
import json
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.clock import START
from localaws.cloudwatch.metrics import MetricId
from localaws.sandbox import Sandbox
from tests.localaws.roles import unlimited_role

Deploy = Callable[..., str]
Invoke = Callable[..., dict[str, Any]]
ZipOf = Callable[[dict[str, str]], bytes]
Layer = Callable[[str, dict[str, str]], str]


def test_a_function_runs_and_answers(deploy: Deploy, invoke: Invoke) -> None:
    deploy("double", "def handler(event, context):\n    return {'twice': event['number'] * 2}\n")
    answer = invoke("double", {"number": 21})
    assert answer["Payload"] == {"twice": 42}
    assert "FunctionError" not in answer


@pytest.fixture
def few_open_files_allowed() -> Iterator[None]:
    """As in an ordinary shell: a process may have 1,024 until it asks for more."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_function_runs_beside_the_workers_of_forty_stacks(
    few_open_files_allowed: None, deploy: Deploy, invoke: Invoke
) -> None:
    """Which hold more than a thousand files open."""
    deploy("double", "def handler(event, context):\n    return event['number'] * 2\n")
    with ExitStack() as held:
        for _ in range(1100):
            held.callback(os.close, os.dup(0))
        # Started for the first, and found alive for the second.
        assert invoke("double", {"number": 21})["Payload"] == 42
        assert invoke("double", {"number": 4})["Payload"] == 8


def test_a_function_reads_and_writes_the_sandbox_through_boto3(
    sandbox: Sandbox, deploy: Deploy, invoke: Invoke
) -> None:
    deploy(
        "names",
        """
        import boto3

        def handler(event, context):
            ssm = boto3.client("ssm")
            ssm.put_parameter(Name="/note", Value="left by the function", Type="String")
            return ssm.get_parameter(Name="/note")["Parameter"]["Value"]
        """,
    )
    assert invoke("names")["Payload"] == "left by the function"


def test_the_context_is_lambdas(deploy: Deploy, invoke: Invoke) -> None:
    arn = deploy(
        "who",
        """
        def handler(event, context):
            return {
                "name": context.function_name,
                "version": context.function_version,
                "memory": context.memory_limit_in_mb,
                "arn": context.invoked_function_arn,
                "request_id": context.aws_request_id,
                "group": context.log_group_name,
                "left": context.get_remaining_time_in_millis(),
            }
        """,
        MemorySize=256,
        Timeout=7,
        LoggingConfig={"LogGroup": "/stack/who"},
    )
    told = invoke("who")["Payload"]
    assert 0 < told.pop("left") <= 7_000
    assert len(told.pop("request_id")) == 36
    assert told == {"name": "who", "version": "$LATEST", "memory": "256", "arn": arn, "group": "/stack/who"}


def test_the_environment_is_the_functions_own_and_lambdas_and_nothing_of_ours(
    sandbox: Sandbox, deploy: Deploy, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OURS", "hidden")
    deploy(
        "environment",
        "import os\n\ndef handler(event, context):\n    return dict(os.environ)\n",
        Environment={"Variables": {"TOPIC": "arn"}},
    )
    told = invoke("environment")["Payload"]
    assert told["TOPIC"] == "arn"
    assert told["AWS_REGION"] == told["AWS_DEFAULT_REGION"] == "us-east-1"
    assert told["AWS_ENDPOINT_URL"] == sandbox.endpoint_url
    assert told["AWS_LAMBDA_FUNCTION_NAME"] == "environment"
    assert told["_HANDLER"] == "app.handler"
    assert "OURS" not in told
    assert "SANDBOX_PATH" not in told


def test_nothing_can_be_imported_but_the_zip_its_layers_and_the_runtime(deploy: Deploy, invoke: Invoke) -> None:
    deploy(
        "imports",
        """
        import importlib

        def handler(event, context):
            found = {}
            for name in event:
                try:
                    found[name] = importlib.import_module(name) is not None
                except ImportError:
                    found[name] = False
            return found
        """,
    )
    names = ["boto3", "efs_monitor", "localaws", "stage", "simulation", "pytest", "moto", "aws_lambda_powertools"]
    assert invoke("imports", names)["Payload"] == {name: name == "boto3" for name in names}


@pytest.fixture
def layer(sandbox: Sandbox, zip_of: ZipOf) -> Layer:
    """Publish a layer of these files; returns its ARN."""

    def publish(name: str, files: dict[str, str]) -> str:
        content = {"ZipFile": zip_of(files)}
        return str(sandbox.client("lambda").publish_layer_version(LayerName=name, Content=content)["LayerVersionArn"])

    return publish


def test_layers_are_on_the_path_and_a_later_one_hides_an_earlier_one(
    deploy: Deploy, layer: Layer, invoke: Invoke
) -> None:
    first = layer("first", {"python/one.py": "NAME = 'first'", "python/two.py": "NAME = 'first'"})
    second = layer("second", {"python/two.py": "NAME = 'second'"})
    source = "import one, two\n\ndef handler(event, context):\n    return [one.NAME, two.NAME]\n"
    deploy("layered", source, Layers=[first, second])
    assert invoke("layered")["Payload"] == ["first", "second"]


LAYERED = """
    import os
    import uuid
    from time import sleep, time

    import layer

    MODE = os.environ.get("MODE", "none")
    LOADED_AS = str(uuid.uuid4())

    def handler(event, context):
        before = time()
        sleep(event)
        return [MODE, LOADED_AS, os.environ["STACK"], layer.NAME, os.getpid(), time() - before >= event]
"""


def test_a_function_with_layers_is_loaded_once_for_all_workers_that_are_alike_in_what_it_read_of_the_environment(
    deploy: Deploy, layer: Layer, invoke: Invoke
) -> None:
    layers = [layer("given", {"python/layer.py": "NAME = 'given'"})]
    told = []
    for name, environment in (
        ("first", {"MODE": "a", "STACK": "1"}),
        ("second", {"MODE": "a", "STACK": "2"}),
        ("third", {"MODE": "b", "STACK": "3"}),
    ):
        deploy(name, LAYERED, Layers=layers, Environment={"Variables": environment}, Timeout=900)
        told.append(invoke(name, 600)["Payload"])
    (_, loaded_as, *_), *_ = told
    assert [(mode, how == loaded_as, stack) for mode, how, stack, *_ in told] == [
        ("a", True, "1"),
        ("a", True, "2"),
        ("b", False, "3"),
    ]
    assert all((name, is_paused) == ("given", True) for *_, name, _, is_paused in told)
    assert len({process for *_, process, _ in told}) == 3


def test_one_that_only_asks_whether_a_variable_is_there_is_loaded_once_whatever_it_is(
    deploy: Deploy, layer: Layer, invoke: Invoke
) -> None:
    layers = [layer("given", {"python/layer.py": ""})]
    source = """
        import os
        import uuid

        IS_THERE = "AWS_LAMBDA_FUNCTION_NAME" in os.environ, "STACK" in os.environ
        LOADED_AS = str(uuid.uuid4())

        def handler(event, context):
            return [LOADED_AS, *IS_THERE, os.environ.get("STACK")]
    """
    told = []
    for name, environment in (("first", {"STACK": "1"}), ("second", {"STACK": "2"}), ("third", {})):
        deploy(name, source, Layers=layers, Environment={"Variables": environment})
        told.append(invoke(name)["Payload"])
    first, second, third = told
    assert first[1:] == [True, True, "1"]
    assert second == [first[0], True, True, "2"]
    assert third[1:] == [True, False, None]


@pytest.mark.parametrize(
    ("source", "kinds", "log"),
    [
        ("print('loads')\nhandler = lambda e, c: 1", [None, None], ["loads", "loads"]),
        ("import layer\nlayer.FOUND\nhandler = lambda e, c: 1", ["AttributeError"] * 2, None),
        ("import os\nhandler = lambda e, c: os._exit(3)", ["Runtime.ExitError"] * 2, []),
        ("import os\nALL = dict(os.environ)\nhandler = lambda e, c: print(ALL['STACK'])", [None, None], ["0", "1"]),
    ],
)
def test_a_function_with_layers_ends_and_writes_as_one_that_is_loaded_anew(
    sandbox: Sandbox,
    deploy: Deploy,
    layer: Layer,
    invoke: Invoke,
    source: str,
    kinds: list[str | None],
    log: list[str] | None,
) -> None:
    layers = [layer("given", {"python/layer.py": ""})]
    for number in range(2):
        deploy(f"f{number}", source, Layers=layers, Environment={"Variables": {"STACK": str(number)}})
    answers = [invoke(f"f{number}") for number in range(2)]
    ended = [answer["Payload"]["errorType"] if "FunctionError" in answer else None for answer in answers]
    assert ended == kinds
    if log is not None:
        assert [line.message for line in sandbox.logs.lines] == log


def test_a_function_lives_in_the_sandboxs_time(sandbox: Sandbox, deploy: Deploy, invoke: Invoke) -> None:
    deploy(
        "when",
        """
        import time
        from datetime import UTC, datetime

        LOADED = time.time()

        def handler(event, context):
            return {"now": datetime.now(UTC).isoformat(timespec="minutes"), "loaded": LOADED}
        """,
    )
    sandbox.clock.move_to(START + timedelta(days=3))
    assert invoke("when")["Payload"]["now"] == "2030-01-10T00:00+00:00"
    sandbox.clock.move_to(START + timedelta(days=4))
    told = invoke("when")["Payload"]
    assert told["now"] == "2030-01-11T00:00+00:00"
    assert told["loaded"] < (START + timedelta(days=3, minutes=1)).timestamp()


def test_a_pause_takes_as_long_by_the_sandboxs_clock_and_of_the_functions_own_time_and_no_time_of_ours(
    deploy: Deploy, invoke: Invoke
) -> None:
    deploy(
        "pauses",
        """
        from time import monotonic, sleep, time

        def handler(event, context):
            # Ours is read first and last: whatever holds a busy machine up in between is in it.
            began = monotonic()
            before = time(), context.get_remaining_time_in_millis()
            sleep(600)
            after = time(), context.get_remaining_time_in_millis()
            return [*(abs(now - then) for now, then in zip(after, before)), monotonic() - began]
        """,
        Timeout=900,
    )
    passed_seconds, spent_milliseconds, our_seconds = invoke("pauses")["Payload"]
    rounding_seconds = 0.002
    for seconds in (passed_seconds, spent_milliseconds / 1000):
        assert 600 - rounding_seconds <= seconds <= 600 + our_seconds + rounding_seconds
    assert our_seconds < 300


def test_a_worker_stays_warm_until_the_function_changes(
    sandbox: Sandbox, deploy: Deploy, invoke: Invoke, zip_of: ZipOf
) -> None:
    deploy(
        "warm",
        """
        import os

        CALLS = []

        def handler(event, context):
            CALLS.append(1)
            return [os.getpid(), len(CALLS)]
        """,
    )
    (first_process, _), (second_process, calls) = invoke("warm")["Payload"], invoke("warm")["Payload"]
    assert (second_process, calls) == (first_process, 2)
    sandbox.client("lambda").update_function_configuration(FunctionName="warm", MemorySize=512)
    third_process, calls = invoke("warm")["Payload"]
    assert third_process != first_process
    assert calls == 1
    sandbox.client("lambda").update_function_code(
        FunctionName="warm", ZipFile=zip_of({"app.py": "handler = lambda e, c: 'new'"})
    )
    assert invoke("warm")["Payload"] == "new"


def test_an_exception_is_told_in_lambdas_shape(sandbox: Sandbox, deploy: Deploy, invoke: Invoke) -> None:
    deploy("broken", "def handler(event, context):\n    raise KeyError('balance')\n")
    answer = invoke("broken")
    assert answer["FunctionError"] == "Unhandled"
    error = answer["Payload"]
    assert error["errorType"] == "KeyError"
    assert error["errorMessage"] == "'balance'"
    assert [frame.strip().splitlines()[-1].strip() for frame in error["stackTrace"]] == ["raise KeyError('balance')"]
    assert sandbox.logs.lines[0].message == "[ERROR] KeyError: 'balance'"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("source", "settings", "kind", "message"),
    [
        ("import nothing_like_it", {}, "Runtime.ImportModuleError", "Unable to import module 'app': No module named"),
        ("def", {}, "Runtime.UserCodeSyntaxError", "Syntax error in module 'app'"),
        ("x = 1", {}, "Runtime.HandlerNotFound", "Handler 'handler' missing on module 'app'"),
        ("x = 1 / 0", {}, "ZeroDivisionError", "division by zero"),
        ("handler = lambda e, c: object()", {}, "Runtime.MarshalError", "Unable to marshal response"),
        (
            "import os\nhandler = lambda e, c: os._exit(3)",
            {},
            "Runtime.ExitError",
            "Runtime exited with error: exit status 3",
        ),
        (
            "import time\nhandler = lambda e, c: time.sleep(60)",
            {"Timeout": 1},
            "Sandbox.Timedout",
            "Task timed out after 1.00 seconds",
        ),
    ],
)
def test_a_function_that_cannot_run_says_why_and_can_be_invoked_again(
    deploy: Deploy, invoke: Invoke, source: str, settings: dict[str, Any], kind: str, message: str
) -> None:
    deploy("broken", source, **settings)
    for _ in range(1 if settings else 2):
        answer = invoke("broken")
        assert answer["FunctionError"] == "Unhandled"
        assert answer["Payload"]["errorType"] == kind
        assert message in answer["Payload"]["errorMessage"]


def test_what_a_function_writes_is_kept_by_log_group(sandbox: Sandbox, deploy: Deploy, invoke: Invoke) -> None:
    deploy(
        "talks",
        "import logging\n\ndef handler(event, context):\n    print('said')\n    logging.warning('warned')\n",
        LoggingConfig={"LogGroup": "/stack/talks"},
    )
    answer = invoke("talks", LogType="Tail")
    lines = [line.message for line in sandbox.logs.of("/stack/talks")]
    assert lines[0] == "said"
    assert lines[1].startswith("[WARNING]\t2030-01-07T00:00:")
    assert lines[1].endswith("\twarned")
    assert base64.b64decode(answer["LogResult"]).decode().splitlines() == lines


def test_logs_reach_the_api_only_where_the_group_exists(sandbox: Sandbox, deploy: Deploy, invoke: Invoke) -> None:
    logs = sandbox.client("logs")
    logs.create_log_group(logGroupName="/stack/talks")
    source = "def handler(event, context):\n    print('said')\n"
    deploy("talks", source, LoggingConfig={"LogGroup": "/stack/talks"})
    deploy("whispers", source)
    invoke("talks")
    invoke("whispers")
    assert [group["logGroupName"] for group in logs.describe_log_groups()["logGroups"]] == ["/stack/talks"]
    events = logs.filter_log_events(logGroupName="/stack/talks")["events"]
    assert [event["message"] for event in events] == ["said"]


def test_metrics_embedded_in_the_log_become_metrics(sandbox: Sandbox, deploy: Deploy, invoke: Invoke) -> None:
    deploy(
        "measures",
        """
        import json
        import time

        def handler(event, context):
            print(json.dumps({
                "_aws": {
                    "Timestamp": int(time.time() * 1000),
                    "CloudWatchMetrics": [{
                        "Namespace": "EFSMonitor",
                        "Dimensions": [["FileSystemId"]],
                        "Metrics": [{"Name": "Reference", "Unit": "Bytes/Second"}, {"Name": "Runs", "Unit": "Count"}],
                    }],
                },
                "FileSystemId": "fs-1",
                "Reference": [100.0, 300.0],
                "Runs": 1,
                "detail": "not a metric",
            }))
        """,
    )
    sandbox.clock.move_to(START + timedelta(hours=1))
    invoke("measures")
    later = START + timedelta(hours=2)
    metric = MetricId.of("EFSMonitor", "Reference", FileSystemId="fs-1")
    (reference,) = sandbox.metrics.datapoints(metric, START, later, 60, now=later)
    assert (reference.minimum, reference.maximum, reference.sample_count) == (100.0, 300.0, 2)
    assert reference.unit == "Bytes/Second"
    embedded = {one for one in sandbox.metrics.visible_metrics(later) if one.namespace == "EFSMonitor"}
    assert len(embedded) == 2


def test_a_function_without_reserved_concurrency_is_throttled(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("stopped", "handler = lambda e, c: 1")
    client = sandbox.client("lambda")
    client.put_function_concurrency(FunctionName="stopped", ReservedConcurrentExecutions=0)
    with pytest.raises(ClientError, match="Rate Exceeded"):
        client.invoke(FunctionName="stopped")


def test_a_payload_that_is_not_json_is_refused(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("any", "handler = lambda e, c: 1")
    with pytest.raises(ClientError, match="Could not parse request body into json"):
        sandbox.client("lambda").invoke(FunctionName="any", Payload=b"{")


def test_a_second_event_configuration_replaces_the_first(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("any", "handler = lambda e, c: 1")
    client = sandbox.client("lambda")
    for attempts in (2, 0):
        client.put_function_event_invoke_config(FunctionName="any", MaximumRetryAttempts=attempts)
    assert client.get_function_event_invoke_config(FunctionName="any")["MaximumRetryAttempts"] == 0


def test_leaving_the_sandbox_ends_its_workers(tmp_path: Path, zip_of: ZipOf) -> None:
    with Sandbox(tmp_path) as sandbox:
        sandbox.client("lambda").create_function(
            FunctionName="pid",
            Runtime="python3.13",
            Role=unlimited_role(sandbox),
            Handler="app.handler",
            Code={"ZipFile": zip_of({"app.py": "import os\nhandler = lambda e, c: os.getpid()"})},
        )
        process = json.loads(sandbox.client("lambda").invoke(FunctionName="pid")["Payload"].read())
        os.kill(process, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_the_processes_of_a_function_end_when_it_is_deleted(sandbox: Sandbox, deploy: Deploy, invoke: Invoke) -> None:
    deploy("who", "import os\n\ndef handler(event, context):\n    return os.getpid()\n")
    process = Path("/proc") / str(invoke("who")["Payload"])
    assert process.exists()
    sandbox.client("lambda").delete_function(FunctionName="who")
    assert not process.exists()
