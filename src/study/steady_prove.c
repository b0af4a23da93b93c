// A complete search of a box for zeros of the reduced rows F: branch and prune.
//
// A box X (blown up a little, so that zeros on its faces are inside) has no zero where a row F_i(X)
// does not contain 0, or where X and K(X) have no point in common,
//   K(X) = m - Y F(m) + (I - Y J(X)) (X - m),   Y about the pseudo-inverse of J(m),
// since every zero in X lies in K(X). Where K(X) lies inside X there is at most one: Newton's
// method on the full equations finds the motion, or the box stays undecided. Around known motions
// boxes with at most one zero are made first. The rest is cut in two.
#include "base/budget.h"
#include "study/steady_box.h"

#include <math.h>
#include <string.h>

enum { BITS = 80, MOST = 8, MOST_ROWS = 64, MOST_BOXES = 60000, MOST_UNDECIDED = 4096 };
static const double SMALLEST = 1e-7;    // width of a box that is not cut, relative to its range
static const double COARSE = 1.0 / 256; // the same where the equations have no value
static const double BLOWN_UP = 1.0 / 16;

typedef struct {
    double low[MOST], high[MOST];
} box;

typedef struct {
    box_search *b;
    const steady_reduced *r;
    program *prog;   // F, then J
    program *centre; // F
    program *breaks; // 0 where a function in F jumps or bends; NULL: nothing does
    arb_ptr at_breaks;
    bool smooth;   // no break in the box that was looked at last
    arb_ptr value; // by symbol
    arb_ptr out, at_centre;
    uint32_t *index; // of the unknowns
    double full[MOST];
    double inverse[MOST * MOST_ROWS]; // Y: unknowns x rows
    LIST(box, waiting);
    LIST(box, settled); // at most one zero in each, and that is known
    LIST(box, undecided);
} work;

static void interval(arb_t to, double low, double high) {
    arf_t a, b;
    arf_init(a), arf_init(b);
    arf_set_d(a, low), arf_set_d(b, high);
    arb_set_interval_arf(to, a, b, BITS);
    arf_clear(a), arf_clear(b);
}

static double lower(const arb_t v) {
    arf_t a;
    arf_init(a);
    arb_get_lbound_arf(a, v, BITS);
    const double d = arf_get_d(a, ARF_RND_FLOOR);
    arf_clear(a);
    return d;
}

static double upper(const arb_t v) {
    arf_t a;
    arf_init(a);
    arb_get_ubound_arf(a, v, BITS);
    const double d = arf_get_d(a, ARF_RND_CEIL);
    arf_clear(a);
    return d;
}

// --- Krawczyk's operator -------------------------------------------------------------------------

// Y = (J^T J)^-1 J^T at the middle of J(X), in doubles; any matrix will do. False: none was found.
static bool invert(work *w) {
    const uint32_t n = w->r->unknowns, f = w->r->rows;
    double a[MOST][2 * MOST] = {{0}};
    const arb_srcptr j = w->out + f;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t r = 0; r < f; r++)
                a[i][k] += ball_middle(j + r * n + i) * ball_middle(j + r * n + k);
        a[i][n + i] = 1;
    }
    for (uint32_t c = 0; c < n; c++) {
        uint32_t best = c;
        for (uint32_t i = c; i < n; i++)
            if (fabs(a[i][c]) > fabs(a[best][c])) best = i;
        if (!isfinite(a[best][c]) || fabs(a[best][c]) < 1e-280) return false;
        for (uint32_t k = 0; k < 2 * n; k++) {
            const double swap = a[c][k];
            a[c][k] = a[best][k], a[best][k] = swap;
        }
        for (uint32_t i = 0; i < n; i++) {
            const double factor = i == c ? 0 : a[i][c] / a[c][c];
            for (uint32_t k = 0; k < 2 * n && i != c; k++) a[i][k] -= factor * a[c][k];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t r = 0; r < f; r++) {
            double sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum += a[i][n + k] / a[i][i] * ball_middle(j + r * n + k);
            if (!isfinite(sum)) return false;
            w->inverse[i * f + r] = sum;
        }
    return true;
}

