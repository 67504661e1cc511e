"""ttkit compile-all, and the lists of launches that it takes."""

import json
import os
import subprocess
import sys
import zipfile
from enum import IntEnum

import pytest
import warm_commands
from launched_kernels import Tensor, add, applied, double
from test_bundle import SCRIPT
from test_toolkit_command import said

import ttkit
from ttkit.aot.launch_list import LaunchList, LaunchListError
from ttkit.aot.launch_values import from_json, to_json
from ttkit.language import float16, float32
from ttkit.language.constexpr import constexpr
from ttkit.layout.gluon import BlockedLayout, SliceLayout
from ttkit.runtime.bundle import INDEX

ALIGNED = Tensor()


SERVE = """
import os, sys
from ttkit import compat
compat.install()
from ttkit.compiler.compilation import Compilation
from ttkit.runtime import bundle_answers
def forbidden(*_):
    raise AssertionError("a compilation")
Compilation.run = forbidden
import serve
child = os.fork() if "fork" in sys.argv else None
for _ in range(100):
    serve.main()
    serve.fill[(1,)](serve.Tensor(4096))
print(*sorted(bundle_answers.counts().items()))
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.fixture(scope="module")
def commanded(tmp_path_factory):
    """A list and a bundle of a script that is moved away afterwards: the list has its text."""
    folder = tmp_path_factory.mktemp("commanded")
    (folder / "serve.py").write_text(SCRIPT)
    run = warm_commands.ttkit(folder, "export", "serve.py", "-o", "launches.json")
    assert run.stderr.endswith("wrote launches.json: 4 launches\n"), run.stderr
    (folder / "elsewhere").mkdir()
    (folder / "serve.py").rename(folder / "elsewhere" / "serve.py")
    run = warm_commands.ttkit(
        folder, "compile-all", "launches.json", "-t", "sm_80,sm_90a", "-o", "b.ttkit", "--jobs", "2"
    )
    assert "wrote b.ttkit: 4 kernels for sm_80, sm_90, " in run.stderr and run.returncode == 0, run.stderr
    (folder / "elsewhere" / "start.py").write_text(SERVE)
    return folder


def test_a_script_without_the_compiler_in_two_processes(commanded, fake_driver_library):
    environment = {
        **os.environ,
        "TTKIT_BUNDLE": str(commanded / "b.ttkit"),
        "TTKIT_BUNDLE_MISS": "error",
        "TRITON_LIBCUDA_PATH": str(fake_driver_library.path),
        "TRITON_CACHE_DIR": str(commanded / "unused"),
    }
    command = [sys.executable, commanded / "elsewhere" / "start.py"]
    both = [
        subprocess.Popen([*command, *more], env=environment, stdout=subprocess.PIPE, text=True)
        for more in ([], ["fork"])
    ]
    outputs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0] == "('found', 4)\n" and outputs[1] == 2 * "('found', 4)\n"
    assert not list((commanded / "unused").glob("*/*.cubin"))


def test_a_bundle_has_no_paths_and_is_the_same_each_time(commanded):
    again = warm_commands.ttkit(
        commanded, "compile-all", "launches.json", "-t", "90,80", "-o", "c.ttkit", "--jobs", "1"
    )
    assert again.returncode == 0, again.stderr
    assert (commanded / "b.ttkit").read_bytes() == (commanded / "c.ttkit").read_bytes()
    with zipfile.ZipFile(commanded / "b.ttkit") as archive:
        assert not any(str(commanded).encode() in archive.read(name) for name in archive.namelist())
        described = json.loads(archive.read(INDEX))
    assert described["ttkit"] == ttkit.__version__ and len(described["toolkit"]) == 64
    assert {one["function"] for one in described["variants"].values()} == {"serve:add", "serve:fill"}
    assert str(commanded) not in (commanded / "launches.json").read_text()


BROKEN = """import ttkit
import ttkit.language as tl


@ttkit.jit
def good(x):
    tl.store(x, 1)


@ttkit.jit
def bad(x, n):
    tl.store(x, tl.load(x) @ n)


def made():
    @ttkit.jit
    def inner(x):
        tl.store(x, 1)

    return inner
