// The driver of a motion in pieces: from one system to the next, until the run is at its end.
#include "api/pieces.h"

#include "simulate/run_memory.h"
#include "simulate/run_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Changes of one run, and those without time between them: more is a motion that does not go on.
enum { MOST_CHANGES = 100000, MOST_AT_ONCE = 100, MOST_HASTY = 5 };
// Times that differ by less, as a part of them, are one: no step is so short
static const double SHORTEST = 1e-12;

bool pieces_fail(pieces *w, const char *help, const char *format, ...) {
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    w->failure = arena_copy(&w->outer->m->ctx->arena, words, strlen(words)), w->help = help;
    w->ended_by = RUN_FAILED;
    return false;
}

// --- the end of a piece --------------------------------------------------------------------------

// Where the piece has come to
static bool look_where(pieces *w, piece *p) {
    run *r = &p->job.r;
    w->t = r->state.t;
    if (!run_make_row(r, ROW_WITHOUT_NUMBER, r->state.t, r->state.z)) return false;
    for (uint32_t i = 0; i < w->n; i++)
        w->q[i] = r->record.row[1 + i], w->qd[i] = r->record.row[1 + w->n + i];
    return true;
}

// The run that was asked for stands where the last piece does.
static void stand_there(pieces *w) {
    run *outer = &w->outer->r;
    const mechanics *s = w->outer->sim->eq->system;
    outer->state.t = w->t;
    for (uint32_t i = 0; i < s->n; i++) outer->state.z[i] = w->q[i];
    for (uint32_t i = 0; i < s->m && s->n + i < outer->state.f->size && !s->has_quasi; i++)
        outer->state.z[s->n + i] = w->qd[s->independent[i]];
}

// Counts and events of a piece, added to those of the run
static void add_counts(pieces *w, piece *p) {
    run_record *to = &w->outer->r.record, *from = &p->job.r.record;
    to->steps += from->steps;
    to->smallest_step = fmin(to->smallest_step, from->smallest_step);
    to->largest_step = fmax(to->largest_step, from->largest_step);
    to->events_confused |= from->events_confused;
    w->outer->r.state.rejected += p->job.r.state.rejected;
    w->outer->r.state.f->rate_calls += p->job.r.state.f->rate_calls;
    p->job.r.state.f->rate_calls = 0;
    for (uint32_t k = 0; k < p->job.sim->watched_count; k++) {
        const uint32_t i = p->job.sim->watched[k];
        if (p->job.sim->column[i].kind == COLUMN_RESIDUAL && from->deviation[i] > to->deviation[i])
            to->deviation[i] = from->deviation[i], to->deviation_t[i] = from->deviation_t[i];
    }
    for (uint32_t i = 0; i < from->events_count; i++) {
        if (w->outer->r.follower) { // nobody reads a list
            pieces_tell_event(w, from->events[i].name, from->events[i].t);
            continue;
        }
        list_push(to, events, from->events[i]);
        from->events[i].state = NULL; // it went along
    }
}

static bool is_a_change(const model *m, uint32_t event) {
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        const contact *c = &m->contacts[i];
        if (event == c->lands || event == c->lifts || event == c->slips || event == c->sticks)
            return true;
    }
    for (uint32_t i = 0; i < m->resets_count; i++)
        if (event == m->resets[i].event) return true;
    return false;
}

bool pieces_is_now(const pieces *w, double t) { return w->t - t <= SHORTEST * fmax(1, fabs(w->t)); }

void pieces_forget_fired(pieces *w, const model *m) {
    if (m->events_count >= w->fired_capacity) {
        w->fired_capacity = m->events_count + 1;
        w->fired = arena_array(&m->ctx->arena, bool, w->fired_capacity);
    }
    memset(w->fired, 0, sizeof(bool) * w->fired_capacity);
}

// Which events of the piece ended it; does one of them end the run?
static bool find_fired(pieces *w, const piece *p) {
    const model *m = p->m;
    const run_record *record = &p->job.r.record;
    bool ends = false;
    pieces_forget_fired(w, m);
    for (uint32_t k = 0; k < record->events_count; k++)
        for (uint32_t i = 0; i < m->events_count; i++) {
            if (m->events[i].name != record->events[k].name || record->events[k].t < w->t) continue;
            w->fired[i] = true;
            ends = ends || (m->events[i].stop && !is_a_change(m, i));
        }
    return ends;
}

// --- the run -------------------------------------------------------------------------------------

