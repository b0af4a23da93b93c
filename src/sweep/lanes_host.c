// The host of lanes: looks at the steps that leave the box in which nothing has to be looked at, as
// the driver of `simulate` looks at every step, and finds a wider box.
#include "sweep/lanes_host_internal.h"

#include "integrate/runge_kutta.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static const double MOST_DRIFT = 1e3;        // in tolerances, as sight.c has it
enum { RUN_PARTS = 4096, STEP_PARTS = 256 }; // .. and these

// --- what is made for the parameters of a run ----------------------------------------------------

static bool events_at(field *f, double t, const double *z, double *out) {
    return machine_run(&((lane *)f)->events, t, z, out);
}

static bool rates_at(field *f, double t, const double *z, double *out) {
    return machine_run(&((lane *)f)->rates, t, z, out);
}

static void take_parameters(lane *w) {
    const double *p = w->parameter;
    w->is_own_stale = true;
    if (w->base.rate) machine_set_parameters(&w->rates, p);
    if (w->rank) rank_watch_take_parameters(w->rank, p);
    if (!w->search) return;
    event_search_take_parameters(w->search, p);
    machine_set_parameters(&w->events, p);
    range_machine_set_parameters(&w->ranges, p);
}

static void make_lane(lanes_host *h, lane *w) {
    const lanes_plan *plan = h->plan;
    const uint32_t n = plan->size, events = lanes_host_event_count(plan);
    const simulation *sim = plan->sim;
    w->parameter = memory_array(double, plan->parameters + 1);
    memcpy(w->parameter, plan->usual, sizeof(double) * plan->parameters);
    w->sim = *sim, w->sim.parameter_value = w->parameter;
    w->base = (field){.sim = &w->sim, .size = n, .events = events_at};
    w->last = memory_zeros(double, events + 1);
    w->value = memory_zeros(range, n + 1 + events + 1), w->numbers = w->value + n + 1;
    w->around = &h->usual, w->judge = lanes_outlook_judge(w);
    if (plan->hides && !plan->pair) {
        w->base.rate = rates_at;
        machine_init(&w->rates, sim->rate, w->parameter);
    }
    if (plan->searches) {
        w->search = event_search_create(&w->sim);
        machine_init(&w->events, sim->events, w->parameter);
        range_machine_init(&w->ranges, sim->events, w->parameter, false);
    }
    if (plan->watches_rank) w->rank = rank_watch_create(&w->sim, plan->system->tolerance);
}

static void free_lane(lane *w) {
    if (w->search) machine_free(&w->events), range_machine_free(&w->ranges);
    if (w->base.rate) machine_free(&w->rates);
    if (w->has_own) lanes_outlook_free(&w->own);
    event_search_free(w->search), rank_watch_free(w->rank);
    curve_free(&w->between), curve_free(&w->path);
    memory_free(w->parameter), memory_free(w->last), memory_free(w->value);
}

// --- a run ---------------------------------------------------------------------------------------

static void begin(void *host, unsigned which, uint64_t run, const double *parameters) {
    lanes_host *h = host;
    const lanes_plan *plan = h->plan;
    lane *w = &h->lane[which];
    const size_t size = sizeof(double) * plan->parameters;
    if (memcmp(w->parameter, parameters, size) != 0) {
        memcpy(w->parameter, parameters, size);
        take_parameters(w);
    }
    lanes_outlook_choose(h, w);
    w->run = run, w->blind = w->hard = 0, w->seen = VIEW_CLEAR;
    if (w->search) machine_run(&w->events, h->view.t, h->view.z, w->last);
    if (w->rank) rank_watch_restart(w->rank, h->view.t, h->view.z);
    lanes_outlook_show(h, w, h->view.t, h->view.z, NULL, 0);
}

double lanes_host_sees(lanes_host *h, lane *w, double step) {
    const double least = fmin(h->finest, step / STEP_PARTS);
    bool no_poles = false;
    if (w->blind >= MOST_BLIND) return step;
    while ((w->seen = lookout_view(w->around->look, &w->between, 0, step,
                                   h->plan->system->tolerance, least, &no_poles)) == VIEW_HIDDEN) {
        if (step <= least) {
            w->blind++;
            break;
        }
        step = fmax(step / 2, least);
    }
    return step;
}

