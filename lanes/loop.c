// The steps of all lanes, each with its own time, step and error control, until the runs of a chunk
// are over; a lane whose run has ended takes the next one at once. Steps are those of
// src/integrate/runge_kutta.c, in the same operations. What a lane cannot see by itself (a step that
// leaves the box in which nothing has to be looked at) it asks its host.

// --- lanes and runs ------------------------------------------------------------------------------

// The number of steps at which it is asked next whether they get on
static double next_due(double steps) {
    return fmin(1000 * (floor(steps / 1000) + 1), 65536 * (floor(steps / 65536) + 1));
}

static void begin_lane(lanes_job *job, state *w, unsigned lane, uint64_t run) {
    const double *start = job->start + run * START, *first = job->first + run * (N + 1);
    lanes_view *v = job->view;
    load_start(w, lane, start);
    w->run[lane] = run, w->rejected &= ~(1u << lane);
#if TAYLOR
    put(&w->h, lane, 0), put(&w->growth, lane, HUGE_VAL), w->fresh |= 1u << lane;
    const unsigned others = ~(1u << lane);
    w->ready &= others, w->unsure &= others, w->hides &= others, w->tired &= others,
        w->usual &= others;
    for (int i = 0; i < N; i++) put(&w->rest[i], lane, 0);
    (void)first;
#else
    put(&w->h, lane, first[0]);
    for (int i = 0; i < N; i++) put(&w->k[i], lane, first[1 + i]);
    put(&w->log_before, lane, log(1e-4));
#endif
    put(&w->steps, lane, 0), put(&w->due, lane, next_due(0)), put(&w->largest, lane, 0);
    put(&w->stuck_mark, lane, start[0]), put(&w->slow_mark, lane, start[0]);
    for (int i = 0; i < MEANS; i++) put(&w->integral[i], lane, 0);
    for (int i = 0; i < COORDINATES; i++) put(&w->turns[i], lane, 0), v->turns[i] = 0;
    v->t = start[0];
    for (int i = 0; i < N; i++) v->z[i] = start[1 + i];
    job->begin(job->host, w->first_lane + lane, run, start + 1 + N);
    take_box(job, w, lane);
}

// Runs into the lanes that have none; `next` is the first that waits
static void fill(lanes_job *job, state *w, uint64_t *next) {
    unsigned fresh = 0;
    for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++) {
        if (w->busy >> lane & 1) continue;
        while (!TAYLOR && *next < job->count && !(job->first[*next * (N + 1)] > 0)) // no rates at its start
            job->until[*next] = job->start[*next * START], job->ended[(*next)++] = RUN_IS_GIVEN_UP;
        if (*next == job->count) break;
        begin_lane(job, w, lane, (*next)++);
        fresh |= 1u << lane;
    }
    if (!fresh) return;
    take_parameters(w);
    begin_collecting(w, mask_of(fresh));
#if ENERGY
    lanes energy[1];
    hamel_energy(w->t, w->z, w->p, w->c_energy, energy);
    w->energy = select(mask_of(fresh), energy[0], w->energy);
#endif
    w->busy |= fresh;
}

static void end_lane(lanes_job *job, const state *w, unsigned lane, lanes_ending how) {
    const uint64_t run = w->run[lane];
    double *out = job->out + run * OUT, *end = job->end_state + run * END;
    job->ended[run] = (unsigned char)how, job->until[run] = end[0] = get(&w->t, lane);
    for (int i = 0; i < N; i++) end[1 + i] = get(&w->z[i], lane);
    for (int i = 0; i < COORDINATES; i++) end[1 + N + i] = get(&w->turns[i], lane);
    for (int i = 0; i < EXTREMES; i++) out[i] = get(&w->best[i], lane);
    for (int i = 0; i < MEANS; i++) out[EXTREMES + i] = get(&w->integral[i], lane);
    job->steps += (uint64_t)get(&w->steps, lane);
}

static void end_lanes(lanes_job *job, const state *w, unsigned which, lanes_ending how) {
    for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++)
        if (which >> lane & 1) end_lane(job, w, lane, how);
}

// --- what a step is asked ------------------------------------------------------------------------

static mask too_small(lanes t, lanes h) {
    const lanes size = lanes_fabs(h), least = lanes_all(4 * 0x1p-52) * lanes_fabs(t);
    return either(without(mask_of(EVERY), less(least, size)),
                  less(size, lanes_all(0x1p-1022 / 0x1p-52)));
}

