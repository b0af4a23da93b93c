// The second evaluator: statements as they were typed, in Arb balls, without the pool's rules.
//
// The syntax tree of a statement is evaluated directly at a state. Derivatives (ddt, diff, primes,
// vel, omega ..) come from automatic differentiation with nested infinitesimals (jet.h), so nothing
// here is simplified, differentiated or even built by src/expr: what both routes say of a statement
// was found twice. Only names (scope), exact numbers and the symbols' places in a state are shared.
#ifndef HAMEL_TYPED_TYPED_H
#define HAMEL_TYPED_TYPED_H

#include "model/mechanics.h"

typedef enum {
    TYPED_OK,
    // Certainly no value here: an exact 0 as divisor (also in 0/0), the root or logarithm of a
    // negative number, asin beyond 1; or no derivative where one is asked for: abs, sign, min and
    // roots at 0.
    TYPED_UNDEFINED,
    // The balls cannot tell: that of a divisor holds 0 and other numbers. Try a higher precision or
    // another state.
    TYPED_TOO_WIDE,
    // It cannot be evaluated from the text: an abstract function, a symbol the state does not know,
    // quantity(..).
    TYPED_NO_VALUE,
} typed_status;

// Where and why something has no value; `reason` is a constant text or in the arena of the context.
typedef struct {
    typed_status status;
    span at;
    const char *reason;
} typed_finding;

// Every function below works at x->precision and reads the values of symbols from x, which must
// know what the statement needs: t, parameters, q, q', and q'', multipliers, variations where they
// occur. What it cannot compute it leaves as it was. Results are infinite balls only where
// status != TYPED_OK.

// Both sides of an equation claim.
typed_finding typed_claim(const claim *c, state *x, arb_t left, arb_t right);
// An invariant, an observable, an event or the left side of an equation, and its rate along q', q''
// (rate may be NULL). The value is set where it exists, also if the rate does not.
typed_finding typed_value(const typed_form *form, state *x, arb_t value, arb_t rate);
// Left minus right.
typed_finding typed_constraint(const constraint *c, state *x, arb_t phi);
// The function of time that a `solution` claim gives to a coordinate: out[r] is its r-th derivative
// at t, r = 0 .. order. `x` gives parameters and precision only.
typed_finding typed_solution(const claim *c, uint32_t coordinate, state *x, arb_srcptr t,
                             uint32_t order, arb_ptr out);

// --- the motion ----------------------------------------------------------------------------------

// With q'' and the multipliers known at x: residual[i] = N_i - sum_nu lambda_nu dPhi_nu/dq^(p)_i
// for i < n, N_i = d/dt dL/dq'_i - dL/dq_i - Q_i, then for each of the k + h constraints that act
// d2/dt2 Phi (order 0), d/dt Phi (order 1) or Phi itself (order 2 and more). Where the system's
// constraints are not those that were typed (a factor or root of one, or combinations), the typed
// ones are used: the first n residuals are then N less the best combination of their rows, and the
// multipliers of x do not matter. TYPED_NO_VALUE where their rank at x is not that of the system.
typed_finding typed_motion(const mechanics *s, state *x, arb_ptr residual);
// The accelerations and the k + h multipliers, from the same equations solved here (x need not know
// them). Each lambda is that of mechanics.multiplier, or an infinite ball where the system's
// constraints are not those that were typed. TYPED_TOO_WIDE where the system is singular,
// TYPED_NO_VALUE for constraints of order 3.
typed_finding typed_accelerations(const mechanics *s, state *x, arb_ptr qdd, arb_ptr lambda);

// --- breaks: places where a statement may jump, bend or end --------------------------------------

typedef enum {
    TYPED_JUMP, // sign(u) at u = 0, atan2(y, x) at y = 0 (where x < 0)
    TYPED_KINK, // abs(u) at 0, min and max where the two are equal
    TYPED_POLE, // u of 1/u, of a negative power, of log(u); cos(u) of tan(u); x of atan2(y, x)
    // where the domain ends: u of sqrt(u) and fractional powers, 1 - u, 1 + u of asin(u), acos(u)
    TYPED_EDGE,
} typed_break_kind;

typedef struct { // the zeros of a function of the state
    typed_break_kind kind;
    span at; // the call or operator
    // The function is first, cos(first), first - second, 1 - first or 1 + first
    enum {
        BREAK_PLAIN,
        BREAK_COSINE,
        BREAK_DIFFERENCE,
        BREAK_BELOW_ONE,
        BREAK_ABOVE_MINUS_ONE
    } how;
    const struct syntax *first, *second;
    const struct typed_binding *bindings;
} typed_break;

// All such places in what was typed (in both sides of an equation), also inside abbreviations and
// functions it uses; those of constants alone are left out. At most `most` are stored, in the order
// of the text; returns how many there are, or most + 1 if there are more.
uint32_t typed_breaks(const model *m, const typed_form *form, uint32_t most, typed_break *out);
// For a solution: the form of one coordinate's function of time, for typed_breaks() and
// typed_value().
typed_form typed_solution_form(const claim *c, uint32_t coordinate);
// The function's value and its rate along q', q'' (rate may be NULL).
typed_finding typed_break_value(const typed_break *b, state *x, arb_t value, arb_t rate);

#endif
