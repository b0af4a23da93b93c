// All branches of steady motions that can be reached from one motion: the branch through it, then
// each one that crosses a branch that was followed, once. One call finds them; special points that
// several branches pass through are kept once, and points of branches refer to them by number.
#ifndef HAMEL_STUDY_BRANCHES_H
#define HAMEL_STUDY_BRANCHES_H

#include "study/branch_special.h"

typedef struct {
    branch_system system;
    uint32_t branch_count, branch_capacity;
    branch *branch;
    uint32_t special_count, special_capacity;
    special_point *special; // folds, branch points, Hopf points
    bool cut;               // there are more branches than were asked for
    bool found;             // false: not even the first point could be made
} branches;

// From the motion that the path begins at, where p is `start`, inside of low..high.
void branches_find(steady_path *path, double start, double low, double high, uint32_t most,
                   uint32_t steps, branches *out);
void branches_clear(branches *b);

#endif
