"""Schedules of pipelined loops as tables and pictures: which operation runs when, and what is in flight meanwhile.

loop_schedule   the schedule as plain values
table           as text
svg             as a picture over time

Imports no MLIR; ttkit.passes.pipelining.described reads schedules from the IR.
"""
