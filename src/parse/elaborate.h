// From syntax to meaning: the state of an elaboration, shared by the files that do its parts.
//
// First all declarations are collected, `for` unrolled (declare.c). Then definitions are worked
// out, each when it is first asked for, so that the order of statements does not matter (define.c).
// Then the statements are read in order, each by its descriptor (statement.h). Where something is
// wrong, a function reports it to the context and returns what its comment says: "NULL: reported".
#ifndef HAMEL_PARSE_ELABORATE_H
#define HAMEL_PARSE_ELABORATE_H

#include "model/model.h"
#include "parse/parse.h"
#include "parse/parser.h"
#include "parse/scope.h"

typedef struct sum_so_far { // the last value of one `sum` of the text, to be added to
    const syntax *node;
    bool constants; // was it read where only constants may stand?
    int64_t low, high;
    value value; // void: none yet
    struct sum_so_far *next;
} sum_so_far;

typedef struct elaborator {
    context *ctx;
    pool *pool;
    model *model;
    scope *scope;
    reader *reader;
    const source *main;     // the model's own text, not that of a file it includes
    uint32_t depth;         // of nested evaluations
    uint64_t steps, passes; // of evaluation; of for, sum and prod: both have limits
    entry *busy;            // the definition being worked out; its users follow by entry->user
    bool only_constants;    // in a range or a const: names of constants and indices only
    // in the value of a param or given: those it names are worked out too, to find circles
    bool follow;
    bool in_claim;                  // where delta, transpose and quantity may stand
    bool with_multipliers;          // where lambda may stand: claims, observables, events, forces
    bool with_observed;             // where what is observed has a name: in `collect`
    bool has_system, named_by_main; // a `system` was read; one in the model's own text
    uint32_t constraints_read;      // statements so far
    uint32_t override_count;        // of --set
    const parse_override *override;
    sum_so_far *sums;
    names assigned; // symbols that have an initial value, by their index
    instance *instances;
    uint32_t instance_count, instance_capacity;
} elaborator;

// --- elaborate.c ---------------------------------------------------------------------------------

value elab_evaluate(elaborator *el, const syntax *node, const binding *b);
bool elab_scalar(elaborator *el, const syntax *node, const binding *b,
                 expr *out); // false: reported
bool elab_vector(elaborator *el, const syntax *node, const binding *b, vec3 *out);
bool elab_integer(elaborator *el, const syntax *node, const binding *b, const char *what,
                  int64_t *out);
// Both ends of from..to; counts its passes against the limit, before any is made.
bool elab_range(elaborator *el, const syntax *from, const syntax *to, const binding *b,
                int64_t *low, int64_t *high);
const binding *elab_bind(elaborator *el, const char *name, value v, const binding *outer);
// Counts so many passes of for, sum and prod; false: the limit is reached, reported.
bool elab_charge(elaborator *el, span at, uint64_t count);
bool elab_stopped(const elaborator *el); // too many errors, or a limit was reached
// Both sides of an equation between scalars or vectors: 1 or 3 components; 0: reported.
int elab_equation(elaborator *el, const item *it, const binding *b, expr left[3], expr right[3]);
// Component i of `count`, as it was typed, for src/typed.
typed_form elab_typed(const item *it, const binding *b, int count, int i);
// "contact.y" for i = 1 of 3; the name itself for the only one.
const char *elab_component_name(elaborator *el, const char *name, int count, int i);

// --- resolve.c -----------------------------------------------------------------------------------

value elab_name(elaborator *el, const syntax *node, const binding *b);
// What is observed, or an invariant, under this name ("lean[2]"); NULL: there is none.
const named_expression *elab_observed(const elaborator *el, const char *name);
const named_expression *elab_find_observed(elaborator *el, const syntax *node, const binding *b);
// Its expression in SI units, whatever the unit that it is shown in.
const syntax *elab_observed_value(const named_expression *n);
// The entry a name with indices stands for. NULL if there is none: reported if *known, else the
// name is declared nowhere.
entry *elab_find(elaborator *el, space where, const syntax *node, const binding *b, bool *known);
// A point or body, worked out; NULL: reported.
entry *elab_find_body(elaborator *el, const syntax *node, const binding *b);
// NULL: reported, with the help `otherwise` (or NULL) where nothing better comes to mind
entry *elab_find_coordinate(elaborator *el, const syntax *node, const binding *b,
                            const char *otherwise);
