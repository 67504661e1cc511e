// All layouts, for dialects/python/layouts.py.

include "ttg/ttg_attrs.td"
include "ttng/ttng_attrs.td"
