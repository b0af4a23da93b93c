// Going on with an earlier run whose .h5 file is there. resume_read() takes from the file what the
// request leaves out and refuses what contradicts it; the run then begins at the stored state, with
// the stored tolerance and interval, to the last bit, so that two halves are one run.
#ifndef HAMEL_API_RESUME_H
#define HAMEL_API_RESUME_H

#include "hamel.h"
#include "record/journal.h"

// Reads what the file says about its run and puts it in place of what `asked` leaves out. What is
// asked otherwise than it was is an error, but for the end.
hamel_status resume_read(model *m, hamel_run *asked, run_past *past);

#endif
