"""Matrix products of warp groups, which may go on in the background."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.storages import MemDesc, Transfer
from ttkit.interpreter.ops.dot import IEEE, multiply_add
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import align_rank, put, take


class InFlight:
    """The result of a product that has not been waited for.  Only another product and the wait may take it; anything
    else that touches it as an array fails."""

    def __init__(self, array: np.ndarray, transfer: Transfer) -> None:
        self.array, self.transfer = array, transfer

    def take(self, lanes: np.ndarray) -> InFlight:
        """The sums of some programs alone."""
        return InFlight(take(self.array, lanes), self.transfer)

    def put(self, target: Any, lanes: np.ndarray, count: int) -> InFlight:
        """The sums, with those of some programs replaced in `target`."""
        return InFlight(put(landed(target), self.array, lanes, count), self.transfer)

    def transpose(self, *axes: int) -> InFlight:
        """Other names for the same registers: not a use."""
        return InFlight(self.array.transpose(*axes), self.transfer)

    def _fail(self) -> NoReturn:
        op = self.transfer.op
        raise InterpreterError(f"uses the result of the {op.name} at {op.location} before it has been waited for")

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        self._fail()

    def __array_ufunc__(self, *args: Any, **kwargs: Any) -> NoReturn:
        self._fail()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._fail()

    def __getitem__(self, index: Any) -> NoReturn:
        self._fail()


def landed(value: Any) -> Any:
    """The array of a result, also of one that is still in flight."""
    return value.array if isinstance(value, InFlight) else value


@interprets("ttng.warp_group_dot")
def warp_group_dot(machine: Machine, op: Instruction, a, b: MemDesc, c, use_c: np.ndarray | None = None):
    """d[m, n] = sum over k of a[m, k] * b[k, n] + (use_c ? c[m, n] : 0)."""
    views = [operand for operand in (a, b) if isinstance(operand, MemDesc)]
    a, b = (machine.shared.load(machine, op, x) if isinstance(x, MemDesc) else x for x in (a, b))
    c = landed(c)
    if use_c is not None:
        c = np.where(align_rank(use_c, c.ndim - 1), c, np.zeros((), c.dtype))
    result = multiply_add(a, b, c, op.attributes.get("inputPrecision", IEEE), op.result_types[0].element)
    queue = machine.background.products
    transfer = machine.shared.start(machine, op)
    for view in views:
        machine.shared.reads(machine, transfer, view)
    queue.add(transfer)
    queue.close_group(machine.lanes)
    if not op.attributes.get("isAsync", False):
        machine.shared.wait(machine, queue, 0)
        return result
    return InFlight(result, transfer)


@interprets("ttng.warp_group_dot_wait")
def warp_group_dot_wait(machine: Machine, op: Instruction, *inputs: Any) -> tuple:
    """The inputs; the results of all products but the `pendings` newest may be used."""
    machine.shared.wait(machine, machine.background.products, op.attributes["pendings"])
    return tuple(
        value.array if isinstance(value, InFlight) and not still_runs(machine, value) else value for value in inputs
    )


def still_runs(machine: Machine, value: InFlight) -> bool:
    """In one of the current programs."""
    transfer = value.transfer
    return bool(transfer.remaining[np.isin(transfer.rows, machine.lanes)].any())
