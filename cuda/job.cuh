// --- runs --------------------------------------------------------------------------------------------

// of a run, by what they are
enum { HAMEL_MOST_VALUES = hamel_n + hamel_np + hamel_given_count + 1 };

typedef struct {
    uint64_t first, count; // runs first .. first + count - 1
    int order; // of series
    uint32_t most_attempts;
    double t0, end, tolerance, reach;
    const double *values; // of each run; NULL: they are found by the layout
    // Of each run number by number, the runs of one number side by side: where it begins and then
    // where it ended, its first step, and where they are its own its parameters and what follows
    // from these
    real *z, *h, *p, *c;
    double *collected;    // hamel_collected_count a run
    hamel_end *ends;
    unsigned long long *queue; // the next run that nobody has, less `first`
} hamel_job;

// What all runs have in common
typedef struct {
    real z[hamel_n], p[HAMEL_SOME(hamel_np)], c[HAMEL_SOME(hamel_nc)];
    sweep_layout layout; // what is varied: the values of run i are a pure function of i
    int value_count;
    // of each value: a state; parameter k is hamel_n + k, and what is given hamel_n + hamel_np + k
    int target[HAMEL_MOST_VALUES];
    bool from_given; // the state follows from what is given
} hamel_common;
static __constant__ hamel_common hamel_shared;

static HAMEL_FAR void hamel_find_values(const hamel_job *job, uint64_t run, double *values) {
    if (!job->values) {
        sweep_values(&hamel_shared.layout, run, (hamel_value *)values);
        return;
    }
    const uint64_t count = (uint64_t)hamel_shared.value_count;
    for (uint64_t i = 0; i < count; i++) values[i] = job->values[(run - job->first) * count + i];
}

// The start of a run, with what is given in it; all in memory
static HAMEL_FAR void hamel_find_start(const hamel_job *job, uint64_t run, real *z, real *p, real *c,
                                       bool own) {
    double values[HAMEL_MOST_VALUES];
    real given[HAMEL_SOME(hamel_given_count)];
    hamel_find_values(job, run, values);
    for (int i = 0; i < hamel_n; i++) z[i] = hamel_shared.z[i];
    for (int i = 0; i < hamel_np; i++) p[i] = hamel_shared.p[i];
    for (int k = 0; k < hamel_shared.value_count; k++) {
        const int target = hamel_shared.target[k];
        if (target >= hamel_n && target < hamel_n + hamel_np) p[target - hamel_n] = (real)values[k];
    }
    if (own) hamel_prepare(p, c);
    if (hamel_shared.from_given) hamel_given(R(job->t0), z, p, c + hamel_given_at, given);
    for (int k = 0; k < hamel_shared.value_count; k++) {
        const int target = hamel_shared.target[k];
        if (target >= hamel_n + hamel_np) given[target - hamel_n - hamel_np] = (real)values[k];
    }
    if (hamel_shared.from_given) hamel_start(R(job->t0), given, p, c + hamel_start_at, z);
    for (int k = 0; k < hamel_shared.value_count; k++)
        if (hamel_shared.target[k] < hamel_n) z[hamel_shared.target[k]] = (real)values[k];
}

// The numbers of run `row` of the job, from and into memory; OWN: with parameters of its own
template <int COUNT> HAMEL_DEVICE void hamel_load(const hamel_job *job, const real *from, uint64_t row, real *to) {
    HAMEL_UNROLL for (int i = 0; i < COUNT; i++) to[i] = from[i * job->count + row];
}
template <int COUNT> HAMEL_DEVICE void hamel_keep(const hamel_job *job, const real *from, uint64_t row, real *to) {
    HAMEL_UNROLL for (int i = 0; i < COUNT; i++) to[i * job->count + row] = from[i];
}
template <bool OWN>
HAMEL_DEVICE void hamel_load_parameters(const hamel_job *job, uint64_t row, real *p, real *c) {
    if (!OWN) return;
    hamel_load<hamel_np>(job, job->p, row, p);
    hamel_load<hamel_nc>(job, job->c, row, c);
}

// All starts, before any run begins: whole warps find them together.
template <class METHOD, bool OWN>
__global__ void __launch_bounds__(HAMEL_THREADS) hamel_find_starts(HAMEL_ARGUMENT hamel_job job) {
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < job.count; row += stride) {
        real z[hamel_n], p[HAMEL_SOME(hamel_np)], c[HAMEL_SOME(hamel_nc)];
        if (!OWN) HAMEL_ROLLED for (int i = 0; i < hamel_nc; i++) c[i] = hamel_shared.c[i];
        hamel_find_start(&job, job.first + row, z, p, c, OWN);
        job.h[row] = hamel_first_step((real)job.t0, z, p, c, (real)job.end, job.tolerance,
                                      METHOD::order_of(&job));
        hamel_keep<hamel_n>(&job, z, row, job.z);
        if (OWN) hamel_keep<hamel_np>(&job, p, row, job.p), hamel_keep<hamel_nc>(&job, c, row, job.c);
    }
}

// What is asked of all runs when they have ended
template <bool OWN> __global__ void __launch_bounds__(HAMEL_THREADS) hamel_conclude_all(HAMEL_ARGUMENT hamel_job job) {
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < job.count; row += stride) {
        real z[hamel_n], own_p[HAMEL_SOME(hamel_np)], own_c[HAMEL_SOME(hamel_nc)];
        const hamel_end end = job.ends[row];
        hamel_watch see;
        hamel_load<hamel_n>(&job, job.z, row, z);
        hamel_load_parameters<OWN>(&job, row, own_p, own_c);
        double *collected = job.collected + row * hamel_collected_count;
        for (int i = 0; i < hamel_collected_count; i++)
            see.collected[i] = HAMEL_LOOKS_INSIDE ? (real)collected[i] : R(0);
        hamel_conclude(&see, (real)job.t0, (real)end.t, z, OWN ? own_p : hamel_shared.p,
                       OWN ? own_c : hamel_shared.c, end.outcome > HAMEL_STOPPED);
        for (int i = 0; i < hamel_collected_count; i++) collected[i] = see.collected[i];
    }
}

