// The equations of steady motions, and which of them follow from the others. steady_problem.c makes
// them of a system and its symmetries; steady.c solves them.
#ifndef HAMEL_STUDY_STEADY_PROBLEM_H
#define HAMEL_STUDY_STEADY_PROBLEM_H

#include "study/steady.h"

struct steady_problem {
    const mechanics *s;
    const symmetries *group;
    pool *p;
    arena *arena;
    expr *speed;  // xi: symbols
    expr *field;  // n: sum_a xi_a X_a
    expr *pace;   // n: sum_a xi_a A_a q', the accelerations
    expr *motion; // n rows N_i - sum_nu lambda_nu dPhi_nu/dq'_i
    expr *row;    // the others
    uint32_t rows;
    expr *unknown;
    uint32_t unknowns;
    expr *identity; // n for each: w with sum_i w_i motion_i = 0 where the other rows hold
    bool *generic;  // of each: only where `block` is regular
    expr *block;    // r x r: of the conditions that constraints put on the speeds
    uint32_t block_size;
    uint32_t identities, independent; // how many; so many of them say something of their own
};

#endif
