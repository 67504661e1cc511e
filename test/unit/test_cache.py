"""The cache on disk: what is in a key, what is stored, what happens to damaged files, full and read-only disks."""

import contextlib
import errno
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kernels_to_compile as kernels
import pytest
from kernels_to_compile import TARGET, source

import ttkit
from ttkit import knobs
from ttkit.cache import manager as cache_manager
from ttkit.cache.entries import entries
from ttkit.cache.manager import (
    DamagedEntry,
    FileCacheManager,
    base32,
    get_cache_manager,
    get_dump_manager,
    get_override_manager,
)
from ttkit.cache.remote import RemoteCacheBackend
from ttkit.compiler.backend import make_backend
from ttkit.notices import NOTICES
from ttkit.runtime.compile import get_cache_key

STRESS = Path(__file__).parents[1] / "cache_stress.py"
needs_ptxas = pytest.mark.skipif(
    importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel"
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    NOTICES.forget()
    return tmp_path / "cache"


@pytest.fixture
def compilations():
    """Whether each compilation since then was a hit."""
    heard = []
    with knobs.compilation.scope():
        knobs.compilation.listener = lambda cache_hit, **_: heard.append(cache_hit)
        yield heard


FILES = {"k.ttir": b"module {}", "k.cubin": b"\x7fELF code", "k.json": b"{}"}


def stored(key="ab" * 32):
    manager = get_cache_manager(key)
    manager.store("k.json", FILES)
    return manager


# --- files ------------------------------------------------------------------------------------------------------------


def test_the_layout_is_tritons(cache):
    manager = stored()
    folder = cache / "VOV2XK5LVOV2XK5LVOV2XK5LVOV2XK5LVOV2XK5LVOV2XK5LVOVQ"
    assert base32("ab" * 32) == folder.name and Path(manager.cache_dir) == folder
    assert sorted(path.name for path in folder.iterdir()) == ["__grp__k.json", "k.cubin", "k.json", "k.ttir"]
    listed = json.loads((folder / "__grp__k.json").read_text())
    assert listed["child_paths"] == {name: str(folder / name) for name in FILES}
    assert manager.load("k.json") == (FILES, listed["child_paths"])


def test_files_one_by_one():
    manager = get_cache_manager("cd" * 32)
    assert manager.get_file("a.txt") is None and manager.get_group("a.json") is None and not manager.has_file("a.txt")
    path = manager.put("text", "a.txt")
    assert Path(path).read_text() == "text" and manager.get_file("a.txt") == path
    manager.put(b"\0", "a.bin", binary=True)
    manager.put({"not": "text"}, "a.json")
    group = {name: manager.get_file(name) for name in ("a.txt", "a.bin", "a.json")}
    manager.put_group("a.json", group)
    assert manager.get_group("a.json") == group
    assert manager.load("a.json")[0] == {"a.txt": b"text", "a.bin": b"\0", "a.json": b"{'not': 'text'}"}


def test_names_stay_in_the_folder():
    for name in ("../escape", "a/b", "", ".."):
        with pytest.raises(ValueError, match="not the name of a file"):
            get_cache_manager("cd" * 32).put("text", name)


def test_other_folders_have_their_own_directories(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    assert get_dump_manager("ef" * 32).put("x", "k.ttir").startswith(str(tmp_path / "dump"))
    assert get_override_manager("ef" * 32).cache_dir.startswith(str(tmp_path / "override"))


def test_a_folder_written_by_triton_is_read(cache):
    folder = cache / base32("12" * 32)
    folder.mkdir(parents=True)
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    paths = {name: str(folder / name) for name in FILES} | {"k.source": str(folder / "gone")}
    (folder / "__grp__k.json").write_text(json.dumps({"child_paths": paths}))
    manager = get_cache_manager("12" * 32)
    assert manager.load("k.json")[0] == FILES
    assert set(manager.get_group("k.json")) == set(FILES)


def test_a_moved_cache_is_read(cache, tmp_path, monkeypatch):
    stored()
    shutil.move(cache, tmp_path / "moved")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "moved"))
    contents, paths = get_cache_manager("ab" * 32).load("k.json")
    assert contents == FILES and all(path.startswith(str(tmp_path / "moved")) for path in paths.values())


