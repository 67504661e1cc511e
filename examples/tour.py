"""A kernel, and what its lines become: docs/tour.md.

    python examples/tour.py LEVEL [LINE]      LEVEL: ttir, ttgir, llir, ptx or sass; of LINE only, if it is given
    python examples/tour.py python            runs it on the CPU

Needs neither a GPU nor a driver; sass needs nvdisasm.
"""

import os
import re
import sys

import numpy as np

import ttkit
import ttkit.language as tl
from ttkit.runtime import set_interpret_mode


@ttkit.jit
def scaled_sum(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    x = tl.load(x_ptr + index, mask=inside)
    y = tl.load(y_ptr + index, mask=inside)
    total = x * 2.0 + y
    tl.store(out_ptr + index, total, mask=inside)


def compiled():
    """The kernel for sm_90a, with pointers and a number of elements that are multiples of 16."""
    pointers = dict.fromkeys(("x_ptr", "y_ptr", "out_ptr"), "*fp32")
    source = ttkit.ASTSource(
        scaled_sum,
        {**pointers, "n": "i32", "BLOCK": "constexpr"},
        {"BLOCK": 1024},
        {(argument,): [["tt.divisibility", 16]] for argument in range(4)},
    )
    return ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32))


def of_line(level: str, text: str, line: int) -> str:
    """The operations or instructions that come from a line of this file."""
    if level == "ptx":  # `.loc file line column` holds until the next one
        parts = re.findall(r"^\t\.loc\t\d+ (\d+) [^\n]*\n(.*?)(?=^\t\.loc|\Z)", text, re.M | re.S)
        return "\n".join(part.rstrip() for number, part in parts if int(number) == line)
    if level == "sass":
        parts = re.findall(r'^\t//## File "[^"]*", line (\d+)[^\n]*\n(.*?)(?=^\t//##|\Z)', text, re.M | re.S)
        return "\n".join(part.rstrip() for number, part in parts if int(number) == line)
    # Names of locations: those of the line, then those that are made of one.
    places = re.compile(rf'^(#loc\d*) = loc\("[^"]*":{line}:|^(!\d+) = !DILocation\(line: {line},', re.M)
    names = {name for found in places.findall(text) for name in found if name}
    for name, other in re.findall(r'^(#loc\d*) = loc\("[^"]*"\((#loc\d*)\)\)', text, re.M):
        if other in names:
            names.add(name)
    uses = re.compile("|".join(rf"(loc\({name}\)|!dbg {name})$" for name in sorted(names)))
    return "\n".join(row for row in text.splitlines() if not row.startswith(("#loc", "!")) and uses.search(row))


def run() -> np.ndarray:
    """The kernel as Python, on eight numbers."""
    x, y, out = np.arange(8, dtype=np.float32), np.ones(8, np.float32), np.zeros(8, np.float32)
    set_interpret_mode(True)
    scaled_sum[(2,)](x, y, out, 8, BLOCK=4)
    return out


def main() -> None:
    level, *line = sys.argv[1:]
    if level == "python":
        print(run())
        return
    kernel = compiled()
    if level == "sass":
        from ttkit.compiler.disassembly import sass

        text = sass(kernel.asm["cubin"], "--print-line-info")
    else:
        text = kernel.asm[level]
    here = os.getcwd() + os.sep
    # As it is, and as MLIR writes letters that are not of ASCII: \C3\A9.
    for folder in (here, "".join(chr(byte) if byte < 128 else f"\\{byte:02X}" for byte in here.encode())):
        text = text.replace(folder, "")
    print(of_line(level, text, int(line[0])) if line else text)


if __name__ == "__main__":
    main()
