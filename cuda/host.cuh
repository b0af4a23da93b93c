// --- on the host -------------------------------------------------------------------------------------

// What another program calls: open, run chunks, close. All of it is plain C.
typedef struct {
    int method; // as hamel_method lists them
    uint32_t most_attempts;
    double t0, end, tolerance;
    const double *z, *p; // where runs begin, but for what is varied
    int value_count;
    // of each value: a state; parameter k is hamel_n + k, and what is given hamel_n + hamel_np + k
    const int *target;
    bool from_given; // states follow from what is given
    const sweep_layout *layout;
    uint64_t capacity; // runs of a chunk, at most
    bool listed;       // the values of runs are handed over; else they follow from the layout
} hamel_setting;

typedef struct {
    int registers, blocks_of_a_processor, warps_of_a_processor, processors, blocks;
    size_t local_bytes;
    float seconds; // of the last kernel
    char name[256];
} hamel_figures;

typedef struct {
    hamel_setting set;
    hamel_job job;
    bool own; // runs have parameters of their own
    void *device[13];
    hamel_figures figures;
    char why[512];
} hamel_runs;

static const char *const hamel_method[] = {"tsit5", "dop853", "taylor"};

#ifndef HAMEL_METHODS
#define HAMEL_METHODS 7 // bits: which of them are there
#endif
#define HAMEL_HAS(method) (((HAMEL_METHODS) >> (method)) & 1)

static bool hamel_failed(hamel_runs *r, cudaError_t error, const char *what) {
    if (error == cudaSuccess) return false;
    snprintf(r->why, sizeof r->why, "%s: %s", what, cudaGetErrorString(error));
    return true;
}

// Memory of the device, with what stands in it at first
static void *hamel_upload(hamel_runs *r, int place, const void *from, size_t bytes) {
    if (r->why[0]) return NULL;
    if (hamel_failed(r, cudaMalloc(&r->device[place], bytes ? bytes : 8), "memory of the device"))
        return NULL;
    if (from && bytes &&
        hamel_failed(r, cudaMemcpy(r->device[place], from, bytes, cudaMemcpyHostToDevice),
                     "to the device"))
        return NULL;
    return r->device[place];
}

static __global__ void hamel_prepare_kernel(const real *p, real *c) { hamel_prepare(p, c); }

// What depends on parameters only is computed by the device, as it computes all else.
static void hamel_find_fixed(hamel_runs *r, hamel_common *common) {
    real *p = (real *)hamel_upload(r, 7, common->p, sizeof common->p),
         *c = (real *)hamel_upload(r, 8, common->c, sizeof common->c);
    if (r->why[0]) return;
    HAMEL_LAUNCH_PLAIN(hamel_prepare_kernel, p, c);
    hamel_failed(r, cudaMemcpy(common->c, c, sizeof common->c, cudaMemcpyDeviceToHost),
                 "the parameters");
}

static void hamel_share(hamel_runs *r) {
    const hamel_setting *set = &r->set;
    const sweep_layout none = sweep_layout(), *from = set->layout ? set->layout : &none;
    hamel_common *common = (hamel_common *)calloc(1, sizeof *common);
    if (!common) {
        snprintf(r->why, sizeof r->why, "out of memory");
        return;
    }
    for (int i = 0; i < hamel_n; i++) common->z[i] = (real)set->z[i];
    for (int i = 0; i < hamel_np; i++) common->p[i] = (real)set->p[i];
    common->value_count = set->value_count;
    for (int i = 0; i < set->value_count; i++) {
        common->target[i] = set->target[i];
        if (set->target[i] >= hamel_n && set->target[i] < hamel_n + hamel_np) r->own = true;
    }
    common->from_given = set->from_given && hamel_given_count > 0;
    if (!set->listed) {
        const uint64_t drawn = from->drawn_count;
        uint64_t numbers = 0;
        for (uint32_t i = 0; i < from->axis_count; i++)
            if (from->axis[i].kind == AXIS_LIST)
                numbers = from->axis[i].offset + from->axis[i].count * from->axis[i].target_count;
        common->layout = *from;
        common->layout.axis = (const sweep_axis *)hamel_upload(
            r, 0, from->axis, from->axis_count * sizeof *from->axis);
        common->layout.numbers =
            (const hamel_value *)hamel_upload(r, 1, from->numbers, numbers * sizeof(double));
        common->layout.direction = (const uint64_t *)hamel_upload(
            r, 2, from->direction, from->direction ? drawn * SOBOL_BITS * sizeof(uint64_t) : 0);
        common->layout.shift = (const uint64_t *)hamel_upload(
            r, 3, from->shift, from->shift ? drawn * sizeof(uint64_t) : 0);
        common->layout.round = (const uint32_t *)hamel_upload(
            r, 4, from->round, from->round ? drawn * PERMUTATION_ROUNDS * sizeof(uint32_t) : 0);
    }
    hamel_find_fixed(r, common);
    if (!r->why[0])
        hamel_failed(r, cudaMemcpyToSymbol(hamel_shared, common, sizeof *common),
                     "what runs have in common");
    free(common);
}

