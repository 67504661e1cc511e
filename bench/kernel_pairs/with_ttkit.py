"""Step 2, by a Python that has ttkit: python with_ttkit.py FOLDER [CAPABILITY=90]

Compiles Triton's tt of step 1 by ttkit's own passes; prints registers and spilled bytes.
"""

import json
import sys
from pathlib import Path

from ttkit.compiler.options import CompileOptions
from ttkit.compiler.stages import compile_ir


def main(folder: Path, capability: int) -> None:
    for path in sorted(folder.glob("*.ttir")):
        warps = int(path.stem.rpartition("_w")[2])
        options = CompileOptions.for_capability(capability, num_warps=warps)
        compiled = compile_ir(path.read_text(), "ttir", options, capability)
        path.with_suffix(".ttkit.cubin").write_bytes(compiled.asm["cubin"])
        launch = {"name": compiled.metadata["name"], "shared": compiled.metadata["shared"], "warps": warps}
        path.with_suffix(".ttkit.json").write_text(json.dumps(launch))
        print(path.stem, compiled.resources.registers, "registers,", compiled.resources.spill_stores, "bytes spilled")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 90)
