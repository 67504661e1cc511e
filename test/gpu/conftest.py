"""Tests that need an NVIDIA GPU and its driver; without, all are skipped with the reason.

Under pytest-xdist tests share the GPU; those marked `alone`, which measure times, have it for themselves.
"""

import fcntl
import os
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))  # what kernels compute: interpreter_kernels*.py


def why_not():
    """Why no kernel can run here; None if one can."""
    from ttkit.runtime import Device, DriverError

    try:
        Device.current()
    except DriverError as error:
        return str(error)
    return None


def pytest_collection_modifyitems(items):
    if reason := why_not():
        for item in items:
            item.add_marker(pytest.mark.skip(reason=reason))


@contextmanager
def locked(path, how):
    """A lock of this machine on a file or folder, which is not changed."""
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, how)
        yield
    finally:
        os.close(handle)


@pytest.fixture(autouse=True)
def the_gpu(request):
    """The GPU, together with other processes' tests, or alone.

    Who waits holds the gate, so that those who share it can't keep out for good who wants it alone.
    """
    how = fcntl.LOCK_EX if request.node.get_closest_marker("alone") else fcntl.LOCK_SH
    folder = Path(__file__).parent
    gate = locked(folder, fcntl.LOCK_EX)
    gate.__enter__()
    with locked(__file__, how):
        gate.__exit__(None, None, None)
        yield


@pytest.fixture
def has_clusters(capability):
    """Skips what needs clusters of CTAs."""
    if capability < 90:
        pytest.skip("clusters are of sm_90")


@pytest.fixture(scope="session")
def capability():
    """Of the GPU: 90 for compute capability 9.0."""
    from ttkit.runtime import Device

    return Device.current().capability
