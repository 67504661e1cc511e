"""Changes of the pipeline: a pass that counts loads goes in, another goes out."""

from mlir import ir

from ttkit import Pass, pipelines
from ttkit.inspection import collect
from ttkit.passes.infra import remark


class CountLoads(Pass):
    """Say how many loads there are."""

    name = "count-loads"

    def run(self, op):
        count = len(collect(op, ["tt.load"]))
        remark(op, f"{count} loads")
        op.attributes["test.loads"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), count)


pipelines.insert_before("triton-combine", CountLoads)
pipelines.skip("triton-loop-unroll")
