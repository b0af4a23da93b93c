// Branches of periodic orbits, one after another.
#include "study/orbit_path.h"

#include <math.h>
#include <string.h>

enum { MOST_DOUBLINGS = 16 };                                               // of the first period
static const double FIRST = 1.0 / 200, LONGEST = 1.0 / 30, SHORTEST = 1e-7; // steps of s
static const double TURN = 0.9, STRAIGHT = 0.99; // cosines between tangents
static const double LONG = 30;                   // times the first period
static const double REST = 1e-3;                 // of the first range of coordinates
static const double SAME = 1e-4;

typedef struct {
    const orbit_family *of;
    orbit_path *path;
    uint32_t most_branches, most_steps;
    double range; // of the coordinate that changes most along the first orbit
} work;

// One direction of a branch
typedef struct {
    work *all;
    orbit_branch *branch;
    orbit_curve *w;
    orbit_point start, now;
    bool at_special; // the start is a special point of another branch
    double ds;
} walk;

// --- comparing -----------------------------------------------------------------------------------

static double range_of(uint32_t n, const orbit_point *at) {
    double most = 0;
    for (uint32_t i = 0; i < n; i++) most = fmax(most, at->high[i] - at->low[i]);
    return most;
}

static bool is_same(const work *all, const orbit_point *a, const orbit_point *b, double tolerance) {
    const uint32_t n = all->of->problem.sim->eq->system->n;
    bool same = fabs(a->p - b->p) < tolerance * (all->of->high - all->of->low);
    for (uint32_t i = 0; i < n && same; i++)
        same = fabs(a->low[i] - b->low[i]) < tolerance * all->range &&
               fabs(a->high[i] - b->high[i]) < tolerance * all->range;
    return same;
}

// A branch point or doubling of another branch in the same place
static bool is_known(const walk *k, const orbit_point *at) {
    const orbit_path *path = k->all->path;
    for (uint32_t b = 0; b < path->branches_count; b++) {
        const orbit_branch *other = &path->branches[b];
        for (uint32_t i = 0; i < other->special_count && other != k->branch; i++) {
            const orbit_kind kind = other->special[i].kind;
            if ((kind == ORBIT_BRANCH || kind == ORBIT_DOUBLING) &&
                is_same(k->all, at, &other->special[i].at, SAME))
                return true;
        }
    }
    return false;
}

// --- steps ---------------------------------------------------------------------------------------

// p does not change along the branch
static bool is_vertical(const walk *k, const orbit_point *next, uint32_t step) {
    enum { STEPS = 10 };
    static const double NOTHING = 1e-9;
    const uint32_t last = k->w->columns - 1;
    return step >= STEPS && fabs(next->tangent[last]) < NOTHING &&
           fabs(k->now.tangent[last]) < NOTHING;
}

// Where no further orbit is found: how its period goes there, and how large it is
static orbit_end judge_lost(const walk *k) {
    static const double STEEP = 30;
    const orbit_family *of = k->all->of;
    const uint32_t last = k->w->columns - 1, at = k->w->s.segments * k->w->s.size;
    const double *t = k->now.tangent;
    if (range_of(k->w->s.n, &k->now) < 30 * REST * k->all->range) return ORBIT_AT_REST;
    const bool grows = !of->problem.period_is_given && t[at] > 0 &&
                       t[at] * k->w->scale[at] > STEEP * k->now.period * fabs(t[last]);
    return grows ? ORBIT_TOO_LONG : ORBIT_LOST;
}

