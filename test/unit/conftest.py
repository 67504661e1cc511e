"""Fixtures of the unit tests."""

import pytest
from hypothesis import settings

settings.register_profile("ttkit", deadline=None)  # a busy machine is no failure
settings.load_profile("ttkit")


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="replace golden files with what is computed now")


@pytest.fixture
def context():
    """A ttkit context and an unknown location, both current."""
    from mlir import ir

    import ttkit

    with ttkit.Context() as context, ir.Location.unknown():
        yield context
