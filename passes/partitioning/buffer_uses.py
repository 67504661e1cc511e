"""Uses of buffers by partitions, directly or through views (`insert_aref.py`)."""

from typing import Any

from mlir import ir

from ttkit.dialects import ttg
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import has_uses
from ttkit.operation_sets import MEMDESC_VIEWS
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.placed_builder import PlacedBuilder
from ttkit.passes.infra.transforms import replace_use
from ttkit.passes.partitioning.partitions import Place, ids_of, set_ids


def top_users(value: ir.Value, body: ir.Block, partition: int) -> list[ir.Operation]:
    """The operations of a loop's body that are or contain a partition's users of a value, directly or through views.

    Users in the next iterations, which get it by a yield, count.
    """
    found, seen, waiting = [], {value}, [value]
    while waiting:
        for use in waiting.pop(0).uses:
            user = use.owner.operation
            if user.name == "scf.yield" and user.block == body:
                passed = body.arguments[use.operand_number + 1]
            elif user.name in MEMDESC_VIEWS or (user.name == "ttg.local_alloc" and partition not in ids_of(user)):
                passed = user.result
            else:
                passed = None
            top = ancestor_in(body, user) if user.name != "scf.yield" and partition in ids_of(user) else None
            if top is not None:
                found.append(top)
            if passed is not None and passed not in seen:
                seen.add(passed)
                waiting.append(passed)
    return found


def replace_memory(old: ir.Value, new: ir.Value, partition: int) -> list[ir.Operation]:
    """Replaces a buffer in the operations of a partition; views of the new buffer replace views of the old one.

    Returns:
        Views that are unused now.
    """
    unused = []
    for use in list(old.uses):
        user = use.owner.operation
        if partition not in ids_of(user):
            continue
        if user.name not in MEMDESC_VIEWS:
            replace_use(use, new)
            continue
        build = PlacedBuilder(ir.InsertionPoint(user), user.location, Place(None))
        view = same_view(user, new, build)
        for name in user.attributes:
            view.owner.operation.attributes[name] = user.attributes[name]
        set_ids(view.owner.operation, (partition,))
        unused += replace_memory(user.result, view, partition)
        if not has_uses(user.result):
            unused.append(user)
    return unused


def same_view(view: ir.Operation, source: ir.Value, build: PlacedBuilder) -> ir.Value:
    """The same view of another buffer."""
    type: Any = view.result.type
    whole: Any = source.type
    if view.name == "ttg.memdesc_trans":
        return build(ttg.memdesc_trans, source, list(view.attributes["order"]))
    shape = list(type.shape)
    if view.name == "ttg.memdesc_reshape":
        lead = len(list(whole.alloc_shape)) - len(list(whole.shape))
        allocated = [*list(whole.alloc_shape)[:lead], *shape]
    else:
        allocated = list(whole.alloc_shape)
    made = MemDescType.get(shape, type.element_type, type.encoding, type.memory_space, whole.mutable, allocated)
    operands = [source, *list(view.operands)[1:]]
    attributes = {name: view.attributes[name] for name in view.attributes}
    return build(ir.Operation.create, view.name, [made], operands, attributes).result
