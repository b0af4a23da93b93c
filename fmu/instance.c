// Instances: made and freed, messages to the host, and the order in which calls may come.
#include "instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- messages ------------------------------------------------------------------------------------

static const char *const fmu_category[] = {"logEvents", "logStatusWarning", "logStatusDiscard",
                                           "logStatusError", "logAll"};
enum { FMU_LOG_EVENTS, FMU_LOG_WARNING, FMU_LOG_DISCARD, FMU_LOG_ERROR, FMU_LOG_ALL, FMU_LOGS };

// An error is told always, other messages where the host asked for them. Returns the status.
static fmi2Status fmu_say(const fmu_instance *f, fmi2Status status, const char *format, ...) {
    const int category = status == fmi2OK        ? FMU_LOG_EVENTS
                         : status == fmi2Warning ? FMU_LOG_WARNING
                         : status == fmi2Discard ? FMU_LOG_DISCARD
                                                 : FMU_LOG_ERROR;
    const unsigned wanted = 1u << category | 1u << FMU_LOG_ALL;
    char words[512];
    va_list arguments;
    if (!f->host.logger || (status < fmi2Error && !(f->logged & wanted))) return status;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    f->host.logger(f->host.componentEnvironment, f->name, status, fmu_category[category], "%s",
                   words);
    return status;
}

// After an error only a saved state or fmi2Reset brings the instance back.
static fmi2Status fmu_fail(fmu_instance *f, const char *call, const char *words) {
    f->now.phase = FMU_IN_ERROR;
    return fmu_say(f, fmi2Error, "%s: %s", call, words);
}

static const char *fmu_phase_words(int phase) {
    switch (phase) {
    case FMU_INSTANTIATED: return "before initialization mode";
    case FMU_INITIALIZING: return "in initialization mode";
    case FMU_EVENT: return "in event mode";
    case FMU_CONTINUOUS: return "in continuous-time mode";
    case FMU_STEP_COMPLETE: return "between two steps";
    case FMU_STEP_FAILED: return "after a step that was not completed";
    case FMU_TERMINATED: return "after fmi2Terminate";
    default: return "after an error: fmi2SetFMUstate, fmi2Reset or fmi2FreeInstance goes on";
    }
}

// May the function be called now? The instance; NULL, after saying so, where it may not.
static fmu_instance *fmu_enter(fmi2Component c, const char *call, int exchange, int simulation) {
    fmu_instance *f = c;
    if (!f) return NULL;
    const int allowed = f->kind == fmi2ModelExchange ? exchange : simulation;
    if (f->now.phase & allowed) return f;
    const int phase = f->now.phase;
    f->now.phase = FMU_IN_ERROR;
    if (allowed == FMU_NEVER)
        fmu_say(f, fmi2Error, "%s: it is no function of %s", call,
                f->kind == fmi2ModelExchange ? "model exchange" : "co-simulation here");
    else fmu_say(f, fmi2Error, "%s: it may not be called %s", call, fmu_phase_words(phase));
    return NULL;
}

// --- the situation -------------------------------------------------------------------------------

// Something changed that calculated values depend on.
static void fmu_forget(fmu_instance *f) { f->has_rates = f->has_shown = f->has_slopes = 0; }

static void fmu_take_parameters(fmu_instance *f) {
    memcpy(f->system.p, f->now.p, sizeof(double) * FMU_PARAMETERS);
    fmu_prepare(&f->system);
    fmu_forget(f);
}

static void fmu_start_anew(fmu_instance *f) {
    fmu_situation *s = &f->now;
    memset(s, 0,
           sizeof *s); // also what lies between members: two equal situations have equal bytes
    s->phase = FMU_INSTANTIATED;
    s->start = s->t = s->base = fmu_start_time;
    s->stop = INFINITY;
    s->tolerance = fmu_usual_tolerance;
    memcpy(s->z, fmu_start_state, sizeof(double) * FMU_STATES);
    memcpy(s->p, fmu_start_parameter, sizeof(double) * FMU_PARAMETERS);
    memcpy(s->u, fmu_start_input, sizeof(double) * FMU_INPUTS);
    fmu_take_parameters(f);
}

// Inputs at a time: the polynomials that the host gave, sum_k u^(k) (t - base)^k / k!
static void fmu_inputs_at(const fmu_instance *f, double t, double *u) {
    const double h = t - f->now.base;
    for (int i = 0; i < FMU_INPUTS; i++) {
        double rest = 0;
        for (int k = FMU_INPUT_ORDERS; k > 0; k--) rest = h / k * (f->now.u_slope[i][k - 1] + rest);
        u[i] = f->now.u[i] + rest;
    }
}

static int fmu_are_finite(int count, const double *value) {
    for (int i = 0; i < count; i++)
        if (!isfinite(value[i])) return 0;
    return 1;
}

// --- making and freeing --------------------------------------------------------------------------

static void *fmu_new(const fmi2CallbackFunctions *host, size_t size) {
    return host->allocateMemory ? host->allocateMemory(1, size) : calloc(1, size);
}

static void fmu_delete(const fmi2CallbackFunctions *host, void *memory) {
    if (host->allocateMemory && host->freeMemory) host->freeMemory(memory);
    else if (!host->allocateMemory) free(memory);
}

