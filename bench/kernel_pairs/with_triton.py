"""Step 1, by a Python that has Triton 3.6 (no GPU needed): python with_triton.py FOLDER [CAPABILITY=90]

Writes for each kernel and configuration Triton's tt and cubin, and what a launch needs.
"""

import json
import sys
from pathlib import Path

import kernels
import triton
from triton.backends.compiler import GPUTarget


def main(folder: Path, capability: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, block, warps in kernels.variants():
        signature = {**kernels.SIGNATURES[name], "BLOCK": "constexpr"}
        aligned = {(i,): [["tt.divisibility", 16]] for i, type in enumerate(signature.values()) if type[0] in "*i"}
        source = triton.compiler.ASTSource(getattr(kernels, name), signature, {"BLOCK": block}, aligned)
        target = GPUTarget("cuda", capability, 32)
        compiled = triton.compile(source, target=target, options={"num_warps": warps})
        path = folder / f"{name}_{block}_w{warps}"
        path.with_suffix(".ttir").write_text(compiled.asm["ttir"])
        path.with_suffix(".triton.cubin").write_bytes(compiled.asm["cubin"])
        launch = {"name": compiled.metadata.name, "shared": compiled.metadata.shared, "warps": warps}
        path.with_suffix(".triton.json").write_text(json.dumps(launch))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 90)
