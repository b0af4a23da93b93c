// The tables of an FMU's code: sources/model.h, what the code of fmu/ needs to know of a system.
#include "codegen/fmu.h"

#include "codegen/fmu_sources.h"
#include "codegen/script.h"

#include "expr/spline.h"

#include <math.h>
#include <string.h>

static uint32_t at_least_one(uint32_t count) { return count ? count : 1; }

// static const double NAME[count] = {..};
static void write_doubles(const char *name, uint32_t count, const double *value, text *out) {
    text_format(out, "static const double %s[%u] = {", name, at_least_one(count));
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i % 4 ? " " : "\n    ");
        script_number(value[i], out);
        text_char(out, ',');
    }
    text_append(out, count ? "\n};\n" : "0.0};\n");
}

static uint32_t count_of(const project_function *f) { return f ? f->t->output_count : 0; }

static const project_function *events_of(const project *g) {
    for (uint32_t i = 0; i < g->function_count; i++)
        if (strcmp(g->function[i].id, "events") == 0) return &g->function[i];
    return NULL;
}

static void write_counts(const project *g, text *out) {
    const project_fmu *u = g->fmu;
    text_format(out, "enum {\n    FMU_STATES = %u,\n    FMU_PARAMETERS = %u,\n", g->state_count,
                g->parameter_count);
    text_format(out, "    FMU_INPUTS = %u,\n    FMU_SHOWN = %u,\n    FMU_EVENTS = %u,\n",
                g->input_count, count_of(u->shown), count_of(events_of(g)));
    text_format(out,
                "    FMU_RESETS = %u,\n    FMU_SLOPES = %u,\n    FMU_STAGES = %u,\n"
                "    FMU_ERROR_ORDER = %u\n};\n",
                u->reset_count, count_of(u->slopes), u->pair->last, u->pair->error_order);
    text_format(out, "typedef %s_system fmu_parameters;\n\n", g->name);
}

static void write_start(const project *g, text *out) {
    text_append(out, "static const double fmu_start_time = ");
    script_number(g->t0, out);
    text_append(out, ", fmu_usual_tolerance = ");
    script_number(g->fmu->tolerance, out);
    text_append(out, ";\n");
    write_doubles("fmu_start_state", g->state_count, g->start, out);
    write_doubles("fmu_start_parameter", g->parameter_count, g->value, out);
    write_doubles("fmu_start_input", g->input_count, g->fmu->input, out);
    text_append(out, "\n// The host may set it; a reset does; the code is for its value\n"
                     "enum { FMU_TUNABLE, FMU_DISCRETE, FMU_CONSTANT };\n");
    text_format(out, "static const unsigned char fmu_parameter_kind[%u] = {",
                at_least_one(g->parameter_count));
    for (uint32_t i = 0; i < g->parameter_count; i++)
        text_format(out, "%s%d,", i % 20 ? " " : "\n    ", (int)g->fmu->kind[i]);
    text_append(out, g->parameter_count ? "\n};\n" : "0};\n");
}

static void write_events(const project *g, text *out) {
    const project_function *f = events_of(g);
    text_append(out, "\ntypedef struct {\n    const char *name;\n"
                     "    int way, stops; // +1: only where it rises, -1: where it falls\n"
                     "} fmu_event;\n");
    text_format(out, "static const fmu_event fmu_event_list[%u] = {\n", at_least_one(count_of(f)));
    for (uint32_t i = 0; i < count_of(f); i++) {
        text_append(out, "    {");
        script_string(f->entry[i], out);
        text_format(out, ", %d, %d},\n", g->event[i].direction, g->event[i].stop);
    }
    text_append(out, f ? "};\n" : "    {0, 0, 0},\n};\n");
}

static void write_resets(const project *g, text *out) {
    const project_fmu *u = g->fmu;
    text_append(out, "\ntypedef struct {\n    const char *name;\n"
                     "    int event;           // whose zero it is; -1: a clock\n"
                     "    double period, each; // of the clock; ticks in a unit of time, or 0\n"
                     "    int count;           // of new values\n"
                     "    const int *target;   // states, then parameters\n"
                     "} fmu_reset;\n");
    for (uint32_t i = 0; i < u->reset_count; i++) {
        const fmu_reset *r = &u->reset[i];
        text_format(out, "static const int fmu_target_%u[%u] = {", i, at_least_one(r->count));
        for (uint32_t k = 0; k < r->count; k++)
            text_format(out, "%s%u", k ? ", " : "", r->target[k]);
        text_append(out, r->count ? "};\n" : "0};\n");
    }
    text_format(out, "static const fmu_reset fmu_resets[%u] = {\n", at_least_one(u->reset_count));
    for (uint32_t i = 0; i < u->reset_count; i++) {
        const fmu_reset *r = &u->reset[i];
        text_append(out, "    {");
        script_string(r->name, out);
        text_format(out, ", %d, ", r->event);
        script_number(r->period, out);
        text_append(out, ", ");
        script_number(r->each, out);
        text_format(out, ", %u, fmu_target_%u},\n", r->count, i);
    }
    text_append(out, u->reset_count ? "};\n" : "    {0, 0, 0.0, 0.0, 0, 0},\n};\n");
}

