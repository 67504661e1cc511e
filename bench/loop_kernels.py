"""Programs that pass over a row block by block, in either language (it sets `jit` and `tl`).

Losses, norms and statistics: an iteration has one to three loads, and carries numbers or sums of a block.  Two of them
have changed ttkit-prefetch-loads, jensen_shannon and rms_norm_of_sum; the others only judge.
"""

# ruff: noqa: F821


@jit
def jensen_shannon(x_ptr, y_ptr, loss_ptr, dx_ptr, stride, N, beta, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * stride
    y_ptr += row * stride
    dx_ptr += row * stride
    total = 0.0
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        m = c < N
        x = tl.load(x_ptr + c, mask=m, other=float("-inf"))
        y = tl.load(y_ptr + c, mask=m, other=float("-inf"))
        q, p = tl.exp(x), tl.exp(y)
        mid = beta * p + (1 - beta) * q
        log_mid = tl.log(mid)
        loss = beta * p * (y - log_mid) + (1 - beta) * q * (x - log_mid)
        total += tl.sum(tl.where(m, loss, 0.0), 0)
        tl.store(dx_ptr + c, (1 - beta) * q * (x - log_mid), mask=m)
    tl.store(loss_ptr + row, total)


@jit
def relative_entropy(x_ptr, y_ptr, loss_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], tl.float32)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        m = c < N
        x = tl.load(x_ptr + row * stride + c, mask=m, other=0.0).to(tl.float32)
        y = tl.load(y_ptr + row * stride + c, mask=m, other=1.0).to(tl.float32)
        y = tl.abs(y) + 1e-6
        acc += y * (tl.log(y) - x)
    tl.store(loss_ptr + row, tl.sum(acc, 0))


@jit
def cosine_of_rows(x_ptr, y_ptr, out_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    xy = tl.zeros([BLOCK], tl.float32)
    xx = tl.zeros([BLOCK], tl.float32)
    yy = tl.zeros([BLOCK], tl.float32)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        m = c < N
        x = tl.load(x_ptr + row * stride + c, mask=m, other=0.0).to(tl.float32)
        y = tl.load(y_ptr + row * stride + c, mask=m, other=0.0).to(tl.float32)
        xy += x * y
        xx += x * x
        yy += y * y
    tl.store(out_ptr + row, tl.sum(xy, 0) / tl.sqrt(tl.sum(xx, 0) * tl.sum(yy, 0) + 1e-6))


@jit
def online_softmax(x_ptr, y_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest, total = float("-inf"), 0.0
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + c, mask=c < N, other=float("-inf")).to(tl.float32)
        new = tl.maximum(largest, tl.max(x, 0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(x - new), 0)
        largest = new
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + c, mask=c < N, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + row * stride + c, (tl.exp(x - largest) / total).to(y_ptr.dtype.element_ty), mask=c < N)


@jit
def softcap_loss(x_ptr, loss_ptr, stride, N, cap, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest, total = float("-inf"), 0.0
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + c, mask=c < N, other=float("-inf")).to(tl.float32)
        e = tl.exp(2 * x / cap)
        x = cap * (1 - 2 / (e + 1))
        x = tl.where(c < N, x, float("-inf"))
        new = tl.maximum(largest, tl.max(x, 0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(x - new), 0)
        largest = new
    tl.store(loss_ptr + row, largest + tl.log(total))


@jit
def rms_norm_of_sum(x_ptr, r_ptr, w_ptr, y_ptr, s_ptr, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], tl.float32)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        m = c < N
        x = tl.load(x_ptr + row * stride + c, mask=m, other=0.0).to(tl.float32)
        r = tl.load(r_ptr + row * stride + c, mask=m, other=0.0).to(tl.float32)
        s = x + r
        tl.store(s_ptr + row * stride + c, s.to(s_ptr.dtype.element_ty), mask=m)
        acc += s * s
    scale = 1 / tl.sqrt(tl.sum(acc, 0) / N + eps)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        m = c < N
        s = tl.load(s_ptr + row * stride + c, mask=m, other=0.0).to(tl.float32)
        w = tl.load(w_ptr + c, mask=m, other=0.0).to(tl.float32)
        tl.store(y_ptr + row * stride + c, (s * scale * w).to(y_ptr.dtype.element_ty), mask=m)


@jit
def running_variance(x_ptr, mean_ptr, var_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    mean = tl.zeros([BLOCK], tl.float32)
    m2 = tl.zeros([BLOCK], tl.float32)
    count = 0.0
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + c, mask=c < N, other=0.0).to(tl.float32)
        count += 1
        d = x - mean
        mean += d / count
        m2 += d * (x - mean)
    tl.store(mean_ptr + row, tl.sum(mean, 0) / BLOCK)
    tl.store(var_ptr + row, tl.sum(m2, 0) / N)