static void evaluate(work *w, const box *x) {
    for (uint32_t i = 0; i < w->r->unknowns; i++)
        interval(w->value + w->index[i], x->low[i], x->high[i]);
    program_run_arb(w->prog, w->value, BITS, w->out);
    w->smooth = true;
    if (!w->breaks) return;
    program_run_arb(w->breaks, w->value, BITS, w->at_breaks);
    for (uint32_t i = 0; i < w->breaks->output_count; i++)
        w->smooth =
            w->smooth && arb_is_finite(w->at_breaks + i) && !arb_contains_zero(w->at_breaks + i);
}

// K(X) from J(X), which is in w->out. Where something jumps J does not say how F changes.
static bool krawczyk(work *w, const box *x, box *image) {
    const uint32_t n = w->r->unknowns, f = w->r->rows;
    double middle[MOST];
    if (!w->smooth) return false;
    for (uint32_t i = 0; i < n; i++) {
        middle[i] = x->low[i] / 2 + x->high[i] / 2;
        arb_set_d(w->value + w->index[i], middle[i]);
    }
    program_run_arb(w->centre, w->value, BITS, w->at_centre);
    if (!invert(w)) return false;
    arb_t sum, entry, y, side;
    arb_init(sum), arb_init(entry), arb_init(y), arb_init(side);
    bool finite = true;
    for (uint32_t i = 0; i < n; i++) {
        arb_set_d(sum, middle[i]);
        for (uint32_t r = 0; r < f; r++) {
            arb_set_d(y, w->inverse[i * f + r]);
            arb_submul(sum, y, w->at_centre + r, BITS);
        }
        for (uint32_t k = 0; k < n; k++) {
            arb_set_si(entry, i == k);
            for (uint32_t r = 0; r < f; r++) {
                arb_set_d(y, w->inverse[i * f + r]);
                arb_submul(entry, y, w->out + f + r * n + k, BITS);
            }
            interval(side, x->low[k], x->high[k]);
            arb_set_d(y, middle[k]);
            arb_sub(side, side, y, BITS);
            arb_addmul(sum, entry, side, BITS);
        }
        finite = finite && arb_is_finite(sum);
        image->low[i] = lower(sum), image->high[i] = upper(sum);
    }
    arb_clear(sum), arb_clear(entry), arb_clear(y), arb_clear(side);
    return finite;
}

static bool is_inside(uint32_t n, const box *inner, const box *outer) {
    for (uint32_t i = 0; i < n; i++)
        if (!(inner->low[i] > outer->low[i] && inner->high[i] < outer->high[i])) return false;
    return true;
}

// --- known motions -------------------------------------------------------------------------------

static double value_of(const work *w, const steady_motion *m, uint32_t i) {
    return ball_middle(state_get((state *)&m->x, w->r->unknown[i]));
}

// The largest box around a proved motion that has at most one zero; it has one, the motion
static void settle(work *w, steady_motion *m) {
    const uint32_t n = w->r->unknowns;
    box only = {{0}, {0}};
    if (steady_box_settle_multiple(w->b, w->r, m, w->full[0], only.low, only.high))
        list_push(w, settled, only);
    if (!m->proved) return;
    for (double part = 0.25; part > 1e-9; part /= 3) {
        box x = {{0}, {0}}, image = x;
        for (uint32_t i = 0; i < n; i++) {
            const double v = value_of(w, m, i);
            x.low[i] = v - part * w->full[i], x.high[i] = v + part * w->full[i];
        }
        evaluate(w, &x);
        if (!krawczyk(w, &x, &image) || !is_inside(n, &image, &x)) continue;
        list_push(w, settled, x);
        return;
    }
}

// --- the search ----------------------------------------------------------------------------------

static bool is_settled(const work *w, const box *x) {
    for (uint32_t k = 0; k < w->settled_count; k++)
        if (is_inside(w->r->unknowns, x, &w->settled[k])) return true;
    return false;
}

