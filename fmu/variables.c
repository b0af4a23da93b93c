// Variables by their value references, and directional derivatives.
#include "instance.h"

enum {
    FMU_WITH_VALUES = FMU_INITIALIZING | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP_COMPLETE |
                      FMU_STEP_FAILED | FMU_TERMINATED | FMU_IN_ERROR,
    FMU_BEFORE_START = FMU_INSTANTIATED | FMU_INITIALIZING
};

// --- reading -------------------------------------------------------------------------------------

static const double *fmu_rates(fmu_instance *f) {
    double u[FMU_ROOM(FMU_INPUTS)];
    fmu_inputs_at(f, f->now.t, u);
    if (!f->has_rates) fmu_rate(&f->system, f->now.t, f->now.z, u, f->rate);
    f->has_rates = 1;
    return f->rate;
}

static const double *fmu_values(fmu_instance *f) {
    double u[FMU_ROOM(FMU_INPUTS)];
    fmu_inputs_at(f, f->now.t, u);
    if (!f->has_shown) fmu_shown(&f->system, f->now.t, f->now.z, u, f->shown);
    f->has_shown = 1;
    return f->shown;
}

static double fmu_real(fmu_instance *f, fmi2ValueReference vr) {
    double u[FMU_ROOM(FMU_INPUTS)];
    if (vr == FMU_TIME) return f->now.t;
    if (vr < FMU_FIRST_RATE) return f->now.z[vr - FMU_FIRST_STATE];
    if (vr < FMU_FIRST_PARAMETER) return fmu_rates(f)[vr - FMU_FIRST_RATE];
    if (vr < FMU_FIRST_INPUT) return f->now.p[vr - FMU_FIRST_PARAMETER];
    if (vr >= FMU_FIRST_SHOWN) return fmu_values(f)[vr - FMU_FIRST_SHOWN];
    fmu_inputs_at(f, f->now.t, u);
    return u[vr - FMU_FIRST_INPUT];
}

static int fmu_is_input(fmi2ValueReference vr) {
    const fmi2ValueReference inputs = FMU_INPUTS;
    return vr - FMU_FIRST_INPUT < inputs;
}

// What is wrong with a list of references; NULL: nothing
static const char *fmu_list_fault(const fmi2ValueReference *vr, size_t count, const void *value,
                                  fmi2ValueReference variables) {
    if (count && (!vr || !value)) return "a null pointer";
    for (size_t i = 0; i < count; i++)
        if (vr[i] >= variables) return "there is no variable of this value reference";
    return NULL;
}

FMI2_CALL(fmi2Status, fmi2GetReal)(fmi2Component c, FMI2_LIST, fmi2Real value[]) {
    fmu_instance *f = fmu_enter(c, "fmi2GetReal", FMU_WITH_VALUES, FMU_WITH_VALUES);
    if (!f) return fmi2Error;
    const char *fault = fmu_list_fault(vr, nvr, value, FMU_REALS);
    if (fault) return fmu_fail(f, "fmi2GetReal", fault);
    int finite = 1;
    for (size_t i = 0; i < nvr; i++) {
        value[i] = fmu_real(f, vr[i]);
        finite = finite && isfinite(value[i]);
    }
    return finite ? fmi2OK : fmu_say(f, fmi2Discard, "fmi2GetReal: a value is no finite number");
}

FMI2_CALL(fmi2Status, fmi2GetInteger)(fmi2Component c, FMI2_LIST, fmi2Integer value[]) {
    fmu_instance *f = fmu_enter(c, "fmi2GetInteger", FMU_WITH_VALUES, FMU_WITH_VALUES);
    if (!f) return fmi2Error;
    const char *fault = fmu_list_fault(vr, nvr, value, FMU_EVENTS);
    if (fault) return fmu_fail(f, "fmi2GetInteger", fault);
    for (size_t i = 0; i < nvr; i++) value[i] = f->now.count[vr[i]];
    return fmi2OK;
}

// --- setting -------------------------------------------------------------------------------------

