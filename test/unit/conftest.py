"""Fixtures of the unit tests."""

import pytest


@pytest.fixture
def context():
    """A ttkit context and an unknown location, both current."""
    from mlir import ir

    import ttkit

    with ttkit.Context() as context, ir.Location.unknown():
        yield context
