"""The order of instructions in PTX: for few registers in kernels that multiply by wgmma, unchanged in all others."""

from ttkit.compiler.llvm import Module
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


def test_order_for_few_registers_is_for_wgmma_alone():
    plain = emitted(kernel())
    with Module.parse(kernel()) as module:
        module.prepare(Target(90))
        assert not module.multiplies_by_wgmma
        module.multiplies_by_wgmma = True
        few = module.ptx(Target(90))
    assert few.splitlines() != plain.splitlines()
    assert emitted(kernel()) == plain  # LLVM's flag is off again


def test_text_with_wgmma_is_known():
    asm = 'call void asm sideeffect "// wgmma.mma_async", ""()'
    with Module.parse(kernel(asm)) as module:
        assert module.multiplies_by_wgmma
