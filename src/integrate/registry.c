// The list of integrators.
#include "integrate/integrator.h"

#include <string.h>

#define INTEGRATOR(id) extern const integrator integrator_##id;
#include "integrate/integrators.def"
#undef INTEGRATOR

static const integrator *const integrators[] = {
#define INTEGRATOR(id) &integrator_##id,
#include "integrate/integrators.def"
#undef INTEGRATOR
};

enum { COUNT = sizeof integrators / sizeof *integrators };

uint32_t integrator_count(void) { return COUNT; }
const integrator *integrator_at(uint32_t index) { return integrators[index]; }

const integrator *integrator_find(const char *id) {
    for (uint32_t i = 0; i < COUNT; i++)
        if (strcmp(integrators[i]->id, id) == 0) return integrators[i];
    return NULL;
}

const integrator *integrator_extended(void) {
    uint32_t i = 0;
    while (i < COUNT && !integrators[i]->extended) i++;
    return i < COUNT ? integrators[i] : NULL;
}

double integrator_residual(const integrator *method, double tolerance) {
    return (method->multistep ? 100 : 0.1) * tolerance;
}
