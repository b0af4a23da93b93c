// What is collected of a step: extremes by the sign of dE/dt at places within it, means by Gauss's
// rule (src/sweep/system.h). h: of the steps as they were tried; part: up to where they are taken
#if (EXTREMES || MEANS) && !TAYLOR
// z + h sum_j b_j k_j
static void within(const state *w, lanes h, const lanes *b, lanes *out) {
    for (int i = 0; i < N; i++) {
        lanes sum = lanes_all(0);
        for (int j = 0; j < STAGES; j++) sum += b[j] * w->k[j * N + i];
        out[i] = w->z[i] + h * sum;
    }
}

static void within_at(lanes_job *job, const state *w, lanes h, lanes theta, lanes *out) {
    lanes b[STAGES];
    for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++) {
        double weight[STAGES];
        job->weights(get(&theta, lane), weight);
        for (int j = 0; j < STAGES; j++) put(&b[j], lane, weight[j]);
    }
    within(w, h, b, out);
}

// The same at a part of the step that all lanes have in common, whose weights are known
static void within_all(const state *w, lanes h, const double *weight, lanes *out) {
    for (int i = 0; i < N; i++) {
        lanes sum = lanes_all(0);
        for (int j = 0; j < STAGES; j++)
            if (weight[j] != 0) sum += lanes_all(weight[j]) * w->k[j * N + i];
        out[i] = w->z[i] + h * sum;
    }
}

#endif

#if EXTREMES || MEANS
static const lanes *place(lanes_job *job, const state *w, lanes h, lanes part, int whole,
                          double node, const double *weight, lanes *z, lanes *turned) {
    if (whole) within_all(w, h, weight, z);
    else within_at(job, w, h, part * lanes_all(node), z);
    return with_turns(w, z, turned);
}
#endif

#if EXTREMES
static lanes better(int i, lanes best, lanes value) {
    const mask bad = either(without(mask_of(EVERY), equal(best, best)),
                            without(mask_of(EVERY), equal(value, value)));
    const lanes found = IS_MAX[i] ? larger(best, value) : smaller(best, value);
    return select(bad, lanes_all(NAN), found);
}

// In the lanes `m`, dE_i/dt is of_a at the part a and of_b, of the other sign, at b: as
// extremum_find() of src/sweep/extremum.h
static void refine(lanes_job *job, state *w, lanes h, mask m, int i, lanes a, lanes of_a, lanes b,
                   lanes of_b, lanes part) {
    lanes z[N + 1], turned[N + 1], value[EXTREMES], found = a, side = lanes_all(0);
    const lanes zero = lanes_all(0), one = lanes_all(1), close = lanes_all(0x1p-26) * part;
    mask open = m;
    for (int step = 0; step < 40 && bits_of(open); step++) {
        lanes next = b - of_b * (b - a) / (of_b - of_a);
        next = select(both(less(a, next), less(next, b)), next, a + (b - a) * lanes_all(0.5));
        next = select(m, next, zero);
        const lanes moved = lanes_fabs(next - found);
        within_at(job, w, h, next, z);
        hamel_slope(w->t + next * h, with_turns(w, z, turned), w->p, w->c_slope, value);
        const lanes there = value[i];
        found = select(open, next, found);
        open = without(open, either(at_most(moved, close), equal(there, zero)));
        open = both(open, equal(there, there));
        const mask right = both(open, both(either(less(zero, there), less(there, zero)),
                                           less(zero, there * of_b))),
                   left = without(open, right);
        of_a = select(both(right, equal(side, one)), of_a * lanes_all(0.5), of_a);
        of_b = select(both(left, equal(side, -one)), of_b * lanes_all(0.5), of_b);
        b = select(right, next, b), of_b = select(right, there, of_b);
        a = select(left, next, a), of_a = select(left, there, of_a);
        side = select(right, one, select(left, -one, side));
    }
    within_at(job, w, h, select(m, found, zero), z);
    hamel_extreme(w->t + found * h, with_turns(w, z, turned), w->p, w->c_extreme, value);
    w->best[i] = select(m, better(i, w->best[i], value[i]), w->best[i]);
}

