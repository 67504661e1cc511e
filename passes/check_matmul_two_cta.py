"""Note on a module whether pairs of CTAs compute its mma operations together.

    module { ... ttng.tc_gen5_mma ... {two_ctas} ... }
  =>
    module attributes {"ttng.two-ctas" = true} { ... ttng.tc_gen5_mma ... {two_ctas} ... }

Tensor memory is reserved for a pair of CTAs or for one CTA, so all MMAs of a module must agree.  Triton 3.9 has the
attribute from the beginning, and its waits for stores by TMA say if they are for reads; others get to say it here.

Input:  ttg and ttng.      Output: the same with the attribute.
Order:  after the last pass that makes MMAs.
Skips:  nothing.
Test:   test/lit/passes/check_matmul_two_cta.mlir
"""

from mlir import ir

from ttkit.inspection import collect
from ttkit.module_attributes import USES_TWO_CTAS
from ttkit.passes.infra import Pass, PassError

TWO_CTAS = "two_ctas"


class CheckMatmulTwoCTA(Pass):
    """Note on a module whether pairs of CTAs compute its mma operations together"""

    name = "triton-nvidia-check-matmul-two-cta"

    def run(self, op: ir.Operation) -> None:
        """Compares all MMAs with the first one, and records its choice on the module.

        Raises:
            PassError: an MMA differs from the first one.
        """
        products = collect(op, ["ttng.tc_gen5_mma"])
        paired = [TWO_CTAS in product.attributes for product in products]
        first = bool(paired) and paired[0]
        for product, is_paired in zip(products, paired):
            if is_paired != first:
                expected = "enable" if first else "disable"
                raise PassError(
                    product,
                    "inconsistent two_ctas setting across matmuls; expected all matmuls to "
                    f"{expected} two_ctas, as the first at {products[0].location} does",
                )
        if USES_TWO_CTAS not in op.attributes:
            keep_waits_for_reads(op)
        op.attributes[USES_TWO_CTAS] = ir.BoolAttr.get(first, op.context)


def keep_waits_for_reads(module: ir.Operation) -> None:
    """Says of waits for stores by TMA that they wait for reads: by the module's new attribute they would be of 3.9."""
    for wait in collect(module, ["ttng.async_tma_store_wait"]):
        if "read_only" not in wait.attributes:
            wait.attributes["read_only"] = ir.UnitAttr.get(module.context)
