// Stability proved over whole intervals of a parameter.
//
// The interval is covered by cells from left to right, each as wide as a proof allows: the motion
// is enclosed over the cell, and Routh and Hurwitz judge it. Around a critical value that is proved
// there is a cell over which its test rises or falls while all other conditions hold. Where no
// proof succeeds, as where a test touches 0, the smallest cell stays undecided, and wider ones
// behind it, no wider than what is undecided already: so it ends soon behind such a value, and a
// stretch without any proof takes few cells.
#include "study/stable_pieces.h"

#include "study/discs.h"

#include <math.h>

enum { BITS = 128, MOST_WORK = 40000 }; // cells, times unknowns and eigenvalues
// the narrowest cell, relative to the interval
static const double NARROWEST = 0x1p-40;

typedef struct {
    scan *s;
    spectrum_kind kind;
    stable_pieces *out;
    double smallest; // cell
    uint32_t cells, most_cells;
    bool has_last; // the motion is enclosed over the cell before this one:
    path_point last;
    bool broken; // since the last piece that is decided the motion was not followed all the way
} work;

// What is known for all values between two doubles
typedef struct {
    bool good; // the motion is enclosed, and what is linear is there
    path_point over, at;
    arb_t p, middle, shift;
    spectrum all;
} cell;

static void cell_open(work *w, double a, double b, cell *out) {
    arb_init(out->p), arb_init(out->middle), arb_init(out->shift);
    arb_set_d(out->middle, a), arb_set_d(out->shift, b);
    arb_union(out->p, out->middle, out->shift, BITS);
    arb_get_mid_arb(out->middle, out->p);
    arb_sub(out->shift, out->p, out->middle, BITS);
    w->cells++;
    out->over = (path_point){0};
    out->good = critical_point(w->s, out->middle, BITS, true, NULL, &out->at) && out->at.proved;
    out->good = out->good && critical_point(w->s, out->p, BITS, true, &out->at, &out->over) &&
                out->over.proved && path_point_holds(w->s->path, &out->over, &out->at);
    out->all =
        (spectrum){out->over.polynomial, out->at.polynomial, out->over.polynomial_rate, out->shift};
}

static void cell_close(cell *c) {
    path_point_clear(&c->over), path_point_clear(&c->at);
    arb_clear(c->p), arb_clear(c->middle), arb_clear(c->shift);
}

// Routh and Hurwitz, and where these cannot tell discs around the eigenvalues
static stability_verdict judge(const work *w, const cell *c) {
    if (!c->good) return STABLE_UNDECIDED;
    const stability_verdict v = spectrum_judge(&c->all, w->kind, BITS);
    return v != STABLE_UNDECIDED ? v : discs_judge(c->over.linear.quotient.v, BITS);
}

// Is the motion of this cell, which begins at t, the one of the cell before it?
static bool goes_on(work *w, cell *c, double t) {
    if (!w->has_last || !c->good) return false;
    path_point at;
    arb_t p;
    arb_init(p);
    arb_set_d(p, t);
    path_point_copy(&w->last, BITS, &at);
    bool same = path_point_predict(w->s->path, &at, p) && path_point_solve(w->s->path, &at);
    if (same) path_point_enclose(w->s->path, &at);
    same = same && path_point_holds(w->s->path, &w->last, &at) &&
           path_point_holds(w->s->path, &c->over, &at);
    path_point_clear(&at);
    arb_clear(p);
    return same;
}

// The cell is the last one now
static void keep(work *w, cell *c) {
    if (w->has_last) path_point_clear(&w->last);
    w->has_last = c->good;
    if (c->good) w->last = c->over, c->over = (path_point){0};
}

// --- pieces --------------------------------------------------------------------------------------

static bool has_decided(const stable_pieces *p) {
    return p->count > 1 || (p->count && p->at[0].verdict != STABLE_UNDECIDED);
}

// The next piece; `joined`: of the same motion as the cell before it.
static void push(work *w, stability_verdict v, const arb_t low, const arb_t high, bool joined) {
    stable_pieces *out = w->out;
    w->broken = (w->broken || !joined) && has_decided(out);
    if (out->count) {
        stable_piece *before = &out->at[out->count - 1];
        if ((!w->broken || v == STABLE_UNDECIDED) && before->verdict == v &&
            arb_equal(before->high, low)) {
            arb_set(before->high, high);
            return;
        }
    }
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? 2 * out->capacity : 16;
        memory_grow(out->at, out->capacity);
    }
    stable_piece *p = &out->at[out->count++];
    *p = (stable_piece){.verdict = v, .joined = !w->broken};
    if (v != STABLE_UNDECIDED) w->broken = false;
    arb_init(p->low), arb_init(p->high);
    arb_set(p->low, low), arb_set(p->high, high);
}

