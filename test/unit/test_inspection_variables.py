"""Variables that show or change what happens between source and cubin."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import kernels_to_compile
import pytest
from kernels_to_compile import TARGET, source

import ttkit
import ttkit.language as tl
from ttkit import knobs
from ttkit.cache.manager import base32
from ttkit.compiler.ptxas import libdevice_path

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel"
)
HEADER = r"^// -----// IR Dump Before (\w+) \(([\w-]+)\) \('builtin.module' operation\) //----- //$"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A cache that has the kernel: what must be compiled again anyway, is."""
    folder = tmp_path_factory.mktemp("cache")
    with knobs.cache.scope():
        knobs.cache.dir = str(folder)
        ttkit.compile(source(), TARGET)
    return folder


@pytest.fixture(autouse=True)
def cache(shared, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(shared))


def compile_with(monkeypatch, **variables):
    for name, value in variables.items():
        monkeypatch.setenv(name, str(value))
    return ttkit.compile(source(), TARGET)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("value", ["1", "copy"])
def test_ir_before_every_pass(value, times, monkeypatch, capfd):
    for _ in range(times):
        compile_with(monkeypatch, MLIR_ENABLE_DUMP=value)
    headers = re.findall(HEADER, capfd.readouterr().err, re.MULTILINE)
    arguments = [argument for _, argument in headers]
    assert arguments[0] == "inline" and ("TritonGPUCoalesce", "tritongpu-coalesce") in headers
    assert "convert-triton-gpu-to-llvm" in arguments and len(arguments) > 30 * times


def test_ir_of_other_kernels_is_not_printed(monkeypatch, capfd):
    kernel = compile_with(monkeypatch, MLIR_ENABLE_DUMP="other")
    assert capfd.readouterr().err == "" and kernel.metadata.MLIR_ENABLE_DUMP == "other"


def test_ir_in_a_file(monkeypatch, capfd, tmp_path):
    path = tmp_path / "dump.mlir"
    path.write_text("what was there before")
    compile_with(monkeypatch, MLIR_ENABLE_DUMP=1, MLIR_DUMP_PATH=path)
    text = path.read_text()
    assert capfd.readouterr().err == "" and text.startswith("// -----// IR Dump Before Inliner (inline)")
    compile_with(monkeypatch)
    assert path.read_text() == text + text  # one file for the process
    with pytest.raises(ValueError, match="MLIR_DUMP_PATH: cannot write"):
        compile_with(monkeypatch, MLIR_DUMP_PATH=tmp_path / "missing" / "dump.mlir")


def test_times_of_passes(monkeypatch, capfd):
    compile_with(monkeypatch, MLIR_ENABLE_TIMING=1, LLVM_ENABLE_TIMING=1)
    told = capfd.readouterr().err
    assert told.count("Execution time report") == 4 and "Canonicalizer" in told
    headings = re.findall(r"\.\.\. Execution time report \.\.\.\n +(.*)", told)
    assert headings == [
        *(f"passes of {stage}, kernel copy" for stage in ("ttir", "ttgir", "llir")),
        "stages, kernel copy",
    ]
    assert re.findall(r"%\)  (\w+)", told.partition("stages, kernel copy")[2])[-4:] == ["llir", "ptx", "cubin", "Total"]
    assert re.search(r"LLVM, llir: \d\.\d+ seconds", told) and re.search(r"LLVM, ptx: \d\.\d+ seconds", told)
    assert "optimization" in told and "emission" in told


REMARKING = """
import ttkit
import ttkit.language as tl
from ttkit.passes.infra import remark, warn

class Remarks(ttkit.Pass):
    name = "test-remarks"
    summary = "a warning and a remark"

    def run(self, op):
        function = op.regions[0].blocks[0].operations[0]
        warn(function, "odd")
        remark(function, "seen", "twice")
"""


