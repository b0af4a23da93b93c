// Branches of steady motions: values, tangents, points.
#include "study/branch.h"

#include "study/steady_problem.h"

#include <acb_mat.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 12 };
static const double SMALL = 1e-9; // a real part below this, against the eigenvalues, is taken as 0

// --- the system ----------------------------------------------------------------------------------

void branch_system_create(steady_path *a, double low, double high, branch_system *out) {
    steady_problem *w = a->w;
    const uint32_t r = a->rank, n = w->s->n;
    *out = (branch_system){.path = a, .r = r, .low = low, .high = high};
    out->f = arena_array(w->arena, expr, r * (r + 2) + 1);
    out->variable = arena_array(w->arena, expr, r + 1);
    expr *all = arena_array(w->arena, expr, w->rows + n + 1);
    for (uint32_t i = 0; i < r; i++) {
        out->f[i] = a->from->function[a->row[i]];
        out->variable[i] = w->unknown[a->solved[i]];
    }
    out->variable[r] = a->p;
    for (uint32_t i = 0; i < w->rows + n; i++)
        all[i] = i < w->rows ? w->row[i] : w->motion[i - w->rows];
    expr_substitute(w->p, a->settings, a->setting, a->meaning, r, out->f, out->f);
    expr_substitute(w->p, a->settings, a->setting, a->meaning, w->rows + n, all, all);
    expr_jacobian(w->p, r, out->f, r + 1, out->variable, out->f + r);
    out->values = program_create(w->p, r * (r + 2), out->f);
    out->others = program_create(w->p, w->rows + n, all);
    out->other_count = w->rows + n;
    path_point start;
    path_point_init(a, 64, &start);
    out->symbols = start.x.capacity;
    out->symbol = memory_array(double, out->symbols + 1);
    for (uint32_t i = 0; i < out->symbols; i++) out->symbol[i] = ball_middle(start.x.value + i);
    path_point_clear(&start);
}

void branch_system_clear(branch_system *b) {
    if (!b->values) return;
    program_free(b->values), program_free(b->others);
    memory_free(b->symbol);
}

static void set_values(branch_system *b, const double *y) {
    for (uint32_t i = 0; i <= b->r; i++)
        b->symbol[expr_symbol_index(b->path->w->p, b->variable[i])] = y[i];
}

bool branch_evaluate(branch_system *b, const double *y, double *f, double *slope) {
    const uint32_t r = b->r, count = r * (r + 2);
    double *v = memory_array(double, count + 1);
    set_values(b, y);
    program_run_double(b->values, b->symbol, v);
    bool finite = true;
    for (uint32_t i = 0; i < count; i++) finite = finite && isfinite(v[i]);
    memcpy(f, v, sizeof *v * r);
    memcpy(slope, v + r, sizeof *v * r * (r + 1));
    memory_free(v);
    return finite;
}

// Do all equations of steady motion hold, also those that were left out?
static bool others_hold(branch_system *b, const double *y) {
    double *v = memory_array(double, b->other_count + 1), scale = 1;
    set_values(b, y);
    program_run_double(b->others, b->symbol, v);
    for (uint32_t i = 0; i <= b->r; i++) scale = fmax(scale, fabs(y[i]));
    bool hold = true;
    for (uint32_t i = 0; i < b->other_count; i++) hold = hold && fabs(v[i]) < 1e-6 * scale * scale;
    memory_free(v);
    return hold;
}

void branch_point_at(branch_system *b, const double *y, slong bits, path_point *out) {
    path_point_init(b->path, bits, out);
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < b->r; i++) {
        arb_set_d(v, y[i]);
        state_set(&out->x, b->variable[i], v);
    }
    arb_set_d(v, y[b->r]);
    path_point_set_p(b->path, out, v);
    arb_clear(v);
}

// --- linear algebra ------------------------------------------------------------------------------

