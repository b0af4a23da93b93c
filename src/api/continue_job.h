// Steady motions followed along a parameter, for the call that writes it and the figure of it.
// Orbits are followed in continue_orbit.c.
#ifndef HAMEL_API_CONTINUE_JOB_H
#define HAMEL_API_CONTINUE_JOB_H

#include "api/plot_figure.h"
#include "api/vary_job.h"
#include "study/branches.h"

typedef struct {
    vary_job vary;
    branches all;
    const plot_rows *drawing; // in characters, behind the words; NULL: none
} continue_job;

// Values of q, q' and eta at a point (2 n + m); their symbols are those of the unknowns
void continue_state(const continue_job *j, const double *y, double *value);
uint32_t continue_state_count(const continue_job *j);
const char *continue_state_name(const continue_job *j, uint32_t i);

// A figure of it; `draw` points into it, so it stays where it was opened.
typedef struct {
    hamel_plot plot;
    table rows;
    plot_rows draw;
} continue_figure;
hamel_status continue_figure_open(const continue_job *j, const hamel_plot *asked,
                                  continue_figure *out);
void continue_figure_close(continue_figure *f);
bool continue_figure_is_csv(const hamel_plot *asked);
hamel_status continue_figure_write(const continue_job *j, const continue_figure *f);

hamel_status continue_job_orbits(hamel_model *m, const hamel_continue *asked, hamel_format format,
                                 char **result);

#endif
