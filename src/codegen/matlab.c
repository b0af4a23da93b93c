// The target `matlab`: a system as one function that gives a struct of functions, for MATLAB and
// GNU Octave, and a script that integrates it with ode45.
#include "codegen/script_project.h"

#include "expr/spline.h"

#include <string.h>

#define MARK "% Written by hamel"

// --- words ---------------------------------------------------------------------------------------

// clang-format off
// Keywords of both, functions that are called, and what bodies call things themselves. MATLAB has
// names of 63 letters at most.
#define FORBIDDEN \
    "break", "case", "catch", "classdef", "continue", "do", "else", "elseif", "end", \
    "end_try_catch", "end_unwind_protect", "endfor", "endfunction", "endif", "endparfor", \
    "endswitch", "endwhile", "enumeration", "events", "for", "function", "global", "if", \
    "methods", "otherwise", "parfor", "persistent", "properties", "return", "spmd", "switch", \
    "try", "until", "unwind_protect", "unwind_protect_cleanup", "while", "endclassdef", \
    "endenumeration", "endevents", "endmethods", "endproperties", "endspmd", "arguments", \
    "endarguments", "abs", "sqrt", "power", "sin", "cos", "tan", "asin", "acos", "atan", \
    "atan2", "sinh", "cosh", "tanh", "exp", "log", "sign", "zeros", "size", "reshape", \
    "permute", "numel", "isempty", "max", "main", "real_sqrt", "real_log", "real_asin", \
    "real_acos", "real_power", "solve_systems", "look_up", "put_together", "parameters", "i", \
    "j", "Inf", "NaN", "pi", "eps", "ans", "nargin", "ode45", "odeset", "linspace", "fprintf", \
    "strjoin", "deal", "cellfun", "struct", "ones", "t", "z", "p", "u", "s", "out", "inputs", \
    "stated_parameters", "parameter_names", "with_parameters", "num2cell", "event_function",
static const char *const words[] = {FORBIDDEN NULL};
// The file stands in front of functions of that name.
static const char *const files[] = {
    FORBIDDEN
    "rhs", "velocities", "mass", "forcing", "multipliers", "reactions", "energy", "invariants",
    "observables", "residuals", "jacobian", "error", "find", "strcmp", "real", "imag", "isreal",
    "any", "repmat", "isfield", "exist", "str2double", "argv", "min", "disp", "print", "plot",
    "rows", NULL};
// clang-format on
enum { LONGEST_NAME = 63 };
static const identifier_rules matlab_rules = {.words = words, .longest = LONGEST_NAME},
                              file_rules = {.words = files, .longest = LONGEST_NAME};

static void write_system(const char *name, uint32_t n, uint32_t columns, char *const *entry,
                         text *out) {
    text_format(out, "  %s = solve_systems(%u, %u, {", name, n, columns);
    for (uint32_t k = 0; k < n * (n + columns); k++)
        text_format(out, "%s(%s)", k % n ? ", " : k ? ", ...\n    " : " ...\n    ", entry[k]);
    text_append(out, "});\n");
}

// Of numbers that have no real value sqrt, log .. would make complex ones.
static const dialect matlab = {
    .times = ".*",
    .over = "./",
    .call = {[TAPE_SQRT] = "real_sqrt(\1)",
             [TAPE_POW] = "real_power(\1, \2)",
             [TAPE_SIN] = "sin(\1)",
             [TAPE_COS] = "cos(\1)",
             [TAPE_TAN] = "tan(\1)",
             [TAPE_ASIN] = "real_asin(\1)",
             [TAPE_ACOS] = "real_acos(\1)",
             [TAPE_ATAN] = "atan(\1)",
             [TAPE_ATAN2] = "atan2(\1, \2)",
             [TAPE_SINH] = "sinh(\1)",
             [TAPE_COSH] = "cosh(\1)",
             [TAPE_TANH] = "tanh(\1)",
             [TAPE_EXP] = "exp(\1)",
             [TAPE_LOG] = "real_log(\1)",
             [TAPE_ABS] = "abs(\1)",
             [TAPE_SIGN] = "sign(\1)"},
    .statement = "  \1 = \2;\n",
    .solution = "\1(\2, :)",
    .first = 1,
    .solve = write_system,
};

// --- the functions -------------------------------------------------------------------------------

