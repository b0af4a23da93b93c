// From a syntax tree to its value at a state: the evaluator, shared by the files that do its parts.
// typed.h is what other rooms see; nothing here uses the rules of the pool. Make one for a state,
// run it on as many trees as needed, and free it; the first failure stays in `finding`.
#ifndef HAMEL_TYPED_EVALUATOR_H
#define HAMEL_TYPED_EVALUATOR_H

#include "parse/scope.h"
#include "expr/spline.h"
#include "typed/jet.h"

enum { MOST_DEPTH = 1600 }; // of nested evaluations

// A derivative that is being taken: of everything in time (x -> x', x' -> x'', t -> 1), or by one
// symbol. Levels form a stack; the innermost is applied first. Equal stacks are one object, so
// that values can be remembered by it.
typedef struct level {
    const struct level *outer; // NULL at the ground
    uint32_t depth;            // 0 at the ground; the infinitesimal of this level is bit depth - 1
    bool in_time;
    uint32_t symbol;               // its index, if not in time
    struct level *inner, *sibling; // the levels inside this one, as a list
} level;

// A name that a loop or a call gives a meaning: a number, or an argument as it was typed, with the
// names that hold where it stands.
typedef struct typed_binding {
    const char *name;
    const struct typed_binding *outer;
    const syntax *argument;             // NULL for an index
    const struct typed_binding *around; // of the argument
    int64_t index;
} typed_binding;

typedef struct {
    value_type type; // 1, 3 or 9 jets; a rotation is its matrix, row by row
    jet part[9];
} result;

typedef struct {
    const model *model;
    state *state;
    arb_srcptr time;       // instead of the time of the state; NULL: that of the state
    bool at_rest;          // every q'' counts as 0, every multiplier, too, but for:
    uint32_t pushed;       // the symbol of the multiplier that then counts as 1; EXPR_NONE: none
    ball_stack work, kept; // balls of the evaluation under way; of values in memory
    jet_context jets;      // on the work stack
    arena arena;           // levels and bindings
    level ground;
    typed_finding finding; // the first failure
    uint32_t depth;        // of nested evaluations
    const level *prepared; // the level at which all definitions were evaluated in advance
    struct memory *memory; // values of definitions that were needed before
} evaluator;

// --- evaluator.c ---------------------------------------------------------------------------------

void evaluator_init(evaluator *ev, state *x);
void evaluator_free(evaluator *ev);

// Each returns false where there is no value; ev->finding then says why.
bool evaluator_run(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                   result *out);
bool evaluator_scalar(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      jet *out);
bool evaluator_vector(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      jet out[3]);
bool evaluator_integer(evaluator *ev, const syntax *node, const typed_binding *b, int64_t *out);
void evaluator_note(evaluator *ev, typed_status status, span at, const char *reason);
// Always false; here, so that compilers and analysers see that.
static inline bool evaluator_fail(evaluator *ev, typed_status status, span at, const char *reason) {
    evaluator_note(ev, status, at, reason);
    return false;
}
// true unless the last function failed; gives the failure its place
bool evaluator_succeeded(evaluator *ev, span at);

// Levels inside `outer`: so many derivatives in time; one by a symbol.
const level *level_in_time(evaluator *ev, const level *outer, uint32_t times);
const level *level_by(evaluator *ev, const level *outer, uint32_t symbol);
uint32_t level_bit(const level *l);
// From a value at the inner level to the derivatives that lead there from the outer one.
void result_take_derivatives(const evaluator *ev, result *r, const level *inner,
                             const level *outer);

// The loops around a statement.
const typed_binding *typed_binding_import(arena *a, const pool *p, const binding *b);
static inline const typed_binding *evaluator_import(evaluator *ev, const binding *b) {
    return typed_binding_import(&ev->arena, ev->model->pool, b);
}
// The names inside the definition of a function that is called: its parameters stand for the
// arguments of the call.
const typed_binding *typed_binding_of_call(arena *a, const pool *p, const entry *e,
                                           const syntax *node, const typed_binding *b);
const typed_binding *typed_binding_find(const typed_binding *b, const char *name);

// The value of a definition at a level, if it was needed before.
bool evaluator_recall(const evaluator *ev, const void *what, const level *l, result *out);
void evaluator_remember(evaluator *ev, const void *what, const level *l, const result *r);

// --- typed_names.c -------------------------------------------------------------------------------

bool evaluator_name(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                    result *out);
// The entry that a name with indices stands for; NULL if none.
// NAME, NAME[2], or one of its components 'x', 'y', 'z' (0: none); NULL if there is none
const constraint *evaluator_find_constraint(evaluator *ev, const syntax *node, char component,
                                            const typed_binding *b);
const entry *evaluator_find_entry(evaluator *ev, space where, const syntax *node,
                                  const typed_binding *b);
// The symbol that an expression comes down to, by its index: what one can differentiate by.
bool evaluator_resolve_symbol(evaluator *ev, const syntax *node, const typed_binding *b,
                              uint32_t *symbol);
bool symbol_jet(evaluator *ev, uint32_t index, uint32_t primes, const level *l, span at, jet *out);
// The derivative of a symbol in time; EXPR_NONE if nobody has asked for it yet, so that no state
// knows it.
uint32_t symbol_of_order(const pool *p, uint32_t symbol, uint32_t order);

// --- calls.c, kinematics.c -----------------------------------------------------------------------

bool evaluator_call(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                    result *out);
// Of a point or of the centre of a body: its place, and the derivatives of that in time.
bool kinematics_place(evaluator *ev, const entry *e, const level *l, uint32_t primes, jet out[3]);
// How a body is turned, and its angular velocity.
bool kinematics_matrix(evaluator *ev, const entry *body, const level *l, jet matrix[9]);
bool kinematics_omega(evaluator *ev, const entry *body, const level *l, bool in_body_axes,
                      jet omega[3]);
bool kinematics_mass(evaluator *ev, const entry *e, const level *l, jet *out);
// About the centre of a body, in its axes and in those of space.
bool kinematics_inertia(evaluator *ev, const entry *body, const level *l, jet matrix[9]);
bool kinematics_inertia_in_space(evaluator *ev, const entry *body, const level *l, jet matrix[9]);

// --- typed_data.c --------------------------------------------------------------------------------

// A derivative of a function from data at the time t
bool typed_data_value(evaluator *ev, spline *f, uint32_t order, const arb_t t, span at, jet *out);

#endif