@pytest.mark.parametrize("name", [*FILES, "__grp__k.json"])
@pytest.mark.parametrize("how", ["cut", "empty", "flip", "remove"])
def test_damage_is_detected(name, how):
    manager = stored()
    path = Path(manager.cache_dir, name)
    content = path.read_bytes()
    if how == "remove":
        path.unlink()
        if name.startswith("__grp__"):
            assert manager.load("k.json") is None
            return
    else:
        changed = {"cut": content[:-1], "empty": b"", "flip": bytes([content[0] ^ 1]) + content[1:]}
        path.write_bytes(changed[how])
    with pytest.raises(DamagedEntry):
        manager.load("k.json")


@pytest.mark.parametrize("text", ["[]", "3", '{"child_paths": 3}', '{"child_paths": {"k.json": 1}}', "{}", "\0"])
def test_lists_that_list_nothing(text):
    manager = stored()
    Path(manager.cache_dir, "__grp__k.json").write_text(text)
    with pytest.raises(DamagedEntry):
        manager.load("k.json")


@pytest.mark.parametrize("before, after", [("k.ttir", "k.utir"), ("digests", "eigests"), ("child", "Child")])
def test_lists_that_were_changed(before, after):
    manager = stored()
    path = Path(manager.cache_dir, "__grp__k.json")
    path.write_text(path.read_text().replace(before, after, 1))
    with pytest.raises(DamagedEntry):
        manager.load("k.json")


def test_no_flipped_bit_of_a_list_goes_unseen():
    text = cache_manager.list_of(
        {"k.ttir": "/a/k.ttir", "k.json": "/a/k.json"}, {"k.ttir": "ab", "k.json": "cd"}
    ).encode()
    expected = cache_manager.parse_list(text, "list")
    for place in range(8 * len(text)):
        flipped = bytearray(text)
        flipped[place // 8] ^= 1 << place % 8
        with contextlib.suppress(DamagedEntry):
            assert cache_manager.parse_list(bytes(flipped), "list") == expected


def test_a_failed_write_changes_nothing(monkeypatch):
    manager = stored()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(OSError):
        manager.store("k.json", {"k.json": b"new"})
    monkeypatch.undo()
    assert sorted(os.listdir(manager.cache_dir)) == ["__grp__k.json", "k.cubin", "k.json", "k.ttir"]


def test_an_entry_removed_while_it_is_written_is_written_again(monkeypatch):
    manager = get_cache_manager("a" * 64)
    replace, removed = os.replace, []

    def replace_what_is_gone(source, target):
        if not removed:
            removed.append(shutil.rmtree(manager.cache_dir))
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_what_is_gone)
    assert Path(manager.put(b"text", "k.ttir")).read_bytes() == b"text"
    assert removed == [None]


# --- kernels ----------------------------------------------------------------------------------------------------------


@needs_ptxas
def test_a_kernel_is_compiled_once(compilations):
    first, second = (ttkit.compile(source(), TARGET) for _ in range(2))
    assert compilations == [False, True]
    assert dict(first.asm) == dict(second.asm) and first.metadata == second.metadata
    assert first.metadata_group == second.metadata_group


@needs_ptxas
def test_what_is_asked_for_is_compiled_again(compilations, monkeypatch):
    ttkit.compile(source(), TARGET)
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")
    ttkit.compile(source(), TARGET)
    assert compilations == [False, False]


@needs_ptxas
def test_binaries_alone(monkeypatch, compilations):
    monkeypatch.setenv("TRITON_STORE_BINARY_ONLY", "1")
    kernel = ttkit.compile(source(), TARGET)
    assert set(kernel.metadata_group) == {"copy.source", "copy.cubin", "copy.json"}
    assert list(kernel.asm) == list(ttkit.compile(source(), TARGET).asm) == ["source", "cubin"]
    assert compilations == [False, True]


