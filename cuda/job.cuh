// --- runs --------------------------------------------------------------------------------------------

// of a run, by what they are
enum { HAMEL_MOST_VALUES = hamel_n + hamel_np + hamel_given_count + 1 };

typedef struct {
    uint64_t first, count; // runs first .. first + count - 1
    int order, refill;
    uint32_t most_attempts;
    double t0, end, tolerance, reach;
    const double *values; // of each run; NULL: they are found by the layout
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

// The same; OWN: with parameters of its own
template <bool OWN>
HAMEL_DEVICE void hamel_begin_run(const hamel_job *job, uint64_t run, real *z, real *p, real *c) {
    real at[hamel_n], own_p[HAMEL_SOME(hamel_np)], own_c[HAMEL_SOME(hamel_nc)] = {0};
    if (!OWN) HAMEL_ROLLED for (int i = 0; i < hamel_nc; i++) own_c[i] = hamel_shared.c[i];
    hamel_find_start(job, run, at, own_p, own_c, OWN);
    HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) z[i] = at[i];
    if (OWN) HAMEL_UNROLL for (int i = 0; i < hamel_np; i++) p[i] = own_p[i];
    if (OWN) HAMEL_UNROLL for (int i = 0; i < hamel_nc; i++) c[i] = own_c[i];
}

// A run that has ended
static HAMEL_FAR void hamel_finish(const hamel_job *job, uint64_t run, hamel_watch *see, real t,
                                   const real *z, const real *p, const real *c, int outcome) {
    const uint64_t row = run - job->first;
    hamel_conclude(see, (real)job->t0, t, z, p, c, outcome > HAMEL_STOPPED);
    for (int i = 0; i < hamel_collected_count; i++)
        job->collected[row * hamel_collected_count + i] = see->collected[i];
    job->ends[row].t = t, job->ends[row].outcome = outcome;
    job->ends[row].event = outcome == HAMEL_STOPPED ? see->stopped : -1;
}

