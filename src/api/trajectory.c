// Trajectories as data: the rows of a run as columns in memory, with what happened on the way. They
// are made by the same job as the rows of a file, and belong to the caller from then on.
#include "api/pieces.h"
#include "api/run_summary.h"

#include "record/column_store.h"

#include <stdint.h>
#include <string.h>

struct hamel_trajectory {
    column_store rows;
    arena words; // of what follows
    const char **name, **kind, **unit;
    uint32_t happening_count;
    hamel_happening *happening;
    const char *text, *json; // the summary; NULL: there is none
};

// --- making --------------------------------------------------------------------------------------

static const char *kept(hamel_trajectory *w, const char *words) {
    return words ? arena_copy(&w->words, words, strlen(words)) : NULL;
}

static void name_columns(hamel_trajectory *w, uint32_t count, const struct column *column) {
    w->name = arena_array(&w->words, const char *, count);
    w->kind = arena_array(&w->words, const char *, count);
    w->unit = arena_array(&w->words, const char *, count);
    for (uint32_t i = 0; i < count; i++) {
        w->name[i] = kept(w, column[i].name), w->unit[i] = kept(w, column[i].unit);
        w->kind[i] = column_kind_name(column[i].kind);
    }
}

static hamel_happening of_event(hamel_trajectory *w, const event_record *e, uint32_t states) {
    hamel_happening h = {
        .kind = "event", .name = kept(w, e->name), .t = e->t, .direction = e->direction};
    if (!e->state) return h;
    double *state = arena_array(&w->words, double, states);
    memcpy(state, e->state, sizeof *state * states);
    h.state = state, h.state_count = states;
    return h;
}

static hamel_happening of_change(hamel_trajectory *w, const piece_change *c) {
    static const char *const kinds[] = {
        [CHANGE_MODE] = "mode", [CHANGE_IMPACT] = "impact", [CHANGE_RESET] = "reset"};
    hamel_happening h = {.kind = kinds[c->kind], .name = kept(w, c->name), .t = c->t};
    if (c->kind == CHANGE_MODE)
        h.from = contact_mode_name(c->from), h.to = contact_mode_name(c->to);
    if (c->kind == CHANGE_IMPACT) h.speed = c->speed, h.lost = c->lost;
    return h;
}

// Events and changes, both in the order of time; an event that only tells of a change is left out.
static void list_happenings(hamel_trajectory *w, const run_job *j) {
    const run_record *r = &j->r.record;
    const run_changes changes = j->pieces ? pieces_changes(j->pieces) : (run_changes){0};
    const uint32_t states = 2 * j->sim->eq->system->n;
    w->happening = arena_array(&w->words, hamel_happening, (size_t)r->events_count + changes.count);
    uint32_t k = 0;
    for (uint32_t i = 0; i < r->events_count; i++) {
        const event_record *e = &r->events[i];
        if (j->pieces && changes_tell(j->m, e->name)) continue;
        for (; k < changes.count && changes.at[k].t <= e->t; k++)
            w->happening[w->happening_count++] = of_change(w, &changes.at[k]);
        w->happening[w->happening_count++] = of_event(w, e, states);
    }
    for (; k < changes.count; k++)
        w->happening[w->happening_count++] = of_change(w, &changes.at[k]);
}

static const char *summary(hamel_trajectory *w, const run_job *j, hamel_format format) {
    text out = {0};
    run_summary_write(j, format_at(format), &out);
    const char *words = kept(w, text_string(&out));
    text_free(&out);
    return words;
}

// The last step of a call: nothing of it belongs to the context any more.
static void hand_over(hamel_trajectory *w, hamel_trajectory **out) {
    column_store_hand_over(&w->rows);
    arena_hand_over(&w->words);
    memory_hand_over(w);
    *out = w;
}

