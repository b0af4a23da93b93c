// The steps of Taylor's method in lanes, in the operations of src/integrate/taylor_template.h and
// series_end_template.h: a step is kept where its polynomial ends with the slope that the equations
// have there, and its end is known with the series of the next step. A lane that takes up a run
// first finds the series at its start, by a step of the length 0.

// --- the end of a step ---------------------------------------------------------------------------

// What rounding left out of p = a b
HAMEL_INLINE lanes product_rest(lanes a, lanes b, lanes p) {
#if HAMEL_FUSED || defined LANES_OF_PROCESSOR
    return lanes_fma(a, b, -p);
#else
    EACH p[i] = __builtin_fma(a[i], b[i], -p[i]);
    return p;
#endif
}

// Component i at h + h_low from its coefficients, what rounding left out of it, and the slope there
HAMEL_INLINE void advance(state *w, int i, lanes h, lanes h_low) {
    const lanes square = h * h, *c = w->k + i;
    lanes even = lanes_all(0), odd = even, even_slope = even, odd_slope = even;
    int k = ORDER;
    if (ORDER % 2 == 0) even = c[k * N], k--;
    for (; k > 2; k -= 2) {
        odd_slope = lanes_fma(odd_slope, square, odd);
        odd = lanes_fma(odd, square, c[k * N]);
        even_slope = lanes_fma(even_slope, square, even);
        even = lanes_fma(even, square, c[(k - 1) * N]);
    }
    const lanes z = c[0], c1 = c[N], q = lanes_fma(h, odd, even),
                dq = lanes_fma(h + h, lanes_fma(h, odd_slope, even_slope), odd), rest = h * q;
    const lanes mean = c1 + rest, part = mean - c1, mean_low = (c1 - (mean - part)) + (rest - part),
                way = h * mean,
                way_low = lanes_fma(h_low, mean, lanes_fma(h, mean_low, product_rest(h, mean, way)));
    const lanes end = z + way, step = end - z, end_low = (z - (end - step)) + (way - step),
                beyond = end_low + (w->rest[i] + way_low), sum = end + beyond;
    w->z1[i] = sum, w->rest1[i] = beyond - (sum - end);
    w->slope_at_end[i] = lanes_fma(h, lanes_fma(h, dq, q), mean);
}

static void advance_all(state *w) {
    const lanes t = w->t, t1 = w->t1, h = t1 - t, back = h - t1,
                h_low = (t1 - (h - back)) - (t + back);
    for (int i = 0; i < N; i++) advance(w, i, h, h_low);
    const unsigned fresh = w->fresh;
    if (!fresh) return;
    const mask m = mask_of(fresh);
    for (int i = 0; i < N; i++)
        w->z1[i] = select(m, w->z[i], w->z1[i]), w->rest1[i] = select(m, lanes_all(0), w->rest1[i]);
}

// 0, and not a number where a coefficient is none or infinite; no sum waits for another one
static lanes nothing_of(const lanes *c) {
    enum { ALL = STAGES * N };
    const lanes zero = lanes_all(0);
    lanes a = zero, b = zero, d = zero, e = zero;
    int j = 0;
    for (; j + 4 <= ALL; j += 4)
        a = lanes_fma(zero, c[j], a), b = lanes_fma(zero, c[j + 1], b),
        d = lanes_fma(zero, c[j + 2], d), e = lanes_fma(zero, c[j + 3], e);
    for (; j < ALL; j++) a = lanes_fma(zero, c[j], a);
    return (a + b) + (d + e);
}

// Does the sum of products of the series' coefficients tell that they are finite? Those of two
// orders at once are in it
static int all_seen(const series_work *work, const lanes *c) {
    enum { BEFORE = ORDER % 2 ? ORDER - 1 : 1 };
    lanes a = work->seen, b = lanes_all(0);
    for (int i = 0; i < N; i++)
        a = lanes_fma(c[i], c[N + i], a), b = lanes_fma(c[BEFORE * N + i], c[ORDER * N + i], b);
    return bits_of(finite_lanes(a + b)) == EVERY;
}

// 0: the step is good; 2: it is too long; not finite where the coefficients are not, or of the last
// step the slope
static void judge(state *w, const series_work *work, lanes tolerance) {
    const lanes h = w->t1 - w->t, one = lanes_all(1), zero = lanes_all(0),
                order = select(mask_of(w->usual), lanes_all(USUAL_ORDER), lanes_all(ORDER)),
                defect = lanes_all(2) * order * tolerance, rounding = lanes_all(1e-14),
                part = larger(defect, rounding), *f1 = w->next + N;
    mask good = mask_of(EVERY);
    lanes of_slope = zero;
    for (int i = 0; i < N; i++) {
        const lanes gap = h * lanes_fabs(w->slope_at_end[i] - f1[i]),
                    size = one + lanes_fabs(w->z1[i]) +
                           h * (lanes_fabs(f1[i]) + lanes_fabs(w->k[N + i]));
        good = both(good, at_most(gap, part * size));
        of_slope = lanes_fma(zero, f1[i], of_slope);
    }
    const lanes nothing = all_seen(work, w->next) ? zero : nothing_of(w->next);
    w->size = select(good, zero, lanes_all(2)) + select(w->last, of_slope, nothing);
}

