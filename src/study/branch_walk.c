// A branch followed by arc length: steps, their lengths, and where it ends.
#include "study/branch.h"

#include <math.h>
#include <string.h>

static const double LONGEST = 0.02, SHORTEST = 1e-9, FIRST = 0.005;
static const double OFF = 0.3;    // of a step: how far Newton's method may lead from its guess
static const double CROSS = 2e-6; // a step so short over a change of sign of det is no jump
static const double TURN = 0.98;  // cosine of the angle that the tangent may turn in a step
static const double FAR = 1e8;    // an unknown this large: it goes to infinity

static double cosine(const branch_system *b, const branch_point *p, const branch_point *q) {
    double pq = 0, pp = 0, qq = 0;
    for (uint32_t i = 0; i <= b->r; i++) {
        const double w = i == b->r ? 1 / (b->high - b->low) : 1 / (1 + fabs(p->y[i]));
        pq += w * w * p->t[i] * q->t[i];
        pp += w * w * p->t[i] * p->t[i], qq += w * w * q->t[i] * q->t[i];
    }
    return pq / sqrt(pp * qq);
}

// The point where p is at the bound, from the one before it
static bool land(branch_system *b, const branch_point *before, const double *beyond, double bound,
                 branch_point *out) {
    const uint32_t n = b->r + 1;
    double *y = memory_array(double, 2 * n), *row = y + n;
    const double part = (bound - before->y[b->r]) / (beyond[b->r] - before->y[b->r]);
    for (uint32_t i = 0; i < n; i++) {
        y[i] = before->y[i] + part * (beyond[i] - before->y[i]);
        row[i] = i == b->r ? b->high - b->low : 0;
    }
    y[b->r] = bound;
    const double h = (bound - before->y[b->r]) / (b->high - b->low);
    bool good = branch_correct(b, row, before->y, h, y);
    y[b->r] = bound; // to the last digit
    good = good && branch_point_make(b, y, before->t, out);
    memory_free(y);
    return good;
}

static bool is_far(const branch_system *b, const double *y) {
    for (uint32_t i = 0; i < b->r; i++)
        if (!(fabs(y[i]) < FAR)) return true;
    return false;
}

// Did Newton's method stay near to its guess?
static bool is_near(const branch_system *b, const branch_point *before, double h, const double *y) {
    double sum = 0;
    for (uint32_t i = 0; i <= b->r; i++) {
        const double w = i == b->r ? 1 / (b->high - b->low) : 1 / (1 + fabs(before->y[i]));
        const double d = w * (y[i] - before->y[i] - h * before->t[i]);
        sum += d * d;
    }
    return sqrt(sum) < OFF * h;
}

// Does the step from p to q pass the origin?
static bool passes(const branch_system *b, const branch_point *p, const branch_point *q,
                   const double *origin) {
    double along = 0, whole = 0, part;
    for (uint32_t i = 0; i <= b->r; i++) {
        const double w = i == b->r ? 1 / (b->high - b->low) : 1 / (1 + fabs(p->y[i]));
        along += w * w * (origin[i] - p->y[i]) * (q->y[i] - p->y[i]);
        whole += w * w * (q->y[i] - p->y[i]) * (q->y[i] - p->y[i]);
    }
    part = whole > 0 ? along / whole : -1;
    if (part <= 0 || part > 1) return false;
    double off = 0;
    for (uint32_t i = 0; i <= b->r; i++) {
        const double w = i == b->r ? 1 / (b->high - b->low) : 1 / (1 + fabs(p->y[i]));
        const double d = w * (origin[i] - p->y[i] - part * (q->y[i] - p->y[i]));
        off += d * d;
    }
    return off < 0.01 * whole + 1e-24;
}

branch_end branch_walk(branch_system *b, uint32_t steps, const double *origin, branch *out) {
    const uint32_t n = b->r + 1, first = out->point_count - 1;
    double *y = memory_array(double, n), *start = memory_array(double, n), h = FIRST;
    memcpy(start, origin ? origin : out->point[first].y, sizeof *y * n);
    branch_end end = ENDS_AFTER_STEPS;
    const double *begin = out->point[first].t;
    const double p0 = out->point[first].y[b->r];
    bool going = !(p0 <= b->low && begin[b->r] < 0) && !(p0 >= b->high && begin[b->r] > 0);
    if (!going) end = ENDS_AT_BOUND;
    for (uint32_t k = 0; k < steps && going;) {
        const branch_point before = out->point[out->point_count - 1];
        branch_point next;
        for (uint32_t i = 0; i < n; i++) y[i] = before.y[i] + h * before.t[i];
        bool good = branch_correct(b, before.t, before.y, h, y) && is_near(b, &before, h, y);
        if (good && is_far(b, y)) {
            end = ENDS_FAR;
            break;
        }
        const double bound = y[b->r] > b->high ? b->high : b->low;
        const bool beyond = good && (y[b->r] > b->high || y[b->r] < b->low);
        good = good && (beyond ? land(b, &before, y, bound, &next)
                               : branch_point_make(b, y, before.t, &next));
        // it turns too fast; or it jumps from one branch to another that passes close by
        if (good && !beyond &&
            ((h > SHORTEST * 100 && cosine(b, &before, &next) < TURN) ||
             (h > CROSS && (before.det > 0) != (next.det > 0)))) {
            branch_point_free(&next);
            good = false;
        }
        if (!good) {
            h /= 2;
            going = h > SHORTEST;
            if (!going) end = ENDS_LOST;
            continue;
        }
        k++;
        if (k > 3 && passes(b, &before, &next, start)) {
            branch_point_free(&next);
            if (!origin && branch_point_make(b, start, before.t, &next)) branch_push(out, next);
            end = ENDS_CLOSED;
            break;
        }
        branch_push(out, next);
        if (beyond) {
            end = ENDS_AT_BOUND;
            break;
        }
        h = fmin(LONGEST, 1.5 * h);
    }
    memory_free(y), memory_free(start);
    return end;
}

void branch_reverse(const branch_system *b, branch *out) {
    for (uint32_t i = 0, j = out->point_count; i + 1 < j; i++) {
        const branch_point keep = out->point[i];
        out->point[i] = out->point[--j], out->point[j] = keep;
    }
    for (uint32_t i = 0; i < out->point_count; i++) {
        for (uint32_t k = 0; k <= b->r; k++) out->point[i].t[k] = -out->point[i].t[k];
        out->point[i].det = -out->point[i].det;
    }
    const branch_end end = out->first_end;
    out->first_end = out->last_end, out->last_end = end;
}