bool lanes_host_keeps_energy(lanes_host *h, const lane *w) {
    const lanes_view *v = &h->view;
    const double part = MOST_DRIFT * fmax(h->plan->system->tolerance, 1e-15),
                 change = fabs(v->energy - v->energy0);
    double weight;
    if (!h->weight || !isfinite(v->energy0) || !isfinite(v->energy)) return true;
    if (change <= part * (1 + fabs(v->energy))) return true;
    conserved_take_parameters(h->weight, &w->sim);
    return !conserved_weight(h->weight, v->t1, v->z1, &weight) ||
           change <= part * fmax(weight, 1 + fabs(v->energy)) || !(v->t1 - v->t > h->finest);
}

// --- within a step -------------------------------------------------------------------------------

typedef struct {
    dense base;
    const lanes_plan *plan;
    const lanes_view *view;
} step_inside;

static void inside_at(const dense *d, double t, double *z) {
    const step_inside *s = (const step_inside *)d;
    const lanes_view *v = s->view;
    const tableau *pair = s->plan->pair;
    double b[MOST_STAGES];
    pair->weights((t - v->t) / v->h, b);
    runge_kutta_sum(s->plan->size, pair->stages, v->z, v->h, b, v->k, z);
}

static double *noted(lanes_host *h, uint64_t run) {
    return h->first + run * 2 * lanes_host_event_count(h->plan);
}

// The crossings of the step, with those at the instant of one that ends the run; true: one does
static bool find_events(lanes_host *h, lane *w, const dense *inside, const curve *path) {
    const lanes_plan *plan = h->plan;
    lanes_view *v = &h->view;
    const event *events = plan->sim->m->events;
    crossing_list found = {0};
    bool stops = false;
    double stop = INFINITY;
    event_search_run(w->search, &w->base, path, inside, v->t1, w->last, &found);
    double *first = noted(h, w->run), *times = first + lanes_host_event_count(plan);
    for (uint32_t i = 0; i < found.count && found.list[i].t <= stop; i++) {
        const crossing *c = &found.list[i];
        const event *e = &events[c->event];
        if (e->direction && e->direction != c->direction) continue;
        if (times[c->event] == 0) first[c->event] = c->t;
        times[c->event] += 1;
        if (!e->stop || stops) continue;
        stops = true, stop = c->t;
        h->stopped[w->run] = (int32_t)c->event;
        if (c->t < v->t1) inside->at(inside, c->t, v->z1), v->t1 = c->t;
    }
    memory_free(found.list);
    return stops;
}

lanes_verdict lanes_host_look_inside(lanes_host *h, lane *w, const dense *inside,
                                     const curve *path) {
    lanes_view *v = &h->view;
    if (w->rank) {
        const accepted_step s = {
            .from = v->t, .to = v->t1, .z = v->z1, .inside = inside, .path = path};
        rank_watch_begin(w->rank, v->t, v->z);
        if (rank_watch_until(w->rank, &s) <= v->t1) return LANE_GIVEN_UP;
    }
    return w->search && find_events(h, w, inside, path) ? LANE_STOPS : LANE_GOES_ON;
}

static lanes_verdict look_inside(lanes_host *h, lane *w) {
    const lanes_plan *plan = h->plan;
    const lanes_view *v = &h->view;
    const uint32_t n = plan->size;
    const step_inside inside = {{inside_at, NULL, plan->pair->dense_order}, plan, v};
    curve_of_ends(&w->between, n, v->t, v->t1 - v->t, v->z, v->k, v->z1, v->z1 + n);
    if (lanes_host_is_calm(w, v, &w->between)) return LANE_GOES_ON;
    curve_of_dense(&w->path, n, plan->pair->dense_order, &inside.base, v->t, v->t1 - v->t);
    return lanes_host_look_inside(h, w, &inside.base, &w->path);
}

static lanes_verdict look_along(lanes_host *h, lane *w) {
    const lanes_plan *plan = h->plan;
    lanes_view *v = &h->view;
    const uint32_t n = plan->size;
    const double step = v->h, *slope = v->z1 + n;
    lookout *rates = w->around->look;
    if (rates) {
        const bool known = w->blind < MOST_BLIND &&
                           lookout_knows_ends(rates, n, v->t, step, v->z, v->k, v->z1, slope);
        double clear = step;
        if (!known) {
            curve_of_ends(&w->between, n, v->t, step, v->z, v->k, v->z1, slope);
            clear = lanes_host_sees(h, w, step);
        }
        v->h = clear == step && !lanes_host_keeps_energy(h, w) ? step / 2 : clear;
        if (v->h < step) return LANE_SHORTER;
    }
    if (!plan->searches && !plan->watches_rank) return LANE_GOES_ON;
    const bool calm =
        clear_box_holds_ends(&w->around->calm, n, v->t, v->t1 - v->t, v->z, v->k, v->z1, slope);
    return calm ? LANE_GOES_ON : look_inside(h, w);
}