// The values of the indices; returns how many, 0 if one is wrong, which is reported.
uint32_t elab_indices(elaborator *el, const syntax *node, const binding *b,
                      int64_t index[MOST_INDICES]);
const char *elab_family_range(elaborator *el, const entry *family); // "1..4", "1..2, 1..3"
void elab_unknown(elaborator *el, const syntax *node);
// The full name of a label "blade[2]"; NULL: reported. `fallback` if the statement has none.
const char *elab_label(elaborator *el, const syntax *label, const binding *b, const char *fallback);

// --- multiplier.c --------------------------------------------------------------------------------

bool elab_expect_multipliers(elaborator *el, span at); // false: they may not stand here, reported
// lambda[NAME]; EXPR_NONE: reported
expr elab_find_multiplier(elaborator *el, const syntax *node, const binding *b);
// floor.n, floor.t ..: the force of a contact along its normal or a tangent, in whatever mode it
// is; false: it is none of these, and nothing was said.
bool elab_contact_force(elaborator *el, const syntax *node, const binding *b, expr *out);
// reaction(NAME) of a vector constraint: (lambda[NAME.x], lambda[NAME.y], lambda[NAME.z]), 0 for a
// component that holds by the choice of coordinates; of `roll` the same force in space
value elab_reaction(elaborator *el, const syntax *node, const binding *b);

// --- call.c --------------------------------------------------------------------------------------

value elab_call(elaborator *el, const syntax *node, const binding *b);

// --- call_bodies.c -------------------------------------------------------------------------------

value elab_call_pos(elaborator *el, const syntax *node, const binding *b);
value elab_call_vel(elaborator *el, const syntax *node, const binding *b);
value elab_call_acc(elaborator *el, const syntax *node, const binding *b);
value elab_call_omega(elaborator *el, const syntax *node, const binding *b);
value elab_call_frame(elaborator *el, const syntax *node, const binding *b);
value elab_call_velat(elaborator *el, const syntax *node, const binding *b);
value elab_call_momentum(elaborator *el, const syntax *node, const binding *b);
value elab_call_inertia(elaborator *el, const syntax *node, const binding *b);

// --- data_clause.c -------------------------------------------------------------------------------

value elab_data(elaborator *el, const syntax *node, const binding *b);
// What a given or input is, with the data that it is from
void elab_set_given(elaborator *el, uint32_t index, expr definition);

// --- define.c ------------------------------------------------------------------------------------

// Works out its definition unless that was done; false: it has no value, reported.
bool elab_define(elaborator *el, entry *e);
void elab_define_all(elaborator *el);
// Reports unless e depends only on symbols of the roles in the set (bit r for role r).
bool elab_expect_roles(elaborator *el, expr e, span at, unsigned roles, const char *what);
// A scalar that depends on parameters only.
bool elab_constant(elaborator *el, const syntax *node, const binding *b, expr *out);
// A number in SI units: 3 [cm] is 3/100, 30 [deg] is 30*pi/180
value elab_number(elaborator *el, const syntax *node);
// A decimal as it was typed, "9.81" or "-1e-4", so that people are shown what they wrote; NULL
// for whole numbers, fractions and everything else. With a unit, in SI units: 3 [cm] is "0.03".
const char *elab_decimal(elaborator *el, const syntax *node);
// Reports if e holds a derivative of a coordinate beyond this order.
bool elab_expect_order(elaborator *el, expr e, span at, int most, const char *what);

// Reports lambda' and higher rates: the equations of motion give lambda itself.
bool elab_expect_no_rates(elaborator *el, expr e, span at);

// --- statement_input.c ---------------------------------------------------------------------------

// Reports inputs that follow the state where their time derivatives would be asked for.
void elab_check_inputs(elaborator *el);

// --- statement_contact.c -------------------------------------------------------------------------

// Is it `mode[NAME]`, which --set gives to a contact?
bool elab_sets_mode(const char *name);
// After all statements: the events of contacts; reports `--set mode[NAME]=..` of others.
void elab_finish_contacts(elaborator *el);

// --- statement_motion.c --------------------------------------------------------------------------

// Reports guesses of what has a value in `initial`, or another guess; drops those that give way.
void elab_check_guesses(elaborator *el);

// --- declare.c -----------------------------------------------------------------------------------

// The names of all statements, loops unrolled; or, before that, of those that come first.
void elab_declare(elaborator *el, const statement *first, bool constants);

#endif