// A motion in a box with at most one zero; where there is none the zero, if there is one, is none
// of the full equations, but that is not proved.
static void look_for_motion(work *w, const box *x) {
    state near;
    state_copy(&w->b->out->x, w->b->out->x.precision, &near);
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < w->r->unknowns; i++) {
        arb_set_d(v, x->low[i] / 2 + x->high[i] / 2);
        state_set(&near, w->r->unknown[i], v);
    }
    arb_clear(v);
    steady_rows_guess_speeds(w->b->w, &near);
    const steady_motions *out = w->b->out;
    if (steady_box_try(w->b, &near)) settle(w, &out->motion[out->count - 1]);
    state_clear(&near);
}

// The equations have no value in the middle of the box that was looked at last.
static bool has_no_value(const work *w) {
    for (uint32_t r = 0; r < w->r->rows; r++)
        if (!arb_is_finite(w->out + r) && !arb_is_finite(w->at_centre + r)) return true;
    return false;
}

typedef enum { BOX_EMPTY, BOX_SETTLED, BOX_UNDECIDED, BOX_CUT } box_fate;

// What is known of a box; it may become smaller.
static box_fate judge(work *w, box *x) {
    const uint32_t n = w->r->unknowns, f = w->r->rows;
    if (is_settled(w, x)) return BOX_SETTLED;
    box blown = *x, image = *x;
    double widest = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double more = (x->high[i] - x->low[i]) * BLOWN_UP + w->full[i] * 1e-12;
        blown.low[i] -= more, blown.high[i] += more;
        widest = fmax(widest, (x->high[i] - x->low[i]) / w->full[i]);
    }
    evaluate(w, &blown);
    for (uint32_t r = 0; r < f; r++)
        if (arb_is_finite(w->out + r) && !arb_contains_zero(w->out + r)) return BOX_EMPTY;
    if (krawczyk(w, &blown, &image)) {
        const bool one = is_inside(n, &image, &blown);
        for (uint32_t i = 0; i < n; i++) {
            x->low[i] = fmax(x->low[i], image.low[i]), x->high[i] = fmin(x->high[i], image.high[i]);
            if (x->low[i] > x->high[i]) return BOX_EMPTY;
        }
        if (is_settled(w, x)) return BOX_SETTLED;
        if (one) {
            look_for_motion(w, &image);
            if (is_settled(w, x)) return BOX_SETTLED;
        }
    }
    return widest < (has_no_value(w) ? COARSE : SMALLEST) ? BOX_UNDECIDED : BOX_CUT;
}

static void cut(work *w, box x) {
    uint32_t widest = 0;
    for (uint32_t i = 1; i < w->r->unknowns; i++)
        if ((x.high[i] - x.low[i]) / w->full[i] >
            (x.high[widest] - x.low[widest]) / w->full[widest])
            widest = i;
    const double at = x.low[widest] + (x.high[widest] - x.low[widest]) * 0.4871;
    box left = x, right = x;
    left.high[widest] = right.low[widest] = at;
    list_push(w, waiting, right);
    list_push(w, waiting, left);
}

// Boxes that touch become one, so that a point that is undecided is one box
static void join_undecided(work *w) {
    const uint32_t n = w->r->unknowns;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t a = 0; a < w->undecided_count; a++)
            for (uint32_t b = a + 1; b < w->undecided_count; b++) {
                box *x = &w->undecided[a], *y = &w->undecided[b];
                bool touch = true;
                for (uint32_t i = 0; i < n; i++) {
                    const double near = w->full[i] * SMALLEST;
                    touch =
                        touch && x->low[i] <= y->high[i] + near && y->low[i] <= x->high[i] + near;
                }
                if (!touch) continue;
                for (uint32_t i = 0; i < n; i++) {
                    x->low[i] = fmin(x->low[i], y->low[i]);
                    x->high[i] = fmax(x->high[i], y->high[i]);
                }
                *y = w->undecided[--w->undecided_count];
                again = true, b--;
            }
    }
}

