// Where lanes need not look: boxes in which nothing can hide in the rates, no event is 0 and the
// constraints keep their rank. Lanes with the parameters of the sweep have them in common.
#include "sweep/lanes_host_internal.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

uint32_t lanes_host_event_count(const lanes_plan *plan) {
    return plan->searches ? plan->sim->m->events_count : 0;
}

outlook lanes_outlook_create(const lanes_plan *plan, const double *parameter) {
    const uint32_t n = plan->size;
    outlook o = {0};
    bool *matters = memory_zeros(bool, n + 1);
    if (plan->hides) o.look = lookout_create(plan->sim->rate, parameter, false);
    if (plan->searches) lanes_plan_mark(plan->sim->events, matters);
    if (plan->watches_rank) lanes_plan_mark(plan->sim->rows, matters);
    clear_box_init(&o.calm, n + 1, matters, lanes_host_event_count(plan));
    memory_free(matters);
    return o;
}

void lanes_outlook_free(outlook *o) { lookout_free(o->look), clear_box_free(&o->calm); }

void lanes_outlook_choose(lanes_host *h, lane *w) {
    const lanes_plan *plan = h->plan;
    w->around = &h->usual;
    if (memcmp(w->parameter, plan->usual, sizeof(double) * plan->parameters) == 0) return;
    w->around = &w->own;
    if (!w->has_own) {
        w->own = lanes_outlook_create(plan, w->parameter);
    } else if (w->is_own_stale) {
        if (w->own.look) lookout_take_parameters(w->own.look, w->parameter);
        clear_box_forget(&w->own.calm);
    }
    w->has_own = true, w->is_own_stale = false;
}

// --- events and rank -----------------------------------------------------------------------------

// Is no event 0, and the rank kept, over these ranges? The numbers are the events
static bool part_is_calm(box_judge *j, const range *value, range *numbers) {
    lane *w = ((calm_judge *)j)->w;
    bool calm = !w->rank || rank_watch_keeps_in(w->rank, value);
    if (!w->search) return calm;
    const tape *t = w->ranges.t;
    memcpy(w->ranges.value, value, sizeof(range) * (t->state_count + 1));
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].level != TAPE_FIXED) range_machine_step(&w->ranges, i);
    for (uint32_t i = 0; i < t->output_count; i++) {
        numbers[i] = w->ranges.value[t->output[i]];
        calm = calm && !range_has_zero(numbers[i]);
    }
    return calm;
}

calm_judge lanes_outlook_judge(lane *w) { return (calm_judge){{part_is_calm, NULL}, w}; }

bool lanes_host_is_calm(lane *w, const lanes_view *v, const curve *path) {
    const uint32_t n = path->n;
    for (uint32_t i = 0; i < n; i++) w->value[i] = curve_values(path, i, 0, v->t1 - v->t);
    w->value[n] = (range){v->t, v->t1};
    if (!part_is_calm(&w->judge.base, w->value, w->numbers)) return false;
    clear_box_grow(&w->around->calm, w->value, &w->judge.base);
    return true;
}

// --- the box of a lane ---------------------------------------------------------------------------

static void cut_box(const lanes_plan *plan, lanes_view *v, const clear_box *b) {
    const range *box = clear_box_now(b);
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t k = 0;
        while (plan->input[k] != b->input[i]) k++;
        const range allowed = box ? box[i] : (range){INFINITY, -INFINITY};
        if (allowed.lo > v->low[k]) v->low[k] = allowed.lo;
        if (allowed.hi < v->high[k]) v->high[k] = allowed.hi;
    }
}

void lanes_outlook_show(lanes_host *h, lane *w, double t, const double *z, const double *f,
                        double length) {
    const lanes_plan *plan = h->plan;
    lanes_view *v = &h->view;
    clear_box *known = w->around->look ? lookout_known_box(w->around->look) : NULL;
    for (uint32_t i = 0; i < plan->size; i++) {
        const double to = z[i] + (f ? f[i] * length : 0);
        w->value[i] = (range){fmin(z[i], to), fmax(z[i], to)};
    }
    w->value[plan->size] = (range){t, t + length};
    for (uint32_t k = 0; k < plan->input_count; k++) v->low[k] = -INFINITY, v->high[k] = INFINITY;
    if (known) clear_box_holds(known, w->value), cut_box(plan, v, known);
    if (!plan->searches && !plan->watches_rank) return;
    clear_box_holds(&w->around->calm, w->value);
    cut_box(plan, v, &w->around->calm);
}
