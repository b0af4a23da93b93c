// Extremes and means along a step, panel by panel, each of which is halved while it does not tell
// enough in some lane; in the others it is done with (src/sweep/system.h, panels.h).
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
// A part of a step, in parts of it; of all lanes
typedef struct {
    double from, width;
    int depth; // how often it was halved
} panel;

typedef struct {
    lanes_job *job;
    state *w;
    lanes h, part; // of the steps as they were tried; up to where they are taken
    int whole;     // all of them are
    mask is_long[4]; // panels of so many halvings are too long
} passage;

static panel half(const panel *p, int second) {
    const double width = p->width / 2;
    return (panel){second ? p->from + width : p->from, width, p->depth + 1};
}

static int is_root(const panel *p) { return p->width == 1; }

// The state at x, in parts of the steps; `weight`: of the dense output there, NULL: not known yet
static const lanes *place(const passage *s, double x, const double *weight, lanes *z, lanes *turned) {
    double found[STAGES];
    if (x == 1) return with_turns(s->w, s->w->z1, turned);
    if (!s->whole) {
        within_at(s->job, s->w, s->h, s->part * lanes_all(x), z);
        return with_turns(s->w, z, turned);
    }
    if (!weight) {
#if TAYLOR
        found[0] = x;
#else
        s->job->weights(x, found);
#endif
    }
    within_all(s->w, s->h, weight ? weight : found, z);
    return with_turns(s->w, z, turned);
}

static lanes time_at(const passage *s, double x) {
    if (x == 1) return s->w->t1;
    return s->w->t + s->part * lanes_all(x) * s->h;
}

static double nudged(const panel *p) { return p->from + p->width / 2 + p->width * PANEL_NUDGE; }

static passage pass_of(lanes_job *job, state *w, lanes h, lanes part, int whole) {
    passage s = {job, w, h, part, whole, {0}};
    const lanes run = lanes_all(job->end) - w->begin, length = (w->t1 - w->t) * lanes_all(PANELS_OF_RUN);
    for (int depth = 0; depth < 4; depth++)
        s.is_long[depth] = less(run, length * lanes_all(1.0 / (1 << depth)));
    return s;
}

static mask too_long(const passage *s, const panel *p) {
    return p->depth < 4 ? s->is_long[p->depth] : mask_of(0);
}

static void note_scale(lanes *scale, mask m, lanes value) {
    const lanes size = lanes_fabs(value);
    *scale = select(both(m, less(*scale, size)), size, *scale);
}

// Of the lanes that want to divide a panel those that may; one division less for them
static mask may_divide(const panel *p, mask m, lanes *splits) {
    const lanes one = lanes_all(1);
    m = p->depth < PANEL_DEEPEST ? both(m, at_most(one, *splits)) : mask_of(0);
    *splits = select(m, *splits - one, *splits);
    return m;
}
#endif

#if EXTREMES
static void extremes_at(const passage *s, double x, const double *weight, lanes *value) {
    lanes z[N + 1], turned[N + 1];
    hamel_extreme(time_at(s, x), place(s, x, weight, z, turned), s->w->p, s->w->c_extreme, value);
}

static void slopes_at(const passage *s, double x, lanes *value) {
    lanes z[N + 1], turned[N + 1];
    hamel_slope(time_at(s, x), place(s, x, NULL, z, turned), s->w->p, s->w->c_slope, value);
}

// max and min, of which nothing is left once E had no value
static void take_value(lanes *best, int i, mask m, lanes value) {
    const mask bad = either(without(mask_of(EVERY), equal(*best, *best)),
                            without(mask_of(EVERY), equal(value, value)));
    const lanes found = IS_MAX[i] ? larger(*best, value) : smaller(*best, value);
    *best = select(m, select(bad, lanes_all(NAN), found), *best);
}

