"""What LLVM makes of a kernel: the order of instructions, branches and selects."""

import pytest

import ttkit
import ttkit.language as tl
from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.compiler import levels
from ttkit.compiler.llvm import Module
from ttkit.compiler.llvm_api import LLVMError
from ttkit.options import CompileOptions
from ttkit.target import Target

LOADS = 16


def kernel(extra: str = "") -> str:
    """LLVM IR that loads numbers, all before the first is used, and adds them one after another."""
    lines = [f"  %p{i} = getelementptr float, ptr addrspace(1) %x, i32 {i}" for i in range(LOADS)]
    lines += [f"  %v{i} = load float, ptr addrspace(1) %p{i}" for i in range(LOADS)]
    lines += ["  %s0 = fadd float %v0, 1.0"]
    lines += [f"  %s{i} = fadd float %s{i - 1}, %v{i}" for i in range(1, LOADS)]
    body = "\n".join(lines)
    return f"""define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {{
{body}
  store float %s{LOADS - 1}, ptr addrspace(1) %y
  {extra}
  ret void
}}
"""


def emitted(text: str) -> str:
    with Module.parse(text) as module:
        module.prepare(Target(90))
        return module.ptx(Target(90))


def test_llvms_flags_end_with_the_emission_that_asked_for_them():
    plain = emitted(kernel())
    with Module.parse(kernel()) as module:
        module.prepare(Target(90))
        few = module.ptx(Target(90), few_registers=True)
    assert few.splitlines() != plain.splitlines()
    assert emitted(kernel()) == plain


def test_facts_survive_as_text():
    noted = '!ttkit.facts = !{!0}\n!0 = !{!"dots", !"wgmma", !"of a later version"}'
    with Module.parse(kernel() + noted) as module:
        assert module.facts == KernelFacts(dots=True, wgmma=True)
        text = str(module)
    with Module.parse(text) as module:
        assert module.facts == KernelFacts(dots=True, wgmma=True)


@pytest.mark.parametrize("noted", ["", "!ttkit.facts = !{}", "!ttkit.facts = !{!0}\n!0 = !{i32 1, null}"])
def test_llvm_ir_without_facts_has_none(noted: str):
    with Module.parse(kernel() + noted) as module:
        assert module.facts == KernelFacts()


def test_order_for_few_registers_is_for_wgmma_beside_copies_alone():
    options = CompileOptions.for_capability(90)

    def with_facts(*names: str) -> str:
        texts = ", ".join(f'!"{name}"' for name in names)
        return levels.emit_text(f"{kernel()}!ttkit.facts = !{{!0}}\n!0 = !{{{texts}}}", options, 90)

    plain = with_facts("dots", "wgmma")
    assert with_facts("copies") == with_facts("dots", "mma_sync", "copies") == plain
    assert with_facts("dots", "wgmma", "copies") != plain


@ttkit.jit
def error_function(x, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(x + index, tl.erf(tl.load(x + index)))


def test_a_search_for_vectors_can_be_left_out():
    """LLVM's options do not leave it out of O3; the mark that does is gone afterwards."""
    text = """define ptx_kernel void @k(ptr %p, i32 %f) {
      %v = load <8 x i32>, ptr %p, align 16
      SUMS
      store i32 %s7, ptr %p
      ret void
    }"""
    sums = [f"%e{i} = extractelement <8 x i32> %v, i32 {i}" for i in range(8)]
    sums += ["%s0 = add i32 %e0, %f", *(f"%s{i} = add i32 %s{i - 1}, %e{i}" for i in range(1, 8))]
    found = {}
    for joins in (True, False):
        with Module.parse(text.replace("SUMS", "\n".join(sums))) as module:
            module.prepare(Target(90))
            module.optimize(Target(90), costs=False, joins=joins)
            found[joins] = str(module)
    assert "llvm.vector.reduce.add" in found[True]
    assert "add i32" in found[False]
    assert "llvm.vector.reduce.add" not in found[False] and "noimplicitfloat" not in found[False]


def test_a_branch_around_constants_stays_one():
    """As that of erf, which chooses between two polynomials."""
    source = ttkit.ASTSource(error_function, {"x": "*fp32"}, {"BLOCK": 128})
    ptx = ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32)).asm["ptx"]
    assert ptx.count("selp") == 1 and ptx.count("bra") == 2


@ttkit.jit
def rows(x, BLOCK: tl.constexpr, MULTIPLIES: tl.constexpr):
    at = x + tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    values = tl.load(at)
    tl.store(at, tl.dot(values, values).to(tl.float16) if MULTIPLIES else values + 1)


def test_llvm_knows_the_range_of_threads_beside_products_alone():
    """Without products it would have ptxas keep addresses in uniform registers, which loads don't take them from."""
    for multiplies in (False, True):
        source = ttkit.ASTSource(rows, {"x": "*fp16"}, {"BLOCK": 64, "MULTIPLIES": multiplies})
        llir = ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32)).asm["llir"]
        assert ("range(i32 0, 128)" in llir) == multiplies


