"""Why a kernel is slow, on one page (`ttkit why`): what is known of it without a GPU, with advice.

`watching.py` runs a script and keeps its kernels and accesses; `explain.py` makes findings of them, by the profiler's
`resources.py`, `costs.py` (layouts), `loops.py` (pipelining) and, on a GPU, `times.py`; `shown.py` writes them as text
and as a page.
"""
