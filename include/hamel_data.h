// Results as data: what a model names, trajectories as columns in memory, verdicts, equations as
// expressions that can be walked through. This is a part of hamel.h, which includes it and says
// what statuses, models and runs are; programs include that one.
//
// Results are objects of their own: they outlive the model and the context they come from, never
// change, may be read by several threads at once, and are released by their _free(), which takes
// NULL too. What they hand out (names, columns) is theirs, and is there until then. Where an index
// or a name leads to nothing they answer with NULL or 0.
#ifndef HAMEL_DATA_H
#define HAMEL_DATA_H

#ifndef HAMEL_H
#error "include hamel.h"
#endif

// --- the names of a model ------------------------------------------------------------------------

// What a model has, one by one in the order of its text: the name of number `index` of a kind,
// "coordinates", "quasi-velocities", "parameters", "inputs", "functions" (of the time), "bodies",
// "points", "constraints", "contacts", "events", "resets", "invariants", "observables" or
// "claims"; NULL behind the last. A name is good as long as the context.
HAMEL_API const char *hamel_model_listed(hamel_model *model, const char *kind, size_t index);
// The name and the title that the model gives itself; a nameless one is called after its file, and
// a title may be NULL.
HAMEL_API const char *hamel_model_name(const hamel_model *model);
HAMEL_API const char *hamel_model_title(const hamel_model *model);
// The unit of a coordinate, velocity, parameter, observable .. of this name: "m/s". NULL: it has
// none, or the model has no units.
HAMEL_API const char *hamel_model_unit(hamel_model *model, const char *name);
// The value of a parameter, as the model and hamel_context_set() say: 1, or 0 where there is no
// such parameter or it has none.
HAMEL_API int hamel_model_value(hamel_model *model, const char *parameter, double *value);

// --- trajectories in memory ----------------------------------------------------------------------

// The rows of a run, column by column: each column is one array of doubles, so that programs use it
// where it lies.
//
//     hamel_trajectory *run;
//     if (hamel_model_trajectory(model, &(hamel_run){.until = 10}, &run)) ..
//     const double *t = hamel_trajectory_column(run, 0);
//     const double *x = hamel_trajectory_column(run, hamel_trajectory_find(run, "x"));
//     for (size_t i = 0; i < hamel_trajectory_rows(run); i++) printf("%g %g\n", t[i], x[i]);
//     hamel_trajectory_free(run);
typedef struct hamel_trajectory hamel_trajectory;

// A run as of hamel_model_simulate(), with contacts, resets and clocks. Output, resume and plot of
// `run` are not looked at; in a higher precision columns are the doubles nearest to its numbers.
// HAMEL_NUMERICS or HAMEL_LIMIT where the run stopped before its end, and *trajectory is then what
// was computed up to there; it is NULL where there was no run.
HAMEL_API hamel_status hamel_model_trajectory(hamel_model *model, const hamel_run *run,
                                              hamel_trajectory **trajectory);
// The same from rows in a file: an .h5 of hamel_model_simulate() or any .csv with a line of names
// first, where an empty cell is a gap (NaN).
HAMEL_API hamel_status hamel_file_trajectory(hamel_context *ctx, const char *file,
                                             hamel_trajectory **trajectory);
HAMEL_API void hamel_trajectory_free(hamel_trajectory *trajectory);

HAMEL_API size_t hamel_trajectory_rows(const hamel_trajectory *trajectory);
HAMEL_API size_t hamel_trajectory_columns(const hamel_trajectory *trajectory);
// As in the first line of a CSV file: "t", "x", "x'", "energy"
HAMEL_API const char *hamel_trajectory_name(const hamel_trajectory *trajectory, size_t column);
// "time", "coordinate", "velocity", "quasi-velocity", "multiplier", "energy", "invariant",
// "observable", "residual" or "contact"
HAMEL_API const char *hamel_trajectory_kind(const hamel_trajectory *trajectory, size_t column);
HAMEL_API const char *hamel_trajectory_unit(const hamel_trajectory *trajectory, size_t column);
// The number of the column with this name; SIZE_MAX, which leads to nothing, where there is none
HAMEL_API size_t hamel_trajectory_find(const hamel_trajectory *trajectory, const char *name);
// hamel_trajectory_rows() numbers
HAMEL_API const double *hamel_trajectory_column(const hamel_trajectory *trajectory, size_t column);
// What hamel_model_simulate() says of the run, HAMEL_TEXT or HAMEL_JSON; NULL of a file
HAMEL_API const char *hamel_trajectory_summary(const hamel_trajectory *trajectory,
                                               hamel_format format);

