// The target `python`: a system as a module for NumPy, for one state or many at once, and a
// program that integrates it with SciPy.
#include "codegen/python.h"
#include "codegen/script_project.h"

#include "base/decimal.h"
#include "expr/spline.h"

#include <string.h>

#define MARK "# Written by hamel"

static void write_system(const char *name, uint32_t n, uint32_t columns, char *const *entry,
                         text *out) {
    text_format(out, "        %s = solve(%u, %u, (\n", name, n, columns);
    for (uint32_t k = 0; k < n * (n + columns); k++)
        text_format(out, "%s%s,%s", k % n ? " " : "            ", entry[k],
                    k % n == n - 1 ? "\n" : "");
    text_append(out, "        ))\n");
}

static const dialect python = {
    .times = "*",
    .over = "/",
    .call = {[TAPE_SQRT] = "sqrt(\1)",
             [TAPE_POW] = "power(\1, \2)",
             [TAPE_SIN] = "sin(\1)",
             [TAPE_COS] = "cos(\1)",
             [TAPE_TAN] = "tan(\1)",
             [TAPE_ASIN] = "arcsin(\1)",
             [TAPE_ACOS] = "arccos(\1)",
             [TAPE_ATAN] = "arctan(\1)",
             [TAPE_ATAN2] = "arctan2(\1, \2)",
             [TAPE_SINH] = "sinh(\1)",
             [TAPE_COSH] = "cosh(\1)",
             [TAPE_TANH] = "tanh(\1)",
             [TAPE_EXP] = "exp(\1)",
             [TAPE_LOG] = "log(\1)",
             [TAPE_ABS] = "abs(\1)",
             [TAPE_SIGN] = "sign(\1)"},
    .statement = "        \1 = \2\n",
    .kept = "c[\1]",
    .solution = "\1[\2]",
    .solve = write_system,
};

enum { LINE = 100 };
static const char WORDS[] =
    "Each function takes t, z and, where others than the model's are wanted, parameters p: a "
    "dictionary of some by name, all in a list, or what parameters() gives. z is one state, or an "
    "array whose first axis is the state: results have the other axes, too.";

// --- the module ----------------------------------------------------------------------------------

static void write_body(const project *g, uint32_t which, script_part part, const char *const *label,
                       text *out) {
    script_body b = script_project_body(g, which, &python, part, label, "");
    text_format(out, "\n    def %s%s:\n", script_project_name_of(g, which),
                part == SCRIPT_FIXED ? "_fixed(p)" : "(t, z, p, c)");
    script_project_unpack(g, &b, "        \1 = z[\2]\n", "        \1 = p[\2]\n", 0, out);
    text_append(out, text_string(&b.statements));
    text_append(out, "        return (");
    size_t begin = out->length;
    for (uint32_t i = 0; i < b.output_count; i++) {
        text_format(out, "%s,%s", b.output[i], i + 1 < b.output_count ? " " : "");
        if (out->length - begin < LINE || i + 1 == b.output_count) continue;
        text_append(out, "\n                ");
        begin = out->length;
    }
    text_append(out, ")\n");
    script_body_free(&b);
}

static void write_bodies(const project *g, text *out) {
    const char **label = script_project_labels(g);
    text_append(out, python_bodies);
    for (uint32_t i = 0; i < g->function_count; i++) {
        write_body(g, i, SCRIPT_FIXED, label, out);
        write_body(g, i, SCRIPT_MOVING, label, out);
    }
    text_append(out, "\n    return locals()\n\n");
    memory_free(label);
}

static void write_names(const char *what, uint32_t count, const char *const *item, text *out) {
    text_format(out, "%s = (", what);
    script_project_strings(count, item, out);
    text_append(out, count == 1 ? ",)\n" : ")\n");
}

static void write_value(double value, text *out) {
    if (value != value) text_append(out, "math.nan");
    else script_number(value, out);
}

static void write_units(const project *g, text *out) {
    text_append(out, "UNITS = {");
    const char *between = "";
    const uint32_t stated = g->parameter_count + g->input_count;
    for (uint32_t i = 0; i < g->state_count + stated; i++) {
        const uint32_t j = i - g->state_count;
        const char *unit = i < g->state_count ? g->state_unit[i] : g->parameter_unit[j];
        if (!unit) continue;
        text_append(out, between), between = ", ";
        script_string(i < g->state_count ? g->state[i] : g->parameter[j], out);
        text_append(out, ": ");
        script_string(unit, out);
    }
    text_append(out, "}\n");
}