#if !TAYLOR
// Do the steps stay in the boxes? As clear_box_holds_ends() of src/integrate/clear_box.c
static mask stays_in_box(const state *w, lanes h) {
    mask m = mask_of(EVERY);
#if INPUTS
    const lanes over = lanes_all(1) / h;
    for (int k = 0; k < INPUTS; k++) {
        const int i = INPUT[k];
        lanes middle = w->t + h * lanes_all(0.5), radius = h * lanes_all(0.5);
        if (i < N) {
            const lanes f = w->k[i], f1 = w->k[LAST * N + i], gap = (w->z1[i] - w->z[i]) * over,
                        c = lanes_all(3) * gap - lanes_all(2) * f - f1,
                        d = f + f1 - lanes_all(2) * gap;
            middle = w->z[i] + h * (f * lanes_all(0.5) + c * lanes_all(0.25) + d * lanes_all(0.125));
            radius = h * (lanes_fabs(f + c + lanes_all(0.75) * d) * lanes_all(0.5) +
                          (lanes_all(2) * lanes_fabs(c) + lanes_all(6) * lanes_fabs(d)) *
                              lanes_all(0.25)) +
                     lanes_all(2e-15) * lanes_fabs(middle);
        }
        m = both(m, both(at_most(w->low[k], middle - radius), at_most(middle + radius, w->high[k])));
    }
#else
    (void)w, (void)h;
#endif
    return m;
}
#endif

// Lanes of which the host has to look at the step
static mask is_unsure(state *w, mask good, lanes h, lanes drift) {
#if TAYLOR
    mask sure = mask_of(WATCHED ? EVERY & ~w->unsure : EVERY);
    (void)h;
#else
    mask sure = stays_in_box(w, h);
#endif
#if ENERGY
    lanes energy[1];
    hamel_energy(w->t1, w->z1, w->p, w->c_energy, energy);
    w->energy1 = energy[0];
    sure = both(sure, at_most(lanes_fabs(energy[0] - w->energy),
                              drift * (lanes_all(1) + lanes_fabs(energy[0]))));
#else
    (void)drift;
#endif
    return without(good, sure);
}

typedef struct {
    unsigned shorter, stopped, given_up;
} answers;

static answers ask(lanes_job *job, state *w, unsigned which) {
    answers a = {0};
    for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++) {
        if (!(which >> lane & 1)) continue;
        lanes_view *v = job->view;
        show(job, w, lane);
        job->looks++;
        switch (job->look(job->host, w->first_lane + lane)) {
        case LANE_GOES_ON: break;
        case LANE_SHORTER: a.shorter |= 1u << lane, put(&w->h, lane, v->h); break;
        case LANE_STOPS:
            a.stopped |= 1u << lane;
            put(&w->t1, lane, v->t1);
            for (int i = 0; i < N; i++) put(&w->z1[i], lane, v->z1[i]);
            break;
        case LANE_GIVEN_UP: a.given_up |= 1u << lane; break;
        }
        take_box(job, w, lane);
    }
    return a;
}

#if TAYLOR && ENERGY
// Attempts that do not keep the energy are halved, whatever their series are
static lanes lost_by_energy(lanes_job *job, state *w, unsigned which, lanes size) {
    unsigned lost = 0;
    for (unsigned lane = 0; lane < HAMEL_WIDTH && which; lane++) {
        if (!(which >> lane & 1)) continue;
        show(job, w, lane);
        if (!job->keeps_energy(job->host, w->first_lane + lane)) lost |= 1u << lane;
    }
    return select(mask_of(lost), lanes_all(2), size);
}
#endif

// --- step control --------------------------------------------------------------------------------

static lanes within_bounds(double least, lanes x, lanes most) {
    return select(less(x, lanes_all(least)), lanes_all(least), select(less(most, x), most, x));
}

#if !TAYLOR
// As step_control_after_success() and step_control_after_rejection() where it was no step: `good` are
// accepted. The power of a rejected size is that of its logarithm, but for the bits of the scalar code
static lanes factor_after(state *w, mask good, lanes size) {
    const lanes smallest = lanes_all(1e-4), least = smallest * smallest,
                seen = select(less(least, size), size, least), log_seen = lanes_log(seen),
                falls = lanes_all(ALPHA) * log_seen;
    const mask over = less(lanes_all(1), size);
    lanes factor = lanes_all(0.9) *
                   lanes_exp(select(over, -falls, lanes_all(BETA) * w->log_before - falls));
#ifndef SLEEF
    if (bits_of(over))
        factor = select(over, lanes_all(0.9) * lanes_pow(size, lanes_all(-(ALPHA))), factor);
#endif
    const lanes log_before = select(less(smallest, seen), log_seen, lanes_all(log(1e-4)));
    w->log_before = select(good, log_before, w->log_before);
    const lanes most = select(mask_of(w->rejected), lanes_all(1), lanes_all(6));
    factor = within_bounds(0.2, factor, most);
    return select(finite_lanes(size), factor, lanes_all(0.25));
}
#endif

