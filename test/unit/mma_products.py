"""Products by mma.sync as text: for tests of the lowering, and on a GPU."""

import random
from dataclasses import dataclass, replace

import ml_dtypes
import numpy as np

NUMBERS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i32": np.int32,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
}
# Types of a, b and the result, and capabilities that multiply them.
KINDS = {
    ("f16", "f16", "f32"): (75, 80, 90),
    ("f16", "f16", "f16"): (75, 80, 90),
    ("bf16", "bf16", "f32"): (80, 90),
    ("f32", "f32", "f32"): (80, 90),
    ("f64", "f64", "f64"): (80, 90),
    ("i8", "i8", "i32"): (75, 80, 90),
    ("f8E5M2", "f8E4M3FN", "f32"): (89, 90, 120),
    ("f8E4M3FN", "f8E4M3FN", "f32"): (89, 90),
    ("f8E5M2", "f8E5M2", "f32"): (90, 120),
    ("f8E4M3FN", "f8E5M2", "f16"): (90, 120),
}
PLAIN = "swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = "


@dataclass(frozen=True)
class Product:
    """d = a b + c by one tt.dot.

    shape: m, n, k.  kind: types of a, b and the result.  k_width: consecutive elements of a thread along k.
    warps: per dimension, of a batch first.  batch: how many products, or none.
    memory: layouts of shared memory through which a and b go; None where they are converted in registers.
    rows: that the result's layout says of an instruction; Triton 3.8 and later say 8 for f64.
    """

    shape: tuple[int, int, int]
    kind: tuple[str, str, str]
    k_width: int
    warps: tuple[int, ...] = (1, 1)
    batch: tuple[int, ...] = ()
    memory: tuple[str | None, str | None] = (None, None)
    rows: int = 16

    @property
    def num_warps(self) -> int:
        return int(np.prod(self.warps))

    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """Of a, b and the result."""
        m, n, k = self.shape
        return (*self.batch, m, k), (*self.batch, k, n), (*self.batch, m, n)

    @property
    def tensors(self) -> tuple[str, ...]:
        """a, b and the result as they are written in types, without layout."""
        return tuple("x".join(map(str, (*size, kind))) for size, kind in zip(self.sizes(), self.kind))

    def aliases(self, capability: int) -> str:
        """#m: of the result; #l: of a and b in registers; #left, #right: of operands; #sa, #sb: of memory."""
        ones = [1] * len(self.batch)
        lines = [
            f"#m = #ttg.nvidia_mma<{{versionMajor = 2, versionMinor = {int(capability == 75)}, "
            f"warpsPerCTA = {list(self.warps)}, instrShape = {[*ones, self.rows, 8]}}}>",
            f"#l = #ttg.blocked<{{sizePerThread = {[*ones, 1, 1]}, threadsPerWarp = {[*ones, 4, 8]}, "
            f"warpsPerCTA = {[*ones, 1, self.num_warps]}, order = {list(range(len(self.warps)))[::-1]}}}>",
            f"#left = #ttg.dot_op<{{opIdx = 0, parent = #m, kWidth = {self.k_width}}}>",
            f"#right = #ttg.dot_op<{{opIdx = 1, parent = #m, kWidth = {self.k_width}}}>",
        ]
        return "\n".join([*lines, *(f"#s{n} = #ttg.{memory}" for n, memory in zip("ab", self.memory) if memory)])

    def body(self) -> str:
        """Operations that make %d of %a and %b in layout #l and %c in #m."""
        lines = []
        for name, tensor, layout, memory in zip("ab", self.tensors, ("#left", "#right"), self.memory):
            if memory:
                buffer = f"!ttg.memdesc<{tensor}, #s{name}, #ttg.shared_memory>"
                lines.append(f"%{name}m = ttg.local_alloc %{name} : (tensor<{tensor}, #l>) -> {buffer}")
                lines.append(f"%{name}d = ttg.local_load %{name}m : {buffer} -> tensor<{tensor}, {layout}>")
            else:
                types = f"tensor<{tensor}, #l> -> tensor<{tensor}, {layout}>"
                lines.append(f"%{name}d = ttg.convert_layout %{name} : {types}")
        a, b, c = self.tensors
        types = f"tensor<{a}, #left> * tensor<{b}, #right> -> tensor<{c}, #m>"
        return "\n".join([*lines, f"%d = tt.dot %ad, %bd, %c, inputPrecision = tf32 : {types}"])

    def function(self) -> str:
        """A function of a, b and c."""
        a, b, c = self.tensors
        parameters = f"%a: tensor<{a}, #l>, %b: tensor<{b}, #l>, %c: tensor<{c}, #m>"
        return (
            f"tt.func public @f({parameters}) -> tensor<{c}, #m> {{\n{self.body()}\ntt.return %d : tensor<{c}, #m>\n}}"
        )

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """a, b, c and d, of small whole numbers."""
        rng = np.random.default_rng(sum(self.shape))
        most = 100 if self.kind[0] == "i8" else 3
        a, b = (
            rng.integers(-most, most + 1, size).astype(NUMBERS[kind])
            for size, kind in zip(self.sizes()[:2], self.kind[:2])
        )
        c = rng.integers(-9, 9, self.sizes()[2]).astype(NUMBERS[self.kind[2]])
        d = (a.astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64)).astype(c.dtype)
        return a, b, c, d


