"""Changes of the pipeline: a pass that counts loads goes in, another goes out."""

from ttkit import Pass, pipelines
from ttkit.inspection import collect
from ttkit.passes.infra import remark


class CountLoads(Pass):
    """Say how many loads there are."""

    name = "count-loads"

    def run(self, op):
        remark(op, f"{len(collect(op, ['tt.load']))} loads")


pipelines.insert_before("triton-combine", CountLoads)
pipelines.skip("triton-loop-unroll")