static void allocate(pieces *w) {
    arena *a = &w->outer->m->ctx->arena;
    w->q = arena_array(a, double, 2 * w->n + 1), w->qd = w->q + w->n;
    w->parameter = arena_array(a, double, w->parameters + 1);
    w->mode = arena_array(a, contact_mode, 2 * w->contacts + 1);
    w->first_mode = w->mode + w->contacts;
    w->state = arena_array(a, contact_state, w->contacts + 1);
    w->fastest = arena_array(a, double, 4 * w->contacts + 1);
    w->rests_at = w->fastest + w->contacts, w->speed = w->rests_at + w->contacts;
    w->falls = w->speed + w->contacts;
    w->closing = arena_array(a, bool, w->contacts + 1);
    w->rests_with = arena_array(a, uint32_t, w->contacts + 1);
    for (uint32_t i = 0; i < w->contacts; i++) w->rests_with[i] = i;
    w->ticks = arena_array(a, uint64_t, w->outer->m->resets_count + 1);
    w->reached = arena_array(a, double, w->outer->m->resets_count + 1);
    for (uint32_t i = 0; i < w->outer->m->resets_count; i++) w->reached[i] = NAN;
    w->slipped_at = arena_array(a, double, 2 * w->contacts + 1);
    w->lifted_at = w->slipped_at + w->contacts;
    for (uint32_t i = 0; i < w->contacts; i++) w->fastest[i] = 0, w->rests_at[i] = NAN;
    for (uint32_t i = 0; i < 2 * w->contacts; i++) w->slipped_at[i] = -INFINITY;
    w->level = arena_array(a, double, w->outer->m->events_count + 1);
    w->crossed = arena_array(a, int, w->outer->m->events_count + 1);
}

static bool start(pieces *w) {
    run *outer = &w->outer->r;
    const simulation *sim = w->outer->sim;
    double *row = memory_array(double, sim->column_count + 1);
    w->law = contact_law_create(w->free);
    const bool finite = outer->state.f->columns(outer->state.f, sim->t0, sim->z0, row);
    w->t = sim->t0;
    for (uint32_t i = 0; i < w->n; i++) w->q[i] = row[1 + i], w->qd[i] = row[1 + w->n + i];
    memory_free(row);
    for (uint32_t i = 0, k = 0; i < w->parameters; i++)
        w->parameter[i] =
            w->outer->m->parameters[i].value == EXPR_NONE ? NAN : sim->parameter_value[k++];
    if (!finite) {
        pieces_fail(w, NULL, "something has no finite value at the start");
        w->ended_by = RUN_NOT_FINITE;
        return false;
    }
    if (contact_law_at(w->law, w->t, w->q, w->qd, w->parameter))
        w->energy_first = contact_law_energy(w->law);
    pieces_keep_levels(w, NULL);
    if (!pieces_clocks_end(w) || !pieces_apply_resets(w, NULL, false) ||
        !pieces_settle_contacts(w, NULL))
        return false;
    uint32_t kept = 0; // impacts and resets: the modes at the start are no change
    for (uint32_t i = 0; i < w->changes_count; i++)
        if (w->changes[i].kind != CHANGE_MODE) w->changes[kept++] = w->changes[i];
    w->changes_count = kept;
    for (uint32_t i = 0; i < w->contacts; i++) w->first_mode[i] = w->mode[i];
    return true;
}

// Was a reset located again where it was left? What it sets is less than rounding then, and on
// which side of its function the motion goes on cannot be said.
static bool is_within_rounding(const pieces *w, double before, uint32_t changes) {
    if (w->t > before || !changes || w->changes_count == changes) return false;
    const piece_change *last = &w->changes[changes - 1], *now = last + 1;
    return last->kind == CHANGE_RESET && now->kind == CHANGE_RESET && last->t == now->t &&
           strcmp(last->name, now->name) == 0;
}

