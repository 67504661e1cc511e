"""Names of operations in passes and analyses: each literal that looks like one names an operation that exists."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ttkit
from ttkit import operation_sets

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("passes", "python/ttkit/analysis")
DIALECTS = "arith builtin cf func gluon gpu llvm math nvg nvvm nvws proton proton_gpu scf tt ttg ttng ub".split()
NAME = re.compile(rf"(?:{'|'.join(DIALECTS)})\.[\w.-]+")

ATTRIBUTES = {
    # Of modules and functions, for the launch.
    *"""nvvm.cluster_dim nvvm.kernel nvvm.maxnreg nvvm.minctasm nvvm.reqntid ttg.maxnreg ttg.num-ctas ttg.num-warps
    ttg.shared ttg.target ttg.tensor_memory_size ttg.threads-per-warp ttg.total-num-warps ttng.two-ctas
    ttg.global_scratch_memory_alignment ttg.global_scratch_memory_offset ttg.global_scratch_memory_size
    ttg.profile_scratch_memory_alignment ttg.profile_scratch_memory_size ttg.proton_parents
    ttg.proton_scopes""".split(),
    # Of loops: what the kernel's author asks for, and what schedules say.
    *"""tt.disallow_acc_multi_buffer tt.flatten tt.latency tt.loop_unroll_factor tt.num_stages tt.scheduled_max_stage
    tt.self_latency tt.warp_specialize ttg.always-fuse ttg.partition ttg.partition.outputs ttg.partition.stages
    ttg.warp_specialize.tag""".split(),
    # Of values: what is known of their elements; of loads: that dot operations read their buffer directly.
    *"tt.constancy tt.contiguity tt.divisibility ttg.read_by_products".split(),
}
# Intrinsics that llvm.call_intrinsic names, some of them only in part: LLVM's names, not MLIR's.
INTRINSICS = "llvm.nvvm."


def literals(text: str) -> Iterator[str]:
    """The string literals of a Python file that look like an operation's name; docstrings and f-strings aside."""
    tree = ast.parse(text)
    aside = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    aside |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in aside
        if is_text and NAME.fullmatch(node.value):
            yield node.value


def unknown(names: set[str]) -> set[str]:
    with ttkit.Context() as context:
        context.load_all_available_dialects()
        return {name for name in names if not context.is_registered_operation(name)}


@pytest.mark.parametrize("folder", FOLDERS)
def test_literals_name_operations(folder: str) -> None:
    found = {
        name: path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in literals(path.read_text(encoding="utf-8"))
    }
    assert found
    wrong = {name for name in unknown({*found} - ATTRIBUTES) if not name.startswith(INTRINSICS)}
    places = {name: found[name] for name in sorted(wrong)}
    assert not wrong, f"found names of no operation, {places}; correct them, or list attributes in ATTRIBUTES"


def test_sets_name_operations() -> None:
    constants = [value for name, value in vars(operation_sets).items() if name.isupper()]
    names = {name for value in constants for name in ([value] if isinstance(value, str) else value)}
    assert names and not unknown(names)


def test_a_misspelt_name_is_found() -> None:
    text = '"""tt.docstring"""\nNAMES = ("tt.load", "tt.laod")\nprint(f"ttg.{NAMES}", "see tt.laod")\n'
    assert unknown(set(literals(text))) == {"tt.laod"}