// What the outputs of the functions are called and how they are put together
static void write_shapes(const project *g, text *out) {
    text_append(out, "# What the entries of each result are called, and its shape for one state\n"
                     "ENTRIES = {\n");
    for (uint32_t i = 0; i < g->function_count; i++) {
        const project_function *f = &g->function[i];
        if (!f->entry) continue;
        text_format(out, "    \"%s\": (", script_project_name_of(g, i));
        script_project_strings(f->t->output_count, f->entry, out);
        text_append(out, f->t->output_count == 1 ? ",),\n" : "),\n");
    }
    text_append(out, "}\n_SHAPES = {");
    for (uint32_t i = 0; i < g->function_count; i++) {
        const project_function *f = &g->function[i];
        text_format(out, "%s\"%s\": (", i ? ", " : "", script_project_name_of(g, i));
        if (f->columns) text_format(out, "%u, %u", f->t->output_count / f->columns, f->columns);
        else if (!script_project_is_number(f)) text_format(out, "%u,", f->t->output_count);
        text_char(out, ')');
    }
    text_append(out, "}\n");
    text_append(out, "ROWS = (");
    for (uint32_t i = 0; i < g->function_count; i++)
        if (g->function[i].in_rows) text_format(out, "\"%s\", ", g->function[i].id);
    text_append(out, ")  # what a row of a trajectory shows beside the state\n");
}

static void write_events(const project *g, text *out) {
    const project_function *f = script_project_find(g, "events");
    text_append(out, "EVENTS = (");
    for (uint32_t i = 0; f && i < f->t->output_count; i++) {
        text_append(out, "(");
        script_string(f->entry[i], out);
        text_format(out, ", %s, %d), ", g->event[i].stop ? "True" : "False", g->event[i].direction);
    }
    text_append(out, ")  # name, whether the motion ends there, in which direction; 0: both\n");
}

static void write_data(const project *g, text *out) {
    text_append(out, "_DATA = (");
    for (uint32_t i = 0; i < g->data_count; i++) {
        spline *f = g->data[i];
        text_format(out, "\n    # %s through %u points: times, then 1, t - t_i, (t - t_i)^2, ..\n",
                    f->linear ? "straight lines" : "a cubic spline", f->count);
        text_append(out, "    (np.array([\n");
        script_project_numbers(f->count, spline_knots(f), 8, "        ", out);
        text_append(out, "    ]), np.array([\n");
        script_project_numbers(SPLINE_TERMS * (f->count - 1), f->coefficient, SPLINE_TERMS,
                               "        ", out);
        text_format(out, "    ]).reshape(%u, %u)),\n", f->count - 1, SPLINE_TERMS);
    }
    text_append(out, ")\n");
}

static void write_tables(const project *g, text *out) {
    text_append(out, "NAME = ");
    script_string(g->name, out);
    text_append(out, "\n");
    write_names("STATE", g->state_count, g->state, out);
    text_append(out, "INITIAL_STATE = np.array([\n");
    script_project_numbers(g->state_count, g->start, 4, "    ", out);
    text_append(out, "])\nINITIAL_TIME = ");
    write_value(g->t0, out);
    text_append(out, "\nEND_TIME = ");
    write_value(g->t1, out);
    text_append(out, "\nPARAMETERS = {");
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        text_append(out, i ? ", " : "");
        script_string(g->parameter[i], out);
        text_append(out, ": ");
        write_value(g->value[i], out);
    }
    text_append(out, "}\n");
    write_names("INPUTS", g->input_count, g->parameter + g->parameter_count, out);
    write_units(g, out);
    write_shapes(g, out);
    write_events(g, out);
    write_data(g, out);
}

static void write_calls(const project *g, text *out) {
    for (uint32_t i = 0; i < g->function_count; i++) {
        const project_function *f = &g->function[i];
        const bool more = g->input_count && !f->is_law;
        text about = {0};
        text_append(&about, f->about);
        for (uint32_t k = 0; f->entry && k < f->t->output_count; k++)
            text_format(&about, "%s%s", k ? ", " : ": ", f->entry[k]);
        text_format(out, "\ndef %s(t, z, p=None%s):\n    ", script_project_name_of(g, i),
                    more ? ", u=None" : "");
        script_string(text_string(&about), out);
        text_format(out, "\n    return _evaluate(\"%s\", t, z, p, %s)\n\n",
                    script_project_name_of(g, i), more ? "u" : "None");
        text_free(&about);
    }
}

static void write_module(const project *g, text *out) {
    script_string(g->title, out);
    text_char(out, '\n');
    script_project_heading(g, "#", WORDS, out);
    text_append(out, python_head);
    write_tables(g, out);
    write_bodies(g, out);
    text_append(out, python_runtime);
    write_calls(g, out);
}

// --- main.py -------------------------------------------------------------------------------------

static void write_main(const project *g, text *out) {
    text_format(out, "#!/usr/bin/env python3\n" MARK " %s.\n", g->version);
    text_append(out,
                "\"A trajectory as CSV on standard output; events on standard error. Arguments: "
                "the end, the number of rows.\"\n");
    script_project_template(g, python_main, out);
}

const target target_python = {
    .id = "python",
    .name = "Python",
    .about = "Python with NumPy: a module whose functions take one state or many at once, a main "
             "that prints a trajectory by SciPy",
    .files = {{"@.py", write_module}, {"main.py", write_main}},
    .rules = &python_rules,
    .program = &python_program_rules,
    .mark_file = "main.py",
    .mark = "#!/usr/bin/env python3\n" MARK,
};
