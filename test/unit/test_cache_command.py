"""`ttkit cache`: ls, verify, gc."""

import json
import os
import re
import time
from pathlib import Path

import pytest

from ttkit.cache.entries import entries, garbage
from ttkit.cache.manager import get_cache_manager
from ttkit.drivers.toolkit import main, size

pytestmark = pytest.mark.usefixtures("own_cache")


def store(number, name="add", age_days=0.0):
    """An entry; its folder."""
    metadata = {"name": name, "num_warps": 4, "target": {"backend": "cuda", "arch": 90, "warp_size": 32}}
    manager = get_cache_manager(f"{number:02x}" * 32)
    files = {f"{name}.json": json.dumps(metadata).encode(), f"{name}.cubin": b"\x7fELF" + b"." * 1000}
    manager.store(f"{name}.json", files)
    then = time.time() - age_days * 24 * 3600
    for path in Path(manager.cache_dir).iterdir():
        os.utime(path, (then, then))
    return Path(manager.cache_dir)


def run(capsys, *arguments):
    """Exit code, and what was printed."""
    with pytest.raises(SystemExit) as ended:
        main(["cache", *arguments])
    return ended.value.code, capsys.readouterr().out


def test_listing(capsys):
    store(1, "add", 2)
    store(2, "softmax", 1)
    code, text = run(capsys, "ls")
    first, second, last = text.splitlines()
    assert not code and "softmax  num_warps=4" in first and "sm_90   add" in second
    assert re.match(r"2 kernels, \d\.\d KB in ", last)
    code, text = run(capsys, "ls", "--json")
    assert [json.loads(line)["metadata"]["name"] for line in text.splitlines()] == ["softmax", "add"]


def test_an_empty_cache(capsys):
    for action in ("ls", "verify", "gc"):
        code, text = run(capsys, action)
        assert code == (action == "verify") and text.startswith("" if action == "verify" else "0 ")
        assert run(capsys, action, "--dir", "/no/such/folder") == ("error: no such folder: /no/such/folder", "")


def test_verifying(capsys):
    folders = [store(number) for number in range(4)]
    (folders[0] / "add.cubin").write_bytes(b"\x7fELF")
    (folders[1] / "add.json").unlink()
    (folders[2] / "__grp__add.json").write_text("{")
    code, text = run(capsys, "verify")
    assert code == 1 and text.endswith("4 kernels, 3 damaged\n")
    assert "add.cubin: not what was stored" in text and "add.json: No such file" in text and "is not JSON" in text
    code, text = run(capsys, "verify", "--remove")
    assert not code and text.endswith("3 damaged and removed\n")
    assert [entry.folder for entry in entries(str(folders[3].parent))] == [str(folders[3])]


def test_what_triton_wrote_is_looked_at(capsys):
    folder = store(1)
    listed = json.loads((folder / "__grp__add.json").read_text())
    (folder / "__grp__add.json").write_text(json.dumps({"child_paths": listed["child_paths"]}))
    assert run(capsys, "verify")[0] == 0
    (folder / "add.cubin").write_bytes(b"no ELF")
    (folder / "add.json").write_bytes(b"{")
    code, text = run(capsys, "verify")
    assert code == 1 and "add.cubin: no cubin" in text and "add.json: no JSON" in text


def test_collecting(capsys, own_cache):
    kept, old, damaged = store(1), store(2, age_days=40), store(3)
    (damaged / "add.cubin").write_bytes(b"")
    left, running = kept / "tmp.pid_4000000_x", kept / f"tmp.pid_{os.getpid()}_x"
    for folder in (left, running):
        folder.mkdir()
        (folder / "half").write_text("half")
    empty = own_cache / "EMPTY"
    empty.mkdir()
    os.utime(empty, (0, 0))
    code, text = run(capsys, "gc", "--older-than", "30", "--dry-run")
    assert not code and text.splitlines()[-1].startswith("4 would be removed") and left.exists()
    code, text = run(capsys, "gc", "--older-than", "30")
    assert text.splitlines()[-1].startswith("4 removed")
    assert [path.exists() for path in (kept, running, old, damaged, left, empty)] == [True, True, *[False] * 4]


def test_collecting_what_is_too_much(capsys, own_cache):
    folders = [store(number, age_days=9 - number) for number in range(4)]
    last = sum(entry.size for entry in entries(str(own_cache)) if entry.folder in map(str, folders[2:]))
    run(capsys, "gc", "--max-size", str(last + 1))
    assert [folder.exists() for folder in folders] == [False, False, True, True]
    assert list(garbage(str(own_cache), max_size=10**6)) == []


def test_sizes(capsys):
    assert [size(text) for text in ("10", "1.5K", "2mb", "1G")] == [10, 1536, 2 << 20, 1 << 30]
    with pytest.raises(SystemExit) as ended:
        main(["cache", "gc", "--max-size", "much"])
    assert ended.value.code == 2 and "'much' is not a size" in capsys.readouterr().err