// Jorba and Zou: the order that meets the tolerance, and log2 of the step over the radius
static void hamel_plan_series(hamel_runs *r) {
    const double best = ceil(-log(r->set.tolerance) / 2 + 1);
    r->job.order = best < 4 ? 4 : best < HAMEL_MOST_DEGREE ? (int)best : HAMEL_MOST_DEGREE;
    r->job.reach = (-2 - 0.7 / (r->job.order - 1)) / 0.69314718055994531;
}

template <class METHOD, bool OWN> static void hamel_go(hamel_runs *r) {
    hamel_figures *f = &r->figures;
    const unsigned long long none = 0;
    cudaFuncAttributes of;
    cudaEvent_t from, to;
    if (hamel_failed(r, cudaMemcpy(r->job.queue, &none, sizeof none, cudaMemcpyHostToDevice),
                     "the queue") ||
        hamel_failed(r, cudaFuncGetAttributes(&of, (const void *)hamel_kernel<METHOD, OWN>),
                     "the kernel") ||
        hamel_failed(r,
                     cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                         &f->blocks_of_a_processor, (const void *)hamel_kernel<METHOD, OWN>,
                         METHOD::threads, 0),
                     "the occupancy"))
        return;
    f->registers = of.numRegs, f->local_bytes = of.localSizeBytes;
    f->warps_of_a_processor = f->blocks_of_a_processor * METHOD::threads / 32;
    const uint64_t most = (uint64_t)f->blocks_of_a_processor * (uint64_t)f->processors,
                   wanted = (r->job.count + METHOD::threads - 1) / METHOD::threads;
    f->blocks = (int)(wanted < most ? wanted : most);
    if (f->blocks < 1) return;
    cudaEventCreate(&from), cudaEventCreate(&to);
    cudaEventRecord(from);
    HAMEL_LAUNCH((hamel_find_starts<METHOD, OWN>), f->processors * 4, HAMEL_THREADS, r->job);
    HAMEL_LAUNCH((hamel_kernel<METHOD, OWN>), f->blocks, METHOD::threads, r->job);
    HAMEL_LAUNCH((hamel_conclude_all<OWN>), f->processors * 4, HAMEL_THREADS, r->job);
    cudaEventRecord(to);
    if (!hamel_failed(r, cudaGetLastError(), "the start of the kernel"))
        hamel_failed(r, cudaDeviceSynchronize(), "the kernel");
    cudaEventElapsedTime(&f->seconds, from, to);
    f->seconds /= 1000;
    cudaEventDestroy(from), cudaEventDestroy(to);
}

template <class METHOD> static void hamel_go_with(hamel_runs *r) {
    if (r->own) hamel_go<METHOD, true>(r);
    else hamel_go<METHOD, false>(r);
}

static bool hamel_knows(int method) {
    return method >= 0 && method < 3 && HAMEL_HAS(method) && (method < 2 || HAMEL_SERIES);
}

extern "C" void hamel_cuda_close(hamel_runs *r) {
    for (int i = 0; r && i < 13; i++) cudaFree(r->device[i]);
    free(r);
}

