// One call of hamel_model_codegen() under way: the system, its functions, the project that targets
// get. codegen.c makes it; codegen_fmu.c adds what an FMU needs beside that, and
// project_archive.c puts the files of one into a zip archive.
#ifndef HAMEL_API_CODEGEN_JOB_H
#define HAMEL_API_CODEGEN_JOB_H

#include "api/api_internal.h"

#include "codegen/fmu.h"
#include "execute/simulation.h"

typedef struct {
    model *m;
    const mechanics *system;
    const struct formalism *form;
    equations *eq;
    simulation *sim;
    arena *arena;
    const target *target;
    project_function *function; // room for all that there may be
    tape **made;                // by this call; those of `sim` belong to it
    uint32_t input_count;
    const expr *input, *stated; // symbols, and what the model says they are
    project g;
} codegen_job;

// A function whose tape is freed with the job
const project_function *codegen_add_made(codegen_job *j, project_function f, tape *t);

// HAMEL_USAGE, after saying so, where a motion has what no FMU can follow
hamel_status codegen_fmu_refuse(const codegen_job *j);
// The functions of an FMU, behind the rate and the events
hamel_status codegen_fmu_list(codegen_job *j);
// The functions of its resets (codegen_resets.c); HAMEL_USAGE after saying which cannot be written
hamel_status codegen_resets_list(codegen_job *j, project_fmu *u);
// .. and what it needs beside them, once the project is described
void codegen_fmu_describe(codegen_job *j);

// A sweep on a GPU: the same two
hamel_status codegen_sweep_refuse(const codegen_job *j);
hamel_status codegen_sweep_list(codegen_job *j);

// NAME.fmu, at `where`: a file, a folder, or NULL for the folder that one is in. Its name becomes
// *result.
hamel_status project_archive_write(context *ctx, const target *to, project *g, const char *where,
                                   char **result);

#endif
