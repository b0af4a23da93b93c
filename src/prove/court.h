// A court: one model under judgement, with the motions its statements are about.
#ifndef HAMEL_PROVE_COURT_H
#define HAMEL_PROVE_COURT_H

#include "prove/certificate.h"
#include "prove/prove.h"
#include "prove/stage.h"
#include "prove/witness.h"
#include "typed/typed.h"

// The motion of a form that some claim names: another mechanics, with its options, or a classical
// form whose quantities are spoken of.
typedef struct {
    const formalism *form;
    mechanics *system; // with the options
    equations *eq;
    stage_motion stage; // only of another mechanics
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
    LOOK_NOTHING,    // no state could be looked at
    LOOK_AGREES,     // zero wherever it has a value
    LOOK_UNDEFINED,  // it has a value nowhere
    LOOK_CONTRADICTS // a state where it certainly is not zero
} look_result;

// What was seen of a statement at real states.
typedef struct {
    look_result result;
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
} look;

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
    stage_motion classical, stated[2];
    stage_motion paths; // all paths that obey the constraints
    equations *path_equations;
    const expr *displacement; // m of its arbitrary symbols: delta q = B w
    closed_motion closed;
    velocity_basis basis; // made with it when a certificate is first wanted
    const equations *reference;
    sample_room room;
    const expr *tested; // everything whose degree matters
    uint32_t tested_count;
    // in q' themselves, whichever branch of the constraints they are on; for witnesses
    const equations *plain;
    bool has_branches; // constraints not linear in the velocities were solved for them
    LIST(named_motion *, motions);
    prepared_claim *claims; // one for each of the model's
} court;

// --- judge.c -------------------------------------------------------------------------------------

verdict *begin_verdict(court *c, const char *kind, const char *name);
void set_proved(verdict *v, const stage_motion *s);
void set_certificate(verdict *v, bool found);
bool is_certified(court *c, uint32_t count, const expr *e);
const closed_motion *closed_motion_of(court *c);
// The residuals vanish along the motion of s, or they do not, or we cannot tell.
void judge(court *c, stage_motion *s, const statement *st, verdict *v);
// Do the expressions vanish along the motion? In F_p; where no point can be made there, at real
// states and by certificate. A test that was impossible is not zero.
test_result test_along(court *c, stage_motion *s, uint32_t count, const expr *e);
// A proof needs a motion that is what the text says, and must say it if it hangs on
// special values of the parameters.
void weigh_motion(court *c, const stage_motion *s, verdict *v);
// A statement that holds whatever the acceleration is no equation of motion.
bool holds_on_every_path(court *c, uint32_t count, const expr *e);

// --- look.c --------------------------------------------------------------------------------------

void look_init(look *l);
void look_clear(look *l);
// At some states along the motion of eq; `varied`: also for other values of the parameters.
void look_at_statement(court *c, const equations *eq, const statement *st, bool varied, look *l);
// At all states with the stated parameter values. True: v is filled as refuted.
bool look_for_witness(court *c, const equations *eq, const statement *st, verdict *v);
// With many digits, where algebra knows that it is not zero and no state shows it.
bool look_closely(court *c, const equations *eq, const statement *st, verdict *v);
bool holds_abstract_function(pool *p, uint32_t count, const expr *e);
// What stands in the text at a span, shortened; NULL if nothing does. And
// where that is: FILE:LINE:COLUMN.
const char *typed_text(const model *m, span at);
const char *typed_place(const model *m, span at);
// Does the state lie where what was typed may jump or have no value?
bool is_on_a_break(court *c, const statement *st, state *s);

// --- motion.c ------------------------------------------------------------------------------------

// Does the text say what the equations say? Sets c->broken where accelerations and multipliers of
// the reference do not satisfy the system as it was typed, c->special where a constraint is idle
// for the stated parameter values only.
void look_at_motion(court *c);

// --- continuity.c --------------------------------------------------------------------------------

// An invariant that was proved: does it jump somewhere along the motion of
// eq? Then v becomes refuted.
void judge_continuity(court *c, const equations *eq, const named_expression *i, verdict *v);

// --- solution.c ----------------------------------------------------------------------------------

// A solution that was proved, with the parameters of a sample: refuted where a position or
// a velocity jumps, undecided where it does not satisfy the model as typed. `classical`:
// it is one of the classical motion.
void look_at_solution(court *c, const claim *claim, bool classical, const equations *eq,
                      uint32_t number, look *l, verdict *v);

// --- on_pieces.c ---------------------------------------------------------------------------------

// The residuals vanish along the motion of eq around every real state tried. True: v is filled as
// proved, with words for where it holds, or as refuted at a state found on the way. For all given
// functions and parameter values, or else for those that the model states.
bool judge_on_pieces(court *c, const equations *eq, bool stated, const statement *st, verdict *v);

// --- forms.c -------------------------------------------------------------------------------------

// Does the form give the accelerations and multipliers of the reference?
void judge_form(court *c, const equations *eq);
// Does the motion give the accelerations of the reference? Multipliers of another
// mechanics mean something else.
void judge_motion(court *c, const equations *eq, verdict *v);

// --- claims.c ------------------------------------------------------------------------------------

void prepare_claims(court *c); // before the degrees are counted
void judge_claims(court *c);

// --- quantities.c --------------------------------------------------------------------------------

// quantity("..") replaced by what eq shows under the name; sets *trouble where
// it shows nothing so called.
expr with_quantities(const court *c, const equations *eq, expr e, const char **trouble);

// --- paths.c -------------------------------------------------------------------------------------

// Every path that obeys the constraints: eta' is arbitrary. Fills path_equations and displacement.
void make_paths(court *c);

#endif
