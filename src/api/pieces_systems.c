// The systems of a motion in pieces: one for each set of modes, made when the motion first comes to
// it, and placed where the motion is each time.
#include "api/pieces.h"

#include "base/decimal.h"
#include "derive/formalism.h"
#include "simulate/run_memory.h"
#include "simulate/run_rows.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// --- rows ----------------------------------------------------------------------------------------

// How far what should stay is from where it was in the first row of all; residuals are watched at
// every step of a piece
static void watch_drift(run *outer, const simulation *sim) {
    run_record *record = &outer->record;
    for (uint32_t k = 0; k < sim->watched_count; k++) {
        const uint32_t i = sim->watched[k];
        const double size = fabs(record->last_row[i] - record->first_row[i]);
        if (sim->column[i].kind != COLUMN_RESIDUAL && size > record->deviation[i])
            record->deviation[i] = size, record->deviation_t[i] = record->last_row[0];
    }
}

// A row of a piece, as one of the run that was asked for
static bool hand_over(sink *s, const double *row) {
    const piece *p = (const piece *)((const char *)s - offsetof(piece, rows));
    pieces *w = p->all;
    run *outer = &w->outer->r;
    if (outer->record.rows >= w->outer->m->ctx->limits.rows) {
        w->is_full = true;
        return false;
    }
    outer->record.number = p->job.r.record.number;
    memcpy(outer->record.row, row, sizeof(double) * w->outer->sim->column_count);
    if (run_hand_over_row(outer)) return false;
    watch_drift(outer, w->outer->sim);
    return true;
}

static bool save(sink *s, const run_position *here) {
    (void)here; // a run in pieces is not taken up again
    const piece *p = (const piece *)((const char *)s - offsetof(piece, rows));
    sink *out = p->all->outer->r.record.out;
    return !out || !out->save || out->save(out, NULL);
}

static void tell_progress(const run *r, void *data) {
    pieces *w = data;
    run *outer = &w->outer->r;
    outer->state.t = r->state.t;
    if (outer->progress) outer->progress(outer, outer->progress_data);
}

// --- who goes along ------------------------------------------------------------------------------

static void pass(run_follower *f, const run *r, double t, const double *z, const dense *inside) {
    const pieces *w = (const pieces *)((const char *)f - offsetof(pieces, along));
    run_follower *of_run = w->outer->r.follower;
    of_run->pass(of_run, r, t, z, inside);
}

// A piece keeps its list of events: they end it. Rows are not wanted at times.
static void follow(pieces *w, piece *p) {
    const run *outer = &w->outer->r;
    p->job.r.asked.times = outer->asked.times, p->job.r.asked.numbers = outer->asked.numbers;
    p->job.r.asked.time_count = outer->asked.time_count;
    if (!outer->follower) return;
    w->along = (run_follower){.pass = pass, .looks_inside = outer->follower->looks_inside};
    p->job.r.follower = &w->along;
    p->job.r.asked.interval = outer->asked.end - w->outer->sim->t0;
}

void pieces_tell_piece(pieces *w, piece *p) {
    run_follower *f = w->outer->r.follower;
    w->last = &p->job.r;
    if (f && f->enter) f->enter(f, w->last);
}

void pieces_tell_event(const pieces *w, const char *name, double t) {
    run_follower *f = w->outer->r.follower;
    if (f->named) f->named(f, name, t);
}

// --- systems -------------------------------------------------------------------------------------

static const char *number_words(pieces *w, double value) {
    text digits = {0};
    decimal_append(value, &digits);
    const char *words = arena_copy(&w->outer->m->ctx->arena, text_string(&digits), digits.length);
    text_free(&digits);
    return words;
}

// "t=0, x=1, x'=2": all of the state, to its last digit
static const char *state_words(pieces *w, const mechanics *s) {
    const pool *p = s->pool;
    text out = {0};
    text_append(&out, "t=");
    decimal_append(w->t, &out);
    for (uint32_t i = 0; i < 2 * w->n; i++) {
        text_format(&out, ", %s=", expr_symbol_text(p, i < w->n ? s->q[i] : s->qd[i - w->n]));
        decimal_append(i < w->n ? w->q[i] : w->qd[i - w->n], &out);
    }
    const char *words = arena_copy(&s->model->ctx->arena, text_string(&out), out.length);
    text_free(&out);
    return words;
}

// The model in the modes that its contacts have now, with the values that its parameters have
static hamel_status read_model(pieces *w, model **out) {
    const model *m = w->outer->m;
    arena *a = &m->ctx->arena;
    parse_override *set = arena_array(a, parse_override, w->contacts + w->parameters);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->contacts; i++)
        set[count++] = (parse_override){
            arena_format(a, "mode[%s]", m->contacts[i].name),
            w->mode[i] == MODE_RESTING
                ? arena_format(a, "resting with %s", m->contacts[w->rests_with[i]].name)
                : contact_mode_name(w->mode[i])};
    const simulation *sim = w->outer->sim;
    for (uint32_t i = 0, k = 0; i < w->parameters; i++) {
        const parameter *p = &m->parameters[i];
        if (p->value == EXPR_NONE || w->parameter[i] == sim->parameter_value[k++]) continue;
        const char *name = expr_symbol_name(m->pool, p->symbol);
        if (parse_knows(m, name))
            set[count++] = (parse_override){name, number_words(w, w->parameter[i])};
    }
    return api_read_again(m, count, set, out);
}

