// Extremes and means along a step, panel by panel, each of which is halved while it does not tell
// enough (panels.h).
#include "sweep/collector_internal.h"
#include "sweep/extremum.h"
#include "sweep/panels.h"

#include <math.h>
#include <string.h>

typedef struct {
    collector *c;
    chart_code *k;
    const dense *inside;
    double from, to;
    const double *end; // the state there
} step;

// A part of it, in parts of the step
typedef struct {
    double from, width;
    uint32_t depth; // how often it was halved
} panel;

static double time_at(const step *s, double x) { return s->from + (s->to - s->from) * x; }

static void values_in(const step *s, machine *m, double t, uint32_t count, double *out) {
    collector *c = s->c;
    if (t != s->to) s->inside->at(s->inside, t, c->work);
    collector_values_at(c, m, t, t == s->to ? s->end : c->work, count, out);
}

static panel half(const panel *p, bool second) {
    const double width = p->width / 2;
    return (panel){second ? p->from + width : p->from, width, p->depth + 1};
}

// Longer than panels are anywhere: by four halvings of any step they are not
static bool is_long(const step *s, const panel *p) {
    const double run = s->c->r->asked.end - s->c->begin;
    return p->depth < 4 && p->width * (s->to - s->from) * PANELS_OF_RUN > run;
}

// How exactly each of so many is known: what a tiny change of the time makes of it
static void find_noise(const step *s, const panel *p, machine *m, uint32_t count,
                       const double *middle) {
    collector *c = s->c;
    const double x = p->from + p->width / 2 + p->width * PANEL_NUDGE;
    values_in(s, m, time_at(s, x), count, c->noise);
    for (uint32_t i = 0; i < count; i++) c->noise[i] = fabs(c->noise[i] - middle[i]);
}

static void note_scale(double *scale, double value) {
    if (fabs(value) > *scale) *scale = fabs(value);
}

// One division less; false: there is none left
static bool may_divide(const panel *p, double *splits) {
    if (p->depth >= PANEL_DEEPEST || !(*splits >= 1)) return false;
    --*splits;
    return true;
}

// --- extremes ------------------------------------------------------------------------------------

static double sign_of(const collector *c, uint32_t i) {
    return c->what[c->which[i]].kind == COLLECT_MAX ? 1 : -1;
}

// max and min, of which nothing is left once E had no value
static void take_value(collector *c, uint32_t i, double value) {
    double *best = &c->best[i];
    if (isnan(*best) || isnan(value)) *best = NAN;
    else if (sign_of(c, i) * (value - *best) > 0) *best = value;
}

typedef struct {
    const step *s;
    uint32_t which;
} slope_of;

static double slope_at(void *of, double t) {
    const slope_of *p = of;
    collector *c = p->s->c;
    values_in(p->s, &p->s->k->slope, t, c->extremes, c->value);
    return c->value[p->which];
}

// Where dE/dt goes through 0 between two times in the direction of what is looked for
static void refine(const step *s, uint32_t i, double a, double b) {
    collector *c = s->c;
    slope_of of = {s, i};
    const double sign = sign_of(c, i), of_a = slope_at(&of, a), of_b = slope_at(&of, b);
    if (!(sign * of_a > 0 && sign * of_b <= 0)) return;
    const double t = extremum_find(slope_at, &of, a, of_a, b, of_b);
    values_in(s, &s->k->extreme, t, c->extremes, c->value);
    take_value(c, i, c->value[i]);
}

// E of extreme i at the places of a panel, with the sign that makes a largest value of it
static void gather(const collector *c, const double *looks, uint32_t i, double *e) {
    const double sign = sign_of(c, i);
    for (int j = 0; j <= PANEL_LOOKS; j++) e[j] = sign * looks[(size_t)j * c->extremes + i];
}

// Is the panel to be halved for extreme i? If not what is in it is taken.
static bool divides(const step *s, const panel *p, const double *looks, uint32_t i, bool *noisy) {
    collector *c = s->c;
    double e[PANEL_LOOKS + 1];
    gather(c, looks, i, e);
    for (int j = 1; j <= PANEL_LOOKS; j++)
        take_value(c, i, looks[(size_t)j * c->extremes + i]), note_scale(&c->scale[i], e[j]);
    if (is_long(s, p)) return true;
    const double best = sign_of(c, i) * c->best[i],
                 little = panel_part(c->r->asked.tolerance) * c->scale[i];
    unsigned unsure, turns = panel_turns(e, best, little, &unsure);
    if (unsure) {
        if (!*noisy) find_noise(s, p, &s->k->extreme, c->extremes, looks + 3 * c->extremes);
        *noisy = true;
        turns = panel_turns(e, best, little + 32 * c->noise[i], &unsure);
        if (unsure && may_divide(p, &c->splits[i])) return true;
    }
    const double each = p->width / PANEL_LOOKS;
    for (int j = 0; j < PANEL_LOOKS; j++)
        if (turns >> j & 1)
            refine(s, i, time_at(s, p->from + each * j), time_at(s, p->from + each * (j + 1)));
    return false;
}

