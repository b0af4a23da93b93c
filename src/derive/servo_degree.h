// Servo constraints whose reactions cannot hold them: a M^-1 b is singular. How often such a
// constraint is to be differentiated until a servo's multiplier appears (its relative degree), and
// what that means, in words.
#ifndef HAMEL_DERIVE_SERVO_DEGREE_H
#define HAMEL_DERIVE_SERVO_DEGREE_H

#include "model/mechanics.h"

typedef struct {
    const char *what, *help; // in the arena; NULL: nothing of that kind is wrong
} servo_trouble;

// Of a system whose matrix of accelerations and multipliers is singular; `where`: " at t = 0, ..".
servo_trouble servo_degree_explain(const mechanics *s, const char *where);

#endif
