"""What a run tells of its host."""

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from efs_monitor.benchmarks.plan import LONGEST_PLAN_CHARACTERS

from tests.benchmark_script.instance import RUN_ID, TOUCH, WRITE, BenchmarkInstance, eventually
from tools.benchmark_document import script


def test_the_first_line_is_about_the_machine(instance: BenchmarkInstance) -> None:
    machine = instance.run().machine
    assert list(machine) == [
        "type",
        "version",
        "run",
        "instance",
        "instance_type",
        "kernel",
        "mount_options",
        "read_ahead_kb",
        "agent",
        "tools",
        "user",
    ]
    assert (machine["run"], machine["instance"]) == (RUN_ID, "i-0123456789abcdef0")
    assert machine["kernel"] == os.uname().release
    assert set(machine["tools"]) == {"bash", "dd", "xargs", "setpriv"}
    assert machine["user"] == ("86464" if os.geteuid() == 0 else str(os.geteuid()))


def test_versions_of_copying_tools_are_told_where_they_are_used(instance: BenchmarkInstance) -> None:
    instance.command("mcp", "#!/bin/sh\necho 'mcp (GNU coreutils; mutil 1.76.6) 8.22'\n")
    instance.parameters["LocalPath"] = "/dev/shm"
    plan = "id=copy,on=efs,do=copy,tool=mcp,threads=4,files=2,bytes=10"
    assert instance.run(Plan=plan).machine["tools"]["mcp"] == "1.76.6"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("product_name", "instance_type"),
    [("m5.large", "m5.large"), ("u-6tb1.112xlarge", "u-6tb1.112xlarge"), ("VMware7,1", "unknown"), ("", "unknown")],
)
def test_the_firmware_knows_the_instance_type(
    instance: BenchmarkInstance, product_name: str, instance_type: str
) -> None:
    instance.command("cat", f"#!/bin/sh\ncase $1 in /sys/*) echo '{product_name}' ;; *) exec /bin/cat ;; esac\n")
    assert instance.run().machine["instance_type"] == instance_type


METADATA_SERVICE = """
import http.server
class Service(http.server.BaseHTTPRequestHandler):
    def answer(self, expected, given, text):
        self.send_response(200 if given == expected else 401)
        self.end_headers()
        self.wfile.write(text)
    def do_PUT(self):
        self.answer("60", self.headers["X-aws-ec2-metadata-token-ttl-seconds"], b"TOKEN==")
    def do_GET(self):
        self.answer("TOKEN==", self.headers["X-aws-ec2-metadata-token"], b"t2.micro")
http.server.HTTPServer(("169.254.169.254", 80), Service).serve_forever()
"""


@pytest.mark.needs("root", "ip")  # for a network of its own
def test_where_the_firmware_says_xen_the_metadata_service_knows_the_instance_type(instance: BenchmarkInstance) -> None:
    instance.command("cat", "#!/bin/sh\ncase $1 in /sys/*) echo 'HVM domU' ;; *) exec /bin/cat ;; esac\n")
    inner = instance.script.rename(instance.script.with_name("_inner.sh"))
    service = inner.with_name("service.py")
    service.write_text(METADATA_SERVICE)
    instance.script.write_text(
        "#!/bin/bash\nexec unshare --net bash -c 'ip link set lo up && ip address add 169.254.169.254/32 dev lo\n"
        f"timeout 30 {sys.executable} {service} >/dev/null 2>&1 &\n"
        f"until true >/dev/tcp/169.254.169.254/80; do sleep 0.1; done 2>/dev/null\n"
        f"{inner}; ended=$?; kill $!; exit $ended'\n"
    )
    instance.script.chmod(0o700)
    assert instance.run().machine["instance_type"] == "t2.micro"


def test_a_metadata_service_that_does_not_answer_costs_a_second_at_most(instance: BenchmarkInstance) -> None:
    instance.command("cat", "#!/bin/sh\ncase $1 in /sys/*) echo 'HVM domU' ;; *) exec /bin/cat ;; esac\n")
    ended = instance.run()
    assert (ended.status, ended.machine["instance_type"]) == (0, "unknown")


def test_an_instance_id_that_is_none_is_unknown(instance: BenchmarkInstance) -> None:
    object.__setattr__(instance.host, "instance_id", '"},{"$(id)')
    assert instance.run().machine["instance"] == "unknown"


@pytest.mark.whole
@pytest.mark.parametrize("odd", ['"', "\\", "\t", "\u00e9", "\x01"])
def test_whatever_a_mount_option_holds_the_lines_stay_json(instance: BenchmarkInstance, odd: str) -> None:
    source = "fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/"
    device = os.stat(instance.mount).st_dev
    line = f"{instance.mount} {source} nfs4 {os.major(device)}:{os.minor(device)} rw,vers=4.1,odd={odd}x"
    (instance.host.folder / "line").write_text(line)
    instance.command("findmnt", f"#!/bin/sh\n/bin/cat {instance.host.folder}/line\n")
    assert "odd=" in instance.run().machine["mount_options"]


