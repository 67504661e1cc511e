"""Makes the wheel of ttkit-runtime, which launches the kernels of bundles without a compiler, of a wheel of ttkit.

python tools/runtime_wheel.py dist/ttkit-0.1.0-py3-none-manylinux_2_34_x86_64.whl dist
"""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python" / "ttkit"))
from runtime_package import belongs

SUMMARY = "Launches the kernels of ttkit's bundles on machines without a compiler"
DESCRIPTION = """\
Kernels that `ttkit export` put into a bundle, launched by the driver alone: no MLIR, no ptxas, no other package.

It installs the import name `ttkit`, so it stands in for the package ttkit on machines that only launch: install one of
the two.
"""


def main(whole: str, folder: str) -> Path:
    """Writes the wheel into a folder; gives its path."""
    with zipfile.ZipFile(whole) as archive:
        name, version, *tags = Path(whole).stem.split("-")
        info = next(entry for entry in archive.namelist() if entry.endswith(".dist-info/METADATA")).rpartition("/")[0]
        kept = {
            entry: archive.read(entry)
            for entry in archive.namelist()
            if entry.startswith("ttkit/") and belongs(entry.removeprefix("ttkit/"))
        }
        lines = archive.read(f"{info}/METADATA").decode().splitlines()
        fields = [
            line for line in lines if line.startswith(("Metadata-Version:", "Version:", "License", "Requires-Python:"))
        ]
        ours = f"{name}_runtime-{version}.dist-info"
        kept |= {
            entry.replace(info, ours): archive.read(entry)
            for entry in archive.namelist()
            if f"{info}/licenses/" in entry
        }
        kept[f"{ours}/WHEEL"] = archive.read(f"{info}/WHEEL")
    about = [*fields, "Name: ttkit-runtime", f"Summary: {SUMMARY}", "Description-Content-Type: text/markdown"]
    kept[f"{ours}/METADATA"] = ("\n".join(about) + f"\n\n{DESCRIPTION}").encode()
    record = [f"{entry},sha256={digest(data)},{len(data)}" for entry, data in kept.items()]
    kept[f"{ours}/RECORD"] = ("\n".join([*record, f"{ours}/RECORD,,"]) + "\n").encode()
    path = Path(folder, f"{name}_runtime-{version}-{'-'.join(tags)}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for entry, data in sorted(kept.items()):
            made.writestr(zipfile.ZipInfo(entry, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return path


def digest(data: bytes) -> str:
    """Hash of a file as wheels record it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
