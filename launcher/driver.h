// What a launch needs of libcuda, found when it is first needed.
#ifndef TTKIT_LAUNCHER_DRIVER_H
#define TTKIT_LAUNCHER_DRIVER_H

#include <cstdint>
#include <string>

namespace ttkit {

/// CUlaunchAttribute, whose value is a union of 64 bytes.
struct LaunchAttribute {
  int32_t id, padding;
  uint32_t value[16];
};

/// CUlaunchConfig.
struct LaunchConfig {
  uint32_t grid[3], block[3], shared;
  void *stream;
  LaunchAttribute *attributes;
  uint32_t attributeCount;
};

constexpr int MAX_ATTRIBUTES = 4, MAX_RANK = 5;
constexpr int DEVICE_POINTER = 3; // CUpointer_attribute

/// CUtensorMap.
struct alignas(64) TensorMap {
  uint64_t words[16];
};

/// Functions of libcuda; null before `load`.
struct Driver {
  int (*getCurrentContext)(void **);
  int (*getPointerAttribute)(void *, int, uint64_t);
  int (*launch)(const LaunchConfig *, void *function, void **parameters, void **extra);
  int (*encodeTensorMap)(TensorMap *, int type, uint32_t rank, void *address, const uint64_t *shape,
                         const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                         int swizzle, int promotion, int fill);

  /// Finds the functions in a library; what is wrong, or nothing.  `encodeTensorMap` may be missing: it is of CUDA 12.
  std::string load(const char *path);
};

extern Driver driver;

} // namespace ttkit

#endif
