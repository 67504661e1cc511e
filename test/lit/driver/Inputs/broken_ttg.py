"""Passes that change what a kernel in ttg does, each in one small way."""

from mlir import ir

from ttkit.passes.infra import Pass, collect


class DropWait(Pass):
    """Waits for nothing."""

    waits = ""

    def run(self, op: ir.Operation) -> None:
        for wait in collect(op, [self.waits]):
            for name in ("num", "pendings"):
                if name in wait.attributes:
                    wait.attributes[name] = ir.IntegerAttr.get(wait.attributes[name].type, 1000)
            if not wait.results:
                wait.erase()


class DropAsyncWait(DropWait):
    """Copies to shared memory are not waited for."""

    name = "drop-async-wait"
    waits = "ttg.async_wait"


class DropBarrierWait(DropWait):
    """Barriers are not waited for."""

    name = "drop-barrier-wait"
    waits = "ttng.wait_barrier"


class DropProductWait(DropWait):
    """Products of warp groups are not waited for."""

    name = "drop-product-wait"
    waits = "ttng.warp_group_dot_wait"


class WrongSlot(Pass):
    """All tiles of a buffer are the first."""

    name = "wrong-slot"

    def run(self, op: ir.Operation) -> None:
        for view in collect(op, ["ttg.memdesc_index"]):
            with ir.InsertionPoint(view), view.location:
                i32 = ir.IntegerType.get_signless(32)
                zero = {"value": ir.IntegerAttr.get(i32, 0)}
                if view.operands[0].type.shape[1:] != [1]:
                    view.operands[1] = ir.Operation.create("arith.constant", results=[i32], attributes=zero).result
