"""Pictures of memory accesses: which program, warp and lane touches which element, when (docs/memory_access.md).

    record.py      all launches that were noted
    recording.py   what is noted of a launch, while the interpreter runs it
    coalescing.py  instructions of warps: sectors of global memory, banks of shared memory
    recording_driver.py launches that are noted: `recording()`, `@trace`
    picture.py     a tensor as SVG
    access_page.py all of it as one page

with ttkit.visualize.recording() as record:
    kernel[grid](x, out, n, BLOCK=128)
record.write("accesses.html")
"""

from ttkit.visualize.record import Record
from ttkit.visualize.recording import Event, LaunchRecord
from ttkit.visualize.recording_driver import recording, trace

__all__ = ["Event", "LaunchRecord", "Record", "recording", "trace"]
