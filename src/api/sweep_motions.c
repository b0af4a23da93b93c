// The motions of one thread of a sweep.
#include "api/sweep_motions.h"

#include <string.h>

enum { MOST_REFUSED = 32 };

// --- one of them ---------------------------------------------------------------------------------

// Where the model says when a run ends, and that changes with what is varied
static void follow_end(swept_motion *s, const sweep_setting_up *how) {
    const model *m = s->w->m;
    if (how->run.until != 0 || m->simulate.to == EXPR_NONE) return;
    if (sweep_start_varies(s->start, m->simulate.to))
        s->end = program_create(m->pool, 1, &m->simulate.to);
}

static hamel_status make_ready(swept_motion *s, const sweep_setting_up *how) {
    const hamel_status status = how->collects(s->w->m, how->data, &s->what, &s->numbers);
    if (status) return status;
    const run_job *j = s->w->j;
    s->c = collector_create(j->sim, s->numbers, s->what);
    if (!s->c) return HAMEL_MODEL;
    const hamel_status limits = run_limits_check(j); // of data that is collected, too
    const hamel_status made = limits ? limits : sweep_start_create(s->w, how->plan, &s->start);
    if (!made) follow_end(s, how);
    return made;
}

static hamel_status enter_and_make_ready(swept_motion *s, const sweep_setting_up *how) {
    API_CALL(s->w->ctx, NULL, make_ready(s, how), "preparing a sweep");
}

static void close(swept_motion *s) {
    s->w->j->r.follower = NULL;
    collector_free(s->c);
    sweep_start_free(s->start);
    tape_free(s->value), tape_free(s->slope);
    program_free(s->end);
}

static hamel_status enter_and_close(swept_motion *s) {
    API_CALL(s->w->ctx, NULL, (close(s), HAMEL_OK), "closing a sweep");
}

static void drop(swept_motion *s) {
    if (s->w) {
        enter_and_close(s);
        hamel_motion_free(s->w);
    }
    memory_free(s->parameters);
    *s = (swept_motion){0};
}

// A motion for what knobs of another one have been set to, or that of the model
static hamel_status prepare(const sweep_motions *m, const swept_motion *like, bool tells,
                            swept_motion *out) {
    const sweep_setting_up *how = m->how;
    *out = (swept_motion){.parameters = memory_try(sizeof(double) * (m->values + 1))};
    hamel_status status = !out->parameters ? HAMEL_LIMIT
                          : like           ? hamel_motion_copy(like->w, &out->w)
                                           : motion_create(how->m, &how->run, tells, &out->w);
    if (!status) {
        budget *b = &out->w->ctx->budget;
        b->seconds = 0, b->interrupted = how->run.interrupted; // the sweep looks at the clock
        b->memory = b->memory < how->memory ? b->memory : how->memory;
        status = enter_and_make_ready(out, how);
    }
    if (status && tells && out->w) motion_hand_over(out->w, how->m);
    if (status) drop(out);
    return status;
}

// --- all of them ---------------------------------------------------------------------------------

static hamel_status describe(sweep_motions *m) {
    sweep_systems_describe(m->list[0].w, m->how->plan, m->value);
    return HAMEL_OK;
}

static hamel_status enter_and_describe(sweep_motions *m) {
    API_CALL(m->list[0].w->ctx, NULL, describe(m), "preparing a sweep");
}

hamel_status sweep_motions_create(sweep_motions *m, const sweep_setting_up *how, bool tells) {
    const uint32_t n = sweep_plan_values(how->plan);
    *m = (sweep_motions){.how = how, .values = n};
    m->value = memory_try(sizeof *m->value * (n + 1));
    m->asked = memory_try(sizeof(double) * (n + 1));
    m->refused = memory_try(sizeof(double) * (n + 1) * MOST_REFUSED);
    hamel_status status = m->value && m->asked && m->refused ? HAMEL_OK : HAMEL_LIMIT;
    if (!status) status = prepare(m, NULL, tells, &m->list[0]);
    if (!status) {
        m->count = 1;
        status = enter_and_describe(m);
    }
    for (uint32_t i = 0; i < n && !status; i++) m->list[0].parameters[i] = m->value[i].usual;
    if (status) sweep_motions_free(m);
    return status;
}