// Why no instance is made; NULL: one can be
static const char *fmu_refusal(fmi2String name, fmi2Type kind, fmi2String guid) {
    if (!name || !*name) return "fmi2Instantiate: the instance has no name";
    if (kind != fmi2ModelExchange && kind != fmi2CoSimulation)
        return "fmi2Instantiate: the type is neither model exchange nor co-simulation";
    if (!guid || strcmp(guid, FMU_GUID) != 0)
        return "fmi2Instantiate: the GUID is not that of this code, " FMU_GUID;
    return NULL;
}

FMI2_CALL(fmi2Component, fmi2Instantiate)
(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID, fmi2String fmuResourceLocation,
 const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean loggingOn) {
    (void)fmuResourceLocation, (void)visible;
    if (!functions) return NULL;
    const char *refusal = fmu_refusal(instanceName, fmuType, fmuGUID);
    fmu_instance *f = refusal ? NULL : fmu_new(functions, sizeof *f);
    char *name = f ? fmu_new(functions, strlen(instanceName) + 1) : NULL;
    if (!name) {
        if (f) fmu_delete(functions, f);
        if (functions->logger)
            functions->logger(functions->componentEnvironment, instanceName ? instanceName : "",
                              fmi2Error, fmu_category[FMU_LOG_ERROR], "%s",
                              refusal ? refusal : "fmi2Instantiate: out of memory");
        return NULL;
    }
    strcpy(name, instanceName);
    f->name = name, f->kind = fmuType, f->host = *functions;
    f->logged = loggingOn ? 1u << FMU_LOG_ALL : 0;
    fmu_start_anew(f);
    return f;
}

FMI2_CALL(void, fmi2FreeInstance)(fmi2Component c) {
    fmu_instance *f = c;
    if (!f) return;
    const fmi2CallbackFunctions host = f->host;
    fmu_delete(&host, f->name);
    fmu_delete(&host, f);
}

FMI2_CALL(fmi2Status, fmi2Reset)(fmi2Component c) {
    fmu_instance *f = fmu_enter(c, "fmi2Reset", FMU_ANY, FMU_ANY);
    if (!f) return fmi2Error;
    fmu_start_anew(f);
    return fmi2OK;
}

// --- what both kinds have ------------------------------------------------------------------------

FMI2_CALL(const char *, fmi2GetTypesPlatform)(void) { return fmi2TypesPlatform; }
FMI2_CALL(const char *, fmi2GetVersion)(void) { return fmi2Version; }

FMI2_CALL(fmi2Status, fmi2SetDebugLogging)
(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[]) {
    fmu_instance *f = fmu_enter(c, "fmi2SetDebugLogging", FMU_ANY, FMU_ANY);
    unsigned logged = nCategories ? 0 : 1u << FMU_LOG_ALL;
    if (!f) return fmi2Error;
    if (nCategories && !categories) return fmu_fail(f, "fmi2SetDebugLogging", "a null pointer");
    for (size_t i = 0; i < nCategories; i++) {
        int k = 0;
        while (k < FMU_LOGS && (!categories[i] || strcmp(categories[i], fmu_category[k]) != 0)) k++;
        if (k == FMU_LOGS) return fmu_fail(f, "fmi2SetDebugLogging", "there is no such category");
        logged |= 1u << k;
    }
    if (loggingOn && nCategories) f->logged |= logged;
    else if (loggingOn) f->logged = logged;
    else f->logged = nCategories ? f->logged & ~logged : 0;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2SetupExperiment)
(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
 fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
    static const char call[] = "fmi2SetupExperiment";
    fmu_instance *f = fmu_enter(c, call, FMU_INSTANTIATED, FMU_INSTANTIATED);
    if (!f) return fmi2Error;
    if (!isfinite(startTime)) return fmu_fail(f, call, "the start is no finite time");
    if (stopTimeDefined && !(stopTime >= startTime && isfinite(stopTime)))
        return fmu_fail(f, call, "the stop is not behind the start");
    if (toleranceDefined && !(tolerance > 0 && tolerance < 1))
        return fmu_fail(f, call, "the tolerance is not between 0 and 1");
    f->now.start = f->now.t = f->now.base = startTime;
    f->now.stop = stopTimeDefined ? stopTime : INFINITY;
    f->now.tolerance = toleranceDefined ? fmax(tolerance, FMU_FINEST) : fmu_usual_tolerance;
    f->now.has_experiment = 1;
    fmu_forget(f);
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2EnterInitializationMode)(fmi2Component c) {
    static const char call[] = "fmi2EnterInitializationMode";
    fmu_instance *f = fmu_enter(c, call, FMU_INSTANTIATED, FMU_INSTANTIATED);
    if (!f) return fmi2Error;
    if (!f->now.has_experiment)
        return fmu_fail(f, call, "fmi2SetupExperiment, which says when time starts, comes first");
    f->now.phase = FMU_INITIALIZING;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2Terminate)(fmi2Component c) {
    fmu_instance *f = fmu_enter(c, "fmi2Terminate", FMU_EVENT | FMU_CONTINUOUS,
                                FMU_STEP_COMPLETE | FMU_STEP_FAILED);
    if (!f) return fmi2Error;
    f->now.phase = FMU_TERMINATED;
    return fmi2OK;
}
