"""ptxas that forks for each kernel does what ptxas does that starts for each."""

import os
import re
import signal
from pathlib import Path

import pytest

import ttkit.knobs as knobs
from ttkit.compiler import ptxas_server
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.ptxas import PTXASError, assemble, get_ready
from ttkit.compiler.sources import IRSource
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget, Target

TARGET = Target(90)
PTX = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p) {\n%s\nret;\n}\n"
CODE = ".reg .u64 %a;\n.reg .u32 %t;\nld.param.u64 %a, [p];\nmov.u32 %t, %tid.x;\nst.global.u32 [%a], %t;"
pytestmark = pytest.mark.skipif(ptxas_server.preloaded_library() is None, reason="no library for LD_PRELOAD was built")


@pytest.fixture(autouse=True)
def no_servers():
    """Each test begins and ends without servers."""
    ptxas_server.end_all()
    yield
    ptxas_server.end_all()


def running() -> list[int]:
    """The numbers of the servers' processes."""
    return [server._process for server in ptxas_server._SERVERS.values() if server is not None and server.is_running]


def both(ptx: str, monkeypatch) -> list:
    """What ptxas makes of a text, or says of it, by a server and without."""
    found = []
    for asked in ("1", "0"):
        monkeypatch.setenv("TTKIT_PTXAS_SERVER", asked)
        try:
            made = assemble(ptx, TARGET)
            found.append((bytes(made), re.sub(r"= .* ms", "", made.log)))
        except PTXASError as error:
            found.append(re.sub(r"\S*/(\S*)", r"\1", str(error)))
        assert bool(running()) == (asked == "1")
        ptxas_server.end_all()
    return found


def test_same_cubin(monkeypatch):
    """The cubin and the log are the same, for one kernel after the other."""
    with_server, without = both(PTX % CODE, monkeypatch)
    assert with_server == without
    monkeypatch.delenv("TTKIT_PTXAS_SERVER")
    first = assemble(PTX % CODE, TARGET)
    assert running()
    assert assemble(PTX % "", TARGET) != first == assemble(PTX % CODE, TARGET)
    assert len(running()) == 1


def test_fewer_pages_after_some_kernels():
    """From the fifth kernel on, processes share the program in huge pages, and make the same cubin."""
    import resource

    enabled = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    if not enabled.exists() or "[never]" in enabled.read_text():
        pytest.skip("no huge pages")
    cubins, counts = set(), []
    for _ in range(8):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        cubins.add(bytes(assemble(PTX % CODE, TARGET)))
        counts.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before)
    assert len(cubins) == 1
    assert max(counts[5:]) < min(counts[:4])


def test_same_errors(monkeypatch):
    """What ptxas refuses is refused with the same words."""
    with_server, without = both(PTX % "nothing.u32 %a;", monkeypatch)
    assert with_server == without
    assert "line 5" in with_server


def test_gets_ready_before_there_is_text(monkeypatch):
    """The server that starts early is the one that assembles."""
    get_ready(TARGET)
    early = running()
    assert len(early) == 1
    assemble(PTX % CODE, TARGET)
    assert running() == early
    get_ready(TARGET, options=["-O1"])
    monkeypatch.setenv("TTKIT_PTXAS_SERVER", "0")
    get_ready(TARGET, fp_fusion=False)
    assert running() == early


@pytest.mark.parametrize(("until", "servers"), [("ptx", 0), ("cubin", 1)])
def test_starts_only_where_a_cubin_is_asked_for(until, servers, tmp_path):
    path = tmp_path / "nothing.ttir"
    path.write_text("tt.func public @nothing() {\n  tt.return\n}\n")
    source, options = IRSource(str(path), 90), CompileOptions.for_capability(90)
    Compilation(source, GPUTarget("cuda", 90, 32), options, until=until).run()
    assert len(running()) == servers


def test_killed_server():
    """A server that somebody killed is done without."""
    first = assemble(PTX % CODE, TARGET)
    (process,) = running()
    os.kill(process, signal.SIGKILL)
    assert assemble(PTX % CODE, TARGET) == first == assemble(PTX % CODE, TARGET)
    assert not running()


def test_forked_child():
    """A forked child starts a server of its own, and that of its parent goes on."""
    first = assemble(PTX % CODE, TARGET)
    before = running()
    if (child := os.fork()) == 0:
        status = 1
        try:
            none = running()
            same = assemble(PTX % CODE, TARGET) == first
            status = 0 if not none and same and running() != before else 1
            ptxas_server.end_all()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert assemble(PTX % CODE, TARGET) == first
    assert running() == before


def test_no_process_is_left():
    """The end of all servers leaves no child, and a server that is interrupted from the keyboard goes on."""
    assemble(PTX % CODE, TARGET)
    (process,) = running()
    os.kill(process, signal.SIGINT)
    assemble(PTX % CODE, TARGET)
    assert running() == [process]
    ptxas_server.end_all()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_options_of_users():
    """Options that users ask for may name files from where they are: ptxas starts as always."""
    assemble(PTX % CODE, TARGET, options=["--opt-level", "1"])
    assert not running()
    assert knobs.nvidia.ptxas_server
