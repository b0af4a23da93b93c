// What is known of each lane between its steps, and of a step that was tried: of one group of lanes.
// There are GROUPS of them, whose stages are computed in turns, so that the processor has work while
// it waits for a result.
typedef struct {
    lanes t, h, z[N + 1], p[PARAMETERS + 1];
#if TAYLOR
    lanes *k, *next; // coefficients where the run is, and where the attempt ends: of these two
    lanes series[2][STAGES * N + 1];
    lanes rest[N + 1], rest1[N + 1];      // what the states at both ends have beyond double
    lanes slope_at_end[N + 1], growth;    // of the polynomial; see step_of()
    unsigned fresh, ready, lost; // lanes that ask for their first series; that have a new one, of
                                 // which no step is known; whose first series is not finite
    unsigned unsure, hides, tired, usual; // whose step leaves the box, or has to be looked at
                                          // inside; who go on by steps of the usual order; who do
#else
    lanes k[STAGES * N + 1]; // stages, the first of which is dz/dt
#endif
    lanes t1, z1[N + 1];
    lanes log_before;  // the logarithm of the error of the step before
    unsigned rejected; // lanes whose last attempt was
    lanes energy, energy1;
    lanes low[INPUTS + 1], high[INPUTS + 1], turns[COORDINATES + 1];
    lanes best[EXTREMES + 1], integral[MEANS + 1], begin;
    // of extremes, then means: E where the step begins, the largest |E| seen, how often panels may
    // still be divided
    lanes start[EXTREMES + MEANS + 1], scale[EXTREMES + MEANS + 1], splits[EXTREMES + MEANS + 1];
    // steps, the number of them at which it is asked whether they get on; the largest; where it
    // was asked
    lanes steps, due, largest, stuck_mark, slow_mark;
    lanes c[PLACES + 1], c_extreme[EXTREME_PLACES + 1], c_slope[SLOPE_PLACES + 1],
        c_mean[MEAN_PLACES + 1], c_final[FINAL_PLACES + 1], c_energy[ENERGY_PLACES + 1],
        c_rows[ROWS_PLACES + 1];
    uint64_t run[HAMEL_WIDTH];
    // of the attempt under way
    lanes size;
    mask last;
    unsigned busy, first_lane; // lanes that have a run; the number of the first
} state;

enum { EVERY = (1u << HAMEL_WIDTH) - 1, START = 1 + N + PARAMETERS, END = 1 + N + COORDINATES };

// What depends on the parameters alone
static void take_parameters(state *w) {
#if TAYLOR
    hamel_series_fixed(w->p, w->c);
#else
    hamel_rate_fixed(w->p, w->c);
#endif
#if EXTREMES
    hamel_extreme_fixed(w->p, w->c_extreme), hamel_slope_fixed(w->p, w->c_slope);
#endif
#if MEANS
    hamel_mean_fixed(w->p, w->c_mean);
#endif
#if ENERGY
    hamel_energy_fixed(w->p, w->c_energy);
#endif
#if CHART
    hamel_rows_fixed(w->p, w->c_rows);
#endif
}

// A start into a lane: t, z, parameters
static void load_start(state *w, unsigned lane, const double *start) {
    put(&w->t, lane, start[0]);
    for (int i = 0; i < N; i++) put(&w->z[i], lane, start[1 + i]);
    for (int i = 0; i < PARAMETERS; i++) put(&w->p[i], lane, start[1 + N + i]);
}

static mask all_finite(const lanes *x) {
    mask m = mask_of(EVERY);
    for (int i = 0; i < N; i++) m = both(m, finite_lanes(x[i]));
    return m;
}

// The coordinates with their turns, as what is collected sees them
static const lanes *with_turns(const state *w, const lanes *z, lanes *out) {
#if COORDINATES
    for (int i = 0; i < N; i++)
        out[i] = i < COORDINATES ? lanes_fma(w->turns[i], lanes_all(PERIOD[i][0]),
                                             lanes_fma(w->turns[i], lanes_all(PERIOD[i][1]), z[i]))
                                 : z[i];
    return out;
#else
    (void)w, (void)out;
    return z;
#endif
}

