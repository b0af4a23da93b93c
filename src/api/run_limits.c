// What a run would take, before it begins: an end that can be reached, steps that move, and rows
// and bytes within the limits of the context.
#include "api/run_job.h"

#include "base/utf8.h"
#include "execute/data_pieces.h"

#include <float.h>
#include <math.h>

static hamel_status refuse_numbers(const run_job *j) {
    const run_request *asked = &j->r.asked;
    context *ctx = j->m->ctx;
    const double late = fmax(fabs(j->r.state.t), fabs(asked->end));
    if (!isfinite(asked->end) || !(asked->interval > 0) || !isfinite(asked->interval) ||
        !(asked->tolerance > 0) || !isfinite(asked->tolerance)) {
        diag_error(ctx, (span){0}, "give finite numbers, the last two of them positive",
                   "the run would end at t = %g, with a row every %g and a tolerance of %g",
                   asked->end, asked->interval, asked->tolerance);
        return HAMEL_USAGE;
    }
    // t + h = t in numbers of 53 bits
    if (j->method->fixed_step && asked->step > 0 && !(asked->step > 4 * DBL_EPSILON * late)) {
        diag_error(ctx, (span){0}, NULL,
                   "a step of %g is too short: it does not change t = %g, and the run would take "
                   "%.3g of them",
                   asked->step, late, (asked->end - j->r.state.t) / asked->step);
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

// Rows that keep within a limit are this far apart: two digits, rounded up.
static double wide_enough(const run_job *j, double most) {
    const double least = (j->r.asked.end - j->sim->t0) / fmax(1, most - 1),
                 unit = pow(10, floor(log10(least)) - 1);
    return ceil(least / unit) * unit;
}

static hamel_status refuse(const run_job *j, double most_rows, const char *key, const char *what,
                           double wanted, double most) {
    static const double REASONABLE = 1e12;
    context *ctx = j->m->ctx;
    const char *less = j->section
                           ? "ask for fewer crossings with --count"
                           : arena_format(&ctx->arena, "have rows less often, such as --every %.3g",
                                          wide_enough(j, most_rows));
    diag_error(ctx, (span){0},
               wanted < REASONABLE
                   ? arena_format(&ctx->arena, "%s, or allow more with --limit %s=%.3g", less, key,
                                  1.1 * wanted)
                   : less,
               "limit reached before the run began: it would have %.6g %s (at most %.10g)", wanted,
               what, most);
    return HAMEL_LIMIT;
}

// Functions from data have values from the first to the last point.
static hamel_status refuse_beyond_data(const run_job *j) {
    context *ctx = j->m->ctx;
    const double from = j->r.state.t, to = j->r.asked.end;
    spline *f = data_pieces_short(j->sim, from, to);
    if (!f) return HAMEL_OK;
    const double *knot = spline_knots(f);
    diag_error(ctx, (span){0},
               from < knot[0]
                   ? "let `simulate` begin where the data do, or give them earlier points"
                   : "give an earlier end with --until, or later points",
               "the run would go from t = %.10g to t = %.10g, and the data of `%s` (column `%s` of "
               "`%s`) reach from t = %.10g to t = %.10g",
               from, to, f->name, utf8_shown(&ctx->arena, f->column),
               utf8_shown(&ctx->arena, f->file), knot[0], knot[f->count - 1]);
    return HAMEL_USAGE;
}

hamel_status run_limits_check(const run_job *j) {
    const limits *l = &j->m->ctx->limits;
    hamel_status status = refuse_numbers(j);
    if (!status) status = refuse_beyond_data(j);
    if (status) return status;
    static const double ROUNDING = 1e-12; // an end that is a multiple of the interval is one row
    const double length = j->r.asked.end - j->sim->t0,
                 rows = j->section ? (double)j->section->wanted
                                   : ceil(length / j->r.asked.interval * (1 - ROUNDING)) + 1,
                 row_bytes = sizeof(double) * (double)j->sim->column_count,
                 kept = row_bytes * ((j->rows || j->columns ? 1 : 0) + j->motions);
    if (rows > (double)l->rows)
        return refuse(j, (double)l->rows, "rows", "rows", rows, (double)l->rows);
    if (rows * kept > (double)l->table_bytes)
        return refuse(j, (double)l->table_bytes / kept, "bytes", "bytes of rows in memory",
                      rows * kept, (double)l->table_bytes);
    if (j->asked->output && l->file_bytes && rows * row_bytes > (double)l->file_bytes)
        return refuse(j, (double)l->file_bytes / row_bytes, "bytes", "bytes of rows in its file",
                      rows * row_bytes, (double)l->file_bytes);
    return HAMEL_OK;
}

void run_limits_explain(run_job *j) {
    context *ctx = j->m->ctx;
    const bool rows = j->r.record.rows >= ctx->limits.rows;
    arena *a = &ctx->arena;
    diag_error(ctx, (span){0},
               rows ? arena_format(a, "allow more with --limit rows=%llu",
                                   2 * (unsigned long long)ctx->limits.rows)
                    : arena_format(a, "allow more with --limit time=%g", 10 * ctx->budget.seconds),
               "the run stopped at t = %.10g: %s", j->r.state.t, run_job_outcome(j));
}
