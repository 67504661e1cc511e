"""Who can write the cache chooses what runs: owners, modes, paths, signatures; and what is left of killed processes."""

import json
import os
import stat
import sys
import time
from pathlib import Path

import pytest

import ttkit
from ttkit import knobs, temporary
from ttkit.cache import remote, trust
from ttkit.cache.manager import FileCacheManager, get_cache_manager
from ttkit.cache.remote import RemoteCacheBackend, RemoteCacheManager, SignedBackend
from ttkit.notices import NOTICES

KEY = "ab" * 32
SIGNING = b"0123456789abcdef"


@pytest.fixture
def cache(monkeypatch, tmp_path):
    NOTICES.forget()
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "new" / "cache"))
    return tmp_path / "new" / "cache"


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_folders_are_for_this_user_alone(cache):
    manager = get_cache_manager(KEY)
    manager.store("k.json", {"k.json": b"{}", "k.ptx": b"x"})
    assert mode(cache) == mode(manager.cache_dir) == 0o700
    assert manager.load("k.json")[0] == {"k.json": b"{}", "k.ptx": b"x"}


def test_folders_of_others_are_not_used(cache, monkeypatch):
    manager = get_cache_manager(KEY)
    manager.store("k.json", {"k.json": b"{}"})
    monkeypatch.setattr(os, "geteuid", lambda: 12345)  # somebody else
    owner = trust.user_name(os.stat(cache).st_uid)
    for use in (lambda: manager.load("k.json"), lambda: manager.get_file("k.json"), lambda: manager.put(b"", "k.ptx")):
        with pytest.raises(trust.UntrustedFolder, match=f"belongs to {owner}; .* TTKIT_CACHE_OWNERS={owner}"):
            use()
    for named in (owner, str(os.stat(cache).st_uid)):
        monkeypatch.setenv("TTKIT_CACHE_OWNERS", f"nobody,{named}")
        assert manager.load("k.json")


def test_kernels_are_compiled_where_the_cache_is_not_trusted(cache, monkeypatch, capsys):
    import launched_kernels as kernels

    import ttkit
    from ttkit.target import GPUTarget

    def compiled():
        source = ttkit.ASTSource(kernels.scaled, {"out": "*i32", "n": "i32", "do_not": "constexpr"}, {"do_not": 1})
        return ttkit.compile(source, GPUTarget("cuda", 90, 32)).asm["ptx"]

    first = compiled()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert compiled() == first
    said = capsys.readouterr().err
    assert "is compiled again" in said and "belongs to" in said


def test_folders_that_anyone_may_write_are_said(cache, capsys):
    manager = get_cache_manager(KEY)
    manager.store("k.json", {"k.json": b"{}"})
    cache.chmod(0o777)
    manager.load("k.json")
    assert f"everyone can write {cache}" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["{}", "../../{}", "/{}"])
def test_paths_out_of_the_cache_are_not_followed(cache, tmp_path, form):
    """In lists without digests, as Triton writes them."""
    (tmp_path / "secret").write_text("secret")
    manager = FileCacheManager("KEY")
    manager.put("{}", "k.json")
    path = form.format("secret" if form.startswith("..") else str(tmp_path / "secret").lstrip("/"))
    listed = {"child_paths": {"k.json": "k.json", "k.ptx": path, "../../../secret": path}}
    manager.put(json.dumps(listed), "__grp__k.json")
    assert manager.load("k.json")[0] == {"k.json": b"{}"}
    assert list(manager.get_group("k.json")) == ["k.json"]


def test_paths_in_the_cache_are_followed(cache):
    FileCacheManager("OTHER").put("ptx", "k.ptx")
    manager = FileCacheManager("KEY")
    manager.put("{}", "k.json")
    listed = {"child_paths": {"k.json": "k.json", "k.ptx": str(cache / "OTHER" / "k.ptx")}}
    manager.put(json.dumps(listed), "__grp__k.json")
    assert manager.load("k.json")[0] == {"k.json": b"{}", "k.ptx": b"ptx"}


