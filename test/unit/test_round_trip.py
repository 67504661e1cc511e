"""What Triton 3.6 prints, ttkit reads and prints again, letter for letter.

test/data/ir holds Triton's own output (test/data/generate_ir.py wrote it).  Each file is parsed and verified, then
printed four ways, each of which must give the same module back: pretty, with debug locations, generic, and bytecode.
"""

import io
import re
from pathlib import Path

import pytest
from sweeps import every

import ttkit

DATA = Path(__file__).parents[1] / "data"
FILES = sorted((DATA / "ir").glob("*.tt*ir"))


@pytest.fixture(scope="module", autouse=True)
def context():
    with ttkit.Context() as context:
        yield context


def print_debug(module, **options):
    return module.operation.get_asm(enable_debug_info=True, **options)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_prints_what_triton_prints(path):
    text = path.read_text()
    module = ttkit.parse(text)
    if ".loc." in path.name:
        assert print_debug(module, use_name_loc_as_prefix=True).strip() == text.strip()
    else:
        assert str(module).strip() == text.strip()


@pytest.mark.parametrize("path", every(4, FILES), ids=lambda path: path.name)
def test_every_form_is_a_fixpoint(path):
    module = ttkit.parse(path.read_text())
    located = print_debug(module)
    assert print_debug(ttkit.parse(located)) == located
    generic = print_debug(module, print_generic_op_form=True)
    from_generic = ttkit.parse(generic)
    assert print_debug(from_generic, print_generic_op_form=True) == generic
    assert print_debug(from_generic) == located
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    assert print_debug(ttkit.parse(bytecode.getvalue())) == located


def test_local_scope_needs_no_aliases():
    """With layouts spelled out in place, nothing depends on the alias definitions above the module."""
    for path in FILES[:: max(1, len(FILES) // 20)]:
        module = ttkit.parse(path.read_text())
        local = module.operation.get_asm(use_local_scope=True)
        assert not re.search(r"^#", local, re.MULTILINE)
        assert str(ttkit.parse(local)) == str(module)
