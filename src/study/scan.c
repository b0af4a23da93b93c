// Eigenvalues followed along a path of steady motions.
#include "study/scan.h"

#include "study/steady_problem.h"

#include <acb_mat.h>
#include <math.h>
#include <stdlib.h>

enum { BITS = 53, MOST_ROWS = 20000 };
static const double SMALLEST_STEP = 0x1p-17; // of the interval
static const double UNLIKE = 0.3;            // of the distance to the next one: how far it may move
static const double OFF = 0.3;               // of a step: how far a tangent may lead astray
static const double SAME = 1e-6;             // nearer than this, relative, they are one
static const double FOLD = 1e-3;             // a pivot so much smaller than at the start

// --- one row -------------------------------------------------------------------------------------

static bool set_eigenvalues(scan_row *r, uint32_t count) {
    acb_mat_t a;
    acb_ptr e = _acb_vec_init(count);
    acb_mat_init(a, count, count);
    acb_mat_set_arb_mat(a, r->at.linear.quotient.v);
    if (count) acb_mat_approx_eig_qr(e, NULL, NULL, a, NULL, 0, 64);
    bool finite = true;
    for (uint32_t i = 0; i < count; i++) {
        r->re[i] = ball_middle(acb_realref(e + i));
        r->im[i] = ball_middle(acb_imagref(e + i));
        finite = finite && isfinite(r->re[i]) && isfinite(r->im[i]);
    }
    _acb_vec_clear(e, count);
    acb_mat_clear(a);
    return finite;
}

static void row_clear(scan_row *r) {
    path_point_clear(&r->at);
    memory_free(r->re), memory_free(r->im);
}

// The row at p, from another; false where there is no motion near, or no eigenvalues.
static bool row_at(scan *s, const scan_row *from, double p, scan_row *out) {
    *out = (scan_row){.p = p};
    path_point_copy(&from->at, BITS, &out->at);
    out->re = memory_zeros(double, s->count + 1), out->im = memory_zeros(double, s->count + 1);
    arb_t v;
    arb_init(v);
    arb_set_d(v, p);
    const bool good = path_point_predict(s->path, &out->at, v) &&
                      path_point_solve(s->path, &out->at) &&
                      path_point_linearise(s->path, &out->at, NULL) &&
                      out->at.linear.count == s->count && set_eigenvalues(out, s->count);
    arb_clear(v);
    if (!good) row_clear(out);
    return good;
}

// --- one motion ----------------------------------------------------------------------------------

// Does the tangent at `from` lead to `to`? That is, up to a part of the way between them, in
// weights 1/(1 + |s|); of p its part of the interval
static bool leads_to(scan *s, const path_point *from, const path_point *to) {
    const steady_path *a = s->path;
    path_point guess;
    arb_t p;
    arb_init(p);
    path_point_copy(from, BITS, &guess);
    arb_get_mid_arb(p, path_point_p(a, (path_point *)to));
    double length = fabs(ball_middle(p) - ball_middle(path_point_p(a, &guess))) / s->interval;
    double off = path_point_predict(s->path, &guess, p) ? 0 : INFINITY;
    for (uint32_t i = 0; i < a->rank; i++) {
        const expr x = a->w->unknown[a->solved[i]];
        const double here = ball_middle(state_get((state *)&to->x, x)),
                     there = ball_middle(state_get((state *)&from->x, x)),
                     weight = 1 / (1 + fabs(there));
        off = hypot(off, weight * (here - ball_middle(state_get(&guess.x, x))));
        length = hypot(length, weight * (here - there));
    }
    path_point_clear(&guess);
    arb_clear(p);
    return off <= OFF * length + 1e-12;
}

bool scan_leads_back(scan *s, const path_point *from, const path_point *to) {
    return !s->path->rank || leads_to(s, to, from);
}

