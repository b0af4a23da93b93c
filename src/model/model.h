// What a mechanical system is: the meaning of a model text, before any mechanics is done with it.
//
// Filled by the parse room, then its constraints are classified (constraint_classify()) and settled
// when mechanics is first made of it; afterwards it is read only. All expressions live in one pool,
// and names are resolved: a quasi-velocity or `let` used in another expression stands there by its
// definition.
#ifndef HAMEL_MODEL_MODEL_H
#define HAMEL_MODEL_MODEL_H

#include "base/list.h"
#include "model/dimension.h"
#include "model/rotation.h"

// A statement as it was typed, for the second evaluator (the typed room): where its
// syntax is and in which pass of the loops around it. A vector equation stands for
// three, each with its component.
typedef struct {
    const struct item *item;        // parse/syntax.h
    const struct binding *bindings; // parse/scope.h
    int component;                  // 0, 1, 2 of a vector; -1 of a scalar
} typed_form;

typedef struct { // of a symbol, in a model with units
    bool known;
    dimension dimension;
    const char *stated; // the unit as it was written: "rad"; NULL if it was not, or is no SI unit
} symbol_dimension;

typedef struct {
    expr symbol;
    expr value; // exact constant expression; EXPR_NONE for one that is symbolic only
    span at;
    const char *decimal; // the value as it was typed, where that is a decimal: "9.81"; else NULL
    // how the constraints are to be taken was decided by its value: for another one they are to be
    // looked at anew
    bool decided;
    bool is_signal; // it stands for an input that is held: any number may take its place
} parameter;

typedef struct {
    expr symbol;
    expr definition; // of t; EXPR_NONE for an unspecified function
    span at;
    bool
        is_input; // `input u = E`: E, of t, q and q', is what it is in runs; 0 where none is stated
    // `from` a file: definition is the function of these, of t; NULL: from none
    struct spline *data;
} given_function;

typedef struct {
    const char *name; // "P", "P[3]"
    expr mass;
    vec3 position;
    span at;
} mass_point;

typedef struct {
    const char *name;
    expr mass;
    vec3 centre;
    // entries Ix, Iy, Iz, Ixy, Ixz, Iyz of the inertia matrix about the centre, in body axes
    expr inertia[6];
    rotation orientation;
    span at;
} rigid_body;

typedef struct { // a force V whose line of action passes through `position`
    vec3 force, position;
    span at;
} applied_force;

typedef struct {
    vec3 torque;
    uint32_t body;
    span at;
} applied_torque;

typedef enum {
    CONSTRAINT_ACTIVE,
    CONSTRAINT_IDENTITY,  // 0 = 0: dropped
    CONSTRAINT_REDUNDANT, // follows from the others: set aside
    // others depend on it: combinations of them stand in their place, behind those that were stated
    CONSTRAINT_COMBINED,
} constraint_status;

typedef struct {
    const char *name; // "blade", "contact.x", "c1"
    expr phi;         // left minus right
    span at;
    constraint_status status;
    int order;   // highest derivative in it; 0 = holonomic
    bool linear; // affine in the highest derivative present
    // in q': of degree 1 for a linear one (no term free of q'), of some degree for a nonlinear one
    bool homogeneous;
    bool rheonomic;    // explicit time or a given
    expr multiplier;   // the symbol lambda[name]
    expr velocity_phi; // phi, differentiated once if of order 0: what the velocities satisfy
    // of a servo constraint: the direction of its reaction, an entry for each coordinate, functions
    // of (q, q', t); NULL: the reaction is ideal, along dPhi/dq'
    const expr *servo;
    typed_form typed;
    expr stated; // as it was written, where phi is a factor of that (reduce.c); else EXPR_NONE
    // what stands between the two: "on the branch x' - y' = 0", "divided by sin(p)"; else NULL
    const char *note;
    bool of_contact;  // a contact that is closed stands for it
    bool is_branch;   // phi is one of several factors of what was stated, each a branch of its own
    bool special;     // REDUNDANT for the stated values of the parameters only
    const char *unit; // of phi; NULL: not known
} constraint;

typedef struct { // where a body touches a surface, by `touch` or `roll`
    const char *name;
    uint32_t body;
    vec3 point, normal;   // in space: on the body; a unit vector from the surface to the body
    vec3 tangent, across; // with the normal a frame
    expr gap;             // the distance; negative where one is inside the other
    span at;
} touching;

typedef struct { // `cartesian FORM = E`: the field v has FORM(v) = E
    expr form;   // linear and homogeneous in q'
    expr value;  // of q and parameters
    span at;
} cartesian_form;

typedef struct {
    const char *name;
    expr symbol;     // eta
    expr definition; // Psi(q, q', t)
    span at;
} quasi_velocity;

