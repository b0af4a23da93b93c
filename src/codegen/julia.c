// The target `julia`: a system as a module of functions f!(out, z, p, t), as DifferentialEquations
// takes them.
#include "codegen/script_project.h"

#include "expr/spline.h"

#include <string.h>

#define MARK "# Written by hamel"

// clang-format off
static const char *const words[] = {
    "abstract", "baremodule", "begin", "break", "catch", "const", "continue", "do", "else", "elseif",
    "end", "export", "false", "finally", "for", "function", "global", "if", "import", "in", "isa",
    "let", "local", "macro", "module", "mutable", "new", "outer", "primitive", "public", "quote",
    "return", "struct", "true", "try", "type", "using", "where", "while", "missing", "nothing",
    "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log",
    "abs", "sign", "solve_system", "look_up", "pi", "NaN", "Inf", "im", "Base", "Core", "Main",
    "main", "eval", "include", "zip", "vcat", "reshape", "transpose", "vec", "collect",
    "OrdinaryDiffEq", "DifferentialEquations",
    "t", "z", "p", "u", "out", "state", "state_unit", "parameter", "parameter_unit",
    "input", "tspan", "z0", "p0", "zeros", "eltype", "length", "clamp", "searchsortedlast", NULL};
// clang-format on
static const identifier_rules julia_rules = {.words = words};

static void write_system(const char *name, uint32_t n, uint32_t columns, char *const *entry,
                         text *out) {
    text_format(out, "    %s = solve_system(%u, %u, [\n", name, n, columns);
    for (uint32_t k = 0; k < n * (n + columns); k++)
        text_format(out, "%s%s,%s", k % n ? " " : "        ", entry[k], k % n == n - 1 ? "\n" : "");
    text_append(out, "    ])\n");
}

static const dialect julia = {
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
             [TAPE_ATAN2] = "atan(\1, \2)",
             [TAPE_SINH] = "sinh(\1)",
             [TAPE_COSH] = "cosh(\1)",
             [TAPE_TANH] = "tanh(\1)",
             [TAPE_EXP] = "exp(\1)",
             [TAPE_LOG] = "log(\1)",
             [TAPE_ABS] = "abs(\1)",
             [TAPE_SIGN] = "sign(\1)"},
    .statement = "    \1 = \2\n",
    .solution = "\1[\2]",
    .first = 1,
    .solve = write_system,
};

// --- the module ----------------------------------------------------------------------------------

static const char SOLVER[] = "# Entries of the matrix row by row, then of the right-hand sides\n"
                             "function solve_system(n, columns, entries)\n"
                             "    matrix = transpose(reshape(entries[1:n*n], n, n))\n"
                             "    return vec(matrix \\ reshape(entries[n*n+1:end], n, columns))\n"
                             "end\n"
                             "\n";

static const char LOOK_UP[] =
    "# The piece of a function from data at t: where it begins, and its four terms\n"
    "function look_up(time, term, t)\n"
    "    piece = clamp(searchsortedlast(time, t), 1, length(time) - 1)\n"
    "    slack = 1e-14 * abs(t)\n"
    "    inside = time[1] - slack <= t <= time[end] + slack\n"
    "    return inside ? (time[piece], term[piece]...) : (time[piece], NaN, NaN, NaN, NaN)\n"
    "end\n"
    "\n";

// A string; $ begins what is put in
static void write_text(const char *name, text *out) {
    text quoted = {0};
    script_string(name, &quoted);
    for (const char *c = text_string(&quoted); *c; c++) {
        if (*c == '$') text_char(out, '\\');
        text_char(out, *c);
    }
    text_free(&quoted);
}

static void write_texts(const char *what, const char *type, uint32_t count, const char *const *item,
                        text *out) {
    text_format(out, "const %s = %s[", what, type);
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        write_text(item[i] ? item[i] : "", out);
    }
    text_append(out, "]\n");
}

