// The differential-algebraic system of the multipliers (dae.h) by IDA (SUNDIALS): backward
// differentiation of variable order and step, which leaves the constraints to Newton's method at
// every step instead of integrating their derivatives. No other file uses IDA.
#include "base/recovery.h"
#include "integrate/dae.h"
#include "integrate/integrator.h"
#include "integrate/sight.h"
#include "integrate/step_control.h"
#include "integrate/sundials.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>

#include <math.h>
#include <string.h>

typedef struct {
    field *f;
    double tolerance, first; // the first step
    dae d;
    double *argument, *entry; // (y, y', c); the Jacobian row by row
    double *z;                // the system's state, out of y
    double *slope[2];         // z' at the ends of a step
    double longest;           // step that may be taken; INFINITY: any
    SUNContext context;
    void *memory;
    N_Vector y, dy, differential, inside; // inside: for dense output
    SUNMatrix matrix;
    SUNLinearSolver linear;
    guard open;
} ida_run;

enum { MOST_ORDER = 6 }; // of its polynomials
// The iteration goes on to this part of the tolerance: with IDA's own 0.33 its noise keeps the
// order low, and there are twice as many steps for a larger error.
static const double ITERATION = 0.01;

static void set_argument(ida_run *w, N_Vector y, N_Vector dy) {
    memcpy(w->argument, N_VGetArrayPointer(y), sizeof(double) * w->d.size);
    memcpy(w->argument + w->d.size, N_VGetArrayPointer(dy), sizeof(double) * w->d.size);
}

static int residual_at(realtype t, N_Vector y, N_Vector dy, N_Vector out, void *data) {
    ida_run *w = data;
    set_argument(w, y, dy);
    w->f->rate_calls++;
    const bool finite = machine_run(&w->d.residual.at, t, w->argument, N_VGetArrayPointer(out));
    return finite ? 0 : SUNDIALS_RECOVERABLE;
}

static int jacobian_at(realtype t, realtype c, N_Vector y, N_Vector dy, N_Vector f, SUNMatrix out,
                       void *data, N_Vector a, N_Vector b, N_Vector d) {
    (void)f, (void)a, (void)b, (void)d;
    ida_run *w = data;
    const uint32_t n = w->d.size;
    set_argument(w, y, dy);
    w->argument[2 * n] = c;
    w->f->jacobian_calls++;
    if (!machine_run(&w->d.jacobian.at, t, w->argument, w->entry)) return SUNDIALS_RECOVERABLE;
    sundials_set_matrix(out, n, w->entry);
    return 0;
}

static bool allocate(ida_run *w) {
    const uint32_t n = w->d.size;
    w->argument = memory_array(double, 2 * n + 1 + (size_t)n * n + 3 * (size_t)w->f->size);
    w->entry = w->argument + 2 * n + 1, w->z = w->entry + (size_t)n * n;
    w->slope[0] = w->z + w->f->size, w->slope[1] = w->slope[0] + w->f->size;
    if (SUNContext_Create(NULL, &w->context)) return false;
    w->y = N_VNew_Serial(n, w->context), w->dy = N_VNew_Serial(n, w->context);
    w->differential = N_VNew_Serial(n, w->context), w->inside = N_VNew_Serial(n, w->context);
    w->memory = IDACreate(w->context);
    w->matrix = SUNDenseMatrix(n, n, w->context);
    w->linear = w->y && w->matrix ? SUNLinSol_Dense(w->y, w->matrix, w->context) : NULL;
    return w->y && w->dy && w->differential && w->inside && w->memory && w->linear;
}

// Weights of the norm, 1/(tolerance (1 + |y_i|)). Of index 2, the algebraic variables are known to
// one order less (Brenan, Campbell, Petzold, 5.4): they are left out of the error test, and in the
// iteration h lambda is measured, which is what the velocities feel.
static int weights(N_Vector y, N_Vector out, void *data) {
    const ida_run *w = data;
    double h = 0;
    IDAGetCurrentStep(w->memory, &h);
    const double damp = fmin(h > 0 ? h : w->first, 1);
    for (uint32_t i = 0; i < w->d.size; i++) {
        const double weight = 1 / (w->tolerance * (1 + fabs(N_VGetArrayPointer(y)[i])));
        N_VGetArrayPointer(out)[i] = w->d.differential[i] ? weight : damp * weight;
    }
    return 0;
}

static bool begin(ida_run *w, const integration *in) {
    for (uint32_t i = 0; i < w->d.size; i++)
        N_VGetArrayPointer(w->differential)[i] = w->d.differential[i];
    return !IDASetErrHandlerFn(w->memory, sundials_be_silent, NULL) &&
           !IDAInit(w->memory, residual_at, in->t, w->y, w->dy) && !IDASetUserData(w->memory, w) &&
           !IDAWFtolerances(w->memory, weights) && !IDASetId(w->memory, w->differential) &&
           !IDASetSuppressAlg(w->memory, SUNTRUE) && !IDASetNonlinConvCoef(w->memory, ITERATION) &&
           !IDASetInitStep(w->memory, w->first) &&
           !IDASetStopTime(w->memory, integration_end(in)) &&
           !IDASetLinearSolver(w->memory, w->linear, w->matrix) &&
           !IDASetJacFn(w->memory, jacobian_at);
}

