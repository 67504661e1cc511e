"""Fuzzers of every level of ttkit: `make fuzz`, or `python test/fuzz --help`.

An input of a level is a text, made from a seed and a number, the same on every machine with the same files.  Worker
processes check inputs, so that a crash costs one worker.  Findings are: a process that dies, one that takes too long or
more than 4 GB, an exception that is no diagnostic, a wrong result.  They are reduced by deletion as long as the same
failure remains; a reduced input that was mended stays in `corpus/<level>/`, as a test, and what is MLIR's or LLVM's own
in `upstream/`, with its signature.

`seeds/` is what Triton 3.9 makes of kernels of test/data, of which other seeds are too.
`levels/` has the levels, `level.py` what one is, `workers.py` the processes, `shrink.py` the reduction, `run.py` a run.
"""