// --- at the ends of steps ------------------------------------------------------------------------

// Whole turns off
static void shift(lanes_job *job, state *w, mask good) {
#if SHIFTS
    mask far = mask_of(0);
    for (int k = 0; k < SHIFTS; k++)
        far = either(far, less(lanes_all(FAR[k]), lanes_fabs(w->z[LEADER[k]])));
    const unsigned which = bits_of(both(far, good));
    for (unsigned lane = 0; lane < HAMEL_WIDTH && which; lane++) {
        if (!(which >> lane & 1)) continue;
        lanes_view *v = job->view;
        show(job, w, lane);
        job->shift(job->host, w->first_lane + lane);
        for (int i = 0; i < COORDINATES; i++)
            put(&w->z[i], lane, v->z[i]), put(&w->turns[i], lane, v->turns[i]);
#if TAYLOR
        for (int i = 0; i < N; i++)
            put(&w->k[i], lane, v->z[i]), put(&w->rest[i], lane, v->rest[i]);
#endif
    }
#else
    (void)job, (void)w, (void)good;
#endif
}

// Lanes that do not get on, as src/simulate/pace.c judges them
static unsigned stuck_lanes(const lanes_job *job, state *w, unsigned which) {
    unsigned stuck = 0;
    for (unsigned lane = 0; lane < HAMEL_WIDTH; lane++) {
        if (!(which >> lane & 1)) continue;
        const double t = get(&w->t, lane), steps = get(&w->steps, lane);
        int ends = 0;
        if (fmod(steps, 1000) == 0) {
            ends = steps > 1000 && t - get(&w->stuck_mark, lane) < 0.01 * get(&w->largest, lane);
            put(&w->stuck_mark, lane, t);
        }
        if (fmod(steps, 65536) == 0) {
            ends = ends || (t - get(&w->slow_mark, lane)) * (1e11 / 65536) < job->end - t;
            put(&w->slow_mark, lane, t);
        }
        put(&w->due, lane, next_due(steps));
        if (ends) stuck |= 1u << lane;
    }
    return stuck;
}

static void accept(state *w, mask good, lanes next) {
    w->largest = select(good, larger(w->largest, w->t1 - w->t), w->largest);
    w->steps = select(good, w->steps + lanes_all(1), w->steps);
    w->t = select(good, w->t1, w->t), w->h = select(good, next, w->h);
    w->energy = select(good, w->energy1, w->energy);
    for (int i = 0; i < N; i++) w->z[i] = select(good, w->z1[i], w->z[i]);
#if TAYLOR
    turn_over(w, good);
#else
    for (int i = 0; i < N; i++) w->k[i] = select(good, w->k[LAST * N + i], w->k[i]);
#endif
    w->rejected &= ~bits_of(good);
}

// --- the loop ------------------------------------------------------------------------------------

// How long the attempts are; lanes whose steps have become too short end
static void begin_steps(lanes_job *job, state *w) {
    const lanes end = lanes_all(job->end);
#if TAYLOR
    if (w->ready) choose_steps(w);
#endif
    unsigned waits = 0; // lanes that take no step
    mask last = either(without(mask_of(EVERY), less(w->t + lanes_all(1.0000001) * w->h, end)),
                       too_small(w->t, end - (w->t + w->h)));
#if TAYLOR
    // A step that is tried again is the last one no more
    const mask anew = mask_of(w->ready | w->fresh);
    last = either(both(last, anew), without(w->last, anew));
    waits = w->fresh;
#endif
    w->last = last;
    w->h = select(w->last, end - w->t, w->h);
    w->t1 = select(w->last, end, w->t + w->h);
#if TAYLOR && INPUTS
    look_ahead(job, w);
#endif
#if TAYLOR
    w->ready = 0;
#endif
    const unsigned lost = w->busy & ~waits & bits_of(too_small(w->t, w->h));
    if (lost) end_lanes(job, w, lost, RUN_IS_GIVEN_UP), w->busy &= ~lost;
}