@pytest.mark.whole
@pytest.mark.parametrize("said", ['mounted "x y', 'mounted 1,"x":{ y', "mounted 007 y", "mounted x", "mounted "])
def test_whatever_a_tool_says_of_the_mount_the_lines_stay_json(instance: BenchmarkInstance, said: str) -> None:
    instance.command("ionice", f"#!/bin/bash\necho '{said}'\nshift 4\nexec \"$@\"\n")
    assert instance.run().machine["read_ahead_kb"] is None


@pytest.mark.whole
@pytest.mark.parametrize("took", ["007 1.000000 2.000000", "7 01.000000 2.000000", "7 1.000000 02.000000"])
def test_whatever_a_tool_says_of_a_workload_the_lines_stay_json(instance: BenchmarkInstance, took: str) -> None:
    instance.command("seq", f"#!/bin/bash\necho 'result ok 0 {took}' >&2\nexec /usr/bin/seq \"$@\"\n")
    (one,) = instance.run(Plan=TOUCH).workloads
    assert (one["status"], one["reason"]) == ("failed", "what it took cannot be read")


def the_longest_plan() -> list[str]:
    """As many workloads, with long names, as a plan can have."""
    long = WRITE.replace("id=write", f"id={'w' * 60}-000")
    return [long.replace("-000,", f"-{place:03},") for place in range((LONGEST_PLAN_CHARACTERS + 1) // (len(long) + 1))]


@pytest.mark.whole
def test_all_of_the_longest_plan_fits_into_what_ssm_keeps(instance: BenchmarkInstance) -> None:
    instance.command("dd", "#!/bin/bash\nprintf 'dd: %0300d\\n' 0 >&2\nexit 1\n")
    ended = instance.run(Plan=";".join(the_longest_plan()))
    assert len(ended.workloads) == len(the_longest_plan())
    assert len(ended.output) < 24_000


@pytest.mark.whole
def test_complaints_full_of_quotes_fit_too(instance: BenchmarkInstance) -> None:
    instance.command("dd", "#!/bin/bash\nprintf 'dd: %0300d\n' 0 | tr 0 \\\" >&2\nexit 1\n")
    ended = instance.run(Plan=";".join(the_longest_plan()))
    assert [one["status"] for one in ended.workloads] == ["failed"] * len(the_longest_plan())
    assert len(ended.output) < 24_000


def test_nothing_of_the_script_is_a_here_document() -> None:
    """Where the present directory can be written, bash makes its file there, which is the file system."""
    assert "<<" not in script()


# Nothing can be made where a shell makes temporary files, but in the folder of the host, which lies in one of them.
WITHOUT_TEMPORARY_FILES = """\
#!/bin/bash
exec unshare --mount bash -c '
    mount --rbind /tmp /tmp && mount --rbind {folder} {folder} && mount -o remount,bind,ro /tmp &&
    mount -t tmpfs -o ro none /var/tmp || exit 99
    mount -o remount,bind,ro / && cd / || exit 99
    (cat <<<word) 2>/dev/null && exit 98
    exec {inner}'
"""


@pytest.mark.whole
@pytest.mark.needs("root", "place to copy")
@pytest.mark.parametrize("temporary", [None, "/tmp", "/nowhere", ""])
def test_no_run_needs_a_temporary_file_of_the_shell(
    instance: BenchmarkInstance, folder: Path, temporary: str | None
) -> None:
    """Before 5.1 bash has one for each here-string and here-document, and fails where it can make none. Later ones do
    so when they are told to be compatible.
    """
    inner = instance.script.rename(instance.script.with_name("_inner.sh"))
    instance.script.write_text(WITHOUT_TEMPORARY_FILES.format(folder=folder, inner=inner))
    instance.script.chmod(0o700)
    variables = {"BASH_COMPAT": "5.0"} | ({"TMPDIR": temporary} if temporary is not None else {})
    instance.host = replace(instance.host, variables=variables)
    local = Path("/dev/shm") / folder.name
    local.mkdir()
    copy = "id=copy,on=efs,do=copy,tool=cp,threads=1,files=4,bytes=1000"
    ended = instance.run(Plan=f"{WRITE};{TOUCH};{copy}", LocalPath=str(local))
    local.rmdir()
    assert [one["status"] for one in ended.workloads] == ["ok"] * 3, ended
    assert ended.errors == ""


@pytest.mark.whole
@pytest.mark.needs("root")  # who is bound by no such limit, and whose worker is
@pytest.mark.parametrize(
    "plan",
    [
        "id=x,on=efs,do=touch,threads=128,files=300,directories=1",
        "id=x,on=efs,do=write,threads=128,block=1024,sync=end,files=128,bytes=10",
    ],
)
def test_where_fewer_processes_are_allowed_than_a_workload_has_threads_it_is_skipped(
    instance: BenchmarkInstance, plan: str
) -> None:
    instance.script.write_text(instance.script.read_text().replace("set -u", "ulimit -u 100\nset -u", 1))
    ended = instance.run(Plan=f"{plan};{TOUCH}")
    assert ended.workloads[0] == {
        "type": "workload",
        "id": "x",
        "status": "skipped",
        "reason": "144 processes are more than this host allows at a time (100)",
    }
    assert (ended.workloads[1]["status"], ended.status) == ("ok", 0)


def test_so_it_is_where_the_group_of_the_agent_allows_fewer(instance: BenchmarkInstance, folder: Path) -> None:
    groups = folder / "cgroup"
    (groups / "system.slice" / "agent.service").mkdir(parents=True)
    (groups / "system.slice" / "pids.max").write_text("150\n")
    (groups / "system.slice" / "pids.current").write_text("80\n")
    (groups / "system.slice" / "agent.service" / "pids.max").write_text("max\n")
    (folder / "of-the-agent").write_text("0::/system.slice/agent.service\n")
    for path in (groups, *groups.rglob("*")):
        path.chmod(0o755)
    instance.constant("CGROUPS", groups)
    instance.script.write_text(instance.script.read_text().replace("/proc/self/cgroup", f"{folder}/of-the-agent"))
    wide, narrow = ("id=x,on=efs,do=touch,threads=64,files=64,directories=1", TOUCH)
    assert [(one["status"], one.get("reason")) for one in instance.run(Plan=f"{wide};{narrow}").workloads] == [
        ("skipped", "80 processes are more than this host allows at a time (70)"),
        ("ok", None),
    ]


def test_what_a_tool_says_besides_goes_to_the_error_output_and_breaks_no_line(instance: BenchmarkInstance) -> None:
    instance.command("nice", '#!/bin/bash\necho \'{"type":"workload"}\' >&2\nexec /usr/bin/nice "$@"\n')
    ended = instance.run(Plan=TOUCH)
    assert all(re.match(r'\{"type":"(machine|workload)"', line) for line in ended.output.splitlines())
    assert ended.errors == '{"type":"workload"}\n'
    assert [json.loads(line)["type"] for line in ended.output.splitlines()] == ["machine", "workload"]


def test_a_host_whose_rm_could_not_remove_what_is_made_makes_nothing(instance: BenchmarkInstance) -> None:
    """BusyBox's has no `--one-file-system`, and would end at each use with this complaint."""
    instance.command(
        "rm",
        "#!/bin/bash\nfor one; do case $one in --) break ;; --*) "
        'echo "rm: unrecognized option \'$one\'" >&2; exit 1 ;; esac; done\nexec /usr/bin/rm "$@"\n',
    )
    assert instance.run().refusal == "rm cannot stay on one file system: GNU coreutils are needed"
    assert instance.leftovers() == []


@pytest.mark.parametrize(("most", "told"), [(5, "a few"), *((most, str(most)) for most in (6, 8, 10, 12, 13, 63))])
def test_a_host_that_allows_few_open_files_refuses_in_json(instance: BenchmarkInstance, most: int, told: str) -> None:
    inner = instance.script.rename(instance.script.with_name("_inner.sh"))
    instance.script.write_text(f"#!/bin/sh\nulimit -n {most}\nexec {inner}\n")
    instance.script.chmod(0o700)
    assert instance.run().refusal == f"no more than {told} files may be open at a time: 64 are needed (ulimit -n)"
    assert instance.leftovers() == []


@pytest.mark.parametrize("first", ["local tool", "gather_machine", "local line part"])
def test_a_script_that_breaks_off_before_it_began_says_so_in_json(instance: BenchmarkInstance, first: str) -> None:
    instance.script.write_text(instance.script.read_text().replace(first, f': "$NEVER_SET"; {first}', 1))
    ended = instance.run()
    assert ended.refusal == "the script broke off on this host"
    assert "NEVER_SET: unbound variable" in ended.errors
    assert eventually(lambda: not (instance.leftovers() or instance.processes()), within_seconds=60)


def test_one_that_breaks_off_in_the_middle_says_so_of_each_workload_without_a_result(
    instance: BenchmarkInstance,
) -> None:
    text = instance.script.read_text()
    line = """'1.result '*) print_result "${line#result }" ;;"""
    assert line in text
    instance.script.write_text(text.replace(line, line.replace(" ;;", '; : "$NEVER_SET" ;;')))
    ended = instance.run(Plan=f"{WRITE};{TOUCH}")
    assert [(one["id"], one["status"], one.get("reason")) for one in ended.workloads] == [
        ("write", "ok", None),
        ("touch", "failed", "the script broke off on this host"),
    ]
    assert ended.status == 1
    assert eventually(lambda: not (instance.leftovers() or instance.processes()), within_seconds=60)
