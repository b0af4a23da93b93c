// The check of dimensions: every statement of a model with units, walked as it was typed.
//
// Names without a stated unit have an unknown dimension that follows from the statements they stand
// in (dimension_terms.h). A descriptor of a statement has a `fit` that says what must agree; the
// first statement that does not fit is reported, with both dimensions and where they come from. A
// model without units is not walked.
#ifndef HAMEL_PARSE_DIMENSION_CHECK_H
#define HAMEL_PARSE_DIMENSION_CHECK_H

#include "parse/dimension_terms.h"
#include "parse/elaborate.h"

typedef struct measure { // the dimension of a value
    value_type type;     // VOID: nothing is known of it, and it fits everywhere
    dim part[3];         // of a vector all, of the others the first
    bool plain;          // made of numbers without units alone
    bool is_number;      // up/down, for exponents and indices
    int64_t up, down;
} measure;

typedef struct dim_binding { // indices of loops and arguments of functions, innermost first
    const char *name;
    measure value;
    const struct dim_binding *outer;
} dim_binding;

typedef struct dim_check {
    elaborator *el;
    dim_table table;
    bool failed;          // something did not fit, and was reported
    bool with_observed;   // in `collect`, where what is observed has a name
    bool other_mechanics; // in a claim about another one: its multipliers are others
    uint64_t steps;
    uint32_t depth;
    dim *phi; // of constraints; where `phi_known`
    bool *phi_known;
    struct dim_sum *sums; // what each `sum` of the text gave last
} dim_check;

// --- dimension_walk.c, dimension_calls.c ---------------------------------------------------------

measure dim_walk(dim_check *ck, const syntax *node, const dim_binding *b);
measure dim_call(dim_check *ck, const syntax *node, const dim_binding *b);
measure dim_scalar(dim d);
measure dim_vector(dim d); // all components alike
measure dim_void(void);
const dim_binding *dim_import(dim_check *ck, const binding *b); // the loops around a statement
// What stands at a name is of the dimension of its entry: declared, defined or unknown
const measure *dim_entry(dim_check *ck, entry *e);
// Of the constraint: what both sides are
dim dim_of_constraint(dim_check *ck, uint32_t index);
dim dim_of_multiplier(dim_check *ck, uint32_t index);
measure dim_multiplier(dim_check *ck, const syntax *node, const dim_binding *b); // lambda[c]
// `by x: E`: E times x, which with the multiplier is an energy
measure dim_along(dim_check *ck, const item *by, const dim_binding *b);

// --- dimension_report.c: what must agree, and what is said where it does not --------------------

// Both sides: `words` says what is compared, "the two sides of an equation"
bool dim_expect_same(dim_check *ck, const syntax *node, measure found, const syntax *other,
                     measure wanted, const char *words);
// What stands in a place where `wanted` belongs: "a kinetic energy"
bool dim_expect(dim_check *ck, const syntax *node, measure found, dim wanted, const char *words);
// The components of a vector among themselves
bool dim_expect_uniform(dim_check *ck, const syntax *node, measure *v);

// --- dimension_check.c ---------------------------------------------------------------------------

// Checks the model, and lists its units for those who show them.
void elab_check_dimensions(elaborator *el);
// Values that are given later to the names of a checked model: --at "x = 10 [cm]"
void elab_check_values(elaborator *el, const item *first);
// A statement that is given later to a checked model, as a text of the command line; with it the
// units of what it collects
void elab_check_statement(elaborator *el, const statement *st, uint32_t count, collected *list);

// --- dimension_statements.c: `fit` of descriptors ------------------------------------------------

typedef void dim_fit(dim_check *ck, const instance *in, const dim_binding *b);
dim_fit dim_fit_energy, dim_fit_power, dim_fit_gravity, dim_fit_force, dim_fit_torque,
    dim_fit_equation, dim_fit_assignments, dim_fit_simulate, dim_fit_event, dim_fit_named,
    dim_fit_claim, dim_fit_draw, dim_fit_operands, dim_fit_constraint, dim_fit_contact,
    dim_fit_reset, dim_fit_sweep, dim_fit_collect;
void dim_fit_entry(dim_check *ck, entry *e); // a name with its definition

#endif
