// The target `modelica`: a system as a model with parameters, inputs and equations; where it has
// inputs, a second one in which they are what the model states.
#include "codegen/script_project.h"

#include "expr/spline.h"

#include <math.h>
#include <string.h>

#define MARK "// Written by hamel"

// clang-format off
static const char *const words[] = {
    "algorithm", "and", "annotation", "assert", "block", "break", "class", "connect", "connector",
    "constant", "constrainedby", "der", "discrete", "each", "else", "elseif", "elsewhen",
    "encapsulated", "end", "enumeration", "equation", "expandable", "extends", "external", "false",
    "final", "flow", "for", "function", "if", "import", "impure", "in", "initial", "inner", "input",
    "loop", "model", "not", "operator", "or", "outer", "output", "package", "parameter", "partial",
    "protected", "public", "pure", "record", "redeclare", "replaceable", "return", "stream", "then",
    "true", "type", "when", "while", "within",
    "Real", "Integer", "Boolean", "String", "abs", "sign", "sqrt", "sin", "cos", "tan", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "time", "pre", "edge", "change",
    "reinit", "terminate", "smooth", "noEvent", "sample", "delay", "size", "sum", "product", "min",
    "max", "fill", "zeros", "ones", "div", "mod", "rem", "integer", "ceil", "floor", "homotopy",
    "terminal", "Modelica", "Complex", "Clock", "StateSelect", "motion", "t", NULL};
// clang-format on
// What temporaries, functions and counters of events are called
static const char *const beginnings[] = {"data_",        "hits_",       "rate_r",  "rate_s",
                                         "multipliers_", "reactions_",  "energy_", "invariants_",
                                         "observables_", "residuals_",  "events_", "inputs_",
                                         "event_",       "rate_matrix", NULL};
static const identifier_rules modelica_rules = {.words = words, .beginnings = beginnings};

// An equation for each row; the tool solves them.
static void write_system(const char *name, uint32_t n, uint32_t columns, char *const *entry,
                         text *out) {
    for (uint32_t column = 0; column < columns; column++)
        for (uint32_t i = 0; i < n; i++) {
            text_append(out, " ");
            const char *sign = " ";
            for (uint32_t j = 0; j < n; j++) {
                if (strcmp(entry[i * n + j], "0.0") == 0) continue;
                text_format(out, "%s(%s)*%s[%u]", sign, entry[i * n + j], name, column * n + j + 1);
                sign = " + ";
            }
            text_format(out, " = %s;\n", entry[(n + column) * n + i]);
        }
}

static const dialect modelica = {
    .times = "*",
    .over = "/",
    .call = {[TAPE_SQRT] = "sqrt(\1)",
             [TAPE_POW] = "(\1)^(\2)",
             [TAPE_SIN] = "sin(\1)",
             [TAPE_COS] = "cos(\1)",
             [TAPE_TAN] = "tan(\1)",
             [TAPE_ASIN] = "asin(\1)",
             [TAPE_ACOS] = "acos(\1)",
             [TAPE_ATAN] = "atan(\1)",
             [TAPE_ATAN2] = "atan2(\1, \2)",
             [TAPE_SINH] = "sinh(\1)",
             [TAPE_COSH] = "cosh(\1)",
             [TAPE_TANH] = "tanh(\1)",
             [TAPE_EXP] = "exp(\1)",
             [TAPE_LOG] = "log(\1)",
             [TAPE_ABS] = "abs(\1)",
             [TAPE_SIGN] = "sign(\1)"},
    .statement = "  \1 = \2;\n",
    .declaration = "  Real \1;\n",
    .list_declaration = "  Real \1[\2];\n",
    .solution = "\1[\2]",
    .first = 1,
    .solve = write_system,
};

// --- declarations --------------------------------------------------------------------------------

// kg*m^2/(s*A) is kg.m2/(s.A) there
static void write_unit(const char *unit, text *out) {
    text_append(out, "unit = \"");
    for (; *unit; unit++)
        if (*unit != '^') text_char(out, *unit == '*' ? '.' : *unit);
    text_char(out, '"');
}

static void write_variable(const char *kind, const char *id, const char *unit, const double *start,
                           const char *words_of, text *out) {
    text_format(out, "  %sReal %s", kind, id);
    const char *open = "(";
    if (unit) {
        text_append(out, "(");
        write_unit(unit, out);
        open = ", ";
    }
    if (start) {
        text_format(out, "%sstart = ", open);
        script_number(*start, out);
        text_append(out, ", fixed = true");
        open = ", ";
    }
    text_append(out, *open == ',' ? ") " : " ");
    script_string(words_of, out);
    text_append(out, ";\n");
}

