// A proof session: one model whose statements are judged, and what all of them share: the motions
// they speak of, in F_p (modular_test.h) and at real states (samples.h), and the certificates.
// prove_model() fills one, goes through forms, claims, invariants and balances, and hands the
// verdicts out. Each section below is what one file does with it.
#ifndef HAMEL_PROVE_PROOF_SESSION_H
#define HAMEL_PROVE_PROOF_SESSION_H

#include "derive/basis.h"
#include "prove/prove.h"
#include "prove/modular_test.h"
#include "prove/witness.h"

// The motion of a form that some claim names: another mechanics, with its options, or a classical
// form whose quantities are spoken of.
typedef struct {
    const formalism *form;
    mechanics *system; // with the options
    equations *eq;
    modular_test test; // only of another mechanics
} named_motion;

// All paths that obey the constraints, whatever their accelerations.
typedef struct {
    equations *eq; // NULL: there are none to speak of
    modular_test test;
    const expr *displacement; // m of its arbitrary symbols: delta q = B w
} every_path;

// A motion solved in closed form, for certificates.
typedef struct {
    const equations *eq; // of a projected form with closed velocities
    bool solved;
    const expr *rate;       // eta' in (q, eta, t)
    const expr *multiplier; // lambda in (q, eta, t); NULL if there are none or they are too large
} closed_motion;

// A claim, ready to be judged: residuals that must vanish along a motion.
typedef struct {
    const claim *claim;
    named_motion *motion; // NULL: the classical motion
    // transpositional relations hold for every acceleration that the constraints allow
    bool of_every_path;
    uint32_t count;
    const expr *residual;
    expr side[2];        // of an equation
    const char *trouble; // why it cannot be judged; NULL if it can
} prepared_claim;

// What is judged: residuals that must vanish along a motion, and the same as it was typed.
typedef struct statement {
    uint32_t count;
    const expr *residual;
    const claim *claim;                // an equation; or
    const named_expression *invariant; // the rate of it; or
    // functions of time, looked at in solution.c; none: known to the pool alone
    const claim *solution;
} statement;

typedef struct {
    model *m;
    const mechanics *system;
    const prove_request *request;
    judgement *out;
    // a constraint that says nothing for the stated parameter values alone; NULL: there is none
    const char *special;
    // why the motion itself is in doubt: the text and the equations disagree; NULL: they do not
    const char *broken;
    // everything arbitrary; givens, then parameters too, as the model states them
    modular_test classical, stated[2];
    every_path paths;
    closed_motion closed;
    velocity_basis basis; // made with it when a certificate is first wanted
    const equations *reference;
    samples samples;
    // in q' themselves, whichever branch of the constraints they are on; for witnesses
    const equations *plain;
    bool has_branches; // constraints not linear in the velocities were solved for them
    LIST(named_motion *, motions);
    prepared_claim *claims; // one for each of the model's
} proof_session;

// --- judge.c ------------------------------------------------------------------------------------

verdict *verdict_begin(proof_session *ps, const char *kind, const char *name);
// The residuals vanish along the motion of t, or they do not, or we cannot tell.
void judge_statement(proof_session *ps, modular_test *t, const statement *st, verdict *v);
// Does the form give the accelerations of the reference, and the same multipliers? Those of another
// mechanics mean something else and are not compared.
void judge_form(proof_session *ps, const equations *eq, bool with_multipliers, verdict *v);

// --- certificate.c ------------------------------------------------------------------------------

// A proof that the residuals vanish along the motion of the reference; that the form's equations
// follow from it. False where none is found within the bounds of size.
bool certificate_of_residuals(proof_session *ps, uint32_t count, const expr *e);
bool certificate_of_form(proof_session *ps, const equations *eq);

// --- typed_check.c ------------------------------------------------------------------------------

// A statement that algebra proved, at some real states along the motion of eq, as it was typed: the
// proof stands only if no state contradicts it. Sets the scope of v.
void typed_check_weigh(proof_session *ps, const equations *eq, const statement *st, verdict *v);
// At all states with the stated parameter values. True: v is filled as refuted.
bool typed_check_find_witness(proof_session *ps, const equations *eq, const statement *st,
                              verdict *v);
// With many digits, where algebra knows that it is not zero and no state shows it.
bool typed_check_closely(proof_session *ps, const equations *eq, const statement *st, verdict *v);
// Does the text say what the equations say? Sets ps->broken where accelerations and multipliers of
// the reference do not satisfy the system as it was typed, ps->special where a constraint is idle
// for the stated parameter values only.
void typed_check_motion(proof_session *ps);
// Is there an abstract function in the expressions?
bool prove_meets_abstract(pool *p, uint32_t count, const expr *e);
// What stands in the text at a span, shortened; NULL if nothing does. And
// where that is: FILE:LINE:COLUMN.
const char *span_text(const model *m, span at);
const char *span_place(const model *m, span at);

// --- claims.c, quantities.c, solution.c ---------------------------------------------------------

void claims_prepare(proof_session *ps); // before the degrees are counted
void claims_judge(proof_session *ps);
// quantity("..") replaced by what eq shows under the name; sets *trouble where it shows nothing so
// called.
expr quantities_replace(const proof_session *ps, const equations *eq, expr e, const char **trouble);
// A solution that was proved, with the parameters of the first sample: refuted where a position or
// a velocity jumps, undecided where it does not satisfy the model as typed. `classical`: it is one
// of the classical motion.
void solution_judge(proof_session *ps, const claim *claim, bool classical, verdict *v);

// --- continuity.c, energy_balance.c, mass_matrix.c ----------------------------------------------

// An invariant that was proved: does it jump somewhere along the motion of eq? Then v becomes
// refuted.
void continuity_judge(proof_session *ps, const equations *eq, const named_expression *i,
                      verdict *v);
void energy_balance_judge(proof_session *ps);
void mass_matrix_judge(proof_session *ps); // at the initial state

#endif
