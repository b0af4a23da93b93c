// Model exchange: the host integrates, and asks for rates and indicators.
#include "instance.h"

enum { FMU_AFTER_START = FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED | FMU_IN_ERROR };

FMI2_CALL(fmi2Status, fmi2EnterEventMode)(fmi2Component c) {
    fmu_instance *f = fmu_enter(c, "fmi2EnterEventMode", FMU_EVENT | FMU_CONTINUOUS, FMU_NEVER);
    if (!f) return fmi2Error;
    f->now.phase = FMU_EVENT;
    f->now.needs_update = 1;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info) {
    static const char call[] = "fmi2NewDiscreteStates";
    fmu_instance *f = fmu_enter(c, call, FMU_EVENT, FMU_NEVER);
    if (!f) return fmi2Error;
    if (!info) return fmu_fail(f, call, "a null pointer");
    const fmu_happening what = fmu_update(f);
    if (what.failure) return fmu_fail(f, call, what.failure);
    f->now.needs_update = 0;
    f->now.has_ended = f->now.has_ended || what.stops;
    const double next = fmin(fmu_next_tick(f), fmu_next_knot(f->now.t, 0));
    info->newDiscreteStatesNeeded = fmi2False;
    info->terminateSimulation = f->now.has_ended;
    info->nominalsOfContinuousStatesChanged = fmi2False;
    info->valuesOfContinuousStatesChanged = what.changed & 1;
    info->nextEventTimeDefined = isfinite(next);
    info->nextEventTime = isfinite(next) ? next : 0;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2EnterContinuousTimeMode)(fmi2Component c) {
    static const char call[] = "fmi2EnterContinuousTimeMode";
    fmu_instance *f = fmu_enter(c, call, FMU_EVENT, FMU_NEVER);
    if (!f) return fmi2Error;
    if (f->now.needs_update) return fmu_fail(f, call, "fmi2NewDiscreteStates comes first");
    f->now.phase = FMU_CONTINUOUS;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2CompletedIntegratorStep)
(fmi2Component c, fmi2Boolean keepsNoEarlierState, fmi2Boolean *enterEventMode,
 fmi2Boolean *terminateSimulation) {
    static const char call[] = "fmi2CompletedIntegratorStep";
    fmu_instance *f = fmu_enter(c, call, FMU_CONTINUOUS, FMU_NEVER);
    (void)keepsNoEarlierState;
    if (!f) return fmi2Error;
    if (!enterEventMode || !terminateSimulation) return fmu_fail(f, call, "a null pointer");
    *enterEventMode = *terminateSimulation = fmi2False;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2SetTime)(fmi2Component c, fmi2Real time) {
    static const char call[] = "fmi2SetTime";
    fmu_instance *f = fmu_enter(c, call, FMU_EVENT | FMU_CONTINUOUS, FMU_NEVER);
    if (!f) return fmi2Error;
    if (!isfinite(time)) return fmu_fail(f, call, "it is no finite time");
    f->now.t = time;
    fmu_forget(f);
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2SetContinuousStates)(fmi2Component c, const fmi2Real x[], size_t nx) {
    static const char call[] = "fmi2SetContinuousStates";
    fmu_instance *f = fmu_enter(c, call, FMU_CONTINUOUS, FMU_NEVER);
    if (!f) return fmi2Error;
    if (!x || nx != FMU_STATES)
        return fmu_fail(f, call, x ? "another number of states" : "a null pointer");
    if (!fmu_are_finite(FMU_STATES, x))
        return fmu_say(f, fmi2Discard, "%s: no finite number; nothing was set", call);
    memcpy(f->now.z, x, sizeof(double) * FMU_STATES);
    fmu_forget(f);
    return fmi2OK;
}

// Values for the host: as many as it expects, and told where one is no number
static fmi2Status fmu_give(fmu_instance *f, const char *call, int count, const double *value,
                           fmi2Real *out, size_t room) {
    if (!out && room) return fmu_fail(f, call, "a null pointer");
    if (room != (size_t)count) return fmu_fail(f, call, "another number of values");
    for (int i = 0; i < count; i++) out[i] = value[i];
    return fmu_are_finite(count, value)
               ? fmi2OK
               : fmu_say(f, fmi2Discard, "%s: a value is no finite number", call);
}

FMI2_CALL(fmi2Status, fmi2GetDerivatives)(fmi2Component c, fmi2Real derivatives[], size_t nx) {
    fmu_instance *f = fmu_enter(c, "fmi2GetDerivatives", FMU_AFTER_START, FMU_NEVER);
    if (!f) return fmi2Error;
    return fmu_give(f, "fmi2GetDerivatives", FMU_STATES, fmu_rates(f), derivatives, nx);
}

FMI2_CALL(fmi2Status, fmi2GetEventIndicators)(fmi2Component c, fmi2Real indicators[], size_t ni) {
    double value[FMU_ROOM(FMU_EVENTS)] = {0};
    fmu_instance *f =
        fmu_enter(c, "fmi2GetEventIndicators", FMU_INITIALIZING | FMU_AFTER_START, FMU_NEVER);
    if (!f) return fmi2Error;
    if (FMU_EVENTS) fmu_events_at(f, f->now.t, f->now.z, value);
    for (int e = 0; e < FMU_EVENTS; e++) value[e] = fmu_indicator(f, e, value[e]);
    return fmu_give(f, "fmi2GetEventIndicators", FMU_EVENTS, value, indicators, ni);
}

FMI2_CALL(fmi2Status, fmi2GetContinuousStates)(fmi2Component c, fmi2Real x[], size_t nx) {
    fmu_instance *f =
        fmu_enter(c, "fmi2GetContinuousStates", FMU_INITIALIZING | FMU_AFTER_START, FMU_NEVER);
    if (!f) return fmi2Error;
    return fmu_give(f, "fmi2GetContinuousStates", FMU_STATES, f->now.z, x, nx);
}

FMI2_CALL(fmi2Status, fmi2GetNominalsOfContinuousStates)
(fmi2Component c, fmi2Real nominal[], size_t nx) {
    double value[FMU_ROOM(FMU_STATES)] = {0};
    fmu_instance *f = fmu_enter(c, "fmi2GetNominalsOfContinuousStates",
                                FMU_INSTANTIATED | FMU_AFTER_START, FMU_NEVER);
    if (!f) return fmi2Error;
    for (int i = 0; i < FMU_STATES; i++) value[i] = 1;
    return fmu_give(f, "fmi2GetNominalsOfContinuousStates", FMU_STATES, value, nominal, nx);
}