// From a state that is not the end of its last step.
static run_status begin_anew(ida_run *w, integration *in) {
    if (!dae_start(&w->d, in->f, in->t, in->z, N_VGetArrayPointer(w->y), N_VGetArrayPointer(w->dy)))
        return RUN_NOT_FINITE;
    if (!IDAReInit(w->memory, in->t, w->y, w->dy) &&
        !IDASetStopTime(w->memory, integration_end(in)))
        return RUN_DONE;
    return integration_fail(in, "IDA could not go on from the projected state");
}

static void finish(ida_run *w) {
    guard_lift(&w->open);
    if (w->memory) IDAFree(&w->memory);
    if (w->linear) SUNLinSolFree(w->linear);
    if (w->matrix) SUNMatDestroy(w->matrix);
    N_Vector vectors[] = {w->y, w->dy, w->differential, w->inside};
    for (uint32_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (vectors[i]) N_VDestroy(vectors[i]);
    if (w->context) SUNContext_Free(&w->context);
    memory_free(w->argument);
    dae_clear(&w->d);
}

static void take_state(const ida_run *w, N_Vector y, double *z) {
    for (uint32_t i = 0; i < w->f->size; i++) z[i] = N_VGetArrayPointer(y)[w->d.place[i]];
}

static void abandon(void *what) { finish(what); }

// The polynomial of the last step.
static void interpolate(const dense *d, double t, double *z) {
    const ida_run *w = d->data;
    IDAGetDky(w->memory, t, 0, w->inside);
    take_state(w, w->inside, z);
}

static const solver_flag flags[] = {{IDA_FIRST_RES_FAIL, SOLVER_NOT_FINITE},
                                    {IDA_REP_RES_ERR, SOLVER_NOT_FINITE},
                                    {IDA_RES_FAIL, SOLVER_NOT_FINITE},
                                    {IDA_ERR_FAIL, SOLVER_UNDERFLOW},
                                    {IDA_CONV_FAIL, SOLVER_UNDERFLOW},
                                    {IDA_TOO_MUCH_ACC, SOLVER_TOO_FINE},
                                    {IDA_LSETUP_FAIL, SOLVER_SINGULAR},
                                    {IDA_LSOLVE_FAIL, SOLVER_SINGULAR},
                                    {0}};

static void count_rejected(integration *in, const ida_run *w) {
    long errors = 0, iterations = 0;
    IDAGetNumErrTestFails(w->memory, &errors);
    IDAGetNumStepSolveFails(w->memory, &iterations);
    in->rejected += (uint64_t)(errors + iterations);
}

// True if the step was longer than one can see: the method begins anew where it began.
static bool take_back(ida_run *w, integration *in, double t) {
    if (!sight_is_needed(in)) return false;
    const double before = w->longest, at[] = {in->t, t};
    for (int i = 0; i < 2; i++)
        IDAGetDky(w->memory, at[i], 1, w->inside), take_state(w, w->inside, w->slope[i]);
    const bool back = sight_takes_back(in, t, w->z, w->slope[0], w->slope[1], &w->longest);
    if (w->longest != before) IDASetMaxStep(w->memory, w->longest);
    return back;
}

static run_status integrate(integration *in) {
    // IDA's own first step is of the size of the tolerance: there rounding hides the multipliers.
    ida_run w = {.f = in->f,
                 .tolerance = in->request->tolerance,
                 .first = step_control_first(in, 1),
                 .longest = INFINITY};
    guard_set(&w.open, abandon, &w);
    run_status status = RUN_DONE;
    if (!dae_init(&w.d, in->f->sim) || !allocate(&w)) {
        status = integration_fail(in, "the residual form of the equations could not be set up");
    } else if (!dae_start(&w.d, in->f, in->t, in->z, N_VGetArrayPointer(w.y),
                          N_VGetArrayPointer(w.dy))) {
        status = RUN_NOT_FINITE;
    } else if (!begin(&w, in)) {
        status = integration_fail(in, "IDA could not be started");
    }
    const dense inside = {interpolate, &w, MOST_ORDER};
    while (!status && in->t < integration_end(in)) {
        double t;
        const int flag = IDASolve(w.memory, integration_end(in), &t, w.y, w.dy, IDA_ONE_STEP);
        if (flag < 0) status = sundials_status(in, flag, flags, "IDA could not go on");
        if (status) break;
        take_state(&w, w.y, w.z);
        const bool back = take_back(&w, in, t);
        outcome answer = {RUN_DONE, STATE_KEPT};
        if (!back)
            answer = integration_accept(
                in, &(accepted_step){.from = in->t, .to = t, .z = w.z, .inside = &inside});
        status = answer.status;
        if (status || !(back || answer.change == STATE_MOVED)) continue;
        count_rejected(in, &w);
        if (back) IDASetInitStep(w.memory, fmin(w.first, w.longest));
        status = begin_anew(&w, in);
    }
    if (w.memory) count_rejected(in, &w);
    finish(&w);
    return status;
}

static const char *refusal(const integration *in) {
    const equations *eq = in->f->sim->eq;
    if (!eq->multiplier_count) return "it is for systems with constraints, and there are none";
    if (!eq->first_kind)
        return "it solves the equations with multipliers: choose them with --form multipliers";
    return NULL;
}

const integrator integrator_ida = {
    .id = "ida",
    .name = "backward differentiation for the multiplier equations (IDA)",
    .paper = "Brenan, Campbell, Petzold 1996; Hindmarsh et al. 2005",
    .about = "constraints that must stand in the equations themselves, with `--form multipliers`",
    .order = 0,
    .multistep = true,
    .stiff = true,
    .refusal = refusal,
    .integrate = integrate,
};
