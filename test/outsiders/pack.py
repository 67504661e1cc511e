"""Packs what the legs of kernels and suites need for a machine without network: sources of packages, and their tests.

    python test/outsiders/pack.py [--output .outsiders] [--clone-from https://github.com/{owner}/{name}]
    tar -C .outsiders -xf .outsiders/kernels.txz       # there: .outsiders/site for PYTHONPATH
    tar -C .outsiders -xf .outsiders/suites.txz        # and .outsiders/suites

Wheels come by pip, repositories by git; both stay in --cache.  Of wheels the Python files and settings are taken, of
repositories the folders in REPOSITORIES.  `.outsiders/` is added to git's own list of ignored files.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

KEPT = (".py", ".yaml", ".yml", "METADATA")
LARGEST = 400_000  # bytes of a file
# Name of the distribution: the folders and files that are taken.
WHEELS = {
    "fla-core": ("fla",),
    "flag-gems": ("flag_gems",),
    "torchao": ("torchao",),
    "unsloth": ("unsloth/kernels", "unsloth/bnb_availability.py"),
    "bitsandbytes": ("bitsandbytes/backends/triton",),
    "xformers": ("xformers/ops/_triton", "xformers/triton"),
    "lightllm": ("lightllm/models", "lightllm/common"),
    "amd-aiter": ("aiter/ops/triton", "aiter/utility/triton"),
    "transformer-engine": ("transformer_engine/pytorch/triton", "transformer_engine/common/triton"),
    "sglang": ("sglang/kernels/ops",),
    "vllm": ("vllm",),
    "sqlalchemy": ("sqlalchemy",),  # flag-gems needs it
}
# Of these the smoke calls read files with kernels alone, and those that have a part of `NEEDED` in their names.
FILES_WITH_KERNELS = "bitsandbytes lightllm sglang vllm".split()
NEEDED = "math_utils kv_cache_interface scalar_type jit_warmup batch_invariant mamba/ops/ linear_attention/ops/".split()
NEEDED += ["triton_ops/", "triton_kernels/"]
NOT_TAKEN = (
    "/tests/ /test/ /benchmark/ sqlalchemy/testing/ dialects/mysql/ dialects/oracle/ dialects/postgresql/".split()
)
REPOSITORIES = {
    "fla-org/flash-linear-attention": ("fla", "tests", "pyproject.toml"),
    "FlagOpen/FlagGems": ("src/flag_gems", "tests", "pyproject.toml"),
    "unslothai/unsloth": ("unsloth/kernels/moe",),
}
PLATFORMS = [f"manylinux_2_{minor}_x86_64" for minor in (17, 24, 28, 31, 34, 35)] + ["manylinux2014_x86_64", "any"]


def wheel_of(name: str, cache: Path, python: str) -> Path:
    """The wheel, fetched if the cache lacks it."""
    stem = name.replace("-", "_")
    if not (found := sorted(cache.glob(f"{stem}-*.whl"))):
        # Wheels of some packages exist for one version of Python alone; nothing compiled is taken of them.
        for version in (python, "3.11", "3.10"):
            command = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "-q",
                "--no-deps",
                "--only-binary=:all:",
                "-d",
                str(cache),
            ]
            command += ["--python-version", version, "--implementation", "cp", name]
            if not subprocess.run([*command, *(f"--platform={p}" for p in PLATFORMS)]).returncode:
                break
        found = sorted(cache.glob(f"{stem}-*.whl"))
    if not found:
        raise SystemExit(f"pip has no wheel of {name}")
    return found[-1]


def files_of_wheel(path: Path, folders: Iterable[str], kernels_alone: bool) -> Iterator[tuple[str, bytes]]:
    """(name, content) of what is kept; the `__init__.py` of folders above, and the description of the package."""
    with zipfile.ZipFile(path) as wheel:
        for entry in wheel.infolist():
            name = PurePosixPath(entry.filename)
            above = any(name.parent in PurePosixPath(f"{folder}/x").parents for folder in folders)
            inside = any(f"{entry.filename}/".startswith(f"{folder}/") for folder in folders)
            about = name.name == "METADATA" and name.parent.suffix == ".dist-info"
            if about or (name.name.endswith(KEPT) and (inside or (above and name.name == "__init__.py"))):
                if entry.file_size > LARGEST or any(part in f"/{entry.filename}" for part in NOT_TAKEN):
                    continue
                content = wheel.read(entry)
                needed = about or b"triton.jit" in content or any(part in entry.filename for part in NEEDED)
                if needed or not kernels_alone:
                    yield entry.filename, content


def files_of_repository(
    repository: str, folders: Iterable[str], template: str, cache: Path
) -> Iterator[tuple[str, bytes]]:
    """(name, content) of a repository's folders, as its newest commit has them."""
    owner, name = repository.split("/")
    clone = cache / f"{name}.git"
    if not clone.exists():
        source = template.format(owner=owner, name=name)
        subprocess.run(["git", "clone", "-q", "--bare", "--depth", "1", source, str(clone)], check=True)
    archive = subprocess.run(["git", "-C", str(clone), "archive", "HEAD", *folders], capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() else None
            if file is not None and member.name.endswith((*KEPT, ".toml", ".json")) and member.size < LARGEST:
                yield f"{name}/{member.name}", file.read()


def pack(output: Path, files: Iterable[tuple[str, str, bytes]]) -> dict[str, int]:
    """Writes an archive of (owner, name, content); bytes of each owner in it, before they are compressed."""
    sizes: dict[str, int] = {}
    with tarfile.open(output, "w:xz") as archive:
        for owner, name, content in files:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
            sizes[owner] = sizes.get(owner, 0) + len(content)
    return sizes


def of_packages(cache: Path, python: str) -> Iterator[tuple[str, str, bytes]]:
    for distribution, folders in WHEELS.items():
        wheel = wheel_of(distribution, cache, python)
        for name, content in files_of_wheel(wheel, folders, distribution in FILES_WITH_KERNELS):
            yield distribution, f"site/{name}", content


def of_suites(cache: Path, template: str) -> Iterator[tuple[str, str, bytes]]:
    for repository, folders in REPOSITORIES.items():
        for name, content in files_of_repository(repository, folders, template, cache):
            yield repository, f"suites/{name}", content


def ignore(folder: str) -> None:
    """Keeps git from listing the folder, without a change of the repository's own files."""
    answer = subprocess.run(["git", "rev-parse", "--git-path", "info/exclude"], capture_output=True, text=True)
    if answer.returncode:
        return
    path, line = Path(answer.stdout.strip()), f"/{folder}/"
    lines = path.read_text().splitlines() if path.exists() else []
    if line not in lines:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*lines, line]) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path(".outsiders"), help="the folder of both archives")
    parser.add_argument("--cache", type=Path, default=Path("build/outsiders"))
    parser.add_argument("--python", default="3.12", help="the version there")
    parser.add_argument("--clone-from", default="https://github.com/{owner}/{name}", help="where repositories are")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    options.output.mkdir(parents=True, exist_ok=True)
    if not options.output.is_absolute():
        ignore(options.output.parts[0])
    for name, files in (
        ("suites.txz", of_suites(options.cache, options.clone_from)),
        ("kernels.txz", of_packages(options.cache, options.python)),
    ):
        for owner, size in pack(options.output / name, files).items():
            print(f"{owner:32} {size / 1e6:6.1f} MB")
        print(f"{options.output / name}: {(options.output / name).stat().st_size / 2**20:.1f} MiB", flush=True)


if __name__ == "__main__":
    main()
