// A system ready to run: z' = f(z, t), what is written at each output time, and what is watched
// for, all as three-address code. simulation_create() makes it from equations and an initial state;
// fields, integrators and sinks read it and never change it.
#ifndef HAMEL_EXECUTE_SIMULATION_H
#define HAMEL_EXECUTE_SIMULATION_H

#include "codegen/tape.h"
#include "equations/ode.h"

typedef enum {
    COLUMN_TIME,
    COLUMN_COORDINATE,
    COLUMN_VELOCITY,
    COLUMN_QUASI, // eta, where it is not a velocity
    COLUMN_MULTIPLIER,
    COLUMN_ENERGY,    // h = sum q' dL/dq' - L
    COLUMN_INVARIANT, // should not change
    COLUMN_OBSERVABLE,
    COLUMN_RESIDUAL, // of a constraint: should stay 0
    COLUMN_CONTACT,  // gap, mode, forces and slip of a contact
} column_kind;

const char *column_kind_name(column_kind k); // "coordinate"
// its change along the motion is drift
static inline bool column_should_stay(column_kind k) {
    return k == COLUMN_ENERGY || k == COLUMN_INVARIANT || k == COLUMN_RESIDUAL;
}

typedef struct column {
    const char *name; // "t", "x", "x'", "lambda[blade]", "energy", "residual[blade]"
    column_kind kind;
    expr value;       // a function of (z, t), as ode_open_expressions() leaves it
    const char *unit; // "m/s"; NULL: none
} column;

typedef struct simulation {
    model *m;
    equations *eq;
    ode *o;
    uint32_t column_count;
    column *column; // the first is t
    uint32_t parameter_count;
    const expr *parameter;
    double *parameter_value;
    // Of these the first are the model's; the others, five for each function from data, are its
    // polynomial on one piece (data_pieces.h)
    uint32_t stated_count;
    struct data_pieces *data; // NULL: there are none
    double t0;
    double *z0;       // o->size
    double *columns0; // t, q and q' of the state that t0 and z0 were last taken from
    struct {
        expansion *parameter, t, *z;
    } exact;       // the same numbers, with all their digits
    tape *rate;    // o->size outputs
    tape *columns; // column_count outputs
    // what should stay, looked at after every step: which columns, and their values
    uint32_t watched_count;
    uint32_t *watched;
    tape *watch;       // watched_count outputs; NULL if there are none
    tape *events;      // one output for each event of the model; NULL if there is none
    tape *rows;        // dPhi_nu/dq'_i, k x n; NULL where there are none
    bool rank_changes; // it is to be watched: nothing shows that they are independent everywhere
    // there is more in them than sums, products, sin and cos: something narrow that could stand
    // between two looks
    bool rows_can_hide;
    // Of the variational equations (variation.h): the system whose state comes first in z. It alone
    // chooses the steps. NULL: all of z does.
    const struct simulation *leading;
    struct linear_columns
        *linear;    // .. and those taken apart (linear_columns.h); NULL: they are not
    tape *jacobian; // size x size, df_i/dz_j row by row; made when first asked for
} simulation;

// `where` completes the initial state as `eval` does. What has no value is an error with its place.
hamel_status simulation_create(model *m, const mechanics *s, equations *eq,
                               const completion_request *where, simulation **out);
// The same with t, q and q' as the only columns: what the model observes may have
// no value in another mechanics.
hamel_status simulation_create_bare(model *m, const mechanics *s, equations *eq,
                                    const completion_request *where, simulation **out);
// Its columns as expressions of the model: t, q and q', and all others unless it is to be bare
void simulation_list_columns(simulation *sim, const mechanics *s, bool bare);
void simulation_free(simulation *sim);
// Other values of the parameters that the model states, one for each. Fields, and what else was
// made of the simulation, are to be told.
void simulation_set_parameters(simulation *sim, const double *value);
// The model gets the values that the simulation has: what is derived of it from now on is for them.
void simulation_tell_model(const simulation *sim);
// The start of the motion as `where` and the model say: t0 and z0 anew
hamel_status simulation_restart(simulation *sim, const completion_request *where);
const tape *simulation_jacobian(simulation *sim);
// Derivatives of functions of (z, t), as ode_open_expressions() leaves them, by some of z, t and
// parameters: row by row.
tape *simulation_slopes(const simulation *sim, uint32_t count, const expr *f, uint32_t variables,
                        const expr *variable);
// Their derivatives along the motion, df/dt by f_t + sum_i f_z_i dz_i/dt: one output for each.
tape *simulation_slopes_along(const simulation *sim, uint32_t count, const expr *f);
// May these stand in code for (z, t), which holds z, t, unknowns of s->o->system and parameters
// with values only? What else there is has no value: said with its place. Points of data that stand
// in them count from now on.
bool simulation_knows(const simulation *sim, uint32_t count, const expr *e);
// Code for functions of (z, t), in which the unknowns of s->o->system may stand.
tape *simulation_tape(const simulation *sim, uint32_t count, const expr *e);

#endif
