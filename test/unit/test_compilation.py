"""Compilations: the levels from IR to cubin, for every target; options."""

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from mlir import ir

import ttkit
from ttkit._native import library, operation_handle, told
from ttkit.compiler import levels
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.module_metadata import CompileError
from ttkit.compiler.sources import IRSource
from ttkit.cuda_toolkit import toolkit_path
from ttkit.inspection import collect
from ttkit.notices import NOTICES
from ttkit.options import CompileOptions
from ttkit.target import FIRST_PTX, GPUTarget, parse_capability

ROOT = Path(__file__).parents[1]
ADD = (ROOT / "lit" / "driver" / "Inputs" / "add.ttir").read_text()
IR = ROOT / "data" / "ir"
ARCHES = {75: "sm_75", 80: "sm_80", 86: "sm_86", 89: "sm_89", 90: "sm_90a", 100: "sm_100a", 120: "sm_120a"}


def compiled(text, level="ttir", capability=90, until="cubin", beside="kernel", **given):
    source = IRSource(f"{beside}.{level}", capability, text)
    options = CompileOptions.for_capability(capability, **{**given, **source.parse_options()})
    return Compilation(source, GPUTarget("cuda", capability, 32), options, until=until).run()


@pytest.mark.parametrize("capability, arch", ARCHES.items())
def test_every_target_assembles(capability, arch):
    found = compiled((IR / "row_softmax.90.ttir").read_text(), capability=capability)
    assert f".target {arch}\n" in found.asm["ptx"]
    assert found.asm["cubin"].startswith(b"\x7fELF")
    assert 0 < found.asm["cubin"].resources.registers < 64 and found.asm["cubin"].resources.spill_stores == 0
    assert list(found.seconds) == ["parse", "ttir", "ttgir", "llir", "ptx", "cubin"]


def test_each_level_leads_to_the_same_cubin(tmp_path):
    whole = compiled((IR / "row_softmax.90.ttir").read_text())
    (tmp_path / "kernel.json").write_text(json.dumps(whole.metadata))
    for level in ("ttgir", "llir", "ptx"):
        again = compiled(whole.asm[level], level, beside=tmp_path / "kernel")
        assert again.asm["cubin"] == whole.asm["cubin"], level
        differing = {name for name, value in whole.metadata.items() if again.metadata[name] != value}
        assert differing == {"hash"}, level


def test_the_translation_to_llvm_says_nothing():
    options, told = CompileOptions.for_capability(90), []
    with ttkit.Context() as context, ir.Location.unknown():
        context.attach_diagnostic_handler(lambda found: told.append(found.message) is None)
        module = ttkit.parse((IR / "row_softmax.90.ttir").read_text())  # whose parameters have hints
        levels.make_ttgir(module, {}, options)
        levels.make_llir(module, {}, options).close()
    assert told == []


@pytest.mark.parametrize("name", ["attention.90.loc.ttir", "matmul_f16.80.ttgir", "specialized_matmul.100.ttgir"])
def test_levels_are_printed_as_the_bindings_would(name):
    with ttkit.Context():
        module = ttkit.parse((IR / name).read_text())
        expected = module.operation.get_asm(enable_debug_info=True, use_name_loc_as_prefix=True)
        assert told(library().ttkitPrint, operation_handle(module.operation))[1] == expected


def test_an_invalid_module_is_printed_in_generic_form():
    with ttkit.Context() as context:
        module = ttkit.parse(ADD)
        (numbers,) = collect(module.operation, ["tt.make_range"])
        numbers.attributes["end"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32, context), 3)
        text = told(library().ttkitPrint, operation_handle(module.operation))[1]
        assert '"tt.make_range"()' in text
        assert text == module.operation.get_asm(enable_debug_info=True, use_name_loc_as_prefix=True)


def test_metadata_is_what_a_launcher_needs():
    metadata = compiled((IR / "row_softmax.90.ttir").read_text(), until="ptx", num_warps=8, maxnreg=64).metadata
    expected = {"name": "row_softmax", "num_warps": 8, "shared": 32, "num_ctas": 1, "maxnreg": 64, "arch": "sm90"}
    assert expected.items() <= metadata.items()
    assert metadata["target"] == {"backend": "cuda", "arch": 90, "warp_size": 32}
    assert metadata["parameters"] == ["!tt.ptr<f32>", "!tt.ptr<f32>", "i32", "i32"]
    fields = {field.name for field in dataclasses.fields(CompileOptions)} - {
        "clc",
        "min_shared_mem",
        "sched4reg",
        "pipeline",
        "plan",
        "fp32_default",
        "allow_non_constexpr_globals",
    }
    assert fields | {"hash", "tmem_size", "global_scratch_size", "global_scratch_align", "tensordesc_meta"} <= set(
        metadata
    )


def test_the_hash_tells_kernels_and_options_apart():
    hashes = [
        compiled(ADD, until="ttir").metadata["hash"],
        compiled(ADD.replace("64", "128"), until="ttir").metadata["hash"],
        compiled(ADD, until="ttir", num_warps=8).metadata["hash"],
        compiled(ADD, until="ttir", capability=80).metadata["hash"],
    ]
    assert len(set(hashes)) == 4
    assert compiled(ADD, until="ttir").metadata["hash"] == hashes[0]


