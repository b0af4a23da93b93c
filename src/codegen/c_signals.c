// Inputs and data in generated C.
#include "codegen/c_signals.h"

#include "base/decimal.h"
#include "expr/spline.h"

bool c_signals_any(const project *g) { return g->input_count || g->data_count; }

static bool takes_inputs(const project *g, const project_function *f) {
    return g->input_count && !f->is_law;
}

void c_signals_prototype(const project *g, const project_function *f, text *out) {
    text_format(out, "void %s_%s(const %s_system *s, double t, const double *z, %sdouble *%s)",
                g->name, f->id, g->name, takes_inputs(g, f) ? "const double *u, " : "",
                f->is_law ? "u" : "out");
}

static void write_numbers(uint32_t count, const double *value, uint32_t in_a_line, text *out) {
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i % in_a_line ? " " : "\n    ");
        decimal_append(value[i], out);
        text_char(out, ',');
    }
    text_append(out, "\n};\n");
}

static void write_data(const project *g, uint32_t i, text *out) {
    spline *f = g->data[i];
    const double *knot = spline_knots(f);
    text_format(out, "// %s through %u points: times, then 1, t - t_i, (t - t_i)^2, (t - t_i)^3\n",
                f->linear ? "Straight lines" : "A cubic spline", f->count);
    text_format(out, "static const double data_time_%u[%u] = {", i, f->count);
    write_numbers(f->count, knot, 8, out);
    text_format(out, "static const double data_term_%u[%u] = {", i, SPLINE_TERMS * (f->count - 1));
    write_numbers(SPLINE_TERMS * (f->count - 1), f->coefficient, SPLINE_TERMS, out);
    text_char(out, '\n');
}

static const char LOOK_UP[] =
    "// The piece at t: where it begins, and its four terms. Not numbers outside of the data.\n"
    "static void look_up(int count, const double *time, const double *term, double t, double *p) "
    "{\n"
    "    const double slack = 1e-14 * fabs(t);\n"
    "    int low = 0, high = count - 1;\n"
    "    while (high - low > 1) {\n"
    "        const int middle = low + (high - low) / 2;\n"
    "        if (t < time[middle]) high = middle;\n"
    "        else low = middle;\n"
    "    }\n"
    "    const int inside = t >= time[0] - slack && t <= time[count - 1] + slack;\n"
    "    p[0] = time[low];\n"
    "    for (int i = 0; i < 4; i++) p[1 + i] = inside ? term[4 * low + i] : NAN;\n"
    "}\n\n";

void c_signals_write(const project *g, text *out) {
    if (!c_signals_any(g)) return;
    for (uint32_t i = 0; i < g->data_count; i++) write_data(g, i, out);
    if (g->data_count) text_append(out, LOOK_UP);
    text_append(out, "// Parameters, inputs, and the data at t\n");
    text_format(out,
                "static void put_together(const %s_system *s, double t, const double *u, double "
                "*p) {\n    (void)t, (void)u;\n",
                g->name);
    text_format(out, "    for (int i = 0; i < %u; i++) p[i] = s->p[i];\n", g->parameter_count);
    if (g->input_count)
        text_format(out, "    for (int i = 0; i < %u; i++) p[%u + i] = u ? u[i] : 0.0;\n",
                    g->input_count, g->parameter_count);
    for (uint32_t i = 0; i < g->data_count; i++)
        text_format(out, "    look_up(%u, data_time_%u, data_term_%u, t, p + %u);\n",
                    g->data[i]->count, i, i,
                    g->parameter_count + g->input_count + SPLINE_PIECE * i);
    text_append(out, "}\n\n");
}

void c_signals_call(const project *g, const project_function *f, uint32_t places, text *out) {
    text_format(out, "    double p[%u], c[%u];\n", g->argument_count, places);
    text_format(out, "    put_together(s, t, %s, p);\n", takes_inputs(g, f) ? "u" : "0");
    text_format(out, "    %s_fixed(p, c);\n    %s(t, z, p, c, %s);\n", f->id, f->id,
                f->is_law ? "u" : "out");
}