// Multiple roots attract few starts: what is undecided is one more start for each
static void look_at_undecided(work *w) {
    enum { MOST_LOOKED_AT = 24 };
    if (w->undecided_count > MOST_LOOKED_AT) return;
    for (uint32_t k = 0; k < w->undecided_count; k++) look_for_motion(w, &w->undecided[k]);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < w->undecided_count; k++)
        if (!is_settled(w, &w->undecided[k])) w->undecided[kept++] = w->undecided[k];
    w->undecided_count = kept;
    if (!kept) w->b->out->reason = NULL;
}

static void report(work *w) {
    steady_motions *out = w->b->out;
    const uint32_t n = w->r->unknowns;
    const bool ended = w->waiting_count;
    join_undecided(w);
    if (!ended) look_at_undecided(w);
    out->undecided = w->undecided_count;
    out->box = memory_zeros(double, (size_t)2 * n * w->undecided_count + 1);
    for (uint32_t k = 0; k < w->undecided_count; k++)
        for (uint32_t i = 0; i < n; i++) {
            out->box[(k * n + i) * 2] = w->undecided[k].low[i];
            out->box[(k * n + i) * 2 + 1] = w->undecided[k].high[i];
        }
}

static void search(work *w) {
    steady_motions *out = w->b->out;
    uint32_t i = 0;
    box all = {{0}, {0}};
    for (; i < w->r->unknowns; i++)
        for (uint32_t k = 0; k < w->b->ranges; k++)
            if (w->b->range[k].symbol == w->r->unknown[i]) {
                all.low[i] = w->b->range[k].low, all.high[i] = w->b->range[k].high;
                w->full[i] = all.high[i] - all.low[i];
            }
    for (uint32_t k = 0; k < out->count; k++) settle(w, &out->motion[k]);
    list_push(w, waiting, all);
    while (w->waiting_count && out->boxes < MOST_BOXES && w->undecided_count < MOST_UNDECIDED) {
        box x = w->waiting[--w->waiting_count];
        budget_check_work(50);
        out->boxes++;
        const box_fate fate = judge(w, &x);
        if (fate == BOX_CUT) cut(w, x);
        if (fate == BOX_UNDECIDED) list_push(w, undecided, x);
    }
    if (w->waiting_count) out->reason = "the search was ended after as many boxes as it may cut";
    else if (w->undecided_count) out->reason = "some boxes are undecided";
    for (uint32_t k = 0; k < w->waiting_count; k++) list_push(w, undecided, w->waiting[k]);
}

void steady_box_prove(box_search *b, const steady_reduced *r) {
    const steady_problem *p = b->w;
    const uint32_t n = r->unknowns, f = r->rows;
    if (f > MOST_ROWS) {
        b->out->reason = "more equations are left than are searched with";
        return;
    }
    work w = {.b = b, .r = r};
    expr *e = arena_array(p->arena, expr, f * (n + 1));
    memcpy(e, r->row, sizeof *e * f);
    expr_jacobian(p->p, f, r->row, n, r->unknown, e + f);
    w.prog = program_create(p->p, f * (n + 1), e), w.centre = program_create(p->p, f, e);
    uint32_t breaks;
    expr *at = expr_breaks(p->p, f, e, &breaks);
    if (breaks) w.breaks = program_create(p->p, breaks, at);
    w.at_breaks = _arb_vec_init(breaks + 1);
    memory_free(at);
    w.index = arena_array(p->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) w.index[i] = expr_symbol_index(p->p, r->unknown[i]);
    state_reserve(&b->out->x);
    const slong symbols = pool_symbol_count(p->p);
    w.value = _arb_vec_init(symbols);
    for (slong i = 0; i < symbols && i < (slong)b->out->x.capacity; i++)
        arb_set(w.value + i, b->out->x.value + i);
    w.out = _arb_vec_init(f * (n + 1)), w.at_centre = _arb_vec_init(f);
    search(&w);
    report(&w);
    _arb_vec_clear(w.value, symbols), _arb_vec_clear(w.out, f * (n + 1));
    _arb_vec_clear(w.at_centre, f);
    program_free(w.prog), program_free(w.centre);
    if (w.breaks) program_free(w.breaks);
    _arb_vec_clear(w.at_breaks, breaks + 1);
    memory_free(w.waiting), memory_free(w.settled), memory_free(w.undecided);
}