static void push_doubles(work *w, stability_verdict v, double low, double high, bool joined) {
    arb_t a, b;
    arb_init(a), arb_init(b);
    arb_set_d(a, low), arb_set_d(b, high);
    push(w, v, a, b, joined);
    arb_clear(a), arb_clear(b);
}

// --- cells from left to right --------------------------------------------------------------------

// One cell from t on: true where it is decided and goes on from the one before, or where it is
// taken as it is.
static bool take(work *w, double t, double next, bool as_it_is) {
    cell c;
    cell_open(w, t, next, &c);
    const bool joined = goes_on(w, &c, t), first = !w->out->count;
    const stability_verdict v = judge(w, &c);
    const bool good = v != STABLE_UNDECIDED && (joined || first || !w->has_last),
               taken = good || as_it_is;
    if (taken) {
        push_doubles(w, v, t, next, joined);
        keep(w, &c);
    }
    cell_close(&c);
    return taken;
}

static bool is_undecided(const work *w) {
    return w->out->count && w->out->at[w->out->count - 1].verdict == STABLE_UNDECIDED;
}

// How long it is undecided already, before t
static double undecided_before(const work *w, double t) {
    return is_undecided(w) ? t - ball_middle(w->out->at[w->out->count - 1].low) : 0;
}

static void cover(work *w, double from, double to) {
    enum { PART = 8, SMALL_PART = 256 };
    double t = from, h = to - from, looked = 0;
    int since = 0; // the last cell that was too wide
    while (t < to && w->cells < w->most_cells) {
        // A part of what is undecided already may stay so; a much smaller one is tried each time
        // that has doubled.
        const double run = undecided_before(w, t), narrow = fmax(w->smallest, run / PART);
        const bool tries = run > 2 * looked && run / SMALL_PART > w->smallest;
        h = tries ? run / SMALL_PART : fmax(h, narrow);
        looked = run > 0 ? (tries ? run : looked) : 0;
        const double next = h >= (to - t) * (1 - 1e-12) ? to : t + h;
        if (!(next > t)) break;
        if (take(w, t, next, h <= narrow && !tries))
            h = (since++ < 4 ? 1.15 : 1.6) * (next - t), t = next;
        else h = (next - t) / 2, since = 0;
    }
    if (t < to) {
        push_doubles(w, STABLE_UNDECIDED, t, to, false);
        if (w->has_last) path_point_clear(&w->last);
        w->has_last = false;
    }
}

// --- critical values -----------------------------------------------------------------------------

// Does something change there? Two that meet off the axis change nothing, unless all are on it.
static bool parts(const critical_value *c, spectrum_kind kind) {
    return c->proved && !c->even && (c->kind != TEST_DOUBLE || kind.even);
}

// A cell around a critical value over which its test rises or falls, and the other conditions hold
static bool turn(work *w, const critical_value *c, double most, double *half, bool *rises,
                 cell *out) {
    const double at = critical_middle(c);
    for (double g = most; g >= w->smallest && w->cells < w->most_cells; g /= 4) {
        if (!(at - g < at && at < at + g)) return false;
        cell_open(w, at - g, at + g, out);
        *half = g;
        if (out->good && spectrum_turns(&out->all, w->kind, c->kind, BITS, rises)) return true;
        cell_close(out);
    }
    return false;
}

// Both sides of a critical value, up to the ends of its cell
static void push_sides(work *w, const critical_value *c, double low, double high, bool rises,
                       bool joined) {
    const stability_verdict good = w->kind.even ? STABLE_MARGINAL : STABLE_YES;
    arb_t a, b, below, above;
    arb_init(a), arb_init(b), arb_init(below), arb_init(above);
    arb_set_d(a, low), arb_set_d(b, high);
    arb_get_lbound_arf(arb_midref(below), c->value, 2 * BITS);
    arb_get_ubound_arf(arb_midref(above), c->value, 2 * BITS);
    if (arb_lt(a, below)) push(w, rises ? STABLE_NO : good, a, below, joined);
    if (arb_lt(above, b)) push(w, rises ? good : STABLE_NO, above, b, true);
    arb_clear(a), arb_clear(b), arb_clear(below), arb_clear(above);
}

