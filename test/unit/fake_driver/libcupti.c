// A libcupti of kernels that never ran: tests say which did, and this writes the records that NVIDIA's would.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL_BYTES = 216, UNKNOWN_BYTES = 48 };
typedef void (*Request)(uint8_t **, size_t *, size_t *);
typedef void (*Complete)(void *, uint32_t, uint8_t *, size_t, size_t);
typedef void (*Callback)(void *, int, uint32_t, void *);

static Request request;
static Complete complete;
static Callback callback;
static uint8_t *buffer;
static size_t size, used;
static int enabled, // the kind of records
    subscribed, fail_subscribe, launches_told, has_others, finalized;
static uint32_t correlation;

// Whether records of another kind lie between those of kernels.
void fake_cupti_others(int are_there) { has_others = are_there; }
int fake_cupti_enabled(void) { return enabled; }
void fake_cupti_fail_subscribe(int code) { fail_subscribe = code; }

static uint8_t *record(size_t bytes) {
  if (!buffer || used + bytes > size) {
    if (buffer)
      complete(NULL, 0, buffer, size, used);
    size_t most;
    request(&buffer, &size, &most), used = 0;
  }
  uint8_t *at = buffer + used;
  memset(at, 0, bytes), used += bytes;
  return at;
}
#define PUT(type, offset, value) *(type *)(at + (offset)) = (value)

// A launch, and the kernel that it started, at `start` for `duration` ns.
void fake_cupti_kernel(const char *name, int device, uint64_t start, uint64_t duration, uint64_t node) {
  if (!enabled)
    return;
  correlation++;
  struct {
    int site, padding;
    void *fields[7];
    uint32_t correlation;
  } call = {0, 0, {0}, correlation};
  if (callback && launches_told)
    callback(NULL, 1, 307, &call);
  call.site = 1; // and as it returns
  if (callback && launches_told)
    callback(NULL, 1, 307, &call);
  uint8_t *at;
  if (has_others)
    at = record(UNKNOWN_BYTES), PUT(uint32_t, 0, 77);
  at = record(KERNEL_BYTES), PUT(uint32_t, 0, enabled), PUT(uint64_t, 16, start), PUT(uint64_t, 24, start + duration);
  PUT(uint32_t, 40, device), PUT(uint32_t, 48, 7), PUT(uint32_t, 92, correlation);
  PUT(uint64_t, 104, (uint64_t)name), PUT(uint64_t, 144, node);
}

// A node of a CUDA graph is made, or copied from `original` as the graph is instantiated.
void fake_cupti_node(uint64_t node, uint64_t original) {
  uint64_t graph[8] = {0, 0, node, original};
  void *resource[3] = {NULL, NULL, graph};
  if (callback)
    callback(NULL, 3, original ? 20 : 13, resource);
}

int cuptiGetVersion(uint32_t *version) { return *version = 130001, 0; }
int cuptiGetResultString(int code, const char **text) { return *text = "a reason", 0; }
int cuptiActivityRegisterCallbacks(Request first, Complete second) { return request = first, complete = second, 0; }
int cuptiActivityEnable(int kind) { return enabled += kind, 0; }
int cuptiActivityDisable(int kind) { return enabled -= kind, 0; }
int cuptiActivityFlushAll(uint32_t flags) {
  if (buffer)
    complete(NULL, 0, buffer, size, used), buffer = NULL;
  return 0;
}
int cuptiActivityGetNextRecord(uint8_t *data, size_t bytes, uint8_t **at) {
  return *at += UNKNOWN_BYTES, 0; // it is asked about that kind alone
}
int cuptiSubscribe(void **subscriber, Callback function, void *data) {
  if (fail_subscribe)
    return fail_subscribe;
  return *subscriber = &subscribed, callback = function, 0;
}
int cuptiUnsubscribe(void *subscriber) { return callback = NULL, 0; }
int cuptiEnableCallback(uint32_t on, void *subscriber, int domain, uint32_t number) {
  if (domain == 1 && number == 307)
    launches_told = on;
  return 0;
}
// Forgets all, numbers of launches too; `fake_cupti_finalized` says how often.
int cuptiFinalize(void) {
  request = NULL, complete = NULL, callback = NULL, buffer = NULL;
  return enabled = launches_told = 0, correlation = 0, finalized++, 0;
}
int fake_cupti_finalized(void) { return finalized; }
int cuptiGetGraphNodeId(uint64_t node, uint64_t *number) { return *number = node, 0; }

// Sampling: two instructions, each read once.
typedef struct {
  uint32_t reason, samples;
} Count;
typedef struct {
  size_t size;
  uint64_t cubin, offset;
  uint32_t function, padding;
  char *name;
  size_t count;
  Count *counts;
  uint32_t correlation;
} Instruction;
typedef struct {
  size_t size, room;
  uint64_t samples, dropped;
  size_t taken, remaining;
  uint64_t range;
  Instruction *instructions;
} Samples;
typedef struct {
  size_t size;
  void *private, *context, *first, *second, *third;
} OfContext;

static int sampled, may_not_sample, left;
int fake_cupti_sampled(void) { return sampled; }
void fake_cupti_forget_samples(void) { left = 0; }
void fake_cupti_forbid_sampling(int code) { may_not_sample = code; }
int cuptiPCSamplingEnable(OfContext *given) { return may_not_sample ? may_not_sample : (sampled++, left = 2, 0); }
int cuptiPCSamplingDisable(OfContext *given) { return sampled--, 0; }
int cuptiPCSamplingStart(OfContext *given) { return 0; }
int cuptiPCSamplingStop(OfContext *given) { return 0; }
int cuptiPCSamplingSetConfigurationAttribute(OfContext *given) { return 0; }
int cuptiPCSamplingGetNumStallReasons(OfContext *given) { return *(size_t *)given->first = 3, 0; }
int cuptiPCSamplingGetStallReasons(OfContext *given) {
  static const char *names[] = {"selected", "stalled_wait", "stalled_wait_not_issued"};
  for (int i = 0; i < 3; i++) {
    ((uint32_t *)given->second)[i] = 10 + i;
    strcpy(strcpy(((char **)given->third)[i], "smsp__pcsamp_warps_issue_") + 25, names[i]);
  }
  return 0;
}
int cuptiPCSamplingGetData(OfContext *given) {
  Samples *data = given->first;
  data->taken = left > 0, data->remaining = left > 1;
  if (left > 0) {
    Instruction *one = data->instructions;
    one->name = "add", one->offset = 16 * left, one->count = 3;
    for (int i = 0; i < 3; i++)
      one->counts[i].reason = 10 + i, one->counts[i].samples = left * (i + 1);
    left--;
  }
  return 0;
}
int cuptiGetSassToSourceCorrelation(void *given) {
  struct {
    size_t size;
    char *cubin, *name;
    size_t bytes;
    uint32_t line;
    uint64_t offset;
    char *file, *folder;
  } *asked = given;
  return asked->line = asked->offset / 16, asked->file = "add.py", asked->folder = "/src", 0;
}
