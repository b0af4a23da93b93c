// Where a motion is stable as inequalities between its symbols, for `stability`: the closed form of
// `linearise --symbolic`, where the motion is known exactly and its polynomial is small.
#include "api/stability_job.h"

#include "study/exact_linear.h"

enum { MOST_EIGENVALUES = 4 };

static exact_stability find(const stability_job *j, const linearisation *l, const response *r,
                            const second_order *second) {
    const steady_job *of = &j->vary.steady;
    const exact_linear e =
        exact_linear_create(of->problem, &of->motion, j->vary.o, of->stated, l, r, second, 0, NULL);
    if (e.refusal || !e.coefficients || e.at.stated || !e.reduced.rows)
        return (exact_stability){.refusal = "the motion is not known in general"};
    return exact_stability_create(of->m, e.reduced.rows, e.coefficients,
                                  exact_linear_is_even(&e, of->s->pool));
}

static bool has_inputs(const model *m) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input) return true;
    return false;
}

void stability_job_formula(stability_job *j) {
    const steady_job *of = &j->vary.steady;
    linearisation l;
    response r = {0};
    second_order second = {0};
    if (!j->rows.count || j->rows.count > MOST_EIGENVALUES || has_inputs(of->m)) return;
    linearisation_create(of->problem, &of->motion, j->vary.o, &l);
    if (l.eigenvalue) {
        response_create(&l, &of->motion, j->vary.o, of->stated, &r);
        second_order_create(&l, &r, &of->motion, j->vary.eq, &second);
        j->conditions = find(j, &l, &r, &second);
        j->has_conditions = !j->conditions.refusal;
        second_order_clear(&second);
        response_clear(&r);
    }
    linearisation_clear(&l);
}
