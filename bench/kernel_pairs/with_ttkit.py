"""Step 2, by a Python that has ttkit: python with_ttkit.py FOLDER [CAPABILITY=90]

Compiles Triton's tt of step 1 by ttkit's own passes; prints registers and spilled bytes.
"""

import json
import re
import sys
from pathlib import Path

import ttkit
from ttkit.compiler.llvm import Module
from ttkit.compiler.ptxas import assemble, libdevice_path
from ttkit.compiler.target import Target


def main(folder: Path, capability: int) -> None:
    target = Target(capability)
    for path in sorted(folder.glob("*.ttir")):
        warps = int(path.stem.rpartition("_w")[2])
        with ttkit.Context():
            module = ttkit.parse(path.read_text())
            machine = f"capability={capability}"
            stages = f"ttkit-ttir{{{machine}}},ttkit-ttgir{{{machine} num-warps={warps}}},ttkit-llir{{{machine}}}"
            ttkit.run_passes(module, stages)
            shared = module.operation.attributes["ttg.shared"].value
            with Module.from_mlir(module.operation) as llvm:
                llvm.prepare(target)
                llvm.link_libdevice(libdevice_path())
                llvm.optimize(target)
                llvm.optimize(target, "function(scalarizer<min-bits=32>)")
                ptx = llvm.ptx(target).replace(", debug", "")
        cubin = assemble(ptx, target)
        path.with_suffix(".ttkit.cubin").write_bytes(cubin.data)
        name = re.search(r"\.entry (\w+)", ptx)
        assert name is not None
        path.with_suffix(".ttkit.json").write_text(json.dumps({"name": name[1], "shared": shared, "warps": warps}))
        print(path.stem, cubin.resources.registers, "registers,", cubin.resources.spill_stores, "bytes spilled")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 90)
