// The tt dialect: tile programs as tensors of values and pointers, before any choice of layout.
//
// Each part holds one family of operations; the C++ of a family is in the .cpp file of the same name.

#ifndef TTKIT_TT
#define TTKIT_TT

include "tt/tt_dialect.td"
include "tt/tt_enums.td"
include "tt/tt_types.td"
include "tt/tt_attrs.td"
include "tt/function_ops.td"
include "tt/program_ops.td"
include "tt/pointer_ops.td"
include "tt/memory_ops.td"
include "tt/atomic_ops.td"
include "tt/descriptor_ops.td"
include "tt/view_ops.td"
include "tt/index_ops.td"
include "tt/math_ops.td"
include "tt/dot_ops.td"
include "tt/reduce_ops.td"
include "tt/extern_ops.td"
include "tt/debug_ops.td"

#endif // TTKIT_TT
