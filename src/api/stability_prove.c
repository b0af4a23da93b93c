// What is proved along a parameter: pieces between critical values, what is in the gaps between
// pieces, and folds in which the path ends.
#include "api/stability_job.h"

#include "study/branch_special.h"
#include "study/steady_problem.h"

#include <math.h>

static void find_pieces(stability_job *j) {
    stable_pieces_clear(&j->pieces);
    stable_pieces_find(&j->rows, j->kind, &j->critical, j->vary.what.low, j->vary.what.high,
                       &j->pieces);
}

// A motion between two rows, or beside the only one: s, then p
static void interpolate(const stability_job *j, const branch_system *b, double p, double *y) {
    const scan *s = &j->rows;
    uint32_t i = 0;
    while (i + 2 < s->row_count && s->row[i + 1].p < p) i++;
    const scan_row *left = &s->row[i], *right = &s->row[i + 1 < s->row_count ? i + 1 : i];
    const double part = right->p > left->p ? (p - left->p) / (right->p - left->p) : 0;
    for (uint32_t k = 0; k < b->r; k++) {
        const double from = ball_middle(state_get((state *)&left->at.x, b->variable[k])),
                     to = ball_middle(state_get((state *)&right->at.x, b->variable[k]));
        y[k] = from + part * (to - from);
    }
    y[b->r] = p;
}

// The null vector in a fold is nearly ds/dp beside it
static void choose_null_vector(branch_system *b, const double *y, double *v) {
    const uint32_t n = b->r + 1;
    double *along = memory_zeros(double, n), det, length = 0;
    along[b->r] = 1;
    if (branch_tangent(b, y, along, v, &det))
        for (uint32_t i = 0; i < b->r; i++) length = hypot(length, v[i]);
    for (uint32_t i = 0; i < b->r; i++) v[i] = length > 0 ? v[i] / length : i == 0;
    memory_free(along);
}

// The fold near p, or the crossing
static void refine_near(stability_job *j, double p, path_end *out) {
    branch_system b;
    special_systems systems = {0};
    special_point found;
    branch_system_create(&j->vary.path, ball_middle(j->vary.what.low),
                         ball_middle(j->vary.what.high), &b);
    double *y = memory_array(double, 2 * (b.r + 1)), *v = y + b.r + 1;
    interpolate(j, &b, p, y);
    choose_null_vector(&b, y, v);
    if (b.r && branch_find_near(&b, &systems, y, v, &found)) {
        out->refined = true, out->proved = found.proved;
        out->is_fold = found.kind == POINT_FOLD;
        arb_init(out->value);
        arb_set(out->value, found.value);
        special_point_clear(&found);
    }
    memory_free(y);
    branch_system_clear(&b);
}

// Where the motion is not followed all the way, branches may cross
static void look_for_crossing(stability_job *j, double low, double high, critical_values *out) {
    path_end found = {0};
    refine_near(j, low + (high - low) / 2, &found);
    const double at = found.refined ? ball_middle(found.value) : NAN;
    if (at >= low && at <= high) critical_add(out, TEST_ZERO, found.value);
    if (found.refined) arb_clear(found.value);
}

// Where proofs come to a halt there may be critical values that were not seen: two within a step,
// or a test that touches 0.
static bool look_into_gaps(stability_job *j) {
    static const double SHORT = 1e-3; // of the interval
    const uint32_t before = j->critical.count;
    const double whole = j->rows.row[j->rows.row_count - 1].p - j->rows.row[0].p;
    critical_values more = {0};
    for (uint32_t i = 0; i < j->pieces.count; i++) {
        const stable_piece *p = &j->pieces.at[i];
        const double low = ball_middle(p->low), high = ball_middle(p->high);
        if (p->verdict != STABLE_UNDECIDED || high - low > SHORT * whole) continue;
        const critical_gap at = {
            p->low, p->high, i ? j->pieces.at[i - 1].verdict : STABLE_UNDECIDED,
            i + 1 < j->pieces.count ? j->pieces.at[i + 1].verdict : STABLE_UNDECIDED};
        critical_look_into(&j->rows, j->kind, j->idle, &at, &more);
        // behind the others: of the same value its digits are the better ones
        if (i + 1 < j->pieces.count && !j->pieces.at[i + 1].joined &&
            critical_is_small(&j->rows, j->kind, TEST_ZERO, &at))
            look_for_crossing(j, low, high, &more);
    }
    critical_merge(&j->critical, &more);
    critical_clear(&more);
    return j->critical.count > before;
}

static void refine_ends(stability_job *j) {
    const scan *s = &j->rows;
    if (s->low_end == ENDS_IN_A_FOLD) refine_near(j, s->row[0].p, &j->begin);
    if (s->high_end == ENDS_IN_A_FOLD) refine_near(j, s->row[s->row_count - 1].p, &j->end);
}

hamel_status stability_job_prove(stability_job *j) {
    enum { ROUNDS = 2 };
    find_pieces(j);
    for (int round = 0; round < ROUNDS && look_into_gaps(j); round++) find_pieces(j);
    refine_ends(j);
    return context_status(j->vary.steady.m->ctx);
}
