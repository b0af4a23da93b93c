// A run on record: what was asked, its columns and rows, its events, where it stood last and how it
// ended. A run under way writes such a record as its journal (journal.h); the file that was asked
// for is made from it at the end, and an .h5 file gives it back. recording_read() looks through the
// bytes once and keeps where the rows are; rows themselves are read when they are asked for.
//
// As bytes:   "hamel journal 1\n", then pieces (sealed.h)
//   HEAD  what was asked, the columns. The last one counts: a run that goes on has a later end
//   LINE  the rows of the next ROWS as lines of CSV, where they have more digits than a double
//   ROWS  whole rows, 8 bytes a number
//   EVNT  an event
//   HERE  where the run stands between two steps, with all rows and events before it
//   DONE  how it ended
// Numbers are little-endian. A piece that is torn or does not match its sum ends the record: what
// is before it counts, so a kill or a full disk at any moment costs what was being written.
#ifndef HAMEL_RECORD_RECORDING_H
#define HAMEL_RECORD_RECORDING_H

#include "base/bytes.h"
#include "base/context.h"
#include "record/sealed.h"
#include "record/record.h"

// What a run was asked to do, with every default filled in: kept with its rows, so that they
// explain themselves and the run can go on.
enum { RECORDING_SECTION = 0 }; // the interval between rows of a section, which has none
typedef struct {
    const char *version, *name, *title; // of the program, of the model
    const char *text;                   // of the model
    uint32_t included_count;
    const char **included; // texts of the files it includes
    // changes to parameters and to the initial state, as they were given; "" for none
    const char *set, *at;
    const char *form, *method, *execution, *precision;
    double tolerance, interval, until, step;
    bool project;
} run_terms;

typedef struct {
    uint64_t first_row, rows;
    uint64_t at;                // of the numbers in the file
    uint64_t lines, lines_size; // of their lines; size 0: there are none
} row_block;

typedef struct recording {
    int file;
    run_terms terms;
    uint32_t column_count;
    column *column; // names and kinds; `value` is of no meaning
    uint32_t coordinates, state_size;
    uint64_t rows;
    LIST(row_block, blocks);
    LIST(event_record, events);
    bool has_position;
    run_position position; // in the arena
    run_record counted;    // there: rows, next_row, steps, their lengths, deviation
    uint32_t events_there;
    const char *outcome; // OUTCOME_NONE if nobody wrote one: it was killed
    uint64_t length;     // bytes that count; those behind are torn
    uint64_t length_at_position;
    int unreadable; // errno where the file could not be read to the end of the record; 0: it was
} recording;

#define OUTCOME_NONE "unfinished"
#define OUTCOME_EVENT "stopped by an event"

// --- reading -------------------------------------------------------------------------------------

// The record in an open file, that stays the caller's. Texts are in the arena of the context.
// False, after saying in `why`, where it is none.
typedef enum {
    RECORDING_WHOLE,
    RECORDING_OWN,            // this process wrote it: sums of rows need not be looked at
    RECORDING_ROWS_ELSEWHERE, // the rows that a position speaks of need not be there
} recording_trust;
bool recording_read(context *ctx, int file, recording_trust how, recording *out, text *why);
void recording_free(recording *r);
// How many rows to ask for at once, so that they are some megabytes at the most
static inline uint64_t recording_rows_at_once(uint32_t column_count) {
    enum { AT_ONCE = 1 << 22, MOST = 1 << 16 };
    const uint64_t rows = AT_ONCE / (8 * ((uint64_t)column_count + 1)) + 1;
    return rows < MOST ? rows : MOST;
}
// Rows from..from + count - 1, row by row. False if the file cannot be read any more.
bool recording_rows(const recording *r, uint64_t from, uint64_t count, double *value);
// The lines of a block that has them, appended.
bool recording_lines(const recording *r, const row_block *b, text *out);

// --- writing -------------------------------------------------------------------------------------

// Pieces, whole, appended to bytes that are on their way to a file
void recording_put_magic(text *out);
// What is the same for all rows of a run: the columns, n coordinates, the size of z
typedef struct {
    uint32_t column_count;
    const column *column;
    uint32_t coordinates, state_size;
} row_layout;
row_layout recording_layout(const recording *r);

void recording_put_head(text *out, const run_terms *t, const row_layout *l);
// The head of a piece of rows, that follow it as they lie in memory: `value` becomes their bytes
void recording_rows_head(unsigned char *head, uint64_t numbers, double *value);
void recording_put_lines(text *out, const text *lines);
void recording_put_event(text *out, const event_record *e, const row_layout *l);
// `counted` holds all rows and events so far
void recording_put_position(text *out, const run_position *here, const run_record *counted,
                            const row_layout *l);
void recording_put_outcome(text *out, const char *outcome);

#endif
