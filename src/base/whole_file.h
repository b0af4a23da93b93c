// A file that is whole or not there: all its bytes are written beside it, and it is renamed at the
// end, so that a full disk or a kill leaves what was there before. Results that are made in one
// piece (pages, figures, sources, generated code) are written by this; rows of runs have a journal
// (record/journal.h).
#ifndef HAMEL_BASE_WHOLE_FILE_H
#define HAMEL_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

// False: errno says why. A file that is replaced keeps its permissions and must be writable; where
// a link leads, the file there is replaced; devices and pipes are written to as they are.
bool whole_file_write(const char *name, const void *bytes, size_t size);

// The same in two steps, for files that belong together: all are written before the first appears.
// One that was begun is finished or dropped.
typedef struct {
    char *part, *target; // part: its name until then; NULL: none is under way
} whole_file;
bool whole_file_begin(whole_file *w, const char *name, const void *bytes, size_t size);
bool whole_file_finish(whole_file *w);
void whole_file_drop(whole_file *w);

#endif
