"""The collector rests, and comes back as it was."""

import gc

import pytest

from ttkit import garbage_collection


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_before_also_after_an_error(enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with pytest.raises(KeyError), garbage_collection.paused():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()
