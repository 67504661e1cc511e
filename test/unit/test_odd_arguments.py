"""Whatever stands in the place of an argument of the language is taken, or refused at its line in words of its author.

`CALLS` are right; in each, one argument after the other gives way to values that are odd there.
"""

import ast
import copy
import importlib.util
import re
import sys
from pathlib import Path

import pytest
from sweeps import every

import ttkit
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.source import ASTSource
from ttkit.target import GPUTarget

sys.path.append(str(Path(__file__).parents[1] / "data" / "language"))
import compile_errors

CALLS = """tl.arange(0, 16)
tl.zeros((16,), tl.float32)
tl.full((16,), 1.0, tl.float32)
tl.cast(t, tl.float16)
tl.program_id(0)
tl.load(p + i, mask=k > 0, other=0.0, cache_modifier='.ca', eviction_policy='evict_first', volatile=False)
tl.load(tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,)), boundary_check=(0,), padding_option='zero')
tl.store(p + i, t, mask=k > 0, cache_modifier='.wb', eviction_policy='evict_first')
tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,))
tl.advance(tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,)), (1,))
tl.make_tensor_descriptor(h, [n, n], [n, 1], [16, 16])
tl.load_tensor_descriptor(d, [0, 0])
tl.store_tensor_descriptor(d, [0, 0], d.load([0, 0]))
tl.atomic_add(p + i, t, mask=k > 0, sem='relaxed', scope='gpu')
tl.atomic_max(q + i, k)
tl.atomic_cas(q + i, k, k, sem='acq_rel', scope='cta')
tl.dot(m, m, acc=None, input_precision='tf32', max_num_imprecise_acc=0, out_dtype=tl.float32)
tl.where(k > 0, t, 0.0)
tl.sum(m, axis=0, keep_dims=False, dtype=tl.float32)
tl.max(m, axis=1, return_indices=False, return_indices_tie_break_left=True, keep_dims=False)
tl.reduce(t, axis=0, combine_fn=helper, keep_dims=False)
tl.associative_scan(t, axis=0, combine_fn=helper, reverse=False)
tl.cumsum(t, axis=0, reverse=False, dtype=None)
tl.sort(t, dim=0, descending=False)
tl.topk(t, 4, dim=0)
tl.flip(t, dim=0)
tl.histogram(k, 16, mask=k > 0)
tl.gather(t, k, 0)
tl.reshape(m, (4, 64))
tl.permute(m, (1, 0))
tl.broadcast_to(t[None, :], (16, 16))
tl.expand_dims(t, 0)
tl.join(t, t)
tl.cat(t, t, can_reorder=True)
tl.split(tl.join(t, t))
tl.exp(t)
tl.fma(t, t, t)
tl.umulhi(k, k)
tl.fdiv(t, t, ieee_rounding=False)
tl.sqrt_rn(t)
tl.clamp(t, 0.0, 1.0)
tl.maximum(t, t, propagate_nan=tl.PropagateNan.NONE)
tl.cdiv(n, 16)
tl.rand(0, k, n_rounds=10)
tl.multiple_of(i, 16)
tl.max_constancy(i, [16])
tl.assume(n > 0)
tl.static_assert(True, 'text')
tl.device_print('x', t, hex=False)
tl.device_assert(n > 0, 'text', mask=None)
tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [k], dtype=tl.int32, is_pure=True, pack=1)
tl.extra.libdevice.pow(t, t)
tl.static_range(0, 4, 1)
t.to(tl.float16, fp_downcast_rounding='rtne', bitcast=False)
t.sum(axis=0)
m.permute(1, 0)
d.load([0, 0])
d.store([0, 0], d.load([0, 0]))
min(n, 3)
t + t
k << 1
-t
t[None, :]""".splitlines()
ODD = """None; 'text'; (); (1, 2); [k]; 3; 2.5; True; n; f; k; m; p; d; tl.float32; tl; helper; tl.load; (n, t);
(None,); 1 << 40; range(3)""".replace("\n", " ").split("; ")
INTERNAL = re.compile(
    r" object at 0x|<module|<function|'\w+' object|_semantic|(?<!operator ')__\w+__|\binternal\b|Unable to parse"
)
HEADER, KERNEL = compile_errors.HEADER, compile_errors.KERNEL


def with_odd_arguments(call):
    """The call with each of its arguments, operands and the like replaced by some of the values."""
    tree = ast.parse(call, mode="eval").body
    places = []
    for field, value in ast.iter_fields(tree):
        items = value if isinstance(value, list) else [value] if field != "func" else []
        places += [(field, index) for index, item in enumerate(items) if isinstance(item, (ast.expr, ast.keyword))]
    for number, (field, index) in enumerate(places):
        for odd in ODD[number % 3 :: 3]:
            changed = copy.deepcopy(tree)
            value = getattr(changed, field)
            new = ast.parse(odd.strip(), mode="eval").body
            if not isinstance(value, list):
                setattr(changed, field, new)
            elif isinstance(value[index], ast.keyword):
                value[index].value = new
            else:
                value[index] = new
            yield ast.unparse(changed)


@pytest.mark.parametrize("call", every(4, CALLS))
def test_odd_arguments(call, tmp_path):
    statements = [call, *with_odd_arguments(call)]
    path = tmp_path / "odd_arguments.py"
    use = "for x in {}:\n        pass" if call.startswith("tl.static_range") else "x = {}"
    kernels = [KERNEL.format(index=index, statement=use.format(text)) for index, text in enumerate(statements)]
    path.write_text(HEADER + "".join(kernels))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    wrong = []
    for index, text in enumerate(statements):
        source = ASTSource(getattr(module, f"kernel_{index}"), compile_errors.SIGNATURE, {"N": 16})
        try:
            with ttkit.Context():
                source.make_ir(GPUTarget("cuda", 90, 32))
        except CompilationError as error:
            said = str(error)
            if (
                index == 0
                or INTERNAL.search(said.rpartition(f"in kernel_{index})")[2])
                or "odd_arguments.py:" not in said
            ):
                wrong.append(f"{text}: {said.splitlines()[-1]}")
    assert not wrong, "\n".join(wrong)
