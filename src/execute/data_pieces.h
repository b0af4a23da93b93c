// Functions from data in a run. Between two points of its data such a function is a polynomial in
// t, whose numbers are parameters of the run: f = sum_j c_j (t - t_i)^j. Steps end at the points
// (data_pieces_next), where the numbers of the next piece take the place of those before
// (data_pieces_enter): no code and no method has to know of data, however many there are.
#ifndef HAMEL_EXECUTE_DATA_PIECES_H
#define HAMEL_EXECUTE_DATA_PIECES_H

#include "execute/simulation.h"
#include "expr/spline.h"

typedef struct data_pieces {
    uint32_t count; // of functions
    struct spline **function;
    uint32_t *piece; // that each is on
    bool *used;      // it stands in the rates, columns or events
} data_pieces;

// The parameters behind those that the model states; there is room for them in `symbol`.
void data_pieces_add(simulation *sim, expr *symbol);
// The functions that stand in these expressions are used: their points count, and where their data
// end the run does.
void data_pieces_note_use(const simulation *sim, uint32_t count, const expr *e);
// The pieces that begin at t or before, and end behind it. False: the run is on them already. What
// was made of the parameters is to be told where it is true.
bool data_pieces_enter(simulation *sim, double t);
// The first point of data behind t; INFINITY: there is none
double data_pieces_next(const simulation *sim, double t);
// Points between two times
double data_pieces_between(const simulation *sim, double from, double to);
// A function whose data do not reach from one time to another; NULL: all do
struct spline *data_pieces_short(const simulation *sim, double from, double to);

#endif