def test_digests_of_others_are_not_taken(cache, monkeypatch):
    from ttkit.cache import digests

    (cache / ".digests").mkdir(parents=True)
    (cache / ".digests" / "digests.json").write_text(json.dumps({"/some/file": ["state", "forged"]}))
    for user, found in ((os.geteuid(), 1), (12345, 0)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        monkeypatch.setattr(digests, "_known", None)
        assert len(digests._index()) == found


# --- a remote cache -------------------------------------------------------------------------------------------------


class Backend(RemoteCacheBackend):
    files: dict = {}

    def __init__(self, key):
        self.key = key

    def get(self, filenames):
        return {name: self.files[self.key, name] for name in filenames if (self.key, name) in self.files}

    def put(self, filename, data):
        self.files[self.key, filename] = data


@pytest.fixture
def shared(cache, monkeypatch, tmp_path):
    Backend.files = {}
    monkeypatch.setenv("TRITON_REMOTE_CACHE_BACKEND", f"{__name__}:Backend")
    key = tmp_path / "key"
    key.write_bytes(SIGNING + b"\n")
    key.chmod(0o600)
    monkeypatch.setenv("TTKIT_REMOTE_CACHE_KEY", str(key))
    return key


def test_remote_entries_are_signed(shared):
    RemoteCacheManager("KEY").store("k.json", {"k.json": b"{}", "k.cubin": b"code\n\n"})
    assert all(data.startswith(b"ttkit-signed:") for data in Backend.files.values())
    assert RemoteCacheManager("KEY").load("k.json")[0] == {"k.json": b"{}", "k.cubin": b"code\n\n"}
    assert RemoteCacheManager("OTHER").load("k.json") is None


@pytest.mark.parametrize("how", ["not signed", "other data", "other file", "other entry", "other key"])
def test_what_is_signed_wrongly_is_not_there(shared, how, capsys):
    manager = RemoteCacheManager("KEY")
    manager.put(b"sound", "k.ptx")
    files, place = Backend.files, ("KEY", "k.ptx")
    if how == "not signed":
        files[place] = b"forged"
    elif how == "other data":
        files[place] = files[place].replace(b"sound", b"bound")
    elif how == "other file":
        manager.put(b"other", "l.ptx")
        files[place] = files["KEY", "l.ptx"]
    elif how == "other entry":
        RemoteCacheManager("OTHER").put(b"other", "k.ptx")
        files[place] = files["OTHER", "k.ptx"]
    else:
        SignedBackend("KEY", Backend("KEY"), b"another key of 16").put("k.ptx", b"forged")
    assert manager.get_file("k.ptx") is None
    assert "not signed with TTKIT_REMOTE_CACHE_KEY" in capsys.readouterr().err


def test_keys_are_kept_to_oneself(shared):
    shared.chmod(0o640)
    with pytest.raises(ValueError, match="chmod 600"):
        RemoteCacheManager("KEY")
    shared.chmod(0o600)
    shared.write_bytes(b"short")
    with pytest.raises(ValueError, match="5 bytes"):
        RemoteCacheManager("KEY")
    shared.unlink()
    with pytest.raises(OSError, match="key"):
        RemoteCacheManager("KEY")


def test_a_server_that_does_not_answer_is_left_alone(monkeypatch):
    asked = []

    class Redis:
        def __init__(self, **settings):
            assert settings["socket_timeout"] == settings["socket_connect_timeout"] == 2

        def mget(self, names):
            asked.append(names)
            raise TimeoutError("timed out")

        set = mget

    monkeypatch.setitem(sys.modules, "redis", type("Module", (), {"Redis": Redis}))
    monkeypatch.setenv("TTKIT_REDIS_TIMEOUT", "2")
    monkeypatch.setattr(remote, "_paused_until", 0.0)
    backend = remote.RedisRemoteCacheBackend("KEY")
    with pytest.raises(TimeoutError):
        backend.get(["k.ptx"])
    assert backend.get(["k.ptx"]) == {} and len(asked) == 1
    backend.put("k.ptx", b"")
    assert len(asked) == 1
    monkeypatch.setattr(remote, "_paused_until", time.monotonic() - 1)
    with pytest.raises(TimeoutError):
        backend.get(["k.ptx"])
    assert knobs.redis.timeout == 2


# --- temporary files --------------------------------------------------------------------------------------------------


def test_what_killed_processes_left_is_swept(tmp_path, monkeypatch):
    ended = os.spawnlp(os.P_NOWAIT, "true", "true")
    os.waitpid(ended, 0)
    hour, day = time.time() - 3700, time.time() - 90000

    def left(process, age, log=""):
        folder = tmp_path / f"ttkit-{process}-{os.urandom(4).hex()}"
        folder.mkdir()
        (folder / "kernel.ptx").write_text("ptx")
        (folder / "log").write_text(log)
        os.utime(folder, (age, age))
        return folder

    gone = [left(ended, hour), left(ended, day, "ptxas: error")]
    kept = [left(ended, time.time()), left(os.getpid(), day), left(ended, hour, "ptxas: error"), tmp_path / "ttkit-x"]
    kept[-1].mkdir()
    os.utime(kept[-1], (day, day))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder = temporary.new_folder()
    assert mode(folder) == 0o700
    assert not any(path.exists() for path in gone) and all(path.exists() for path in kept)
    temporary.remove(folder)
    assert not os.path.exists(folder)


def test_few_reports_of_internal_errors_are_kept(tmp_path, monkeypatch):
    from ttkit.passes.infra import bug_report

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for _ in range(15):
        assert "please report" in bug_report.write_report("p", ValueError("x"))
    assert len(list(tmp_path.iterdir())) == 10


def test_what_may_unpickle():
    """As docs/security.md says: answers of processes that this one has started, from pipes or folders of its own."""
    package = Path(ttkit.__file__).parent
    using = {str(path.relative_to(package)) for path in package.rglob("*.py") if "import pickle" in path.read_text()}
    explorer = {"explorer/worker.py", "explorer/workbench.py"}
    assert using == {"executors/isolated.py", "workers.py", *explorer}
