// Branches found from one another: followed, searched for special points, and left at crossings.
#include "study/branches.h"

#include "study/steady_problem.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-6;    // special points that are this near are one
static const double UPRIGHT = 1e-6; // a branch along which p moves less than this stands upright

// --- what happens between two points -------------------------------------------------------------

// The sign of the product of all sums of two eigenvalues: it changes where a pair crosses the
// imaginary axis. 0: not certain.
static int hopf_sign(const branch_point *p) {
    double size = 0;
    for (uint32_t i = 0; i < p->count; i++) size = fmax(size, hypot(p->re[i], p->im[i]));
    int sign = 1;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t j = i + 1; j < p->count; j++) {
            const double re = p->re[i] + p->re[j], im = p->im[i] + p->im[j];
            if (hypot(re, im) < 1e-8 * size) return 0;
            // complex sums come in pairs, with a positive product
            if (fabs(im) < 1e-9 * size && re < 0) sign = -sign;
        }
    return p->re ? sign : 0;
}

static uint32_t find_same(const branches *b, const special_point *s) {
    for (uint32_t i = 0; i < b->special_count; i++)
        if (b->special[i].kind == s->kind &&
            branch_distance(&b->system, b->special[i].y, s->y) < SAME)
            return i;
    return b->special_count;
}

static uint32_t add_special(branches *b, special_point *s) {
    const uint32_t known = find_same(b, s);
    if (known < b->special_count) {
        special_point_clear(s);
    } else {
        array_reserve(b->special, b->special_count, b->special_capacity);
        b->special[b->special_count++] = *s;
    }
    b->special[known].uses++;
    return known;
}

// A point of the branch at a special one; eigenvalues are not looked at there
static branch_point point_of(const branches *b, uint32_t special, const branch_point *before) {
    const uint32_t n = b->system.r + 1;
    const special_point *s = &b->special[special];
    branch_point p = {.y = memory_array(double, n),
                      .t = memory_array(double, n),
                      .stable = 2,
                      .kind = s->kind,
                      .special = special};
    memcpy(p.y, s->y, sizeof *p.y * n);
    memcpy(p.t, before->t, sizeof *p.t * n);
    return p;
}

typedef struct {
    branches *all;
    special_systems *systems;
    branch *from, to;
    const branch_point *signed_point; // the last one whose hopf_sign is known
    int sign;
} search;

static void look_between(search *f, const branch_point *p, const branch_point *q) {
    branches *all = f->all;
    branch_system *b = &all->system;
    special_point s;
    const double unit = 1 / (b->high - b->low), tp = unit * p->t[b->r], tq = unit * q->t[b->r];
    const bool apart = p->kind != POINT_BRANCH && q->kind != POINT_BRANCH;
    bool crossed = false;
    const bool turns = apart && (tp > 0) != (tq > 0) && fabs(tp) > UPRIGHT && fabs(tq) > UPRIGHT;
    if (apart && (p->det > 0) != (q->det > 0) && branch_find_crossing(b, f->systems, p, q, &s)) {
        branch_push(&f->to, point_of(all, add_special(all, &s), p));
        crossed = true;
    }
    if (turns && branch_find_fold(b, f->systems, p, q, &s)) {
        // a branch that turns back in a crossing is a pitchfork, not a fold
        const branch_point *last = &f->to.point[f->to.point_count - 1];
        if (crossed && branch_distance(b, last->y, s.y) < 1e-3) special_point_clear(&s);
        else branch_push(&f->to, point_of(all, add_special(all, &s), p));
        crossed = true;
    }
    const int sign = q->kind == POINT_BRANCH ? 0 : hopf_sign(q);
    if (!sign || q->count != (f->signed_point ? f->signed_point->count : q->count)) return;
    if (f->sign && sign != f->sign && !crossed && branch_find_hopf(b, f->signed_point, q, &s))
        branch_push(&f->to, point_of(all, add_special(all, &s), p));
    f->sign = sign, f->signed_point = q;
}

