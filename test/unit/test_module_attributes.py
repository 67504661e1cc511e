"""Module attributes that are of another kind, or out of range: every reader says what is wrong."""

import contextlib
import re

import numpy as np
import pytest
from mlir import ir
from sweeps import every

import ttkit
from ttkit.analysis.ledger import count_layouts
from ttkit.compiler.module_metadata import CompileError, of_lowered, of_ttg
from ttkit.interpreter.errors import InterpreterError
from ttkit.module_attributes import LEAST, MOST, BadModuleAttribute, module_flag, module_number, module_target
from ttkit.passes.infra import PassError
from ttkit.passes.registry import PASSES

LAYOUTS = """
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
"""
BODY = """
  tt.func public @f(%x: !tt.ptr<f16>) {
    %a = arith.constant dense<1.0> : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #b}>>
    %b = arith.constant dense<1.0> : tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #b}>>
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #b>
    %d = tt.dot %a, %b, %c : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #b}>>
      * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #b}>> -> tensor<64x64xf32, #b>
    %e = ttg.local_alloc %d : (tensor<64x64xf32, #b>) -> !ttg.memdesc<64x64xf32, #s, #smem>
    ttg.warp_specialize() attributes {requestedRegisters = array<i32: 24>}
    default { ttg.warp_yield }
    partition0() num_warps(4) { ttg.warp_return } : () -> ()
    tt.return
  }
}
"""
GOOD = {"ttg.num-warps": "4 : i32", "ttg.target": '"cuda:90"'}
BAD = [(name, value) for name in LEAST for value in ('"four"', "-1 : i32", "1.5 : f32", "4294967296 : i64")]
BAD += [(name, "1025 : i32") for name in MOST]
BAD += [("ttg.target", value) for value in ("4 : i32", "[90]", "unit")] + [("ttng.two-ctas", "2 : i32")]


def module(**attributes):
    text = ", ".join(f'"{name}" = {value}' for name, value in {**GOOD, **attributes}.items())
    return ttkit.parse(f"{LAYOUTS}module attributes {{{text}}} {{{BODY}")


@pytest.mark.parametrize("pass_name", every(6, sorted(PASSES)))
def test_no_pass_leaks_what_it_can_not_read(pass_name):
    options = "{target=cuda:90}" if pass_name == "convert-triton-to-tritongpu" else ""
    with ttkit.Context():
        for name, value in BAD:
            with contextlib.suppress(PassError, ir.MLIRError):
                ttkit.run_passes(module(**{name: value}), pass_name + options)


def test_all_warps_are_not_fewer_than_those_of_the_kernel():
    with ttkit.Context():
        few = module(**{"ttg.total-num-warps": "2 : i32"})
        with pytest.raises(
            BadModuleAttribute, match=r"total-num-warps is 2 : i32; it must be at least its ttg.num-warps"
        ):
            module_number(few.operation, "ttg.total-num-warps")


OF_THE_MODULE = "{compute-capability=0}"


@pytest.mark.parametrize(
    "pipeline",
    [
        "tritongpu-accelerate-matmul",
        "convert-triton-gpu-to-llvm",
        f"triton-nvidia-gpu-fence-insertion{OF_THE_MODULE}",
        f"triton-nvidia-gpu-proxy-fence-insertion{OF_THE_MODULE}",
        f"allocate-shared-memory-nv{OF_THE_MODULE}",
    ],
)
def test_a_target_that_is_no_string(pipeline):
    with ttkit.Context(), pytest.raises(PassError, match=r"ttg.target is 4 : i32; it must name a GPU") as raised:
        ttkit.run_passes(module(**{"ttg.target": "4 : i32"}), pipeline)
    assert raised.value.operation.name == "builtin.module"


@pytest.mark.parametrize(("name", "value"), BAD)
def test_the_interpreter_and_the_compiler_refuse(name, value):
    with ttkit.Context():
        try:
            made = module(**{name: value})
        except ir.MLIRError:
            return
        found = re.escape(f"the module's {name} is ")
        with pytest.raises(InterpreterError, match=found):
            ttkit.interpret(made, 1, [np.zeros(4, np.float16)])
        with pytest.raises(CompileError, match=found):
            of_ttg(made, 90)


def test_readers():
    with ttkit.Context():
        made = module(**{"ttg.shared": "16 : i32", "ttng.two-ctas": "true"}).operation
        assert (module_number(made, "ttg.shared"), module_number(made, "ttg.maxnreg")) == (16, None)
        assert (module_flag(made, "ttng.two-ctas"), module_target(made)) == (True, "cuda:90")
        made.attributes["ttg.shared"] = ir.StringAttr.get("x")
        with pytest.raises(BadModuleAttribute, match=r'ttg.shared is "x"; it must be an integer from 0 to'):
            of_lowered(ir.Module.parse(str(made)))
        made.attributes["ttg.target"] = ir.UnitAttr.get()
        with pytest.raises(BadModuleAttribute, match=r"must name a GPU"):
            count_layouts(made)
