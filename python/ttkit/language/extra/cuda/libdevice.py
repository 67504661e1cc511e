"""The functions of CUDA's libdevice, under its names without `__nv_` and merged over types.

Each works elementwise on scalars and tensors of the types in the table, broadcast to one shape.

Op: tt.extern_elementwise (dialects/tt/extern_ops.td)    Interpreter: interpreter/numerics/library_functions.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.language.builtin import extern
from ttkit.language.conversion import cast_to
from ttkit.language.extern import extern_elementwise
from ttkit.language.types import float32, float64, int1, int32, int64, uint32, uint64

_TYPES = {"f32": float32, "f64": float64, "i1": int1, "i32": int32, "i64": int64, "u32": uint32, "u64": uint64}

# name: types of the arguments -> type of the result, symbol without "__nv_"; ...
# i1 results come as i32 from the library and are compared with zero.  `_*` stands for the four directions of rounding.
_TABLE = """
clz: i32->i32 clz; i64->i32 clzll
popc: i32->i32 popc; i64->i32 popcll
byte_perm: i32,i32,i32->i32 byte_perm
mulhi: i32,i32->i32 mulhi; u32,u32->u32 umulhi; i64,i64->i64 mul64hi; u64,u64->u64 umul64hi
mul24: i32,i32->i32 mul24; u32,u32->u32 umul24
brev: i32->i32 brev; i64->i64 brevll
sad: i32,i32,u32->i32 sad; u32,u32,u32->u32 usad
abs: i32->i32 abs; i64->i64 llabs; f32->f32 fabsf; f64->f64 fabs
floor: f32->f32 floorf; f64->f64 floor
rcp64h: f64->f64 rcp64h
rsqrt: f32->f32 rsqrtf; f64->f64 rsqrt
ceil: f64->f64 ceil; f32->f32 ceilf
trunc: f64->f64 trunc; f32->f32 truncf
exp2: f32->f32 exp2f; f64->f64 exp2
saturatef: f32->f32 saturatef
fma_*: f32,f32,f32->f32 fmaf_*; f64,f64,f64->f64 fma_*
fast_dividef: f32,f32->f32 fast_fdividef
div_*: f32,f32->f32 fdiv_*; f64,f64->f64 ddiv_*
rcp_*: f32->f32 frcp_*; f64->f64 drcp_*
sqrt_*: f32->f32 fsqrt_*; f64->f64 dsqrt_*
sqrt: f32->f32 sqrtf; f64->f64 sqrt
add_*: f64,f64->f64 dadd_*; f32,f32->f32 fadd_*
mul_*: f64,f64->f64 dmul_*; f32,f32->f32 fmul_*
double2float_*: f64->f32 double2float_*
double2int_*: f64->i32 double2int_*
double2uint_*: f64->i32 double2uint_*
int2double_rn: i32->f64 int2double_rn
uint2double_rn: u32->f64 uint2double_rn
float2int_*: f32->i32 float2int_*
float2uint_*: f32->i32 float2uint_*
int2float_*: i32->f32 int2float_*
uint2float_*: u32->f32 uint2float_*
hiloint2double: i32,i32->f64 hiloint2double
double2loint: f64->i32 double2loint
double2hiint: f64->i32 double2hiint
float2ll_*: f32->i64 float2ll_*
float2ull_*: f32->i64 float2ull_*
double2ll_*: f64->i64 double2ll_*
double2ull_*: f64->i64 double2ull_*
ll2float_*: i64->f32 ll2float_*
ull2float_*: u64->f32 ull2float_*
ll2double_*: i64->f64 ll2double_*
ull2double_*: u64->f64 ull2double_*
int_as_float: i32->f32 int_as_float
float_as_int: f32->i32 float_as_int
uint_as_float: u32->f32 uint_as_float
float_as_uint: f32->i32 float_as_uint
longlong_as_double: i64->f64 longlong_as_double
double_as_longlong: f64->i64 double_as_longlong
fast_sinf: f32->f32 fast_sinf
fast_cosf: f32->f32 fast_cosf
fast_log2f: f32->f32 fast_log2f
fast_logf: f32->f32 fast_logf
fast_expf: f32->f32 fast_expf
fast_tanf: f32->f32 fast_tanf
fast_exp10f: f32->f32 fast_exp10f
fast_log10f: f32->f32 fast_log10f
fast_powf: f32,f32->f32 fast_powf
hadd: i32,i32->i32 hadd; u32,u32->u32 uhadd
rhadd: i32,i32->i32 rhadd; u32,u32->u32 urhadd
sub_*: f32,f32->f32 fsub_*; f64,f64->f64 dsub_*
rsqrt_rn: f32->f32 frsqrt_rn
ffs: i32->i32 ffs; i64->i32 ffsll
rint: f32->f32 rintf; f64->f64 rint
llrint: f32->i64 llrintf; f64->i64 llrint
nearbyint: f32->f32 nearbyintf; f64->f64 nearbyint
isnan: f32->i1 isnanf; f64->i1 isnand
signbit: f32->i32 signbitf; f64->i32 signbitd
copysign: f32,f32->f32 copysignf; f64,f64->f64 copysign
finitef: f32->i1 finitef
isinf: f32->i1 isinff; f64->i1 isinfd
nextafter: f32,f32->f32 nextafterf; f64,f64->f64 nextafter
sin: f32->f32 sinf; f64->f64 sin
cos: f32->f32 cosf; f64->f64 cos
sinpi: f32->f32 sinpif; f64->f64 sinpi
cospi: f32->f32 cospif; f64->f64 cospi
tan: f32->f32 tanf; f64->f64 tan
log2: f32->f32 log2f; f64->f64 log2
exp: f32->f32 expf; f64->f64 exp
exp10: f32->f32 exp10f; f64->f64 exp10
cosh: f32->f32 coshf; f64->f64 cosh
sinh: f32->f32 sinhf; f64->f64 sinh
tanh: f32->f32 tanhf; f64->f64 tanh
atan2: f32,f32->f32 atan2f; f64,f64->f64 atan2
atan: f32->f32 atanf; f64->f64 atan
asin: f32->f32 asinf; f64->f64 asin
acos: f32->f32 acosf; f64->f64 acos
log: f32->f32 logf; f64->f64 log
log10: f32->f32 log10f; f64->f64 log10
log1p: f32->f32 log1pf; f64->f64 log1p
acosh: f32->f32 acoshf; f64->f64 acosh
asinh: f32->f32 asinhf; f64->f64 asinh
atanh: f32->f32 atanhf; f64->f64 atanh
expm1: f32->f32 expm1f; f64->f64 expm1
hypot: f32,f32->f32 hypotf; f64,f64->f64 hypot
rhypot: f32,f32->f32 rhypotf; f64,f64->f64 rhypot
norm3d: f32,f32,f32->f32 norm3df; f64,f64,f64->f64 norm3d
rnorm3d: f32,f32,f32->f32 rnorm3df; f64,f64,f64->f64 rnorm3d
norm4d: f32,f32,f32,f32->f32 norm4df; f64,f64,f64,f64->f64 norm4d
rnorm4d: f32,f32,f32,f32->f32 rnorm4df; f64,f64,f64,f64->f64 rnorm4d
cbrt: f32->f32 cbrtf; f64->f64 cbrt
rcbrt: f32->f32 rcbrtf; f64->f64 rcbrt
j0: f32->f32 j0f; f64->f64 j0
j1: f32->f32 j1f; f64->f64 j1
y0: f32->f32 y0f; f64->f64 y0
y1: f32->f32 y1f; f64->f64 y1
yn: i32,f32->f32 ynf; i32,f64->f64 yn
jn: i32,f32->f32 jnf; i32,f64->f64 jn
cyl_bessel_i0: f32->f32 cyl_bessel_i0f; f64->f64 cyl_bessel_i0
cyl_bessel_i1: f32->f32 cyl_bessel_i1f; f64->f64 cyl_bessel_i1
erf: f32->f32 erff; f64->f64 erf
erfinv: f32->f32 erfinvf; f64->f64 erfinv
erfc: f32->f32 erfcf; f64->f64 erfc
erfcx: f32->f32 erfcxf; f64->f64 erfcx
erfcinv: f32->f32 erfcinvf; f64->f64 erfcinv
normcdfinv: f32->f32 normcdfinvf; f64->f64 normcdfinv
normcdf: f32->f32 normcdff; f64->f64 normcdf
lgamma: f32->f32 lgammaf; f64->f64 lgamma
ldexp: f32,i32->f32 ldexpf; f64,i32->f64 ldexp
scalbn: f32,i32->f32 scalbnf; f64,i32->f64 scalbn
fmod: f32,f32->f32 fmodf; f64,f64->f64 fmod
remainder: f32,f32->f32 remainderf; f64,f64->f64 remainder
fma: f32,f32,f32->f32 fmaf; f64,f64,f64->f64 fma
pow: f32,i32->f32 powif; f64,i32->f64 powi; f32,f32->f32 powf; f64,f64->f64 pow
tgamma: f32->f32 tgammaf; f64->f64 tgamma
round: f32->f32 roundf; f64->f64 round
llround: f32->i64 llroundf; f64->i64 llround
fdim: f32,f32->f32 fdimf; f64,f64->f64 fdim
ilogb: f32->i32 ilogbf; f64->i32 ilogb
logb: f32->f32 logbf; f64->f64 logb
isfinited: f64->i1 isfinited
"""


_ROWS = [line for line in _TABLE.replace(";\n", ";").split("\n") if line]
_FUNCTIONS = "\n".join(dict.fromkeys(row.replace("_*", way) for row in _ROWS for way in ("_rn", "_rz", "_rd", "_ru")))


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


def _functions() -> dict[str, Callable[..., Any]]:
    found = (line.partition(":") for line in _FUNCTIONS.split("\n"))
    return {name: _function(name, text) for name, _, text in found}


globals().update(_functions())


def __getattr__(name: str) -> Any:
    raise AttributeError(f"libdevice has no function {name!r}")