static void take_fresh(state *w) {
    const mask m = mask_of(w->fresh);
    for (int j = 0; j < STAGES * N; j++) w->k[j] = select(m, w->next[j], w->k[j]);
    w->lost = w->fresh & ~bits_of(finite_lanes(w->size));
    w->ready |= w->fresh;
}

// Lanes of the usual order have nothing beyond it
static void end_series(const state *w, lanes *c) {
#if SHORTENS
    const mask m = mask_of(w->usual);
    if (w->usual)
        for (int j = (USUAL_ORDER + 1) * N; j < STAGES * N; j++)
            c[j] = select(m, lanes_all(0), c[j]);
#else
    (void)w, (void)c;
#endif
}

// The series where steps of the lengths h end, and the sizes of their errors. One group after the
// other: the sums of products keep the processor busy, and rows of one group stay close to it.
static void hamel_attempt(state *all, series_work *work, lanes tolerance) {
    for (state *w = all; w < all + GROUPS; w++) {
        advance_all(w);
        hamel_series_start(work, w->t1, w->z1, w->p, w->c, w->next);
        sums_one(work);
        hamel_series_order(work, w->p, w->c, lanes_all(1), 1, w->next + N);
        for (int k = 2; k + 1 < ORDER; k += 2) {
            sums(work, k);
            hamel_series_two_orders(work, w->p, w->c, lanes_all(1.0 / k), lanes_all(1.0 / (k + 1)),
                                    k, w->next + k * N);
        }
        if (ORDER % 2) {
            sums(work, ORDER - 1);
            hamel_series_order(work, w->p, w->c, lanes_all(1.0 / (ORDER - 1)), ORDER - 1,
                               w->next + (ORDER - 1) * N);
        }
        hamel_series_last(work, w->p, w->c, lanes_all(1.0 / ORDER), ORDER, w->next + ORDER * N);
        end_series(w, w->next);
        judge(w, work, tolerance);
        if (w->fresh) take_fresh(w);
    }
}

// --- the length of a step ------------------------------------------------------------------------

static lanes norm_of(const state *w, int k) {
    lanes most = lanes_all(0);
    for (int i = 0; i < N; i++) {
        const lanes scale = larger(lanes_fabs(w->k[i]), lanes_all(1));
        most = larger(most, lanes_fabs(w->k[k * N + i]) / scale);
    }
    return most;
}

static lanes growth_by(const state *w, int k) { return lanes_log(norm_of(w, k)) / lanes_all(k); }

// The radius from the last two coefficients; where it is suddenly larger than it was a step before,
// some before them are asked too
HAMEL_INLINE lanes step_of(state *w, mask asked, const int order, const double reach) {
    enum { LOOK_BACK = 6 };
    lanes now = larger(growth_by(w, order - 1), growth_by(w, order));
    const mask sudden = both(asked, less(now, w->growth - lanes_all(0.4)));
    if (bits_of(sudden)) {
        lanes before = lanes_all(-HUGE_VAL);
        for (int k = order > LOOK_BACK + 1 ? order - LOOK_BACK : 2; k + 2 <= order; k++)
            before = larger(before, growth_by(w, k));
        now = select(both(sudden, less(now, before - lanes_all(0.4))), before, now);
    }
    w->growth = select(asked, now, w->growth);
    return lanes_exp(lanes_all(reach) - now);
}

static void choose_steps(state *w) {
    unsigned asked = w->ready;
#if SHORTENS
    const unsigned now = asked & w->tired & ~w->usual;
    w->usual |= now;
    if (now) end_series(w, w->k), w->growth = select(mask_of(now), lanes_all(HUGE_VAL), w->growth);
    const mask usual = mask_of(asked & w->usual);
    if (asked & w->usual)
        w->h = select(usual, step_of(w, usual, USUAL_ORDER, USUAL_REACH), w->h);
    asked &= ~w->usual;
#endif
    const mask m = mask_of(asked);
    if (asked) w->h = select(m, step_of(w, m, ORDER, REACH), w->h);
}

// --- the look along a step -----------------------------------------------------------------------