void sweep_motions_free(sweep_motions *m) {
    for (uint32_t i = 0; i < m->count; i++) drop(&m->list[i]);
    memory_free(m->value), memory_free(m->asked), memory_free(m->refused);
    *m = (sweep_motions){0};
}

static bool same(const sweep_motions *m, const double *a, const double *b) {
    return memcmp(a, b, sizeof(double) * m->values) == 0;
}

bool sweep_motions_suit(sweep_motions *m, const swept_motion *s, const double *values) {
    sweep_systems_find(m->values, m->value, values, 0, m->asked);
    return same(m, s->parameters, m->asked);
}

static bool is_refused(const sweep_motions *m) {
    const uint32_t count = m->refused_count < MOST_REFUSED ? m->refused_count : MOST_REFUSED;
    for (uint32_t i = 0; i < count; i++)
        if (same(m, m->refused + (size_t)i * m->values, m->asked)) return true;
    return false;
}

static void refuse(sweep_motions *m) {
    const size_t place = m->refused_count++ % MOST_REFUSED;
    memcpy(m->refused + place * m->values, m->asked, sizeof(double) * m->values);
}

// That for the parameters that are asked for; one that is used up has been
static swept_motion *find(sweep_motions *m) {
    for (uint32_t i = 0; i < m->count; i++)
        if (same(m, m->list[i].parameters, m->asked) && !motion_is_full(m->list[i].w))
            return &m->list[i];
    return NULL;
}

// In the place of one that is used up, or of the oldest. The first stays.
static swept_motion *find_place(sweep_motions *m) {
    for (uint32_t i = 1; i < m->count; i++)
        if (motion_is_full(m->list[i].w)) return &m->list[i];
    if (m->count < MOST_SWEPT_MOTIONS) return &m->list[m->count++];
    m->oldest = m->oldest % (MOST_SWEPT_MOTIONS - 1) + 1;
    return &m->list[m->oldest];
}

static hamel_status make(sweep_motions *m, swept_motion **out) {
    swept_motion made, *first = &m->list[0];
    sweep_start_set_knobs(first->start, m->asked, !same(m, first->parameters, m->asked));
    const hamel_status status = prepare(m, first, false, &made);
    if (status) return status;
    memcpy(made.parameters, m->asked, sizeof(double) * m->values);
    *out = find_place(m);
    drop(*out);
    **out = made;
    return HAMEL_OK;
}

swept_motion *sweep_motions_first(sweep_motions *m, const double *values) {
    swept_motion *s = NULL;
    if (!sweep_motions_suit(m, &m->list[0], values)) return NULL;
    s = find(m);
    return s || !make(m, &s) ? s : NULL;
}

static hamel_status try_start(swept_motion *s, const double *values, start_result *found) {
    *found = sweep_start_find(s->start, values);
    return HAMEL_OK;
}

static hamel_status enter_and_try(swept_motion *s, const double *values, start_result *found) {
    API_CALL(s->w->ctx, NULL, try_start(s, values, found), "starting a motion");
}

hamel_status sweep_motions_choose(sweep_motions *m, const double *values, swept_motion **out) {
    for (uint32_t level = 0; level < SWEEP_SYSTEM_LEVELS; level++) {
        const bool last = level + 1 == SWEEP_SYSTEM_LEVELS;
        sweep_systems_find(m->values, m->value, values, level, m->asked);
        if (is_refused(m)) continue;
        hamel_status status = HAMEL_OK;
        start_result found = START_OF_ANOTHER;
        *out = find(m);
        if (!*out) status = make(m, out);
        if (status == HAMEL_LIMIT) return status;
        if (status && !last) refuse(m);
        if (!status) status = enter_and_try(*out, values, &found);
        if (!status && found != START_OF_ANOTHER) return HAMEL_OK;
        if (status == HAMEL_LIMIT) return status;
    }
    return HAMEL_MODEL;
}
