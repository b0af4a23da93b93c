// What a system does: steady motions and their stability, derivatives of motions, orbits, sections.
// This is a part of hamel.h, which includes it and says what statuses, models and runs are;
// programs include that one.
#ifndef HAMEL_STUDY_H
#define HAMEL_STUDY_H

#ifndef HAMEL_H
#error "include hamel.h"
#endif

// --- steady motions and what is around them ------------------------------------------------------

// What is asked of hamel_model_steady; members that are NULL or 0 ask for nothing.
typedef struct hamel_steady {
    // Where to look, as in hamel_model_evaluate: its values stay as they are while others can be
    // solved for
    const char *at;
    // Ranges, "theta = -1.5 .. 1.5, psi' = 0 .. 3": all steady motions in them, with a proof that
    // there are no others where few unknowns are left; NULL: the motion near the state
    const char *box;
    // Names of parameters that are solved for besides, "m, k"
    const char *solve;
    // Names of inputs that are solved for: the constants with which they hold the state
    const char *trim;
    // Formulas for all steady motions, where the equations have low degree
    int closed;
    const void *later[4]; // NULL, for members of later versions
} hamel_steady;

// Steady motions: equilibria, and motions that the system's symmetries carry along (HAMEL_TEXT or
// HAMEL_JSON). NULL: the one near the initial state.
HAMEL_API hamel_status hamel_model_steady(hamel_model *model, const hamel_steady *asked,
                                          hamel_format format, char **result);

// The linear motion around that steady motion, dz' = A dz + B du and M p'' + C p' + K p = F u, with
// eigenvalues and what they say of stability. `split` (NULL: nothing): names of parameters and
// velocities, with commas between, in which M, C and K are taken apart as polynomials. HAMEL_TEXT
// and HAMEL_JSON; the matrices alone as HAMEL_LATEX, HAMEL_SYMPY, HAMEL_NUMPY, HAMEL_MATLAB.
enum {
    HAMEL_LINEARISE_SYMBOLIC = 1 // matrices as expressions
};
HAMEL_API hamel_status hamel_model_linearise(hamel_model *model, const char *at, const char *split,
                                             unsigned flags, hamel_format format, char **result);

// Eigenvalues around a steady motion along a parameter or initial value, "v = 1..10" (HAMEL_TEXT or
// HAMEL_JSON), and a figure, in a file or behind the words (NULL: none; its panels do not count).
HAMEL_API hamel_status hamel_model_stability(hamel_model *model, const char *at, const char *vary,
                                             const hamel_plot *plot, hamel_format format,
                                             char **result);

// What is asked of hamel_model_continue; members that are NULL or 0 are chosen.
typedef struct hamel_continue {
    const char *at;   // where the first motion is looked for, as in hamel_model_evaluate
    const char *vary; // a parameter or an initial value and its interval, "w = 1..6"
    int orbit;        // periodic orbits instead of steady motions
    // Of orbits: a guess, or where the equations depend on time the period itself; a number, or an
    // expression of parameters, "2*pi/w", which goes with the one that is varied
    const char *period;
    unsigned branches, steps; // at most so many; 20, and 2000 steps in each direction of a branch
    // A bifurcation diagram, in a file or behind the words; NULL: none. Its first panel names what
    // is drawn over the parameter; none: the first coordinate that changes
    const hamel_plot *plot;
    const void *later[4]; // NULL, for members of later versions
} hamel_continue;

// Steady motions followed along a parameter through folds, and along the branches that leave from
// them: folds, branch points and Hopf points (HAMEL_TEXT or HAMEL_JSON).
HAMEL_API hamel_status hamel_model_continue(hamel_model *model, const hamel_continue *asked,
                                            hamel_format format, char **result);

// --- derivatives of motions, orbits, sections ----------------------------------------------------

// Derivatives of a run by parameters and by values at the start, at its end and at its events, by
// the variational equations (HAMEL_TEXT or HAMEL_JSON). `of`: observables and expressions, with
// commas between them; NULL: coordinates, velocities and quasi-velocities. `to`: what derivatives
// are taken by, "g, x'"; NULL: all parameters and all values at the start that follow from no
// others. `second`: second derivatives at the end too. Of the run form, method, at, execute, until
// and tolerance count.
HAMEL_API hamel_status hamel_model_sensitivity(hamel_model *model, const hamel_run *run,
                                               const char *of, const char *to, int second,
                                               hamel_format format, char **result);

// Lyapunov exponents along a run, with error bars, and the dimension of Kaplan and Yorke
// (HAMEL_TEXT or HAMEL_JSON). Of the run form, method, at, execute, until and tolerance count.
HAMEL_API hamel_status hamel_model_lyapunov(hamel_model *model, const hamel_run *run,
                                            hamel_format format, char **result);

// A periodic orbit near the start of a run, or one that closes up to a move by the symmetries,
// with its Floquet multipliers (HAMEL_TEXT or HAMEL_JSON). `period`: a guess, or where the
// equations depend on time the period itself, a number or an expression of parameters; NULL: it is
// looked for up to `until`. Of the run form, at, execute, until and tolerance count, whose default
// is here 1e-15.
HAMEL_API hamel_status hamel_model_orbit(hamel_model *model, const hamel_run *run,
                                         const char *period, hamel_format format, char **result);

// Poincare's section: the states of a run where an event crosses zero.
typedef struct hamel_section {
    const char *event;        // of the model, by its name; or an expression: "x - 1", "sin(w*t)"
    const char *direction;    // "up", "down" or "both"; NULL: as the model says
    unsigned long long count; // the run ends with so many; 0: with its end
    const hamel_plot *plot;   // a figure of the points; its output NULL: in characters; NULL: none
    const void *later[4];     // NULL, for members of later versions
} hamel_section;
// A table (HAMEL_TEXT or HAMEL_JSON) or, where `run` has an output, rows in that file alone. With a
// count and without an end, the run is at most so many times as long as the model says. Precision,
// resume, plot and verify of `run` are not looked at. HAMEL_NUMERICS where there is no crossing.
HAMEL_API hamel_status hamel_model_section(hamel_model *model, const hamel_section *section,
                                           const hamel_run *run, hamel_format format,
                                           char **result);

#endif