static void write_values(const char *what, uint32_t count, const double *value, text *out) {
    text_format(out, "const %s = Float64[\n", what);
    for (uint32_t i = 0; i < count; i++) {
        if (value[i] != value[i]) text_append(out, "    NaN,\n");
        else script_project_numbers(1, value + i, 1, "    ", out);
    }
    text_append(out, "]\n");
}

static void write_tables(const project *g, text *out) {
    write_texts("state", "String", g->state_count, g->state, out);
    write_texts("state_unit", "String", g->state_count, g->state_unit, out);
    write_values("z0", g->state_count, g->start, out);
    write_texts("parameter", "String", g->parameter_count, g->parameter, out);
    write_texts("parameter_unit", "String", g->parameter_count, g->parameter_unit, out);
    write_values("p0", g->parameter_count, g->value, out);
    write_texts("input", "String", g->input_count, g->parameter + g->parameter_count, out);
    const double ends[] = {g->t0, g->t1};
    text_append(out, "const tspan = (");
    for (int i = 0; i < 2; i++) {
        script_number(ends[i], out);
        text_append(out, i ? ")\n" : ", ");
    }
    for (uint32_t i = 0; i < g->data_count; i++) {
        spline *f = g->data[i];
        text name = {0};
        text_format(&name, "data_time_%u", i + 1);
        write_values(text_string(&name), f->count, spline_knots(f), out);
        text_format(out, "const data_term_%u = [\n", i + 1);
        for (uint32_t k = 0; k + 1 < f->count; k++) {
            text line = {0};
            script_project_numbers(SPLINE_TERMS, f->coefficient + SPLINE_TERMS * k, SPLINE_TERMS,
                                   "", &line);
            text_format(out, "    (%.*s),\n", (int)strcspn(text_string(&line), "\n"),
                        text_string(&line));
            text_free(&line);
        }
        text_append(out, "]\n");
        text_free(&name);
    }
    text_char(out, '\n');
}

// Which data the body needs; their numbers are inputs of its tape behind p and u.
static void write_look_ups(const project *g, const script_body *b, text *out) {
    const uint32_t before = g->state_count + 1 + g->parameter_count + g->input_count;
    for (uint32_t i = 0; i < g->data_count; i++) {
        const uint32_t at = before + SPLINE_PIECE * i;
        bool used = false;
        for (uint32_t k = 0; k < SPLINE_PIECE; k++) used = used || b->uses_input[at + k];
        if (!used) continue;
        text_append(out, "    ");
        for (uint32_t k = 0; k < SPLINE_PIECE; k++)
            text_format(out, "%s%s", k ? ", " : "", g->parameter_id[at + k - g->state_count - 1]);
        text_format(out, " = look_up(data_time_%u, data_term_%u, t)\n", i + 1, i + 1);
    }
}

static void unpack(const project *g, const script_body *b, text *out) {
    for (uint32_t i = 0; i < g->state_count; i++)
        if (b->uses_input[i]) text_format(out, "    %s = z[%u]\n", g->state_id[i], i + 1);
    for (uint32_t i = 0; i < g->parameter_count + g->input_count; i++) {
        if (!b->uses_input[g->state_count + 1 + i]) continue;
        const bool is_input = i >= g->parameter_count;
        text_format(out, "    %s = %c[%u]\n", g->parameter_id[i], is_input ? 'u' : 'p',
                    (is_input ? i - g->parameter_count : i) + 1);
    }
    write_look_ups(g, b, out);
}