typedef struct assignment { // `initial x = E`, also one item of `--at`
    expr symbol;            // t, q, q', eta or lambda[..]
    expr value;             // a constant expression
    span at;
    const char *decimal; // as in a parameter
    bool gives_way;      // of a guess: to any other value
} assignment;

typedef struct {
    const char *name;
    expr value;
    span at;
    typed_form typed;
    const char *unit; // NULL: none, or not known
} named_expression;   // invariant, observe

typedef struct {
    const char *name;
    expr value;
    int direction; // +1: only where it rises through 0, -1: only where it falls, 0: both
    bool stop;
    span at;
    typed_form typed;
} event;

// What a contact does: it is open, it slides, or it sticks (rolls). Where it can slide along one
// line only, the two ways are modes of their own, so that friction is smooth in each. A contact
// rests where it cannot slide because another one of the same body sticks: what both can hold
// together is counted there.
typedef enum {
    MODE_FREE,
    MODE_SLIDING,
    MODE_SLIDING_BACK,
    MODE_STICKING,
    MODE_RESTING,
    MODE_COUNT
} contact_mode;

typedef struct { // `contact`: gap >= 0, with Coulomb's friction and Newton's restitution
    const char *name;
    span at;
    expr gap;          // of q and t
    bool has_place;    // `at` is stated
    expr normal_speed; // normal . relative velocity there: d gap/dt, where the contact is closed
    // the directions in which it may slide, none without friction, one in a plane; and the
    // velocities along them: slip_i = tangent_i . relative velocity
    uint32_t tangents;
    vec3 place, normal, tangent[2];
    expr slip[2];
    expr static_friction, friction, restitution;
    contact_mode mode;   // in which the model was read: its constraints and forces are there
    bool mode_is_stated; // by `--set mode[NAME]=..`
    // of one that rests: the contact that holds it, NULL: the one that sticks
    const char *rests_with;
    // the force of the surface along the normal and the tangents, in multipliers; 0 where it is
    // free
    expr normal_force, tangent_force[2];
    expr still; // a parameter: speed^2 below which sliding in two directions is at its end
    // its events, among those of the model; UINT32_MAX: it has none of the kind in this mode
    uint32_t lands, lifts, slips, sticks;
} contact;

// `collect`: what a sweep keeps of each run (sweep/system.h says what each is)
typedef enum {
    COLLECT_FINAL,
    COLLECT_MAX,
    COLLECT_MIN,
    COLLECT_MEAN,
    COLLECT_FIRST, // of an event
    COLLECT_COUNT,
} collect_kind;

typedef struct collected {
    const char *name;
    collect_kind kind;
    expr value; // as in an observable; EXPR_NONE for an event's
    // for COLLECT_FIRST and COLLECT_COUNT its name and its place among those of the model;
    // UINT32_MAX: it is a contact's, "floor.slips", that does not have it in this mode
    const char *event_name;
    uint32_t event;
    span at;
    typed_form typed;
    const char *unit; // NULL: none, or not known
} collected;

// `sweep`: what is varied, and how
typedef enum {
    VARY_GRID,    // from .. to, `count` values at equal distances, both ends included
    VARY_LIST,    // one after the other
    VARY_ROWS,    // of data: all targets at once
    VARY_UNIFORM, // drawn
    VARY_NORMAL,
} vary_kind;

typedef struct varying {
    vary_kind kind;
    span at;
    uint32_t target_count; // one, but of VARY_ROWS
    const expr *target;    // parameters, coordinates, velocities, quasi-velocities
    expr first, second;    // the ends; of VARY_NORMAL mean and standard deviation
    uint64_t count;        // of the grid, the list, the rows
    const expr *list;      // constants, `count` of them
    const double *rows;    // row by row, in SI units
} varying;

typedef enum { SAMPLER_RANDOM, SAMPLER_SOBOL, SAMPLER_LATIN } sampler;

typedef struct { // `samples`
    uint64_t count, seed;
    sampler how;
    span at; // without a source: it is not stated
} sampling;

typedef struct { // `when` and `every`: new values at an event, or at the ticks of a clock
    const char *name;
    span at;
    uint32_t event; // among those of the model; UINT32_MAX: a clock
    expr period;    // of the clock
    uint32_t count;
    const struct assignment *values; // coordinates, velocities and parameters; all at once
} reset;

typedef struct { // of a mechanics: "with nu = E"
    const char *name;
    expr value;
} option;

typedef enum {
    CLAIM_EQUATION,  // left = right along the motion
    CLAIM_CLASSICAL, // the motion of the mechanics is the classical one
    CLAIM_SOLUTION,  // these functions of time satisfy the equations of motion
} claim_kind;

