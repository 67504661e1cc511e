/* The part that all kernels share: loading, once for all contexts, and launching.  Errors are returned, never printed.
 *
 * A library of the driver belongs to no context, so one kernel handle serves every device; what a device needs to be told of the
 * kernel is told at the first launch there, under a lock.  Afterwards a launch takes no lock. */
#if defined(__GNUC__)
#define TT_SHARED __attribute__((unused)) static
#define TT_ALIGNED(bytes) __attribute__((aligned(bytes)))
#else
#define TT_SHARED static
#define TT_ALIGNED(bytes)
#endif

enum { TT_MAX_DEVICES = 128 };

/* What the launch of one target's code needs.  is_exact: it runs on this compute capability alone, else also on later ones of the
 * same generation.  form: which parameters the code takes. */
typedef struct {
  int capability, is_exact, form;
  unsigned threads, shared, num_ctas;
  size_t scratch;
  int is_dependent, is_cooperative;
} tt_image;

typedef struct {
  const char *name;
  const void *code;
  const tt_image *images; /* the first that runs on a device is taken */
  int image_count;
  pthread_mutex_t lock;
  CUlibrary library;
  CUkernel kernel;
  const tt_image *of_device[TT_MAX_DEVICES]; /* read without the lock */
} tt_kernel;

/* The device that a stream is of. */
TT_SHARED CUresult tt_device(CUstream stream, CUdevice *device) {
  CUcontext current = NULL, wanted = NULL;
  CUresult code = cuCtxGetCurrent(&current);
  if (code != CUDA_SUCCESS)
    return code;
  if (stream == NULL || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD)
    return cuCtxGetDevice(device);
  code = cuStreamGetCtx(stream, &wanted);
  if (code != CUDA_SUCCESS)
    return code;
  if (wanted == current)
    return cuCtxGetDevice(device);
  code = cuCtxPushCurrent(wanted);
  if (code != CUDA_SUCCESS)
    return code;
  code = cuCtxGetDevice(device);
  cuCtxPopCurrent(&wanted);
  return code;
}

TT_SHARED CUresult tt_find_image(const tt_kernel *kernel, CUdevice device, const tt_image **found) {
  int major = 0, minor = 0, i;
  CUresult code = cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (code == CUDA_SUCCESS)
    code = cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  if (code != CUDA_SUCCESS)
    return code;
  for (i = 0; i < kernel->image_count; ++i) {
    const tt_image *image = &kernel->images[i];
    int capability = 10 * major + minor;
    if (image->is_exact ? image->capability == capability
                        : image->capability / 10 == major && image->capability <= capability) {
      *found = image;
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/* Loads the kernel if no device has it, and tells the driver what its launches on this device need. */
TT_SHARED CUresult tt_prepare(tt_kernel *kernel, CUdevice device, const tt_image **image) {
  CUresult code = tt_find_image(kernel, device, image);
  if (code == CUDA_SUCCESS && kernel->kernel == NULL) {
    if (kernel->library == NULL)
      code = cuLibraryLoadData(&kernel->library, kernel->code, NULL, NULL, 0, NULL, NULL, 0);
    if (code == CUDA_SUCCESS)
      code = cuLibraryGetKernel(&kernel->kernel, kernel->library, kernel->name);
  }
  if (code == CUDA_SUCCESS && (*image)->shared > 48 * 1024)
    code = cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)(*image)->shared, kernel->kernel, device);
  if (code == CUDA_SUCCESS && (*image)->num_ctas > 8)
    code = cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1, kernel->kernel, device);
  if (code == CUDA_SUCCESS)
    __atomic_store_n(&kernel->of_device[device], *image, __ATOMIC_RELEASE);
  return code;
}

/* The image that a launch on a stream runs; the kernel is loaded if it was not. */
TT_SHARED CUresult tt_ready(tt_kernel *kernel, CUstream stream, const tt_image **image) {
  CUdevice device = 0;
  CUresult code = tt_device(stream, &device);
  if (code != CUDA_SUCCESS)
    return code;
  if (device < 0 || device >= TT_MAX_DEVICES)
    return CUDA_ERROR_INVALID_DEVICE;
  *image = __atomic_load_n(&kernel->of_device[device], __ATOMIC_ACQUIRE);
  if (*image != NULL)
    return CUDA_SUCCESS;
  if (pthread_mutex_lock(&kernel->lock) != 0)
    return CUDA_ERROR_UNKNOWN;
  *image = kernel->of_device[device];
  if (*image == NULL)
    code = tt_prepare(kernel, device, image);
  pthread_mutex_unlock(&kernel->lock);
  return code;
}

TT_SHARED CUresult tt_load(tt_kernel *kernel) {
  const tt_image *image = NULL;
  CUfunction function = NULL;
  CUresult code = tt_ready(kernel, NULL, &image);
  return code == CUDA_SUCCESS ? cuKernelGetFunction(&function, kernel->kernel) : code;
}

/* No launch may run in another thread meanwhile. */
TT_SHARED CUresult tt_unload(tt_kernel *kernel) {
  CUresult code = CUDA_SUCCESS;
  if (pthread_mutex_lock(&kernel->lock) != 0)
    return CUDA_ERROR_UNKNOWN;
  memset((void *)kernel->of_device, 0, sizeof kernel->of_device);
  if (kernel->library != NULL)
    code = cuLibraryUnload(kernel->library);
  kernel->library = NULL;
  kernel->kernel = NULL;
  pthread_mutex_unlock(&kernel->lock);
  return code;
}