def test_fusion_is_a_choice():
    text = (IR / "scale_and_shift.80.ttir").read_text()
    fused, apart = (compiled(text, until="ptx", enable_fp_fusion=fusion).asm["ptx"] for fusion in (True, False))
    assert "fma.rn.f32" in fused
    assert "fma.rn.f32" not in apart and "mul.rn.f32" in apart and "add.rn.f32" in apart


def test_fusion_of_ir_that_does_not_say():
    text = compiled((IR / "scale_and_shift.80.ttir").read_text(), until="llir", enable_fp_fusion=False).asm["llir"]
    assert " contract " not in text
    assert "fma.rn.f32" in compiled(text, "llir", until="ptx").asm["ptx"]
    assert "fma.rn.f32" not in compiled(text, "llir", until="ptx", enable_fp_fusion=False).asm["ptx"]


def test_most_registers_are_in_the_ptx():
    assert ".maxnreg 32" in compiled(ADD, until="ptx", maxnreg=32).asm["ptx"]


@pytest.mark.parametrize("text, capability", [("sm_90a", 90), ("sm90", 90), ("cuda:80", 80), ("120", 120)])
def test_names_of_targets(text, capability):
    assert parse_capability(text) == capability


@pytest.mark.parametrize("capability", FIRST_PTX)
def test_every_target_has_a_version_of_ptx(capability):
    assert CompileOptions().target_of(capability).ptx_version >= FIRST_PTX[capability]


@pytest.mark.parametrize(
    "given, message",
    [
        ({"num_warps": 3}, "num_warps must be a power of 2"),
        ({"num_ctas": 2}, "num_ctas > 1 requires NVIDIA SM90"),
        *(({"num_ctas": ctas}, f"num_ctas must be a power of 2, up to 16; found {ctas}") for ctas in (-1, 0, 3, 32)),
        ({"maxnreg": 0}, "maxnreg must be from 24 to 255, or None for no limit; found 0"),
        ({"ptx_version": 60}, "needs PTX"),
        ({"warp_size": 64}, "warp_size must be 32 on NVIDIA GPUs, found 64"),
        ({"maxnreg": 2**63}, f"maxnreg must be an integer of 32 bits, found {2**63}"),
        ({"num_ctas": 2**31}, f"num_ctas must be an integer of 32 bits, found {2**31}"),
        ({"num_stages": -(2**31) - 1}, "num_stages must be an integer of 32 bits, found"),
    ],
)
def test_impossible_options(given, message):
    with pytest.raises(ValueError, match=message):
        CompileOptions.for_capability(80, **given)


def test_ctas_divide_a_row():
    """Each CTA of two reduces half of the row; all repeat that of Triton 3.6's plan."""
    text = (IR / "row_softmax.90.ttir").read_text()
    divided, repeated = (compiled(text, until="ptx", num_ctas=2, plan=plan).asm for plan in ("ttkit", "triton"))
    assert "CGALayout = [[1]]" in divided["ttgir"] and "CGALayout = [[0]]" not in divided["ttgir"]
    assert "CGALayout = [[0]]" in repeated["ttgir"]
    assert "mapa.shared::cluster" in divided["ptx"] and "mapa.shared::cluster" not in repeated["ptx"]


@pytest.mark.parametrize(
    "given, said",
    [
        ({"num_stages": -1}, "option num_stages is -1: loops are not pipelined, as with num_stages=1"),
        ({"num_stages": 129}, "option num_stages is 129: a loop that is pipelined has 128 stages at most"),
        ({"maxnreg": 7}, "option maxnreg is 7: ptxas gives each thread at least 24 registers"),
        ({"maxnreg": 256}, "option maxnreg is 256: threads have 255 registers at most"),
        ({"num_stages": 0, "maxnreg": 24}, ""),
    ],
)
def test_numbers_that_do_not_do_what_they_say_are_told(given, said, capsys):
    """Triton compiles with all of these, and the kernels run."""
    NOTICES.forget()
    parsed = CompileOptions.parse(given, 90)
    assert {name: getattr(parsed, name) for name in given} == given
    assert capsys.readouterr().err == (f"ttkit: {said}\n" if said else "")


def test_a_negative_limit_of_registers_is_none(capsys):
    NOTICES.forget()
    assert CompileOptions.parse({"maxnreg": -1}, 90).maxnreg is None
    assert "option maxnreg -1 is ignored: limits are from 24 to 255 registers" in capsys.readouterr().err


def test_fewer_stages_than_one_are_one():
    one, fewer = (compiled(ADD, until="ttgir", num_stages=stages).asm["ttgir"] for stages in (1, -2))
    assert one == fewer


@pytest.mark.parametrize("level, until", [("cubin", "cubin"), ("ptx", "llir"), ("c", "ptx"), ("ttir", "sass")])
def test_impossible_levels(level, until):
    with pytest.raises(ValueError, match="levels are"):
        Compilation(SimpleNamespace(ext=level), GPUTarget("cuda", 90, 32), CompileOptions(), until=until)


@pytest.mark.parametrize(
    "text, level, message",
    [
        ("module {}", "ttir", "one public function, found none"),
        ("module {}", "ttgir", "no ttg.num-warps"),
        ('module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {}', "ttgir", "made for cuda:100"),
        (".version 8.7", "ptx", "one kernel, found none"),
    ],
)
def test_modules_that_hold_no_kernel(text, level, message):
    with pytest.raises(CompileError, match=message):
        compiled(text, level)


def test_a_missing_wheel_is_named():
    with pytest.raises(FileNotFoundError, match="pip install nvidia-cuda-nvcc"):
        toolkit_path("bin", "no-such-program")
