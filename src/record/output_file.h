// The file that a run is to make, and who owns it: its journal beside it, the lock on that, and the
// one moment at which the file appears under its name, whole. A run finds the names, takes the lock
// before it touches anything, and publishes at the end; `hamel recover` does so for a run that
// was killed.
#ifndef HAMEL_RECORD_OUTPUT_FILE_H
#define HAMEL_RECORD_OUTPUT_FILE_H

#include "record/sinks.h"

#define JOURNAL_SUFFIX ".journal"

// Of a link, the target is what it leads to: that is replaced, not the link.
typedef struct {
    char *target, *journal;
    char *part; // what will be the target, while it is written
} output_file;

output_file output_file_find(const char *name);
void output_file_free(output_file *f);
// An empty one is of a run that was killed before it began.
bool output_file_has_journal(const output_file *f);

// The journal, open for reading and writing and locked; -1 after saying why.
int output_file_lock(const output_file *f, bool create, text *why);

// Makes the target of a record, under the lock, and removes the journal. False after saying why:
// then both are as they were. quick: what replaces nothing need not wait for the disk.
bool output_file_publish(const output_file *f, const sink_kind *kind, const recording *r,
                         bool quick, text *why);

#endif
