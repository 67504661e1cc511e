"""Caches that many machines share: layers, entries as bytes, `ttkit cache export`, `import` and `warm`."""

import os
import shutil
import sys
import threading
import zipfile

import pytest
import warm_commands
from kernels_to_compile import TARGET, source

import ttkit
from ttkit import knobs
from ttkit.cache import layered
from ttkit.cache.byte_stores import ByteStore, FolderStore, is_name, store_of
from ttkit.cache.entries import entries
from ttkit.cache.manager import DamagedEntry, FileCacheManager, get_cache_manager
from ttkit.cache.packed_entry import pack, unpack
from ttkit.notices import NOTICES

FILES = {"k.ttir": b"module {}", "k.cubin": b"\x7fELF code", "k.json": b"{}"}
KEY = "ab" * 32
NAME = "VOV2XK5LVOV2XK5LVOV2XK5LVOV2XK5LVOV2XK5LVOV2XK5LVOVQ/k.json"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("TTKIT_REMOTE_CACHE_KEY", raising=False)
    NOTICES.forget()
    store_of.cache_clear()
    layered._PAUSED.clear()
    return tmp_path / "cache"


@pytest.fixture
def shared(tmp_path, monkeypatch):
    """The only layer: a folder that all may write."""
    monkeypatch.setenv("TTKIT_CACHE_LAYERS", str(tmp_path / "shared"))
    return tmp_path / "shared"


@pytest.fixture
def key(tmp_path, monkeypatch):
    path = tmp_path / "key"
    path.write_text("0123456789abcdef0123")
    path.chmod(0o600)
    monkeypatch.setenv("TTKIT_REMOTE_CACHE_KEY", str(path))
    return path


def load():
    found = get_cache_manager(KEY).load("k.json")
    return None if found is None else found[0]


# --- entries ----------------------------------------------------------------------------------------------------------


def test_entries_are_packed_without_paths():
    data = pack(NAME, FILES)
    assert unpack(NAME, data) == FILES and b"/" not in data.replace(b"module {}", b"")
    assert pack(NAME, FILES) == data and pack(NAME, {}) and unpack(NAME, pack(NAME, {})) == {}


@pytest.mark.parametrize("cut", [0, 5, 40, 90, 120])
def test_entries_that_were_cut_off(cut):
    with pytest.raises(DamagedEntry, match="is not a whole entry"):
        unpack(NAME, pack(NAME, FILES)[:cut])


def test_damaged_entries(monkeypatch):
    data = bytearray(pack(NAME, FILES))
    data[-3] ^= 1
    with pytest.raises(DamagedEntry, match="is not a whole entry"):
        unpack(NAME, bytes(data))
    with pytest.raises(DamagedEntry, match="files of the cache are in no folder"):
        unpack(NAME, pack(NAME, {"../k.json": b""}))


def test_signed_entries(key):
    data = pack(NAME, FILES)
    assert unpack(NAME, data) == FILES
    with pytest.raises(DamagedEntry, match="is not signed with TTKIT_REMOTE_CACHE_KEY"):
        unpack(NAME.replace("V", "W"), data)  # moved to another place
    key.write_text("another key of many bytes")
    with pytest.raises(DamagedEntry, match="is not signed"):
        unpack(NAME, data)


def test_names():
    assert is_name(NAME) and not any(map(is_name, ("k.json", f"../{NAME}", f"{NAME}/..", "AAAA/k.json", NAME + "/x")))


# --- layers -----------------------------------------------------------------------------------------------------------


def test_what_one_machine_compiles_others_have(shared, cache):
    get_cache_manager(KEY).store("k.json", FILES)
    shutil.rmtree(cache)  # another machine
    assert load() == FILES and len(list(cache.glob("*/k.cubin"))) == 1
    shutil.rmtree(shared)  # the copy is enough
    assert load() == FILES
    assert get_cache_manager("cd" * 32).load("k.json") is None


