"""Every operation is in a lit file; every labelled constraint has a negative test and a place that enforces it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DIALECTS = ("tt", "ttg", "ttng", "nvws", "nvg", "gluon", "proton", "proton_gpu")
OP = re.compile(
    r'def \w+\s*:\s*(?:TT|TTG|TTNG|NVWS|NVG|Proton|ProtonGPU)\w*<\s*"([\w.]+)"(.*?)(?=\ndef |\nclass |\Z)', re.S
)

# Implied by the textual form of warp_specialize, and by what a tensor-memory layout can be.
NEVER_WRITTEN = {"warp_specialize.partitions"}
CANNOT_BE_BROKEN = {"tmem_subslice_c2"}


def operations(dialect: str) -> dict[str, str]:
    """Mnemonic -> td entry."""
    text = "\n".join(path.read_text() for path in sorted((ROOT / "dialects" / dialect).glob("*_ops.td")))
    return dict(OP.findall(text))


def lit_text(dialect: str, kind: str) -> str:
    folder = ROOT / "test" / "lit" / "dialects" / dialect
    return "\n".join(path.read_text() for path in sorted(folder.glob(f"{kind}*.mlir")))


def constraints(dialect: str) -> list[tuple[str, str]]:
    """(mnemonic, label) of each `(Cn)` in a description: constraint 2 of tt.load is load_c2."""
    return [
        (mnemonic, f"{mnemonic.replace('.', '_')}_c{number}")
        for mnemonic, entry in operations(dialect).items()
        for number in re.findall(r"^\s*- \(C(\d+)\)", entry, re.M)
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_is_in_ops_mlir(dialect: str) -> None:
    shown = lit_text(dialect, "ops")
    written = operations(dialect).keys() - NEVER_WRITTEN
    missing = [m for m in written if not re.search(rf"\b{dialect}\.{re.escape(m)}(?![\w.])", shown)]
    assert not missing, f"add a function with {missing} to test/lit/dialects/{dialect}/ops_<family>.mlir"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_constraint_has_a_negative_test(dialect: str) -> None:
    tested = lit_text(dialect, "invalid")
    labels = [label for _, label in constraints(dialect) if label not in CANNOT_BE_BROKEN]
    missing = [label for label in labels if not re.search(rf"\b{label}(?!\d)", tested)]
    assert not missing, f"add functions named {missing} to test/lit/dialects/{dialect}/invalid_<family>.mlir"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_constraint_is_enforced_somewhere(dialect: str) -> None:
    code = "\n".join(p.read_text() for p in (ROOT / "dialects").glob("*/*") if p.suffix in (".td", ".cpp", ".h"))
    missing = [label for _, label in constraints(dialect) if not re.search(rf"\b{label}(?!\d)", code)]
    assert not missing, (
        f"name {missing} in a comment beside the trait, or the check in the verifier, that enforces them"
    )
