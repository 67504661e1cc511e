"""LLVM IR and PTX as files: damaged, and compiled on from there."""

from __future__ import annotations

import contextlib
import os
import random
import tempfile
import zlib
from pathlib import Path

from fuzz.damage import Material, make_input
from fuzz.level import ACCEPTED, Level, refusal
from fuzz.levels.ir import OF_COMPILING
from ttkit.compiler import isolated_steps, isolation
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.llvm import LLVMError
from ttkit.compiler.sources import IRSource
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

TARGET = GPUTarget("cuda", 90, 32)
IR_FOLDER = Path(__file__).parents[2] / "data" / "ir"
LARGEST_SOURCE = 5_000  # bytes of tt that code is made from
HAND_WRITTEN = """target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, float %s) !dbg !4 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %body, label %end
body:
  %i = phi i32 [ %t, %entry ], [ %j, %body ]
  %q = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load <4 x float>, ptr addrspace(1) %q, align 16
  %e = extractelement <4 x float> %v, i32 1
  %m = call float @llvm.fma.f32(float %e, float %s, float %e)
  %a = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 7)
  %x = extractvalue { i32, i32 } %a, 1
  store float %m, ptr addrspace(1) %q
  %old = atomicrmw add ptr addrspace(1) %p, i32 %x syncscope("device") monotonic
  %j = add nsw i32 %i, 32
  %d = icmp ult i32 %j, %n
  br i1 %d, label %body, label %end, !dbg !5
end:
  ret void
}
!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, isOptimized: true, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "k.py", directory: "/")
!4 = distinct !DISubprogram(name: "k", file: !3, line: 1, unit: !2, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 3, scope: !4)
"""


def compiled_files(kind: str) -> list[str]:
    """Code of a level for the smaller modules of test/data."""
    found = []
    for path in sorted(IR_FOLDER.glob("*.90.*ttir")):
        if path.stat().st_size > LARGEST_SOURCE:
            continue
        try:
            source = IRSource(path, 90)
            made = Compilation(source, TARGET, CompileOptions.for_capability(90), until=kind).run()
        except OF_COMPILING:
            continue
        found.append(str(made.asm[kind]))
    return found


class Code(Level):
    """Base class: damaged files, compiled until a level."""

    until = ""

    def prepare(self) -> None:
        self.material = Material.gather(self.seeds())

    def seeds(self) -> list[str]:
        raise NotImplementedError

    def make(self, rng: random.Random) -> str:
        return make_input(rng, self.material)

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()

    def check(self, text: str) -> str:
        path = Path(self.folder.name, f"k{self.suffix}")
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            source = IRSource(path, 90)
            options = CompileOptions.for_capability(90, **source.parse_options())
            Compilation(source, TARGET, options, until=self.until).run()
        except OF_COMPILING as error:
            return refusal(error, OF_COMPILING)
        return ACCEPTED


def apart_by_fork(step: str, text: str, options: CompileOptions, capability: int, kernel: str) -> str:
    """`isolation.apart` with a forked process in place of a new one, whose start takes most of the time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            try:
                made, code = isolated_steps.STEPS[step](text, options, capability), 0
            except LLVMError as error:
                made, code = str(error), isolation.TOLD
            with open(writing, "w", errors="replace") as answer:
                answer.write(made)
            os._exit(code)
        os._exit(1)
    os.close(writing)
    with open(reading, errors="replace") as answer:
        made = answer.read()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return made
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == isolation.TOLD:
        raise LLVMError(made)
    raise LLVMError(f"LLVM ended its process on @{kernel}: status {status}")


class LLVMCode(Code):
    """Damaged LLVM IR, to PTX; one in ten in a process that is started as users' are, the others in a forked one."""

    name, suffix, until = "llir", ".llir", "ptx"
    share = 2.0

    def start(self) -> None:
        super().start()
        self.apart = isolation.apart

    def check(self, text: str) -> str:
        isolation.apart = self.apart if zlib.crc32(text.encode(errors="replace")) % 10 == 0 else apart_by_fork
        return super().check(text)

    def seeds(self) -> list[str]:
        return [HAND_WRITTEN] * 5 + compiled_files("llir")


class PTXCode(Code):
    """Damaged PTX, to a cubin: ptxas's answers."""

    name, suffix, until = "ptx", ".ptx", "cubin"
    seconds = 30.0

    def seeds(self) -> list[str]:
        return compiled_files("ptx")