// Gauss with partial pivoting, in place: a x = b for `count` columns of b, row-major. The sign of
// the determinant times a measure of its size; 0: singular.
static double eliminate(uint32_t n, double *a, uint32_t count, double *b) {
    double sign = 1, least = INFINITY;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        const double pivot = a[best * n + k];
        if (!(fabs(pivot) > 0)) return 0;
        if (best != k) {
            sign = -sign;
            for (uint32_t j = 0; j < n; j++) {
                const double keep = a[k * n + j];
                a[k * n + j] = a[best * n + j], a[best * n + j] = keep;
            }
            for (uint32_t j = 0; j < count; j++) {
                const double keep = b[k * count + j];
                b[k * count + j] = b[best * count + j], b[best * count + j] = keep;
            }
        }
        if (pivot < 0) sign = -sign;
        least = fmin(least, fabs(pivot));
        for (uint32_t i = k + 1; i < n; i++) {
            const double m = a[i * n + k] / pivot;
            if (m == 0) continue;
            for (uint32_t j = k; j < n; j++) a[i * n + j] -= m * a[k * n + j];
            for (uint32_t j = 0; j < count; j++) b[i * count + j] -= m * b[k * count + j];
        }
    }
    for (uint32_t k = n; k-- > 0;)
        for (uint32_t j = 0; j < count; j++) {
            double v = b[k * count + j];
            for (uint32_t i = k + 1; i < n; i++) v -= a[k * n + i] * b[i * count + j];
            b[k * count + j] = v / a[k * n + k];
        }
    return sign * least;
}

// Weights: lengths are |w y| with w_i = 1/(1 + |y_i|), and p over its interval
static double weight(const branch_system *b, const double *y, uint32_t i) {
    return i == b->r ? 1 / (b->high - b->low) : 1 / (1 + fabs(y[i]));
}

static double dot(const branch_system *b, const double *at, const double *x, const double *y) {
    double sum = 0;
    for (uint32_t i = 0; i <= b->r; i++) {
        const double w = weight(b, at, i);
        sum += w * w * x[i] * y[i];
    }
    return sum;
}

double branch_distance(const branch_system *b, const double *from, const double *to) {
    double sum = 0;
    for (uint32_t i = 0; i <= b->r; i++) {
        const double d = weight(b, from, i) * (from[i] - to[i]);
        sum += d * d;
    }
    return sqrt(sum);
}

// [dF/dy; row W^2], the last row in weights at `at`; rows of F scaled
static bool load(branch_system *b, const double *y, const double *at, const double *row, double *f,
                 double *m) {
    const uint32_t r = b->r, n = r + 1;
    const bool good = branch_evaluate(b, y, f, m);
    for (uint32_t i = 0; i < r; i++) {
        double largest = 0;
        for (uint32_t j = 0; j < n; j++)
            largest = fmax(largest, fabs(m[i * n + j]) / weight(b, at, j));
        if (!(largest > 0)) continue;
        for (uint32_t j = 0; j < n; j++) m[i * n + j] /= largest * weight(b, at, j);
        f[i] /= largest;
    }
    // columns are those of w y
    for (uint32_t j = 0; j < n; j++) m[r * n + j] = weight(b, at, j) * row[j];
    return good;
}

bool branch_correct(branch_system *b, const double *row, const double *from, double h, double *y) {
    const uint32_t n = b->r + 1;
    double *m = memory_array(double, n *n + n), *f = m + n * n, *d = memory_array(double, n);
    bool good = true, done = false;
    double before = INFINITY;
    for (int k = 0; k < MOST_ITERATIONS && good && !done; k++) {
        good = load(b, y, from, row, f, m);
        for (uint32_t i = 0; i < n; i++) d[i] = y[i] - from[i];
        f[b->r] = dot(b, from, row, d) - h;
        good = good && eliminate(n, m, 1, f) != 0;
        double step = 0;
        for (uint32_t i = 0; i < n && good; i++) {
            step = fmax(step, fabs(f[i]));
            y[i] -= f[i] / weight(b, from, i);
        }
        good = good && isfinite(step) && (k < 2 || step < before || step < 1e-11);
        done = good && step < 1e-13;
        // at the limit of doubles steps no longer shrink
        done = done || (good && step < 1e-10 && step > 0.3 * before);
        before = step;
    }
    memory_free(m), memory_free(d);
    return good && (done || before < 1e-10);
}

bool branch_tangent(branch_system *b, const double *y, const double *before, double *t,
                    double *det) {
    const uint32_t n = b->r + 1;
    double *m = memory_array(double, n *n + n), *x = m + n * n;
    bool good = load(b, y, y, before, x, m);
    for (uint32_t i = 0; i < n; i++) x[i] = i == b->r;
    good = good && eliminate(n, m, 1, x) != 0;
    double length = 0;
    for (uint32_t i = 0; i < n; i++) length += x[i] * x[i];
    length = sqrt(length);
    good = good && length > 0 && isfinite(length);
    for (uint32_t i = 0; i < n && good; i++) t[i] = x[i] / length / weight(b, y, i);
    if (good) {
        good = load(b, y, y, t, x, m);
        for (uint32_t i = 0; i < n; i++) x[i] = 0;
        *det = eliminate(n, m, 1, x);
    }
    memory_free(m);
    return good;
}