def test_remarks(monkeypatch, capfd, context, tmp_path):
    """As Triton: remarks are less than warnings; operations and stacks are notes before those of the pass."""
    from mlir import ir

    from ttkit.compiler.pass_inspection import run_stage

    (tmp_path / "remarks.py").write_text(REMARKING)
    ttkit.load_pass_file(str(tmp_path / "remarks.py"))
    (tmp_path / "source.mlir").write_text("module {\n  tt.func @f() {\n    tt.return\n  }\n}")
    place = f"{tmp_path}/source.mlir:2:3:"
    source = "  tt.func @f() {\n  ^\n"
    warning, remark = f"{place} warning: odd\n{source}", f"{place} remark: seen\n{source}"
    operation = f"{place} note: see current operation: tt.func @f() {{...}}\n"
    for words, expected in {
        "": "",
        "operations": "",
        "warnings": warning,
        "remarks": warning + remark + f"{place} note: twice\n",
        "remarks,operations": f"{warning}{operation}{remark}{operation}{place} note: twice\n",
    }.items():
        monkeypatch.setenv("MLIR_ENABLE_DIAGNOSTICS", words)
        run_stage(ir.Module.parseFile(f"{tmp_path}/source.mlir"), "ttir", ["test-remarks"])
        assert capfd.readouterr().err == expected
    monkeypatch.setenv("MLIR_ENABLE_DIAGNOSTICS", "warnings,stacktraces,operations")
    run_stage(ir.Module.parseFile(f"{tmp_path}/source.mlir"), "ttir", ["test-remarks"])
    told = capfd.readouterr().err
    assert told.startswith(f"{warning}{place} note: diagnostic emitted with trace:\n")
    assert "remarks.py" in told and "compiler/diagnostics.py" not in told and told.endswith(operation)


def test_remarks_on_accesses_of_single_elements(monkeypatch, capfd):
    @ttkit.jit
    def strided(x, n, stride):
        i = tl.arange(0, 512)
        tl.store(x + i, tl.load(x + i * stride, mask=i < n))

    asked = ttkit.ASTSource(strided, {"x": "*fp32", "n": "i32", "stride": "i32"}, {}, {})
    monkeypatch.setenv("MLIR_ENABLE_DIAGNOSTICS", "remarks")
    ttkit.compile(asked, TARGET)
    told = capfd.readouterr().err
    assert "remark: Warning: vectorization fails vec = 1 origin vec = 1 numElems = 4 mask is 1\n" in told
    assert "elemsPerThread = 4 mask is -1\n" in told and "note:" not in told


def test_reproducers(monkeypatch, tmp_path, capfd):
    compile_with(monkeypatch, TRITON_REPRODUCER_PATH=tmp_path / "copy")
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [f"copy.make_{stage}.repro.mlir" for stage in ("llir", "ttgir", "ttir")]
    command = [sys.executable, "-c", "from ttkit.drivers.opt import main; main()", "--run-reproducer"]
    done = subprocess.run([*command, tmp_path / files[0]], capture_output=True, text=True)
    assert done.returncode == 0 and "llvm.func" in done.stdout, done.stderr
    capfd.readouterr()
    compile_with(monkeypatch, TRITON_REPRODUCER_PATH="-")
    assert capfd.readouterr().err.count("mlir_reproducer") == 3
    with pytest.raises(ValueError, match="TRITON_REPRODUCER_PATH: cannot write"):
        compile_with(monkeypatch, TRITON_REPRODUCER_PATH=tmp_path / "missing" / "copy")


def test_llvm_ir(monkeypatch, capfd):
    compile_with(monkeypatch, LLVM_IR_ENABLE_DUMP=1)
    assert "IR Dump After" in capfd.readouterr().err
    compile_with(monkeypatch, LLVM_IR_ENABLE_DUMP=0, TRITON_ALWAYS_COMPILE=1)
    assert "IR Dump After" not in capfd.readouterr().err


def test_llvm_without_optimization(monkeypatch):
    optimized = ttkit.compile(source(), TARGET)
    plain = compile_with(monkeypatch, DISABLE_LLVM_OPT=1)
    assert len(plain.asm["llir"].splitlines()) > len(optimized.asm["llir"].splitlines())
    assert plain.asm["cubin"].startswith(b"\x7fELF") and plain.metadata.DISABLE_LLVM_OPT == "true"
    flagged = compile_with(monkeypatch, DISABLE_LLVM_OPT="disable-lsr,no-such-flag")
    assert flagged.metadata.DISABLE_LLVM_OPT == "disable-lsr,no-such-flag" and flagged.hash != plain.hash