"""


def test_a_failing_variant_is_said_and_others_are_kept(tmp_path):
    (tmp_path / "k.py").write_text(BROKEN)
    launches = [
        {"function": "k.py:good", "signature": "*i32:16"},
        {"function": "k.py:good", "signature": "*i32:16", "options": {"num_ctas": 2}},
        {"function": "k.py:bad", "signature": "*i32, i32"},
        {"function": "k.py:absent", "signature": "*i32"},
        {"function": "no_such_module_:k", "signature": "*i32"},
        {"function": "k.py:good", "signature": "*i32, i32"},
        {"function": "k:good", "signature": {"x": "*i32"}, "attributes": {"y": []}},
        {"function": "k.py:good", "signature": "*i32", "options": {"num_warps": "many"}},
        {"function": "k.py:good", "signature": {"x": "*i32"}, "options": {"num_warp": 8}, "key": "0"},
    ]
    (tmp_path / "l.json").write_text(json.dumps({"format": 1, "launches": launches}))
    run = warm_commands.ttkit(tmp_path, "compile-all", "l.json", "-t", "sm_80,sm_90", "-o", "b.ttkit", "-j", "2")
    assert run.returncode == 1 and "wrote b.ttkit: 2 kernels for sm_80, sm_90" in run.stderr
    for text in (
        "k.py:6: error: good(x: *i32) num_ctas=2 for sm_80: num_ctas > 1 requires NVIDIA SM90+",
        "k.py:11: error: bad(x: *i32, n: i32) for sm_80: at 2:16:",
        "k.py:11: error: bad(x: *i32, n: i32) for sm_90: at 2:16:",
        "error: k.py:absent: k.py has no kernel absent",
        "error: no_such_module_:k: module no_such_module_ can't be imported: ModuleNotFoundError",
        "error: k.py:good: kernel good has the parameters x; the signature has 2 items",
        "error: k:good: there is no parameter 'y'; the parameters are x",
        "error: k.py:good: num_warps must be an integer, found 'many'",
        "num_warp'",
    ):
        assert text in run.stderr, run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "l.json is not a list of launches"),
        ('{"format": 9, "launches": []}', "its format is 9, and this ttkit reads 1"),
        ('{"format": 1, "launches": [{}]}', "has no 'function'"),
        ('{"format": 1, "launches": []}', "has no launches"),
        ('{"format": 1, "launches": [{"function": "k.py:k", "signature": "*i32"}]}', "no variant could be compiled"),
    ],
)
def test_lists_that_give_no_bundle(tmp_path, text, message, capsys):
    (tmp_path / "l.json").write_text(text)
    words = ["compile-all", str(tmp_path / "l.json"), "-t", "80", "-o", str(tmp_path / "b.ttkit")]
    _, code = said(capsys, *words)
    assert message in code and not (tmp_path / "b.ttkit").exists()


# --- lists ------------------------------------------------------------------------------------------------------------


def test_recording_in_a_program(gpu, tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    for kernel in (add, applied):
        kernel.device_caches.clear()
    with ttkit.record_launches() as launches:
        add[(1,)](ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=64)
        add[(1,)](ALIGNED, ALIGNED, ALIGNED, 96, BLOCK=64)
        applied[(1,)](Tensor("torch.float16"), double, float16, 3)
    assert len(launches) == 2 and launches.left_out == [] and launches.files == {}
    launches.save(tmp_path / "l.json")
    assert "launched_kernels:add" in (tmp_path / "l.json").read_text()
    read = list(LaunchList.load(tmp_path / "l.json").variants())
    assert [one.source.fn for one in read] == [add, applied]
    assert [one.place.partition(":")[0] for one in read] == 2 * ["launched_kernels.py"]


class Mode(IntEnum):
    """What a server may call its constants."""

    SMALL = 64


def test_members_of_an_enumeration_are_their_numbers(gpu, tmp_path):
    launches = LaunchList()
    launches.add_call(add, ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=Mode.SMALL)
    launches.add_call(add, ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=64)
    assert len(launches) == 1 and launches.launches[0]["constants"] == {"BLOCK": 64}
    launches.save(tmp_path / "l.json")
    (read,) = LaunchList.load(tmp_path / "l.json").variants()
    assert read.source.fn is add


def test_a_changed_source_is_told(tmp_path):
    launches = LaunchList()
    launches.add(add, "*fp32, *fp32, *fp32, i32, 64")
    launches.save(tmp_path / "l.json")
    before = add.src
    try:
        add._unsafe_update_src(before.replace("+ tl.load(y", "- tl.load(y"))
        (error,) = LaunchList.load(tmp_path / "l.json").variants()
    finally:
        add._unsafe_update_src(before)
    assert isinstance(error, LaunchListError) and "its source is not the one that was listed" in str(error)


def test_what_has_no_name_is_left_out(tmp_path):
    use = "for k in (made(), good):\n    k.warmup(MockTensor(tl.int32), grid=(1,))\n"
    use = "from ttkit.runtime import MockTensor\n\n" + use
    (tmp_path / "k.py").write_text(BROKEN + use)
    run = warm_commands.ttkit(tmp_path, "export", "k.py", "-o", "l.json")
    assert run.returncode == 1 and "wrote l.json: 1 launch" in run.stderr
    assert "not listed: k.py:17: inner is defined in a function, so it can't be found by its name" in run.stderr


def test_a_launch_before_the_kernel_is_told(tmp_path):
    (tmp_path / "k.py").write_text(
        BROKEN.partition("@ttkit.jit\ndef bad")[0]
        + "good[(1,)](4096)\n\n\n@ttkit.jit\ndef late(x):\n    tl.store(x, 1)\n"
    )
    launches = [{"function": f"k.py:{name}", "signature": "*i32"} for name in ("good", "late")]
    (tmp_path / "l.json").write_text(json.dumps({"format": 1, "launches": launches}))
    good, late = LaunchList.load(tmp_path / "l.json").variants()
    assert good.source.fn.__name__ == "good"
    assert "k.py:10: a launch comes before the kernel is defined: put launches under" in str(late)


@pytest.mark.parametrize(
    "value",
    [None, True, 1, -(1 << 80), 0.5, float("inf"), "text", (1, (2.0, None)), [1, (2,)],
     float32, constexpr((1, float16)),
     BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0]), SliceLayout(0, BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0]))],
)  # fmt: skip
def test_constants_as_json(value):
    found = from_json(json.loads(json.dumps(to_json(value))))
    assert type(found) is type(value) and repr(found) == repr(value)


@pytest.mark.parametrize("value", [{}, {"tuple": 1}, {"dtype": "fp33"}, {"layout": {"None": {}}}, {"layout": 3},
                                   {"layout": {"BlockedLayout": {"x": 1}}}, {"function": "a:b"}])  # fmt: skip
def test_json_that_is_no_constant(value):
    with pytest.raises(ValueError, match=r"describe a constant|no layout|BlockedLayout"):
        from_json(value)


@pytest.mark.parametrize("value", [object(), {1: 2}, 1j, double, type("Pair", (tuple,), {})()])
def test_constants_without_a_form(value):
    with pytest.raises(TypeError, match="has no form in JSON"):
        to_json(value)


@pytest.mark.parametrize("name", ["processes:2", "of_a_module:make"])
def test_compiled_by_an_executor(commanded, name):
    (commanded / "of_a_module.py").write_text(
        "from concurrent.futures import ProcessPoolExecutor\ndef make():\n    return ProcessPoolExecutor(2)\n"
    )
    words = ["compile-all", "launches.json", "-t", "90,80", "-o", "d.ttkit", "--executor", name]
    run = warm_commands.ttkit(commanded, *words, TRITON_CACHE_DIR=str(commanded / name.replace(":", "-")))
    assert run.returncode == 0 and "wrote d.ttkit: 4 kernels" in run.stderr, run.stderr
    assert (commanded / "b.ttkit").read_bytes() == (commanded / "d.ttkit").read_bytes()


def test_an_executor_that_is_none(commanded):
    run = warm_commands.ttkit(
        commanded, "compile-all", "launches.json", "-t", "90", "-o", "e.ttkit", "--executor", "many"
    )
    assert run.returncode == 1 and "error: 'many' is not an executor: write processes:N" in run.stderr


def test_what_an_executor_can_not_compile_is_told(tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN)
    launches = {"format": 1, "launches": [
        {"function": f"broken.py:{name}", "signature": signature}
        for name, signature in (("good", "*i32"), ("bad", "*fp32, i32"))
    ]}  # fmt: skip
    (tmp_path / "launches.json").write_text(json.dumps(launches))
    run = warm_commands.ttkit(
        tmp_path, "compile-all", "launches.json", "-t", "90", "-o", "e.ttkit", "--executor", "processes:1", "--general"
    )
    assert run.returncode == 1 and "wrote e.ttkit: 1 kernel " in run.stderr, run.stderr
    assert "broken.py:11: error: bad(x: *fp32, n: i32) for sm_90: " in run.stderr


# --- several processes ------------------------------------------------------------------------------------------------

STARTS = """
import subprocess
import sys

