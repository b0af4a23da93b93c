// A sweep between the files that prepare it (sweep_job.c), run it (sweep.c) and tell of it
// (sweep_summary.c). With `m`, `asked` and `run` set it is prepared, driven and told of; in every
// case sweep_job_close() comes last.
#ifndef HAMEL_API_SWEEP_JOB_H
#define HAMEL_API_SWEEP_JOB_H

#include "api/gpu_start.h"
#include "api/sweep_scalar.h"
#include "api/sweep_words.h"
#include "sweep/drive.h"
#include "sweep/lanes.h"

typedef struct sweep_again sweep_again; // (sweep_again.h)

typedef struct {
    model *m;
    const hamel_sweep *asked;
    const hamel_run *run;
    sweep_texts texts;
    sweep_plan *plan;
    const collected *collected;
    uint32_t collected_count;
    const char *const *event; // names
    sweep_setting_up how;
    scalar_engine *scalar;
    sweep_engine *engine; // the scalar one, or one that leaves to it what it cannot do
    sweep_system *system; // that the other one steps
    gpu_start start;      // on a GPU
    sweep_store *store;
    uint64_t chunk_runs;
    double end;      // of each run
    bool end_varies; // .. which follows from its values instead, as the model says
    volatile int stop;
    const volatile int *ends; // the flag that ends runs; NULL: `stop` is
    bool computes_only;       // nothing is stored
    bool is_divided;          // chunks are handed out by the caller, who says how many workers
    driven found;
    sweep_progress progress;
    const sweep_again *again; // NULL: no run was looked at once more
    text why;
} sweep_job;

hamel_status sweep_job_plan(sweep_job *j); // what is varied and collected, and nothing to run it
hamel_status sweep_job_prepare(sweep_job *j);
void sweep_job_close(sweep_job *j);

// A GPU in the place of the scalar engine, which stays for what it leaves (sweep_gpu.c)
hamel_status sweep_job_take_gpu(sweep_job *j);

uint64_t sweep_job_chunks(const sweep_job *j);
const hamel_motion *sweep_job_motion(const sweep_job *j); // the first
// The model, to tell in which modes its contacts stay; NULL: runs follow them
const model *sweep_job_modes(const sweep_job *j);
// The output of what is finished, and the summary
hamel_status sweep_job_finish(sweep_job *j, const struct format *as, char **result);
// (sweep_keep.c) The values of a run as --set and --at say them, in the arena of a context; and the
// runs that are kept in full
const char *sweep_job_end_words(const sweep_job *j); // "10", or "2*pi/w"
sweep_words sweep_job_words(const sweep_job *j, context *ctx, uint64_t run);
// A run by `simulate`, with its rows in a file (NULL: none); what is wrong with it is said there.
hamel_status sweep_job_simulate(const sweep_job *j, context *ctx, uint64_t run, const char *output);
hamel_status sweep_job_check_kept(const sweep_job *j); // their files are none of the model
hamel_status sweep_job_keep(const sweep_job *j);
// (sweep_drawing.c) The figure that is asked for: whether there are such columns; to its file, or
// behind a text in characters
hamel_status sweep_job_check_figure(const sweep_job *j);
hamel_status sweep_job_draw(const sweep_job *j, text *out);
void sweep_summary_text(const void *of, text *out);
void sweep_summary_json(const void *of, json *out);

#endif
