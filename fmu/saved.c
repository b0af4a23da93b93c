// Saved states: copies of a situation, in memory and as bytes.
#include "instance.h"

#include <string.h>

// What stands in front of the bytes: they are read back by the same code, for the same kind of FMU.
typedef struct {
    char guid[sizeof FMU_GUID];
    int kind;
} fmu_label;

typedef struct {
    fmu_label label;
    fmu_situation then;
} fmu_saved;

static void fmu_write_label(const fmu_instance *f, fmu_label *label) {
    memset(label, 0, sizeof *label);
    memcpy(label->guid, FMU_GUID, sizeof label->guid);
    label->kind = f->kind;
}

static int fmu_is_ours(const fmu_instance *f, const fmu_saved *saved) {
    fmu_label label;
    fmu_write_label(f, &label);
    return memcmp(&label, &saved->label, sizeof label) == 0;
}

// Bytes that another hand has changed may hold numbers that no situation has.
static int fmu_is_sound(const fmu_instance *f, const fmu_situation *s) {
    const int common = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_TERMINATED | FMU_IN_ERROR;
    const int own = f->kind == fmi2ModelExchange ? FMU_EVENT | FMU_CONTINUOUS
                                                 : FMU_STEP_COMPLETE | FMU_STEP_FAILED;
    if (s->phase <= 0 || s->phase & (s->phase - 1) || !(s->phase & (common | own))) return 0;
    for (int i = 0; i < FMU_RESETS; i++)
        if (!(s->ticks[i] >= 0 && s->ticks[i] <= 1e15)) return 0;
    return isfinite(s->t) && isfinite(s->start) && isfinite(s->base) && s->stop >= s->start &&
           s->tolerance >= FMU_FINEST && s->tolerance < 1 && s->step >= 0 && isfinite(s->step) &&
           s->last_status >= fmi2OK && s->last_status <= fmi2Error;
}

FMI2_CALL(fmi2Status, fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    static const char call[] = "fmi2GetFMUstate";
    fmu_instance *f = fmu_enter(c, call, FMU_ANY, FMU_ANY);
    if (!f) return fmi2Error;
    if (!state) return fmu_fail(f, call, "a null pointer");
    fmu_saved *saved = *state ? *state : fmu_new(&f->host, sizeof *saved); // an old one is reused
    if (!saved) return fmu_fail(f, call, "out of memory");
    if (*state && !fmu_is_ours(f, saved)) return fmu_fail(f, call, "a state of another FMU");
    memset(saved, 0, sizeof *saved);
    fmu_write_label(f, &saved->label);
    memcpy(&saved->then, &f->now, sizeof f->now);
    *state = saved;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state) {
    static const char call[] = "fmi2SetFMUstate";
    fmu_instance *f = fmu_enter(c, call, FMU_ANY, FMU_ANY);
    const fmu_saved *saved = state;
    if (!f) return fmi2Error;
    if (!saved) return fmu_fail(f, call, "a null pointer");
    if (!fmu_is_ours(f, saved)) return fmu_fail(f, call, "a state of another FMU");
    memcpy(&f->now, &saved->then, sizeof f->now);
    fmu_take_parameters(f);
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    fmu_instance *f = fmu_enter(c, "fmi2FreeFMUstate", FMU_ANY, FMU_ANY);
    if (!f) return fmi2Error;
    if (!state || !*state) return fmi2OK;
    fmu_delete(&f->host, *state);
    *state = NULL;
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2SerializedFMUstateSize)
(fmi2Component c, fmi2FMUstate state, size_t *size) {
    static const char call[] = "fmi2SerializedFMUstateSize";
    fmu_instance *f = fmu_enter(c, call, FMU_ANY, FMU_ANY);
    if (!f) return fmi2Error;
    if (!state || !size) return fmu_fail(f, call, "a null pointer");
    *size = sizeof(fmu_saved);
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2SerializeFMUstate)
(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    static const char call[] = "fmi2SerializeFMUstate";
    fmu_instance *f = fmu_enter(c, call, FMU_ANY, FMU_ANY);
    if (!f) return fmi2Error;
    if (!state || !bytes) return fmu_fail(f, call, "a null pointer");
    if (size < sizeof(fmu_saved)) return fmu_fail(f, call, "there is too little room");
    memcpy(bytes, state, sizeof(fmu_saved));
    return fmi2OK;
}

FMI2_CALL(fmi2Status, fmi2DeSerializeFMUstate)
(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    static const char call[] = "fmi2DeSerializeFMUstate";
    fmu_instance *f = fmu_enter(c, call, FMU_ANY, FMU_ANY);
    fmu_saved read;
    if (!f) return fmi2Error;
    if (!bytes || !state) return fmu_fail(f, call, "a null pointer");
    if (size < sizeof read) return fmu_fail(f, call, "these bytes are cut off");
    memcpy(&read, bytes, sizeof read);
    if (!fmu_is_ours(f, &read) || !fmu_is_sound(f, &read.then))
        return fmu_fail(f, call, "these bytes are no saved state of this FMU");
    fmu_saved *saved = *state ? *state : fmu_new(&f->host, sizeof *saved);
    if (!saved) return fmu_fail(f, call, "out of memory");
    memcpy(saved, &read, sizeof read);
    *state = saved;
    return fmi2OK;
}
