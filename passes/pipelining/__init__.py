"""The parts of the passes that pipeline loops, in the order in which those use them.

attributes      what loops ask for and what operations have noted: tt.num_stages, tt.latency, loop.stage...
loops           which loops can be pipelined
dependencies    what an operation of a loop's body uses
schedule        the stage and the cluster of each operation of a loop, in Python and as attributes
"""