// In which phases the host may set it
static int fmu_may_be_set(fmi2ValueReference vr) {
    if (vr == FMU_TIME) return FMU_NEVER;
    if (vr < FMU_FIRST_RATE) return FMU_BEFORE_START;
    if (vr < FMU_FIRST_PARAMETER) return FMU_NEVER;
    if (vr >= FMU_FIRST_SHOWN) return FMU_NEVER;
    if (vr >= FMU_FIRST_INPUT)
        return FMU_BEFORE_START | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP_COMPLETE;
    switch (fmu_parameter_kind[vr - FMU_FIRST_PARAMETER]) {
    case FMU_TUNABLE: return FMU_BEFORE_START | FMU_EVENT | FMU_STEP_COMPLETE;
    case FMU_DISCRETE: return FMU_BEFORE_START;
    default: return FMU_NEVER;
    }
}

// An input that jumps: its polynomial begins here.
static void fmu_set_input(fmu_instance *f, fmi2ValueReference input, double value) {
    f->now.u[input] = value;
    for (int k = 0; k < FMU_INPUT_ORDERS; k++) f->now.u_slope[input][k] = 0;
}

// All polynomials begin at this time.
static void fmu_move_base(fmu_instance *f, double t, int straight) {
    double u[FMU_ROOM(FMU_INPUTS)];
    fmu_inputs_at(f, t, u);
    for (int i = 0; i < FMU_INPUTS; i++)
        if (straight) fmu_set_input(f, (fmi2ValueReference)i, u[i]);
    f->now.base = t;
}

FMI2_CALL(fmi2Status, fmi2SetReal)(fmi2Component c, FMI2_LIST, const fmi2Real value[]) {
    enum { SOMETIMES = FMU_BEFORE_START | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP_COMPLETE };
    static const char call[] = "fmi2SetReal";
    fmu_instance *f = fmu_enter(c, call, SOMETIMES, SOMETIMES);
    if (!f) return fmi2Error;
    const char *fault = fmu_list_fault(vr, nvr, value, FMU_REALS);
    if (fault) return fmu_fail(f, call, fault);
    for (size_t i = 0; i < nvr; i++)
        if (!(fmu_may_be_set(vr[i]) & f->now.phase))
            return fmu_fail(f, call, "a variable that may not be set now, or never");
    for (size_t i = 0; i < nvr; i++)
        if (!isfinite(value[i]))
            return fmu_say(f, fmi2Discard, "%s: no finite number; nothing was set", call);
    int has_parameters = 0;
    for (size_t i = 0; i < nvr; i++) {
        if (vr[i] < FMU_FIRST_RATE) f->now.z[vr[i] - FMU_FIRST_STATE] = value[i];
        else if (vr[i] >= FMU_FIRST_INPUT) fmu_set_input(f, vr[i] - FMU_FIRST_INPUT, value[i]);
        else f->now.p[vr[i] - FMU_FIRST_PARAMETER] = value[i], has_parameters = 1;
    }
    if (has_parameters) fmu_take_parameters(f);
    else fmu_forget(f);
    return fmi2OK;
}

// --- kinds of variables that there are none of, or none to be set --------------------------------

static fmi2Status fmu_none(fmi2Component c, const char *call, int phases, size_t count) {
    fmu_instance *f = fmu_enter(c, call, phases, phases);
    if (!f) return fmi2Error;
    return count ? fmu_fail(f, call, "there is no variable of this value reference") : fmi2OK;
}

enum { FMU_SETS_WHOLE = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_EVENT | FMU_STEP_COMPLETE };

