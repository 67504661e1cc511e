"""The parts of the passes that pipeline loops, in the order in which those use them.

loops           which loops can be pipelined
dependencies    what an operation of a loop's body uses
schedule        the stage and the cluster of each operation of a loop, in Python and as attributes
scheduled_builder  building operations together with their place in the schedule
tcgen5_overlap  whether a tcgen05.mma can overlap the next iteration, and its operands

Of tritongpu-pipeline:

uses            where results are used, and how many stages later
buffers         buffers in shared memory, a part for each iteration in flight
product_waits   barriers for products in tensor memory, and where to wait for them
accumulators    accumulators in tensor memory with several parts
lower_products  all products in tensor memory of a loop
buffer_parts    how many parts a buffer needs for all that reads it
load_buffers    which loads can be started early, and how their data lies in its buffer
async_copies    loads through pointers as cp.async
tma_copies      loads through descriptors as copies by TMA
lower_loads     all loads of a loop
tensor_maps     descriptors that a loop makes in each iteration
lower_loops     all loops
predication     operations that happen only if a condition holds
runs            operations that are copied together
expansion       prologue and pipelined loop
waits           waits for cp.async merged, with the number of copies that may be in flight
wgmma_waits     waits for wgmma, and what they hold until then
split_products  wgmmas with an operand in registers, cut along K
async_products  wgmmas of two iterations in flight at once
tma_stores      stores through descriptors that go on in the background
"""
