"""How ptxas is started."""

import pytest

from ttkit.compiler.ptxas import assemble
from ttkit.target import Target


@pytest.mark.parametrize("users", [None, "glibc.malloc.top_pad=4096"])
def test_memory(tmp_path, monkeypatch, users):
    """ptxas takes its memory in large pieces, but for what the user's GLIBC_TUNABLES say, which come last."""
    ptxas = tmp_path / "ptxas"
    ptxas.write_text('#!/bin/sh\necho "$GLIBC_TUNABLES"\nwhile [ "$1" != -o ]; do shift; done\necho made > "$2"\n')
    ptxas.chmod(0o755)
    if users is None:
        monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    else:
        monkeypatch.setenv("GLIBC_TUNABLES", users)
    cubin = assemble("", Target(90), ptxas=ptxas)
    assert cubin == b"made\n"
    tunables = cubin.log.strip().split(":")
    assert "glibc.malloc.top_pad=16777216" in tunables
    assert users in (None, tunables[-1])