// --- a lane as the host sees it ------------------------------------------------------------------

static void show(lanes_job *job, const state *w, unsigned lane) {
    lanes_view *v = job->view;
    v->t = get(&w->t, lane), v->h = get(&w->h, lane), v->t1 = get(&w->t1, lane);
    v->energy0 = get(&w->energy, lane), v->energy = get(&w->energy1, lane);
    for (int i = 0; i < N; i++) v->z[i] = get(&w->z[i], lane), v->z1[i] = get(&w->z1[i], lane);
    for (int j = 0; j < STAGES; j++)
        for (int i = 0; i < N; i++) v->k[j * ROW + i] = get(&w->k[j * N + i], lane);
    for (int i = 0; i < COORDINATES; i++) v->turns[i] = get(&w->turns[i], lane);
#if TAYLOR
    for (int i = 0; i < N; i++) v->rest[i] = get(&w->rest[i], lane);
    v->tired = w->usual >> lane & 1;
#endif
}

static void take_box(lanes_job *job, state *w, unsigned lane) {
    const lanes_view *v = job->view;
    for (int k = 0; k < INPUTS; k++)
        put(&w->low[k], lane, v->low[k]), put(&w->high[k], lane, v->high[k]);
}

#if !TAYLOR
// --- the first steps -----------------------------------------------------------------------------

// Root mean square of value_i / (tolerance (1 + |z_i|))
static lanes size_of(const lanes *value, const lanes *z, lanes tolerance) {
    lanes sum = lanes_all(0);
    for (int i = 0; i < N; i++) {
        const lanes e = value[i] / (tolerance * (lanes_all(1) + lanes_fabs(z[i])));
        sum += e * e;
    }
    return lanes_sqrt(sum / lanes_all(N));
}

// As step_control_first(): 0 where the rates at the start are not finite
static lanes first_step(state *w, lanes tolerance, lanes end) {
    lanes *f0 = w->k, *f1 = w->k + N;
    hamel_rate(w->t, w->z, w->p, w->c, f0);
    const mask known = all_finite(f0);
    const lanes d0 = size_of(w->z, w->z, tolerance), d1 = size_of(f0, w->z, tolerance),
                little = lanes_all(1e-5);
    lanes step = select(either(less(d0, little), less(d1, little)), lanes_all(1e-6),
                        lanes_all(0.01) * d0 / d1);
    step = smaller(step, end - w->t);
    for (int i = 0; i < N; i++) w->z1[i] = w->z[i] + step * f0[i];
    hamel_rate(w->t + step, w->z1, w->p, w->c, f1);
    const mask there = all_finite(f1);
    lanes change[N + 1];
    for (int i = 0; i < N; i++) change[i] = f1[i] - f0[i];
    const lanes d2 = size_of(change, w->z, tolerance) / step, most = larger(d1, d2);
    const lanes other =
        select(at_most(most, lanes_all(1e-15)), larger(lanes_all(1e-6), step * lanes_all(1e-3)),
               lanes_pow(lanes_all(0.01) / most, lanes_all(1.0 / (ORDER + 1))));
    step = select(there, smaller(lanes_all(100) * step, other), step);
    return select(known, step, lanes_all(0));
}

// Of all runs, so many at a time as there are lanes
static void first_steps(lanes_job *job, state *w) {
    for (uint64_t from = 0; from < job->count; from += HAMEL_WIDTH) {
        for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++) {
            const uint64_t run = from + lane < job->count ? from + lane : from;
            load_start(w, lane, job->start + run * START);
        }
        take_parameters(w);
        const lanes h = first_step(w, lanes_all(job->tolerance), lanes_all(job->end));
        for (unsigned lane = 0; lane < HAMEL_WIDTH && from + lane < job->count; lane++) {
            double *out = job->first + (from + lane) * (N + 1);
            out[0] = get(&h, lane);
            for (int i = 0; i < N; i++) out[1 + i] = get(&w->k[i], lane);
        }
    }
}
#endif