static double dot(uint32_t n, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// The orbit at an end of the interval, between the last one and y beyond it
static bool land(walk *k, double *y, double end) {
    const uint32_t n = k->w->columns, last = n - 1;
    double *t = memory_zeros(double, n);
    const double to = end / k->w->scale[last], from = k->now.y[last],
                 u = (to - from) / (y[last] - from);
    for (uint32_t c = 0; c < n; c++) y[c] = k->now.y[c] + u * (y[c] - k->now.y[c]);
    y[last] = to, t[last] = 1;
    const bool good = orbit_curve_correct(k->w, t, y) > 0;
    memory_free(t);
    return good;
}

// Steps may be longer where the states are larger than those of the first orbit, but p changes by
// no more than a part of its interval.
static double longest(const walk *k, const double *y, const double *t) {
    const uint32_t last = k->w->columns - 1, states = k->w->s.segments * k->w->s.size;
    const double size = fmax(1, sqrt(dot(states, y, y)));
    return fmin(LONGEST * size, LONGEST / fmax(fabs(t[last]), 1e-3));
}

typedef enum { STEP_FAILED, STEP_GOOD, STEP_TO_END } step_result;

static step_result try_step(walk *k, orbit_point *next) {
    const orbit_family *of = k->all->of;
    const uint32_t n = k->w->columns;
    double *y = memory_array(double, 2 * (size_t)n), *t = y + n;
    for (uint32_t c = 0; c < n; c++) y[c] = k->now.y[c] + k->ds * k->now.tangent[c];
    const uint32_t steps = orbit_curve_correct(k->w, k->now.tangent, y);
    bool good = steps > 0;
    const double p = orbit_curve_p(k->w, y);
    const bool beyond = good && (p > of->high || p < of->low);
    if (beyond) good = land(k, y, p > of->high ? of->high : of->low);
    good = good && orbit_curve_tangent(k->w, k->now.tangent, t);
    const double cosine = good ? dot(n, t, k->now.tangent) : 0;
    good = good && cosine > TURN;
    if (good) {
        orbit_curve_point(k->w, y, t, next);
        orbit_curve_range(k->w, next);
        if (steps <= 5 && cosine > STRAIGHT) k->ds *= 1.5;
        k->ds = fmin(k->ds, longest(k, y, t));
    }
    memory_free(y);
    return !good ? STEP_FAILED : beyond ? STEP_TO_END : STEP_GOOD;
}

// --- special points ------------------------------------------------------------------------------

// Where p turns back: a fold, or the orbit has no size there, or it is one of another branch.
// True: the branch ends.
static bool take_turn(walk *k, orbit_special *found) {
    const uint32_t n = k->w->s.n;
    if (range_of(n, &found->at) < REST * k->all->range) {
        k->branch->end = ORBIT_AT_REST, found->kind = ORBIT_HOPF;
    } else if (is_known(k, &found->at)) {
        k->branch->end = ORBIT_MEETS;
        return true;
    }
    found->place = k->branch->points_count;
    list_push(k->branch, special, *found);
    return found->kind == ORBIT_HOPF;
}

// Those between two points; true: the branch ends there.
static bool take_special(walk *k, const orbit_point *a, const orbit_point *b) {
    orbit_special found;
    const bool turns = orbit_test_changes(k->w, a, b, ORBIT_FOLD);
    if (turns && orbit_locate(k->w, a, b, ORBIT_FOLD, &found) && take_turn(k, &found)) return true;
    for (orbit_kind kind = ORBIT_BRANCH; kind <= ORBIT_TORUS; kind++) {
        if (!orbit_test_changes(k->w, a, b, kind) || (kind == ORBIT_BRANCH && turns)) continue;
        if (!orbit_locate(k->w, a, b, kind, &found)) continue;
        if (kind == ORBIT_BRANCH && is_known(k, &found.at)) {
            k->branch->end = ORBIT_MEETS;
            return true;
        }
        found.place = k->branch->points_count;
        list_push(k->branch, special, found);
    }
    return false;
}

// --- a branch ------------------------------------------------------------------------------------

// Between the two it passes the start again, in the same direction
static bool is_closed(const walk *k, const orbit_point *a, const orbit_point *b) {
    const uint32_t last = k->w->columns - 1;
    const double p = k->start.p;
    if ((a->p > p) == (b->p > p) || a->p == p ||
        (b->tangent[last] > 0) != (k->start.tangent[last] > 0))
        return false;
    const double apart = fabs(b->p - a->p) / (k->all->of->high - k->all->of->low);
    return is_same(k->all, b, &k->start, 4 * fmax(apart, SAME));
}

// So near to rest p is a function of the square of the size r: p + (p - p_before) r^2/(r_before^2 -
// r^2) where r is 0
static void add_hopf(walk *k, const orbit_point *next) {
    const double r = range_of(k->w->s.n, next), before = range_of(k->w->s.n, &k->now);
    orbit_special at = {
        .kind = ORBIT_HOPF, .at = *next, .branch = -1, .place = k->branch->points_count};
    if (before > r) at.at.p += (next->p - k->now.p) * r * r / (before * before - r * r);
    list_push(k->branch, special, at);
}

static bool ends(walk *k, const orbit_point *next, uint32_t step) {
    const orbit_family *of = k->all->of;
    orbit_branch *b = k->branch;
    if (range_of(k->w->s.n, next) < REST * k->all->range && !of->problem.period_is_given) {
        b->end = ORBIT_AT_REST;
        add_hopf(k, next);
    } else if (!of->problem.period_is_given && next->period > LONG * of->period * b->multiple)
        b->end = ORBIT_TOO_LONG;
    else if (is_vertical(k, next, step)) b->end = ORBIT_FAMILY;
    else if (step > 3 && is_closed(k, &k->now, next)) b->end = ORBIT_CLOSED;
    else return false;
    return true;
}

static void go(walk *k) {
    orbit_branch *b = k->branch;
    k->ds = FIRST, k->now = k->start;
    b->end = ORBIT_END_OF_STEPS;
    for (uint32_t step = 0; step < k->all->most_steps; step++) {
        orbit_point next;
        step_result result = STEP_FAILED;
        while (!(result = try_step(k, &next)) && k->ds > SHORTEST) k->ds /= 2;
        if (!result) {
            b->end = judge_lost(k);
            return;
        }
        const double moved = fabs(next.p - k->now.p);
        const bool stands = result == STEP_TO_END && moved < 1e-12 * fabs(next.p) && !step;
        b->end = stands || result == STEP_TO_END ? ORBIT_END_OF_INTERVAL : ORBIT_END_OF_STEPS;
        if (stands) return;
        if (!(k->at_special && !step) && take_special(k, &k->now, &next)) return;
        list_push(b, points, next);
        if (result == STEP_TO_END || ends(k, &next, step)) return;
        k->now = next;
    }
}

static void reverse(orbit_branch *b) {
    for (uint32_t i = 0, j = b->points_count; i + 1 < j; i++) {
        const orbit_point keep = b->points[i];
        b->points[i] = b->points[--j], b->points[j] = keep;
    }
    for (uint32_t i = 0, j = b->special_count; i + 1 < j; i++) {
        const orbit_special keep = b->special[i];
        b->special[i] = b->special[--j], b->special[j] = keep;
    }
    for (uint32_t i = 0; i < b->special_count; i++)
        b->special[i].place = b->points_count - b->special[i].place;
    b->begin = b->end;
}

static void turn_round(const orbit_curve *w, orbit_point *at) {
    double *t = arena_array(&w->of->problem.sim->m->ctx->arena, double, w->columns);
    for (uint32_t c = 0; c < w->columns; c++) t[c] = -at->tangent[c];
    at->tangent = t;
}

// In both directions from the start, or in that of its tangent alone
static void follow(work *all, orbit_branch *b, orbit_curve *w, const orbit_point *start,
                   bool at_special, bool both) {
    walk k = {.all = all, .branch = b, .w = w, .start = *start, .at_special = at_special};
    b->begin = ORBIT_MEETS;
    if (both) {
        turn_round(w, &k.start);
        go(&k);
        reverse(b);
        turn_round(w, &k.start);
    }
    list_push(b, points, *start);
    if (!both || b->begin != ORBIT_CLOSED) go(&k);
    else b->end = ORBIT_CLOSED;
}

// --- branches that leave -------------------------------------------------------------------------

// Orbits come in families besides the one along p: there is no telling which way a branch leaves.
static bool has_more_families(const work *all, const orbit_point *at) {
    const uint32_t usual = !all->of->problem.period_is_given + all->of->by_energy;
    return at->floquet.trivial > usual || all->of->problem.moves;
}

// y of the same orbit passed `times` times
static void repeat(const orbit_curve *from, const orbit_curve *to, uint32_t times, const double *y,
                   double *out) {
    const uint32_t states = from->s.segments * from->s.size, all = states * times,
                   rest = from->columns - states;
    for (uint32_t k = 0; k < times; k++)
        for (uint32_t i = 0; i < states; i++)
            out[k * states + i] = y[i] * from->scale[i] / to->scale[k * states + i];
    memcpy(out + all, y + states, sizeof(double) * rest);
}

static void leave(work *all, uint32_t from, uint32_t which) {
    orbit_path *path = all->path;
    const orbit_special at = path->branches[from].special[which];
    const uint32_t times = at.kind == ORBIT_DOUBLING ? 2 : 1,
                   multiple = path->branches[from].multiple * times,
                   segments = path->branches[from].segments * times;
    arena *a = &all->of->problem.sim->m->ctx->arena;
    orbit_curve before, w;
    orbit_curve_open(&before, all->of, multiple / times, segments / times);
    orbit_curve_open(&w, all->of, multiple, segments);
    double *y = arena_array(a, double, 3 * w.columns), *t = y + w.columns, *q = t + w.columns;
    repeat(&before, &w, times, at.at.y, y), repeat(&before, &w, times, at.at.tangent, t);
    orbit_curve_close(&before);
    if (isfinite(orbit_curve_evaluate(&w, y))) {
        const double length = sqrt(dot(w.columns, t, t));
        for (uint32_t c = 0; c < w.columns; c++) t[c] /= length;
        orbit_curve_other(&w, t, q);
        orbit_point start;
        orbit_curve_evaluate(&w, y);
        orbit_curve_point(&w, y, q, &start);
        orbit_curve_range(&w, &start);
        path->branches[from].special[which].branch = (int32_t)path->branches_count;
        list_push(path, branches,
                  (orbit_branch){.multiple = multiple,
                                 .segments = segments,
                                 .from = (int32_t)from,
                                 .from_special = (int32_t)which});
        follow(all, &path->branches[path->branches_count - 1], &w, &start, true, times == 1);
    }
    orbit_curve_close(&w);
}

static void follow_others(work *all) {
    orbit_path *path = all->path;
    for (uint32_t b = 0; b < path->branches_count; b++)
        for (uint32_t i = 0; i < path->branches[b].special_count; i++) {
            const orbit_special *at = &path->branches[b].special[i];
            const bool doubles = at->kind == ORBIT_DOUBLING;
            if (at->kind != ORBIT_BRANCH && !doubles) continue;
            const bool possible = path->branches_count < all->most_branches &&
                                  !has_more_families(all, &at->at) &&
                                  !(doubles && path->branches[b].multiple * 2 > MOST_DOUBLINGS);
            if (possible) leave(all, b, i);
            else path->left_out++;
        }
}

// --- all -----------------------------------------------------------------------------------------

// States at the beginnings of the segments of an orbit
static bool spread(orbit_curve *w, const orbit *first, double p, double *y) {
    const orbit_problem *of = &w->of->problem;
    const uint32_t size = w->s.size, m = w->s.segments;
    double *z = memory_array(double, (size_t)m *size + 1);
    bool good = true;
    memcpy(z, first->z, sizeof(double) * size);
    for (uint32_t k = 1; k < m && good; k++) {
        const double each = first->period / m, from = of->t0 + (k - 1) * each;
        good = shooting_go(&w->s, z + (k - 1) * size, from, from + each);
        memcpy(z + k * size, w->s.end, sizeof(double) * size);
    }
    orbit_curve_take(w, z, first->period, first->speed, p, y);
    memory_free(z);
    return good;
}

void orbit_path_find(const orbit_family *of, const orbit *first, uint32_t most_branches,
                     uint32_t most_steps, orbit_path *out) {
    *out = (orbit_path){0};
    work all = {.of = of, .path = out, .most_branches = most_branches, .most_steps = most_steps};
    orbit_curve w;
    orbit_curve_open(&w, of, 1, first->segments);
    double *y = memory_zeros(double, 3 * (size_t)w.columns), *t = y + w.columns,
           *along = t + w.columns;
    along[w.columns - 1] = 1;
    if (spread(&w, first, of->p, y) && orbit_curve_correct(&w, along, y) &&
        orbit_curve_tangent(&w, along, t)) {
        orbit_point start;
        orbit_curve_point(&w, y, t, &start);
        orbit_curve_range(&w, &start);
        all.range = range_of(w.s.n, &start);
        list_push(out, branches,
                  (orbit_branch){
                      .multiple = 1, .segments = first->segments, .from = -1, .from_special = -1});
        follow(&all, &out->branches[0], &w, &start, false, true);
    }
    memory_free(y);
    orbit_curve_close(&w);
    follow_others(&all);
}

void orbit_path_clear(orbit_path *path) {
    for (uint32_t i = 0; i < path->branches_count; i++)
        memory_free(path->branches[i].points), memory_free(path->branches[i].special);
    memory_free(path->branches);
}
