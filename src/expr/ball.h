// Balls as numbers: what a value that is enclosed is worth where a double will do, to choose a
// pivot, to draw, to begin an iteration. What is proved stays in balls.
#ifndef HAMEL_EXPR_BALL_H
#define HAMEL_EXPR_BALL_H

#include <arb.h>

static inline double ball_middle(const arb_t v) { return arf_get_d(arb_midref(v), ARF_RND_NEAR); }

#endif
