// What an integrator sees of a system: functions of (t, z), behind which runs an interpreter or
// compiled code. Make one from a simulation, call its functions, free it; an integrator cannot tell
// which kind it has.
#ifndef HAMEL_EXECUTE_FIELD_H
#define HAMEL_EXECUTE_FIELD_H

#include "codegen/tableau.h"
#include "execute/simulation.h"

typedef struct field field;
struct field {
    const simulation *sim;
    uint32_t size;
    // Each returns false where a result is not a finite number.
    bool (*rate)(field *f, double t, const double *z, double *dz);
    bool (*columns)(field *f, double t, const double *z, double *out); // sim->column_count
    // sim->watched_count, not 0; nothing is said of values that are not finite
    void (*watch)(field *f, double t, const double *z, double *out);
    // One for each event of the model; NULL if there are none
    bool (*events)(field *f, double t, const double *z, double *out);
    bool (*jacobian)(field *f, double t, const double *z, double *out); // size x size, row by row
    // Taylor coefficients z_0 .. z_order of the solution through (t, z): out[k * size + i].
    bool (*jet)(field *f, double t, const double *z, uint32_t order, double *out);
    // An attempt of a step of the length h by a Runge-Kutta pair: from (t, z) and the first stage
    // in k the other stages up to the last, the argument of the stage before that in `work`, the
    // solution in z1, and the size of its error, which is not finite where a stage is not. The
    // last stage is made where the size is at most 1 (infinite where that stage is not finite),
    // or counts in it. False: there is no code for it, and nothing was done. NULL itself: there
    // never is.
    bool (*attempt)(field *f, const tableau *pair, double t, const double *z, double h,
                    double tolerance, double *k, double *work, double *z1, double *size);
    // sim->parameter_value has changed: what was computed of it is computed anew
    void (*take_parameters)(field *f);
    void (*release)(field *f);
    const char *how; // "compiled", "interpreted"
    bool repeats;    // one motion follows another, and nobody knows how many
    uint64_t rate_calls, jet_calls, jacobian_calls;
    // what Taylor's method found best for these rates at a tolerance; order 0: nothing yet
    struct {
        double tolerance, reach;
        uint32_t order;
    } series_plan;
};

field *field_interpreted(simulation *sim);
void field_free(field *f);

#endif
