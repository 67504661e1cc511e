// A libcuda that runs nothing and writes down what it is asked for: launches, with the bytes of their arguments.
//
// Tests read and set what is below through `fake_*`; everything else has the names and types of NVIDIA's driver.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

typedef int CUresult;
enum { MAX_LAUNCHES = 4096, MAX_PARAMETERS = 64, MAX_BYTES = 1024, MAX_ATTRIBUTES = 8 };

typedef struct {
  int id, padding;
  uint32_t value[16];
} Attribute;

typedef struct {
  uint32_t grid[3], block[3], shared;
  void *stream;
  Attribute *attributes;
  uint32_t attribute_count;
} Config;

typedef struct {
  uint64_t function, stream, context;
  uint32_t grid[3], block[3], shared, attribute_count;
  Attribute attributes[MAX_ATTRIBUTES];
  uint32_t byte_count;
  uint8_t bytes[MAX_BYTES];
} Launch;

static Launch launches[MAX_LAUNCHES];
static int launch_count, parameter_count, keep = 1;
static int parameter_sizes[MAX_PARAMETERS];
static int fail_code, registers = 32, local_bytes, max_threads = 1024, capability = 90, device_count = 2;
static int max_shared = 227 * 1024, loads, tensor_maps;
static uint64_t host_low = 0, host_high = 0;
static char fail_name[64];
static float now; // of the GPU's clock, in milliseconds
static __thread uint64_t context, pushed;
static uint64_t stream_context; // of all streams but the default one; 0 for the current context
static int unloads, kernel_attributes[2][16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int fake_launch_count(void) { return launch_count; }
const Launch *fake_launch(int index) { return &launches[index]; }
int fake_loads(void) { return loads; }
int fake_unloads(void) { return unloads; }
int fake_kernel_attribute(int device, int attribute) { return kernel_attributes[device & 1][attribute & 15]; }
void fake_set_stream_context(uint64_t value) { stream_context = value; }
int fake_tensor_maps(void) { return tensor_maps; }
void fake_reset(void) {
  launch_count = parameter_count = fail_code = local_bytes = loads = tensor_maps = 0;
  registers = 32, max_threads = 1024, capability = 90, max_shared = 227 * 1024, keep = 1;
  host_low = host_high = stream_context = 0;
  context = 0, now = 0, unloads = 0;
  memset(kernel_attributes, 0, sizeof kernel_attributes);
}
// Launches are counted, but not kept: for measuring.
void fake_forget(void) { keep = 0; }
void fake_parameters(int count, const int *sizes) {
  parameter_count = count;
  memcpy(parameter_sizes, sizes, count * sizeof(int));
}
void fake_fail(const char *name, int code) {
  strncpy(fail_name, name, sizeof fail_name - 1);
  fail_code = code;
}
void fake_limits(int new_registers, int new_local, int new_threads, int new_capability, int new_shared) {
  registers = new_registers, local_bytes = new_local, max_threads = new_threads, capability = new_capability;
  max_shared = new_shared;
}
// Addresses in [low, high) are the host's.
void fake_host(uint64_t low, uint64_t high) { host_low = low, host_high = high; }
void fake_set_context(uint64_t value) { context = value; }

#define FAIL_IF_ASKED(name)                                                                                            \
  if (fail_code && strcmp(fail_name, name) == 0)                                                                       \
  return fail_code

CUresult cuInit(unsigned flags) {
  FAIL_IF_ASKED("cuInit");
  return 0;
}
CUresult cuDriverGetVersion(int *version) { return *version = 13000, 0; }
CUresult cuDeviceGet(int *device, int ordinal) { return *device = ordinal, ordinal < device_count ? 0 : 101; }
CUresult cuDeviceGetCount(int *count) { return *count = device_count, 0; }
CUresult cuDeviceGetPCIBusId(char *id, int size, int device) { return strncpy(id, "0000:00:00.0", size), 0; }
CUresult cuDeviceGetName(char *name, int size, int device) { return strncpy(name, "Fake GPU", size), 0; }
CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
  case 75: *value = capability / 10; break;
  case 76: *value = capability % 10; break;
  case 97: *value = max_shared; break;
  case 10: *value = 32; break;
  default: *value = 1000 + attribute;
  }
  return 0;
}
CUresult cuDevicePrimaryCtxRetain(uint64_t *out, int device) { return *out = 0xC000 + device, 0; }
CUresult cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
CUresult cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *is_active) {
  return *flags = 0, *is_active = device == 0, 0;
}
CUresult cuCtxGetCurrent(uint64_t *out) { return *out = context, 0; }
CUresult cuCtxSetCurrent(uint64_t value) { return context = value, 0; }
CUresult cuCtxGetDevice(int *device) { return *device = (int)(context - 0xC000), context ? 0 : 201; }
CUresult cuCtxSynchronize(void) {
  FAIL_IF_ASKED("cuCtxSynchronize");
  return 0;
}
CUresult cuStreamSynchronize(void *stream) {
  FAIL_IF_ASKED("cuStreamSynchronize");
  return 0;
}
CUresult cuStreamIsCapturing(void *stream, int *status) { return *status = 0, 0; }
CUresult cuCtxGetLimit(size_t *value, int limit) { return *value = 1 << 20, 0; }
CUresult cuCtxSetLimit(int limit, size_t value) { return 0; }
CUresult cuModuleLoadData(uint64_t *module, const void *data) {
  FAIL_IF_ASKED("cuModuleLoadData");
  return *module = 0xA000 + ++loads, 0;
}
CUresult cuModuleGetFunction(uint64_t *function, uint64_t module, const char *name) {
  return *function = module + 0x1000, 0;
}
// Of libraries and contexts: kernels that belong to none, as C programs load them.
CUresult cuLibraryLoadData(uint64_t *library, const void *code, int *names, void **values, unsigned count, int *more,
                           void **more_values, unsigned more_count) {
  FAIL_IF_ASKED("cuLibraryLoadData");
  pthread_mutex_lock(&lock);
  *library = 0xA000 + ++loads;
  pthread_mutex_unlock(&lock);
  return 0;
}
CUresult cuLibraryGetKernel(uint64_t *kernel, uint64_t library, const char *name) { return *kernel = library + 0x1000, 0; }
CUresult cuLibraryUnload(uint64_t library) { return unloads++, 0; }
CUresult cuKernelGetFunction(uint64_t *function, uint64_t kernel) { return *function = kernel, 0; }
CUresult cuKernelSetAttribute(int attribute, int value, uint64_t kernel, int device) {
  FAIL_IF_ASKED("cuKernelSetAttribute");
  return kernel_attributes[device & 1][attribute & 15] = value, 0;
}
CUresult cuStreamGetCtx(void *stream, uint64_t *out) { return *out = stream_context ? stream_context : context, 0; }
CUresult cuCtxPushCurrent_v2(uint64_t value) { return pushed = context, context = value, 0; }
CUresult cuCtxPopCurrent_v2(uint64_t *out) { return *out = context, context = pushed, 0; }
CUresult cuMemAllocAsync(uint64_t *address, size_t size, void *stream) {
  FAIL_IF_ASKED("cuMemAllocAsync");
  return *address = (uint64_t)aligned_alloc(256, (size + 255) / 256 * 256), 0;
}
CUresult cuMemFreeAsync(uint64_t address, void *stream) { return free((void *)address), 0; }
CUresult cuFuncGetAttribute(int *value, int attribute, uint64_t function) {
  *value = attribute == 0 ? max_threads : attribute == 4 ? registers : attribute == 3 ? local_bytes : 0;
  return 0;
}
CUresult cuFuncSetCacheConfig(uint64_t function, int preference) { return 0; }
CUresult cuFuncSetAttribute(uint64_t function, int attribute, int value) { return 0; }
CUresult cuPointerGetAttribute(void *data, int attribute, uint64_t address) {
  if (address >= host_low && address < host_high)
    return 1;
  return *(uint64_t *)data = address, 0;
}
CUresult cuMemAlloc_v2(uint64_t *address, size_t size) {
  FAIL_IF_ASKED("cuMemAlloc_v2");
  return *address = (uint64_t)aligned_alloc(256, (size + 255) / 256 * 256), 0;
}
CUresult cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t address) {
  return *base = address, *size = 1 << 20, 0;
}
CUresult cuMemFree_v2(uint64_t address) { return free((void *)address), 0; }
CUresult cuMemcpyHtoD_v2(uint64_t target, const void *source, size_t size) {
  return memcpy((void *)target, source, size), 0;
}
CUresult cuMemcpyDtoH_v2(void *target, uint64_t source, size_t size) {
  return memcpy(target, (void *)source, size), 0;
}
CUresult cuMemsetD8_v2(uint64_t target, unsigned char value, size_t size) {
  return memset((void *)target, value, size), 0;
}
CUresult cuMemsetD8Async(uint64_t target, unsigned char value, size_t size, void *stream) {
  return memset((void *)target, value, size), 0;
}
typedef struct {
  float time;
  uint64_t context;
} Event;
CUresult cuEventCreate(Event **event, unsigned flags) {
  *event = calloc(1, sizeof(Event));
  return (*event)->context = context, 0;
}
CUresult cuEventDestroy_v2(Event *event) { return free(event), 0; }
CUresult cuEventRecord(Event *event, void *stream) { return event->time = now, event->context == context ? 0 : 400; }
CUresult cuEventSynchronize(Event *event) { return 0; }
CUresult cuEventQuery(Event *event) { return 0; }
CUresult cuEventElapsedTime(float *milliseconds, const Event *start, const Event *end) {
  return *milliseconds = end->time - start->time, 0;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, uint64_t function, int threads, size_t shared) {
  return *count = 4, 0;
}
CUresult cuOccupancyMaxActiveClusters(int *count, uint64_t function, const Config *config) {
  return *count = 66 / config->attributes[0].value[0], 0;
}
CUresult cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, uint64_t address, const uint64_t *shape,
                                const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                                int swizzle, int promotion, int fill) {
  FAIL_IF_ASKED("cuTensorMapEncodeTiled");
  if ((uintptr_t)map % 64)
    return 1;
  uint64_t words[16] = {0x7A3A, (uint64_t)type, rank, address, (uint64_t)swizzle, (uint64_t)fill};
  for (uint32_t i = 0; i < rank && i < 3; ++i)
    words[6 + i] = shape[i], words[9 + i] = box[i], words[12 + i] = i + 1 < rank ? strides[i] : 0;
  memcpy(map, words, sizeof words);
  tensor_maps++;
  return 0;
}
CUresult cuGetErrorName(int code, const char **name) { return *name = "CUDA_ERROR_FAKE", 0; }
CUresult cuGetErrorString(int code, const char **text) { return *text = "a reason", 0; }

