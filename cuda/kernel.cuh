// --- the kernel --------------------------------------------------------------------------------------

// Threads fetch runs, whose starts hamel_find_starts() has found, until there are none. Runs take
// different numbers of steps, and a thread whose run has ended begins the next one at once.
template <class METHOD, bool OWN>
__global__ void __launch_bounds__(METHOD::threads, METHOD::blocks) hamel_kernel(HAMEL_ARGUMENT hamel_job job) {
    real own_p[OWN ? HAMEL_SOME(hamel_np) : 1], own_c[OWN ? HAMEL_SOME(hamel_nc) : 1];
    const real *p = OWN ? own_p : hamel_shared.p, *c = OWN ? own_c : hamel_shared.c;
    const unsigned all = HAMEL_LANES == 32 ? 0xffffffffu : 1u, lane = threadIdx.x % HAMEL_LANES;
    const real end = (real)job.end;
    real z[hamel_n] = {0}, t = 0, h = 0;
    METHOD method;
    hamel_watch see;
    uint64_t row = 0; // of the run
    uint32_t attempts = 0;
    bool busy = false, dry = false, finite = true;
    while (true) {
        const unsigned idle = HAMEL_BALLOT(!busy);
        if (idle == all && dry) break;
        if (!dry && idle) {
            const int wanted = HAMEL_COUNT_BITS(idle);
            unsigned long long base = 0;
            if (lane == 0) base = atomicAdd(job.queue, (unsigned long long)wanted);
            base = HAMEL_FROM_LANE(base, 0);
            dry = base + wanted >= job.count;
            const uint64_t mine = base + HAMEL_COUNT_BITS(idle & ((1u << lane) - 1));
            if (!busy && mine < job.count) {
                row = mine;
                hamel_load<hamel_n>(&job, job.z, row, z);
                hamel_load_parameters<OWN>(&job, row, own_p, own_c);
                t = (real)job.t0, h = job.h[row], attempts = 0, busy = finite = true;
                method.begin(t, z, p, c);
                if (HAMEL_LOOKS_INSIDE) {
                    real at[hamel_n];
                    HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) at[i] = z[i];
                    hamel_begin(&see, t, end, job.tolerance, at, p, c);
                } else see.stopped = -1;
            }
        }
        if (!busy) continue;
        real z1[hamel_n];
        int outcome = HAMEL_RUNNING;
        method.propose(&job, t, z, p, c, &h);
        const bool last = hamel_is_last(t, h, end);
        if (last) h = end - t;
        if (t >= end) {
            outcome = HAMEL_REACHED;
        } else if (hamel_is_too_small(t, h)) {
            outcome = finite && h != 0 ? HAMEL_STUCK : HAMEL_NOT_FINITE;
        } else if (attempts++ >= job.most_attempts) {
            outcome = HAMEL_LIMIT;
        } else {
            const float size = method.attempt(&job, t, z, p, c, h, z1);
            finite = size < 1e30f;
            if (!(size <= 1)) {
                h *= method.after_rejection(size);
            } else {
                real t1 = last ? end : t + h;
                if (HAMEL_LOOKS_INSIDE) {
                    real q[METHOD::degrees][hamel_n];
                    const hamel_curve curve = {q, method.curve(&job, t, z, p, c, h, z1, q), t, h, p, c};
                    const real part = hamel_follow(&see, &curve);
                    if (see.stopped >= 0) {
                        t1 = t + part * h;
                        if (part < 1) {
                            real there[hamel_n];
                            hamel_curve_at(&curve, part, there);
                            HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) z1[i] = there[i];
                        }
                    }
                }
                t = t1;
                HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) z[i] = z1[i];
                h *= method.after_success(size);
                if (see.stopped >= 0) outcome = HAMEL_STOPPED;
                else if (last) outcome = HAMEL_REACHED;
                else if (HAMEL_GUARDED) {
                    real at[hamel_n];
                    HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) at[i] = z[i];
                    if (hamel_is_poor(t, at, p, c)) outcome = HAMEL_OTHER;
                }
            }
        }
        if (outcome != HAMEL_RUNNING) {
            hamel_keep<hamel_n>(&job, z, row, job.z);
            job.ends[row].t = t, job.ends[row].outcome = outcome;
            job.ends[row].event = outcome == HAMEL_STOPPED ? see.stopped : -1;
            if (HAMEL_LOOKS_INSIDE)
                for (int i = 0; i < hamel_collected_count; i++)
                    job.collected[row * hamel_collected_count + i] = see.collected[i];
            busy = false;
        }
    }
}

