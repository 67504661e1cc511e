"""Kernels ahead of time, in C programs on the GPU."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ttkit.cuda_toolkit import toolkit_file

KERNELS = Path(__file__).parents[1] / "unit" / "ahead_of_time_kernels.py"
MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <pthread.h>
#include "add.h"
#include "copy_tile.h"

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    CUresult code = (call);                                                                                            \
    if (code != CUDA_SUCCESS) {                                                                                        \
      fprintf(stderr, "line %d: %s gives %d\n", __LINE__, #call, (int)code);                                           \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { N = 1000003, SIDE = 512 };
static float x[N], y[N], out[N];
static unsigned short tile[SIDE * 64], copied[SIDE * 64];
static CUcontext context;
static CUdeviceptr on_gpu[3];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void *work(void *unused) {
  CUstream stream;
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  for (int i = 0; i < 100; ++i)
    CHECK(add_default(stream, on_gpu[0], on_gpu[1], on_gpu[2], N));
  CHECK(cuStreamSynchronize(stream));
  return unused;
}

static int wrong(int count) {
  int found = 0;
  CHECK(cuMemcpyDtoH(out, on_gpu[2], sizeof out));
  for (int i = 0; i < N; ++i)
    found += out[i] != (i < count ? x[i] + y[i] : -1);
  for (int i = 0; i < N; ++i)
    out[i] = -1;
  CHECK(cuMemcpyHtoD(on_gpu[2], out, sizeof out));
  return found;
}

int main(void) {
  CUdevice device;
  CUdeviceptr tiles[2];
  pthread_t threads[4];
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  for (int i = 0; i < N; ++i)
    x[i] = i % 1000, y[i] = i % 77, out[i] = -1;
  for (int i = 0; i < 3; ++i)
    CHECK(cuMemAlloc(&on_gpu[i], sizeof x));
  CHECK(cuMemcpyHtoD(on_gpu[0], x, sizeof x));
  CHECK(cuMemcpyHtoD(on_gpu[1], y, sizeof y));
  CHECK(cuMemcpyHtoD(on_gpu[2], out, sizeof out));
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  printf("{\"threads\": %d", wrong(N));
  CHECK(add_default(NULL, on_gpu[0], on_gpu[1], on_gpu[2], 4096)); /* divisible by 16 */
  printf(", \"aligned\": %d", wrong(4096));
  CHECK(add(NULL, on_gpu[0], on_gpu[1], on_gpu[2], 5000, 1)); /* 8 warps */
  printf(", \"warps\": %d", wrong(5000));
  CHECK(add_default(NULL, on_gpu[0], on_gpu[1], on_gpu[2], 1));
  printf(", \"one\": %d", wrong(1));
  CHECK(add_default(NULL, on_gpu[0], on_gpu[1], on_gpu[2], 0));
  printf(", \"none\": %d", wrong(0));
  for (int i = 0; i < SIDE * 64; ++i)
    tile[i] = (unsigned short)i;
  for (int i = 0; i < 2; ++i)
    CHECK(cuMemAlloc(&tiles[i], sizeof tile));
  CHECK(cuMemcpyHtoD(tiles[0], tile, sizeof tile));
  CHECK(copy_tile_default(NULL, tiles[0], SIDE, 64, 64, 1, tiles[1], SIDE, 64, 64, 1));
  CHECK(cuMemcpyDtoH(copied, tiles[1], sizeof tile));
  int differs = 0;
  for (int i = 0; i < SIDE * 64; ++i)
    differs += copied[i] != tile[i];
  printf(", \"tma\": %d, \"refused\": %d", differs, add(NULL, 0, 0, 0, 1, 9));
  CHECK(unload_add());
  CHECK(load_add());
  double started = seconds();
  for (int i = 0; i < 20000; ++i)
    CHECK(add_default(NULL, on_gpu[0], on_gpu[1], on_gpu[2], 16));
  double taken = seconds() - started;
  CHECK(cuCtxSynchronize());
  printf(", \"launch_us\": %.3f}\n", 1e6 * taken / 20000);
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_a_c_program_launches_kernels(tmp_path, capability, record_property):
    headers = toolkit_file("include", "cuda.h")
    if headers is None:
        pytest.skip("there is no cuda.h")
    target = f"sm_80,sm_{capability}" if capability != 80 else "sm_80"
    command = [
        sys.executable,
        "-c",
        "from ttkit.drivers.toolkit import main; main()",
        "aot",
        str(KERNELS),
        "-t",
        target,
    ]
    signatures = ["*fp32:16, *fp32:16, *fp32:16, i32:16, 1024", "*fp32, *fp32, *fp32, i32, 1024"]
    signatures.append("*fp32, *fp32, *fp32, i32:1, 1024")
    each = [word for one in signatures for word in ("-s", one)]
    grid = "(n + BLOCK - 1) / BLOCK"
    subprocess.run([*command, "-n", "add", "-g", grid, "-w", "4,8", "-o", tmp_path / "add", *each], check=True)
    tile = "tensordesc<fp16[64,64]>"
    tiles = ["-n", "copy_tile", "-g", "8", "-s", f"{tile}, {tile}, 64", "-o", tmp_path / "copy_tile"]
    subprocess.run([*command, *tiles], check=True)
    (tmp_path / "main.c").write_text(MAIN)
    program = tmp_path / "program"
    warnings = ["-Wall", "-Wextra", "-Werror", "-isystem", str(Path(headers).parent)]
    link = ["-lpthread", "-l:libcuda.so.1"]
    subprocess.run(["gcc", "-O2", *warnings, *tmp_path.glob("*.c"), "-o", program, *link], check=True)
    run = subprocess.run([program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    print("microseconds a launch:", found.pop("launch_us"))
    assert found.pop("refused") == 1
    assert not any(found.values()), found