def test_ptx_and_ptxas(monkeypatch, capfd):
    compile_with(monkeypatch, NVPTX_ENABLE_DUMP=1, TRITON_DUMP_PTXAS_LOG=1)
    told = capfd.readouterr().out
    assert told.startswith("// -----// NVPTX Dump //----- //\n//\n// Generated by LLVM") and "Used " in told


# A shell, since the path of Python may have a blank.
FAKE = """#!/bin/sh
''\'exec' "{python}" "$0" "$@"
' ''\'
import sys, subprocess
open({log!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")
sys.exit(subprocess.run([{real!r}, *sys.argv[1:]]).returncode)
"""


@pytest.mark.parametrize(
    "variables, wanted, unwanted",
    [
        ({}, "-lineinfo", "-g"),
        ({"DISABLE_PTXAS_OPT": "1"}, "-g --opt-level 0", "-lineinfo"),
        ({"TRITON_DISABLE_LINE_INFO": "1"}, "-lineinfo -suppress-debug-info", "-g"),
        ({"PTXAS_OPTIONS": "--warn-on-spills --opt-level 2"}, "--warn-on-spills --opt-level 2", "-g"),
        ({"TRITON_DEFAULT_FP_FUSION": "0"}, "--fmad=false", "-g"),
    ],
)
def test_what_ptxas_is_told(variables, wanted, unwanted, monkeypatch, tmp_path):
    program, log = tmp_path / "ptxas", tmp_path / "log"
    program.write_text(FAKE.format(python=sys.executable, log=str(log), real=knobs.nvidia.ptxas.path))
    program.chmod(0o755)
    kernel = compile_with(monkeypatch, TRITON_PTXAS_PATH=program, **variables)
    told = log.read_text()
    assert wanted in told and f" {unwanted} " not in f" {told} "
    assert kernel.asm["cubin"].startswith(b"\x7fELF")


def test_a_ptxas_that_fails(monkeypatch, tmp_path):
    from ttkit.compiler.ptxas import PTXASError

    with pytest.raises(PTXASError, match=r"Repro command: .*ptxas") as caught:
        compile_with(monkeypatch, PTXAS_OPTIONS="--no-such-option")
    command = shlex.split(re.search("Repro command: (.*)", str(caught.value))[1])
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode and "no-such-option" in done.stderr
    shutil.rmtree(Path(command[-1]).parent)


def test_libdevice_by_its_variable(monkeypatch, tmp_path):
    import ttkit.language as tl

    @ttkit.jit
    def errors(x):
        tl.store(x, tl.erf(tl.load(x)))

    source = ttkit.ASTSource(errors, {"x": "*fp32"})
    plain = ttkit.compile(source, TARGET)
    path = tmp_path / "libdevice.bc"
    shutil.copy(libdevice_path(), path)
    monkeypatch.setenv("TRITON_LIBDEVICE_PATH", str(path))
    assert ttkit.compile(source, TARGET).hash == plain.hash  # the same library elsewhere
    path.write_bytes(b"no bitcode")
    with pytest.raises(Exception, match="is not LLVM bitcode"):
        ttkit.compile(source, TARGET)
    monkeypatch.setenv("TRITON_LIBDEVICE_PATH", str(tmp_path / "missing.bc"))
    with pytest.raises(FileNotFoundError, match=r"TRITON_LIBDEVICE_PATH: cannot read .*missing\.bc"):
        ttkit.compile(source, TARGET)


def test_no_lines(monkeypatch):
    assert ".loc" in ttkit.compile(source(), TARGET).asm["ptx"]
    assert ".loc" not in compile_with(monkeypatch, TRITON_DISABLE_LINE_INFO=1).asm["ptx"]


