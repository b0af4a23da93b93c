// One instance of an FMU: what a host may save and bring back (fmu_situation), and what belongs to
// the instance for its life. model.h, written with each model, has counts, tables and functions.
//
// Value references of reals, one block behind the other: the time; states; their derivatives;
// parameters; inputs; values that are calculated. Integers: how often each event has happened.
#ifndef FMU_INSTANCE_H
#define FMU_INSTANCE_H

#include "fmi2.h"
#include "model.h"

enum {
    FMU_TIME = 0,
    FMU_FIRST_STATE = 1,
    FMU_FIRST_RATE = FMU_FIRST_STATE + FMU_STATES,
    FMU_FIRST_PARAMETER = FMU_FIRST_RATE + FMU_STATES,
    FMU_FIRST_INPUT = FMU_FIRST_PARAMETER + FMU_PARAMETERS,
    FMU_FIRST_SHOWN = FMU_FIRST_INPUT + FMU_INPUTS,
    FMU_REALS = FMU_FIRST_SHOWN + FMU_SHOWN,
    FMU_INPUT_ORDERS = 4 // of derivatives of inputs
};
#define FMU_FINEST 1e-14 // a smaller tolerance asks for more digits than there are
#define FMU_ROOM(count) ((count) > 0 ? (count) : 1) // C has no empty arrays

// Where an instance is in the order of calls (FMI 2.0, sections 2.1.3, 3.2.3, 4.2.4), as bits
typedef enum {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZING = 2,
    FMU_EVENT = 4,          // event mode
    FMU_CONTINUOUS = 8,     // continuous-time mode
    FMU_STEP_COMPLETE = 16, // between two steps of a co-simulation
    FMU_STEP_FAILED = 32,
    FMU_TERMINATED = 64,
    FMU_IN_ERROR = 128,
    FMU_NEVER = 0,
    FMU_ANY = 255
} fmu_phase;

// All that the motion depends on. The bytes of it are a saved state.
typedef struct {
    int phase;
    int has_experiment; // fmi2SetupExperiment was called
    int needs_update;   // event mode was entered, and fmi2NewDiscreteStates not called since
    int has_ended;      // by an event that stops the motion
    int last_status;    // of fmi2DoStep
    double start, stop; // stop is infinite where none was said
    double tolerance;   // of co-simulation, relative
    double t;
    double step; // of the integrator, the next to be tried; 0: not known
    double base; // the time that derivatives of inputs count from
    double z[FMU_ROOM(FMU_STATES)];
    double p[FMU_ROOM(FMU_PARAMETERS)];
    double u[FMU_ROOM(FMU_INPUTS)]; // at `base`
    double u_slope[FMU_ROOM(FMU_INPUTS)][FMU_INPUT_ORDERS];
    // of each event: is its function taken to be positive, and how far must it come to the other
    // side to have crossed 0
    int positive[FMU_ROOM(FMU_EVENTS)];
    double slack[FMU_ROOM(FMU_EVENTS)];
    int count[FMU_ROOM(FMU_EVENTS)];
    double ticks[FMU_ROOM(FMU_RESETS)]; // of each clock, a whole number
} fmu_situation;

typedef struct {
    fmu_situation now;
    fmu_parameters system; // made of now.p
    fmi2Type kind;
    fmi2CallbackFunctions host;
    char *name;
    unsigned logged; // a bit for each category
    // Of the situation, made when first asked for
    int has_rates, has_shown, has_slopes;
    double rate[FMU_ROOM(FMU_STATES)];
    double shown[FMU_ROOM(FMU_SHOWN)];
    double slopes[FMU_ROOM(FMU_SLOPES)];
} fmu_instance;

#endif
