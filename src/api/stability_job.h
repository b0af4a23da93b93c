// Stability along a parameter, for the call that writes it and the figure of it. Run the job, read
// it, close it, also where it failed.
#ifndef HAMEL_API_STABILITY_JOB_H
#define HAMEL_API_STABILITY_JOB_H

#include "api/plot_figure.h"
#include "api/vary_job.h"
#include "study/exact_stability.h"
#include "study/stable_pieces.h"

// A fold, or a crossing of branches, in which a path of steady motions ends
typedef struct {
    bool refined; // `value` has all its digits
    bool proved;
    bool is_fold;
    arb_t value;
} path_end;

typedef struct {
    vary_job vary;
    scan rows;
    spectrum_kind kind;
    bool idle[TESTS]; // tests that say nothing here
    critical_values critical;
    stable_pieces pieces;
    path_end begin, end; // where the path ends inside of the interval
    bool has_conditions; // where it is stable, as a formula
    exact_stability conditions;
    const plot_rows *drawing; // in characters, behind the words; NULL: none
} stability_job;

// A figure of it; `draw` points into it, so it stays where it was opened.
typedef struct {
    hamel_plot plot;
    table rows;
    plot_rows draw;
} stability_figure;
hamel_status stability_figure_open(const stability_job *j, const hamel_plot *asked,
                                   stability_figure *out);
void stability_figure_close(stability_figure *f);
bool stability_figure_is_csv(const hamel_plot *asked);
hamel_status stability_figure_write(const stability_figure *f, byte_writer standard);

// (stability_map.c) Over a rectangle of two parameters; plot may be NULL.
hamel_status stability_map_call(model *m, const char *at, const char *words, const hamel_plot *plot,
                                const struct format *as, char **result);

// Eigenvalues followed with at least so many steps, and critical values; nothing between these is
// proved yet, and there are no pieces.
hamel_status stability_job_scan(model *m, const char *at, const char *words, uint32_t steps,
                                stability_job *j);
// The same for an unknown of a motion that was found before
hamel_status stability_job_scan_from(const steady_job *known, const ode *o, const char *words,
                                     uint32_t steps, stability_job *j);
// (stability_prove.c) Pieces, more critical values where proofs came to a halt, and folds
hamel_status stability_job_prove(stability_job *j);
// (stability_formula.c) Inequalities between the symbols, where the motion is known exactly and the
// polynomial is small
void stability_job_formula(stability_job *j);
void stability_job_close(stability_job *j);

#endif