CUresult cuLaunchKernelEx(const Config *config, uint64_t function, void **parameters, void **extra) {
  FAIL_IF_ASKED("cuLaunchKernel");
  const float taken = config->block[0] / 32.0f; // a millisecond a warp
  if (!keep)
    return launch_count++, now += taken, 0;
  pthread_mutex_lock(&lock);
  now += taken;
  Launch *made = &launches[launch_count++ % MAX_LAUNCHES];
  memset(made, 0, sizeof *made);
  made->function = function, made->stream = (uint64_t)config->stream, made->context = context;
  memcpy(made->grid, config->grid, sizeof made->grid);
  memcpy(made->block, config->block, sizeof made->block);
  made->shared = config->shared;
  made->attribute_count = config->attribute_count;
  for (uint32_t i = 0; i < config->attribute_count && i < MAX_ATTRIBUTES; ++i)
    made->attributes[i] = config->attributes[i];
  for (int i = 0; i < parameter_count; ++i) {
    memcpy(made->bytes + made->byte_count, parameters[i], parameter_sizes[i]);
    made->byte_count += parameter_sizes[i];
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

CUresult cuLaunchKernel(uint64_t function, uint32_t x, uint32_t y, uint32_t z, uint32_t bx, uint32_t by, uint32_t bz,
                        uint32_t shared, void *stream, void **parameters, void **extra) {
  Config config = {{x, y, z}, {bx, by, bz}, shared, stream, NULL, 0};
  return cuLaunchKernelEx(&config, function, parameters, extra);
}