// Is there no end to the changes?
static bool goes_on(pieces *w, bool jumped, double before, uint32_t changes) {
    const bool stuck = !jumped && is_within_rounding(w, before, changes);
    w->at_once = w->t > before ? 0 : w->at_once + 1;
    if (w->at_once > MOST_AT_ONCE && w->changes_count == changes)
        return pieces_fail(w, "a clock that ticks less often, or another tolerance, may help",
                           "events or ticks follow one another, and no time passes between");
    if (w->changes_count == changes) return true;
    const char *last = w->changes[w->changes_count - 1].name;
    const bool is_hasty = w->changes[w->changes_count - 1].kind == CHANGE_RESET &&
                          w->t - before < SHORTEST * fmax(1, fabs(w->t));
    if (w->t > before) w->hasty = is_hasty ? w->hasty + 1 : 0;
    if (w->hasty > MOST_HASTY || stuck)
        return pieces_fail(w, "a `contact` with `restitution` comes to rest",
                           "reset `%s` is reached again and again, ever sooner: what comes behind "
                           "these is not known",
                           last);
    if (w->at_once > MOST_AT_ONCE)
        return pieces_fail(w, "let what a reset sets be away from where the next one begins",
                           "more than %d changes at one time, the last of them of `%s`: they have "
                           "no end",
                           MOST_AT_ONCE, last);
    if (w->changes_count > MOST_CHANGES)
        return pieces_fail(w, "a smaller restitution, or a shorter run, has fewer",
                           "more than %d impacts, resets and changes of contacts, the last of "
                           "them of `%s`",
                           MOST_CHANGES, last);
    return true;
}

// A row where the piece has ended, if the last one is before it
static run_status write_last_row(pieces *w, piece *p) {
    const run_record *record = &w->outer->r.record;
    run *r = &p->job.r;
    if (w->is_full || (record->rows && !(r->state.t > record->last_row[0]))) return RUN_DONE;
    return run_write_row(r, ROW_WITHOUT_NUMBER, r->state.t, r->state.z);
}

// A piece that could not go on: why, in its own words
static run_status stop(pieces *w, piece *p, run_status status) {
    if (w->is_full) return RUN_LIMIT;
    write_last_row(w, p);
    look_where(w, p);
    if (status == RUN_INTERRUPTED || status == RUN_LIMIT) return status;
    const diagnosis why = status == RUN_FAILED && p->job.r.state.failure
                              ? (diagnosis){.cause = p->job.r.state.failure}
                              : diagnose(&p->job.r.state, status, p->job.r.state.z);
    pieces_fail(w, why.help, "%s", why.cause);
    w->ended_by = status;
    return RUN_FAILED;
}

// Half way through a bounce: gap' = 0 where gap'' stays. There the gap is open beyond doubt, which
// at its start it is not.
static double half_bounce(const pieces *w) {
    double first = INFINITY;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const double speed = contact_law_values(w->law, i)->speed;
        if (w->mode[i] == MODE_FREE && speed > 0 && w->falls[i] < 0)
            first = fmin(first, w->t - speed / w->falls[i]);
    }
    return first;
}

// Is it the last bounce of a contact? It is closed where that is highest, and not where it began:
// so that the impulse of all bounces that are left, m (a T - v) in the time T that they take, is
// that of the contact, m a (T - v/a).
static bool is_last_bounce(const pieces *w) {
    bool last = false;
    for (uint32_t i = 0; i < w->contacts; i++) last = last || w->closing[i];
    return last;
}

// A row where the run begins, and behind a change
static run_status write_first_row(pieces *w, piece *p, bool has_jumped) {
    run *r = &p->job.r;
    const bool is_first = !w->outer->r.record.rows;
    if (is_first) w->next_row = r->record.next_row = 1;
    if (!is_first && !has_jumped) return RUN_DONE;
    return run_write_row(r, is_first ? 0 : ROW_WITHOUT_NUMBER, r->state.t, r->state.z);
}

// From where the motion is to the end of the piece, or to the next tick of a clock
static run_status run_piece(pieces *w, piece *p, bool has_jumped) {
    run *r = &p->job.r;
    const double end = fmin(w->outer->r.asked.end, pieces_next_tick(w)), half = half_bounce(w);
    run_leave_poor_chart(r);
    run_status status = RUN_DONE;
    const bool last = is_last_bounce(w);
    const double shortest = SHORTEST * fmax(fabs(end), fabs(r->state.t)); // no step is shorter
    if ((has_jumped || last) && half > r->state.t + shortest && half < end)
        r->asked.end = half, status = run_integrate(r);
    r->asked.end = end;
    if (!status && !last && r->state.t < end - shortest) status = run_integrate(r);
    else if (!status && !last) r->state.t = fmax(r->state.t, end);
    w->next_row = r->record.next_row;
    return status;
}

// Resets and contacts behind a piece, or where one begins
static bool take_changes(pieces *w, piece *p, bool jumped, double before, uint32_t changes) {
    if (pieces_apply_resets(w, p, jumped) && pieces_settle_contacts(w, p)) {
        if (goes_on(w, jumped, before, changes)) return true;
        w->ended_by = RUN_TOO_MANY;
    }
    write_last_row(w, p);
    return false;
}

