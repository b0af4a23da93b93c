// Right-hand sides written by hand, with what depends on parameters only apart.
#ifndef HAND_H
#define HAND_H

enum { HAND_FIXED = 16 };

#define HAND(name)                                                                                 \
    void hand_##name##_fixed(const double *p, double *c);                                          \
    void hand_##name(double t, const double *z, const double *p, const double *c,                  \
                     double *restrict out);
HAND(sleigh)
HAND(rolling_disc)
HAND(t15_3_1_pendulum_on_skate)
HAND(rattleback)
HAND(snake)

#endif
