"""`ttkit.compile`: sources, options, compiled kernels, without a GPU."""

import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import kernels_to_compile as kernels
import pytest
from kernels_to_compile import TARGET, source

import ttkit
import ttkit.language as tl
from ttkit import knobs
from ttkit.compiler import disassembly
from ttkit.drivers import compile as compile_driver

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel"
)


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    """A cache that the tests of this file share: most of them want a kernel, not its compilation."""
    folder = tmp_path_factory.getbasetemp() / "shared-cache"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder))
    monkeypatch.delenv("TRITON_OVERRIDE_ARCH", raising=False)
    return folder


def test_a_kernel_has_all_levels():
    kernel = ttkit.compile(source(), TARGET, {"num_warps": 2})
    assert list(kernel.asm) == ["source", "ttir", "ttgir", "llir", "ptx", "cubin"]
    assert "tt.call" in kernel.asm["source"] and "tt.call" not in kernel.asm["ttir"]
    assert '"ttg.num-warps" = 2' in kernel.asm["ttgir"]
    assert "@copy(%x: " in kernel.asm["ttir"] and "@copy(%x: " in kernel.asm["ttgir"]
    assert "define ptx_kernel void @copy" in kernel.asm["llir"]
    assert ".visible .entry copy" in kernel.asm["ptx"] and ".target sm_90a" in kernel.asm["ptx"]
    assert kernel.asm["cubin"] == kernel.kernel and kernel.kernel.startswith(b"\x7fELF")
    with pytest.raises(KeyError):
        _ = kernel.asm["hsaco"]


def test_metadata_are_a_sorted_named_tuple():
    kernel = ttkit.compile(source(), TARGET, {"num_warps": 2, "num_stages": 2})
    metadata = kernel.metadata
    assert list(metadata._fields) == sorted(metadata._fields)
    assert metadata.target == TARGET and metadata.arch == "sm90" and metadata.name == kernel.name == "copy"
    assert (metadata.num_warps, metadata.num_stages, metadata.hash) == (2, 2, kernel.hash)
    assert kernel.packed_metadata == (2, 1, metadata.shared)
    # Those that Triton 3.6 writes.
    names = """num_warps num_ctas num_stages warp_size maxnreg ptx_version ptx_options ir_override enable_fp_fusion
        enable_reflect_ftz launch_cooperative_grid launch_pdl supported_fp8_dtypes deprecated_fp8_dot_operand_dtypes
        default_dot_input_precision allowed_dot_input_precisions max_num_imprecise_acc_default extern_libs debug
        backend_name sanitize_overflow arch instrumentation_mode hash name shared tmem_size global_scratch_size
        global_scratch_align profile_scratch_size profile_scratch_align target tensordesc_meta triton_version"""
    assert set(names.split()) <= set(metadata._fields)
    stored = json.loads(Path(kernel.metadata_group["copy.json"]).read_text())
    assert stored["target"] == {"backend": "cuda", "arch": 90, "warp_size": 32}


def test_attributes_and_constants_of_a_source():
    kernel = ttkit.compile(source(128, attrs={(0,): [["tt.divisibility", 16]]}), TARGET)
    assert "tt.divisibility = 16" in kernel.asm["ttir"] and "end = 128" in kernel.asm["ttir"]
    by_path = ttkit.ASTSource(kernels.copy, {"x": "*fp32", "y": "*fp32", "BLOCK": "constexpr"}, {(2,): 128})
    assert "end = 128" in ttkit.compile(by_path, TARGET).asm["ttir"]


@pytest.mark.parametrize("level", ["ttir", "ttgir", "llir", "ptx"])
def test_files_go_on_after_their_level(level, tmp_path):
    whole = ttkit.compile(source(), TARGET, {"num_warps": 2})
    path = tmp_path / f"copy.{level}"
    path.write_text(whole.asm[level])
    (tmp_path / "copy.json").write_text(json.dumps({"shared": whole.metadata.shared, "tensordesc_meta": []}))
    kernel = ttkit.compile(str(path), TARGET, {"num_warps": 2})
    levels = ["ttir", "ttgir", "llir", "ptx", "cubin"]
    assert list(kernel.asm) == levels[levels.index(level) :]
    assert (kernel.name, kernel.metadata.num_warps) == ("copy", 2)
    assert kernel.metadata.shared == whole.metadata.shared
    assert kernel.asm[level] if level in ("llir", "ptx") else kernel.asm["ptx"]
    assert ttkit.compile(path, TARGET, {"num_warps": 2}).hash == kernel.hash