@ttkit.jit
def scaled_halves(x, scale, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(x + index, (tl.load(x + index).to(tl.float32) * scale).to(tl.float16))


def test_pairs_of_f32_are_multiplied_at_once_where_the_target_can():
    for capability, pairs in ((90, 0), (100, 4)):
        hints = {(0,): [["tt.divisibility", 16]]}
        source = ttkit.ASTSource(scaled_halves, {"x": "*fp16", "scale": "fp32"}, {"BLOCK": 1024}, hints)
        ptx = ttkit.compile(source, target=ttkit.GPUTarget("cuda", capability, 32)).asm["ptx"]
        assert ptx.count("mul.f32x2") == pairs and ptx.count("mul.f32") - pairs == (0 if pairs else 8)


@ttkit.jit
def doubled(x_ptr, y_ptr):
    at = tl.arange(0, 256)
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at))


def test_values_of_kernels_have_numbers_for_names():
    """LLVM's scalarizer takes twice as long where it makes names."""
    source = ttkit.ASTSource(doubled, {"x_ptr": "*fp32", "y_ptr": "*fp32"}, {})
    text = ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32)).asm["llir"]
    assert "fmul" in text
    assert "%.i" not in text
    with Module.parse(text) as module:
        assert "fmul" in str(module)


REFUSED = {
    "%r = llvm.trunc %i : i32 to i64": "llvm.trunc can't cast i32 to i64",
    "%r = llvm.bitcast %i : i32 to vector<4xi32>": "llvm.bitcast can't cast i32 to vector<4xi32>",
    "%r = llvm.sitofp %v : vector<2xi32> to f32": "llvm.sitofp can't cast vector<2xi32> to f32",
    "%r = llvm.inttoptr %v : vector<2xi32> to !llvm.ptr": "llvm.inttoptr can't cast vector<2xi32> to !llvm.ptr",
    "%r = llvm.shufflevector %v, %v [0, 4] : vector<2xi32>": "llvm.shufflevector picks element 4 of 4",
    "%r = llvm.extractelement %v[%n : i32] : vector<2xi32>": "llvm.extractelement names element 7 of 2",
    "%r = llvm.insertelement %i, %v[%n : i32] : vector<2xi32>": "llvm.insertelement names element 7 of 2",
    "%r = llvm.select %c, %v, %v : vector<4xi1>, vector<2xi32>": "chooses vector<2xi32> by vector<4xi1>",
    "%r = llvm.load %p {alignment = 3 : i64} : !llvm.ptr -> i32": "alignment of 3, not a power of two",
    "llvm.store %i, %p {alignment = 8589934592 : i64} : i32, !llvm.ptr": "alignment of 8589934592, not",
    '%r = llvm.inline_asm "mov.u32 $0, $9;", "=r" : () -> i32': "names operand $9, and there are 1",
}


@pytest.mark.parametrize("line", REFUSED)
def test_operations_that_llvm_would_end_the_process_on(line: str):
    """MLIR's verifier accepts them."""
    arguments = "%i: i32, %v: vector<2xi32>, %c: vector<4xi1>, %p: !llvm.ptr"
    with ttkit.Context():
        number = "%n = llvm.mlir.constant(7 : i32) : i32"
        module = ttkit.parse(f"llvm.func @f({arguments}) {{ {number}\n{line}\nllvm.return }}")
        with pytest.raises(LLVMError) as error:
            Module.from_mlir(module.operation)
    assert REFUSED[line] in str(error.value) and "2:" in str(error.value)


def test_alignments_of_zero_and_casts_to_the_same_type_are_translated():
    with ttkit.Context():
        module = ttkit.parse("""llvm.func @f(%p: !llvm.ptr {llvm.align = 0 : i64}) {
          %same = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr
          %r = llvm.load %same {alignment = 0 : i64} : !llvm.ptr -> i32
          llvm.return }""")
        with Module.from_mlir(module.operation) as translated:
            translated.verify()


@ttkit.jit
def carried_floats(x, n, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for _ in range(n):
        total = total * 0.5 + tl.load(x + index)
    tl.store(x + index, total)


@pytest.mark.parametrize("elements, pairs", [(128, True), (512, False)])
def test_pairs_are_searched_where_a_thread_keeps_what_a_loop_carries_in_registers(elements, pairs):
    """The search takes time that is quadratic in the values; a thread has 255 registers."""
    hints = {(0,): [["tt.divisibility", 16]]}
    source = ttkit.ASTSource(carried_floats, {"x": "*fp32", "n": "i32"}, {"BLOCK": 32 * elements}, hints)
    ptx = ttkit.compile(source, target=ttkit.GPUTarget("cuda", 100, 32), options={"num_warps": 1}).asm["ptx"]
    assert ("fma.rn.f32x2" in ptx) == pairs


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("declare float @__nv_sinf(float)", True),
        ("declare double @__nv_cos(double)", True),
        ("declare float @__nv_sinhf(float)", False),
        ("declare float @__nv_expf(float)", False),
        ("define float @__nv_sinf(float %x) { ret float %x }", False),
    ],
)
def test_sines_and_cosines_of_the_library_are_known(line, found):
    module = Module.parse(line)
    assert module.calls_trigonometry() == found
    module.close()
