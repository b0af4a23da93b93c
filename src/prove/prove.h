// Verdicts: proved, refuted or undecided, never a guess (docs/mathematics.md, section 9). One call
// judges everything; the result is a list of lines with what each rests on, which `prove`, the page
// and JSON print.
#ifndef HAMEL_PROVE_PROVE_H
#define HAMEL_PROVE_PROVE_H

#include "derive/formalism.h"

typedef enum { VERDICT_PROVED, VERDICT_REFUTED, VERDICT_UNDECIDED } verdict_kind;

typedef struct {
    const char *name;
    const char *value; // decimal
} witness_item;

// Of what a proof speaks (docs/proofs.md). Nothing set: of generic states on the piece of the
// initial state, for all values of the parameters.
typedef struct {
    // nothing in it can jump or lose its value: by continuity it holds at every state
    bool everywhere;
    bool branch;        // on the branch of the initial state
    bool stated_values; // for the parameter values of the model
    bool where_defined; // at some states it has no value
    // nothing of it can be evaluated as it was typed: it holds abstract functions
    bool algebra_alone;
} verdict_scope;

typedef struct {
    const char *kind; // "form", "claim", "invariant", "energy", "mass"
    const char *name;
    verdict_kind verdict;
    const char *method; // "modular", "certificate", "witness", "interval Cholesky", "" if undecided
    // log2 of the probability that a proof by random primes is wrong; 0 for a certificate
    double bound;
    uint32_t trials;
    const char *remark;  // may be NULL
    const char *place;   // more of that set: where it is not defined, for which values; may be NULL
    verdict_scope scope; // the set of states that a proof speaks of
    LIST(witness_item, witness);
    const char *residual; // enclosure of the residual at the witness; NULL unless refuted
    // of an equation, to measure the residual by; EXPR_NONE if it is no equation
    expr side[2];
    // the residual over the largest summand of both sides, at the witness; NULL unless refuted
    const char *relative;
    // proved for every acceleration that the constraints allow: no equation of motion
    bool identity;
} verdict;

typedef struct {
    LIST(verdict, verdicts);
} judgement;

typedef struct {
    bool certify;
    bool algebra_alone; // without the second route: only to measure what that costs
    // primes, points and states are drawn from it and the model's text; 0: from the text alone
    uint64_t seed;
    uint32_t form_count; // which forms to compare; 0: all that apply
    const formalism *const *form;
    // an expression in words that hold a condition; NULL: none
    void (*write)(const model *m, expr e, text *out);
    // Equations that exist already, by the index of their formalism, and stay
    // the caller's; NULL: none do
    equations *const *derived;
} prove_request;

// Judge everything the model lets one judge: agreement of the forms, claims, invariants, the
// energy balance, the mass matrix.
hamel_status prove_model(model *m, const mechanics *s, const prove_request *request,
                         judgement *out);
void judgement_free(judgement *j);

#endif
