// The printer's inside: the walk over an expression is one for all styles; the styles differ in
// small ways noted in expression_style.c. Other rooms use expression.h.
#ifndef HAMEL_PRINT_EXPRESSION_INTERNAL_H
#define HAMEL_PRINT_EXPRESSION_INTERNAL_H

#include "print/expression.h"

// What is known of a node before printing starts.
typedef struct {
    // highest time derivative in it: 1 for velocities and quasi-velocities, 2 for accelerations ...
    int16_t level;
    bool multiplier; // holds a multiplier
    bool constant;   // holds only numbers and parameters
    // symbols of the tree when it is written out, saturating; a named node below is one symbol
    uint32_t size;
    uint32_t depth;
} node_facts;

typedef struct {
    expr node; // EXPR_NONE in an empty slot
    uint32_t value;
} node_slot;

typedef struct {
    node_slot *slots;
    uint32_t count, capacity;
} node_table;

struct printer {
    pool *p;
    const char *const *names;
    node_table named; // node -> place among the names
    node_table known; // node -> place among the facts
    node_facts *facts;
    uint32_t fact_count, fact_capacity;
    // of the print under way
    print_style style;
    text *out;
    expr root;
};

// Where an expression stands: how much has to be bracketed.
typedef enum {
    PLACE_OPEN,   // anything goes
    PLACE_TERM,   // after + or -: sums in brackets
    PLACE_FACTOR, // beside a * or /: sums, negative numbers and fractions in brackets
    PLACE_BASE    // under an exponent: only names, calls and whole numbers stand free
} place;

void print_node(printer *pr, expr e, place where);
const char *printer_name_of(const printer *pr, expr e); // NULL if e is to be written out
const node_facts *printer_facts(const printer *pr, expr e);

// expression_order.c: the order people write in.
typedef struct {
    expr base;
    const fmpq *exponent;
} factor;
typedef struct {
    const fmpq *coefficient;
    expr term; // EXPR_ONE for the constant
    factor *factors;
    uint32_t factor_count;
    const printer *pr;
    bool constants_last; // set by print_order_terms
} term_item;
// of a product, or e itself; out has room for all operands
uint32_t print_order_factors(const printer *pr, expr e, factor *out);
void print_order_terms(term_item *items, uint32_t count);

// expression_sum.c, expression_product.c
void print_sum(printer *pr, expr e, place where, bool negated); // e, or -e
// |coefficient| * term as one quotient, without its sign
void print_scaled(printer *pr, const fmpq *coefficient, expr term);
// does its sign stand in front, or in a factor (b - a)?
bool print_shows_minus(const printer *pr, const fmpq *coefficient, expr term);

// expression_style.c
void print_times(printer *pr);
void print_open(printer *pr);
void print_close(printer *pr);
void print_exponent(printer *pr, const fmpq *exponent);
// a function, with an exponent where the style puts it after the name
void print_call(printer *pr, expr e, const fmpq *exponent);
bool print_call_takes_exponent(const printer *pr, expr e);

#endif