static run_status follow(pieces *w) {
    bool has_jumped = false;
    for (;;) {
        piece *p;
        if (pieces_enter(w, &p)) {
            pieces_fail(w, NULL, "the motion cannot go on in its new mode");
            return RUN_FAILED;
        }
        pieces_pass_resets(w, p);
        const uint32_t changes = w->changes_count;
        const double before = w->t;
        const pieces_jump jump = pieces_find_jumps(w, p);
        if (jump.changes && !jump.ends) {
            if (!take_changes(w, p, true, before, changes)) return RUN_FAILED;
            continue;
        }
        run_status status = write_first_row(w, p, has_jumped);
        if (!status) pieces_tell_piece(w, p);
        if (!status && jump.ends) return RUN_EVENT;
        if (!status) status = run_piece(w, p, has_jumped);
        if (status && status != RUN_EVENT) return add_counts(w, p), stop(w, p, status);
        if (!look_where(w, p)) return add_counts(w, p), stop(w, p, RUN_NOT_FINITE);
        const bool ends = find_fired(w, p);
        add_counts(w, p);
        const bool is_over = ends || w->t >= w->outer->r.asked.end;
        if (is_over || is_last_bounce(w)) { // no event that has a row ended it
            const run_status written = write_last_row(w, p);
            if (written) return stop(w, p, written);
        }
        if (is_over) return !pieces_check_gaps(w) ? RUN_FAILED : ends ? RUN_EVENT : RUN_DONE;
        pieces_keep_levels(w, p);
        if (!take_changes(w, p, false, before, changes)) return RUN_FAILED;
        has_jumped = w->changes_count > changes;
    }
}

// What was asked for and a run in pieces does not have, and what to do instead; NULL: nothing
static const char *refusal(const run_job *j, const char **help) {
    const hamel_run *a = j->asked;
    *help = "leave it out";
    if (a->precision && strcmp(a->precision, "double") != 0) return "--precision";
    if (a->verify) return "--verify";
    if (a->resume) {
        *help = "begin it anew; `hamel recover` makes a file of the rows of one that was killed";
        return "--resume";
    }
    *help = "contacts change how many there are: use `observe`";
    return j->m->quasis_count && j->m->contacts_count ? "`quasi`" : NULL;
}

hamel_status pieces_refuse(const run_job *j) {
    const model *m = j->m;
    if (!model_is_in_pieces(m)) return HAMEL_OK;
    const span at = m->contacts_count ? m->contacts[0].at : m->resets[0].at;
    const char *help = NULL, *lacks = j->of_pieces ? refusal(j, &help) : NULL;
    if (lacks)
        diag_error(m->ctx, at, help, "%s does not go with contacts, `when` and `every`", lacks);
    else if (!j->of_pieces)
        diag_error(m->ctx, at,
                   m->resets_count
                       ? "leave out `when` and `every` to study the motion between them"
                       : arena_format(&m->ctx->arena, "name a mode, such as --set mode[%s]=%s",
                                      m->contacts[0].name,
                                      m->contacts[0].tangents ? "sticking" : "sliding"),
                   "contacts, `when` and `every` are followed by `simulate`, `plot`, `report`, "
                   "`sweep`, `basin` and `map` only");
    return lacks || !j->of_pieces ? HAMEL_USAGE : HAMEL_OK;
}

hamel_status pieces_check_modes(const model *m) {
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        if (!m->contacts[i].mode_is_stated) continue;
        diag_error(m->ctx, m->resets[0].at, "leave out --set mode, or `when` and `every`",
                   "a run that follows `when` and `every` follows contacts too: contact `%s` does "
                   "not stay in a mode that is named",
                   m->contacts[i].name);
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

run_status pieces_run(run_job *j) {
    context *ctx = j->m->ctx;
    pieces *w = j->pieces = arena_new(&ctx->arena, pieces);
    const mechanics *s = j->sim->eq->system;
    *w = (pieces){.outer = j,
                  .free = s,
                  .n = s->n,
                  .contacts = j->m->contacts_count,
                  .parameters = j->m->parameters_count};
    allocate(w);
    run_reset(&j->r); // the summary reads its record, however it ends
    run_status status = RUN_FAILED;
    if (s->h) pieces_fail(w, NULL, "contacts and resets do not go with constraints of order 2");
    else if (start(w)) status = follow(w);
    stand_there(w);
    if (status == RUN_FAILED) j->r.state.failure = w->failure;
    return status;
}

void pieces_free(pieces *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->list_count; i++) run_job_close(&w->list[i]->job);
    contact_law_free(w->law);
    memory_free(w->list), memory_free(w->changes);
}
