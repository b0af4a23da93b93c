// What a report knows of a run: the system that ran, its rows, how it went. The api makes one of a
// finished job; everything in this room only reads it.
#ifndef HAMEL_REPORT_FINISHED_RUN_H
#define HAMEL_REPORT_FINISHED_RUN_H

#include "derive/formalism.h"
#include "record/table.h"
#include "report/changes.h"
#include "simulate/run.h"

typedef struct {
    const formalism *form;
    const integrator *method;
    const simulation *sim;
    const run *run;
    const table *rows;          // one at least
    const char *outcome;        // in words
    const run_changes *changes; // between the pieces it is made of; NULL: it is smooth
} finished_run;

// Number i of `count` indices that are spread evenly over 0 .. total - 1, both ends among them.
static inline uint64_t spread(uint64_t i, uint64_t count, uint64_t total) {
    return count < 2 ? 0 : (i * (total - 1) + (count - 1) / 2) / (count - 1);
}

#endif
