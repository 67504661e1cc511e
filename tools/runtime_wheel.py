"""Makes the wheel of ttkit-runtime, which launches the kernels of bundles without a compiler, of a wheel of ttkit.

python tools/runtime_wheel.py dist/ttkit-0.1.0-py3-none-manylinux_2_28_x86_64.whl dist
"""

import sys
from pathlib import Path

from wheel_archive import info_folder, read, write

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python" / "ttkit"))
from runtime_package import belongs

SUMMARY = "Launches the kernels of ttkit's bundles on machines without a compiler"
DESCRIPTION = """\
Kernels that `ttkit export` put into a bundle, launched by the driver alone: no MLIR, no ptxas, no other package.

It installs the import name `ttkit`, so it stands in for ttkit on machines that only launch: install one of the two.
"""


def main(whole: str, folder: str) -> Path:
    """Writes the wheel into a folder; gives its path."""
    name, version, *tags = Path(whole).stem.split("-")
    files = read(whole)
    info = info_folder(files)
    kept = {
        entry: data
        for entry, data in files.items()
        if entry.startswith("ttkit/") and belongs(entry.removeprefix("ttkit/"))
    }
    ours = f"{name}_runtime-{version}.dist-info"
    kept |= {entry.replace(info, ours): data for entry, data in files.items() if entry == f"{info}/licenses/LICENSE"}
    kept[f"{ours}/WHEEL"] = files[f"{info}/WHEEL"]
    copied = ("Metadata-Version:", "Version:", "Requires-Python:")
    fields = [line for line in files[f"{info}/METADATA"].decode().splitlines() if line.startswith(copied)]
    about = ["Name: ttkit-runtime", f"Summary: {SUMMARY}", "License-Expression: MIT", "License-File: LICENSE"]
    about.append("Description-Content-Type: text/markdown")
    kept[f"{ours}/METADATA"] = ("\n".join([*fields, *about]) + f"\n\n{DESCRIPTION}").encode()
    path = Path(folder, f"{name}_runtime-{version}-{'-'.join(tags)}.whl")
    write(path, kept)
    return path


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