// With E at 0, 1/3, 2/3 and 1 of the panel, for the extremes that are open at its depth
static void pass_extremes(const step *s, const panel *p, const double *known) {
    collector *c = s->c;
    const uint32_t n = c->extremes;
    const bool *open = c->open + (size_t)p->depth * c->count;
    bool *inner = c->open + (size_t)(p->depth + 1) * c->count, noisy = false, any = false;
    double *looks = c->looks + (size_t)p->depth * (PANEL_LOOKS + 1) * n;
    for (uint32_t j = 0; j <= PANEL_LOOKS; j++)
        if (j % 2)
            values_in(s, &s->k->extreme, time_at(s, p->from + p->width * j / PANEL_LOOKS), n,
                      looks + j * n);
        else memcpy(looks + j * n, known + j / 2 * n, sizeof(double) * n);
    for (uint32_t i = 0; i < n; i++) {
        inner[i] = open[i] && divides(s, p, looks, i, &noisy);
        any = any || inner[i];
    }
    if (!any) return;
    const panel first = half(p, false), second = half(p, true);
    pass_extremes(s, &first, looks);
    pass_extremes(s, &second, looks + 3 * n);
}

static void pass_all_extremes(const step *s) {
    collector *c = s->c;
    const uint32_t n = c->extremes;
    double *known = c->looks + (size_t)(PANEL_DEEPEST + 1) * (PANEL_LOOKS + 1) * n;
    memcpy(known, c->start, sizeof(double) * n);
    for (uint32_t j = 1; j <= 3; j++)
        values_in(s, &s->k->extreme, j == 3 ? s->to : time_at(s, j / 3.0), n, known + j * n);
    for (uint32_t i = 0; i < n; i++) c->open[i] = true, c->splits[i] += PANEL_SPLITS_A_STEP;
    pass_extremes(s, &(panel){0, 1, 0}, known);
    memcpy(c->start, known + 3 * n, sizeof(double) * n);
}

// --- means ---------------------------------------------------------------------------------------

// Is the panel to be halved for mean i, whose rules are so far off?
static bool mean_divides(const step *s, const panel *p, uint32_t i, double off, double odd,
                         const double *middle, bool *noisy) {
    collector *c = s->c;
    const uint32_t at = c->extremes + i;
    const double little = panel_part(c->r->asked.tolerance) * c->scale[at];
    if (is_long(s, p)) return true;
    if (panel_agrees(off, odd, p->width, little, 0)) return false;
    if (!*noisy) find_noise(s, p, &s->k->mean, c->means, middle);
    *noisy = true;
    return !panel_agrees(off, odd, p->width, little, c->noise[i]) && may_divide(p, &c->splits[at]);
}

// With E at both ends, for the means that are open at its depth
static void pass_means(const step *s, const panel *p, const double *first, const double *last) {
    collector *c = s->c;
    const uint32_t n = c->means;
    const double length = (s->to - s->from) * p->width;
    const bool *open = c->open + (size_t)p->depth * c->count;
    bool *inner = c->open + (size_t)(p->depth + 1) * c->count, noisy = false, any = false;
    double *middle = c->looks + (size_t)p->depth * 4 * n, *fine = middle + n, *off = fine + n,
           *odd = off + n;
    memset(fine, 0, sizeof(double) * 3 * n);
    for (int j = 0; j < PANEL_NODES; j++) {
        const double *value = j == 0 ? first : j == PANEL_NODES - 1 ? last : c->value;
        if (value == c->value)
            values_in(s, &s->k->mean, time_at(s, p->from + p->width * panel_node[j]), n, c->value);
        for (uint32_t i = 0; i < n; i++) {
            fine[i] += panel_fine[j] * value[i];
            off[i] += (panel_fine[j] - panel_coarse[j]) * value[i];
            odd[i] += panel_odd[j] * value[i];
            if (open[i]) note_scale(&c->scale[c->extremes + i], value[i]);
        }
        if (j == PANEL_NODES / 2) memcpy(middle, value, sizeof(double) * n);
    }
    for (uint32_t i = 0; i < n; i++) {
        inner[i] = open[i] && mean_divides(s, p, i, off[i], odd[i], middle, &noisy);
        if (open[i] && !inner[i]) c->integral[i] += length * fine[i];
        any = any || inner[i];
    }
    if (!any) return;
    const panel one = half(p, false), other = half(p, true);
    pass_means(s, &one, first, middle), pass_means(s, &other, middle, last);
}

static void pass_all_means(const step *s) {
    collector *c = s->c;
    double *first = c->start + c->extremes,
           *last = c->looks + (size_t)(PANEL_DEEPEST + 1) * 4 * c->means;
    values_in(s, &s->k->mean, s->to, c->means, last);
    for (uint32_t i = 0; i < c->means; i++)
        c->open[i] = true, c->splits[c->extremes + i] += PANEL_SPLITS_A_STEP;
    pass_means(s, &(panel){0, 1, 0}, first, last);
    memcpy(first, last, sizeof(double) * c->means);
}

// --- a step --------------------------------------------------------------------------------------

void collector_pass_step(collector *c, chart_code *k, double t, const double *end,
                         const dense *inside) {
    const step s = {c, k, inside, c->r->state.t, t, end};
    if (!c->looks) {
        const size_t each = (PANEL_LOOKS + 1) * (size_t)c->count + 1, depths = PANEL_DEEPEST + 2;
        c->looks = memory_array(double, depths *each);
        c->open = memory_array(bool, depths *(c->count + 1));
    }
    if (c->extremes) pass_all_extremes(&s);
    if (c->means) pass_all_means(&s);
}

void collector_begin_steps(collector *c) {
    for (uint32_t i = 0; i < c->extremes + c->means; i++)
        c->scale[i] = 0, c->splits[i] = PANEL_SPLITS;
    for (uint32_t i = 0; i < c->extremes; i++) c->best[i] = sign_of(c, i) * -INFINITY;
}

void collector_take_start(collector *c) {
    for (uint32_t i = 0; i < c->extremes; i++) take_value(c, i, c->start[i]);
    for (uint32_t i = 0; i < c->extremes + c->means; i++) note_scale(&c->scale[i], c->start[i]);
}
