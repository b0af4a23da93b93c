// The host of lanes by Taylor's method: looks along a series before a step is tried, as
// src/integrate/taylor_template.h does, and for events and the rank of constraints in the step that
// was taken.
#include "sweep/lanes_host_internal.h"

#include "integrate/step_control.h"

#include <math.h>

// --- the step ------------------------------------------------------------------------------------

static bool is_tired(const lane *w) { return w->hard >= TAYLOR_MOST_HARD; }

static uint32_t order_now(const lanes_plan *plan, const lanes_view *v) {
    return v->tired ? plan->usual_series.order : plan->series.order;
}

static void take_curve(lanes_host *h, lane *w, double length) {
    const lanes_view *v = &h->view;
    curve_of_series(&w->between, h->plan->size, order_now(h->plan, v), v->k, v->t, length);
}

// Is it in a box, for the rates and for what is watched? Then nothing has to be looked at.
static bool is_known(lanes_host *h, lane *w, double step) {
    const lanes_plan *plan = h->plan;
    clear_box *rates = w->around->look ? lookout_known_box(w->around->look) : NULL;
    return (!rates || clear_box_holds_curve(rates, plan->size, &w->between, step)) &&
           (!(plan->searches || plan->watches_rank) ||
            clear_box_holds_curve(&w->around->calm, plan->size, &w->between, step));
}

// The box of a lane for the step that follows this one
static void show_box_after(lanes_host *h, lane *w, double step) {
    const uint32_t n = h->plan->size;
    double *z = h->after, *slope = z + n;
    curve_at(&w->between, n, step, z, slope);
    lanes_outlook_show(h, w, h->view.t + step, z, slope, step);
}

// --- before it is tried --------------------------------------------------------------------------

// How far one can see along the step; a long one that is not clear at once is made as long as usual
static double seen(lanes_host *h, lane *w, double step) {
    const taylor_plan *now = &h->plan->series, *usual = &h->plan->usual_series;
    if (h->view.tired || now->order <= usual->order) return lanes_host_sees(h, w, step);
    w->seen = VIEW_CLEAR;
    if (lookout_is_clear(w->around->look, &w->between, 0, step, h->plan->system->tolerance))
        return step;
    w->hard++;
    const double shorter = step * exp(usual->reach - now->reach);
    return fmin(shorter, lanes_host_sees(h, w, shorter));
}

// Shorter until its slopes are those of the rates at places inside; too short for anything is for
// the lane to see
static double continued(lanes_host *h, lane *w, double step) {
    while (!step_control_is_too_small(h->view.t, step) &&
           !taylor_continues_inside(&w->base, &w->between, step, h->plan->system->tolerance))
        step /= 2;
    return step;
}

lanes_verdict lanes_series_look_ahead(void *host, unsigned which, int again) {
    lanes_host *h = host;
    lanes_view *v = &h->view;
    lane *w = &h->lane[which];
    const double asked = v->h;
    take_curve(h, w, asked);
    v->known = !again && w->blind < MOST_BLIND && is_known(h, w, asked);
    v->hides = false;
    if (v->known) {
        w->seen = VIEW_CLEAR;
        show_box_after(h, w, asked);
        return LANE_GOES_ON;
    }
    if (!again) v->h = seen(h, w, asked);
    if (w->blind >= MOST_BLIND) return LANE_GIVEN_UP;
    v->hides = w->seen != VIEW_CLEAR;
    if (v->hides) v->h = continued(h, w, v->h);
    v->tired = is_tired(w);
    show_box_after(h, w, v->h);
    return v->h < asked ? LANE_SHORTER : LANE_GOES_ON;
}

// --- after it was tried --------------------------------------------------------------------------

typedef struct {
    dense base;
    const lanes_view *view;
    uint32_t n;
} series_inside;

static void inside_at(const dense *d, double t, double *z) {
    const series_inside *s = (const series_inside *)d;
    taylor_values(s->n, d->order, s->view->k, s->view->t, t, z);
}

static lanes_verdict look_into(lanes_host *h, lane *w) {
    const lanes_view *v = &h->view;
    const double step = v->t1 - v->t;
    take_curve(h, w, step);
    if (clear_box_holds_curve(&w->around->calm, h->plan->size, &w->between, step) ||
        lanes_host_is_calm(w, v, &w->between)) {
        show_box_after(h, w, step);
        return LANE_GOES_ON;
    }
    const series_inside inside = {{inside_at, NULL, order_now(h->plan, v)}, v, h->plan->size};
    const lanes_verdict verdict = lanes_host_look_inside(h, w, &inside.base, &w->between);
    show_box_after(h, w, step);
    return verdict;
}

lanes_verdict lanes_series_look(void *host, unsigned which) {
    lanes_host *h = host;
    lanes_view *v = &h->view;
    lane *w = &h->lane[which];
    if (!lanes_host_keeps_energy(h, w)) {
        v->h /= 2;
        return LANE_SHORTER;
    }
    return h->plan->searches || h->plan->watches_rank ? look_into(h, w) : LANE_GOES_ON;
}
