"""Fixtures of the unit tests."""

import gc
import os
import tempfile
from pathlib import Path

import pytest
import slow_tests
from hypothesis import settings

from ttkit.garbage_collection import paused

settings.register_profile("ttkit", deadline=None)  # a busy machine is no failure
settings.load_profile("ttkit")


def pytest_addoption(parser):
    parser.addoption("--all-targets", action="store_true", help="assemble every kernel for every target")
    parser.addoption("--update-golden", action="store_true", help="replace golden files with what is computed now")
    parser.addoption("--record-slow", action="store_true", help="write slow_tests.txt by the times of this run")


def pytest_configure(config):
    if config.getoption("--record-slow") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(slow_tests.Record())


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Modules and tests stay until the end: the garbage collector, which took a third of the time, leaves them out."""
    with paused():
        found = yield
    gc.freeze()
    return found


def pytest_collection_modifyitems(items):
    slow_tests.mark(items)


@pytest.fixture(autouse=True)
def _environment():
    """Tests leave the environment as it was, also where they assign knobs, which write it."""
    before = dict(os.environ)
    yield
    if os.environ != before:
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture(autouse=True, scope="session")
def _temporary_folder(tmp_path_factory):
    """Temporary files of the tests, and of the processes that they start, go where pytest keeps its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("temporary")))
        patch.setattr(tempfile, "tempdir", None)
        yield


EXAMPLES = Path(__file__).parents[2] / "examples" / "passes"
INPUTS = Path(__file__).parents[1] / "lit" / "driver" / "Inputs"


@pytest.fixture(scope="session")
def broken_passes():
    """Names of passes that change what a kernel does: those that find something in any, and those for ttg."""
    import ttkit

    return ttkit.load_pass_file(str(EXAMPLES / "broken.py")), ttkit.load_pass_file(str(INPUTS / "broken_ttg.py"))


@pytest.fixture(scope="session")
def planted_passes():
    """Names of passes with bugs that show where operations come together in a certain way."""
    import ttkit

    return ttkit.load_pass_file(str(Path(__file__).parent / "planted_bugs.py"))


@pytest.fixture(scope="session")
def fake_driver_library(tmp_path_factory):
    """A libcuda that runs nothing: see fake_driver."""
    from fake_driver import FakeDriver, build

    path = build(tmp_path_factory.mktemp("driver"))
    if path is None:
        pytest.skip("no C compiler for the stand-in for the driver")
    return FakeDriver(path)


@pytest.fixture
def gpu(fake_driver_library, monkeypatch):
    """Two GPUs, as far as the runtime can tell: they write down launches."""
    from ttkit.cuda import libcuda
    from ttkit.cuda.device import forget_driver

    monkeypatch.setenv("TRITON_LIBCUDA_PATH", str(fake_driver_library.path))
    forget_driver()
    libcuda.forget_recent_kernels()
    fake_driver_library.reset()
    yield fake_driver_library
    fake_driver_library.reset()  # it stays loaded, and other tests may find it
    libcuda.forget_recent_kernels()
    forget_driver()


@pytest.fixture
def interpreted(tmp_path_factory, monkeypatch):
    """Launches run on the CPU, by the ttg for an H100; tests share the kernels that they compile."""
    from ttkit.runtime import driver

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "interpreted"))
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    yield
    monkeypatch.delenv("TTKIT_DEVICE", raising=False)
    driver.reset_active()


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """The folder of an empty cache."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def for_hopper(own_cache, monkeypatch):
    """Kernels are warmed up for sm_90, each with an empty cache; changes of pipelines end with the test."""
    from ttkit import pipelines

    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm90")
    yield
    pipelines.reset()


@pytest.fixture(scope="session")
def cupti_library(tmp_path_factory):
    """A libcupti that says what a test tells it, see profiled.py."""
    from profiled import FakeCupti

    from ttkit.runtime import native

    if native.extension() is None:
        pytest.skip("the launcher was not built")
    return FakeCupti(tmp_path_factory.mktemp("cupti"))


@pytest.fixture
def fake_cupti(cupti_library, gpu, monkeypatch):
    """Two GPUs, and CUPTI."""
    from ttkit.profiler import contexts, cupti, sessions

    monkeypatch.setenv("TRITON_CUPTI_LIB_PATH", str(cupti_library.folder))
    monkeypatch.setattr(contexts, "LISTENERS", [])
    cupti.library.cache_clear()
    yield cupti_library
    sessions.finalize()
    assert not cupti_library.lib.fake_cupti_enabled()
    cupti.library.cache_clear()


@pytest.fixture
def no_cupti(gpu, monkeypatch):
    """Two GPUs, without CUPTI."""
    import sys

    import ttkit.profiler as proton
    from ttkit.profiler.cupti import CuptiError

    def missing():
        raise CuptiError("no libcupti")

    monkeypatch.setattr(sys.modules[proton.start.__module__], "library", missing)


@pytest.fixture
def context():
    """A ttkit context and an unknown location, both current."""
    from mlir import ir

    import ttkit

    with ttkit.Context() as context, ir.Location.unknown():
        yield context


@pytest.fixture
def installed():
    """`import triton` finds ttkit."""
    from ttkit import compat

    compat.install()
    yield
    compat.uninstall()