import ttkit
import ttkit.language as tl
from ttkit.runtime import MockTensor


@ttkit.jit
def here(x):
    tl.store(x, 1)


if __name__ == "__main__":
    here.warmup(MockTensor(tl.int32), grid=(1,))
    for name in ("first", "second"):
        subprocess.run([sys.executable, "worker.py", name], check=True)
"""
# As workers of torch.compile: the kernel is in a file that no module has, below a decorator that keeps it.
WORKER = """
import os
import sys
from types import ModuleType

import triton

folder = sys.argv[1]
os.mkdir(folder)
path = os.path.abspath(f"{folder}/generated.py")
text = open("generated.txt").read().replace("VALUE", str(len(folder)))
open(path, "w").write(text)
made = ModuleType("tasks.of_" + folder)
made.__file__ = path
exec(compile(text, path, "exec"), made.__dict__)
source = triton.compiler.ASTSource(made.fill.fn, {"x": "*i32"}, {}, {})
triton.compile(source, target=triton.backends.compiler.GPUTarget("cuda", 90, 32), options={"num_warps": 2})
os._exit(0)
"""
GENERATED = """
import triton
import triton.language as tl

for backend in 2 * list(triton.backends.backends.values()):  # for each kernel once more
    assert backend.driver.is_active()
    triton.runtime.driver.set_active(backend.driver())