// What happened at one time of a run; members that do not belong to its kind are NULL or 0.
typedef struct hamel_happening {
    const char *kind; // "event"; "mode", "impact" (of contacts); "reset"
    const char *name; // of the event, the contact or the reset
    double t;
    int direction;         // of an event: 1 from negative to positive, -1
    const char *from, *to; // the modes of a contact: "free", "sliding", "sliding-", "sticking"
    double speed, lost;    // of an impact: along the normal before it; energy
    const double *state;   // of an event: coordinates, then their velocities; may be NULL
    size_t state_count;
    const void *later[4]; // of later versions; NULL
} hamel_happening;
// In the order of time: 1, or 0 behind the last
HAMEL_API int hamel_trajectory_event(const hamel_trajectory *trajectory, size_t index,
                                     hamel_happening *happening);

// --- verdicts ------------------------------------------------------------------------------------

// What hamel_model_prove() says, line by line.
typedef struct hamel_verdicts hamel_verdicts;

// Members that a line does not have are NULL or 0.
typedef struct hamel_verdict {
    const char *kind;    // "form", "claim", "invariant", "energy" or "mass"
    const char *name;    // the id of a form, else as the model says
    const char *verdict; // "proved", "refuted" or "undecided"
    const char *method;  // "modular", "certificate", "witness", ..; "" where undecided
    // of a proof: "2^-120", below which the probability lies that it is wrong; "0" of a certificate
    const char *bound;
    unsigned trials;                 // of a proof by random primes
    const char *residual, *relative; // of a refutation: at the witness, in balls "[1.5 +/- 2e-9]"
    const char *remark, *place;      // what else is known; of which states a proof does not speak
    int identity;                    // it holds for every acceleration that the constraints allow
    // of which states and values a proof speaks: "everywhere", "for all values", ..
    size_t scope_count;
    const char *const *scope;
    // a state that refutes: names and values as decimals
    size_t witness_count;
    const char *const *witness_name, *const *witness_value;
    const void *later[4]; // of later versions; NULL
} hamel_verdict;

// Arguments as of hamel_model_prove_seeded(); forms NULL: "all". HAMEL_REFUTED and HAMEL_UNDECIDED
// come with verdicts, as there.
HAMEL_API hamel_status hamel_model_judge(hamel_model *model, const char *forms, int certify,
                                         unsigned long long seed, hamel_verdicts **verdicts);
HAMEL_API size_t hamel_verdicts_count(const hamel_verdicts *verdicts);
// 1, or 0 behind the last
HAMEL_API int hamel_verdicts_at(const hamel_verdicts *verdicts, size_t index,
                                hamel_verdict *verdict);
HAMEL_API void hamel_verdicts_free(hamel_verdicts *verdicts);

// --- equations as expressions --------------------------------------------------------------------

// The equations of one form, as expressions that share their common parts: a list of nodes, each
// made of nodes before it. What stands in the equations is in parts, each a list of nodes.
//
//     hamel_equations *eq;
//     if (hamel_model_equations(model, "maggi", &eq)) ..
//     for (hamel_expr e = 0; e < hamel_equations_nodes(eq); e++) {
//         hamel_node node;
//         hamel_equations_node(eq, e, &node);
//         value[e] = ..; // by its kind, from value[node.operands[i]], which are there already
//     }
//     for (size_t i = 0; i < hamel_equations_count(eq, HAMEL_RATES); i++)
//         rate[i] = value[hamel_equations_at(eq, HAMEL_RATES, i)];
typedef struct hamel_equations hamel_equations;
typedef unsigned hamel_expr; // the number of a node
#define HAMEL_NO_EXPR 0xFFFFFFFFu

