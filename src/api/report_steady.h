// What a page says of steady motions: the one near the initial state, its eigenvalues, and these
// along speeds of its family and along parameters. Find it, show it, close it; where there is none
// nothing is shown, and that is no error.
#ifndef HAMEL_API_REPORT_STEADY_H
#define HAMEL_API_REPORT_STEADY_H

#include "api/stability_job.h"
#include "report/report.h"

enum { MOST_SWEEPS = 5 };

typedef struct {
    steady_job job;
    equations *eq;
    linearisation linear;
    report_steady shown;
    uint32_t jobs;
    stability_job sweep[MOST_SWEEPS];
} page_steady;

void page_steady_find(model *m, report *r, page_steady *w);
void page_steady_close(page_steady *w);

#endif