TT_SHARED void tt_attribute(CUlaunchConfig *config, CUlaunchAttributeID id, unsigned x, unsigned y, unsigned z) {
  CUlaunchAttribute *made = &config->attrs[config->numAttrs++];
  const unsigned values[3] = {x, y, z};
  memset(made, 0, sizeof *made);
  made->id = id;
  memcpy(&made->value, values, sizeof values);
}

/* Starts the kernel; a grid of no programs starts nothing. */
TT_SHARED CUresult tt_launch(tt_kernel *kernel, const tt_image *image, CUstream stream, const int64_t grid[3], void **arguments,
                             CUdeviceptr *scratch) {
  CUlaunchAttribute attributes[4];
  CUlaunchConfig config;
  CUresult code, freed;
  if (grid[0] < 0 || grid[1] < 0 || grid[2] < 0 || grid[0] > INT32_MAX / image->num_ctas || grid[1] > 65535 || grid[2] > 65535)
    return CUDA_ERROR_INVALID_VALUE;
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
    return CUDA_SUCCESS;
  memset(&config, 0, sizeof config);
  config.gridDimX = (unsigned)grid[0] * image->num_ctas;
  config.gridDimY = (unsigned)grid[1];
  config.gridDimZ = (unsigned)grid[2];
  config.blockDimX = image->threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = image->shared;
  config.hStream = stream;
  config.attrs = attributes;
  if (image->num_ctas > 1) {
    tt_attribute(&config, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, image->num_ctas, 1, 1);
    tt_attribute(&config, CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, CU_CLUSTER_SCHEDULING_POLICY_SPREAD, 0, 0);
  }
  if (image->is_dependent)
    tt_attribute(&config, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, 1, 0, 0);
  if (image->is_cooperative)
    tt_attribute(&config, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1, 0, 0);
  if (image->scratch != 0) {
    size_t programs = (size_t)config.gridDimX * config.gridDimY * config.gridDimZ;
    code = cuMemAllocAsync(scratch, image->scratch * programs, stream);
    if (code != CUDA_SUCCESS)
      return code;
  }
  code = cuLaunchKernelEx(&config, (CUfunction)kernel->kernel, arguments, NULL);
  if (image->scratch != 0) {
    freed = cuMemFreeAsync(*scratch, stream);
    code = code == CUDA_SUCCESS ? freed : code;
  }
  return code;
}

/* How TMA moves the blocks of a tensor descriptor; the innermost dimension last. */
typedef struct {
  int swizzle, element_type, element_size, is_fp4, rank;
  cuuint32_t block[5];
} tt_tensor_map;

TT_SHARED CUresult tt_encode(CUtensorMap *map, const tt_tensor_map *plan, CUdeviceptr base, const int64_t *shape,
                             const int64_t *strides) {
  cuuint64_t sizes[5] = {0}, steps[5] = {0};
  cuuint32_t box[5] = {0}, ones[5] = {1, 1, 1, 1, 1};
  int i, rank = plan->rank;
  for (i = 0; i < rank; ++i) {
    sizes[i] = (cuuint64_t)shape[rank - 1 - i] * (i == 0 && plan->is_fp4 ? 2 : 1);
    box[i] = plan->block[rank - 1 - i];
    if (i > 0)
      steps[i - 1] = (cuuint64_t)strides[rank - 1 - i] * (cuuint64_t)plan->element_size;
  }
  return cuTensorMapEncodeTiled(map, (CUtensorMapDataType)plan->element_type, (cuuint32_t)rank, (void *)(uintptr_t)base, sizes, steps,
                                box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)plan->swizzle,
                                CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

/* The bits of the nearest bf16, ties to even. */
TT_SHARED uint16_t tt_bf16(double value) {
  float rounded = (float)value;
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof bits);
  if (rounded != rounded)
    return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/* The bits of the nearest fp16, ties to even. */
TT_SHARED uint16_t tt_fp16(double value) {
  uint64_t bits, mantissa, half, rest;
  int exponent, shift;
  uint16_t sign;
  memcpy(&bits, &value, sizeof bits);
  sign = (uint16_t)(bits >> 48 & 0x8000);
  exponent = (int)(bits >> 52 & 0x7FF) - 1023;
  mantissa = bits & 0xFFFFFFFFFFFFFull;
  if (exponent == 1024)
    return (uint16_t)(sign | 0x7C00 | (mantissa != 0 ? 0x200 : 0));
  if (exponent > 15)
    return (uint16_t)(sign | 0x7C00);
  if (exponent < -25)
    return sign;
  mantissa |= 1ull << 52;
  shift = exponent < -14 ? 42 + (-14 - exponent) : 42;
  half = mantissa >> shift;
  rest = mantissa & ((1ull << shift) - 1);
  if (rest > 1ull << (shift - 1) || (rest == 1ull << (shift - 1) && (half & 1)))
    half += 1;
  /* Of a normal number the leading one adds one to the exponent; so does a carry. */
  return (uint16_t)(sign + (exponent < -14 ? 0 : ((uint64_t)(exponent + 14) << 10)) + half);
}