// What becomes of the attempts
static void take_steps(lanes_job *job, state *w) {
    const lanes h = w->h;
    lanes size = w->size;
#if TAYLOR
    if (w->fresh) end_lanes(job, w, w->lost, RUN_IS_GIVEN_UP), w->busy &= ~w->lost;
    const mask active = mask_of(w->busy & ~w->fresh);
    w->fresh = w->lost = 0;
#else
    const mask active = mask_of(w->busy);
#endif
    mask good = both(active, at_most(size, lanes_all(1)));
    const mask bad = without(active, good);
    answers a = {0};
#if EXTREMES || MEANS
    more_stages(w, h);
#endif
#if INPUTS || ENERGY || ALWAYS_LOOKS
    const lanes drift = lanes_all(1e3 * fmax(job->tolerance, 1e-15));
    const mask doubtful = is_unsure(w, active, h, drift);
    const unsigned unsure = bits_of(ALWAYS_LOOKS ? good : both(good, doubtful));
#if TAYLOR && ENERGY
    size = lost_by_energy(job, w, bits_of(doubtful) & ~bits_of(finite_lanes(size)), size);
#endif
    if (unsure) {
#if !(EXTREMES || MEANS) && HOST_LOOKS_INSIDE
        more_stages(w, h);
#endif
        a = ask(job, w, unsure);
        good = without(good, mask_of(a.shorter | a.given_up));
    }
#endif
    const lanes next = h * factor_after(w, good, size);
    w->h = select(bad, next, w->h);
    collect(job, w, good, h, a.stopped);
    accept(w, good, next);
    w->rejected |= bits_of(bad) | a.shorter;
#if TAYLOR
    w->last = without(w->last, either(bad, mask_of(a.shorter)));
#endif
    job->rejected += (uint64_t)__builtin_popcount(bits_of(bad) | a.shorter);
    shift(job, w, good);
    const unsigned stopped = a.stopped & bits_of(good),
                   reached = bits_of(both(good, w->last)) & ~stopped;
    unsigned over = a.given_up, here = bits_of(good) & ~(stopped | reached);
#if CHART
    over |= here & bits_of(chart_is_poor(w));
#endif
    const unsigned due = here & bits_of(at_most(w->due, w->steps));
    if (due) over |= stuck_lanes(job, w, due);
    if (!(stopped | reached | over)) return;
    end_lanes(job, w, over, RUN_IS_GIVEN_UP), end_lanes(job, w, stopped, RUN_IS_STOPPED);
    end_lanes(job, w, reached, RUN_IS_REACHED);
    w->busy &= ~(stopped | reached | over);
}

#if TAYLOR
size_t hamel_lanes_bytes(void) { return GROUPS * sizeof(state) + sizeof(series_work); }
#else
size_t hamel_lanes_bytes(void) { return GROUPS * sizeof(state); }
#endif
size_t hamel_lanes_job_bytes(void) { return sizeof(lanes_job); }

// 0: all runs have ended; 1: it was interrupted. `memory`: of hamel_lanes_bytes(), aligned as
// vectors are
int hamel_lanes_run(lanes_job *job, void *memory) {
    state *all = memory;
    uint64_t next = 0;
    memset(all, 0, GROUPS * sizeof *all);
    for (unsigned g = 0; g < GROUPS; g++) all[g].first_lane = g * HAMEL_WIDTH;
#if TAYLOR
    series_work *work = (series_work *)(all + GROUPS);
    for (state *w = all; w < all + GROUPS; w++) w->k = w->series[0], w->next = w->series[1];
#else
    first_steps(job, all);
#endif
    for (;;) {
        unsigned busy = 0;
        for (state *w = all; w < all + GROUPS; w++) {
            if (w->busy != EVERY && next < job->count) fill(job, w, &next);
            begin_steps(job, w);
            busy |= w->busy;
        }
        if (!busy && next == job->count) break;
#if TAYLOR
        hamel_attempt(all, work, lanes_all(job->tolerance));
#else
        hamel_attempt(all, lanes_all(job->tolerance));
#endif
        for (state *w = all; w < all + GROUPS; w++) take_steps(job, w);
        job->tries += GROUPS;
        if (job->tries % 64 == 0 && job->interrupted && *job->interrupted) return 1;
    }
    take_finals(job, all);
    return 0;
}
