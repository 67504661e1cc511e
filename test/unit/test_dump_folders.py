"""The folders of TRITON_KERNEL_DUMP: each configuration and each GPU of a kernel has one."""

import importlib.util
import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from kernels_to_compile import source

import ttkit
from ttkit.cache.manager import base32
from ttkit.compiler.backend import make_backend
from ttkit.compiler.dump_folders import MARKER, dump_manager
from ttkit.target import GPUTarget

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel"
)
VARIANTS = [(90, {}), (90, {"num_stages": 2}), (80, {}), (80, {"num_warps": 8}), (90, {})]


@pytest.fixture(autouse=True)
def directory(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    return tmp_path / "dump"


def options_of(arch, options):
    return make_backend(GPUTarget("cuda", arch, 32)).parse_options(options, "copy")


def test_each_configuration_and_gpu_has_its_folder(monkeypatch, directory, capfd):
    monkeypatch.setenv("TRITON_KERNEL_DUMP", "1")
    kernels = [ttkit.compile(source(), GPUTarget("cuda", arch, 32), options) for arch, options in VARIANTS]
    plain = base32(source().hash())
    ends = ["", ".num_stages=2", ".sm80", ".sm80.num_warps=8"]
    assert sorted(path.name for path in directory.iterdir()) == [plain + end for end in ends]
    for end, kernel in zip(["", *ends[1:], ""], kernels, strict=True):
        assert (directory / (plain + end) / "copy.ptx").read_text() == kernel.asm["ptx"]
    told = [line for line in capfd.readouterr().err.splitlines() if "kernel copy is in" in line]
    assert [f"{directory / plain}{end}" in line.replace(",", " ").split() for end, line in zip([*ends, ""], told)] == [
        True
    ] * 5


def test_a_folder_of_triton_is_taken(directory):
    folder = directory / base32(source().hash())
    folder.mkdir(parents=True)
    (folder / "copy.ttir").write_text("")
    manager = dump_manager(source(), options_of(90, {}))
    assert manager.cache_dir == str(folder)
    assert json.loads((folder / MARKER).read_text())["arch"] == "sm90"


def test_a_value_that_is_no_name_becomes_a_digest(directory):
    dump_manager(source(), options_of(90, {}))
    name = dump_manager(source(), options_of(90, {"ptx_options": "-O1 -v /x/y"})).cache_dir
    assert len(name.rpartition(".")[2]) == 12 and "/x" not in name


def test_configurations_that_are_written_at_once_do_not_share_a_folder(directory):
    options = [options_of(90, {"num_stages": stages}) for stages in range(1, 9)]
    with ThreadPoolExecutor(8) as threads:
        folders = list(threads.map(lambda one: dump_manager(source(), one).cache_dir, options))
    assert len(set(folders)) == 8 and base32(source().hash()) in {folder.rpartition("/")[2] for folder in folders}


def test_an_override_is_that_of_its_configuration(monkeypatch, directory, tmp_path, capfd):
    monkeypatch.setenv("TRITON_KERNEL_DUMP", "1")
    target = GPUTarget("cuda", 90, 32)
    for stages in (3, 2):
        ttkit.compile(source(), target, {"num_stages": stages})
    shutil.copytree(directory, tmp_path / "override")
    for path in (tmp_path / "override").glob("*/copy.*"):
        if path.suffix != ".ttgir":
            path.unlink()
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")
    plain = base32(source().hash())
    for stages, end in ((3, ""), (2, ".num_stages=2")):
        capfd.readouterr()
        ttkit.compile(source(), target, {"num_stages": stages})
        told = capfd.readouterr()
        assert f"Overriding kernel with file {tmp_path / 'override' / (plain + end)}/copy.ttgir" in told.out
        assert "not used" not in told.err
