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

// Makes the target, under the lock: the maker writes a file of the name it gets, which then becomes
// the target. False after saying why: then it is as it was. quick: what replaces nothing need not
// wait for the disk.
typedef struct {
    bool (*write)(const void *data, const char *file, text *why);
    const void *data;
} output_maker;
bool output_file_make(const output_file *f, const output_maker *m, bool quick, text *why);
// The same of a record, and removes the journal.
bool output_file_publish(const output_file *f, const sink_kind *kind, const recording *r,
                         bool quick, text *why);

#endif