class Held:
    def __init__(self, fn):
        self.fn = fn


@Held
@triton.jit
def fill(x):
    tl.store(x, VALUE)
"""


def test_processes_that_a_script_starts_are_listed(tmp_path):
    for name, text in {"starts.py": STARTS, "worker.py": WORKER, "generated.txt": GENERATED}.items():
        (tmp_path / name).write_text(text)
    run = warm_commands.ttkit(tmp_path, "export", "starts.py", "-o", "l.json")
    assert run.stderr.endswith("wrote l.json: 3 launches\n"), run.stderr
    listed = json.loads((tmp_path / "l.json").read_text())
    assert {one["function"] for one in listed["launches"]} == {
        "starts.py:here",
        "generated.py:fill",
        "generated-2.py:fill",
    }
    run = warm_commands.ttkit(tmp_path, "compile-all", "l.json", "-t", "sm_80,sm_90", "-o", "b.ttkit", "--jobs", "1")
    assert run.returncode == 0 and "wrote b.ttkit: 3 kernels for sm_80, sm_90, " in run.stderr, run.stderr


def test_what_a_process_can_not_list_is_in_its_list(tmp_path):
    made = LaunchList()
    made.left_out.append("k.py:3: no name")
    made.add(add, "*fp32, *fp32, *fp32, i32, 64")
    made.save(tmp_path / "l.json")
    read, other = LaunchList.load(tmp_path / "l.json"), LaunchList()
    for _ in range(2):
        other.merge(read)
    assert len(other) == 1 and other.left_out == read.left_out == ["k.py:3: no name"] and other.path == read.path
    run = warm_commands.ttkit(tmp_path, "compile-all", "l.json", "-t", "80", "-o", "b.ttkit", "--jobs", "1")
    assert run.returncode == 0 and "not listed: k.py:3: no name" in run.stderr, run.stderr
