// The mechanics of a model: energies, forces, the constraints that act, and the
// choice of independent velocities.
//
// This is what every formalism starts from (docs/mathematics.md, section 2):
//   N_i = E_i(L) - Q_i,   E_i(f) = d/dt df/dq'_i - df/dq_i,
//   Phi_nu(q, q', t) = 0  (a constraint of order 0 stands here by its time derivative),
//   Phi_nu(q, q', .., q^(p), t) = 0, p >= 2,
//   behind them (docs/mathematics.md, section 2.6): they leave the velocities free,
//   eta_s = Psi_s(q, q', t), by default the independent q' themselves.
#ifndef HAMEL_MODEL_MECHANICS_H
#define HAMEL_MODEL_MECHANICS_H

#include "model/model.h"
#include "model/state.h"

// In which order to eliminate: row[i], column[i] hold pivot i.
typedef struct {
    const uint32_t *row, *column;
} pivot_order;

typedef struct slope_matrix slope_matrix; // made when it is first asked for

// It has more than 20 fields, and they stay together: they are the letters of docs/mathematics.md
// (n, k, m, h; q, q', q''; T, U, L, Q; Phi, lambda; eta, Psi), and each formula of src/derive names
// them side by side. What formulas do not name is grouped.
typedef struct mechanics {
    const model *model;
    pool *pool;
    // coordinates, independent constraints of order 0 and 1, degrees of
    // freedom of the velocities n - k
    uint32_t n, k, m;
    uint32_t h; // constraints of order 2 and higher

    const expr *q, *qd, *qdd; // n symbols each
    expr kinetic, potential;  // T, U; with a stated Lagrangian T = L and U = 0
    expr lagrangian;          // T - U
    expr dissipation;         // Rayleigh's D, already contained in `force`
    const expr *force;        // Q_i: everything that is not in L; may hold multipliers, to degree 1
    bool forces_hold_multipliers;
    // Servo constraints act along b_nu in the place of dPhi_nu/dq'. All forms treat reactions as
    // ideal, so `force` holds lambda_nu (b_nu - dPhi_nu/dq') for them; `applied` does not.
    const expr *applied;
    const expr *servo; // (k + h) x n: b, and 0 for ideal constraints; NULL: all are
    // formalisms list all of their quantities, however long (derive --full)
    bool list_everything;

    // The k constraints on velocities in order of declaration, then the h others by their
    // orders. The motion is N = sum over all k + h of lambda_nu * row_nu: virtual
    // displacements are the kernel of the rows.
    const uint32_t *constraint; // k + h indices into model->constraints
    const expr *phi;            // k functions of (q, q', t), then h of (q, q', .., q^(p), t)
    const expr *multiplier;     // k + h symbols
    slope_matrix *slopes;       // mechanics_slopes()
    // k + h coordinates in which the rows are regular at the sampled state; only if h > 0
    const uint32_t *carrier;

    const uint32_t *dependent, *independent; // k and m coordinate indices, in order of declaration
    // Of many constraints that bring one dependent velocity each: these, one by one, in (q, the
    // independent q', t), and the slopes that were divided by (expr/triangular.h). Else NULL.
    const expr *chain, *chain_slope;
    // m symbols: the quasi-velocities, or the independent q'
    const expr *eta;
    const expr *psi; // m definitions in (q, q', t)
    bool has_quasi;  // declared by the model
    // m x n: dPsi_s/dq'_i; only with declared quasi-velocities
    const expr *psi_velocity;

    // Pivots at the state that was analysed, and that state itself (by symbol index): they
    // choose an order of elimination and a branch, nothing else. `block`: of the k x k matrix
    // of the dependent velocities; `frame`: of the n x n matrix [dPsi/dq'; dPhi/dq'],
    // only with declared quasi-velocities.
    pivot_order block, frame;
    const double *sample;
    uint32_t sample_count;

    const option *options; // of another mechanics: "with nu = E"
    uint32_t option_count;
} mechanics;

// Analyse the model at its initial state (where == NULL) or at another one; its mode and seed do
// not count. Reports contradictory and redundant constraints, singular choices, inconsistent
// initial values. The result lives in the context's arena.
hamel_status mechanics_create(model *m, const completion_request *where, mechanics **out);

// The same system with the independent velocities in the place of its quasi-velocities.
mechanics mechanics_without_quasi(const mechanics *s);

// The value of an option: as given with the mechanics, else the parameter of
// that name, else the fallback.
expr mechanics_option(const mechanics *s, const char *name, expr fallback);

// The explicit rate df/dt of f(q, t): what is left of d/dt f where q' = 0. Time may also enter
// through a given function of time.
expr mechanics_explicit_rate(const mechanics *s, expr f);

