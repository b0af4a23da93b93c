// The run: places for plots and animation, which the script fills, and a summary that needs no
// script.
#include "report/page.h"

#include "simulate/charts.h"
#include "integrate/conserved.h"

static void write_row(const char *label, const char *value, text *out) {
    text_append(out, "<tr>");
    page_write_element("th scope=\"row\"", label, out);
    page_write_element("td", value, out);
    text_append(out, "</tr>\n");
}

static void write_number(const model *m, const char *label, const char *format, double value,
                         text *out) {
    write_row(label, arena_format(&m->ctx->arena, format, value), out);
}

// Energy, invariants and residuals, and how far they moved.
static void write_drifts(const finished_run *done, text *out) {
    for (uint32_t i = 0; i < done->sim->column_count; i++)
        if (column_should_stay(done->sim->column[i].kind))
            write_row(column_drift_name(done->sim, i),
                      column_drift_size(done->sim, i, done->run->record.first_row[i],
                                        done->run->record.deviation[i],
                                        done->run->record.deviation_t[i]),
                      out);
}

static void write_events(const finished_run *done, text *out) {
    arena *a = &done->sim->m->ctx->arena;
    for (uint32_t i = 0; i < done->run->record.events_count; i++) {
        const event_record *e = &done->run->record.events[i];
        if (changes_tell(done->sim->m, e->name)) continue;
        write_row(arena_format(a, "event %s", e->name),
                  arena_format(a, "t = %.12g, %s", e->t, e->direction > 0 ? "rising" : "falling"),
                  out);
    }
}

static void write_summary(const finished_run *done, text *out) {
    const model *m = done->sim->m;
    const run *r = done->run;
    const uint64_t switches = charts_switches(r->charts);
    text_append(out, "<table class=\"run-summary\"><caption>The run</caption><tbody>\n");
    write_row("form", done->form->name, out);
    write_row("integrator", done->method->name, out);
    write_number(m, "tolerance", "%g", r->asked.tolerance, out);
    write_row("outcome", arena_format(&m->ctx->arena, "%s at t = %.12g", done->outcome, r->state.t),
              out);
    write_row("steps",
              arena_format(&m->ctx->arena, "%llu, and %llu rejected",
                           (unsigned long long)r->record.steps,
                           (unsigned long long)r->state.rejected),
              out);
    write_number(m, "rows", "%.0f", (double)r->record.rows, out);
    if (switches)
        write_number(m, "independent velocities chosen anew", "%.0f times", (double)switches, out);
    if (done->changes) section_changes_summary(m, done->changes, write_row, out);
    write_events(done, out);
    write_drifts(done, out);
    text_append(out, "</tbody></table>\n");
}

void section_motion(const report *r, text *out) {
    text_append(out, "<section id=\"motion\"><h2>Motion</h2>\n");
    if (r->run) {
        text_append(out, "<div id=\"animation\"></div>\n<div id=\"plots\"></div>\n");
        write_summary(r->run, out);
        if (r->run->changes) section_changes(r->run->sim->m, r->run->changes, out);
        text_append(out, "<div id=\"downloads\"></div>\n");
    }
    if (r->no_run) page_write_element("p class=\"no-run\"", r->no_run, out);
    text_append(out, "</section>\n");
}