static void write_pair(const project *g, text *out) {
    const tableau *p = g->fmu->pair;
    text_format(out, "\n// An explicit Runge-Kutta pair of order %u\n", p->order);
    write_doubles("fmu_pair_c", p->last, p->c, out);
    text_format(out, "static const double fmu_pair_a[%u][%u] = {\n", p->last, p->last);
    for (uint32_t i = 0; i < p->last; i++) {
        text_append(out, "    {");
        for (uint32_t j = 0; j < at_least_one(i); j++) {
            text_append(out, j ? ", " : "");
            script_number(p->a[i][j], out);
        }
        text_append(out, "},\n");
    }
    text_append(out, "};\n");
    write_doubles("fmu_pair_b", p->last, p->b, out);
    write_doubles("fmu_pair_error", p->last, p->error, out);
    write_doubles("fmu_pair_weak", p->last, p->weak_error, out);
}

// --- functions -----------------------------------------------------------------------------------

#define ARGUMENTS "const fmu_parameters *s, double t, const double *z, const double *u, double *out"

static void write_call(const project *g, const char *id, text *out) {
    text_format(out, "    %s_%s(s, t, z, %sout);\n", g->name, id, g->input_count ? "u, " : "");
}

// The same arguments whether there are inputs or not, and no function where there is none
static void write_function(const project *g, const char *name, const char *id, text *out) {
    text_format(out,
                "static void %s(" ARGUMENTS ") {\n    (void)s, (void)t, (void)z, (void)u, "
                "(void)out;\n",
                name);
    if (id) write_call(g, id, out);
    text_append(out, "}\n");
}

static void write_reset_function(const project *g, text *out) {
    text_append(out, "static void fmu_reset_values(int reset, " ARGUMENTS ") {\n"
                     "    (void)s, (void)t, (void)z, (void)u, (void)out;\n    switch (reset) {\n");
    for (uint32_t i = 0; i < g->fmu->reset_count; i++) {
        if (!g->fmu->reset[i].count) continue;
        text_format(out, "    case %u:\n    ", i);
        write_call(g, g->fmu->reset[i].id, out);
        text_append(out, "        break;\n");
    }
    text_append(out, "    default: break;\n    }\n}\n");
}

static void write_knots(const project *g, text *out) {
    if (g->data_count)
        text_append(out, "\nstatic double fmu_next_point(int count, const double *time, double t) "
                         "{\n"
                         "    for (int i = 0; i < count; i++)\n"
                         "        if (time[i] > t) return time[i];\n"
                         "    return INFINITY;\n}\n");
    text_append(out, "// The first point of data behind t; of straight lines only, unless all are "
                     "asked for\nstatic double fmu_next_knot(double t, int all) {\n"
                     "    double next = INFINITY;\n    (void)t, (void)all;\n");
    for (uint32_t i = 0; i < g->data_count; i++)
        text_format(out, "    %snext = fmin(next, fmu_next_point(%u, data_time_%u, t));\n",
                    g->data[i]->linear ? "" : "if (all) ", g->data[i]->count, i);
    text_append(out, "    return next;\n}\n");
}

void fmu_write_model(const project *g, text *out) {
    const project_fmu *u = g->fmu;
    text_format(out, "// What is special to %s. Written by hamel %s; fmu.c includes it once.\n",
                g->name, g->version);
    text_format(out, "#ifndef FMU_MODEL_H\n#define FMU_MODEL_H\n\n#define FMU_GUID \"%s\"\n",
                u->guid);
    write_counts(g, out);
    write_start(g, out);
    write_events(g, out);
    write_resets(g, out);
    write_pair(g, out);
    text_format(out, "\nstatic void fmu_prepare(fmu_parameters *s) { %s_prepare(s); }\n", g->name);
    write_function(g, "fmu_rate", "rate", out);
    write_function(g, "fmu_shown", u->shown ? u->shown->id : NULL, out);
    write_function(g, "fmu_events", events_of(g) ? "events" : NULL, out);
    write_function(g, "fmu_slopes", u->slopes ? u->slopes->id : NULL, out);
    write_reset_function(g, out);
    write_knots(g, out);
    text_append(out, "\n#endif\n");
}

// Functions of the system are hidden: an FMU shows those of the standard alone. System headers
// stand in front, since what they declare lies elsewhere.
void fmu_write_source(const project *g, text *out) {
    text_format(out,
                "// The FMU as one source: give it alone to a C99 compiler, and link libm.\n"
                "// Written by hamel %s.\n#include <float.h>\n#include <limits.h>\n"
                "#include <math.h>\n#include <stdarg.h>\n#include <stdio.h>\n"
                "#include <stdlib.h>\n#include <string.h>\n\n#ifdef __GNUC__\n"
                "#pragma GCC visibility push(hidden)\n#endif\n#include \"%s.c\"\n"
                "#ifdef __GNUC__\n#pragma GCC visibility pop\n#endif\n\n",
                g->version, g->name);
    for (unsigned i = 0; i < fmu_source_file_count; i++)
        if (text_ends_in(fmu_source_files[i].name, ".c"))
            text_format(out, "#include \"%s\"\n", fmu_source_files[i].name);
}
