// Co-simulation: the FMU integrates by itself from one communication point to the next.
#include "instance.h"

// Of one step of the host: events at one time, events, steps of the integrator
enum { FMU_MOST_AT_ONCE = 100, FMU_MOST_EVENTS = 100000, FMU_MOST_STEPS = 1000000 };

// Both kinds are ready to run.
FMI2_CALL(fmi2Status, fmi2ExitInitializationMode)(fmi2Component c) {
    static const char call[] = "fmi2ExitInitializationMode";
    fmu_instance *f = fmu_enter(c, call, FMU_INITIALIZING, FMU_INITIALIZING);
    if (!f) return fmi2Error;
    fmu_begin_events(f);
    f->now.needs_update = 1;
    f->now.phase = f->kind == fmi2ModelExchange ? FMU_EVENT : FMU_STEP_COMPLETE;
    if (f->kind == fmi2ModelExchange) return fmi2OK;
    const fmu_happening what = fmu_update(f); // clocks tick at the start
    return what.failure ? fmu_fail(f, call, what.failure) : fmi2OK;
}

static fmi2Status fmu_stop_step(fmu_instance *f, const char *why) {
    f->now.phase = FMU_STEP_FAILED;
    f->now.last_status = fmi2Discard;
    return fmu_say(f, fmi2Discard, "fmi2DoStep: at t = %.17g %s", f->now.t, why);
}

// To the end of the step, from one event, tick or point of data to the next. NULL: it is there.
static const char *fmu_run_to(fmu_instance *f, double end) {
    int at_once = 0;
    for (long events = 0, steps = 0; f->now.t < end; steps++) {
        const double before = f->now.t, tick = fmu_next_tick(f);
        const double to = fmin(end, fmin(tick, fmu_next_knot(f->now.t, 1)));
        int crossed = 0;
        if (steps == FMU_MOST_STEPS) return "the motion is too fast for steps of this length";
        if (to > f->now.t && !fmu_advance(f, to, &crossed))
            return "the integration cannot go on: no step is short enough, or a rate is no number";
        if (!crossed && !fmu_is_due(tick, f->now.t)) continue;
        const fmu_happening what = fmu_update(f);
        f->now.step = 0; // the motion behind it may be another one
        if (what.failure) return what.failure;
        f->now.has_ended = what.stops;
        if (what.stops) return "an event stops the motion";
        at_once = f->now.t > before ? 0 : at_once + 1;
        if (at_once > FMU_MOST_AT_ONCE || ++events > FMU_MOST_EVENTS)
            return "events or ticks follow one another without end";
    }
    return NULL;
}

FMI2_CALL(fmi2Status, fmi2DoStep)
(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
 fmi2Boolean keepsNoEarlierState) {
    static const char call[] = "fmi2DoStep";
    fmu_instance *f = fmu_enter(c, call, FMU_NEVER, FMU_STEP_COMPLETE);
    (void)keepsNoEarlierState;
    if (!f) return fmi2Error;
    const double end = currentCommunicationPoint + communicationStepSize;
    const double rounding = 1e-12 * fmax(fabs(f->now.t), 1);
    if (!(communicationStepSize > 0) || !isfinite(end))
        return fmu_fail(f, call, "the length of the step is no positive number");
    if (!(fabs(currentCommunicationPoint - f->now.t) <= rounding))
        return fmu_fail(f, call, "the step does not begin where the last one ended");
    if (end > f->now.stop + rounding) return fmu_fail(f, call, "the step leads beyond the stop");
    fmu_move_base(f, f->now.t, 0);
    const char *why = fmu_run_to(f, end);
    fmu_move_base(f, f->now.t, 1);
    if (why) return fmu_stop_step(f, why);
    f->now.last_status = fmi2OK;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2CancelStep)(fmi2Component c) { // no step goes on behind a call
    fmu_enter(c, "fmi2CancelStep", FMU_NEVER, FMU_NEVER);
    return fmi2Error;
}

