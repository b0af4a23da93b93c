// The peer: a kernel for the rolling disc as one writes it by hand, tsit5 with steps of its own for
// each thread, one run a thread. Everything in it is the ordinary way: sincos() and / of CUDA, sums
// over the stages in unrolled loops, PI control by pow().
//   hand STARTS RUNS UNTIL TOLERANCE OUT     rows of doubles: theta, psi', phi', then 10 others
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef REAL
#define REAL double
#endif
typedef REAL real;
enum { N = 8, ROW = 13 }; // x y psi theta phi w1 w2 w3

__device__ __forceinline__ void sine_cosine(double x, double *s, double *c) { sincos(x, s, c); }
__device__ __forceinline__ void sine_cosine(float x, float *s, float *c) { sincosf(x, s, c); }

// m = 1, r = 1/2, g = 9.81
__device__ __forceinline__ void rate(const real *z, real *out) {
    const real r = real(0.5), g = real(9.81), w1 = z[5], w2 = z[6], w3 = z[7];
    real st, ct, sp, cp;
    sine_cosine(z[3], &st, &ct);
    sine_cosine(z[2], &sp, &cp);
    const real turn = w3 / ct, along = st * turn, spin = w2 - along;
    out[0] = r * spin * cp;
    out[1] = r * spin * sp;
    out[2] = turn;
    out[3] = w1;
    out[4] = spin;
    out[5] = -real(0.2) * (along - 2 * w2) * w3 + real(0.8) / r * (g * st + r * w2 * w3);
    out[6] = -real(2) / 3 * w1 * w3;
    out[7] = (along - 2 * w2) * w1;
}

__constant__ real A[7][6] = {
    {0},
    {0.161},
    {-0.008480655492356989, 0.335480655492357},
    {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
    {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
    {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401,
     -0.028269050394068383},
    {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081,
     2.324710524099774},
};
__constant__ real E[7] = {-0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995,
                          -0.1447110071732629,     0.5823571654525552,     -0.45808210592918697,
                          0.015151515151515152};

__global__ void __launch_bounds__(128) runs(int count, const real *start, real end, real tolerance,
                                            real *final_state) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    real z[N], k[7][N], w[N], t = 0, h = real(1e-3), before = real(1e-4);
    bool rejected = false;
#pragma unroll
    for (int i = 0; i < N; i++) z[i] = start[i * count + id];
    rate(z, k[0]);
    while (t < end) {
        if (t + real(1.0000001) * h >= end) h = end - t;
#pragma unroll
        for (int s = 1; s < 7; s++) {
#pragma unroll
            for (int i = 0; i < N; i++) {
                real sum = 0;
#pragma unroll
                for (int j = 0; j < s; j++) sum += A[s][j] * k[j][i];
                w[i] = z[i] + h * sum;
            }
            rate(w, k[s]);
        }
        real size = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            real e = 0;
#pragma unroll
            for (int j = 0; j < 7; j++) e += E[j] * k[j][i];
            e *= h / (tolerance * (1 + fmax(fabs(z[i]), fabs(w[i]))));
            size += e * e;
        }
        size = sqrt(size / N);
        if (size <= 1) {
            t = t + h >= end ? end : t + h;
#pragma unroll
            for (int i = 0; i < N; i++) z[i] = w[i], k[0][i] = k[6][i];
            const real seen = fmax(size, real(1e-8));
            real factor = real(0.9) * pow(seen, real(-0.17)) * pow(before, real(0.04));
            factor = fmin(fmax(factor, real(0.2)), rejected ? real(1) : real(6));
            before = fmax(seen, real(1e-4)), rejected = false;
            h *= factor;
        } else {
            h *= fmax(real(0.2), real(0.9) * pow(size, real(-0.17)));
            rejected = true;
        }
    }
#pragma unroll
    for (int i = 0; i < N; i++) final_state[i * count + id] = z[i];
}

static void check(cudaError_t e) {
    if (e == cudaSuccess) return;
    fprintf(stderr, "hand: %s\n", cudaGetErrorString(e));
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    const int count = atoi(argv[2]);
    const real end = (real)atof(argv[3]), tolerance = (real)atof(argv[4]);
    std::vector<double> rows((size_t)count * ROW);
    std::vector<real> z((size_t)count * N);
    FILE *in = fopen(argv[1], "rb");
    if (!in || fread(rows.data(), sizeof(double), rows.size(), in) != rows.size()) return 2;
    fclose(in);
    for (int i = 0; i < count; i++) {
        const double theta = rows[(size_t)i * ROW], psi1 = rows[(size_t)i * ROW + 1],
                     phi1 = rows[(size_t)i * ROW + 2];
        const double start[N] = {0,   0,   0.3, theta, 0.1, 0.2, phi1 + psi1 * sin(theta),
                                 psi1 * cos(theta)};
        for (int k = 0; k < N; k++) z[(size_t)k * count + i] = (real)start[k];
    }
    real *from, *to;
    cudaEvent_t begin, done;
    cudaFuncAttributes of;
    int blocks = 0;
    check(cudaMalloc(&from, z.size() * sizeof(real)));
    check(cudaMalloc(&to, z.size() * sizeof(real)));
    check(cudaMemcpy(from, z.data(), z.size() * sizeof(real), cudaMemcpyHostToDevice));
    check(cudaFuncGetAttributes(&of, (const void *)runs));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)runs, 128, 0));
    cudaEventCreate(&begin), cudaEventCreate(&done);
    for (int repeat = 0; repeat < 3; repeat++) {
        float ms = 0;
        cudaEventRecord(begin);
        runs<<<(count + 127) / 128, 128>>>(count, from, end, tolerance, to);
        cudaEventRecord(done);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
        cudaEventElapsedTime(&ms, begin, done);
        fprintf(stderr,
                "hand, tsit5, float%d, tolerance %g: %d runs in %.4f s, %.4g runs/s; %d registers, "
                "%zu bytes of local memory, %d warps of a processor, %d blocks\n",
                (int)sizeof(real) * 8, (double)tolerance, count, ms / 1000, count / (ms / 1000.0),
                of.numRegs, of.localSizeBytes, blocks * 4, (count + 127) / 128);
    }
    check(cudaMemcpy(z.data(), to, z.size() * sizeof(real), cudaMemcpyDeviceToHost));
    FILE *out = fopen(argv[5], "wb");
    if (!out) return 2;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < N; k++) {
            const double value = z[(size_t)k * count + i];
            fwrite(&value, sizeof value, 1, out);
        }
    return fclose(out) != 0;
}
