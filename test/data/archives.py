"""IR that tests read, kept as one compressed archive a folder, and some files of each to read.

    python test/data/archives.py unpack     # what `make build` and pytest do
    python test/data/archives.py pack       # after a script has written the folders anew

`ir.tar.xz` holds `ir/`, `language/tt.tar.xz` holds `language/tt/`, `gluon/ttgir.tar.xz` holds `gluon/ttgir/`: Triton's
IR of our kernels.  `gluon_later/ttgir.tar.xz` holds that of kernels with what Triton 3.9 has.  `versions/3.7.tar.xz`
and the others there hold that of later versions.  `pass_cases.tar.xz` holds `pass_cases/`: modules for passes and what
these make of them, which is what Triton makes of them.  The files of SAMPLES are not in them: git has these as text.
"""

import hashlib
import io
import lzma
import sys
import tarfile
from pathlib import Path

DATA = Path(__file__).resolve().parent
VERSIONS = tuple(DATA / "versions" / version for version in ("3.7", "3.8", "3.9"))
GLUON = (DATA / "gluon" / "ttgir", DATA / "gluon_later" / "ttgir")
FOLDERS = (DATA / "ir", DATA / "language" / "tt", *GLUON, DATA / "pass_cases", *VERSIONS)
STAMP = ".unpacked"
"""The file in a folder with the digest of the archive that it was unpacked from."""
SAMPLES = frozenset(
    """row_softmax.90.ttir row_softmax.90.ttgir scale_and_shift.80.ttir matmul_f16.80.ttgir matmul_f16.90.loc.ttgir
    attention.90.ttir attention.90.ttgir layer_norm.80.ttgir mbarrier_ring.90.loc.ttgir axis_reductions.90.ttgir
    matmul_f64.80.schedule-loops.ttgir descriptor_copy.90.coalesce.ttgir scans.90.ttgir warpgroup_product.90.ttgir
    tensor_memory_matmul.100.ttgir layout_conversions.80.ttgir bfloat_atomics.90.ttir captures.90.ttir programs.90.ttir
    descriptor_arguments.90.ttir
    tritongpu-prefetch.mlir tritongpu-prefetch.golden triton-licm.mlir triton-licm.golden triton-loop-aware-cse.mlir
    triton-loop-aware-cse.golden""".split()
)


def archive_of(folder: Path) -> Path:
    """The archive of a folder, beside it."""
    return folder.with_name(f"{folder.name}.tar.xz")


def unpack(folder: Path) -> bool:
    """Writes the files of a folder's archive, unless they are there; whether it had to.

    Raises:
        OSError, tarfile.TarError, lzma.LZMAError: the archive is missing or damaged, or the folder can't be written.
    """
    content = archive_of(folder).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    stamp = folder / STAMP
    if stamp.is_file() and stamp.read_text() == digest:
        return False
    folder.mkdir(exist_ok=True)  # a folder without samples is not in a fresh clone
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:xz") as archive:
        for member in archive:
            source = archive.extractfile(member)
            if source is not None and "/" not in member.name:
                (folder / member.name).write_bytes(source.read())
    stamp.write_text(digest)
    return True


def pack(folder: Path) -> None:
    """Writes the archive of a folder: the same files give the same bytes."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for path in files_of(folder):
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            archive.addfile(member, io.BytesIO(path.read_bytes()))
    archive_of(folder).write_bytes(lzma.compress(plain.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    (folder / STAMP).write_text(hashlib.sha256(archive_of(folder).read_bytes()).hexdigest())


def files_of(folder: Path) -> list[Path]:
    """The files of a folder that its archive holds."""
    return sorted(one for one in folder.iterdir() if one.name not in SAMPLES and one.name != STAMP)


if __name__ == "__main__":
    actions = {"pack": pack, "unpack": unpack}
    if len(sys.argv) != 2 or sys.argv[1] not in actions:
        sys.exit(f"usage: {Path(__file__).name} pack|unpack")
    for each in FOLDERS:
        actions[sys.argv[1]](each)