bool branch_second_direction(branch_system *b, const double *y, const double *t, double *v) {
    const uint32_t n = b->r + 1;
    double *m = memory_array(double, n *n + n), *x = m + n * n, length = 0, along = 0;
    bool good = true;
    for (uint32_t i = 0; i < n; i++) v[i] = (i % 2 ? 1 : -1) * (0.7 + 0.1 * i) / weight(b, y, i);
    // inverse iteration with M^T M, M = [dF/dy; t]: the smallest singular direction
    for (int k = 0; k < 4 && good; k++) {
        good = load(b, y, y, t, x, m);
        double *turned = memory_array(double, n *n);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) turned[i * n + j] = m[j * n + i];
        for (uint32_t i = 0; i < n; i++) turned[i * n + i] += 1e-14, m[i * n + i] += 1e-14;
        for (uint32_t i = 0; i < n; i++) x[i] = weight(b, y, i) * v[i];
        good = good && eliminate(n, turned, 1, x) != 0 && eliminate(n, m, 1, x) != 0;
        memory_free(turned);
        length = 0;
        for (uint32_t i = 0; i < n; i++) length += x[i] * x[i];
        length = sqrt(length);
        good = good && length > 0 && isfinite(length);
        for (uint32_t i = 0; i < n && good; i++) v[i] = x[i] / length / weight(b, y, i);
    }
    if (good) {
        along = dot(b, y, v, t);
        for (uint32_t i = 0; i < n; i++) v[i] -= along * t[i];
        length = sqrt(dot(b, y, v, v));
        good = length > 1e-3;
        for (uint32_t i = 0; i < n && good; i++) v[i] /= length;
    }
    memory_free(m);
    return good;
}

// --- points --------------------------------------------------------------------------------------

static void judge(branch_point *p) {
    double size = 1, most = -INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        size = fmax(size, hypot(p->re[i], p->im[i]));
        most = fmax(most, p->re[i]);
    }
    // eigenvalues near a double one are good to half of the digits
    double room = SMALL;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t j = i + 1; j < p->count; j++)
            if (hypot(p->re[i] - p->re[j], p->im[i] - p->im[j]) < 1e-4 * size) room = 1e-6;
    p->stable = most > room * size ? -1 : most < -room * size ? 1 : 0;
}

static void set_eigenvalues(branch_system *b, branch_point *p) {
    path_point at;
    p->stable = 2;
    branch_point_at(b, p->y, 53, &at);
    if (path_point_linearise(b->path, &at, NULL)) {
        const uint32_t count = p->count = at.linear.count;
        acb_mat_t a;
        acb_ptr e = _acb_vec_init(count + 1);
        acb_mat_init(a, count, count);
        acb_mat_set_arb_mat(a, at.linear.quotient.v);
        if (count) acb_mat_approx_eig_qr(e, NULL, NULL, a, NULL, 0, 64);
        p->re = memory_zeros(double, count + 1), p->im = memory_zeros(double, count + 1);
        for (uint32_t i = 0; i < count; i++) {
            p->re[i] = ball_middle(acb_realref(e + i));
            p->im[i] = ball_middle(acb_imagref(e + i));
        }
        _acb_vec_clear(e, count + 1);
        acb_mat_clear(a);
        judge(p);
    }
    path_point_clear(&at);
}

bool branch_point_make(branch_system *b, const double *y, const double *before, branch_point *out) {
    const uint32_t n = b->r + 1;
    *out = (branch_point){.y = memory_array(double, n), .t = memory_zeros(double, n)};
    memcpy(out->y, y, sizeof *y * n);
    bool good = others_hold(b, y) && branch_tangent(b, y, before, out->t, &out->det);
    if (good) set_eigenvalues(b, out);
    else branch_point_free(out);
    return good;
}

void branch_point_free(branch_point *p) {
    memory_free(p->y), memory_free(p->t), memory_free(p->re), memory_free(p->im);
    *p = (branch_point){0};
}

void branch_push(branch *out, branch_point p) {
    array_reserve(out->point, out->point_count, out->capacity);
    out->point[out->point_count++] = p;
}

void branch_clear(branch *out) {
    for (uint32_t i = 0; i < out->point_count; i++) branch_point_free(&out->point[i]);
    memory_free(out->point);
    *out = (branch){0};
}
