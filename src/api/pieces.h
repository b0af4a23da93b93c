// A motion in pieces: contacts that open and close, resets and clocks between smooth motions.
//
// In each piece the model is read in the modes that its contacts have (`mode[floor]=sticking`), and
// is derived, compiled and run as any other system, up to the event that ends the mode. There the
// laws of contact say how it goes on (pieces_contacts.c), a reset gives new values, or a clock
// ticks (pieces.c). Rows of all pieces go to the sink of the job that was asked for; its own
// system, with every contact free, has the same columns.
#ifndef HAMEL_API_PIECES_H
#define HAMEL_API_PIECES_H

#include "api/run_job.h"
#include "report/changes.h"
#include "simulate/contact_law.h"

typedef struct { // one system: all contacts in certain modes
    contact_mode *mode;
    uint32_t *rests_with;
    model *m;
    hamel_run asked;
    run_job job;
    bool is_new; // it stands at the state that it was made for
    sink rows;   // hands them over
    struct pieces *all;
} piece;

typedef struct pieces {
    run_job *outer;
    const mechanics *free; // every contact free
    contact_law *law;
    uint32_t n, contacts, parameters;
    double t, *q, *qd, *parameter;   // where the motion is; parameters in the order of the model
    contact_mode *mode, *first_mode; // now, and at the start
    double *fastest;                 // of each contact: the largest speed at an impact
    double *rests_at;                // .. when its impacts accumulate, NaN: they have not
    double *falls;                   // .. gap'' of those that are open
    bool *closing;                   // .. is the bounce under way its last?
    uint32_t *rests_with;            // .. which one holds it where it rests, else itself
    uint64_t *ticks;                 // of each reset that is a clock
    double *reached; // of each other reset: its function where it was just reached, else NaN
    double *slipped_at, *lifted_at; // when each contact did so last
    int *crossed; // of each event of the model: the way in which it was just crossed; 0: it was not
    double *level;     // of each event of the model: its function before what is being settled
    double largest[2]; // of all coordinates and of all velocities so far
    bool *fired;       // by event of the piece that ended
    uint32_t fired_capacity;
    contact_state *state; // of each contact, while it is being settled
    double *speed;        // .. and its speeds before an impact
    uint64_t next_row;
    bool is_full; // no more rows are allowed
    LIST(piece *, list);
    LIST(piece_change, changes);
    double energy_first, lost_at_impacts;
    double kinetic_most; // the largest kinetic energy where something changed
    uint64_t impacts;
    bool has_gained;  // an impact has, energy: that was said
    bool has_shared;  // contacts share a load in one of many ways: that was said
    uint32_t at_once; // changes without time between
    uint32_t hasty;   // resets one behind the other, with hardly any
    const char *failure, *help;
    run_status ended_by; // of a run that failed: its kind
    // Goes along with each piece, for the follower of the run that was asked for
    run_follower along;
    const run *last; // the piece that it is in; NULL: it has not come to one
} pieces;

// Only run_job_run() follows contacts, resets and clocks, and it does not have everything that a
// smooth run has: HAMEL_USAGE after saying so, before anything is opened.
hamel_status pieces_refuse(const run_job *j);
// HAMEL_USAGE, after saying so, where a mode is stated and resets are to be followed: contacts and
// resets are followed together.
hamel_status pieces_check_modes(const model *m);
// The run of a job that is prepared, instead of run_begin() and run_integrate().
run_status pieces_run(run_job *j);
void pieces_free(pieces *w);
// Whoever follows the run that was asked for, beside its rows: told of each piece where it begins,
// of its steps, and of events.
void pieces_tell_piece(pieces *w, piece *p);
void pieces_tell_event(const pieces *w, const char *name, double t);
// For a page; it lives as long as the pieces do.
run_changes pieces_changes(const pieces *w);
void pieces_write_text(const pieces *w, text *out);
void pieces_write_json(const pieces *w, json *out);

// The system of the modes that the contacts have now, standing where the motion is; in every case
// of failure that was said (pieces_systems.c).
hamel_status pieces_enter(pieces *w, piece **out);
// Resets whose event ended the piece or has `jumped` where it begins, and clocks that are due, in
// the order in which they are stated (pieces_resets.c); false after setting w->failure.
bool pieces_apply_resets(pieces *w, const piece *ended, bool jumped);
double pieces_next_tick(const pieces *w); // of all clocks; infinite without any
// Do the clocks tick so seldom that the run comes to its end? False after setting w->failure.
bool pieces_clocks_end(pieces *w);
// Resets that were just reached, and are no longer ahead
void pieces_pass_resets(const pieces *w, piece *next);
// Impacts, resets and ticks move what events look at (pieces_jumps.c). What their functions are
// before that, where a piece ends (NULL: where the run begins) ..
void pieces_keep_levels(pieces *w, const piece *ended);
// .. and which of them have changed their sign when the next one begins: events are noted. For
// resets, and for limits of a mode that are passed where it begins, w->fired is set.
typedef struct {
    bool changes, ends; // there are some; an event ends the run
} pieces_jump;
pieces_jump pieces_find_jumps(pieces *w, piece *p);
void pieces_forget_fired(pieces *w, const model *m);
int pieces_trend(piece *p, uint32_t event);    // of an event's function from here on: its sign
bool pieces_is_now(const pieces *w, double t); // or so little ago that no step lies between

// What the contacts do from here on: impacts first, then a mode for each. False after setting
// w->failure: no motion obeys the law, or several do.
bool pieces_settle_contacts(pieces *w, const piece *ended);
// False after setting w->failure: a contact that is open has a gap below 0.
bool pieces_check_gaps(pieces *w);
// The slip at which sliding of a contact in two directions is at its end
double pieces_still(const pieces *w, uint32_t contact);
// .. of the kind RUN_FAILED
bool pieces_fail(pieces *w, const char *help, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
