// The engine that runs one motion after the other by the driver of `simulate`: it treats all that a
// smooth motion has, and what other engines leave to it. Each worker prepares its motions in its
// own thread; those of the first are prepared with the engine, and tell of what is wrong with the
// model.
#ifndef HAMEL_API_SWEEP_SCALAR_H
#define HAMEL_API_SWEEP_SCALAR_H

#include "api/sweep_worker.h"

typedef struct {
    sweep_engine base; // first
    guard open;        // a call that is left in between closes the motions of its workers, too
    sweep_setting_up how;
    sweep_worker **worker; // of each thread, NULL until it is needed
    sweep_starts starts;
    char words[128];
} scalar_engine;

// In a call on the context of the model, in which errors are said if it `tells`; released by its
// release().
hamel_status sweep_scalar_create(const sweep_setting_up *how, uint32_t workers, bool tells,
                                 scalar_engine **out);
// The system for an engine that steps it otherwise, with starts by the workers of this one, and
// that leaves to it (run() with one run) what it cannot do itself.
hamel_status sweep_scalar_system(scalar_engine *e, sweep_system *out);
// The worker of a thread, made there if there is none yet; NULL: there is no memory
sweep_worker *sweep_scalar_worker(scalar_engine *e, uint32_t worker);

#endif