// In the lanes `m`, dE_i/dt is of_a at the part a and of_b, of the other sign, at b: as
// extremum_find() of src/sweep/extremum.h
static void refine(const passage *s, mask m, int i, lanes a, lanes of_a, lanes b, lanes of_b) {
    state *w = s->w;
    lanes z[N + 1], turned[N + 1], value[EXTREMES], found = a, side = lanes_all(0);
    const lanes zero = lanes_all(0), one = lanes_all(1), close = lanes_all(0x1p-26) * (b - a),
                flat = lanes_all(0x1p-13) * larger(lanes_fabs(of_a), lanes_fabs(of_b));
    mask open = m;
    for (int step = 0; step < 60 && bits_of(open); step++) {
        lanes next = b - of_b * (b - a) / (of_b - of_a);
        const mask secant = step < 8 ? both(less(a, next), less(next, b)) : mask_of(0);
        next = select(secant, next, a + (b - a) * lanes_all(0.5));
        next = select(m, next, zero);
        const lanes moved = lanes_fabs(next - found);
        within_at(s->job, w, s->h, next, z);
        hamel_slope(w->t + next * s->h, with_turns(w, z, turned), w->p, w->c_slope, value);
        const lanes there = value[i];
        found = select(open, next, found);
        open = without(open, either(both(at_most(moved, close), at_most(lanes_fabs(there), flat)),
                                    equal(there, zero)));
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
    within_at(s->job, w, s->h, select(m, found, zero), z);
    hamel_extreme(w->t + found * s->h, with_turns(w, z, turned), w->p, w->c_extreme, value);
    take_value(&w->best[i], i, m, value[i]);
}

// --- what a panel tells: as src/sweep/panels.h has it --------------------------------------------

static lanes gap_of(const lanes *e) {
    const lanes five = lanes_all(5), three = lanes_all(3), nine = lanes_all(9),
                over = lanes_all(1.0 / 16),
                a = e[1] - (five * (e[0] + three * e[2] - e[4]) + e[6]) * over,
                b = e[3] - (nine * (e[2] + e[4]) - (e[0] + e[6])) * over,
                c = e[5] - (five * (e[6] + three * e[4] - e[2]) + e[0]) * over;
    return larger(larger(lanes_fabs(c), lanes_fabs(b)), lanes_fabs(a));
}

static lanes bend_of(const lanes *e, int i) {
    const int j = i < 1 ? 1 : i > PANEL_LOOKS - 1 ? PANEL_LOOKS - 1 : i;
    return e[j - 1] - lanes_all(2) * e[j] + e[j + 1];
}

// Of the lanes m those where more than one larger value than `best` may be somewhere; `turns`: where
// one may be, of each part
static mask panel_turns(const lanes *e, mask m, lanes best, lanes little, mask *turns) {
    const lanes margin = lanes_all(4) * gap_of(e);
    mask unsure = mask_of(0);
    lanes right = bend_of(e, 0);
    for (int i = 0; i < PANEL_LOOKS; i++) {
        const lanes rise = lanes_fabs(e[i + 1] - e[i]), left = right;
        right = bend_of(e, i + 1);
        const lanes bend = larger(lanes_fabs(right), lanes_fabs(left)),
                    top = larger(e[i + 1], e[i]) + bend * lanes_all(0.125) +
                          lanes_all(2) * margin;
        const mask high = both(m, less(best + little, top));
        turns[i] = mask_of(0);
        if (!bits_of(high)) continue;
        const mask steep = at_most(bend * lanes_all(0.5) + margin, rise),
                   hollow = both(at_most(margin, left), at_most(margin, right)),
                   crest = both(high, both(at_most(left, -margin), at_most(right, -margin))),
                   rest = without(high, crest), unclear = without(rest, either(steep, hollow));
        turns[i] = either(crest, i == 0 || i == PANEL_LOOKS - 1 ? rest : unclear);
        unsure = either(unsure, unclear);
    }
    return unsure;
}

// Largest values in the parts of a panel where they may be
static void refine_parts(const passage *s, const panel *p, int i, const mask *turns) {
    lanes left[EXTREMES], right[EXTREMES];
    const lanes zero = lanes_all(0), sign = lanes_all(IS_MAX[i] ? 1 : -1);
    const double each = p->width / PANEL_LOOKS;
    int known = 0; // slopes at the left end
    for (int j = 0; j < PANEL_LOOKS; j++) {
        const double a = p->from + each * j, b = p->from + each * (j + 1);
        if (!bits_of(turns[j])) {
            known = 0;
            continue;
        }
        if (!known) slopes_at(s, a, left);
        slopes_at(s, b, right);
        const mask m = both(turns[j], both(less(zero, sign * left[i]), at_most(sign * right[i], zero)));
        if (bits_of(m)) refine(s, m, i, s->part * lanes_all(a), left[i], s->part * lanes_all(b), right[i]);
        for (int k = 0; k < EXTREMES; k++) left[k] = right[k];
        known = 1;
    }
}

// The lanes of those that are open which halve the panel for extreme i; what is in it is taken in
// the others
static mask divides(const passage *s, const panel *p, const lanes (*looks)[EXTREMES], int i, mask open,
                    lanes *noise, int *noisy) {
    state *w = s->w;
    lanes e[PANEL_LOOKS + 1];
    const lanes sign = lanes_all(IS_MAX[i] ? 1 : -1);
    mask turns[PANEL_LOOKS];
    for (int j = 0; j <= PANEL_LOOKS; j++) {
        e[j] = sign * looks[j][i];
        if (j) take_value(&w->best[i], i, open, looks[j][i]), note_scale(&w->scale[i], open, e[j]);
    }
    const mask too = both(open, too_long(s, p)), rest = without(open, too);
    const lanes best = sign * w->best[i], little = lanes_all(fmax(s->job->tolerance, 0x1p-46)) * w->scale[i];
    mask unsure = panel_turns(e, rest, best, little, turns), again = mask_of(0);
    if (bits_of(unsure)) {
        if (!*noisy) extremes_at(s, nudged(p), NULL, noise);
        *noisy = 1;
        const lanes known = lanes_fabs(noise[i] - looks[PANEL_LOOKS / 2][i]);
        mask other[PANEL_LOOKS];
        again = may_divide(p, panel_turns(e, unsure, best, little + lanes_all(32) * known, other),
                           &w->splits[i]);
        for (int j = 0; j < PANEL_LOOKS; j++)
            turns[j] = either(without(turns[j], unsure), without(other[j], again));
    }
    refine_parts(s, p, i, turns);
    return either(too, again);
}

// With E at 0, 1/3, 2/3 and 1 of the panel, for the lanes in which it is open
static void pass_extremes(const passage *s, const panel *p, const lanes (*known)[EXTREMES],
                          const mask *open) {
    lanes looks[PANEL_LOOKS + 1][EXTREMES], noise[EXTREMES];
    mask inner[EXTREMES];
    unsigned any = 0;
    int noisy = 0;
    for (int j = 0; j <= PANEL_LOOKS; j++)
        if (j % 2)
            extremes_at(s, p->from + p->width * j / PANEL_LOOKS, is_root(p) ? LOOK[j] : NULL, looks[j]);
        else memcpy(looks[j], known[j / 2], sizeof looks[j]);
    for (int i = 0; i < EXTREMES; i++) {
        inner[i] = divides(s, p, looks, i, open[i], noise, &noisy);
        any |= bits_of(inner[i]);
    }
    if (!any) return;
    const panel one = half(p, 0), other = half(p, 1);
    pass_extremes(s, &one, looks, inner);
    pass_extremes(s, &other, looks + PANEL_LOOKS / 2, inner);
}

static void take_extremes(const passage *s, mask good) {
    state *w = s->w;
    lanes known[4][EXTREMES];
    mask open[EXTREMES];
    memcpy(known[0], w->start, sizeof known[0]);
    for (int j = 1; j <= 3; j++) extremes_at(s, j == 3 ? 1 : j / 3.0, LOOK[2 * j], known[j]);
    for (int i = 0; i < EXTREMES; i++)
        open[i] = good, w->splits[i] += lanes_all(PANEL_SPLITS_A_STEP);
    pass_extremes(s, &(panel){0, 1, 0}, (const lanes (*)[EXTREMES])known, open);
    for (int i = 0; i < EXTREMES; i++) w->start[i] = select(good, known[3][i], w->start[i]);
}
#endif

#if MEANS
static void means_at(const passage *s, double x, const double *weight, lanes *value) {
    lanes z[N + 1], turned[N + 1];
    hamel_mean(time_at(s, x), place(s, x, weight, z, turned), s->w->p, s->w->c_mean, value);
}

// Where the rules of a panel are farther off than is allowed
static mask differ(const panel *p, lanes off, lanes odd, lanes little, lanes noise) {
    const lanes width = lanes_all(p->width);
    return less(little + lanes_all(4) * width * noise,
                width * larger(lanes_fabs(off), lanes_fabs(odd)));
}

static mask mean_divides(const passage *s, const panel *p, int i, mask open, lanes away, lanes odd,
                         lanes middle, lanes *noise, int *noisy) {
    state *w = s->w;
    const lanes little = lanes_all(fmax(s->job->tolerance, 0x1p-46)) * w->scale[EXTREMES + i];
    const mask too = both(open, too_long(s, p)),
               off = both(without(open, too), differ(p, away, odd, little, lanes_all(0)));
    if (!bits_of(off)) return too;
    if (!*noisy) means_at(s, nudged(p), NULL, noise);
    *noisy = 1;
    const lanes known = lanes_fabs(noise[i] - middle);
    return either(too, may_divide(p, both(off, differ(p, away, odd, little, known)),
                                  &w->splits[EXTREMES + i]));
}

// With E at both ends, for the lanes in which the panel is open
static void pass_means(const passage *s, const panel *p, const lanes *first, const lanes *last,
                       const mask *open) {
    state *w = s->w;
    lanes fine[MEANS], away[MEANS], odd[MEANS], middle[MEANS], there[MEANS], noise[MEANS];
    const lanes length = (w->t1 - w->t) * lanes_all(p->width);
    mask inner[MEANS];
    unsigned any = 0;
    int noisy = 0;
    for (int i = 0; i < MEANS; i++) fine[i] = away[i] = odd[i] = lanes_all(0);
    for (int j = 0; j < PANEL_NODES; j++) {
        const lanes *value = j == 0 ? first : j == PANEL_NODES - 1 ? last : there;
        if (value == there)
            means_at(s, p->from + p->width * MEAN_NODE[j], is_root(p) ? MEAN[j] : NULL, there);
        for (int i = 0; i < MEANS; i++) {
            fine[i] += lanes_all(MEAN_FINE[j]) * value[i];
            away[i] += lanes_all(MEAN_AWAY[j]) * value[i];
            odd[i] += lanes_all(MEAN_ODD[j]) * value[i];
            if (j == PANEL_NODES / 2) middle[i] = value[i];
            note_scale(&w->scale[EXTREMES + i], open[i], value[i]);
        }
    }
    for (int i = 0; i < MEANS; i++) {
        inner[i] = mean_divides(s, p, i, open[i], away[i], odd[i], middle[i], noise, &noisy);
        any |= bits_of(inner[i]);
        w->integral[i] =
            select(without(open[i], inner[i]), w->integral[i] + length * fine[i], w->integral[i]);
    }
    if (!any) return;
    const panel one = half(p, 0), other = half(p, 1);
    pass_means(s, &one, first, middle, inner), pass_means(s, &other, middle, last, inner);
}

static void take_means(const passage *s, mask good) {
    state *w = s->w;
    lanes last[MEANS], *first = w->start + EXTREMES;
    mask open[MEANS];
    means_at(s, 1, NULL, last);
    for (int i = 0; i < MEANS; i++)
        open[i] = good, w->splits[EXTREMES + i] += lanes_all(PANEL_SPLITS_A_STEP);
    pass_means(s, &(panel){0, 1, 0}, first, last, open);
    for (int i = 0; i < MEANS; i++) first[i] = select(good, last[i], first[i]);
}
#endif

// Runs begin in the lanes m
static void begin_collecting(state *w, mask m) {
#if EXTREMES || MEANS
    lanes turned[N + 1], value[EXTREMES + MEANS];
    const lanes *z = with_turns(w, w->z, turned);
    w->begin = select(m, w->t, w->begin);
#if EXTREMES
    hamel_extreme(w->t, z, w->p, w->c_extreme, value);
#endif
#if MEANS
    hamel_mean(w->t, z, w->p, w->c_mean, value + EXTREMES);
#endif
    for (int i = 0; i < EXTREMES + MEANS; i++) {
        w->start[i] = select(m, value[i], w->start[i]);
        w->scale[i] = select(m, lanes_fabs(value[i]), w->scale[i]);
        w->splits[i] = select(m, lanes_all(PANEL_SPLITS), w->splits[i]);
        if (i < EXTREMES) w->best[i] = select(m, value[i], w->best[i]);
    }
#endif
    (void)w, (void)m;
}

static void collect(lanes_job *job, state *w, mask good, lanes h, unsigned stopped) {
#if EXTREMES || MEANS
    const int whole = !stopped;
    const lanes part =
        whole ? lanes_all(1) : select(mask_of(stopped), (w->t1 - w->t) / h, lanes_all(1));
    const passage s = pass_of(job, w, h, part, whole);
#if EXTREMES
    take_extremes(&s, good);
#endif
#if MEANS
    take_means(&s, good);
#endif
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