FMI2_CALL(fmi2Status, fmi2SetRealInputDerivatives)
(fmi2Component c, FMI2_LIST, const fmi2Integer order[], const fmi2Real value[]) {
    enum { PHASES = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEP_COMPLETE };
    static const char call[] = "fmi2SetRealInputDerivatives";
    fmu_instance *f = fmu_enter(c, call, FMU_NEVER, PHASES);
    if (!f) return fmi2Error;
    if (nvr && (!vr || !order || !value)) return fmu_fail(f, call, "a null pointer");
    for (size_t i = 0; i < nvr; i++) {
        if (!fmu_is_input(vr[i])) return fmu_fail(f, call, "a variable that is no input");
        if (order[i] < 1) return fmu_fail(f, call, "an order that is not positive");
        if (order[i] > FMU_INPUT_ORDERS)
            return fmu_say(f, fmi2Discard, "%s: of orders above %d nothing is taken", call,
                           FMU_INPUT_ORDERS);
        if (!isfinite(value[i]))
            return fmu_say(f, fmi2Discard, "%s: no finite number; nothing was set", call);
    }
    fmu_move_base(f, f->now.t, 0);
    for (size_t i = 0; i < nvr; i++)
        f->now.u_slope[vr[i] - FMU_FIRST_INPUT][order[i] - 1] = value[i];
    fmu_forget(f);
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2GetRealOutputDerivatives)
(fmi2Component c, FMI2_LIST, const fmi2Integer order[], fmi2Real value[]) {
    enum { PHASES = FMU_STEP_COMPLETE | FMU_STEP_FAILED | FMU_TERMINATED | FMU_IN_ERROR };
    static const char call[] = "fmi2GetRealOutputDerivatives";
    fmu_instance *f = fmu_enter(c, call, FMU_NEVER, PHASES);
    (void)vr, (void)order, (void)value;
    if (!f) return fmi2Error;
    return nvr ? fmu_fail(f, call, "this FMU does not provide it") : fmi2OK;
}

// --- how the last step ended ---------------------------------------------------------------------

// The instance, where the host asks for this kind of status and has room for it
static fmu_instance *fmu_asked(fmi2Component c, const char *call, const void *value) {
    fmu_instance *f =
        fmu_enter(c, call, FMU_NEVER, FMU_STEP_COMPLETE | FMU_STEP_FAILED | FMU_TERMINATED);
    if (f && !value) fmu_fail(f, call, "a null pointer");
    return value ? f : NULL;
}

FMI2_CALL(fmi2Status, fmi2GetStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Status *value) {
    const fmu_instance *f = fmu_asked(c, "fmi2GetStatus", value);
    if (!f) return fmi2Error;
    if (kind != fmi2DoStepStatus) return fmu_say(f, fmi2Discard, "fmi2GetStatus: another kind");
    *value = (fmi2Status)f->now.last_status;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2GetRealStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
    const fmu_instance *f = fmu_asked(c, "fmi2GetRealStatus", value);
    if (!f) return fmi2Error;
    if (kind != fmi2LastSuccessfulTime)
        return fmu_say(f, fmi2Discard, "fmi2GetRealStatus: another kind");
    *value = f->now.t;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2GetIntegerStatus)
(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value) {
    const fmu_instance *f = fmu_asked(c, "fmi2GetIntegerStatus", value);
    (void)kind;
    return f ? fmu_say(f, fmi2Discard, "fmi2GetIntegerStatus: there is none") : fmi2Error;
}

FMI2_CALL(fmi2Status, fmi2GetBooleanStatus)
(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    const fmu_instance *f = fmu_asked(c, "fmi2GetBooleanStatus", value);
    if (!f) return fmi2Error;
    if (kind != fmi2Terminated)
        return fmu_say(f, fmi2Discard, "fmi2GetBooleanStatus: another kind");
    *value = f->now.has_ended;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2GetStringStatus)
(fmi2Component c, fmi2StatusKind kind, fmi2String *value) {
    const fmu_instance *f = fmu_asked(c, "fmi2GetStringStatus", value);
    (void)kind;
    return f ? fmu_say(f, fmi2Discard, "fmi2GetStringStatus: no step is pending") : fmi2Error;
}