#if INPUTS
// Do the series stay in the boxes? As clear_box_holds_curve() of src/integrate/clear_box.c:
// z + c_1 h, and |c_2| h^2 + |c_3| h^3 + .. to both sides
static mask series_stay_in_box(const state *w) {
    const lanes h = w->h, square = h * h, zero = lanes_all(0);
    mask m = mask_of(EVERY);
    for (int j = 0; j < INPUTS; j++) {
        const int i = INPUT[j];
        lanes first = w->t, way = h, bent = zero;
        if (i < N) {
            const lanes *c = w->k + i;
            lanes even = zero, odd = zero;
            int k = ORDER;
            if (ORDER % 2 == 0) even = lanes_fabs(c[k * N]), k--;
            for (; k > 2; k -= 2)
                odd = lanes_fma(odd, square, lanes_fabs(c[k * N])),
                even = lanes_fma(even, square, lanes_fabs(c[(k - 1) * N]));
            first = c[0], way = h * c[N];
            bent = lanes_fma(square, lanes_fma(h, odd, even),
                             lanes_all(1e-15) * (lanes_fabs(first) + lanes_fabs(way)));
        }
        m = both(m, both(at_most(w->low[j], first + smaller(way, zero) - bent),
                         at_most(first + larger(way, zero) + bent, w->high[j])));
    }
    return m;
}

static void end_lanes(lanes_job *job, const state *w, unsigned which, lanes_ending how);

// What the host says of the steps of such lanes before they are tried
static void ask_ahead(lanes_job *job, state *w, unsigned which, unsigned again) {
    unsigned given_up = 0, shorter = 0;
    for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++) {
        const unsigned bit = 1u << lane;
        lanes_view *v = job->view;
        if (!(which & bit)) continue;
        show(job, w, lane);
        job->looks++;
        switch (job->look_ahead(job->host, w->first_lane + lane, (again & bit) != 0)) {
        case LANE_SHORTER: shorter |= bit, put(&w->h, lane, v->h); break;
        case LANE_GIVEN_UP: given_up |= bit; break;
        case LANE_STOPS:
        case LANE_GOES_ON: break;
        }
        w->unsure &= ~(v->known ? bit : 0);
        w->hides |= v->hides ? bit : 0, w->tired |= v->tired ? bit : 0;
        take_box(job, w, lane);
    }
    w->last = without(w->last, mask_of(shorter));
    w->t1 = select(mask_of(shorter), w->t + w->h, w->t1);
    if (given_up) end_lanes(job, w, given_up, RUN_IS_GIVEN_UP), w->busy &= ~given_up;
}

// Lanes whose step leaves the box; of these, and of those that try a shorter one where ranges do not
// tell, the host looks along it
static void look_ahead(lanes_job *job, state *w) {
    const unsigned ready = w->ready & w->busy;
    if (ready) {
        const unsigned out = ready & ~(ALWAYS_LOOKS ? 0 : bits_of(series_stay_in_box(w)));
        w->unsure = (w->unsure & ~ready) | out;
    }
#if LOOKS_AHEAD
    const unsigned again = w->hides & w->busy & ~ready, first = w->unsure & ready;
    w->hides &= ~ready;
    if (first | again) ask_ahead(job, w, first | again, again);
#else
    (void)job, (void)ask_ahead;
#endif
}
#endif

// --- after a step --------------------------------------------------------------------------------

static lanes factor_after(state *w, mask good, lanes size) {
    (void)w;
    return select(good, lanes_all(1), select(finite_lanes(size), lanes_all(0.5), lanes_all(0.25)));
}

// The series at the end is that of the next step; lanes that stay where they are keep theirs
static void turn_over(state *w, mask good) {
    lanes *spent = w->k;
    if (bits_of(good) != EVERY)
        for (int j = 0; j < STAGES * N; j++) w->next[j] = select(good, w->next[j], w->k[j]);
    w->k = w->next, w->next = spent;
    for (int i = 0; i < N; i++) w->rest[i] = select(good, w->rest1[i], w->rest[i]);
    w->ready |= bits_of(good);
}

// --- within a step -------------------------------------------------------------------------------

#if EXTREMES || MEANS
static void more_stages(state *w, lanes h) { (void)w, (void)h; }

static void within_at(lanes_job *job, const state *w, lanes h, lanes theta, lanes *out) {
    const lanes s = theta * h, square = s * s;
    (void)job;
    for (int i = 0; i < N; i++) {
        const lanes *c = w->k + i;
        lanes even = lanes_all(0), odd = even;
        int k = ORDER;
        if (ORDER % 2 == 0) even = c[k * N], k--;
        for (; k > 2; k -= 2)
            odd = lanes_fma(odd, square, c[k * N]), even = lanes_fma(even, square, c[(k - 1) * N]);
        out[i] = lanes_fma(s, lanes_fma(s, lanes_fma(s, odd, even), c[N]), c[0]);
    }
}

// `weight` holds the part of the step
static void within_all(const state *w, lanes h, const double *weight, lanes *out) {
    within_at(NULL, w, h, lanes_all(weight[0]), out);
}
#endif