def plain(array: np.ndarray) -> np.ndarray:
    """Numbers of a type that NumPy has not, and integers, as unsigned ones."""
    return array.view(f"u{array.dtype.itemsize}") if array.dtype.kind not in "fb" or array.itemsize == 1 else array


def least_width(kind: tuple[str, str, str]) -> int:
    """The least kWidth: a word of 32 bits."""
    return max(1, 4 // np.dtype(NUMBERS[kind[0]]).itemsize)


def random_product(chance: random.Random, kind: tuple[str, str, str]) -> Product:
    """Any shape, warps, kWidth and memory for these types."""
    batch = (2 ** chance.randint(0, 2),) if chance.random() < 0.2 else ()
    least, most = least_width(kind), 16 // np.dtype(NUMBERS[kind[0]]).itemsize
    width = min(most, least << chance.choice((0, 0, 0, 1, 2)))
    bits = [chance.randint(0, 2) for _ in range(2 + len(batch))]
    while sum(bits) > 3:
        bits[chance.randrange(len(bits))] = 0
    shape = tuple(2 ** chance.randint(low, 6) for low in (2, 2, 3))
    product = Product(shape, kind, width, tuple(1 << bit for bit in bits), batch)
    return replace(product, memory=tuple(random_memory(chance, product, index) for index in (0, 1)))


def random_memory(chance: random.Random, product: Product, index: int) -> str | None:
    """A layout of shared memory for operand `index`, or None."""
    rank, bits = len(product.warps), 8 * np.dtype(NUMBERS[product.kind[index]]).itemsize
    order = [*range(rank)][::-1]
    if chance.random() < 0.5:
        order[:2] = order[1], order[0]
    choice = chance.choice(("none", "plain", "swizzled", "swizzled", "nvmma"))
    if choice == "plain":
        return f"{PLAIN}{order}}}>"
    if choice == "swizzled":
        vec, phase, phases = 2 ** chance.randint(0, 3), 2 ** chance.randint(0, 1), 2 ** chance.randint(0, 3)
        return f"swizzled_shared<{{vec = {vec}, perPhase = {phase}, maxPhase = {phases}, order = {order}}}>"
    inner, outer = (product.sizes()[index][dim] for dim in order[:2])
    if choice == "nvmma" and rank == 2 and bits <= 32 and inner * bits >= 8 * 32 and outer >= 8:
        width = min(128, inner * bits // 8)
        return (
            f"nvmma_shared<{{swizzlingByteWidth = {width}, transposed = {str(order[0] == 0).lower()}, "
            f"elementBitWidth = {bits}}}>"
        )
    return None


def random_products(count: int, capability: int, seed: int = 0) -> list[Product]:
    """Products that a GPU multiplies, of each kind as many."""
    chance = random.Random(seed)
    kinds = [kind for kind, capabilities in KINDS.items() if capability in capabilities]
    return [random_product(chance, kinds[number % len(kinds)]) for number in range(count)]