static void write_parameters(const project *g, text *out) {
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        text_format(out, "  parameter Real %s", g->parameter_id[i]);
        if (g->parameter_unit[i]) {
            text_char(out, '(');
            write_unit(g->parameter_unit[i], out);
            text_char(out, ')');
        }
        text_append(out, " = ");
        script_number(g->value[i], out);
        text_char(out, ' ');
        script_string(g->parameter[i], out);
        text_append(out, ";\n");
    }
    for (uint32_t i = g->parameter_count; i < g->parameter_count + g->input_count; i++)
        write_variable("input ", g->parameter_id[i], g->parameter_unit[i], NULL, g->parameter[i],
                       out);
}

// --- functions from data -------------------------------------------------------------------------

static void write_data(const project *g, text *out) {
    for (uint32_t i = 0; i < g->data_count; i++) {
        spline *f = g->data[i];
        const uint32_t pieces = f->count - 1;
        text_format(out, "  function data_%u \"the piece at t: where it begins, its four terms\"\n",
                    i + 1);
        text_append(out, "    input Real t;\n    output Real piece[5];\n  protected\n");
        text_format(out, "    constant Real begins[%u] = {\n", f->count);
        script_project_numbers(f->count, spline_knots(f), 8, "      ", out);
        out->length -= 2; // no comma behind the last
        text_format(out, "};\n    constant Real term[%u] = {\n", SPLINE_TERMS * pieces);
        script_project_numbers(SPLINE_TERMS * pieces, f->coefficient, SPLINE_TERMS, "      ", out);
        out->length -= 2;
        text_format(out,
                    "};\n    Integer k;\n  algorithm\n    k := 1;\n"
                    "    while k < %u and t >= begins[k + 1] loop\n      k := k + 1;\n"
                    "    end while;\n"
                    "    piece := {begins[k], term[4*k - 3], term[4*k - 2], term[4*k - 1], "
                    "term[4*k]};\n  end data_%u;\n",
                    pieces, i + 1);
    }
}

static void write_data_use(const project *g, bool equations, text *out) {
    for (uint32_t i = 0; i < g->data_count; i++) {
        const char *const *id =
            g->parameter_id + g->parameter_count + g->input_count + SPLINE_PIECE * i;
        for (uint32_t k = 0; k < SPLINE_PIECE && !equations; k++)
            text_format(out, "  Real %s;\n", id[k]);
        if (!equations) continue;
        text_format(out, "  {%s, %s, %s, %s, %s} = data_%u(time);\n", id[0], id[1], id[2], id[3],
                    id[4], i + 1);
        const double *knot = spline_knots(g->data[i]);
        text_append(out, "  assert(time >= ");
        script_number(knot[0], out);
        text_append(out, " - 1e-12 and time <= ");
        script_number(knot[g->data[i]->count - 1], out);
        text_append(out, " + 1e-12, ");
        text reason = {0};
        text_format(&reason, "outside of the data of %s", g->data[i]->name);
        script_string(text_string(&reason), out);
        text_append(out, ");\n");
        text_free(&reason);
    }
}

// --- equations -----------------------------------------------------------------------------------

// Functions whose entries are variables of the model
static bool is_shown(const project_function *f) {
    return f->entry && !f->columns && !f->is_law && strcmp(f->id, "velocities") != 0 &&
           strcmp(f->id, "reactions") != 0 && strcmp(f->id, "events") != 0;
}

static void write_event(const project *g, const project_function *f, uint32_t i, text *out) {
    const char *id = f->entry_id[i];
    const int direction = g->event[i].direction;
    text_format(out,
                direction > 0   ? "  when event_%s > 0 then\n"
                : direction < 0 ? "  when event_%s < 0 then\n"
                                : "  when {event_%s > 0, event_%s < 0} then\n",
                id, id);
    text_format(out, "    hits_%s = pre(hits_%s) + 1;\n  end when;\n", id, id);
    if (!g->event[i].stop) return;
    text_format(out, "  when hits_%s > 0 then\n    terminate(", id);
    script_string(f->entry[i], out);
    text_append(out, ");\n  end when;\n");
}

static void write_equations(const project *g, uint32_t which, const char *const *label,
                            text *declarations, text *out) {
    const project_function *f = &g->function[which];
    const bool is_rate = which == 0, is_event = strcmp(f->id, "events") == 0;
    if (!is_rate && !is_event && !is_shown(f)) return;
    text prefix = {0};
    text_format(&prefix, "%s_", f->id);
    script_body b =
        script_project_body(g, which, &modelica, SCRIPT_ALL, label, text_string(&prefix));
    text_format(out, "  // %s\n", f->about);
    text_append(out, text_string(&b.statements));
    text_append(declarations, text_string(&b.declarations));
    for (uint32_t i = 0; i < b.output_count; i++) {
        if (is_rate) text_format(out, "  der(%s) = %s;\n", g->state_id[i], b.output[i]);
        else
            text_format(out, "  %s%s = %s;\n", is_event ? "event_" : "", f->entry_id[i],
                        b.output[i]);
    }
    for (uint32_t i = 0; is_event && i < b.output_count; i++) write_event(g, f, i, out);
    text_free(&prefix);
    script_body_free(&b);
}

