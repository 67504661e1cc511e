"""Traces: what each pass did to each kernel, as one page that stands alone.

    with ttkit.trace("out.html"):
        kernel[grid](...)                   # or kernel.warmup(...), or ttkit.compile(...)

`ttkit trace script.py`, `TTKIT_TRACE=folder` and `tt-opt --trace=out.html` write the same page (`docs/trace.md`).

* `recorder.py`: who is told of passes and keeps what they did, as `records.py`.
* `locations.py`: which source lines the lines of a level come from, and the text without them.
* `names.py`: names of values and layouts that stay the same from pass to pass.
* `contents.py`: what is recorded, as the page reads it; `trace_page.py`: the file itself, written and read.
* `trace_comparison.py`: two traces in one page.
* `dumps.py`: the output of MLIR_ENABLE_DUMP as a trace; `ncu.py`: what ncu measured of each instruction.
* `web/`: the page's own code, and the libraries that it is made with.
"""

from __future__ import annotations

from ttkit.tracing.recorder import Recorder, trace

__all__ = ["Recorder", "trace"]
