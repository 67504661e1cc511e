"""Lower synchronous launch-control requests to requests in the background, and wait where the answer is used.

    %x = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    %answer = ttg.local_alloc %x : (tensor<2xi64, #blocked>) -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ...
    %r = ttng.clc_load_result %answer
  =>
    %answer = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    %barrier = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.init_barrier %barrier, 1
    ttng.barrier_expect %barrier, 16, %true                   // bytes
    ttng.clc_try_cancel %answer, %barrier
    ...
    ttng.wait_barrier %barrier, %c0_i32
    ttng.inval_barrier %barrier
    %r = ttng.clc_load_result %answer

Other users of the tensor load it from the buffer after the wait.  In a cluster, the CTAs synchronize when the barrier
begins, since the answer goes to each of them, and before it ends.

Input:  ttg, of Triton 3.9's option `clc`.      Output: ttg and ttng.
Order:  after pipelining, before the last remove-layout-conversions.
Skips:  nothing.
Test:   test/lit/passes/lower_clc.mlir
"""

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, contains_any, terminator, users_of
from ttkit.passes.infra import Pass, canonicalize_ops
from ttkit.passes.infra.mbarriers import barriers_type
from ttkit.passes.infra.nesting import first_of, places_in
from ttkit.passes.layouts.thread_counts import num_ctas

REQUEST = "ttng.clc_try_cancel_sync"
ANSWER_BYTES = 16


class LowerCLC(Pass):
    """Lower synchronous launch-control requests to requests in the background"""

    name = "triton-nvidia-gpu-lower-clc"
    dependent_dialects = ("arith", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Replaces each request, then merges constants."""
        if not contains_any(op, (REQUEST,)):
            return
        for request in collect(op, (REQUEST,)):
            lower(request)
        canonicalize_ops(op, ())


def lower(request: ir.Operation) -> None:
    """Begins the request where it was, and waits before the first user of the answer."""
    response, block = request.results[0], request.block
    buffers = [user for user in users_of(response) if user.name == "ttg.local_alloc" and user.block == block]
    others = [user for user in users_of(response) if user not in buffers]
    readers = [*others, *(user for buffer in buffers for user in users_of(buffer.results[0]))]
    with request.location, ir.InsertionPoint(request):
        i64, layout = ir.IntegerType.get_signless(64), barriers_type(request, 1).encoding
        answer = ttg.local_alloc(MemDescType.get([2], i64, layout, mutable=True))
        barrier = ttg.local_alloc(MemDescType.get([1], i64, layout, mutable=True))
        ttng.init_barrier(barrier, 1)
        synchronize_cluster(request)
        ttng.barrier_expect(barrier, ANSWER_BYTES, arith.true())
        ttng.clc_try_cancel(answer, barrier)
    with request.location, ir.InsertionPoint(first_of(places_in(block, readers)) if readers else terminator(block)):
        ttng.wait_barrier(barrier, arith.i32(0), [])
        synchronize_cluster(request)
        ttng.inval_barrier(barrier)
        if others:
            response.replace_all_uses_with(ttg.local_load(answer, response.type))
    for buffer in buffers:
        buffer.results[0].replace_all_uses_with(answer)
        buffer.erase()
    request.erase()


def synchronize_cluster(request: ir.Operation) -> None:
    """Synchronizes the CTAs, if there are several: the answer reaches the barriers of all."""
    if num_ctas(request) > 1:
        ttng.cluster_barrier()