@pytest.mark.parametrize("level", ["ttir", "ttgir"])
def test_a_file_of_mlir_goes_on_after_the_level_of_its_text(level, tmp_path):
    path = tmp_path / "copy.mlir"
    path.write_text(ttkit.compile(source(), TARGET, {"num_warps": 2}).asm[level])
    kernel = ttkit.compile(str(path), TARGET, {"num_warps": 2})
    assert next(iter(kernel.asm)) == level and kernel.metadata.num_warps == 2
    output = tmp_path / "k.ptx"
    compile_driver.main([str(path), "--num-warps", "2", "-o", str(output), "--quiet"])
    assert ".visible .entry copy" in output.read_text()
    path.write_text("llvm.func @copy() {\n  llvm.return\n}\n")
    with pytest.raises(ValueError, match="the llvm dialect; write LLVM IR first, by mlir-translate"):
        ttkit.compile(str(path), TARGET)


def test_files_with_the_same_text_are_told_apart(tmp_path):
    text = ttkit.compile(source(), TARGET, {"num_warps": 2}).asm["ttgir"]
    for level in ("ttir", "ttgir"):
        (tmp_path / f"copy.{level}").write_text(text)
    in_order = ttkit.compile(str(tmp_path / "copy.ttgir"), TARGET)
    assert ttkit.compile(str(tmp_path / "copy.ttir"), TARGET, {"num_warps": 2}).hash != in_order.hash
    (tmp_path / "copy.ptx").write_text(in_order.asm["ptx"])
    found = []
    for shared in (0, 4096):
        (tmp_path / "copy.json").write_text(json.dumps({"shared": shared}))
        found.append(ttkit.compile(str(tmp_path / "copy.ptx"), TARGET).metadata.shared)
    assert found == [0, 4096]


def test_ttg_knows_its_warps(tmp_path):
    path = tmp_path / "copy.ttgir"
    path.write_text(ttkit.compile(source(), TARGET, {"num_warps": 2}).asm["ttgir"])
    assert ttkit.compile(str(path), TARGET).metadata.num_warps == 2


def test_ttg_of_another_target_is_refused(tmp_path):
    path = tmp_path / "copy.ttgir"
    path.write_text(ttkit.compile(source(), TARGET).asm["ttgir"])
    with pytest.raises(Exception, match="made for cuda:90, not sm_80"):
        ttkit.compile(str(path), ttkit.GPUTarget("cuda", 80, 32))


def test_ttg_of_an_older_target_is_compiled_for_it(tmp_path):
    """By the instructions that the older GPU has; the code is assembled for the one that is asked for."""
    made = ttkit.compile(source(), ttkit.GPUTarget("cuda", 80, 32))
    path = tmp_path / "k.ttgir"
    path.write_text(made.asm["ttgir"])
    kernel = ttkit.compile(str(path), TARGET)
    assert (kernel.metadata.arch, kernel.metadata.target.arch) == ("sm80", 90)
    assert ".target sm_90a" in kernel.asm["ptx"] and '"cuda:80"' in kernel.asm["ttgir"]
    path.write_text(made.asm["ttgir"].replace("cuda:80", "cuda:61"))
    with pytest.raises(Exception, match=r"made for cuda:61: unknown target sm_61; known are sm_75"):
        ttkit.compile(str(path), TARGET)


