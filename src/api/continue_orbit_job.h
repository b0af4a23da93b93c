// Orbits along a parameter: what the call (continue_orbit.c) hands to its words
// (continue_orbit_output.c) and its figure (continue_orbit_figure.c). The call fills a job; the
// others read it, and a figure is opened, written and closed.
#ifndef HAMEL_API_CONTINUE_ORBIT_JOB_H
#define HAMEL_API_CONTINUE_ORBIT_JOB_H

#include "api/continue_job.h"
#include "api/period_text.h"
#include "api/plot_figure.h"
#include "api/variation_job.h"
#include "study/orbit_path.h"
#include "study/start_slopes.h"

typedef struct {
    variation_job v;
    variation_request columns;
    vary what;
    period_text period;
    uint32_t parameter; // its place among those of the simulation
    followers follow;   // parameters that follow from it and others
    program *meaning;   // of all of them; NULL: there are none
    double *by_symbol, *value;
    symmetries group;
    orbit_family family;
    orbit first;
    orbit_path path;
    uint32_t shown;           // coordinate of the figure
    bool shows_period;        // instead of it
    const plot_rows *drawing; // in characters, behind the words; NULL: none
} orbits_job;

void continue_orbit_job_write_text(const void *of, text *out);
void continue_orbit_job_write_json(const void *of, json *out);

typedef struct {
    hamel_plot plot;
    table rows;
    plot_rows draw;
} orbits_figure;
// `draw` points into it, so it stays where it was opened.
hamel_status continue_orbit_figure_open(const orbits_job *j, const hamel_plot *asked,
                                        orbits_figure *out);
void continue_orbit_figure_close(orbits_figure *f);
// To the file that was asked for: a picture, or the points as rows of a CSV file
hamel_status continue_orbit_figure_write(const orbits_job *j, const orbits_figure *f);

#endif
