// Values as the bytes that a kernel takes.
#include "values.h"

#include <cmath>
#include <cstring>

namespace ttkit {

size_t sizeOf(char code) {
  switch (code) {
  case '?':
  case 'b':
  case 'B':
    return 1;
  case 'h':
  case 'H':
  case 'e':
  case 'E':
    return 2;
  case 'i':
  case 'I':
  case 'f':
    return 4;
  default:
    return 8;
  }
}

/// The bits of a float of fewer digits, rounded to the nearest, ties to even.
/// Args: exponent and fraction: bits of each.
static uint16_t narrow(double value, int exponent, int fraction) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = static_cast<uint16_t>(bits >> 63 << (exponent + fraction));
  const uint16_t infinity = static_cast<uint16_t>(((1 << exponent) - 1) << fraction);
  if (std::isnan(value))
    return sign | infinity | 1 << (fraction - 1);
  if (std::isinf(value))
    return sign | infinity;
  const int bias = (1 << (exponent - 1)) - 1;
  int power;
  std::frexp(value, &power); // |value| = fraction in [1/2, 1) times two to the power
  const int least = 1 - bias;
  const int unit = (power - 1 < least ? least : power - 1) - fraction;
  // A multiple of the unit in the last place; nearbyint rounds ties to even.
  const double count = std::nearbyint(std::ldexp(std::fabs(value), -unit));
  const uint64_t whole = static_cast<uint64_t>(count);
  const uint64_t hidden = uint64_t(1) << fraction;
  const uint64_t magnitude = whole < hidden ? whole : (uint64_t(unit + fraction + bias - 1) << fraction) + whole;
  return sign | static_cast<uint16_t>(magnitude > infinity ? infinity : magnitude);
}

template <typename T> static bool store(T value, unsigned char *target) {
  memcpy(target, &value, sizeof value);
  return true;
}

/// An integer of so many bits, signed or not: either is written as the bits that it has.
static bool packInteger(const Leaf &leaf, size_t size, unsigned char *target) {
  if (leaf.tag != Leaf::Signed && leaf.tag != Leaf::Unsigned)
    return false;
  if (size < 8) {
    const int64_t span = int64_t(1) << (8 * size);
    if (leaf.tag == Leaf::Unsigned || leaf.integer < -(span >> 1) || leaf.integer >= span)
      return false;
  }
  memcpy(target, &leaf.bits, size); // little-endian
  return true;
}

static bool packReal(char code, const Leaf &leaf, unsigned char *target) {
  double value = leaf.real;
  if (leaf.tag == Leaf::Signed)
    value = static_cast<double>(leaf.integer);
  else if (leaf.tag == Leaf::Unsigned)
    value = static_cast<double>(leaf.bits);
  else if (leaf.tag != Leaf::Real)
    return false;
  switch (code) {
  case 'e':
    return store(narrow(value, 5, 10), target);
  case 'E':
    return store(narrow(value, 8, 7), target);
  case 'f':
    return store(static_cast<float>(value), target);
  default:
    return store(value, target);
  }
}

bool pack(char code, const Leaf &leaf, unsigned char *target) {
  switch (code) {
  case 'P':
    if (leaf.tag == Leaf::None)
      return store(uint64_t(0), target);
    return leaf.tag != Leaf::Real && leaf.tag != Leaf::Descriptor && store(leaf.bits, target);
  case '?':
    return (leaf.tag == Leaf::Signed || leaf.tag == Leaf::Unsigned) && store(uint8_t(leaf.bits != 0), target);
  case 'e':
  case 'E':
  case 'f':
  case 'd':
    return packReal(code, leaf, target);
  default:
    return packInteger(leaf, sizeOf(code), target);
  }
}

} // namespace ttkit