static void write_quoted(const char *words_of, text *out) {
    text_char(out, '\'');
    for (; *words_of; words_of++) text_format(out, *words_of == '\'' ? "''" : "%c", *words_of);
    text_char(out, '\'');
}

static void write_cell(uint32_t count, const char *const *item, text *out) {
    text_char(out, '{');
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        write_quoted(item[i] ? item[i] : "", out);
    }
    text_char(out, '}');
}

static void write_number(double value, text *out) {
    if (value != value) text_append(out, "NaN");
    else script_number(value, out);
}

static void write_column_of(uint32_t count, const double *value, text *out) {
    text_char(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i ? "; " : "");
        write_number(value[i], out);
    }
    text_char(out, ']');
}

static bool changes(const project *g) { return g->input_count || g->data_count; }

static void write_call(const project *g, uint32_t which, const char *const *label, text *out) {
    const project_function *f = &g->function[which];
    const bool more = g->input_count && !f->is_law;
    script_body b = script_project_body(g, which, &matlab, SCRIPT_ALL, label, "");
    text about = {0};
    text_append(&about, f->about);
    for (uint32_t k = 0; f->entry && k < f->t->output_count; k++)
        text_format(&about, "%s%s", k ? ", " : ": ", f->entry[k]);
    script_comment("%", text_string(&about), out);
    text_format(out, "function out = %s(t, z, p%s)\n", script_project_name_of(g, which),
                more ? ", u" : "");
    text_append(out, "  if nargin < 3 || isempty(p), p = stated_parameters(); end\n");
    if (more) text_append(out, "  if nargin < 4 || isempty(u), u = inputs(t, z, p); end\n");
    if (changes(g)) text_format(out, "  p = put_together(t, p, %s);\n", more ? "u" : "[]");
    script_project_unpack(g, &b, "  \1 = z(\2, :);\n",
                          changes(g) ? "  \1 = p{\2};\n" : "  \1 = p(\2);\n", 1, out);
    text_append(out, text_string(&b.statements));
    text_format(out, "  out = zeros(%u, max([size(z, 2), numel(t)%s]));\n", f->t->output_count,
                more ? ", size(u, 2)" : "");
    for (uint32_t i = 0; i < b.output_count; i++)
        if (strcmp(b.output[i], "0.0") != 0)
            text_format(out, "  out(%u, :) = %s;\n", i + 1, b.output[i]);
    if (f->columns)
        text_format(out, "  out = permute(reshape(out, %u, %u, []), [2, 1, 3]);\n", f->columns,
                    f->t->output_count / f->columns);
    text_append(out, "end\n\n");
    text_free(&about);
    script_body_free(&b);
}

// --- what belongs to them ------------------------------------------------------------------------

static const char HELPERS[] =
    "% p with other values in their places: with('m', 2, 'a[1]', 0.5)\n"
    "function p = with_parameters(varargin)\n"
    "  p = stated_parameters();\n"
    "  name = parameter_names();\n"
    "  for k = 1:2:numel(varargin)\n"
    "    found = find(strcmp(name, varargin{k}));\n"
    "    if isempty(found)\n"
    "      error('there is no parameter %s; they are: %s', varargin{k}, strjoin(name, ', '));\n"
    "    end\n"
    "    p(found) = varargin{k + 1};\n"
    "  end\n"
    "end\n"
    "\n"
    "% Real functions: not numbers where they have no real value\n"
    "function r = real_sqrt(x)\n"
    "  r = sqrt(max(x, 0));\n"
    "  r(~(x >= 0)) = NaN;\n"
    "end\n"
    "\n"
    "function r = real_log(x)\n"
    "  r = log(max(x, 0));\n"
    "  r(~(x >= 0)) = NaN;\n"
    "end\n"
    "\n"
    "function r = real_asin(x)\n"
    "  r = asin(max(min(x, 1), -1));\n"
    "  r(~(abs(x) <= 1)) = NaN;\n"
    "end\n"
    "\n"
    "function r = real_acos(x)\n"
    "  r = acos(max(min(x, 1), -1));\n"
    "  r(~(abs(x) <= 1)) = NaN;\n"
    "end\n"
    "\n"
    "function r = real_power(x, e)\n"
    "  r = power(x, e);\n"
    "  if ~isreal(r)\n"
    "    r(imag(r) ~= 0) = NaN;\n"
    "    r = real(r);\n"
    "  end\n"
    "end\n"
    "\n"
    "% One linear system for each state: entries of the matrix row by row, then of the right-hand "
    "sides\n"
    "function x = solve_systems(n, columns, entry)\n"
    "  many = max(cellfun(@numel, entry));\n"
    "  x = zeros(n * columns, many);\n"
    "  for k = 1:many\n"
    "    now = cellfun(@(v) v(min(k, numel(v))), entry);\n"
    "    x(:, k) = reshape(reshape(now(1:n * n), n, n).' \\ reshape(now(n * n + 1:end), n, "
    "columns), [], 1);\n"
    "  end\n"
    "end\n"
    "\n";

