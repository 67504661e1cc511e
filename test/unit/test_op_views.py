"""Parsed operations arrive in their own class; enumeration attributes read and write as Python enums."""

import subprocess
import sys

import pytest
from building import operations
from mlir import ir

import ttkit
from ttkit.dialects import tt, ttg

KERNEL = """
tt.func @kernel(%p: !tt.ptr<f32>, %x: tensor<8xf32>) {
  %0 = tt.get_program_id y : i32
  %1 = tt.load %p cacheModifier = ca evictionPolicy = evict_last : !tt.ptr<f32>
  %2 = tt.splat %1 : f32 -> tensor<8xf32>
  ttg.barrier local|global_write
  tt.return
}
"""


def find(module: ir.Module, cls: type) -> ir.OpView:
    return next(op for op in operations(module) if isinstance(op, cls))


def test_operations_arrive_in_their_class_without_an_import():
    code = (
        "import ttkit\n"
        "with ttkit.Context():\n"
        "    module = ttkit.parse('tt.func @f() { tt.return }')\n"
        "    function = module.body.operations[0]\n"
        "print(type(function).__name__, function.name, type(function.entry_block.operations[0]).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "FuncOp f ReturnOp\n"


def test_enums_read_as_members(context):
    module = ttkit.parse(KERNEL)
    load = find(module, tt.LoadOp)
    assert find(module, tt.GetProgramIdOp).axis is tt.ProgramIDDim.Y
    assert (load.cache, load.evict, load.padding) == (tt.CacheModifier.CA, tt.EvictionPolicy.EVICT_LAST, None)
    assert find(module, ttg.BarrierOp).addrSpace == ttg.AddrSpace.Local | ttg.AddrSpace.GlobalWrite


def test_enums_are_assigned_by_member_or_spelling(context):
    module = ttkit.parse(KERNEL)
    load = find(module, tt.LoadOp)
    load.cache, load.evict = tt.CacheModifier.CG, "evict_first"
    assert "tt.load %arg0 cacheModifier = cg evictionPolicy = evict_first" in str(module)


@pytest.mark.parametrize("axis", ["w", 7])
def test_what_is_no_member_is_an_error(context, axis):
    with pytest.raises(ValueError, match="ProgramIDDim"):
        tt.get_program_id(axis)


def test_an_unknown_spelling_lists_the_known_ones(context):
    with pytest.raises(ValueError, match="'w' is not a ProgramIDDim: expected x, y, z"):
        tt.get_program_id("w")


def test_help_shows_the_description():
    assert "result" in tt.SplatOp.__doc__ and "Constraints:" in tt.FuncOp.__doc__
