// States: values of t, q, q' (and lambda) that satisfy the constraints, as Arb balls. Start from
// the model's `initial` or from what --at says, complete it (state_complete), then read or change
// values; everything evaluated in balls is evaluated at one.
#ifndef HAMEL_MODEL_STATE_H
#define HAMEL_MODEL_STATE_H

#include "expr/program.h"
#include "model/model.h"

// A constraint, or the definition of a quasi-velocity that was given, and the coordinate (order 0)
// or velocity (order 1) that a completion solved it for.
typedef struct {
    expr function, variable;
    uint32_t order;
} solved_variable;

typedef struct {
    const model *model;
    arb_ptr value; // by symbol index
    bool *known;
    uint32_t capacity; // symbols there is room for
    slong precision;
    bool generic; // stand-ins take the place of what has no value (set by state_complete)
    // what state_complete solved for, in the arena: coordinates first
    uint32_t solved_count;
    const solved_variable *solved;
} state;

void state_init(state *x, const model *m, slong precision);
void state_clear(state *x);
// `to` is made here, and is the caller's to clear; the second drops the radii of the balls
void state_copy(const state *from, slong precision, state *to);
void state_copy_midpoints(const state *from, slong precision, state *to);
void state_set(state *x, expr symbol, const arb_t value);
arb_ptr state_get(state *x, expr symbol);
void state_reserve(state *x); // room for every symbol of the pool, also those made since
// Values of expressions there, stand-ins where there are none; in the arena
double *state_doubles(state *x, uint32_t count, const expr *e);
// The times at which all functions from data have values; false: the model has no data
bool model_data_range(const model *m, double *from, double *to);
// When motions begin if nobody says so: 0, or where the data do if it is not among their times
void model_usual_start(const model *m, slong precision, arb_t out);
// "a cubic spline through 25 points of `road.csv`, column `z`, t = 0 .. 5"; in the arena
const char *model_data_words(const model *m, struct spline *f);
// Reports functions from data that have no value at its time.
void state_check_data(state *x);
// Are the values of a program at the balls of a state finite, and is none of them 0?
bool state_avoids_zeros(state *x, const program *prog);

// Which constraints a completion found to carry no information of their own.
typedef struct {
    uint32_t constraint; // index into model->constraints
    bool satisfied;      // it holds at the solved state: redundant there; otherwise contradictory
    arb_t residual;
} dependent_constraint;

typedef enum {
    // every parameter and given in use must have a value; inconsistent values are errors
    COMPLETE_STRICT,
    // stand-ins for what has no value; `seed` moves everything that is not fixed by a
    // constraint (0: stay at initial)
    COMPLETE_GENERIC,
} completion_mode;

// Fill x with a state: what `at` gives, then the model's `initial`, then 0 (or a generic
// value), then dependent coordinates and velocities from the constraints by Newton's method,
// verified by an interval Newton step. Dependent constraints are returned in `idle` (room
// for all constraints), not reported.
typedef struct {
    completion_mode mode;
    uint64_t seed;
    bool as_given;      // no constraint is solved: values as they stand (idle is not used)
    bool zero_defaults; // what nobody gave starts at 0 also where the model has no `initial` at all
    bool free_choice;   // mechanics there: the model's `independent` does not bind
    uint32_t at_count;
    const assignment *at;
    // what inputs are to be there instead of what the model states (model_hold_inputs)
    bool holds_inputs;
    uint32_t held_count;
    const assignment *held;
} completion_request;
hamel_status state_complete(state *x, const completion_request *request, dependent_constraint *idle,
                            uint32_t *idle_count);
void dependent_constraint_clear(uint32_t count, dependent_constraint *idle);
// The same where it does not matter which constraints are idle. x is made here, and is the caller's
// to clear; false if no such state was found.
bool state_find(state *x, const model *m, slong precision, const completion_request *request);
// Stand-ins for what has no value, at the state asked for (NULL: the initial one) or, for a seed,
// elsewhere.
completion_request completion_request_generic(const completion_request *where, uint64_t seed);

// Replace givens by their definitions (all derivatives); in generic mode, undefined givens
// and abstract functions by stand-ins.
void model_concrete(const model *m, bool generic, uint32_t count, const expr *in, expr *out);

// Pivots for a k x n matrix by elimination with full, threshold pivoting: among entries at least
// `threshold` times the largest (rows scaled), the one of least cost is taken, ties by size, then
// by the later column. Returns the rank; row[i], column[i] is the i-th pivot. Without a cost the
// least fill-in is looked for, so that elimination of a sparse matrix stays sparse.
uint32_t pivots_choose(uint32_t k, uint32_t n, const double *matrix, const double *cost,
                       double threshold, uint32_t *row, uint32_t *column);
// The last of k pivots with full pivoting, rows as they are; 0 if there are fewer,
// NaN where an entry is not finite.
double pivots_smallest(uint32_t k, uint32_t n, const double *matrix);
// a simpler block may be this much worse conditioned than the best
static const double INDEPENDENCE_THRESHOLD = 0.1;
// .. along a run: the best, so that it lasts, but for what rounding may add to one of several
static const double FREE_THRESHOLD = 1 - 1e-9;

#endif