static const char LOOK_UP[] =
    "% The piece of a function from data at t: where it begins, and its four terms\n"
    "function v = look_up(time, term, t)\n"
    "  slack = 1e-14 * abs(t);\n"
    "  piece = ones(size(t));\n"
    "  for k = 2:numel(time) - 1\n"
    "    piece(t >= time(k)) = k;\n"
    "  end\n"
    "  v = [time(piece); term(:, piece)];\n"
    "  v(2:end, ~(t >= time(1) - slack & t <= time(end) + slack)) = NaN;\n"
    "end\n"
    "\n";

static const char STOPS[] =
    "% For odeset('Events', ..): where the motion ends, and what is noted on its way\n"
    "function [value, ends, direction] = event_function(t, z, varargin)\n"
    "  value = events(t, z, varargin{:});\n"
    "  [ends, direction] = deal(#);\n"
    "end\n"
    "\n";

static void write_event_function(const project *g, text *out) {
    text flags = {0};
    const project_function *f = script_project_find(g, "events");
    if (!f) return;
    for (int direction = 0; direction < 2; direction++) {
        text_append(&flags, direction ? ", [" : "[");
        for (uint32_t i = 0; i < f->t->output_count; i++)
            text_format(&flags, "%s%d", i ? "; " : "",
                        direction ? g->event[i].direction : g->event[i].stop);
        text_char(&flags, ']');
    }
    for (const char *c = STOPS; *c; c++)
        text_format(out, *c == '#' ? "%s" : "%.1s", *c == '#' ? text_string(&flags) : c);
    text_free(&flags);
}

static void write_data(const project *g, text *out) {
    if (!changes(g)) return;
    text_append(out, "% Parameters, inputs, and the data at t, as rows\n"
                     "function v = put_together(t, p, u)\n");
    text_append(out, "  v = num2cell(p(:));\n");
    text_format(out, "  if isempty(u), u = NaN(%u, 1); end\n", g->input_count);
    text_append(out, "  for k = 1:size(u, 1), v{end + 1} = u(k, :); end\n");
    for (uint32_t i = 0; i < g->data_count; i++) {
        spline *f = g->data[i];
        text_format(out, "  %% %s through %u points: times, then 1, t - t_i, (t - t_i)^2, ..\n",
                    f->linear ? "straight lines" : "a cubic spline", f->count);
        text_append(out, "  time = [ ...\n");
        for (uint32_t k = 0; k < f->count; k++) {
            script_number(spline_knots(f)[k], out);
            text_append(out, k % 8 == 7 ? " ...\n" : " ");
        }
        text_append(out, "];\n  term = [ ...\n");
        for (uint32_t k = 0; k < SPLINE_TERMS * (f->count - 1); k++) {
            script_number(f->coefficient[k], out);
            text_append(out, k % SPLINE_TERMS == SPLINE_TERMS - 1 ? "; ...\n" : " ");
        }
        text_append(out, "].';\n  piece = look_up(time, term, t);\n"
                         "  for k = 1:size(piece, 1), v{end + 1} = piece(k, :); end\n");
    }
    text_append(out, "end\n\n");
    if (g->data_count) text_append(out, LOOK_UP);
}

static const char WORDS[] =
    "s = this(); s.rhs(t, z), s.energy(t, z) .. take one state z as a column or many as columns; "
    "then p, values of all parameters in a column, s.with('name', 2) or [] for the model's.";