extern "C" const char *hamel_cuda_why(const hamel_runs *r) { return r ? r->why : "out of memory"; }
extern "C" const hamel_figures *hamel_cuda_figures(const hamel_runs *r) { return &r->figures; }
extern "C" size_t hamel_cuda_setting_bytes(void) { return sizeof(hamel_setting); }

static real *hamel_room_for_runs(hamel_runs *r, int place, int numbers) {
    return (real *)hamel_upload(r, place, NULL, r->set.capacity * (uint64_t)numbers * sizeof(real));
}

// Never NULL unless memory ran out; where hamel_cuda_why() is not empty nothing can be run.
extern "C" hamel_runs *hamel_cuda_open(const hamel_setting *set) {
    hamel_runs *r = (hamel_runs *)calloc(1, sizeof *r);
    cudaDeviceProp about;
    if (!r) return NULL;
    r->set = *set;
    if (!hamel_knows(set->method)) {
        snprintf(r->why, sizeof r->why, "this code has no such method for these equations");
        return r;
    }
    if (set->value_count > HAMEL_MOST_VALUES) {
        snprintf(r->why, sizeof r->why, "more than %d values are varied", HAMEL_MOST_VALUES);
        return r;
    }
    if (hamel_failed(r, cudaGetDeviceProperties(&about, 0), "no GPU")) return r;
    r->figures.processors = about.multiProcessorCount;
    snprintf(r->figures.name, sizeof r->figures.name, "%s", about.name);
    hamel_share(r);
    r->job.most_attempts = set->most_attempts, r->job.t0 = set->t0, r->job.end = set->end;
    r->job.tolerance = set->tolerance;
    hamel_plan_series(r);
    r->job.collected = (double *)hamel_upload(
        r, 5, NULL, set->capacity * HAMEL_SOME(hamel_collected_count) * sizeof(double));
    r->job.ends = (hamel_end *)hamel_upload(r, 6, NULL, set->capacity * sizeof(hamel_end));
    cudaFree(r->device[7]), r->device[7] = NULL, cudaFree(r->device[8]), r->device[8] = NULL;
    r->job.queue = (unsigned long long *)hamel_upload(r, 7, NULL, sizeof *r->job.queue);
    r->job.z = hamel_room_for_runs(r, 9, hamel_n), r->job.h = hamel_room_for_runs(r, 10, 1);
    if (r->own) {
        r->job.p = hamel_room_for_runs(r, 11, hamel_np);
        r->job.c = hamel_room_for_runs(r, 12, hamel_nc);
    }
    if (set->listed)
        r->job.values = (const double *)hamel_upload(
            r, 8, NULL, set->capacity * (uint64_t)HAMEL_SOME(set->value_count) * sizeof(double));
    return r;
}

// Runs first .. first + count - 1, of which `values` are handed over where they are listed
extern "C" bool hamel_cuda_run(hamel_runs *r, uint64_t first, uint64_t count, const double *values,
                               double *collected, hamel_end *ends) {
    if (r->why[0] || count > r->set.capacity) return false;
    r->job.first = first, r->job.count = count;
    if (r->set.listed &&
        hamel_failed(r,
                     cudaMemcpy((void *)r->job.values, values,
                                count * (uint64_t)r->set.value_count * sizeof(double),
                                cudaMemcpyHostToDevice),
                     "values to the device"))
        return false;
    switch (r->set.method) {
#if HAMEL_HAS(0)
    case 0: hamel_go_with<hamel_pair<hamel_tsit5>>(r); break;
#endif
#if HAMEL_HAS(1)
    case 1: hamel_go_with<hamel_pair<hamel_dop853>>(r); break;
#endif
#if HAMEL_HAS(2) && HAMEL_SERIES
    case 2: hamel_go_with<hamel_taylor>(r); break;
#endif
    default: break;
    }
    if (r->why[0]) return false;
    return !hamel_failed(r,
                         cudaMemcpy(collected, r->job.collected,
                                    count * hamel_collected_count * sizeof(double),
                                    cudaMemcpyDeviceToHost),
                         "results") &&
           !hamel_failed(r, cudaMemcpy(ends, r->job.ends, count * sizeof *ends,
                                       cudaMemcpyDeviceToHost),
                         "results");
}

