"""Errors of ptxas are told at the kernel's lines."""

import sys
from pathlib import Path

import pytest
import warm_commands

import ttkit
import ttkit.language as tl
from ttkit.compiler.ptxas import PTXASError
from ttkit.compiler.ptxas_errors import located_errors
from ttkit.target import GPUTarget

TARGET = GPUTarget("cuda", 90, 32)
PTX = """
.visible .entry first(
)
{
	.loc	1 4 0
	add.s32 %r1, %r2, %r3;
	.loc	1 5 12, $L__info_string0, inlined_at 1 9 3
	// begin inline asm
	mov.b64 %r2, %r3;
	// end inline asm
	.loc	2 0 0
	ret;
}
.func second(
)
{
	.loc	2 7 1
	ret;
}
	.file	1 "/src/kernel.py"
	.file	2 "/src" "other.py"
"""


@pytest.mark.parametrize(
    "log, errors",
    [
        ("ptxas k.ptx, line 9; error   : no such mov", ["/src/kernel.py:5: error: ptxas: no such mov"]),
        ("ptxas /a b/k.ptx, line 6; error   : no add\n" * 2, ["/src/kernel.py:4: error: ptxas: no add"]),
        ("ptxas k.ptx, line 2; error   : no entry", ["k.ptx:2: error: ptxas: no entry"]),
        ("ptxas error   : Function 'second' uses much", ["/src/other.py:7: error: ptxas: Function 'second' uses much"]),
        (
            "ptxas error   : Entry function 'first' uses",
            ["/src/kernel.py:4: error: ptxas: Entry function 'first' uses"],
        ),
        ("ptxas fatal   : Unknown option 'x'", ["error: ptxas: Unknown option 'x'"]),
        ("ptxas fatal   : Ptx assembly aborted due to errors", []),
        ("ptxas info    : 0 bytes gmem", []),
    ],
)
def test_place(log, errors):
    assert located_errors(log, PTX, "k.ptx") == errors


def test_ptx_without_lines():
    ptx = ".visible .entry k()\n{\n\tmov;\n}\n"
    assert located_errors("ptxas k.ptx, line 3; error   : no", ptx, "k.ptx") == ["k.ptx:3: error: ptxas: no"]
    assert located_errors("ptxas error   : Function 'k': no", ptx, "k.ptx") == ["k.ptx: error: ptxas: Function 'k': no"]


@ttkit.jit
def wrong_assembly(x):
    value = tl.load(x)
    value = tl.inline_asm_elementwise("mov.b64 $0, $1;", "=r,r", [value], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(x, value)


def refused():
    with pytest.raises(PTXASError) as caught:
        ttkit.compile(ttkit.ASTSource(wrong_assembly, {"x": "*i32"}), TARGET)
    return str(caught.value)


def test_line_of_a_kernel(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    line = wrong_assembly.fn.__code__.co_firstlineno + 3
    assert refused().startswith(f"{__file__}:{line}: error: ptxas: Arguments mismatch for instruction 'mov'\n")


def test_line_of_a_file(tmp_path):
    path = Path(tmp_path, "k.ttir")
    path.write_text("""module {
  tt.func public @k(%x: !tt.ptr<i32>) {
    %0 = tt.load %x : !tt.ptr<i32>
    %1 = tt.elementwise_inline_asm "mov.b64 $0, $1;"
        {constraints = "=r,r", packed_element = 1 : i32, pure = true} %0 : i32 -> i32
    tt.store %x, %1 : !tt.ptr<i32>
    tt.return
  }
}
""")
    command = [sys.executable, "-m", "ttkit.drivers.compile", str(path), "-o", str(tmp_path / "k.cubin")]
    done = warm_commands.run(command)
    assert done.returncode == 1 and not (tmp_path / "k.cubin").exists()
    assert done.stderr.startswith(f"{path}:4: error: ptxas: Arguments mismatch for instruction 'mov'\n"), done.stderr