def test_single_files_and_groups_by_tritons_functions(shared, cache):
    manager = get_cache_manager(KEY)
    paths = {name: manager.put(data, name) for name, data in FILES.items()}
    manager.put_group("k.json", paths)
    shutil.rmtree(cache)
    assert set(get_cache_manager(KEY).get_group("k.json")) == set(FILES)
    shutil.rmtree(cache)
    with open(get_cache_manager(KEY).get_file("k.ttir"), "rb") as file:
        assert file.read() == b"module {}"
    assert get_cache_manager(KEY).get_file("other") is None and get_cache_manager(KEY).get_group("other") is None


def test_kernels_go_through_layers(shared, cache):
    first = ttkit.compile(source(), TARGET)
    shutil.rmtree(cache)
    with knobs.compilation.scope():
        heard = []
        knobs.compilation.listener = lambda cache_hit, **_: heard.append(cache_hit)
        again = ttkit.compile(source(), TARGET)
    assert heard == [True] and again.kernel == first.kernel


def test_read_only_layers(shared, cache, tmp_path, monkeypatch):
    """An image has entries; a folder that was a cache is a layer too."""
    get_cache_manager(KEY).store("k.json", FILES)
    cache.rename(tmp_path / "image")
    shutil.rmtree(shared)
    monkeypatch.setenv("TTKIT_CACHE_LAYERS", f"ro:{tmp_path}/image, {shared}")
    assert load() == FILES and not shared.exists()
    get_cache_manager("cd" * 32).store("k.json", FILES)
    assert len(list(shared.glob("*/*.entry"))) == 1 and not list((tmp_path / "image").glob("*/*.entry"))
    assert list(FolderStore(str(tmp_path / "image"), writable=False).names()) == [NAME]


def test_a_folder_of_this_machine_that_can_not_be_written(shared, cache, monkeypatch, capsys):
    get_cache_manager(KEY).store("k.json", FILES)
    shutil.rmtree(cache)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileCacheManager, "_write_once", full)
    contents, paths = get_cache_manager(KEY).load("k.json")
    assert contents == FILES and paths == {}
    assert "kernels are read from its layers" in capsys.readouterr().err
    with pytest.raises(OSError, match="No space"):
        get_cache_manager("cd" * 32).store("k.json", FILES)
    assert len(list(shared.glob("*/*.entry"))) == 2  # others have it at any rate


@pytest.mark.parametrize("damage", [lambda data: data[:50], lambda data: data[:-1] + b"?", lambda data: b""])
def test_a_torn_entry_is_not_there_and_is_written_again(shared, cache, damage):
    """Two writers, or one that died: without renaming, readers see what they have left."""
    get_cache_manager(KEY).store("k.json", FILES)
    (path,) = shared.glob("*/*.entry")
    path.write_bytes(damage(path.read_bytes()))
    shutil.rmtree(cache)
    assert load() is None
    get_cache_manager(KEY).store("k.json", FILES)
    shutil.rmtree(cache)
    assert load() == FILES