// Events that end a piece: of contacts and resets
static void stop_at_changes(model *m) {
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        const contact *c = &m->contacts[i];
        const uint32_t ends[] = {c->lands, c->lifts, c->slips, c->sticks};
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            if (ends[k] != UINT32_MAX) m->events[ends[k]].stop = true;
    }
    for (uint32_t i = 0; i < m->resets_count; i++)
        if (m->resets[i].event != UINT32_MAX) m->events[m->resets[i].event].stop = true;
}

static hamel_status make_piece(pieces *w, piece **out) {
    context *ctx = w->outer->m->ctx;
    piece *p = arena_new(&ctx->arena, piece);
    *p = (piece){.mode = arena_array(&ctx->arena, contact_mode, w->contacts + 1),
                 .all = w,
                 .is_new = true,
                 .rows = {.row = hand_over, .save = save}};
    p->rests_with = arena_array(&ctx->arena, uint32_t, w->contacts + 1);
    for (uint32_t i = 0; i < w->contacts; i++)
        p->mode[i] = w->mode[i], p->rests_with[i] = w->rests_with[i];
    hamel_status status = read_model(w, &p->m);
    if (status) return status;
    stop_at_changes(p->m);
    const hamel_run *asked = w->outer->asked;
    p->asked = (hamel_run){.form = asked->form,
                           .method = asked->method,
                           .execute = asked->execute,
                           .until = w->outer->r.asked.end,
                           .tolerance = asked->tolerance,
                           .interval = w->outer->r.asked.interval,
                           .step = asked->step,
                           .at = state_words(w, w->free),
                           .interrupted = asked->interrupted};
    p->job = (run_job){.m = p->m, .asked = &p->asked, .bare = w->outer->bare, .of_pieces = true};
    list_push(w, list, p);
    status = run_job_prepare(&p->job);
    if (status) return status;
    p->job.r.record.out = &p->rows;
    follow(w, p);
    p->job.r.progress = tell_progress, p->job.r.progress_data = w;
    if (p->job.sim->column_count != w->outer->sim->column_count) {
        diag_error(ctx, (span){0},
                   "leave out `quasi` and `independent`: contacts change what is free",
                   "the model has other columns in another mode of its contacts");
        return HAMEL_MODEL;
    }
    *out = p;
    return HAMEL_OK;
}

static piece *find_piece(const pieces *w) {
    for (uint32_t i = 0; i < w->list_count; i++) {
        const piece *p = w->list[i];
        uint32_t same = 0;
        while (same < w->contacts && p->mode[same] == w->mode[same] &&
               p->rests_with[same] == w->rests_with[same])
            same++;
        if (same == w->contacts) return w->list[i];
    }
    return NULL;
}

// --- a piece -------------------------------------------------------------------------------------

static void give_parameters(pieces *w, piece *p) {
    const model *m = p->m;
    simulation *sim = p->job.sim;
    double *value = memory_array(double, sim->parameter_count + 1);
    bool changed = false;
    for (uint32_t i = 0, k = 0; i < m->parameters_count; i++) {
        if (m->parameters[i].value == EXPR_NONE) continue;
        value[k] = w->parameter[i];
        changed = changed || value[k] != sim->parameter_value[k];
        k++;
    }
    if (changed) run_set_parameters(&p->job.r, value);
    memory_free(value);
}

// (q, eta) at the state; forms whose state is another one complete it
static hamel_status place(pieces *w, piece *p) {
    run *r = &p->job.r;
    simulation *sim = p->job.sim;
    const mechanics *s = sim->eq->system;
    if (sim->o->size == s->n + s->m && !s->has_quasi && !sim->eq->auxiliaries_count) {
        for (uint32_t i = 0; i < s->n; i++) sim->z0[i] = w->q[i];
        for (uint32_t i = 0; i < s->m; i++) sim->z0[s->n + i] = w->qd[s->independent[i]];
    } else {
        completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
        simulation_tell_model(sim); // momenta hold masses, which a reset may have changed
        hamel_status status = api_read_state(p->m, state_words(w, w->free), &where);
        if (!status) status = simulation_restart(sim, &where);
        if (status) return status;
    }
    sim->t0 = w->outer->sim->t0;
    run_rewind(r);
    return HAMEL_OK;
}

// For the slip at which sliding in two directions ends
static void set_still(pieces *w) {
    const model *m = w->outer->m;
    for (uint32_t i = 0; i < w->contacts; i++)
        for (uint32_t k = 0; k < w->parameters; k++)
            if (m->contacts[i].tangents == 2 && m->parameters[k].symbol == m->contacts[i].still)
                w->parameter[k] = pow(pieces_still(w, i), 2);
}

hamel_status pieces_enter(pieces *w, piece **out) {
    if (contact_law_at(w->law, w->t, w->q, w->qd, w->parameter)) set_still(w);
    piece *p = find_piece(w);
    hamel_status status = p ? HAMEL_OK : make_piece(w, &p);
    if (status) return status;
    give_parameters(w, p);
    if (!p->is_new) status = place(w, p);
    if (status) return status;
    p->job.sim->t0 = w->outer->sim->t0; // rows are counted from there
    p->job.r.state.t = w->t;
    p->is_new = false;
    run_begin_piece(&p->job.r, w->next_row);
    *out = p;
    return HAMEL_OK;
}
