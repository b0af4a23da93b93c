// States that symmetries leave where they are, in the search for steady motions.
#include "study/steady_search.h"

#include <string.h>

static void append(steady_search *r, uint32_t count, const expr *more) {
    expr *all = arena_array(r->w->arena, expr, r->rows.functions + count + 1);
    memcpy(all, r->rows.function, sizeof *all * r->rows.functions);
    memcpy(all + r->rows.functions, more, sizeof *all * count);
    r->rows.function = all, r->rows.functions += count;
}

static bool solve_with(steady_search *r, bool generic, const steady_isotropy *h, bool with_fixed) {
    r->rows = steady_rows_choose(r->w, &r->out->x, generic);
    append(r, h->count, h->shortest);
    if (with_fixed) append(r, h->count * 2 * r->w->s->n, h->fixed);
    steady_search_solve(r, false);
    return r->result.converged && steady_search_all_vanish(r);
}

// Speeds of the isotropy 0, as if these symmetries were not there: a free particle at rest is one
// of those that move on, not one of those that its own rotations carry. Only where it is proved.
static bool solve_without(steady_search *r, bool generic, const steady_isotropy *h) {
    const steady_search before = *r;
    state kept;
    state_copy(&r->out->x, r->out->x.precision, &kept);
    r->rows = steady_rows_choose(r->w, &r->out->x, generic);
    append(r, h->count, h->unit);
    steady_search_solve(r, true);
    if (r->result.converged && r->result.verified && steady_search_all_vanish(r) &&
        steady_search_rows_follow(r)) {
        state_clear(&kept);
        r->out->without = true;
        return true;
    }
    state_clear(&r->out->x);
    *r = before;
    r->out->x = kept;
    return false;
}

// With the equations of motion alone, from where the isotropy was found, so that the proof is of
// these
static bool solve_isotropic(steady_search *r, bool generic, const steady_isotropy *h) {
    state start;
    state_copy(&r->out->x, r->out->x.precision, &start);
    const bool found = solve_with(r, generic, h, false);
    bool done = found && r->result.verified && r->result.rank == r->rows.functions;
    if (!done) {
        const steady_search shortest = *r;
        state at = r->out->x;
        r->out->x = start;
        done = solve_without(r, generic, h);
        if (done) start = at;
        else start = r->out->x, *r = shortest, r->out->x = at;
    }
    state_clear(&start);
    return found || done;
}

// To the nearby state that they leave where it is: linear equations for q and q'
static void go_to_fixed(steady_search *r, const steady_isotropy *h) {
    const steady_problem *w = r->w;
    const newton_problem problem = {.functions = h->count * 2 * w->s->n,
                                    .variables = 2 * w->s->n,
                                    .function = h->fixed,
                                    .variable = w->unknown,
                                    .fixed = r->rank};
    newton_result result = {.row = arena_array(w->arena, uint32_t, problem.functions + 1),
                            .column = arena_array(w->arena, uint32_t, problem.functions + 1)};
    constraint_newton_solve(&r->out->x, &problem, &result);
}

// First among the states that they leave where they are
static bool hold_fixed(steady_search *r, bool generic, const steady_isotropy *h) {
    steady_motion *out = r->out;
    go_to_fixed(r, h);
    steady_search_remove_rounding(r, &out->x);
    steady_rows_guess_speeds(r->w, &out->x);
    if (!solve_with(r, generic, h, true)) return false;
    steady_search_remove_rounding(r, &out->x);
    if (solve_isotropic(r, generic, h)) return true;
    const bool found = solve_with(r, generic, h, true);
    r->result.multiple = true; // what is around it is not known from these rows
    return found;
}

// Where symmetries leave the state as it is. Their states are known to the digits of a double, so
// that the motion that was there before may be the better one to start from.
void steady_search_hold_isotropy(steady_search *r, bool generic, double tolerance) {
    steady_motion *out = r->out;
    steady_isotropy h;
    if (!steady_isotropy_find(r->w, &out->x, tolerance, &h)) return;
    const steady_search before = *r;
    const bool known = out->found;
    state kept, later;
    state_copy(&out->x, out->x.precision, &kept);
    bool found = hold_fixed(r, generic, &h);
    if (found && known && (r->result.multiple || out->without)) {
        const steady_search after = *r;
        later = out->x;
        state_copy(&kept, kept.precision, &out->x);
        *r = before;
        if (solve_without(r, generic, &h)) state_clear(&later);
        else {
            state_clear(&out->x);
            *r = after, out->x = later;
        }
    }
    out->isotropy = found ? h.count : 0;
    out->found = known || found;
    if (found) state_clear(&kept);
    else {
        *r = before;
        state_clear(&out->x);
        out->x = kept;
    }
}
