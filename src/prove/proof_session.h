// A proof session: one model whose statements are judged, and what all of them share: the motions
// they speak of, in F_p (modular_test.h) and at real states (samples.h), and the certificates.
// prove_model() fills one, goes through forms, claims, invariants and balances, and hands the
// verdicts out. Each section below is what one file does with it.
#ifndef HAMEL_PROVE_PROOF_SESSION_H
#define HAMEL_PROVE_PROOF_SESSION_H

#include "prove/certificate.h"
#include "prove/prove.h"
#include "prove/modular_test.h"
#include "prove/witness.h"
#include "typed/typed.h"

// The motion of a form that some claim names: another mechanics, with its options, or a classical
// form whose quantities are spoken of.
typedef struct {
    const formalism *form;
    mechanics *system; // with the options
    equations *eq;
    modular_test test; // only of another mechanics
} named_motion;

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

typedef enum {
    CHECK_NOTHING,    // no state could be looked at
    CHECK_AGREES,     // zero wherever it has a value
    CHECK_UNDEFINED,  // it has a value nowhere
    CHECK_CONTRADICTS // a state where it certainly is not zero
} typed_check_result;

// What was seen of a statement at real states.
typedef struct {
    typed_check_result result;
    uint32_t seen, undefined; // states with a value, states without
    uint32_t stated;          // of those seen, with the parameter values of the model
    bool typed;               // it was evaluated as it was typed
    uint32_t sample;          // where it is not zero,
    state *at;                // the state there,
    arb_t gap;                // and what it is
    typed_finding finding;    // why it has no value
    // of what was not typed, with its denominators; made when first wanted
    program *residuals;
    uint32_t outputs;
    state *nowhere; // and a state where it has none
} typed_check;

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
    modular_test paths; // all paths that obey the constraints
    equations *path_equations;
    const expr *displacement; // m of its arbitrary symbols: delta q = B w
    closed_motion closed;
    velocity_basis basis; // made with it when a certificate is first wanted
    const equations *reference;
    samples samples;
    const expr *tested; // everything whose degree matters
    uint32_t tested_count;
    // in q' themselves, whichever branch of the constraints they are on; for witnesses
    const equations *plain;
    bool has_branches; // constraints not linear in the velocities were solved for them
    LIST(named_motion *, motions);
    prepared_claim *claims; // one for each of the model's
} proof_session;

// --- statement.c --------------------------------------------------------------------------------

verdict *verdict_begin(proof_session *ps, const char *kind, const char *name);
void verdict_set_proved(verdict *v, const modular_test *t);
void verdict_set_certificate(verdict *v, bool found);
bool proof_session_certifies(proof_session *ps, uint32_t count, const expr *e);
const closed_motion *closed_motion_of(proof_session *ps);
// The residuals vanish along the motion of t, or they do not, or we cannot tell.
void statement_judge(proof_session *ps, modular_test *t, const statement *st, verdict *v);
// Do the expressions vanish along the motion? In F_p; where no point can be made there, at real
// states and by certificate. A test that was impossible is not zero.
test_result statement_test(proof_session *ps, modular_test *t, uint32_t count, const expr *e);
// A proof needs a motion that is what the text says, and must say it if it hangs on
// special values of the parameters.
void verdict_weigh_motion(proof_session *ps, const modular_test *t, verdict *v);
// A statement that holds whatever the acceleration is no equation of motion.
bool statement_holds_on_every_path(proof_session *ps, uint32_t count, const expr *e);

// --- typed_check.c ------------------------------------------------------------------------------

void typed_check_init(typed_check *check);
void typed_check_clear(typed_check *check);
// At some states along the motion of eq; `varied`: also for other values of the parameters.
void typed_check_statement(proof_session *ps, const equations *eq, const statement *st, bool varied,
                           typed_check *check);
// At all states with the stated parameter values. True: v is filled as refuted.
bool typed_check_find_witness(proof_session *ps, const equations *eq, const statement *st,
                              verdict *v);
// With many digits, where algebra knows that it is not zero and no state shows it.
bool typed_check_closely(proof_session *ps, const equations *eq, const statement *st, verdict *v);
bool expr_holds_abstract_function(pool *p, uint32_t count, const expr *e);
// What stands in the text at a span, shortened; NULL if nothing does. And
// where that is: FILE:LINE:COLUMN.
const char *span_text(const model *m, span at);
const char *span_place(const model *m, span at);
// Does the state lie where what was typed may jump or have no value?
bool statement_is_on_break(proof_session *ps, const statement *st, state *x);

// Does the text say what the equations say? Sets ps->broken where accelerations and multipliers of
// the reference do not satisfy the system as it was typed, ps->special where a constraint is idle
// for the stated parameter values only.
void typed_check_motion(proof_session *ps);

// --- continuity.c -------------------------------------------------------------------------------

// An invariant that was proved: does it jump somewhere along the motion of
// eq? Then v becomes refuted.
void continuity_judge(proof_session *ps, const equations *eq, const named_expression *i,
                      verdict *v);

// --- solution.c ---------------------------------------------------------------------------------

// A solution that was proved, with the parameters of a sample: refuted where a position or
// a velocity jumps, undecided where it does not satisfy the model as typed. `classical`:
// it is one of the classical motion.
void solution_judge(proof_session *ps, const claim *claim, bool classical, const equations *eq,
                    uint32_t number, typed_check *check, verdict *v);

// --- pieces_judge.c -----------------------------------------------------------------------------

// The residuals vanish along the motion of eq around every real state tried. True: v is filled as
// proved, with words for where it holds, or as refuted at a state found on the way. For all given
// functions and parameter values, or else for those that the model states.
bool pieces_judge(proof_session *ps, const equations *eq, bool stated, const statement *st,
                  verdict *v);

// --- forms.c ------------------------------------------------------------------------------------

// Does the form give the accelerations and multipliers of the reference?
void forms_judge(proof_session *ps, const equations *eq);
// Does the motion give the accelerations of the reference? Multipliers of another
// mechanics mean something else.
void forms_judge_motion(proof_session *ps, const equations *eq, verdict *v);

// --- claims.c -----------------------------------------------------------------------------------

void claims_prepare(proof_session *ps); // before the degrees are counted
void claims_judge(proof_session *ps);

// --- quantities.c -------------------------------------------------------------------------------

// quantity("..") replaced by what eq shows under the name; sets *trouble where
// it shows nothing so called.
expr quantities_replace(const proof_session *ps, const equations *eq, expr e, const char **trouble);

#endif