def test_wrong_sources_are_refused(tmp_path):
    (tmp_path / "k.txt").write_text("")
    with pytest.raises(ValueError, match=r"use \.ttir, \.ttgir, \.llir, \.ptx"):
        ttkit.compile(str(tmp_path / "k.txt"), TARGET)
    with pytest.raises(FileNotFoundError):
        ttkit.compile(str(tmp_path / "k.ttir"), TARGET)
    with pytest.raises(TypeError, match="AST or a filepath, found int"):
        ttkit.compile(3, TARGET)
    with pytest.raises(TypeError, match="must be of GPUTarget type"):
        ttkit.compile(source(), "sm_90")
    with pytest.raises(RuntimeError, match="compatible backends"):
        ttkit.compile(source(), ttkit.GPUTarget("hip", "gfx942", 64))
    with pytest.raises(ValueError, match="unknown target"):
        ttkit.compile(source(), ttkit.GPUTarget("cuda", 42, 32))
    (tmp_path / "k.llir").write_text("define void @f() { ret void }")
    with pytest.raises(Exception, match="one ptx_kernel, found none"):
        ttkit.compile(str(tmp_path / "k.llir"), TARGET)
    (tmp_path / "k.ptx").write_text("")
    with pytest.raises(Exception, match="one kernel, found none"):
        ttkit.compile(str(tmp_path / "k.ptx"), TARGET)


def test_options_are_checked():
    with pytest.raises(ValueError, match="num_warps must be a power of 2, up to 1024; found 3"):
        ttkit.compile(source(), TARGET, {"num_warps": 3})
    with pytest.raises(ValueError, match="num_ctas > 1 requires"):
        ttkit.compile(source(), ttkit.GPUTarget("cuda", 80, 32), {"num_ctas": 2})
    ttkit.compile(source(), TARGET, {"waves_per_eu": 2, "maxnreg": None})  # of AMD; a default
    assert ttkit.compile(source(), TARGET, {"num_stages": 0}).metadata.num_stages == 0


def test_unknown_options_are_ignored(capsys):
    kernel = ttkit.compile(source(), TARGET, {"num_wraps": 4})
    assert kernel.hash == ttkit.compile(source(), TARGET, {}).hash
    assert "option num_wraps is ignored: no option has this name; did you mean 'num_warps'" in capsys.readouterr().err


def test_the_target_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm80")
    kernel = ttkit.compile(source())
    assert kernel.metadata.target.arch == 80 and ".target sm_80" in kernel.asm["ptx"]
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "ninety")
    with pytest.raises(ValueError, match="have the form sm90, found 'ninety'"):
        ttkit.compile(source())


def test_the_passes_compile_for_an_overriding_architecture(monkeypatch):
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm80")
    kernel = ttkit.compile(source(), TARGET)
    assert 'ttg.target = "cuda:80"' in kernel.asm["ttgir"] and ".target sm_90a" in kernel.asm["ptx"]


def test_passes_compile_for_a_gpu_that_ptxas_has_left_behind(monkeypatch):
    """As scripts do that look at the IR for several GPUs: it runs on the one that is there."""
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm70")
    kernel = ttkit.compile(source(), TARGET)
    assert '"cuda:70"' in kernel.asm["ttgir"] and ".target sm_90a" in kernel.asm["ptx"]
    assert kernel.metadata.arch == "sm70"
    for target in (None, ttkit.GPUTarget("cuda", 70, 32)):
        with pytest.raises(RuntimeError, match="can't generate code for sm_70, only tt, ttg and LLVM IR"):
            ttkit.compile(source(), target)
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm60")
    with pytest.raises(ValueError, match="unknown target 'sm60'"):
        ttkit.compile(source(), TARGET)


def test_no_target_and_no_gpu_says_what_to_do(monkeypatch):
    from ttkit.cuda import libcuda

    def missing(*_):
        raise libcuda.DriverMissing("no NVIDIA driver")

    monkeypatch.setattr("ttkit.runtime.driver.ordinal_of_current_context", missing)
    with pytest.raises(RuntimeError, match="no NVIDIA driver; to compile without a GPU give a target"):
        ttkit.compile(source())


def test_mistakes_in_a_kernel_have_a_place_and_no_frames_of_the_compiler(monkeypatch):
    @ttkit.jit
    def wrong(x):
        tl.store(x, undefined_name)  # noqa: F821

    mistake = ttkit.ASTSource(wrong, {"x": "*fp32"})
    for debugging, frames in ((False, 0), (True, 1)):
        monkeypatch.setenv("TRITON_FRONT_END_DEBUGGING", str(int(debugging)))
        with pytest.raises(ttkit.CompilationError, match="undefined_name") as caught:
            ttkit.compile(mistake, TARGET)
        names = [str(entry.path) for entry in caught.traceback]
        assert any("frontend" in name for name in names) == bool(frames)