// Where two eigenvalues cross at once there is no special point: the verdict changes all the same.
static void add_change(search *f, const branch_point *p, const branch_point *q) {
    branch_point between;
    const bool known = p->stable != 2 && q->stable != 2;
    if (p->kind == POINT_PLAIN && q->kind == POINT_PLAIN && known && p->stable != q->stable &&
        branch_find_change(&f->all->system, p, q, &between))
        branch_push(&f->to, between);
}

// Beside a special point an eigenvalue is nearly 0, and digits do not tell its sign: from `i` on,
// in steps of +1 or -1, up to the first point where they do. Where none does, it is 0 all along.
static void forget_verdicts_beside(branch *b, uint32_t i, uint32_t step) {
    uint32_t end = i + step; // behind the first point or before it: 0 - 1 is large
    while (end < b->point_count && b->point[end].kind == POINT_PLAIN &&
           (b->point[end].stable == 0 || b->point[end].stable == 2))
        end += step;
    if (end >= b->point_count || b->point[end].kind != POINT_PLAIN) return;
    for (uint32_t k = i + step; k != end; k += step) b->point[k].stable = 2;
}

// Special points are put between the others
static void find_special(branches *all, special_systems *systems, branch *of) {
    search f = {.all = all, .systems = systems, .from = of};
    if (of->point_count && hopf_sign(&of->point[0]))
        f.sign = hopf_sign(&of->point[0]), f.signed_point = &of->point[0];
    for (uint32_t i = 0; i < of->point_count; i++) {
        const uint32_t before = f.to.point_count;
        if (i) look_between(&f, &of->point[i - 1], &of->point[i]);
        if (i && f.to.point_count == before) add_change(&f, &of->point[i - 1], &of->point[i]);
        branch_push(&f.to, of->point[i]);
    }
    memory_free(of->point);
    of->point = f.to.point, of->point_count = f.to.point_count, of->capacity = f.to.capacity;
    for (uint32_t i = 0; i < of->point_count; i++)
        if (of->point[i].kind != POINT_PLAIN)
            forget_verdicts_beside(of, i, 1), forget_verdicts_beside(of, i, UINT32_MAX);
}

// --- branches ------------------------------------------------------------------------------------

static void add_branch(branches *all, special_systems *systems, branch *b) {
    find_special(all, systems, b);
    array_reserve(all->branch, all->branch_count, all->branch_capacity);
    all->branch[all->branch_count++] = *b;
}

// Both ways from a point
static void follow_first(branches *all, special_systems *systems, const double *y, uint32_t steps) {
    branch_system *s = &all->system;
    const uint32_t n = s->r + 1;
    double *along = memory_zeros(double, n);
    branch b = {0};
    branch_point p;
    along[s->r] = s->high - s->low;
    all->found = branch_point_make(s, y, along, &p);
    // where the start is a fold any other direction will do
    for (uint32_t i = 0; i < s->r && !all->found; i++) {
        along[i] = 1;
        all->found = branch_point_make(s, y, along, &p);
    }
    memory_free(along);
    if (!all->found) return;
    branch_push(&b, p);
    b.last_end = branch_walk(s, steps, NULL, &b);
    b.first_end = b.last_end;
    if (b.last_end != ENDS_CLOSED) {
        branch_reverse(s, &b);
        b.last_end = branch_walk(s, steps, NULL, &b);
        branch_reverse(s, &b);
    }
    // equations that lose rank at the start alone: it is a singular point, and these are no motions
    const branch_point *first = &b.point[0], *last = &b.point[b.point_count - 1];
    if (!s->path->proves && b.first_end == ENDS_LOST && b.last_end == ENDS_LOST &&
        branch_distance(s, first->y, last->y) < 1e-3) {
        all->found = false;
        branch_clear(&b);
        return;
    }
    add_branch(all, systems, &b);
}

