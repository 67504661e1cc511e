"""The functions of CUDA's libdevice, under its names without `__nv_` and merged over types.

Each works elementwise on scalars and tensors of the types in the table, broadcast to one shape.

Op: tt.extern_elementwise (dialects/tt/extern_ops.td)    Interpreter: interpreter/numerics/library_functions.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.language.builtin import extern
from ttkit.language.extern import extern_elementwise
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import float32, float64, int1, int32, int64, uint32, uint64

_TYPES = {"f32": float32, "f64": float64, "i1": int1, "i32": int32, "i64": int64, "u32": uint32, "u64": uint64}

# names: types of the arguments -> type of the result, symbol without "__nv_", in which `=` is the name; ...
# i1 results come as i32 from the library and are compared with zero.  `_*` stands for the four directions of rounding.
_TABLE = """\
clz: i32->i32 =; i64->i32 clzll
popc: i32->i32 =; i64->i32 popcll
byte_perm: i32,i32,i32->i32 =
mulhi: i32,i32->i32 =; u32,u32->u32 umulhi; i64,i64->i64 mul64hi; u64,u64->u64 umul64hi
mul24: i32,i32->i32 =; u32,u32->u32 umul24
brev: i32->i32 =; i64->i64 brevll
sad: i32,i32,u32->i32 =; u32,u32,u32->u32 usad
abs: i32->i32 =; i64->i64 llabs; f32->f32 fabsf; f64->f64 fabs
floor rsqrt ceil trunc exp2 sqrt rint nearbyint sin cos sinpi cospi tan log2 exp exp10 cosh sinh tanh atan asin acos
  log log10 log1p acosh asinh atanh expm1 cbrt rcbrt j0 j1 y0 y1 cyl_bessel_i0 cyl_bessel_i1 erf erfinv erfc erfcx
  erfcinv normcdfinv normcdf lgamma tgamma round logb: f32->f32 =f; f64->f64 =
rcp64h: f64->f64 =
saturatef fast_sinf fast_cosf fast_log2f fast_logf fast_expf fast_tanf fast_exp10f fast_log10f: f32->f32 =
fma_*: f32,f32,f32->f32 fmaf_*; f64,f64,f64->f64 =
fast_dividef: f32,f32->f32 fast_fdividef
div_*: f32,f32->f32 fdiv_*; f64,f64->f64 ddiv_*
rcp_*: f32->f32 frcp_*; f64->f64 drcp_*
sqrt_*: f32->f32 fsqrt_*; f64->f64 dsqrt_*
add_*: f64,f64->f64 dadd_*; f32,f32->f32 fadd_*
mul_*: f64,f64->f64 dmul_*; f32,f32->f32 fmul_*
double2float_*: f64->f32 =
double2int_* double2uint_* double2loint double2hiint: f64->i32 =
int2double_rn: i32->f64 =
uint2double_rn: u32->f64 =
float2int_* float2uint_* float_as_int float_as_uint: f32->i32 =
int2float_* int_as_float: i32->f32 =
uint2float_* uint_as_float: u32->f32 =
hiloint2double: i32,i32->f64 =
float2ll_* float2ull_*: f32->i64 =
double2ll_* double2ull_* double_as_longlong: f64->i64 =
ll2float_*: i64->f32 =
ull2float_*: u64->f32 =
ll2double_* longlong_as_double: i64->f64 =
ull2double_*: u64->f64 =
fast_powf: f32,f32->f32 =
hadd: i32,i32->i32 =; u32,u32->u32 uhadd
rhadd: i32,i32->i32 =; u32,u32->u32 urhadd
sub_*: f32,f32->f32 fsub_*; f64,f64->f64 dsub_*
rsqrt_rn: f32->f32 frsqrt_rn
ffs: i32->i32 =; i64->i32 ffsll
llrint llround: f32->i64 =f; f64->i64 =
isnan: f32->i1 =f; f64->i1 isnand
signbit: f32->i32 =f; f64->i32 signbitd
copysign nextafter atan2 hypot rhypot fmod remainder fdim: f32,f32->f32 =f; f64,f64->f64 =
finitef: f32->i1 =
isinf: f32->i1 =f; f64->i1 isinfd
norm3d rnorm3d fma: f32,f32,f32->f32 =f; f64,f64,f64->f64 =
norm4d rnorm4d: f32,f32,f32,f32->f32 =f; f64,f64,f64,f64->f64 =
yn jn: i32,f32->f32 =f; i32,f64->f64 =
ldexp scalbn: f32,i32->f32 =f; f64,i32->f64 =
pow: f32,i32->f32 powif; f64,i32->f64 powi; f32,f32->f32 =f; f64,f64->f64 =
ilogb: f32->i32 =f; f64->i32 =
isfinited: f64->i1 =
"""


_ROWS = [
    row.replace("_*", way) for row in _TABLE.replace("\n  ", " ").splitlines() for way in ("_rn", "_rz", "_rd", "_ru")
]
_VARIANTS = {name: row.partition(":")[2].replace("=", name) for row in _ROWS for name in row.partition(":")[0].split()}


def _function(name: str, text: str) -> Callable[..., Any]:
    symbols = {}
    is_bool = False
    for variant in text.split(";"):
        types, symbol = variant.split()
        arguments, _, result = types.partition("->")
        is_bool = result == "i1"
        key = tuple(_TYPES[type] for type in arguments.split(","))
        symbols[key] = (f"__nv_{symbol}", int32 if is_bool else _TYPES[result])

    def call(*args: Any) -> Any:
        """Calls the variant for the arguments' types; an i32 that is a truth becomes i1."""
        result = extern_elementwise("", "", list(args), symbols, is_pure=True)
        return cast_to(result, int1) if is_bool else result

    count = len(next(iter(symbols)))
    parameters = ["arg0", "arg1", "arg2", "arg3"][:count]

    def function(*args: Any, **kwargs: Any) -> Any:
        """Takes arguments by position, or named `arg0`, `arg1` and so on.

        Raises:
            TypeError: too many, too few, or others.
        """
        given = [*args, *(kwargs.pop(parameter) for parameter in parameters[len(args) :] if parameter in kwargs)]
        if kwargs or len(given) != count:
            raise TypeError(f"{name}() takes the arguments {', '.join(parameters)}")
        return call(*given)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"libdevice's `{name}`, elementwise: {text.strip()}."
    return extern(function)


globals().update({name: _function(name, text) for name, text in _VARIANTS.items()})


def __getattr__(name: str) -> Any:
    raise AttributeError(f"libdevice has no function {name!r}")