def test_the_listener_hears_of_times_and_hits(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    heard = []
    with knobs.compilation.scope():
        knobs.compilation.listener = lambda **told: heard.append(told)
        kernel = ttkit.compile(source(), TARGET)
        ttkit.compile(source(), TARGET)
    first, second = heard
    assert (first["cache_hit"], second["cache_hit"]) == (False, True)
    assert [level for level, _ in first["times"].lowering_stages] == ["ttir", "ttgir", "llir", "ptx", "cubin"]
    assert all(time > 0 for _, time in first["times"].lowering_stages) and first["times"].ir_initialization > 0
    assert first["times"].total >= first["times"].total_lowering > 0
    assert first["metadata"]["name"] == "copy" and first["metadata_group"] == kernel.metadata_group
    assert first["src"].fn is kernels.copy and second["times"].lowering_stages == []


def test_stages_may_be_replaced(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    seen = []

    def hook(backend=None, stages=None, options=None, language=None, capability=None):
        if stages is None:
            return "key", "hash of the hook"
        make = stages["ptx"]
        stages["ptx"] = lambda src, metadata: make(src, metadata).replace("//\n// Generated", "//\n// Replaced")
        stages["ttir"] = lambda src, metadata: (
            seen.append("ttir") or backend.make_ttir(src, metadata, options, capability)
        )
        return None

    plain = ttkit.compile(source(), TARGET)
    with knobs.runtime.scope():
        knobs.runtime.add_stages_inspection_hook = hook
        changed = ttkit.compile(source(), TARGET)
    assert seen == ["ttir"] and "// Replaced" in changed.asm["ptx"] and "// Replaced" not in plain.asm["ptx"]
    assert changed.hash != plain.hash and ttkit.compile(source(), TARGET).hash == plain.hash


class CountsStages:
    def __init__(self):
        self.seen = []

    def __call__(self, *told):
        self.seen.append(told)


@pytest.mark.parametrize("kind", ["five parameters", "any parameters", "an object", "a mock"])
def test_hooks_of_stages_as_triton_36_calls_them(monkeypatch, tmp_path, kind):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    plain = ttkit.compile(source(), TARGET)
    seen = []

    def five(backend, stages, options, language, capability):
        seen.append((backend, stages, options, language, capability))

    def any_number(*told):
        seen.append(told)

    hook = {"five parameters": five, "any parameters": any_number, "an object": CountsStages(), "a mock": Mock()}[kind]
    with knobs.runtime.scope():
        knobs.runtime.add_stages_inspection_hook = hook
        hashes = {ttkit.compile(source(), TARGET).hash for _ in range(2)}
    if kind == "a mock":
        seen = [call.args for call in hook.call_args_list]
    ((backend, stages, options, language, capability),) = getattr(hook, "seen", seen) if kind != "a mock" else seen
    assert list(stages) == ["ttir", "ttgir", "llir", "ptx", "cubin"] and capability == 90
    assert backend.target == TARGET and options.num_warps == 4 and str(language).endswith("TRITON")
    assert len(hashes) == 1 and plain.hash not in hashes


def test_launch_metadata_is_lazy():
    from ttkit.runtime.compiled_kernel import LazyDict

    told = LazyDict({"name": "copy"})
    told.add(lambda first, second: {"sum": first + second}, (1, 2))
    assert told.data == {"name": "copy"} and told.get() == {"name": "copy", "sum": 3} == told.get()


def test_defaults_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "0")
    monkeypatch.setenv("TRITON_DEBUG", "1")  # of launches, as in Triton
    monkeypatch.setenv("PTXAS_OPTIONS", "--opt-level 2")
    kernel = ttkit.compile(source(), TARGET)
    metadata = kernel.metadata
    assert (metadata.enable_fp_fusion, metadata.debug, metadata.ptx_options) == (False, False, "--opt-level 2")
    assert metadata.TRITON_DEFAULT_FP_FUSION == "false"
    assert ttkit.compile(source(), TARGET, {"enable_fp_fusion": True}).metadata.enable_fp_fusion


def test_precision_of_products_by_the_environment(monkeypatch, context):
    product = ttkit.ASTSource(
        kernels.product, {"x": "*fp32", "y": "*fp32", "z": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 16}
    )
    hashes = set()
    for asked, written in ((None, "tf32"), ("ieee", None), ("tf32x3", "tf32x3")):
        if asked:
            monkeypatch.setenv("TRITON_F32_DEFAULT", asked)
        kernel = ttkit.compile(product, TARGET)
        found = kernel.asm["source"]
        assert (f"inputPrecision = {written}" in found) == bool(written) and kernel.hash not in hashes
        hashes.add(kernel.hash)
    monkeypatch.setenv("TRITON_F32_DEFAULT", "fast")
    with pytest.raises(ttkit.CompilationError, match=r"TRITON_F32_DEFAULT sets it\n.*one of .*. Got fast"):
        ttkit.compile(product, TARGET)


def test_globals_that_are_no_constexprs(monkeypatch):
    plain = ttkit.ASTSource(kernels.reads_plain, {"x": "*i32"})
    with pytest.raises(ttkit.CompilationError, match="PLAIN"):
        ttkit.compile(plain, TARGET)
    monkeypatch.setenv("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", "1")
    assert "5" in ttkit.compile(plain, TARGET).asm["source"]


def test_no_address_sanitizer(monkeypatch):
    monkeypatch.setenv("TRITON_ENABLE_ASAN", "1")
    with pytest.raises(RuntimeError, match="only supported on the AMD backend"):
        ttkit.compile(source(), TARGET)


def test_sass_is_made_when_asked_for(monkeypatch, tmp_path):
    tool = tmp_path / "nvdisasm"
    tool.write_text('#!/bin/sh\nhead -c 4 "$2" | tail -c 3\n')
    tool.chmod(0o755)
    monkeypatch.setenv("TRITON_NVDISASM_PATH", str(tool))
    kernel = ttkit.compile(source(), TARGET)
    assert "sass" not in list(kernel.asm)
    assert kernel.asm["sass"] == "ELF"


@pytest.mark.parametrize(
    "script, said", [("exec sleep 60", "took more than 1 s"), ("printf '\\377' >&2; exit 3", "exit code 3: \ufffd")]
)
def test_a_disassembler_that_fails(monkeypatch, tmp_path, script, said):
    """As on damaged cubins."""
    tool = tmp_path / "nvdisasm"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("TRITON_NVDISASM_PATH", str(tool))
    monkeypatch.setattr(disassembly, "MOST_SECONDS", 1)
    with pytest.raises(RuntimeError, match=said):
        disassembly.sass(b"")


def test_threads_compile_at_once(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))

    @ttkit.jit
    def wrong(x):
        tl.store(x, undefined_name)  # noqa: F821

    def compile(number):
        if number % 4 == 0:
            with pytest.raises(ttkit.CompilationError, match="undefined_name"):
                ttkit.compile(ttkit.ASTSource(wrong, {"x": "*fp32"}), TARGET)
            return None
        return ttkit.compile(source(16 << number % 4), TARGET, {"num_stages": 1 + number % 3}).asm["ttgir"]

    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(compile, range(8)))
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")
    assert at_once == [compile(number) for number in range(8)]


@ttkit.jit
def stored(out, x):
    return x, tl.store(out, x)


@ttkit.jit
def returning_nothing(out, x: tl.float32):
    value, nothing = stored(out, x)
    tl.static_assert(nothing is None)
    return tl.store(out + 1, value)


def test_what_gives_nothing_can_be_returned():
    text = ttkit.ASTSource(returning_nothing, {"out": "*fp32", "x": "fp32"}).make_ir(TARGET, context=ttkit.Context())
    assert "-> ()" not in str(text) and str(text).count("tt.store") == 2


@pytest.mark.parametrize("suffix", ("ttir", "llir", "ptx"))
def test_a_file_that_is_no_text_is_named(suffix, tmp_path):
    path = tmp_path / f"kernel.{suffix}"
    path.write_bytes(b"\0\xff")
    with pytest.raises(RuntimeError, match=r"kernel\.\w+' is not UTF-8 text: byte 1 is invalid"):
        ttkit.compile(str(path), target=ttkit.GPUTarget("cuda", 90, 32))