// Does the tangent at each of two rows lead to the other? Newton's method may have gone to another
// motion, which two tangents rarely do both.
static bool is_same_motion(scan *s, const scan_row *before, const scan_row *now) {
    return !s->path->rank ||
           (leads_to(s, &now->at, &before->at) && leads_to(s, &before->at, &now->at));
}

// --- which is which ------------------------------------------------------------------------------

typedef struct {
    double distance;
    uint32_t before, now;
} match;

static int by_distance(const void *a, const void *b) {
    const match *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return x->before != y->before ? (x->before < y->before ? -1 : 1) : x->now < y->now ? -1 : 1;
}

static double apart(const scan_row *a, uint32_t i, const scan_row *b, uint32_t j) {
    return hypot(a->re[i] - b->re[j], a->im[i] - b->im[j]);
}

// How far an eigenvalue is from the next one of its row; of equal ones any may be taken
static double room(const scan_row *r, uint32_t i, uint32_t count) {
    double nearest = INFINITY;
    const double same = SAME * (1 + hypot(r->re[i], r->im[i]));
    for (uint32_t j = 0; j < count; j++)
        if (j != i && apart(r, i, r, j) > same) nearest = fmin(nearest, apart(r, i, r, j));
    return nearest;
}

// The nearest pairs first, those that extrapolation from two rows makes nearest. True where it is
// plain that each is the one it was.
static bool order_as(const scan_row *older, const scan_row *before, scan_row *now, uint32_t count) {
    match *all = memory_array(match, count * count + 1);
    double *re = memory_array(double, 2 * count + 1), *im = re + count;
    bool *used = memory_zeros(bool, 2 * count + 1);
    const double part =
        older && older->p != before->p ? (now->p - before->p) / (before->p - older->p) : 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            const double x = before->re[i] + (older ? part * (before->re[i] - older->re[i]) : 0),
                         y = before->im[i] + (older ? part * (before->im[i] - older->im[i]) : 0);
            all[i * count + j] = (match){hypot(x - now->re[j], y - now->im[j]), i, j};
        }
    qsort(all, (size_t)count * count, sizeof *all, by_distance);
    bool plain = true;
    for (uint32_t k = 0; k < count * count; k++) {
        const match *m = &all[k];
        if (used[m->before] || used[count + m->now]) continue;
        used[m->before] = used[count + m->now] = true;
        re[m->before] = now->re[m->now], im[m->before] = now->im[m->now];
        const double least = 1e-9 * (1 + hypot(now->re[m->now], now->im[m->now]));
        const double gap = fmin(room(before, m->before, count), room(now, m->now, count));
        plain = plain && m->distance <= fmax(UNLIKE * gap, least);
    }
    for (uint32_t i = 0; i < count; i++) now->re[i] = re[i], now->im[i] = im[i];
    memory_free(all), memory_free(re), memory_free(used);
    return plain;
}

// --- the walk ------------------------------------------------------------------------------------

static void push(scan *s, scan_row row) {
    if (s->row_count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 256;
        memory_grow(s->row, s->capacity);
    }
    s->row[s->row_count++] = row;
}

// How regular dF/ds is: the smallest pivot against the largest entry
static double regularity(scan *s, scan_row *r) {
    steady_path *a = s->path;
    const uint32_t rank = a->rank;
    double *v = memory_array(double, rank *rank + 1);
    linear_problem_run(a->rows, &r->at.x, BITS, a->value);
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t j = 0; j < rank; j++)
            v[i * rank + j] =
                ball_middle(a->value + rank + (size_t)i * a->w->unknowns + a->solved[j]);
    const double least = rank ? pivots_smallest(rank, rank, v) : 1;
    memory_free(v);
    return fabs(least);
}

