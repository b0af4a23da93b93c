// The linear motion around a steady one, for the files that write it: `linearise` in words, as data
// and as code. linearise.c runs the job, the others only read it.
#ifndef HAMEL_API_LINEAR_JOB_H
#define HAMEL_API_LINEAR_JOB_H

#include "api/steady_job.h"
#include "study/exact_linear.h"
#include "study/exact_stability.h"
#include "study/modes.h"
#include "study/split.h"

typedef struct {
    steady_job steady;
    equations *eq; // Maggi's, with open inputs
    const ode *o;
    linearisation linear;
    response response;
    second_order second;
    modes modes;
    bool has_modes;
    bool symbolic;      // matrices are written in closed form
    exact_linear exact; // where it was asked for, or needed
    expr polynomial;    // det(s - A) on what stays, factored
    // where it is stable, in closed form; what is known for the stated parameters only has none
    exact_stability conditions;
    bool has_conditions;
    uint32_t split_count;
    const expr *split_symbol;
    split split;
} linear_job;

// The matrices that are written, with the numbers of balls or the expressions of the closed form:
// A, B, observe, feedthrough, then M, C, K, F where there are any. In the arena.
sheet linear_job_sheet(const linear_job *j);
// Each part of M, C, K that goes with a product of powers: "x'^2"
const char *linear_job_factor(const linear_job *j, const split_term *t);
sheet_matrix linear_job_term(const linear_job *j, const split_term *t, int which);

// Where it is stable, in closed form: "marginal where 3*r*w2^2 - g > 0, given r > 0"
void linear_job_conditions_words(const model *m, const exact_stability *c, text *out);
void linear_job_conditions_data(const model *m, const exact_stability *c, json *out);

void linear_job_words(const void *job, text *out);
void linear_job_data(const void *job, json *out);

#endif