@needs_ptxas
@pytest.mark.parametrize("suffix", ["cubin", "json", "ttir"])
def test_a_damaged_kernel_is_compiled_again(suffix, compilations, capsys):
    kernel = ttkit.compile(source(), TARGET)
    path = Path(kernel.metadata_group[f"copy.{suffix}"])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert ttkit.compile(source(), TARGET).asm["cubin"] == kernel.asm["cubin"]
    assert "is compiled again" in capsys.readouterr().err and path.read_bytes() == whole
    ttkit.compile(source(), TARGET)
    assert compilations == [False, False, True]


@needs_ptxas
def test_metadata_that_are_none_are_compiled_again(compilations):
    kernel = ttkit.compile(source(), TARGET)
    manager = get_cache_manager(kernel.hash)
    for metadata in (b"[]", b"{}", b"null", b'{"target": 3}'):
        manager.store("copy.json", {"copy.json": metadata, "copy.cubin": b""})
        assert ttkit.compile(source(), TARGET).metadata == kernel.metadata
    assert compilations == [False] * 5


@needs_ptxas
def test_a_full_disk_does_not_matter(monkeypatch, capsys, compilations):
    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(FileCacheManager, "_write", fail)
    kernels_made = [ttkit.compile(source(), TARGET) for _ in range(2)]
    assert all(kernel.asm["cubin"] and kernel.metadata_group == {} for kernel in kernels_made)
    assert compilations == [False, False]
    assert capsys.readouterr().err.count("can't write the cache") == 1


@needs_ptxas
@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_cache_is_read(cache, compilations, capsys):
    ttkit.compile(source(), TARGET)
    for folder, _, _ in os.walk(cache):
        os.chmod(folder, 0o500)
    try:
        ttkit.compile(source(), TARGET)
        ttkit.compile(source(128), TARGET)
    finally:
        for folder, _, _ in os.walk(cache):
            os.chmod(folder, 0o700)
    assert compilations == [False, True, False] and "can't write the cache" in capsys.readouterr().err