// Parts of equations. Motions satisfy residuals = 0, which are affine in the unknowns:
// M unknowns + F = 0. Where a form chooses velocities of its own (quasi-velocities, momenta) those
// of the coordinates are functions of them.
typedef enum {
    HAMEL_COORDINATES,   // q
    HAMEL_UNKNOWNS,      // accelerations q'' or eta', then multipliers
    HAMEL_RESIDUALS,     // = 0, named by what they are: "motion", or the constraint
    HAMEL_MATRIX,        // M, unknowns x unknowns, row by row
    HAMEL_FORCING,       // F
    HAMEL_VELOCITIES,    // q', each by what it is: itself, or of q, eta, t
    HAMEL_ACCELERATIONS, // q'', likewise, of the unknowns too
    HAMEL_CONSTRAINTS,   // Phi = 0 as they act, those on coordinates by their rates
    HAMEL_SLOPES,        // dPhi/dq', constraints x coordinates, row by row
    HAMEL_FORCES,        // Q, what does not follow from the Lagrangian
    HAMEL_ENERGIES,      // "T", "U", "L", "energy"
    HAMEL_INVARIANTS,    // of the model, with names
    HAMEL_OBSERVABLES,   // likewise
    HAMEL_DEFINITIONS,   // quantities that the form is known for, with names
    HAMEL_STATES,        // z of z' = f(z, t)
    HAMEL_RATES,         // f; inputs and known functions stand by what the model says they are
    HAMEL_STARTS         // each z in coordinates, velocities and t
} hamel_part;

// A node. Coefficients and numbers are exact, "7" or "-2/7".
typedef struct hamel_node {
    // "number" (number), "pi", "symbol" (name);
    // "sum": number + sum_i coefficients[i] operands[i];
    // "product": prod_i operands[i]^coefficients[i];
    // "power": operands[0]^operands[1];
    // "call": an elementary function, name = "sin" .. of its operands;
    // "apply": a function of the model, name, of its operands, differentiated orders[i] times by i
    const char *kind;
    const char *name;
    const char *number;
    size_t operand_count;
    const hamel_expr *operands;
    const char *const *coefficients;
    const unsigned *orders;
    // of a symbol: "time", "parameter", "coordinate", "quasi-velocity", "function" (of the time,
    // inputs too), "multiplier", "momentum", "variation", "transpose" or "local"; what it is a time
    // derivative of, and which one: of x'' these are "x" and 2
    const char *role, *base;
    unsigned order;
    const void *later[4]; // of later versions; NULL
} hamel_node;

// form: an id; NULL is the default of hamel_model_derive(). A form that does not apply is
// HAMEL_MODEL. States and rates are missing where the equations determine none.
HAMEL_API hamel_status hamel_model_equations(hamel_model *model, const char *form,
                                             hamel_equations **equations);
HAMEL_API void hamel_equations_free(hamel_equations *equations);
HAMEL_API const char *hamel_equations_form(const hamel_equations *equations); // its id
HAMEL_API size_t hamel_equations_count(const hamel_equations *equations, hamel_part part);
// HAMEL_NO_EXPR behind the last
HAMEL_API hamel_expr hamel_equations_at(const hamel_equations *equations, hamel_part part,
                                        size_t index);
// What it is called, or NULL
HAMEL_API const char *hamel_equations_name(const hamel_equations *equations, hamel_part part,
                                           size_t index);
HAMEL_API size_t hamel_equations_nodes(const hamel_equations *equations);
// 1, or 0 behind the last
HAMEL_API int hamel_equations_node(const hamel_equations *equations, hamel_expr e,
                                   hamel_node *node);
// As HAMEL_TEXT, HAMEL_LATEX or HAMEL_SYMPY; NULL of other formats, and where memory runs out
HAMEL_API char *hamel_equations_text(const hamel_equations *equations, hamel_expr e,
                                     hamel_format format);

#endif