static void write_members(const project *g, text *out) {
    text_format(out, "function s = %s()\n", g->name);
    script_project_heading(g, "%", WORDS, out);
    text_append(out, "  s.title = ");
    write_quoted(g->title, out);
    text_append(out, ";\n  s.state = ");
    write_cell(g->state_count, g->state, out);
    text_append(out, ";\n  s.state_unit = ");
    write_cell(g->state_count, g->state_unit, out);
    text_append(out, ";\n  s.z0 = ");
    write_column_of(g->state_count, g->start, out);
    text_append(out, ";\n  s.t0 = ");
    write_number(g->t0, out);
    text_append(out, ";\n  s.t1 = ");
    write_number(g->t1, out);
    text_append(out, ";\n  s.parameter = parameter_names();\n  s.parameter_unit = ");
    write_cell(g->parameter_count, g->parameter_unit, out);
    text_append(out, ";\n  s.p = stated_parameters();\n  s.with = @with_parameters;\n"
                     "  s.input = ");
    write_cell(g->input_count, g->parameter + g->parameter_count, out);
    text_append(out, ";\n  s.rows = {");
    const char *between = "";
    for (uint32_t i = 0; i < g->function_count; i++)
        if (g->function[i].in_rows)
            text_format(out, "%s'%s'", between, g->function[i].id), between = ", ";
    text_append(out, "};\n");
    for (uint32_t i = 0; i < g->function_count; i++) {
        const project_function *f = &g->function[i];
        const char *name = script_project_name_of(g, i);
        text_format(out, "  s.%s = @%s;\n", name, name);
        if (!f->entry) continue;
        text_format(out, "  s.entry.%s = ", name);
        write_cell(f->t->output_count, f->entry, out);
        text_append(out, ";\n");
    }
    if (script_project_find(g, "events"))
        text_append(out, "  s.event_function = @event_function;\n");
    text_append(
        out, "end\n\n% Parameters as the model has them\nfunction p = stated_parameters()\n  p = ");
    write_column_of(g->parameter_count, g->value, out);
    text_append(out, ";\nend\n\nfunction name = parameter_names()\n  name = ");
    write_cell(g->parameter_count, g->parameter, out);
    text_append(out, ";\nend\n\n");
}

static void write_functions(const project *g, text *out) {
    const char **label = script_project_labels(g);
    write_members(g, out);
    for (uint32_t i = 0; i < g->function_count; i++) write_call(g, i, label, out);
    write_event_function(g, out);
    write_data(g, out);
    text_append(out, HELPERS);
    memory_free(label);
}

// --- main.m --------------------------------------------------------------------------------------

static const char MAIN[] =
    "if exist('OCTAVE_VERSION', 'builtin')\n"
    "  given = str2double(argv());\n"
    "else\n"
    "  given = [];\n"
    "end\n"
    "if numel(given) > 0 && ~isnan(given(1)), last = given(1); else, last = s.t1; end\n"
    "if numel(given) > 1 && ~isnan(given(2)), rows = given(2); else, rows = 200; end\n"
    "options = odeset('RelTol', 1e-10, 'AbsTol', 1e-12, 'MaxStep', (last - s.t0) / 50);\n"
    "if isfield(s, 'event_function'), options = odeset(options, 'Events', s.event_function); end\n"
    "[t, z] = ode45(s.rhs, linspace(s.t0, last, rows + 1), s.z0, options);\n"
    "name = [{'t'}, s.state];\n"
    "table = [t, z];\n"
    "for k = 1:numel(s.rows)\n"
    "  name = [name, s.entry.(s.rows{k})];\n"
    "  table = [table, s.(s.rows{k})(t.', z.').'];\n"
    "end\n"
    "quoted = cellfun(@(n) [repmat('\"', any(n == ',')), n, repmat('\"', any(n == ','))], name, "
    "'UniformOutput', false);\n"
    "fprintf('%s\\n', strjoin(quoted, ','));\n"
    "form = [repmat('%.17g,', 1, numel(name) - 1), '%.17g\\n'];\n"
    "fprintf(form, table.');\n";

static void write_main(const project *g, text *out) {
    text_append(out, MARK);
    text_format(out, " %s.\n", g->version);
    text_append(out,
                "% A trajectory as CSV on standard output: octave --no-gui main.m [END [ROWS]]\n");
    text_format(out, "s = %s();\n%s", g->name, MAIN);
}

const target target_matlab = {
    .id = "matlab",
    .name = "MATLAB",
    .about = "MATLAB and GNU Octave: a function that gives all others, each for one state or many "
             "at once, a main that prints a trajectory by ode45",
    .files = {{"@.m", write_functions}, {"main.m", write_main}},
    .rules = &matlab_rules,
    .program = &file_rules,
    .mark_file = "main.m",
    .mark = MARK,
};