@needs_ptxas
def test_a_cache_that_can_not_be_made_does_not_matter(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert ttkit.compile(source(), TARGET).asm["cubin"]
    assert "can't write the cache" in capsys.readouterr().err


# --- keys -------------------------------------------------------------------------------------------------------------


def key(made=None, options=None, target=TARGET):
    backend = make_backend(target)
    return get_cache_key(made or source(), backend, backend.parse_options(options or {}, "copy"))


def test_the_key_covers_source_target_and_options():
    found = [
        key(),
        key(source(128)),
        key(source(attrs={(0,): [["tt.divisibility", 16]]})),
        key(ttkit.ASTSource(kernels.copy, {"x": "*fp16", "y": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 64})),
        key(options={"num_warps": 8}),
        key(options={"extern_libs": {"mine": __file__}}),
        key(target=ttkit.GPUTarget("cuda", 80, 32)),
    ]
    assert len(set(found)) == len(found) and key() == key()


def test_the_key_tells_types_of_constants():
    def of(value):
        return key(ttkit.ASTSource(kernels.copy, {"x": "*fp32", "y": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": value}))

    values = [1, True, 1.0, "1", (1,), [1], None, kernels.scaled, int, ttkit.language.int32]
    assert len({of(value) for value in values}) == len(values)


@pytest.mark.parametrize(
    "variable", ["DISABLE_LLVM_OPT", "MLIR_ENABLE_TIMING", "TRITON_DISABLE_LINE_INFO", "TRITON_MOCK_PTX_VERSION"]
)
def test_the_key_covers_the_environment(variable, monkeypatch):
    before = key()
    monkeypatch.setenv(variable, "1")
    assert key() != before


def test_the_key_covers_what_users_change_in_the_pipeline():
    from ttkit import pipelines

    before = key()
    with pipelines.skip("triton-licm", kernel="copy"):
        assert key() != before
    with pipelines.skip("triton-licm", kernel="another"):
        assert key() == before


def test_the_key_covers_ttkit_itself(monkeypatch, tmp_path):
    from ttkit.cache import digests

    package = tmp_path / "package"
    shutil.copytree(Path(ttkit.__file__).parent / "knobs", package)

    folders = [str(package), str(tmp_path)]  # the second as a checkout that has the package somewhere in it
    monkeypatch.setattr(digests, "FOLDER", str(package))
    monkeypatch.setattr(digests, "folders", lambda: folders)
    monkeypatch.setattr(digests, "import_module", lambda name: type("Part", (), {"__name__": name, "__path__": []}))
    monkeypatch.setattr(digests, "_known", {})
    first = digests.toolkit_key.__wrapped__()
    (tmp_path / "test_of_mine.py").touch()
    assert digests.toolkit_key.__wrapped__() == first
    with open(package / "groups.py", "a") as file:
        file.write("# a comment\n")
    assert digests.toolkit_key.__wrapped__() != first


def test_threads_find_the_same_digests(tmp_path, monkeypatch):
    from ttkit.cache import digests

    paths = [tmp_path / str(number) for number in range(8)]
    for number, path in enumerate(paths):
        path.write_bytes(bytes([number]) * (1 << 20))
    monkeypatch.setattr(digests, "_known", {})
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(digests.file_digest, map(str, paths)))
    assert found == [digests.content_digest(path.read_bytes()) for path in paths]


def test_digests_of_files_are_kept(tmp_path, monkeypatch, cache):
    from ttkit.cache import digests

    monkeypatch.setattr(digests, "_known", None)
    path = tmp_path / "file"
    path.write_text("one")
    first = digests.file_digest(str(path))
    digests.save_index()
    assert all(entry.is_dir() for entry in cache.iterdir()) and not list(entries(str(cache)))
    assert json.loads((cache / ".digests" / "digests.json").read_text())[str(path)][1] == first
    for damaged in ("{", "[]", '{"a": 3}', json.dumps({str(path): [1, 2]})):
        (cache / ".digests" / "digests.json").write_text(damaged)
        monkeypatch.setattr(digests, "_known", None)
        assert digests.file_digest(str(path)) == first
    path.write_text("three")
    assert digests.file_digest(str(path)) != first


def test_digests_of_what_is_installed_are_kept_beside_the_package(tmp_path, monkeypatch):
    """An empty cache costs no digest of ptxas and of ttkit."""
    from ttkit.cache import digests

    def forget() -> None:
        """Does as a new process does, with an empty cache."""
        monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / f"cache{len(list(tmp_path.iterdir()))}"))
        monkeypatch.setattr(digests, "_known", None)
        monkeypatch.setattr(digests, "_installed", None)

    kept, installed, other = tmp_path / "digests.json", tmp_path / "ptxas", tmp_path / "other"
    for path in (installed, other):
        path.write_text(path.name)
    read: list[str] = []
    add = digests._add_content
    monkeypatch.setattr(digests, "_add_content", lambda digest, path: (read.append(path), add(digest, path)))
    monkeypatch.setattr(digests, "_beside_package", lambda: str(kept))
    monkeypatch.setattr(digests, "_is_installed", lambda path: path == str(installed))
    for writes_no_byte_code in (True, False, False):
        monkeypatch.setattr(sys, "dont_write_bytecode", writes_no_byte_code)
        forget()
        first = [digests.file_digest(str(path)) for path in (installed, other)]
        digests.save_index()
        assert kept.exists() != writes_no_byte_code
    assert read == [str(installed), str(other), str(installed), str(other), str(other)]
    assert list(json.loads(kept.read_text())) == [str(installed)]
    kept.write_text("[")
    forget()
    assert [digests.file_digest(str(path)) for path in (installed, other)] == first
    installed.write_text("another ptxas")
    assert digests.file_digest(str(installed)) != first[0]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_change_that_keeps_size_and_time_is_seen(tmp_path, monkeypatch, replaced):
    from ttkit.cache import digests

    monkeypatch.setattr(digests, "_known", {})
    path = tmp_path / "file"
    path.write_text("one")
    first, times = digests.file_digest(str(path)), path.stat()
    changed = tmp_path / "other" if replaced else path
    changed.write_text("two")
    os.utime(changed, ns=(times.st_atime_ns, times.st_mtime_ns))
    changed.replace(path)
    assert digests.file_digest(str(path)) != first


# --- other places -----------------------------------------------------------------------------------------------------


class Remote(RemoteCacheBackend):
    """Files of all keys, in memory."""

    files = {}

    def __init__(self, key):
        self.key = key

    def get(self, filenames):
        return {name: self.files[self.key, name] for name in filenames if (self.key, name) in self.files}

    def put(self, filename, data):
        self.files[self.key, filename] = data


class Broken(Remote):
    def get(self, filenames):
        raise ConnectionError("no server")

    put = get


@pytest.fixture
def remote():
    Remote.files = {}
    with knobs.cache.scope():
        knobs.cache.manager_class = cache_manager_of("RemoteCacheManager")
        knobs.cache.remote_manager_class = Remote
        yield Remote


def cache_manager_of(name):
    from ttkit.cache import remote

    return getattr(remote, name)


def test_files_elsewhere(remote, cache):
    manager = get_cache_manager("ab" * 32)
    assert manager.get_file("k.json") is None and manager.load("k.json") is None
    manager.store("k.json", FILES)
    shutil.rmtree(cache)
    contents, paths = get_cache_manager("ab" * 32).load("k.json")
    assert contents == FILES and all(Path(path).read_bytes() == FILES[name] for name, path in paths.items())
    Remote.files[base32("ab" * 32), "k.cubin"] = b"other"
    with pytest.raises(DamagedEntry):
        manager.load("k.json")
    manager.put_group("g.json", {"k.ttir": manager.put("text", "k.ttir")})
    assert list(manager.get_group("g.json")) == ["k.ttir"]
    assert json.loads(Remote.files[base32("ab" * 32), "__grp__g.json"])["child_paths"] == ["k.ttir"]


@needs_ptxas
def test_kernels_elsewhere(remote, cache, compilations, capsys):
    ttkit.compile(source(), TARGET)
    shutil.rmtree(cache)
    ttkit.compile(source(), TARGET)
    assert compilations == [False, True]
    knobs.cache.remote_manager_class = Broken
    assert ttkit.compile(source(), TARGET).asm["cubin"]
    assert "no server" in capsys.readouterr().err


def test_a_manager_by_name(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_MANAGER", "ttkit.cache.remote:RemoteCacheManager")
    with pytest.raises(RuntimeError, match="TRITON_REMOTE_CACHE_BACKEND doesn't point to a valid class"):
        get_cache_manager("ab" * 32)
    monkeypatch.setenv("TRITON_REMOTE_CACHE_BACKEND", f"{__name__}:Remote")
    assert isinstance(get_cache_manager("ab" * 32)._backend, Remote)


def test_redis(monkeypatch):
    class Redis:
        def __init__(self, host, port, socket_timeout, socket_connect_timeout):
            self.where, self.files = (host, port), {}

        def mget(self, names):
            return [self.files.get(name) for name in names]

        def set(self, name, data):
            self.files[name] = data

    class Module:
        pass

    Module.Redis = Redis
    monkeypatch.setitem(sys.modules, "redis", Module)
    monkeypatch.setenv("TRITON_REDIS_HOST", "server")
    monkeypatch.setenv("TRITON_REDIS_KEY_FORMAT", "kernels:{key}:{filename}")
    backend = cache_manager_of("RedisRemoteCacheBackend")("KEY")
    backend.put("k.ttir", b"text")
    assert backend._redis.where == ("server", 6379) and backend._redis.files == {"kernels:KEY:k.ttir": b"text"}
    assert backend.get(["k.ttir", "k.ptx"]) == {"k.ttir": b"text"}


def test_tritons_names():
    from ttkit.runtime import cache as names

    assert all(hasattr(names, name) for name in names.__all__)


# --- many processes ---------------------------------------------------------------------------------------------------


def test_processes_that_are_killed_lose_nothing():
    command = [sys.executable, str(STRESS), "--processes", "8", "--seconds", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 damaged, 0 leftovers" in done.stdout