def test_many_writers_without_locks(shared, tmp_path):
    data = pack(NAME, {"k.json": os.urandom(100_000)})
    damaged = []

    def work(number):
        store = FolderStore(str(shared))
        for _ in range(30):
            store.put(NAME, data if number % 2 else data[: len(data) // 2])
            found = store.get(NAME)
            try:
                unpack(NAME, found)
            except DamagedEntry:
                damaged.append(1)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    FolderStore(str(shared)).put(NAME, data)
    assert unpack(NAME, FolderStore(str(shared)).get(NAME)) and damaged


def test_layers_that_must_be_signed(shared, cache, key, capsys):
    get_cache_manager(KEY).store("k.json", FILES)
    shutil.rmtree(cache)
    assert load() == FILES
    (path,) = shared.glob("*/*.entry")
    path.write_bytes(path.read_bytes().partition(b"\n")[2])  # somebody without the key
    shutil.rmtree(cache)
    assert load() is None
    assert "is not signed with TTKIT_REMOTE_CACHE_KEY" in capsys.readouterr().err


def test_folders_of_others_are_not_used(shared, cache, monkeypatch, capsys):
    get_cache_manager(KEY).store("k.json", FILES)
    shutil.rmtree(cache)
    user = os.geteuid()
    cache.mkdir()

    def owner(path):
        found = os.stat_result
        real = original(path)
        return found((*real[:4], user + 1, *real[5:])) if str(path).startswith(str(shared)) else real

    original = os.stat
    monkeypatch.setattr("ttkit.cache.trust.os.stat", owner)
    assert load() is None
    assert "set TTKIT_CACHE_OWNERS" in capsys.readouterr().err


class InMemory(ByteStore):
    kept: dict[str, bytes] = {}
    fails = False

    def get(self, name):
        if self.fails:
            raise ConnectionError("the server is gone")
        return self.kept.get(name)

    def put(self, name, data):
        self.kept[name] = data

    def names(self):
        return iter(self.kept)


class NoStore:
    pass


def test_a_class_of_ones_own(cache, monkeypatch, capsys):
    monkeypatch.setenv("TTKIT_CACHE_LAYERS", "test_cache_layers:InMemory")
    InMemory.kept.clear()
    get_cache_manager(KEY).store("k.json", FILES)
    shutil.rmtree(cache)
    assert load() == FILES and list(InMemory.kept) == [NAME]
    shutil.rmtree(cache)
    monkeypatch.setattr(InMemory, "fails", True)
    assert load() is None
    assert "is left alone for 60 s: the server is gone" in capsys.readouterr().err
    monkeypatch.setattr(InMemory, "fails", False)
    assert load() is None  # it is not asked
    layered._PAUSED.clear()
    assert load() == FILES


@pytest.mark.parametrize("layer", ["test_cache_layers:NoStore", "no_such_module:Store", "ro:/no/such/folder"])
def test_layers_that_are_none(layer, cache, monkeypatch, capsys):
    monkeypatch.setenv("TTKIT_CACHE_LAYERS", layer)
    get_cache_manager(KEY).store("k.json", FILES)
    assert load() == FILES and f"the cache's layer {layer} is left alone" in capsys.readouterr().err


def test_fsspec(cache, tmp_path, monkeypatch):
    pytest.importorskip("fsspec", reason="fsspec is not installed: ttkit[fsspec]")
    for place in ("memory://cache", f"file://{tmp_path}/files"):
        shutil.rmtree(cache, ignore_errors=True)
        monkeypatch.setenv("TTKIT_CACHE_LAYERS", place)
        get_cache_manager(KEY).store("k.json", FILES)
        shutil.rmtree(cache)
        assert load() == FILES and list(store_of(place).names()) == [NAME]
        assert store_of(place).get(NAME.replace("V", "W")) is None


def test_fsspec_is_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ImportError, match=r"install ttkit\[fsspec\]"):
        store_of("s3://bucket/cache")


# --- commands ---------------------------------------------------------------------------------------------------------


def command(folder, *words, **more):
    return warm_commands.ttkit(folder, "cache", *words, **more)


def test_export_and_import(cache, tmp_path):
    ttkit.compile(source(), TARGET)
    get_cache_manager(KEY).store("k.json", FILES)
    run = command(tmp_path, "export", "kernels.zip")
    assert run.returncode == 0 and "2 kernels to kernels.zip" in run.stderr, run.stderr
    first = (tmp_path / "kernels.zip").read_bytes()
    assert (
        command(tmp_path, "export", "kernels.zip").returncode == 0 and (tmp_path / "kernels.zip").read_bytes() == first
    )
    assert "1 kernel to one.zip" in command(tmp_path, "export", "one.zip", "--kernel", "copy").stderr
    with zipfile.ZipFile(tmp_path / "kernels.zip") as archive:
        assert not any(str(tmp_path).encode() in archive.read(name) for name in archive.namelist())
    shutil.rmtree(cache)
    run = command(tmp_path, "import", "kernels.zip")
    assert run.returncode == 0 and "2 kernels added to " in run.stderr and "0 were there, 0 damaged" in run.stderr
    assert not any(entry.problems() for entry in entries(str(cache))) and load() == FILES
    with knobs.compilation.scope():
        heard = []
        knobs.compilation.listener = lambda cache_hit, **_: heard.append(cache_hit)
        ttkit.compile(source(), TARGET)
    assert heard == [True]
    run = command(tmp_path, "import", "kernels.zip")
    assert run.returncode == 1 and "0 kernels added" in run.stderr and "2 were there" in run.stderr


def test_entries_without_any_path(cache, tmp_path, monkeypatch):
    """Sources and levels have the paths of kernels' files; what launches need has none, without line information."""
    monkeypatch.setenv("TRITON_DISABLE_LINE_INFO", "1")
    ttkit.compile(source(), TARGET)
    command(tmp_path, "export", "kernels.zip", "--launch-only")
    with zipfile.ZipFile(tmp_path / "kernels.zip") as archive:
        assert not any(os.path.dirname(__file__).encode() in archive.read(name) for name in archive.namelist())
    shutil.rmtree(cache)
    assert command(tmp_path, "import", "kernels.zip").returncode == 0
    with knobs.compilation.scope():
        heard = []
        knobs.compilation.listener = lambda cache_hit, **_: heard.append(cache_hit)
        ttkit.compile(source(), TARGET)
    assert heard == [True]


def test_import_of_what_is_damaged_or_foreign(cache, tmp_path):
    get_cache_manager(KEY).store("k.json", FILES)
    whole = pack(NAME, FILES)
    with zipfile.ZipFile(tmp_path / "kernels.zip", "w") as archive:
        archive.writestr(NAME + ".entry", whole[:-1])
        archive.writestr("../../evil/k.json.entry", whole)
        archive.writestr(NAME.replace("V", "W") + ".entry", pack(NAME, {"k.cubin": b""}))
    shutil.rmtree(cache)
    run = command(tmp_path, "import", "kernels.zip")
    assert run.returncode == 1 and "0 kernels added" in run.stderr and "3 damaged" in run.stderr
    assert "is not a whole entry" in run.stderr and "'../../evil/k.json' is not the name of an entry" in run.stderr
    (tmp_path / "text.zip").write_text("no archive")
    assert "is not a file of `ttkit cache export`" in command(tmp_path, "import", "text.zip").stderr


def test_signed_exports(cache, tmp_path, key):
    get_cache_manager(KEY).store("k.json", FILES)
    command(tmp_path, "export", "kernels.zip")
    shutil.rmtree(cache)
    other = tmp_path / "other"
    other.write_text("another key of many bytes")
    other.chmod(0o600)
    run = command(tmp_path, "import", "kernels.zip", TTKIT_REMOTE_CACHE_KEY=str(other))
    assert run.returncode == 1 and "is not signed with TTKIT_REMOTE_CACHE_KEY" in run.stderr
    assert command(tmp_path, "import", "kernels.zip").returncode == 0


def test_a_damaged_kernel_is_not_exported(cache, tmp_path):
    get_cache_manager(KEY).store("k.json", FILES)
    get_cache_manager("cd" * 32).store("k.json", FILES)
    next(cache.glob("VOV*/k.cubin")).write_bytes(b"damaged")
    run = command(tmp_path, "export", "kernels.zip")
    assert run.returncode == 1 and "1 kernel to kernels.zip" in run.stderr and "not what was stored" in run.stderr


def test_warm(cache, tmp_path):
    get_cache_manager(KEY).store("k.json", FILES)
    assert command(tmp_path, "export", "shared").returncode == 0
    shutil.rmtree(cache)
    run = command(tmp_path, "warm", "ro:shared")
    assert run.returncode == 0 and "1 kernel added" in run.stderr and load() == FILES
    assert command(tmp_path, "warm", TTKIT_CACHE_LAYERS="shared").returncode == 1
    assert "no layer is named" in command(tmp_path, "warm", TTKIT_CACHE_LAYERS="").stderr
    assert "s3://bucket" in command(tmp_path, "warm", "s3://bucket/x").stderr
    assert "may be written" in command(tmp_path, "export", "ro:shared").stderr
