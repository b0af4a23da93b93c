// Multistep methods of variable order and step by CVODE (SUNDIALS): Adams with
// fixed-point iteration, BDF with Newton's method and the Jacobian df/dz of the
// system. No other file uses CVODE.
#include "base/recovery.h"
#include "integrate/integrator.h"
#include "integrate/sight.h"
#include "integrate/sundials.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <string.h>

typedef struct {
    field *f;
    double *entry; // df/dz row by row
    SUNContext context;
    void *memory;
    N_Vector z, inside, slope[2]; // inside: for dense output; slope: at the ends of a step
    double longest;               // step that may be taken; INFINITY: any
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver fixed_point;
    guard open;
} cvode_run;

enum { MOST_ORDER = 13 }; // of its polynomials

static int rate(realtype t, N_Vector z, N_Vector dz, void *data) {
    field *f = ((cvode_run *)data)->f;
    return f->rate(f, t, N_VGetArrayPointer(z), N_VGetArrayPointer(dz)) ? 0 : SUNDIALS_RECOVERABLE;
}

static int jacobian(realtype t, N_Vector z, N_Vector dz, SUNMatrix out, void *data, N_Vector a,
                    N_Vector b, N_Vector c) {
    (void)dz, (void)a, (void)b, (void)c;
    cvode_run *w = data;
    if (!w->f->jacobian(w->f, t, N_VGetArrayPointer(z), w->entry)) return SUNDIALS_RECOVERABLE;
    sundials_set_matrix(out, w->f->size, w->entry);
    return 0;
}

static bool attach_solver(cvode_run *w, int method) {
    if (method == CV_ADAMS) {
        w->fixed_point = SUNNonlinSol_FixedPoint(w->z, 0, w->context);
        return w->fixed_point && !CVodeSetNonlinearSolver(w->memory, w->fixed_point);
    }
    const uint32_t n = w->f->size;
    w->entry = memory_array(double, (size_t)n *n + 1);
    w->matrix = SUNDenseMatrix(n, n, w->context);
    w->linear = w->matrix ? SUNLinSol_Dense(w->z, w->matrix, w->context) : NULL;
    return w->linear && !CVodeSetLinearSolver(w->memory, w->linear, w->matrix) &&
           !CVodeSetJacFn(w->memory, jacobian);
}

static bool begin(cvode_run *w, const integration *in, int method) {
    const uint32_t n = w->f->size;
    if (SUNContext_Create(NULL, &w->context)) return false;
    w->z = N_VNew_Serial(n, w->context);
    w->inside = N_VNew_Serial(n, w->context);
    for (int i = 0; i < 2; i++) w->slope[i] = N_VNew_Serial(n, w->context);
    w->memory = CVodeCreate(method, w->context);
    if (!w->z || !w->inside || !w->slope[0] || !w->slope[1] || !w->memory) return false;
    memcpy(N_VGetArrayPointer(w->z), in->z, sizeof(double) * n);
    return !CVodeSetErrHandlerFn(w->memory, sundials_be_silent, NULL) &&
           !CVodeInit(w->memory, rate, in->t, w->z) && !CVodeSetUserData(w->memory, w) &&
           !CVodeSStolerances(w->memory, in->request->tolerance, in->request->tolerance) &&
           !CVodeSetStopTime(w->memory, integration_end(in)) && attach_solver(w, method);
}

// From a state that is not the end of its last step.
static bool begin_anew(cvode_run *w, const integration *in) {
    memcpy(N_VGetArrayPointer(w->z), in->z, sizeof(double) * w->f->size);
    return !CVodeReInit(w->memory, in->t, w->z) &&
           !CVodeSetStopTime(w->memory, integration_end(in));
}

static void finish(cvode_run *w) {
    guard_lift(&w->open);
    if (w->memory) CVodeFree(&w->memory);
    if (w->linear) SUNLinSolFree(w->linear);
    if (w->fixed_point) SUNNonlinSolFree(w->fixed_point);
    if (w->matrix) SUNMatDestroy(w->matrix);
    if (w->inside) N_VDestroy(w->inside);
    if (w->z) N_VDestroy(w->z);
    for (int i = 0; i < 2; i++)
        if (w->slope[i]) N_VDestroy(w->slope[i]);
    if (w->context) SUNContext_Free(&w->context);
    memory_free(w->entry);
}

static void abandon(void *what) { finish(what); }

