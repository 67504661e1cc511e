"""Bessel functions, which numpy lacks, in float64; to some ten digits.

Up to 12 by their power series (Abramowitz and Stegun, 9.1.10 to 9.1.13), above by Hankel's asymptotic expansion (9.2.5
to 9.2.10); orders above one by an integral (9.1.21) or upward recurrence (9.1.27).
"""

from __future__ import annotations

import math

import numpy as np

Array = np.ndarray
SMALL = 12.0
TERMS = 60
EULER = 0.57721566490153286


def _on(condition: Array, function, x: Array, otherwise: Array) -> Array:
    """`function` where the condition holds."""
    result = otherwise.copy()
    if condition.any():
        result[condition] = function(x[condition])
    return result


def _hankel(n: int, x: Array) -> tuple[Array, Array]:
    """J_n(x) and Y_n(x) for large x, n below 2."""
    mu, p, q, term = 4.0 * n * n, np.ones_like(x), np.zeros_like(x), np.ones_like(x)
    for k in range(1, 22):
        new = term * (mu - (2 * k - 1) ** 2) / (k * 8 * x)
        term = np.where(np.abs(new) < np.abs(term), new, 0.0)  # the expansion is asymptotic: its terms grow in the end
        sign = -1.0 if k % 4 in (2, 3) else 1.0
        if k % 2:
            q = q + sign * term
        else:
            p = p + sign * term
    angle, size = x - (n / 2 + 0.25) * math.pi, np.sqrt(2 / (math.pi * x))
    return size * (p * np.cos(angle) - q * np.sin(angle)), size * (p * np.sin(angle) + q * np.cos(angle))


def _series(n: int, x: Array, sign: float, weights: list[float] | None = None) -> Array:
    """Sum over k of weights[k] sign^k (x / 2)^(2k + n) / (k! (k + n)!)."""
    term, total = (x / 2) ** n / math.factorial(n), np.zeros_like(x)
    for k in range(TERMS):
        total = total + term * (1.0 if weights is None else weights[k])
        term = term * sign * (x * x / 4) / ((k + 1) * (k + 1 + n))
    return total


def bessel_j(n: int, x: Array) -> Array:
    """Of the first kind, of order 0 or 1."""
    size = np.abs(x)
    result = _on(size <= SMALL, lambda s: _series(n, s, -1.0), size, np.full_like(size, np.nan))
    result = _on(size > SMALL, lambda s: _hankel(n, s)[0], size, result)
    return np.where(np.isinf(x), 0.0, result * (np.sign(x) if n else 1.0))


def bessel_y(n: int, x: Array) -> Array:
    """Of the second kind, of order 0 or 1."""

    def small(s: Array) -> Array:
        harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, TERMS + 2))])
        weights = [harmonic[k] + harmonic[k + n] - 2 * EULER for k in range(TERMS)]
        result = (2 / math.pi) * np.log(s / 2) * _series(n, s, -1.0) - _series(n, s, -1.0, weights) / math.pi
        return result - 2 / (math.pi * s) if n else result

    result = _on((x > 0) & (x <= SMALL), small, x, np.full_like(x, np.nan))
    result = _on(x > SMALL, lambda s: _hankel(n, s)[1], x, result)
    return np.where(x == 0, -np.inf, np.where(np.isposinf(x), 0.0, result))


def bessel_i(n: int, x: Array) -> Array:
    """Modified, of the first kind, of order 0 or 1: the mean of exp(x cos t) cos(n t)."""
    nodes = 512
    result = np.zeros_like(x)
    for k in range(nodes):
        angle = (k + 0.5) * math.pi / nodes
        result = result + np.exp(x * math.cos(angle)) * math.cos(n * angle)
    return result / nodes


def bessel_jn(n: Array, x: Array) -> Array:
    """Of the first kind, of any order: the mean of cos(n t - x sin t)."""
    n, x = np.broadcast_arrays(n.astype(np.float64), x)
    nodes = int(64 + np.abs(n).max(initial=0) + 2 * min(np.abs(x[np.isfinite(x)]).max(initial=0), 1e5))
    result = np.zeros_like(x)
    for k in range(nodes):
        angle = (k + 0.5) * math.pi / nodes
        result = result + np.cos(n * angle - x * math.sin(angle))
    return np.where(np.isinf(x), 0.0, result / nodes)


def bessel_yn(n: Array, x: Array) -> Array:
    """Of the second kind, of any order; NaN for negative ones, as libdevice's."""
    n, x = np.broadcast_arrays(n, x)
    before, now = bessel_y(0, x), bessel_y(1, x)
    result = np.where(n == 0, before, now)
    for order in range(1, int(n.max(initial=0))):
        before, now = now, np.where(np.isinf(now), now, 2 * order / x * now - before)
        result = np.where(n > order, now, result)
    return np.where(n < 0, np.nan, result)