static void write_shown(const project *g, text *out) {
    for (uint32_t i = 1; i < g->function_count; i++) {
        const project_function *f = &g->function[i];
        const bool is_event = strcmp(f->id, "events") == 0;
        for (uint32_t k = 0; (is_event || is_shown(f)) && k < f->t->output_count; k++) {
            if (!is_event) {
                write_variable("", f->entry_id[k], f->unit ? f->unit[k] : NULL, NULL, f->entry[k],
                               out);
                continue;
            }
            text_format(out, "  Real event_%s;\n  Integer hits_%s(start = 0, fixed = true) ",
                        f->entry_id[k], f->entry_id[k]);
            script_string(f->entry[k], out);
            text_append(out, ";\n");
        }
    }
}

static void write_experiment(const project *g, text *out) {
    text_append(out, "  annotation(experiment(StartTime = ");
    script_number(g->t0, out);
    text_append(out, ", StopTime = ");
    script_number(g->t1, out);
    text_append(out, ", Tolerance = 1e-10));\n");
}

// The same model with the inputs as stated: names of the first are members of `motion`.
static void write_stated(const project *g, const char **label, text *out) {
    const project_function *law = script_project_find(g, "inputs");
    if (!law) return;
    const uint32_t n = g->state_count, leaves = n + 1 + g->parameter_count;
    text *member = memory_zeros(text, leaves + 1);
    for (uint32_t i = 0; i < leaves; i++) {
        text_format(&member[i], i == n ? "time" : "motion.%s", label[i]);
        label[i] = text_string(&member[i]);
    }
    script_body b = script_body_create(law->t, &modelica, SCRIPT_ALL, label, "inputs_");
    text_format(out,
                "\nmodel %s_stated \"with the inputs as the model states them\"\n  %s motion;\n",
                g->name, g->name);
    text_append(out, text_string(&b.declarations));
    write_data_use(g, false, out);
    text_append(out, "equation\n");
    for (uint32_t i = 0; i < g->data_count * SPLINE_PIECE; i++) {
        const char *id = g->parameter_id[g->parameter_count + g->input_count + i];
        text_format(out, "  %s = motion.%s;\n", id, id);
    }
    text_append(out, text_string(&b.statements));
    for (uint32_t i = 0; i < b.output_count; i++)
        text_format(out, "  motion.%s = %s;\n", g->parameter_id[g->parameter_count + i],
                    b.output[i]);
    write_experiment(g, out);
    text_format(out, "end %s_stated;\n", g->name);
    script_body_free(&b);
    for (uint32_t i = 0; i < leaves; i++) text_free(&member[i]);
    memory_free(member);
}

static void write_model(const project *g, text *out) {
    const char **label = script_project_labels(g);
    text declarations = {0}, equations = {0};
    label[g->state_count] = "time";
    for (uint32_t i = 0; i < g->function_count; i++)
        write_equations(g, i, label, &declarations, &equations);
    text_format(out, MARK " %s. It has not been run where it was written.\n", g->version);
    script_comment("//", g->title, out);
    script_comment("//", g->equations, out);
    text_format(out, "model %s ", g->name);
    script_string(g->title, out);
    text_char(out, '\n');
    write_data(g, out);
    write_parameters(g, out);
    for (uint32_t i = 0; i < g->state_count; i++)
        write_variable("", g->state_id[i], g->state_unit[i], g->start + i, g->state[i], out);
    write_shown(g, out);
    write_data_use(g, false, out);
    text_append(out, "protected\n");
    text_append(out, text_string(&declarations));
    text_append(out, "equation\n");
    write_data_use(g, true, out);
    text_append(out, text_string(&equations));
    write_experiment(g, out);
    text_format(out, "end %s;\n", g->name);
    write_stated(g, label, out);
    text_free(&declarations), text_free(&equations);
    memory_free(label);
}

const target target_modelica = {
    .id = "modelica",
    .name = "Modelica",
    .about = "Modelica: a model with parameters, inputs, units, equations and events, in one file",
    .files = {{"@.mo", write_model}},
    .rules = &modelica_rules,
    .mark_file = "@.mo",
    .mark = MARK,
};
