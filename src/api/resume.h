// Going on with an earlier run whose .h5 file is there. resume_read() takes from the file what the
// request leaves out and refuses what contradicts it; resume_apply() sets the run to where it
// stopped, to the last bit, so that two halves are one run.
#ifndef HAMEL_API_RESUME_H
#define HAMEL_API_RESUME_H

#include "api/api_internal.h"

#include "record/sinks.h"

// What --set says, "a = 1, b = 2", in the arena.
const char *resume_override_words(context *ctx);

// Reads what the file says about its run and puts it in place of what `asked` leaves out. What is
// asked otherwise than it was is an error, but for the end.
hamel_status resume_read(model *m, hamel_run *asked, run_past *past);
// As it was asked for: tolerance and interval to the last bit.
void resume_apply(const run_past *past, run_request *asked);

#endif
