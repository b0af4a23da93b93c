// Runs on a GPU: build with nvcc. Everything this file needs is in it.
#ifndef HAMEL_CUDA_SHIM // which has these words for a C++ compiler, to run on the processor
#include <cuda_runtime.h>
#pragma nv_diag_suppress 177 // not every system needs every function
#define HAMEL_LAUNCH(kernel, blocks, threads, job) kernel<<<blocks, threads>>>(job)
#define HAMEL_ARGUMENT const __grid_constant__ // read where it is handed over, not copied
#define HAMEL_LAUNCH_PLAIN(kernel, a, b) kernel<<<1, 1>>>(a, b)
#define HAMEL_LANES 32
#define HAMEL_BALLOT(x) __ballot_sync(0xffffffffu, x)
#define HAMEL_FROM_LANE(x, lane) __shfl_sync(0xffffffffu, x, lane)
#define HAMEL_COUNT_BITS(x) __popc(x)
#define HAMEL_LOW_WORD(x) __double2loint(x)
#define HAMEL_HIGH_WORD(x) __double2hiint(x)
#define HAMEL_FLOAT_BITS(x) __float_as_int(x)
#define HAMEL_FLOAT_OVER(a, b) __fdividef(a, b)
#define HAMEL_LOG2(x) __log2f(x)
#define HAMEL_EXP2(x) exp2f(x)
#define HAMEL_UNROLL _Pragma("unroll")
#define HAMEL_ROLLED _Pragma("unroll 1")
#ifdef __CUDA_ARCH__
static __device__ __forceinline__ double hamel_rough_reciprocal(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}
#define HAMEL_ROUGH_RECIPROCAL(x) hamel_rough_reciprocal(x)
#else
#define HAMEL_ROUGH_RECIPROCAL(x) (1 / (x))
#endif
#define HAMEL_DEVICE static __device__ __forceinline__
#define HAMEL_LONG static __device__
#define HAMEL_FAR __device__ __noinline__
#define HAMEL_TABLE static __constant__
#endif

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef HAMEL_REAL
#define HAMEL_REAL double // or float: -DHAMEL_REAL=float
#endif
typedef HAMEL_REAL real;
#define R(x) ((real)(x))
#define restrict __restrict__ // as C has it

