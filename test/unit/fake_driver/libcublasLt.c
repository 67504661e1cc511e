// A libcublasLt for tests without a GPU: it multiplies matrices of f32 and f16's size on the host, and counts objects.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int kind, type;
  uint64_t rows, columns;
  int64_t leading;
  int transposeA, transposeB, fast;
} Object;

enum { F32 = 0, F16 = 2, FAST_TF32 = 77 };

static int alive, last_fast, last_compute, last_added, no_algorithm;
static uint64_t last_workspace;

int fake_cublas_alive(void) { return alive; }
int fake_cublas_compute(void) { return last_compute; }
int fake_cublas_fast(void) { return last_fast; }
int fake_cublas_added(void) { return last_added; }
uint64_t fake_cublas_workspace(void) { return last_workspace; }
void fake_cublas_no_algorithm(int value) { no_algorithm = value; }

static int make(void **made, int kind, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  Object object = {kind, type, rows, columns, leading, 0, 0, 0};
  *made = memcpy(malloc(sizeof object), &object, sizeof object);
  ++alive;
  return 0;
}
static int destroy(void *object) {
  free(object);
  --alive;
  return 0;
}

int cublasLtCreate(void **made) { return make(made, 0, 0, 0, 0, 0); }
int cublasLtDestroy(void *object) { return destroy(object); }
int cublasLtMatmulDescCreate(void **made, int compute, int scale) { return make(made, compute, scale, 0, 0, 0); }
int cublasLtMatmulDescDestroy(void *object) { return destroy(object); }
int cublasLtMatrixLayoutCreate(void **made, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  return make(made, 1, type, rows, columns, leading);
}
int cublasLtMatrixLayoutDestroy(void *object) { return destroy(object); }
int cublasLtMatmulPreferenceCreate(void **made) { return make(made, 2, 0, 0, 0, 0); }
int cublasLtMatmulPreferenceDestroy(void *object) { return destroy(object); }

int cublasLtMatmulDescSetAttribute(Object *object, int attribute, const void *value, size_t size) {
  if (attribute == 25)
    return size == 1 ? (object->fast = *(const int8_t *)value, 0) : 7;
  if (size != 4)
    return 7;
  *(attribute == 3 ? &object->transposeA : &object->transposeB) = *(const int *)value;
  return 0;
}
int cublasLtMatmulPreferenceSetAttribute(Object *object, int attribute, const void *value, size_t size) {
  object->rows = *(const uint64_t *)value;
  return attribute == 1 && size == 8 ? 0 : 7;
}

typedef struct {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
} Choice;

int cublasLtMatmulAlgoGetHeuristic(void *library, Object *product, Object *a, Object *b, Object *c, Object *d,
                                   Object *preference, int wanted, Choice *choices, int *count) {
  *count = no_algorithm ? 0 : wanted;
  choices->algorithm[0] = 42;
  last_workspace = preference->rows;
  return 0;
}

static float at(const float *values, const Object *layout, int transposed, uint64_t row, uint64_t column) {
  return transposed ? values[column + row * layout->leading] : values[row + column * layout->leading];
}

int cublasLtMatmul(void *library, Object *product, const float *alpha, const float *A, Object *a, const float *B,
                   Object *b, const float *beta, const _Float16 *C, Object *c, float *D, Object *d, const uint64_t *algorithm,
                   void *workspace, size_t bytes, void *stream) {
  const uint64_t k = product->transposeA ? a->rows : a->columns;
  last_compute = product->kind, last_fast = product->fast, last_added = c->type;
  if (algorithm[0] != 42 || !workspace || bytes != last_workspace)
    return 7;
  if (d->type != F32)
    return 15;
  for (uint64_t column = 0; column < d->columns; ++column)
    for (uint64_t row = 0; row < d->rows; ++row) {
      float sum = 0;
      for (uint64_t i = 0; i < k; ++i)
        sum += at(A, a, product->transposeA, row, i) * at(B, b, product->transposeB, i, column);
      const float added = C ? (float)C[row + column * c->leading] : 0;
      D[row + column * d->leading] = *alpha * sum + *beta * added;
    }
  return 0;
}
