// The clock that never goes back: seconds since some moment. Two of its readings are subtracted to
// tell how long something took; numbers of a result never depend on it.
#ifndef HAMEL_BASE_CLOCK_H
#define HAMEL_BASE_CLOCK_H

#include <time.h>

static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
