// Branches of orbits in words and as JSON.
#include "api/continue_orbit_job.h"

#include "base/decimal.h"
#include "model/mechanics.h"

static const char *const KIND[] = {"fold", "branch", "period-doubling", "torus", "hopf"};
static const char *const WORDS[] = {"fold: two orbits meet", "branch point", "period doubling",
                                    "torus: a pair leaves the circle",
                                    "Hopf point: the orbit shrinks to an equilibrium"};
static const char *const END[] = {"interval", "steps",  "lost",  "rest",
                                  "long",     "closed", "meets", "family"};
static const char *const END_WORDS[] = {"the end of the interval",
                                        "the largest number of steps (--steps)",
                                        "no further orbit was found by Newton's method",
                                        "the orbit shrinks to an equilibrium",
                                        ("the period grows without bound: the orbit comes near to "
                                         "an equilibrium, or to a motion between equilibria"),
                                        "it comes back to where it began",
                                        "it meets a branch that is followed above",
                                        "a family of orbits with this one value"};

static const char *coordinate(const orbits_job *j, uint32_t i) {
    return expr_symbol_text(j->v.m->pool, j->v.run.sim->eq->system->q[i]);
}

// --- words ---------------------------------------------------------------------------------------

static void write_special(const orbits_job *j, const orbit_special *s, text *out) {
    text_format(out, "  %-18.12g period %-16.12g %s", s->at.p, s->at.period, WORDS[s->kind]);
    if (s->kind == ORBIT_TORUS) text_format(out, ", angle %.10g", s->angle);
    if (s->branch >= 0) text_format(out, "; branch %d leaves", s->branch + 1);
    text_char(out, '\n');
    (void)j;
}

static void write_branch(const orbits_job *j, uint32_t index, text *out) {
    const orbit_branch *b = &j->path.branches[index];
    const orbit_point *first = &b->points[0], *last = &b->points[b->points_count - 1];
    text_format(out, "branch %u       ", index + 1);
    if (b->from >= 0)
        text_format(out, "from branch %d at %.12g, ", b->from + 1,
                    j->path.branches[b->from].special[b->from_special].at.p);
    if (b->multiple > 1) text_format(out, "%u times the first period, ", b->multiple);
    text_format(out, "%u points\n", b->points_count);
    text_format(out, "  %-18.12g period %-16.12g %s", first->p, first->period,
                first->stable ? "stable" : "unstable");
    if (b->from < 0 || b->begin != ORBIT_MEETS)
        text_format(out, "; begins: %s", END_WORDS[b->begin]);
    text_char(out, '\n');
    for (uint32_t i = 0; i < b->special_count; i++) write_special(j, &b->special[i], out);
    text_format(out, "  %-18.12g period %-16.12g %s; ends: %s\n", last->p, last->period,
                last->stable ? "stable" : "unstable", END_WORDS[b->end]);
}

void continue_orbit_job_write_text(const void *of, text *out) {
    const orbits_job *j = of;
    text_format(out, "along          %s from %.12g to %.12g\n", j->what.name, j->family.low,
                j->family.high);
    text_format(out, "first orbit    %s = %.12g, period %.12g\n", j->what.name, j->family.p,
                j->first.period);
    for (uint32_t i = 0; i < j->path.branches_count; i++) write_branch(j, i, out);
    if (j->path.left_out)
        text_format(out, "%u more branches leave that are not followed\n", j->path.left_out);
    text_append(out, "not proved: orbits of Newton's method, special points between them by "
                     "secants\n");
    if (j->drawing) {
        text_char(out, '\n');
        plot_figure_characters(j->drawing, out);
    }
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_values(const orbits_job *j, const orbit_point *at, json *out) {
    json_number(out, "value", at->p);
    json_number(out, "period", at->period);
    json_bool(out, "stable", at->stable);
    json_open(out, "multipliers", '[');
    for (uint32_t i = 0; i < at->floquet.count; i++) {
        json_open(out, NULL, '{');
        json_number(out, "re", at->floquet.re[i]);
        json_number(out, "im", at->floquet.im[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "range", '{');
    for (uint32_t i = 0; i < j->v.run.sim->eq->system->n; i++) {
        json_open(out, coordinate(j, i), '[');
        json_number(out, NULL, at->low[i]), json_number(out, NULL, at->high[i]);
        json_close(out, ']');
    }
    json_close(out, '}');
}

static void write_json_branch(const orbits_job *j, const orbit_branch *b, json *out) {
    json_open(out, NULL, '{');
    if (b->from >= 0) json_integer(out, "from", b->from);
    json_integer(out, "multiple", b->multiple);
    json_string(out, "begins", END[b->begin]);
    json_string(out, "ends", END[b->end]);
    json_open(out, "points", '[');
    for (uint32_t i = 0; i < b->points_count; i++) {
        json_open(out, NULL, '{');
        write_values(j, &b->points[i], out);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "special", '[');
    for (uint32_t i = 0; i < b->special_count; i++) {
        const orbit_special *s = &b->special[i];
        json_open(out, NULL, '{');
        json_string(out, "kind", KIND[s->kind]);
        write_values(j, &s->at, out);
        if (s->kind == ORBIT_TORUS) json_number(out, "angle", s->angle);
        if (s->branch >= 0) json_integer(out, "branch", s->branch);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

void continue_orbit_job_write_json(const void *of, json *out) {
    const orbits_job *j = of;
    json_open(out, NULL, '{');
    json_string(out, "parameter", j->what.name);
    json_open(out, "interval", '[');
    json_number(out, NULL, j->family.low), json_number(out, NULL, j->family.high);
    json_close(out, ']');
    json_open(out, "branches", '[');
    for (uint32_t i = 0; i < j->path.branches_count; i++)
        write_json_branch(j, &j->path.branches[i], out);
    json_close(out, ']');
    json_integer(out, "left_out", j->path.left_out);
    json_bool(out, "proved", false);
    api_write_warnings(j->v.m->ctx, out);
    json_close(out, '}');
}