@pytest.mark.parametrize("level", ["ttir", "ttgir"])
def test_lines_of_a_level(level, monkeypatch, capfd, shared):
    kernel = compile_with(monkeypatch, USE_IR_LOC=level)
    path = shared / base32(kernel.hash) / f"copy.{level}"
    assert capfd.readouterr().out == f"Creating new locations for {path}\n"
    lines = path.read_text().splitlines()
    assert f'!DIFile(filename: "copy.{level}", directory: "{path.parent}")' in kernel.asm["llir"]
    # the line of a load, as the PTX has it, is the line of a load in the file
    before = kernel.asm["ptx"].partition("ld.global")[0]
    assert "tt.load" in lines[int(re.findall(r"\.loc\s+\d+ (\d+) ", before)[-1]) - 1]
    assert ttkit.compile(source(), TARGET).asm[level] == path.read_text()


TT_OF_A_FILE = """#loc = loc("/elsewhere/kernel.py":7:0)
module {
  tt.func public @fill(%p: !tt.ptr<i32> loc("p"(#loc)), %value: i32) {
    // ) loc(
    tt.store %p, %value : !tt.ptr<i32> loc(callsite("f(x)"(#loc) at "/elsewhere/kernel.py":8:4))
    tt.return loc(#loc)
  } loc(#loc)
} loc(#loc)
"""


def test_lines_of_a_file(monkeypatch, capfd, tmp_path):
    """USE_IR_LOC puts the lines of the file in the place of those that it names itself; the file stays as it is."""
    path = tmp_path / "fill.ttir"
    path.write_text(TT_OF_A_FILE)
    assert "/elsewhere/kernel.py" in ttkit.compile(str(path), TARGET).asm["ptx"]
    monkeypatch.setenv("USE_IR_LOC", "ttir")
    text = ttkit.compile(str(path), TARGET).asm["ptx"]
    assert capfd.readouterr().out == f"Creating new locations for {path}\n" and path.read_text() == TT_OF_A_FILE
    assert re.findall(r"\.file.*", text) == [f'.file\t1 "{path}"'] and re.search(r"\.loc\s+1 5 5\b", text)
    level = ttkit.compile(str(path), TARGET).asm["ttir"]
    assert f'"{path}":5:5' in level and "elsewhere" not in level


def test_files_with_the_same_text_have_lines_of_their_own(tmp_path):
    named = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "fill.ttir"
        path.write_text(re.sub(r" loc\(.*\)(?=[,)\n])|^#.*\n", "", TT_OF_A_FILE))
        named += re.findall(r'\.file\s+1 "(.*)"', ttkit.compile(str(path), TARGET).asm["ptx"])
    assert named == [str(tmp_path / folder / "fill.ttir") for folder in ("one", "two")]


# --- dump and override ------------------------------------------------------------------------------------------------


@pytest.fixture
def directories(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    return tmp_path / "dump" / base32(source().hash()), tmp_path / "override"


def test_dumping_a_kernel(monkeypatch, directories, capfd):
    monkeypatch.setattr("ttkit.compiler.disassembly.sass", lambda cubin: "SASS")
    for _ in range(2):
        kernel = compile_with(monkeypatch, TRITON_KERNEL_DUMP=1)
    dumped, _ = directories
    names = [".options.json"] + [
        f"copy.{level}" for level in ("cubin", "llir", "ptx", "sass", "source", "ttgir", "ttir")
    ]
    assert sorted(path.name for path in dumped.iterdir()) == names
    assert (dumped / "copy.ptx").read_text() == kernel.asm["ptx"] and (dumped / "copy.sass").read_text() == "SASS"
    assert capfd.readouterr().err == f"TRITON_KERNEL_DUMP: kernel copy is in {dumped}\n" * 2


def test_dumping_where_nothing_can_be_written(monkeypatch, tmp_path, capfd):
    (tmp_path / "file").write_text("")
    kernel = compile_with(monkeypatch, TRITON_KERNEL_DUMP=1, TRITON_DUMP_DIR=tmp_path / "file")
    assert kernel.asm["cubin"] and "TRITON_KERNEL_DUMP: can't write" in capfd.readouterr().err


def override_with(directory, level, text):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"copy.{level}").write_text(text)


