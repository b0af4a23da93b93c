// Trajectories: a run from its first row to its last, and what it says of itself.
#include "api/pieces.h"
#include "api/resume.h"
#include "api/run_summary.h"

hamel_status run_job_run(run_job *j) {
    const bool in_pieces = j->of_pieces = model_is_in_pieces(j->m) && !j->section;
    hamel_status status = in_pieces ? pieces_check_modes(j->m) : HAMEL_OK;
    if (!status) status = run_job_prepare(j);
    if (status) return status;
    budget_hold(); // a run whose time is over ends in good order
    run_summary_begin(j, j->asked->verify && !in_pieces);
    if (in_pieces) j->outcome = pieces_run(j);
    else j->outcome = run_begin(&j->r);
    if (!j->outcome && !in_pieces) j->outcome = run_integrate(&j->r);
    // what is left is short, or makes the file of what there is, however long that takes
    if (j->is_all || j->outcome == RUN_INTERRUPTED || j->outcome == RUN_LIMIT) budget_settle();
    text why = {0};
    if (!run_finish(&j->r, run_job_outcome(j), &why)) {
        j->outcome = RUN_FAILED;
        j->r.state.failure = arena_format(&j->m->ctx->arena, "the results could not be written: %s",
                                          text_string(&why));
    }
    text_free(&why);
    run_summary_finish(j);
    budget_release();
    return HAMEL_OK;
}

hamel_status run_job_status(const run_job *j) {
    return j->outcome == RUN_DONE || j->outcome == RUN_EVENT ? HAMEL_OK
           : j->outcome == RUN_LIMIT                         ? HAMEL_LIMIT
                                                             : HAMEL_NUMERICS;
}

static hamel_status simulate(hamel_model *m, const hamel_run *asked, hamel_format format,
                             char **result) {
    hamel_run merged = *asked;
    table rows = {0};
    run_job j = {.m = m,
                 .asked = &merged,
                 .plot = asked->plot,
                 .rows = asked->plot ? &rows : NULL,
                 .is_all = true};
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    hamel_status status = as ? HAMEL_OK : HAMEL_USAGE;
    if (!status && asked->resume && !model_is_in_pieces(m)) // else the run refuses it
        status = resume_read(m, &merged, &j.past);
    if (!status) status = run_job_run(&j);
    if (!status) {
        text out = {0};
        run_summary_write(&j, as, &out);
        if (j.plot && !as->for_programs) {
            const plot_rows drawn = run_job_rows(&j);
            text_char(&out, '\n');
            status = plot_figure_characters(&drawn, &out);
        }
        api_finish_text(&out, result);
        if (run_job_status(&j)) status = run_job_status(&j);
    }
    table_free(&rows);
    run_job_close(&j);
    return status;
}

hamel_status hamel_model_simulate(hamel_model *m, const hamel_run *asked, hamel_format format,
                                  char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, simulate(m, asked, format, result), "simulating `%s`", m->name);
}