static scan_end walk(scan *s, double to, double largest) {
    const double whole = fabs(largest), sign = to >= s->row[s->row_count - 1].p ? 1 : -1;
    const uint32_t first = s->row_count - 1;
    const double least = SMALLEST_STEP * whole * 100;
    double step = whole, smallest = least;
    const double regular = regularity(s, &s->row[first]);
    while (s->row_count < MOST_ROWS) {
        scan_row *before = &s->row[s->row_count - 1];
        const double left = fabs(to - before->p);
        if (left <= 0) return ENDS_WHERE_ASKED;
        const bool last = step >= left * (1 - 1e-9);
        const double p = last ? to : before->p + sign * step;
        scan_row next;
        bool found = row_at(s, before, p, &next);
        if (found && !is_same_motion(s, before, &next)) row_clear(&next), found = false;
        const scan_row *older = s->row_count - 1 > first ? before - 1 : NULL;
        const bool plain = found && order_as(older, before, &next, s->count);
        if (plain || (found && step <= smallest)) {
            push(s, next);
            step = fmin(whole, 2 * step);
            // where it stays unclear which is which, steps are not held small for long
            smallest = plain ? least : fmin(whole, 2 * smallest);
            continue;
        }
        if (found) row_clear(&next);
        if (!found && step <= least * 1e-6)
            return regularity(s, before) < FOLD * regular ? ENDS_IN_A_FOLD : ENDS_OTHERWISE;
        step = fmin(step, left) / 2;
    }
    return ENDS_AFTER_ROWS;
}

static void reverse(scan *s) {
    for (uint32_t i = 0, j = s->row_count - 1; i < j; i++, j--) {
        const scan_row keep = s->row[i];
        s->row[i] = s->row[j], s->row[j] = keep;
    }
}

// The eigenvalues of the first row by their real and imaginary parts
static void sort_first(scan *s) {
    scan_row *r = &s->row[0];
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = i + 1; j < s->count; j++) {
            const double d = r->re[j] - r->re[i], tiny = 1e-9 * (1 + fabs(r->re[i]));
            if (d < -tiny || (fabs(d) <= tiny && r->im[j] >= r->im[i])) continue;
            const double re = r->re[i], im = r->im[i];
            r->re[i] = r->re[j], r->im[i] = r->im[j], r->re[j] = re, r->im[j] = im;
        }
}

void scan_create(steady_path *path, double start, double low, double high, uint32_t steps,
                 scan *out) {
    *out = (scan){.path = path, .interval = high - low};
    scan_row first = {.p = start};
    path_point_init(path, BITS, &first.at);
    arb_t v;
    arb_init(v);
    arb_set_d(v, start);
    // p is where the motion was found: nothing is predicted
    arb_set(path_point_p(path, &first.at), v);
    out->has_values = path_point_predict(path, &first.at, v) && path_point_solve(path, &first.at) &&
                      path_point_linearise(path, &first.at, NULL);
    arb_clear(v);
    if (!out->has_values) {
        path_point_clear(&first.at);
        return;
    }
    out->count = first.at.linear.count, out->neutral = first.at.linear.neutral;
    first.re = memory_zeros(double, out->count + 1),
    first.im = memory_zeros(double, out->count + 1);
    out->has_values = set_eigenvalues(&first, out->count);
    push(out, first);
    sort_first(out);
    const double largest = (high - low) / steps;
    out->low_end = walk(out, low, largest);
    reverse(out);
    out->high_end = walk(out, high, largest);
}

void scan_clear(scan *s) {
    for (uint32_t i = 0; i < s->row_count; i++) row_clear(&s->row[i]);
    memory_free(s->row);
}

void scan_test(scan *s, spectrum_kind kind) {
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < s->row_count; i++)
        for (int t = 0; t < TESTS; t++) {
            spectrum_test(&(spectrum){.c = s->row[i].at.polynomial}, kind, t, 128, v);
            s->row[i].test[t] = ball_middle(v);
        }
    arb_clear(v);
}

scan_row *scan_near(scan *s, double p) {
    scan_row *best = &s->row[0];
    for (uint32_t i = 1; i < s->row_count; i++)
        if (fabs(s->row[i].p - p) < fabs(best->p - p)) best = &s->row[i];
    return best;
}