static void write_function(const project *g, uint32_t which, const char *const *label, text *out) {
    const project_function *f = &g->function[which];
    const char *name = script_project_name_of(g, which);
    const bool more = g->input_count && !f->is_law;
    script_body b = script_project_body(g, which, &julia, SCRIPT_ALL, label, "");
    text about = {0};
    text_append(&about, f->about);
    for (uint32_t k = 0; f->entry && k < f->t->output_count; k++)
        text_format(&about, "%s%s", k ? ", " : ": ", f->entry[k]);
    script_comment("#", text_string(&about), out);
    text_format(out, "const %s_count = %u\n", name, f->t->output_count);
    text_format(out, "function %s!(out, z, p, t%s)\n", name, more ? ", u" : "");
    unpack(g, &b, out);
    text_append(out, text_string(&b.statements));
    for (uint32_t i = 0; i < b.output_count; i++) {
        if (f->columns)
            text_format(out, "    out[%u, %u] = %s\n", i / f->columns + 1, i % f->columns + 1,
                        b.output[i]);
        else text_format(out, "    out[%u] = %s\n", i + 1, b.output[i]);
    }
    text_append(out, "    return nothing\nend\n");
    if (more) // as the model states the inputs
        text_format(out,
                    "function %s!(out, z, p, t)\n    u = zeros(eltype(out), %u)\n    inputs!(u, z, "
                    "p, t)\n    return %s!(out, z, p, t, u)\nend\n",
                    name, g->input_count, name);
    text_char(out, '\n');
    text_free(&about);
    script_body_free(&b);
}

static const char WORDS[] =
    "Functions of a state z, parameters p in the order of `parameter`, and time t; rhs! is f! of "
    "DifferentialEquations. It has not been run where it was written.";

static void write_module(const project *g, text *out) {
    const char **label = script_project_labels(g);
    script_project_heading(g, "#", WORDS, out);
    text_format(out, "module %s\n\n", g->name);
    write_tables(g, out);
    text_append(out, SOLVER);
    if (g->data_count) text_append(out, LOOK_UP);
    for (uint32_t i = 0; i < g->function_count; i++) write_function(g, i, label, out);
    text_append(out, "end\n");
    memory_free(label);
}

// --- main.jl -------------------------------------------------------------------------------------

static const char MAIN_HEAD[] = "using OrdinaryDiffEq\n"
                                "include(\"@.jl\")\n"
                                "\n";
static const char MAIN_SOLVE[] =
    "problem = ODEProblem(@.rhs!, @.z0, @.tspan, @.p0)\n"
    "moments = range(@.tspan...; length=201)\n"
    "solution = solve(problem, Vern9(); reltol=1e-10, abstol=1e-12, saveat=moments,\n";
static const char MAIN_ROWS[] = "println(join(vcat(\"t\", @.state), \",\"))\n"
                                "for (t, z) in zip(solution.t, solution.u)\n"
                                "    println(join(vcat(t, z), \",\"))\n"
                                "end\n";

// Events that end the motion
static void write_stops(const project *g, text *out, text *callback) {
    const project_function *f = script_project_find(g, "events");
    for (uint32_t i = 0; f && i < f->t->output_count; i++) {
        if (!g->event[i].stop) continue;
        const char *rises = g->event[i].direction >= 0 ? "terminate!" : "nothing",
                   *falls = g->event[i].direction <= 0 ? "terminate!" : "nothing";
        text_format(out,
                    "function event_%u(z, t, run)\n    values = zeros(%s.events_count)\n"
                    "    %s.events!(values, z, %s.p0, t)\n    return values[%u]\nend\n",
                    i + 1, g->name, g->name, g->name, i + 1);
        text_format(callback, "%sContinuousCallback(event_%u, %s, %s)",
                    callback->length ? ", " : "", i + 1, rises, falls);
    }
}

static void write_main(const project *g, text *out) {
    text callback = {0};
    text_format(out, MARK " %s.\n# A trajectory as CSV on standard output: julia main.jl\n",
                g->version);
    script_project_template(g, MAIN_HEAD, out);
    write_stops(g, out, &callback);
    script_project_template(g, MAIN_SOLVE, out);
    text_format(out, "    callback=CallbackSet(%s))\n", text_string(&callback));
    script_project_template(g, MAIN_ROWS, out);
    text_free(&callback);
}

const target target_julia = {
    .id = "julia",
    .name = "Julia",
    .about = "Julia: a module of functions f!(out, z, p, t), a main that prints a trajectory by "
             "OrdinaryDiffEq",
    .files = {{"@.jl", write_module}, {"main.jl", write_main}},
    .rules = &julia_rules,
    .mark_file = "main.jl",
    .mark = MARK,
};
