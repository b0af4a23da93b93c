// For which parameters the systems of a sweep are derived.
#include "api/sweep_systems.h"

#include <math.h>
#include <string.h>

enum { ALL_DIGITS = 53 };

// How many digits of two are kept of parameters: of those from which others follow, and of the rest
static const struct {
    int feeding, rest;
} LEVEL[SWEEP_SYSTEM_LEVELS] = {
    {0, 0}, {1, 0}, {4, 0}, {16, 0}, {4, 1}, {16, 4}, {ALL_DIGITS, ALL_DIGITS}};

static bool any_follows(const hamel_motion *w, uint32_t from) {
    const expr symbol = w->j->sim->parameter[from];
    for (uint32_t k = 0; k < w->knob_count; k++)
        if (w->knobs[k].follows &&
            expr_depends_on(w->m->pool, w->m->parameters[w->knobs[k].declared].value, 1, &symbol))
            return true;
    return false;
}

static sweep_value describe(const hamel_motion *w, const char *name, bool is_special) {
    for (uint32_t k = 0; k < w->knob_count; k++) {
        if (strcmp(w->knobs[k].name, name) != 0) continue;
        const parameter *p = &w->m->parameters[w->knobs[k].declared];
        return (sweep_value){.usual = w->knobs[k].value + 0.0, // no -0
                             .is_parameter = true,
                             .is_exact = is_special || p->decided,
                             .is_signal = p->is_signal,
                             .feeds = any_follows(w, k)};
    }
    return (sweep_value){0};
}

void sweep_systems_describe(const hamel_motion *w, const sweep_plan *plan, sweep_value *out) {
    bool is_special = false; // a constraint is redundant for the values of the model only
    for (uint32_t i = 0; i < w->m->constraints_count; i++)
        is_special = is_special || w->m->constraints[i].special;
    for (uint32_t i = 0; i < sweep_plan_values(plan); i++)
        out[i] = sweep_plan_is_parameter(plan, i)
                     ? describe(w, sweep_plan_name(plan, i), is_special)
                     : (sweep_value){0};
}

// The middle of all numbers that begin with the same digits
static double middle_of(double x, int digits) {
    int exponent;
    const double whole = floor(ldexp(frexp(fabs(x), &exponent), digits));
    return copysign(ldexp(whole + 0.5, exponent - digits), x);
}

static double represent(const sweep_value *v, double x, uint32_t level) {
    const int digits = v->feeds ? LEVEL[level].feeding : LEVEL[level].rest;
    if (!v->is_parameter || (v->is_signal && digits < ALL_DIGITS)) return v->usual;
    if (x == 0) return 0; // -0, too
    if (v->is_exact || digits == ALL_DIGITS) return x;
    return digits ? middle_of(x, digits) : copysign(v->usual == 0 ? 1 : v->usual, x);
}

void sweep_systems_find(uint32_t count, const sweep_value *what, const double *values,
                        uint32_t level, double *out) {
    for (uint32_t i = 0; i < count; i++) out[i] = represent(&what[i], values[i], level);
}