static hamel_status make(hamel_model *m, const hamel_run *asked, hamel_trajectory **out) {
    hamel_run run = *asked;
    run.output = run.resume = NULL, run.plot = NULL;
    hamel_trajectory *w = memory_new(hamel_trajectory);
    run_job j = {.m = m, .asked = &run, .columns = &w->rows, .is_all = true};
    hamel_status status = run_job_run(&j);
    const bool was_run = !status;
    if (was_run) {
        column_store_trim(&w->rows);
        name_columns(w, j.sim->column_count, j.sim->column);
        list_happenings(w, &j);
        w->text = summary(w, &j, HAMEL_TEXT), w->json = summary(w, &j, HAMEL_JSON);
        status = run_job_status(&j);
    }
    run_job_close(&j);
    if (was_run) hand_over(w, out);
    else column_store_free(&w->rows), memory_free(w);
    return status;
}

static hamel_status make_within(hamel_model *m, const hamel_run *asked, hamel_trajectory **out) {
    API_CALL(m->ctx, NULL, make(m, asked, out), "simulating `%s`", m->name);
}

hamel_status hamel_model_trajectory(hamel_model *m, const hamel_run *asked,
                                    hamel_trajectory **trajectory) {
    if (trajectory) *trajectory = NULL;
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, trajectory);
    return make_within(m, asked, trajectory);
}

// --- from a file ---------------------------------------------------------------------------------

static hamel_status take(context *ctx, const char *file, hamel_trajectory **out) {
    stored_rows stored;
    const hamel_status status = stored_read(ctx, file, &stored);
    if (!status) {
        hamel_trajectory *w = memory_new(hamel_trajectory);
        column_store_of(&stored.rows, &w->rows);
        name_columns(w, stored.rows.column_count, stored.column);
        w->happening = arena_array(&w->words, hamel_happening, stored.event_count);
        for (uint32_t i = 0; i < stored.event_count; i++)
            w->happening[w->happening_count++] = of_event(w, &stored.event[i], 0);
        table_free(&stored.rows);
        hand_over(w, out);
    }
    return status;
}

static hamel_status take_within(context *ctx, const char *file, hamel_trajectory **out) {
    API_CALL(ctx, NULL, take(ctx, file, out), "reading `%s`", file);
}

hamel_status hamel_file_trajectory(hamel_context *ctx, const char *file,
                                   hamel_trajectory **trajectory) {
    if (trajectory) *trajectory = NULL;
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, file);
    API_NEEDS(ctx, trajectory);
    return take_within(ctx, file, trajectory);
}

// --- what there is -------------------------------------------------------------------------------

void hamel_trajectory_free(hamel_trajectory *w) {
    if (!w) return;
    column_store_free(&w->rows);
    arena_free(&w->words);
    memory_free(w);
}

size_t hamel_trajectory_rows(const hamel_trajectory *w) { return w ? w->rows.row_count : 0; }
size_t hamel_trajectory_columns(const hamel_trajectory *w) { return w ? w->rows.column_count : 0; }

const char *hamel_trajectory_name(const hamel_trajectory *w, size_t column) {
    return column < hamel_trajectory_columns(w) ? w->name[column] : NULL;
}

const char *hamel_trajectory_kind(const hamel_trajectory *w, size_t column) {
    return column < hamel_trajectory_columns(w) ? w->kind[column] : NULL;
}

const char *hamel_trajectory_unit(const hamel_trajectory *w, size_t column) {
    return column < hamel_trajectory_columns(w) ? w->unit[column] : NULL;
}

size_t hamel_trajectory_find(const hamel_trajectory *w, const char *name) {
    for (size_t i = 0; name && i < hamel_trajectory_columns(w); i++)
        if (strcmp(w->name[i], name) == 0) return i;
    return SIZE_MAX;
}

const double *hamel_trajectory_column(const hamel_trajectory *w, size_t column) {
    return column < hamel_trajectory_columns(w) ? w->rows.column[column] : NULL;
}

const char *hamel_trajectory_summary(const hamel_trajectory *w, hamel_format format) {
    if (!w) return NULL;
    return format == HAMEL_TEXT ? w->text : format == HAMEL_JSON ? w->json : NULL;
}

int hamel_trajectory_event(const hamel_trajectory *w, size_t index, hamel_happening *happening) {
    if (!w || !happening || index >= w->happening_count) return 0;
    *happening = w->happening[index];
    return 1;
}