FMI2_CALL(fmi2Status, fmi2GetBoolean)(fmi2Component c, FMI2_LIST, fmi2Boolean value[]) {
    (void)vr, (void)value;
    return fmu_none(c, "fmi2GetBoolean", FMU_WITH_VALUES, nvr);
}
FMI2_CALL(fmi2Status, fmi2GetString)(fmi2Component c, FMI2_LIST, fmi2String value[]) {
    (void)vr, (void)value;
    return fmu_none(c, "fmi2GetString", FMU_WITH_VALUES, nvr);
}
FMI2_CALL(fmi2Status, fmi2SetInteger)(fmi2Component c, FMI2_LIST, const fmi2Integer value[]) {
    (void)vr, (void)value;
    return fmu_none(c, "fmi2SetInteger", FMU_SETS_WHOLE, nvr);
}
FMI2_CALL(fmi2Status, fmi2SetBoolean)(fmi2Component c, FMI2_LIST, const fmi2Boolean value[]) {
    (void)vr, (void)value;
    return fmu_none(c, "fmi2SetBoolean", FMU_SETS_WHOLE, nvr);
}
FMI2_CALL(fmi2Status, fmi2SetString)(fmi2Component c, FMI2_LIST, const fmi2String value[]) {
    (void)vr, (void)value;
    return fmu_none(c, "fmi2SetString", FMU_SETS_WHOLE, nvr);
}

// --- directional derivatives ---------------------------------------------------------------------

// Slopes stand row by row: rates, then shown values; columns: states, the time, inputs.
enum { FMU_COLUMNS = FMU_STATES + 1 + FMU_INPUTS };

// The column of a known, -1: there is none
static int fmu_known_column(fmi2ValueReference vr) {
    if (vr == FMU_TIME) return FMU_STATES;
    if (vr < FMU_FIRST_RATE) return (int)vr - FMU_FIRST_STATE;
    if (fmu_is_input(vr)) return FMU_STATES + 1 + (int)(vr - FMU_FIRST_INPUT);
    return -1;
}

// d unknown / d (column of a known)
static double fmu_slope(const fmu_instance *f, fmi2ValueReference vr, int column) {
    if (vr < FMU_FIRST_RATE) return (int)vr - FMU_FIRST_STATE == column; // a state that is shown
    const int row = vr < FMU_FIRST_PARAMETER ? (int)vr - FMU_FIRST_RATE
                                             : FMU_STATES + (int)vr - FMU_FIRST_SHOWN;
    return f->slopes[row * FMU_COLUMNS + column];
}

static int fmu_is_unknown(fmi2ValueReference vr) {
    return (vr >= FMU_FIRST_STATE && vr < FMU_FIRST_PARAMETER) ||
           (vr >= FMU_FIRST_SHOWN && vr < FMU_REALS);
}

FMI2_CALL(fmi2Status, fmi2GetDirectionalDerivative)
(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
 const fmi2ValueReference known[], size_t knowns, const fmi2Real direction[], fmi2Real slope[]) {
    static const char call[] = "fmi2GetDirectionalDerivative";
    double u[FMU_ROOM(FMU_INPUTS)];
    fmu_instance *f = fmu_enter(c, call, FMU_WITH_VALUES, FMU_WITH_VALUES);
    if (!f) return fmi2Error;
    if (!FMU_SLOPES) return fmu_fail(f, call, "this FMU does not provide it");
    if ((unknowns && (!unknown || !slope)) || (knowns && (!known || !direction)))
        return fmu_fail(f, call, "a null pointer");
    for (size_t i = 0; i < unknowns; i++)
        if (!fmu_is_unknown(unknown[i]))
            return fmu_fail(f, call, "an unknown is no state, derivative or calculated value");
    for (size_t j = 0; j < knowns; j++) {
        if (fmu_known_column(known[j]) < 0)
            return fmu_fail(f, call, "a known is no state, no input and not the time");
        if (!isfinite(direction[j]))
            return fmu_say(f, fmi2Discard, "%s: no finite direction", call);
    }
    fmu_inputs_at(f, f->now.t, u);
    if (!f->has_slopes) fmu_slopes(&f->system, f->now.t, f->now.z, u, f->slopes);
    f->has_slopes = 1;
    int finite = 1;
    for (size_t i = 0; i < unknowns; i++) {
        slope[i] = 0;
        for (size_t j = 0; j < knowns; j++)
            slope[i] += fmu_slope(f, unknown[i], fmu_known_column(known[j])) * direction[j];
        finite = finite && isfinite(slope[i]);
    }
    return finite ? fmi2OK : fmu_say(f, fmi2Discard, "%s: a slope is no finite number", call);
}