static void judge_all(work *w, const critical_values *critical, double first, double last) {
    double t = first;
    for (uint32_t i = 0; i < critical->count; i++) {
        const critical_value *c = &critical->at[i];
        const double at = critical_middle(c);
        if (!parts(c, w->kind) || at < t - w->smallest) continue;
        double most = (last - first) / 16, half;
        for (uint32_t k = 0; k < critical->count; k++) // cells do not overlap
            if (k != i && parts(&critical->at[k], w->kind))
                most = fmin(most, 0.4 * fabs(critical_middle(&critical->at[k]) - at));
        bool rises;
        cell c_around;
        if (!turn(w, c, most, &half, &rises, &c_around)) continue;
        const double low = fmax(at - half, t), high = fmin(at + half, last);
        if (t < low) cover(w, t, low);
        const bool joined = goes_on(w, &c_around, low);
        push_sides(w, c, low, high, rises, joined);
        keep(w, &c_around);
        cell_close(&c_around);
        t = high;
    }
    if (t < last) cover(w, t, last);
}

// --- what is above a critical value --------------------------------------------------------------

static bool is_stable(stability_verdict v) { return v == STABLE_YES || v == STABLE_MARGINAL; }

static void look_above(work *w, critical_values *critical, double last) {
    for (uint32_t i = 0; i < critical->count; i++) {
        critical_value *c = &critical->at[i];
        double to = last;
        for (uint32_t k = critical->count; k-- > i + 1;)
            if (critical_middle(&critical->at[k]) > critical_middle(c))
                to = critical_middle(&critical->at[k]);
        bool decided = false;
        for (uint32_t k = 0; k < w->out->count && !decided; k++) {
            const stable_piece *p = &w->out->at[k];
            // beyond the value, and not beyond the next one
            decided = p->verdict != STABLE_UNDECIDED && arb_lt(c->value, p->high) &&
                      ball_middle(p->low) < to;
            if (decided) c->stable_above = is_stable(p->verdict);
        }
        if (!decided) c->stable_above = critical_seems_stable(w->s, w->kind, c, to);
    }
}

static bool is_open(const stable_pieces *p, uint32_t i) {
    return p->at[i].verdict == STABLE_UNDECIDED;
}

// Pieces no wider than a few of the smallest cells, between two gaps, are left to these.
static void tidy(const work *w) {
    enum { FEW = 64 };
    stable_pieces *p = w->out;
    for (uint32_t i = 1; i + 1 < p->count;) {
        const double width = ball_middle(p->at[i].high) - ball_middle(p->at[i].low);
        if (is_open(p, i) || !is_open(p, i - 1) || !is_open(p, i + 1) ||
            width > FEW * w->smallest) {
            i++;
            continue;
        }
        arb_swap(p->at[i - 1].high, p->at[i + 1].high);
        if (i + 2 < p->count) p->at[i + 2].joined = p->at[i + 2].joined && p->at[i].joined;
        for (uint32_t k = i; k < i + 2; k++) arb_clear(p->at[k].low), arb_clear(p->at[k].high);
        for (uint32_t k = i; k + 2 < p->count; k++) p->at[k] = p->at[k + 2];
        p->count -= 2;
    }
}

void stable_pieces_find(scan *s, spectrum_kind kind, critical_values *critical, arb_srcptr low,
                        arb_srcptr high, stable_pieces *out) {
    *out = (stable_pieces){0};
    // all that was asked for, or up to where the path ends
    double first = nextafter(arf_get_d(arb_midref(low), ARF_RND_DOWN), -INFINITY),
           last = nextafter(arf_get_d(arb_midref(high), ARF_RND_UP), INFINITY);
    if (s->low_end != ENDS_WHERE_ASKED) first = fmax(first, s->row[0].p);
    if (s->high_end != ENDS_WHERE_ASKED) last = fmin(last, s->row[s->row_count - 1].p);
    work w = {.s = s,
              .kind = kind,
              .out = out,
              .smallest = NARROWEST * (last - first),
              .most_cells = MOST_WORK / (1 + s->count + s->path->rank)};
    if (first < last) judge_all(&w, critical, first, last);
    if (w.has_last) path_point_clear(&w.last);
    tidy(&w);
    look_above(&w, critical, last);
}

void stable_pieces_clear(stable_pieces *p) {
    for (uint32_t i = 0; i < p->count; i++) arb_clear(p->at[i].low), arb_clear(p->at[i].high);
    memory_free(p->at);
}