typedef struct {
    const char *name;
    claim_kind kind;
    const char *mechanics; // "under ID"; NULL for the classical motion
    span mechanics_at;
    uint32_t option_count;
    const option *options;
    // of an equation, in q, q', q'', t, lambda[..], delta(x), transpose(x), quantity("..")
    expr left, right;
    uint32_t solution_count;
    const assignment *solution; // coordinate = function of time, every coordinate once
    span at;
    typed_form typed; // of a solution, the first item of its statement
} claim;

typedef struct { // delta(x) or transpose(x), once a claim uses it
    expr coordinate, symbol;
} variation;

typedef struct { // quantity("det W"): what a form shows under this name
    const char *name;
    expr symbol;
} quantity;

typedef enum {
    DRAW_LINE,
    DRAW_DISK,
    DRAW_SPHERE,
    DRAW_TRAIL,
    DRAW_BOX,
    DRAW_ELLIPSOID,
    DRAW_CURVE
} draw_kind;

typedef struct {
    draw_kind kind;
    // LINE: ends; DISK: centre, normal; SPHERE, TRAIL: a; BOX: a = edge lengths, b = centre;
    // ELLIPSOID: a = half axes, b = centre; CURVE: a as function of `local`
    vec3 a, b;
    expr radius;          // DISK, SPHERE
    uint32_t body;        // BOX, ELLIPSOID: whose axes they have
    expr local, from, to; // CURVE: the bound name and its range
    span at;
} draw_item;

typedef struct { // defaults of a run; EXPR_NONE / NULL where the model is silent
    expr from, to, tolerance, output;
    const char *method, *form;
    span at;
} simulate_defaults;

// One list for each kind of statement of the language, in the order in which a model is written:
// this is why the struct has more than 20 fields. Behind them stands what ties the model to its
// text and to the mechanics that is made of it.
struct hamel_model {
    context *ctx;
    pool *pool;
    const source *text;             // what it was read from
    uint32_t override_count;        // of the values that --set gave until then
    LIST(const source *, included); // the files that the text includes, in the order of reading
    uint32_t included_by_options;   // of that list: with the data behind them that options named
    // NULL while not stated; the api names a nameless model after its file
    const char *name, *title;
    expr time;
    LIST(parameter, parameters);
    LIST(expr, coordinates); // symbols of order 0
    LIST(given_function, givens);
    LIST(mass_point, points);
    LIST(rigid_body, bodies);
    // What was stated; EXPR_ZERO if nothing, EXPR_NONE for no `lagrangian`
    expr kinetic, potential, lagrangian, dissipation;
    span lagrangian_at;
    vec3 gravity;
    bool has_gravity;
    LIST(assignment, generalised_forces); // symbol = coordinate; repeated ones add up
    LIST(applied_force, forces);
    LIST(applied_torque, torques);
    LIST(constraint, constraints);
    LIST(touching, touches);
    LIST(expr, independent); // coordinates named by `independent`
    span independent_at;
    LIST(quasi_velocity, quasis);
    LIST(expr, supplementary);
    LIST(cartesian_form, cartesians);
    LIST(assignment, initial);
    LIST(assignment, guesses); // where solving starts for what `initial` leaves open
    simulate_defaults simulate;
    LIST(event, events);
    LIST(contact, contacts);
    LIST(reset, resets);
    LIST(varying, sweeps);
    sampling samples;
    LIST(collected, collects);
    LIST(named_expression, invariants);
    LIST(named_expression, observables);
    LIST(claim, claims);
    LIST(variation, variations);
    LIST(quantity, quantities);
    LIST(draw_item, draws);
    // the names of the text, for parse_assignments() and the typed room
    struct scope *scope;
    const struct instance *statements; // all of the text in order, loops unrolled (parse/scope.h)
    uint32_t statement_count;
    // by the index of the symbol; NULL: the model has no units
    const symbol_dimension *dimensions;
    uint32_t dimensions_count;
    void (*scope_free)(struct scope *);
    // An expression in words, for messages; the api room sets it, and it may be NULL
    const char *(*words)(const struct hamel_model *m, expr e);
    bool reduced, settled;       // reduce.c has been here; independence.c too
    bool is_wrong;               // they found something that no other call can cure
    struct mechanics *mechanics; // at the initial state; made on demand by the api room
};
typedef struct hamel_model model;

model *model_create(context *ctx, pool *p);
// Of a constant expression, with the values of the parameters; NAN where one has none
double model_constant(const model *m, expr e);
// The unit in which a coordinate, a derivative, a parameter .. is shown, "m/s"; NULL: the model has
// no units, or this has none
const char *model_unit(const model *m, expr what);
void model_free(model *m); // the lists; expressions belong to the pool, names to the arena

#endif
