// The values of a run of a sweep as --set and --at say them, and the model with them. It is how a
// run is made anew as `simulate` makes it: one that is kept, one in pieces, one whose failure is to
// be told.
#ifndef HAMEL_API_SWEEP_WORDS_H
#define HAMEL_API_SWEEP_WORDS_H

#include "api/api_internal.h"
#include "sweep/plan.h"

typedef struct {
    parse_override *set;
    uint32_t count;
    const char *at;
} sweep_words;

// In the arena of a context, behind what --at says of all runs
sweep_words sweep_words_of(const sweep_plan *plan, const double *value, const char *at,
                           context *ctx);
// A copy of the model in this context, with the values of parameters
hamel_status sweep_words_read(context *ctx, const model *like, const sweep_words *v, model **out);

#endif