// (k + h) x n: dPhi_nu/dq'_i, and dPhi_nu/dq^(p)_i for order p >= 2, in shortest form. What can do
// without them does: those of a chain of N links are N^2/2.
const expr *mechanics_slopes(const mechanics *s);
slope_matrix *slope_matrix_create(arena *a);
// May so many constraints be a chain? Then mechanics_find_chain() sets `chain`, the dependent
// velocities and their order, if they are one at this state, and the model says which velocities
// are independent.
bool constraint_chain_may_be(uint32_t constraints);
bool mechanics_find_chain(mechanics *s, state *here);
// Are its slopes made of parameters only? Then the constraints keep their rank and the chosen
// velocities determine the others wherever the motion goes.
bool mechanics_chain_never_breaks(const mechanics *s);
// The precision that leaves so many bits at the end of a chain: balls get wider with each link.
slong model_bits(const model *m, slong bits);
// Of a chain: sum_nu lambda_nu dPhi_nu/dq'_i, all of them from one sweep
expr mechanics_chain_reaction(const mechanics *s, uint32_t i);

// The order of constraint nu of the lists above, as the equations see it: 1 for one of order 0.
uint32_t mechanics_order(const mechanics *s, uint32_t nu);

// Do forces hold multipliers? Reports those of constraints that have none (reactive_forces.c).
hamel_status mechanics_settle_forces(mechanics *s);

// Is constraint nu of the lists above a servo constraint?
bool mechanics_is_servo(const mechanics *s, uint32_t nu);
// Adds to the forces what servo constraints do in the place of ideal ones; reports those that
// prescribe what others do already, at the state `here` (servo.c).
hamel_status mechanics_settle_servo(mechanics *s, state *here);

// Which of the h constraints of order 2 and higher say something of their own: chooses the
// carriers, sets a redundant constraint aside (*again: the lists are to be made anew), reports
// contradictory ones and losses of rank. `here` is the state under study (higher.c).
hamel_status mechanics_settle_higher(mechanics *s, const completion_request *where, state *here,
                                     bool *again);

// Say that something has no value (a parameter, a given, an abstract
// function), where it was declared.
void model_report_no_value(const model *m, expr what);

// Stated energies and forces brought to coordinates (energy.c).
typedef struct {
    expr kinetic, potential, lagrangian;
    expr *force;
} energies;
energies model_energies(const model *m);
// it depends on no coordinate, and is part of the potential
bool model_gravity_is_uniform(const model *m);

// I w for the inertia entries (Ix, Iy, Iz, Ixy, Ixz, Iyz).
vec3 model_inertia_times(pool *p, const expr inertia[6], vec3 w);

// Order and type of a constraint (classify.c); fills the fields of struct constraint.
void constraint_classify(model *m, constraint *c);

// Products and powers among the constraints (reduce.c): the factor that vanishes at the state takes
// the place of a product, the root that of a power. Once for each model.
hamel_status model_reduce(model *m, const completion_request *where);

// Which constraints on positions and velocities say something of their own, generically near the
// state `here` (independence.c). Those that do not are set aside, or combinations take the place of
// all that depend on one another. Once for each model; `idle`: what the completion of `here` found
// to carry no information; `changed`: the state is to be completed anew.
hamel_status model_settle_independence(model *m, const completion_request *where, state *here,
                                       uint32_t idle_count, const dependent_constraint *idle,
                                       bool *changed);

// Can e, made of derivatives of the coordinates up to this order, be zero somewhere, can it be
// negative, can it be positive, for the stated values of parameters (signs.c)? Found from its form,
// or as a quadratic function of the highest derivatives; where that does not tell, yes.
typedef struct {
    bool zero, negative, positive;
} possible_signs;
possible_signs expr_possible_signs(const model *m, expr e, uint32_t order);
bool expr_vanishes_nowhere(const model *m, expr e);

// Warn where claims and initial values name multipliers that are not what they seem.
void model_warn_of_lost_multipliers(const model *m);
// `look` at each force that holds the multiplier of c, which acts in another form than stated
void model_warn_of_factors_in_forces(const model *m, const constraint *c,
                                     void (*look)(const model *m, const constraint *c, span at,
                                                  const char *what));
// "`a`, `b` and `c`" in the arena; "the others" for none or too many
enum { MODEL_MOST_NAMED = 200 };
const char *model_names_in_words(const model *m, uint32_t count, const uint32_t *constraint);
// The constraints, independent elsewhere, do not restrict the velocities at the initial state.
void model_warn_of_rank_loss(const model *m, uint32_t count, const uint32_t *constraint);

// sample.c: the state under study by symbol index, with room for symbols made since; and values of
// expressions there, or at such a copy that knows more. Both in the arena.
double *mechanics_sample(const mechanics *s);
double *mechanics_values(const mechanics *s, const double *at, uint32_t count, const expr *e);

// How far the constraints are from losing rank where symbols have these values: the smallest pivot
// of an elimination with full pivoting, rows scaled to largest entries of 1. `rows`: of dPhi/dq';
// at 0 the constraints are dependent and the motion beyond that state is not determined by them.
// `block`: of the dependent columns, by which velocities are divided; at 0 other velocities must be
// taken (charts.c). Both are INFINITY without constraints, NaN where a row has no value.
typedef struct {
    double rows, block;
} rank_margin;
rank_margin mechanics_margin(const mechanics *s, const double *at);
// Do the velocities that were chosen determine the others at this state, too?
bool mechanics_is_regular_at(const mechanics *s, const completion_request *where);

#endif
