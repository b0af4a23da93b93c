// What happened between the pieces of a motion: contacts that changed their mode, impacts, resets.
// A run that is made of pieces hands the list over, and the page writes it as a table and as data.
#ifndef HAMEL_REPORT_CHANGES_H
#define HAMEL_REPORT_CHANGES_H

#include "model/contact_modes.h"

typedef enum { CHANGE_MODE, CHANGE_IMPACT, CHANGE_RESET } change_kind;

typedef struct { // what happened between two pieces
    double t;
    change_kind kind;
    const char *name; // of the contact or the reset
    contact_mode from, to;
    double speed, lost; // of an impact: along the normal before it; energy
} piece_change;

typedef struct {
    uint32_t count;
    const piece_change *at;
    const contact_mode *first, *last; // of each contact, at the start and at the end
    const double *rests_at;           // of each contact: its impacts accumulated there; NaN: no
    uint64_t impacts;
    double lost; // energy, by all of them
} run_changes;

// Is this the name of an event that only tells of a change: "floor.lands", or that of a reset?
bool changes_tell(const model *m, const char *event);

#endif