CHANGES = {
    "ttir": lambda text: text.replace("3.000000e+00", "7.000000e+00"),
    "ttgir": lambda text: text.replace("3.000000e+00", "7.000000e+00"),
    "llir": lambda text: text.replace("3.000000e+00", "7.000000e+00"),
    "ptx": lambda text: text.replace("0f40400000", "0f40E00000"),
}


@pytest.mark.parametrize("level", CHANGES)
def test_overriding_a_level(level, monkeypatch, directories, capfd):
    plain = ttkit.compile(source(), TARGET)
    changed = CHANGES[level](plain.asm[level])
    assert changed != plain.asm[level]
    folder = directories[1] / base32(source().hash())
    override_with(folder, level, changed)
    kernels = [compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1) for _ in range(2)]
    assert capfd.readouterr().out == f"\nOverriding kernel with file {folder / f'copy.{level}'}\n" * 2
    assert all("0f40E00000" in kernel.asm["ptx"] or "0f40E00000" in kernel.asm["ptx"].upper() for kernel in kernels)
    assert kernels[0].hash != plain.hash
    # what is stored is not mistaken for the kernel itself, and an edited file is used
    override_with(folder, level, plain.asm[level])
    assert "0f40400000" in ttkit.compile(source(), TARGET).asm["ptx"]
    monkeypatch.delenv("TRITON_KERNEL_OVERRIDE")
    assert ttkit.compile(source(), TARGET).asm["ptx"] == plain.asm["ptx"]


@pytest.mark.parametrize("level", ["ttgir", "ptx"])
def test_where_the_interpreter_runs_kernels_only_tt_and_ttg_change_results(level, monkeypatch, directories, capfd):
    override_with(directories[1], level, ttkit.compile(source(), TARGET).asm[level])
    compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1, TTKIT_DEVICE="interpret:sm_90")
    said = f"{level} changes no result: TTKIT_DEVICE=interpret:sm_90 runs the kernel's ttgir" in capfd.readouterr().err
    assert said == (level == "ptx")


def test_overriding_a_cubin(monkeypatch, directories):
    other = ttkit.compile(source(128), TARGET)
    folder = directories[1] / base32(source().hash())
    folder.mkdir(parents=True)
    (folder / "copy.cubin").write_bytes(other.asm["cubin"])
    assert compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1).asm["cubin"] == other.asm["cubin"]


@pytest.mark.parametrize("folder", ["copy", ""])
def test_overriding_by_the_name_of_the_kernel(folder, monkeypatch, directories, capfd):
    override_with(directories[1] / folder, "ttir", CHANGES["ttir"](ttkit.compile(source(), TARGET).asm["ttir"]))
    assert "7.0" in compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1).asm["ttgir"]
    assert "Overriding kernel with file" in capfd.readouterr().out


def test_what_is_not_used_is_said(monkeypatch, directories, capfd):
    override = directories[1]
    override_with(override / "OTHER", "ttgir", "")
    override_with(override / base32(source().hash()), "txt", "")
    (override / base32(source().hash()) / "other.ttgir").write_text("")
    kernel = compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1)
    told = capfd.readouterr().err
    assert kernel.asm["ptx"] == ttkit.compile(source(), TARGET).asm["ptx"]
    assert "no file overrides kernel copy: looked for copy.{ttir,ttgir,llir,ptx,cubin} in" in told
    assert "OTHER/copy.ttgir is not used: its folder is of another source, signature or attributes" in told
    assert "copy.txt is not used: .txt is none of ttir, ttgir, llir, ptx, cubin" in told
    assert "other.ttgir is not used: the kernel is copy" in told


def test_a_level_before_another_has_no_effect(monkeypatch, directories, capfd):
    plain = ttkit.compile(source(), TARGET)
    for level in ("ttir", "ptx"):
        override_with(directories[1] / "copy", level, plain.asm[level])
    compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1)
    assert re.search(r"copy\.ttir has no effect: .*copy\.ptx takes the place of a level", capfd.readouterr().err)


