// Stability proved over whole intervals of a parameter.
#include "study/stable_pieces.h"

#include <math.h>

enum { BITS = 96, MOST_BALLS = 1500 };
// a piece ends this near to a critical value, relative to the interval
static const double NEAREST = 0x1p-24;

typedef struct {
    scan *s;
    spectrum_kind kind;
    stable_pieces *out;
    double smallest; // step
    uint32_t balls;
} work;

// What is known for all values between two doubles
typedef struct {
    bool good;
    path_point over, at;
    arb_t p, middle, shift;
    spectrum all;
} piece;

static void piece_open(work *w, double a, double b, piece *out) {
    arb_init(out->p), arb_init(out->middle), arb_init(out->shift);
    arb_set_d(out->middle, a), arb_set_d(out->shift, b);
    arb_union(out->p, out->middle, out->shift, BITS);
    arb_get_mid_arb(out->middle, out->p);
    arb_sub(out->shift, out->p, out->middle, BITS);
    w->balls++;
    out->over = (path_point){0};
    out->good = critical_point(w->s, out->middle, BITS, true, NULL, &out->at) && out->at.proved;
    out->good = out->good && critical_point(w->s, out->p, BITS, true, &out->at, &out->over) &&
                out->over.proved;
    out->all =
        (spectrum){out->over.polynomial, out->at.polynomial, out->over.polynomial_rate, out->shift};
}

static void piece_close(piece *p) {
    path_point_clear(&p->over), path_point_clear(&p->at);
    arb_clear(p->p), arb_clear(p->middle), arb_clear(p->shift);
}

static stability_verdict judge(work *w, double a, double b) {
    piece p;
    piece_open(w, a, b, &p);
    const stability_verdict v = p.good ? spectrum_judge(&p.all, w->kind, BITS) : STABLE_UNDECIDED;
    piece_close(&p);
    return v;
}

// Up to how far from a critical value, on both sides, the verdict is that of the next segment:
// there the test rises or falls all the way, and the other conditions hold. 0: nothing is proved.
static double side(work *w, const critical_value *c, double at, double most) {
    for (double g = most; g >= w->smallest && w->balls < MOST_BALLS; g /= 4) {
        piece p;
        bool rises;
        piece_open(w, at - g, at + g, &p);
        const bool good =
            p.good && c->proved && spectrum_turns(&p.all, w->kind, c->kind, BITS, &rises);
        piece_close(&p);
        if (good) return g;
    }
    return 0;
}

// As far from m towards `end` as the verdict is proved
static double reach(work *w, double m, double end, stability_verdict v) {
    double t = m, h = end - m;
    while (t != end && w->balls < MOST_BALLS && fabs(h) >= w->smallest) {
        const double next = fabs(h) >= fabs(end - t) * (1 - 1e-12) ? end : t + h;
        if (next == t) break;
        if (judge(w, t, next) == v) t = next, h *= 1.6;
        else h = (next - t) / 2;
    }
    return t;
}

static void push(stable_pieces *out, stability_verdict v, double low, double high) {
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? 2 * out->capacity : 16;
        memory_grow(out->at, out->capacity);
    }
    stable_piece *p = &out->at[out->count++];
    p->verdict = v;
    arb_init(p->low), arb_init(p->high);
    arb_set_d(p->low, low), arb_set_d(p->high, high);
}

// An end of a segment: where it is, and how far from it the test that vanishes there decides
typedef struct {
    double at, decided;
    const critical_value *critical; // NULL: an end of the interval
} boundary;

// The ends of the last piece are at critical values: on this side of their balls
static void set_exact_ends(work *w, const boundary *from, const boundary *to, bool low, bool high) {
    stable_piece *p = &w->out->at[w->out->count - 1];
    if (low) arb_get_ubound_arf(arb_midref(p->low), from->critical->value, 2 * BITS);
    if (high) arb_get_lbound_arf(arb_midref(p->high), to->critical->value, 2 * BITS);
}

static stability_verdict judge_segment(work *w, const boundary *from, const boundary *to) {
    const double a = from->at, b = to->at;
    if (!(b - a > 2 * w->smallest)) return STABLE_UNDECIDED;
    const double m = a + 0.4863 * (b - a); // nowhere special
    const stability_verdict v = judge(w, m, m);
    if (v == STABLE_UNDECIDED) {
        push(w->out, v, a, b);
        return v;
    }
    double left = a + from->decided, right = b - to->decided;
    left = left < m ? reach(w, m, left, v) : m;
    right = right > m ? reach(w, m, right, v) : m;
    const bool at_low = from->decided > 0 && left <= a + from->decided,
               at_high = to->decided > 0 && right >= b - to->decided;
    if (at_low) left = a;
    if (at_high) right = b;
    const double gap = 64 * w->smallest;
    if (left - a > (from->critical ? gap : 0)) push(w->out, STABLE_UNDECIDED, a, left);
    push(w->out, v, left, right);
    set_exact_ends(w, from, to, at_low, at_high);
    if (b - right > (to->critical ? gap : 0)) push(w->out, STABLE_UNDECIDED, right, b);
    return v;
}

// Does something change there? Two that meet off the axis change nothing, unless all are on it.
static bool parts(const critical_value *c, spectrum_kind kind) {
    return c->kind != TEST_DOUBLE || kind.even;
}

static bool is_stable(stability_verdict v) { return v == STABLE_YES || v == STABLE_MARGINAL; }

void stable_pieces_find(scan *s, spectrum_kind kind, critical_values *critical, arb_srcptr low,
                        arb_srcptr high, stable_pieces *out) {
    *out = (stable_pieces){0};
    const double first = fmax(s->row[0].p,
                              nextafter(arf_get_d(arb_midref(low), ARF_RND_DOWN), -INFINITY)),
                 last = fmin(s->row[s->row_count - 1].p,
                             nextafter(arf_get_d(arb_midref(high), ARF_RND_UP), INFINITY));
    work w = {.s = s, .kind = kind, .out = out, .smallest = NEAREST * (last - first)};
    boundary from = {.at = first};
    for (uint32_t i = 0, open = 0; i <= critical->count; i++) {
        const critical_value *c = i < critical->count ? &critical->at[i] : NULL;
        if (c && !parts(c, kind)) continue;
        boundary to = {.at = last, .critical = c};
        if (c) {
            to.at = ball_middle(c->value);
            to.decided = side(&w, c, to.at, (last - first) / 16);
        }
        const stability_verdict v = judge_segment(&w, &from, &to);
        for (; open < i; open++) critical->at[open].stable_above = is_stable(v);
        from = to;
    }
}

void stable_pieces_clear(stable_pieces *p) {
    for (uint32_t i = 0; i < p->count; i++) arb_clear(p->at[i].low), arb_clear(p->at[i].high);
    memory_free(p->at);
}