static lanes_verdict look(void *host, unsigned which) {
    static const double AHEAD = 1.5; // lengths of this step, in which the next one may be
    lanes_host *h = host;
    const uint32_t n = h->plan->size;
    lanes_view *v = &h->view;
    lane *w = &h->lane[which];
    double *slope = v->z1 + n;
    memcpy(slope, v->k + h->plan->pair->last * tableau_row(n), sizeof(double) * n);
    const lanes_verdict verdict = look_along(h, w);
    if (verdict == LANE_SHORTER) lanes_outlook_show(h, w, v->t, v->z, v->k, v->h);
    else lanes_outlook_show(h, w, v->t1, v->z1, slope, AHEAD * (v->t1 - v->t));
    return verdict;
}

static int keeps_energy(void *host, unsigned which) {
    lanes_host *h = host;
    return lanes_host_keeps_energy(h, &h->lane[which]);
}

static void take_turns_off(void *host, unsigned which) {
    lanes_host *h = host;
    (void)which;
    const uint32_t n = h->plan->size;
    if (h->plan->pair) memset(h->view.rest, 0, sizeof(double) * n); // which z alone knows
    shifts_take_off(h->plan->shifts, h->view.z, h->view.rest, h->view.turns);
}

// --- a chunk -------------------------------------------------------------------------------------

lanes_host *lanes_host_create(const lanes_plan *plan) {
    lanes_host *h = memory_new(lanes_host);
    const uint32_t n = plan->size;
    const size_t row = plan->row;
    *h = (lanes_host){.plan = plan};
    h->numbers = memory_zeros(double, (plan->stages + 4) * row + 7 * (n + 2));
    h->view = (lanes_view){.z = h->numbers, .z1 = h->numbers + row};
    h->view.k = h->view.z1 + 2 * row; // behind z1, the slopes there
    h->view.low = h->view.k + plan->stages * row, h->view.high = h->view.low + n + 2;
    h->view.turns = h->view.high + n + 2, h->view.rest = h->view.turns + n + 2;
    h->after = h->view.rest + n + 2;
    h->usual = lanes_outlook_create(plan, plan->usual);
    if (h->usual.look) clear_box_share(lookout_known_box(h->usual.look));
    clear_box_share(&h->usual.calm);
    h->finest = (plan->system->end - plan->sim->t0) / RUN_PARTS;
    if (plan->keeps_energy) {
        uint32_t k = 0;
        while (plan->sim->column[plan->sim->watched[k]].kind != COLUMN_ENERGY) k++;
        h->weight = conserved_create(plan->sim, plan->sim->watched[k]);
    }
    for (uint32_t i = 0; i < plan->lanes; i++) make_lane(h, &h->lane[i]);
    return h;
}

void lanes_host_free(lanes_host *h) {
    if (!h) return;
    for (uint32_t i = 0; i < h->plan->lanes; i++) free_lane(&h->lane[i]);
    conserved_free(h->weight);
    lanes_outlook_free(&h->usual);
    memory_free(h->numbers), memory_free(h->first), memory_free(h->stopped);
    memory_free(h);
}

void lanes_host_begin(lanes_host *h, uint64_t count, lanes_job *job) {
    const uint32_t events = lanes_host_event_count(h->plan);
    if (count > h->runs) {
        memory_grow(h->first, 2 * count * events + 1), memory_grow(h->stopped, count);
        h->runs = count;
    }
    for (uint64_t run = 0; run < count; run++) {
        h->stopped[run] = -1;
        for (uint32_t e = 0; e < events; e++) noted(h, run)[e] = NAN, noted(h, run)[events + e] = 0;
    }
    job->view = &h->view, job->host = h;
    job->begin = begin, job->shift = take_turns_off;
    job->look = h->plan->pair ? look : lanes_series_look;
    job->look_ahead = lanes_series_look_ahead, job->keeps_energy = keeps_energy;
    job->weights = h->plan->pair ? h->plan->pair->weights : NULL;
}

void lanes_host_events(const lanes_host *h, uint64_t run, double *collected) {
    const sweep_system *s = h->plan->system;
    const uint32_t events = lanes_host_event_count(h->plan);
    const double *first = h->first + run * 2 * events;
    for (uint32_t i = 0; i < s->collected_count; i++) {
        const struct collected *c = &s->collected[i];
        if (c->kind == COLLECT_FIRST) collected[i] = first[c->event];
        else if (c->kind == COLLECT_COUNT) collected[i] = first[events + c->event];
    }
}

int32_t lanes_host_stopped(const lanes_host *h, uint64_t run) { return h->stopped[run]; }