static void take_extremes(lanes_job *job, state *w, mask good, lanes h, lanes part, int whole) {
    lanes z[N + 1], turned[N + 1], there[EXTREMES], value[EXTREMES];
    const lanes zero = lanes_all(0);
    for (int look = 1; look <= SIGN_LOOKS; look++) {
        const double node = (double)look / SIGN_LOOKS, before = (double)(look - 1) / SIGN_LOOKS;
        const lanes *at = look == SIGN_LOOKS
                              ? with_turns(w, w->z1, turned)
                              : place(job, w, h, part, whole, node, LOOK[look - 1], z, turned);
        lanes t = w->t1;
        if (look < SIGN_LOOKS) t = w->t + part * lanes_all(node) * h;
        hamel_slope(t, at, w->p, w->c_slope, there);
        for (int i = 0; i < EXTREMES; i++) {
            const mask turns = IS_MAX[i] ? both(less(zero, w->slope[i]), at_most(there[i], zero))
                                         : both(less(w->slope[i], zero), at_most(zero, there[i]));
            const mask m = both(good, turns);
            if (bits_of(m))
                refine(job, w, h, m, i, part * lanes_all(before), w->slope[i],
                       part * lanes_all(node), there[i], part);
        }
        for (int i = 0; i < EXTREMES; i++) w->slope[i] = select(good, there[i], w->slope[i]);
    }
    hamel_extreme(w->t1, with_turns(w, w->z1, turned), w->p, w->c_extreme, value);
    for (int i = 0; i < EXTREMES; i++)
        w->best[i] = select(good, better(i, w->best[i], value[i]), w->best[i]);
}

static void begin_extremes(state *w, mask m) {
    lanes turned[N + 1], slope[EXTREMES], value[EXTREMES];
    const lanes *z = with_turns(w, w->z, turned);
    hamel_slope(w->t, z, w->p, w->c_slope, slope);
    hamel_extreme(w->t, z, w->p, w->c_extreme, value);
    for (int i = 0; i < EXTREMES; i++)
        w->slope[i] = select(m, slope[i], w->slope[i]), w->best[i] = select(m, value[i], w->best[i]);
}
#endif

#if MEANS
static void take_means(lanes_job *job, state *w, mask good, lanes h, lanes part, int whole) {
    lanes z[N + 1], turned[N + 1], value[MEANS];
    const lanes step = w->t1 - w->t;
    for (int i = 0; i < NODES; i++) {
        const lanes *at = place(job, w, h, part, whole, GAUSS_NODE[i], GAUSS[i], z, turned);
        hamel_mean(w->t + step * lanes_all(GAUSS_NODE[i]), at, w->p, w->c_mean, value);
        for (int j = 0; j < MEANS; j++)
            w->integral[j] = select(good, w->integral[j] + step * lanes_all(GAUSS_WEIGHT[i]) * value[j],
                                    w->integral[j]);
    }
}
#endif

static void collect(lanes_job *job, state *w, mask good, lanes h, unsigned stopped) {
#if EXTREMES || MEANS
    const int whole = !stopped;
    const lanes part =
        whole ? lanes_all(1) : select(mask_of(stopped), (w->t1 - w->t) / h, lanes_all(1));
#endif
#if EXTREMES
    take_extremes(job, w, good, h, part, whole);
#endif
#if MEANS
    take_means(job, w, good, h, part, whole);
#endif
    (void)job, (void)w, (void)good, (void)h, (void)stopped;
}

// What is asked at the end, of all runs that have come to one
static void take_finals(lanes_job *job, state *w) {
#if FINALS
    for (uint64_t from = 0; from < job->count; from += HAMEL_WIDTH) {
        lanes value[FINALS], turned[N + 1];
        for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++) {
            const uint64_t run = from + lane < job->count ? from + lane : from;
            const double *end = job->end_state + run * END;
            load_start(w, lane, job->start + run * START);
            put(&w->t, lane, end[0]);
            for (int i = 0; i < N; i++) put(&w->z[i], lane, end[1 + i]);
            for (int i = 0; i < COORDINATES; i++) put(&w->turns[i], lane, end[1 + N + i]);
        }
        hamel_final_fixed(w->p, w->c_final);
        hamel_final(w->t, with_turns(w, w->z, turned), w->p, w->c_final, value);
        for (unsigned lane = 0; lane < HAMEL_WIDTH && from + lane < job->count; lane++)
            for (int i = 0; i < FINALS; i++)
                job->out[(from + lane) * OUT + EXTREMES + MEANS + i] = get(&value[i], lane);
    }
#else
    (void)job, (void)w;
#endif
}
