// The words of CUDA for a C++ compiler: one thread after the other on the processor, in warps of
// one. What `hamel codegen --target cuda` writes is compiled with this in front of it,
//   g++ -x c++ -include tests/support/cuda_shim.h NAME.cu
// and gives the same runs. Nothing in it is fast.
#ifndef HAMEL_CUDA_SHIM
#define HAMEL_CUDA_SHIM

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

#define HAMEL_LANES 1
#define HAMEL_BALLOT(x) ((x) ? 1u : 0u)
#define HAMEL_FROM_LANE(x, lane) (x)
#define HAMEL_COUNT_BITS(x) __builtin_popcount(x)
#define HAMEL_LOW_WORD(x) hamel_shim_low_word(x)
#define HAMEL_HIGH_WORD(x) hamel_shim_high_word(x)
#define HAMEL_FLOAT_BITS(x) hamel_shim_bits(x)
#define HAMEL_FLOAT_OVER(a, b) ((a) / (b))
#define HAMEL_LOG2(x) log2f(x)
#define HAMEL_EXP2(x) exp2f(x)
#define HAMEL_UNROLL
#define HAMEL_ROLLED
#define HAMEL_ROUGH_RECIPROCAL(x) hamel_shim_rough_reciprocal(x)
#define HAMEL_DEVICE static inline __attribute__((always_inline, unused))
#define HAMEL_LONG static __attribute__((noinline, unused))
#define HAMEL_FAR __attribute__((noinline, unused))
#define HAMEL_TABLE static const
#define HAMEL_LAUNCH(kernel, blocks, threads, job)                                                 \
    hamel_shim_launch(blocks, threads, [&]() { kernel(job); })
#define HAMEL_ARGUMENT const
#define HAMEL_LAUNCH_PLAIN(kernel, a, b) hamel_shim_launch(1, 1, [&]() { kernel(a, b); })

static inline int hamel_shim_low_word(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(uint32_t)bits;
}
static inline int hamel_shim_high_word(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(uint32_t)(bits >> 32);
}
static inline int hamel_shim_bits(float x) {
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
// As rough as that of the processor of a GPU: 20 digits of two
static inline double hamel_shim_rough_reciprocal(double x) {
    double y = 1 / x;
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits &= ~(uint64_t)0 << 33;
    memcpy(&y, &bits, sizeof bits);
    return y;
}

struct hamel_shim_index {
    unsigned x;
};
static hamel_shim_index threadIdx, blockIdx, blockDim, gridDim;

template <class F> static void hamel_shim_launch(int blocks, int threads, F kernel) {
    blockDim.x = (unsigned)threads, gridDim.x = (unsigned)blocks;
    for (blockIdx.x = 0; blockIdx.x < (unsigned)blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < (unsigned)threads; threadIdx.x++) kernel();
}

static inline unsigned long long atomicAdd(unsigned long long *at, unsigned long long more) {
    const unsigned long long before = *at;
    *at += more;
    return before;
}

// --- the library of the host ---------------------------------------------------------------------

typedef int cudaError_t;
typedef int cudaEvent_t;
enum { cudaSuccess, cudaErrorMemoryAllocation };
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
struct cudaDeviceProp {
    char name[32];
    int multiProcessorCount;
};
struct cudaFuncAttributes {
    int numRegs;
    size_t localSizeBytes;
};

static inline const char *cudaGetErrorString(cudaError_t) { return "out of memory"; }
static inline cudaError_t cudaMalloc(void **at, size_t bytes) {
    *at = malloc(bytes);
    if (*at) memset(*at, 0xcd, bytes);
    return *at ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline void cudaFree(void *at) { free(at); }
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int) {
    memcpy(to, from, bytes);
    return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(T &to, const void *from, size_t bytes) {
    memcpy(&to, from, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *of, const void *) {
    of->numRegs = 0, of->localSizeBytes = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *,
                                                                        int, size_t) {
    *blocks = 1;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *about, int) {
    snprintf(about->name, sizeof about->name, "no GPU (shim)");
    about->multiProcessorCount = 1;
    return cudaSuccess;
}
static inline void cudaEventCreate(cudaEvent_t *) {}
static inline void cudaEventDestroy(cudaEvent_t) {}
static inline void cudaEventRecord(cudaEvent_t) {}
static inline void cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { *ms = 1; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

#endif