def test_llvm_ir_that_is_wrong(monkeypatch, directories):
    used_before = re.sub(
        r"\n  ret void",
        "\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret void",
        CHANGES["llir"](ttkit.compile(source(), TARGET).asm["llir"]),
    )
    override_with(directories[1], "llir", used_before)
    with pytest.raises(Exception, match="does not dominate"):
        compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1)


def test_a_file_that_is_no_ir(monkeypatch, directories):
    override_with(directories[1], "ttgir", "no IR")
    with pytest.raises(Exception, match=r"copy\.ttgir"):
        compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1)


def test_an_option_overrides_a_level(monkeypatch, tmp_path, capfd):
    plain = ttkit.compile(source(), TARGET)
    path = tmp_path / "mine.ttgir"
    path.write_text(CHANGES["ttgir"](plain.asm["ttgir"]))
    kernel = ttkit.compile(source(), TARGET, {"ir_override": str(path)})
    assert f"Overriding kernel with file {path}" in capfd.readouterr().out and kernel.asm["ttgir"] != plain.asm["ttgir"]
    path.write_text(plain.asm["ttgir"])
    assert ttkit.compile(source(), TARGET, {"ir_override": str(path)}).asm["ptx"] == plain.asm["ptx"]
    with pytest.raises(ValueError, match="its suffix must be one of"):
        ttkit.compile(source(), TARGET, {"ir_override": "mine.mlir"})
    with pytest.raises(FileNotFoundError):
        ttkit.compile(source(), TARGET, {"ir_override": str(tmp_path / "missing.ttgir")})
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")  # which turns the option off
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    path.write_text("")
    assert ttkit.compile(source(), TARGET, {"ir_override": str(path)}).asm["ptx"] == plain.asm["ptx"]


def test_metadata_of_an_overriding_module(monkeypatch, directories):
    text = ttkit.compile(source(), TARGET, {"num_warps": 2}).asm["ttgir"]
    override_with(directories[1], "ttgir", text)
    kernel = compile_with(monkeypatch, TRITON_KERNEL_OVERRIDE=1)
    assert kernel.metadata.num_warps == 2 and ".reqntid 64" in kernel.asm["ptx"]
    assert json.loads(Path(kernel.metadata_group["copy.json"]).read_text())["num_warps"] == 2


def test_python_stacks_of_crashes(monkeypatch):
    import faulthandler

    enabled = faulthandler.is_enabled()
    faulthandler.disable()
    try:
        compile_with(monkeypatch, TRITON_ENABLE_PYTHON_STACKTRACE=1, TRITON_ALWAYS_COMPILE=1)
        assert faulthandler.is_enabled()
    finally:
        (faulthandler.enable if enabled else faulthandler.disable)()


def test_kernels_of_this_file_do_not_depend_on_where_they_are():
    assert os.path.dirname(kernels_to_compile.__file__) not in source().fn.cache_key


def test_a_name_that_no_kernel_has_is_said_at_the_end(shared):
    """A dump of `cop` prints nothing, and a process that ends says why; found kernels are listed."""
    script = "import kernels_to_compile, ttkit; ttkit.compile(kernels_to_compile.source(), kernels_to_compile.TARGET)"
    said = {}
    for asked in ("cop", "copy"):
        for name in ("MLIR_ENABLE_DUMP", "LLVM_IR_ENABLE_DUMP"):
            done = subprocess.run(
                [sys.executable, "-c", script],
                env={**os.environ, name: asked, "TRITON_CACHE_DIR": str(shared)},
                cwd=Path(__file__).parent,
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert done.returncode == 0, done.stderr
            said[name, asked] = done.stderr
    for name in ("MLIR_ENABLE_DUMP", "LLVM_IR_ENABLE_DUMP"):
        assert f"ttkit: {name}: no kernel is called 'cop'; found copy" in said[name, "cop"]
        assert said[name, "cop"].endswith("; did you mean 'copy'?\n") and said[name, "cop"].count("\n") == 1
        assert "no kernel is called" not in said[name, "copy"] and "copy" in said[name, "copy"]
