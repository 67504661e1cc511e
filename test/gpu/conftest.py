"""Tests that need an NVIDIA GPU and its driver; without, all are skipped with the reason."""

import sys
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


@pytest.fixture(scope="session")
def capability():
    """Of the GPU: 90 for compute capability 9.0."""
    from ttkit.runtime import Device

    return Device.current().capability