// The polynomial of the last step.
static void interpolate(const dense *d, double t, double *z) {
    const cvode_run *w = d->data;
    CVodeGetDky(w->memory, t, 0, w->inside);
    memcpy(z, N_VGetArrayPointer(w->inside), sizeof(double) * w->f->size);
}

static const solver_flag flags[] = {
    {CV_FIRST_RHSFUNC_ERR, SOLVER_NOT_FINITE}, {CV_REPTD_RHSFUNC_ERR, SOLVER_NOT_FINITE},
    {CV_UNREC_RHSFUNC_ERR, SOLVER_NOT_FINITE}, {CV_RHSFUNC_FAIL, SOLVER_NOT_FINITE},
    {CV_ERR_FAILURE, SOLVER_UNDERFLOW},        {CV_CONV_FAILURE, SOLVER_UNDERFLOW},
    {CV_TOO_MUCH_ACC, SOLVER_TOO_FINE},        {CV_LSETUP_FAIL, SOLVER_SINGULAR},
    {CV_LSOLVE_FAIL, SOLVER_SINGULAR},         {0}};

// Counted since the last start
static void count_rejected(integration *in, const cvode_run *w) {
    long errors = 0, iterations = 0;
    CVodeGetNumErrTestFails(w->memory, &errors);
    CVodeGetNumStepSolveFails(w->memory, &iterations);
    in->rejected += (uint64_t)(errors + iterations);
}

// True if the step was longer than one can see: the method begins anew where it began.
static bool take_back(cvode_run *w, integration *in, double t) {
    if (!sight_is_needed(in)) return false;
    CVodeGetDky(w->memory, in->t, 1, w->slope[0]), CVodeGetDky(w->memory, t, 1, w->slope[1]);
    const double before = w->longest;
    const bool back =
        sight_takes_back(in, t, N_VGetArrayPointer(w->z), N_VGetArrayPointer(w->slope[0]),
                         N_VGetArrayPointer(w->slope[1]), &w->longest);
    if (w->longest != before) CVodeSetMaxStep(w->memory, w->longest);
    return back;
}

static run_status integrate(integration *in, int method) {
    cvode_run w = {.f = in->f, .longest = INFINITY};
    guard_set(&w.open, abandon, &w);
    run_status status = RUN_DONE;
    if (!begin(&w, in, method)) status = integration_fail(in, "CVODE could not be started");
    const dense inside = {interpolate, &w, MOST_ORDER};
    while (!status && in->t < integration_end(in)) {
        double t;
        const int flag = CVode(w.memory, integration_end(in), w.z, &t, CV_ONE_STEP);
        if (flag < 0) status = sundials_status(in, flag, flags, "CVODE could not go on");
        const bool back = !status && take_back(&w, in, t);
        outcome answer = {status, STATE_KEPT};
        if (!status && !back)
            answer = integration_accept(
                in, &(accepted_step){
                        .from = in->t, .to = t, .z = N_VGetArrayPointer(w.z), .inside = &inside});
        status = answer.status;
        if (status || !(back || answer.change == STATE_MOVED)) continue;
        count_rejected(in, &w);
        if (!begin_anew(&w, in))
            status = integration_fail(in, "CVODE could not go on from the projected state");
    }
    if (w.memory) count_rejected(in, &w);
    finish(&w);
    return status;
}

static run_status integrate_adams(integration *in) { return integrate(in, CV_ADAMS); }
static run_status integrate_bdf(integration *in) { return integrate(in, CV_BDF); }

static const char *refusal(const integration *in) {
    return in->f->size ? NULL : "there is nothing to integrate";
}

const integrator integrator_adams = {
    .id = "adams",
    .name = "Adams-Moulton of order 1 to 12 (CVODE)",
    .paper = "Cohen and Hindmarsh 1996; Hindmarsh et al. 2005",
    .about = "right-hand sides that are very expensive and not stiff",
    .order = 0,
    .multistep = true,
    .refusal = refusal,
    .integrate = integrate_adams,
};

const integrator integrator_bdf = {
    .id = "bdf",
    .name = "backward differentiation of order 1 to 5 (CVODE)",
    .paper = "Cohen and Hindmarsh 1996; Hindmarsh et al. 2005",
    .about = "stiff systems: strong friction, stiff springs",
    .order = 0,
    .multistep = true,
    .stiff = true,
    .refusal = refusal,
    .integrate = integrate_bdf,
};