// One half of a branch that leaves a crossing: the first point beside it, then all others
static bool leave(branches *all, const double *y, const double *v, double sign, uint32_t steps,
                  branch *out) {
    branch_system *s = &all->system;
    const uint32_t n = s->r + 1;
    double *next = memory_array(double, 3 * n), *direction = next + n;
    branch_point p = {0};
    bool good = false;
    for (uint32_t i = 0; i < n; i++) direction[i] = sign * v[i];
    for (double h = 0.004; h > 1e-5 && !good; h /= 4) {
        for (uint32_t i = 0; i < n; i++) next[i] = y[i] + h * direction[i];
        // far from y: that is another branch
        good = branch_correct(s, direction, y, h, next) && branch_distance(s, y, next) < 20 * h;
        if (!good || next[s->r] > s->high || next[s->r] < s->low) {
            good = false;
            continue;
        }
        double *chord = next + 2 * n;
        for (uint32_t i = 0; i < n; i++) chord[i] = next[i] - y[i];
        good = branch_point_make(s, next, chord, &p);
    }
    if (good) {
        branch_push(out, p);
        out->last_end = branch_walk(s, steps, y, out);
    }
    memory_free(next);
    return good;
}

// Has the last point of a half come back to where it left?
static void follow_crossing(branches *all, special_systems *systems, uint32_t crossing,
                            const branch_point *on, uint32_t steps) {
    branch_system *s = &all->system;
    const uint32_t n = s->r + 1;
    double *v = memory_array(double, 2 * n), *y = v + n;
    memcpy(y, all->special[crossing].y, sizeof *y * n);
    branch back = {0}, b = {0};
    if (branch_second_direction(s, y, on->t, v)) {
        const bool some = leave(all, y, v, -1, steps, &back);
        if (some) branch_reverse(s, &back);
        b.first_end = some ? back.first_end : ENDS_LOST;
        if (b.first_end == ENDS_CLOSED) branch_push(&b, point_of(all, crossing, on));
        for (uint32_t i = 0; i < back.point_count; i++) branch_push(&b, back.point[i]);
        memory_free(back.point);
        branch_point p = point_of(all, crossing, on);
        memcpy(p.t, v, sizeof *v * n);
        branch_push(&b, p);
        branch rest = {0};
        bool more = false;
        if (!some || b.first_end != ENDS_CLOSED) more = leave(all, y, v, 1, steps, &rest);
        for (uint32_t i = 0; i < rest.point_count; i++) branch_push(&b, rest.point[i]);
        memory_free(rest.point);
        b.last_end = more ? rest.last_end : b.first_end;
        if (some || more) {
            all->special[crossing].uses++;
            add_branch(all, systems, &b);
        } else {
            branch_clear(&b);
        }
    }
    memory_free(v);
}

void branches_find(steady_path *path, double start, double low, double high, uint32_t most,
                   uint32_t steps, branches *out) {
    *out = (branches){0};
    special_systems systems = {0};
    branch_system_create(path, low, high, &out->system);
    branch_system *s = &out->system;
    double *y = memory_array(double, s->r + 1);
    for (uint32_t i = 0; i <= s->r; i++)
        y[i] = s->symbol[expr_symbol_index(path->w->p, s->variable[i])];
    y[s->r] = start; // of a value that is held the path knows the symbol only
    follow_first(out, &systems, y, steps);
    memory_free(y);
    for (uint32_t k = 0; k < out->branch_count; k++)
        for (uint32_t i = 0; i < out->branch[k].point_count; i++) {
            const branch_point *p = &out->branch[k].point[i];
            if (p->kind != POINT_BRANCH || out->special[p->special].uses != 1) continue;
            if (out->branch_count >= most) {
                out->cut = true;
                return;
            }
            branch_point copy = *p; // the list of branches may move
            follow_crossing(out, &systems, p->special, &copy, steps);
        }
}

void branches_clear(branches *b) {
    for (uint32_t i = 0; i < b->branch_count; i++) branch_clear(&b->branch[i]);
    for (uint32_t i = 0; i < b->special_count; i++) special_point_clear(&b->special[i]);
    memory_free(b->branch), memory_free(b->special);
    branch_system_clear(&b->system);
}
