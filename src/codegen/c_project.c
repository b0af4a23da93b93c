// The target `c`: a system as a stand-alone C project, C99 and libm, nothing else.
#include "codegen/c_project.h"

#include "codegen/c_signals.h"
#include "codegen/emit.h"
#include "codegen/script.h"

#include <string.h>

// The first line of every Makefile: a folder that has it was made here.
#define MARK "# Written by hamel"

// --- pieces --------------------------------------------------------------------------------------

// A name as a column of CSV: quoted where a comma is in it.
static void write_column(const char *name, text *out) {
    text quoted = {0};
    if (strchr(name, ',')) text_format(&quoted, "\"%s\"", name);
    else text_append(&quoted, name);
    script_string(text_string(&quoted), out);
    text_free(&quoted);
}

static void write_list(uint32_t count, const char *const *item, text *out) {
    for (uint32_t i = 0; i < count; i++) text_format(out, "%s%s", i ? ", " : "", item[i]);
}

static uint32_t at_least_one(uint32_t count) { return count ? count : 1; }

static void write_enumerators(const project *g, char kind, uint32_t count, const char *const *id,
                              text *out) {
    for (uint32_t i = 0; i < count; i++)
        text_format(out, "    %s_%c_%s = %u,\n", g->name, kind, id[i], i);
}

static void write_about(const project_function *f, text *out) {
    text line = {0};
    text_append(&line, f->about);
    if (f->entry) {
        text_append(&line, ": ");
        write_list(f->t->output_count, f->entry, &line);
    }
    script_comment("//", text_string(&line), out);
    text_free(&line);
}

// --- the header ----------------------------------------------------------------------------------

// How many places the fixed values of all functions take.
static uint32_t place_count(const project *g, uint32_t *first) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < g->function_count; i++) {
        text unread = {0};
        first[i] = total;
        total += emit_tape(g->function[i].t, &scalar_type_double, "f", &unread);
        text_free(&unread);
    }
    return total;
}

static void write_declarations(const project *g, text *out) {
    text_format(out, "\n// Parameters as the model has them.\nvoid %s_defaults(%s_system *s);\n",
                g->name, g->name);
    text_format(out,
                "// To be called when parameters were changed.\nvoid %s_prepare(%s_system *s);\n",
                g->name, g->name);
    for (uint32_t i = 0; i < g->function_count; i++) {
        const project_function *f = &g->function[i];
        text_char(out, '\n');
        write_about(f, out);
        text_format(out, "enum { %s_%s_count = %u };\n", g->name, f->id, f->t->output_count);
        c_signals_prototype(g, f, out);
        text_append(out, ";\n");
    }
}

void c_project_header(const project *g, text *out) {
    uint32_t *first = memory_array(uint32_t, g->function_count + 1);
    script_comment("//", g->title, out);
    text_format(out, "// Written by hamel %s. Results (out) must not overlap the arguments.\n//\n",
                g->version);
    script_comment("//", g->equations, out);
    text_format(out, "#ifndef HAMEL_%s_H\n#define HAMEL_%s_H\n\n", g->name, g->name);
    text_append(out, "// The state z.\nenum {\n");
    write_enumerators(g, 'z', g->state_count, g->state_id, out);
    text_format(out, "    %s_state_count = %u\n};\n", g->name, g->state_count);
    text_append(out, "// The parameters p.\nenum {\n");
    write_enumerators(g, 'p', g->parameter_count, g->parameter_id, out);
    text_format(out, "    %s_parameter_count = %u\n};\n", g->name, g->parameter_count);
    if (g->input_count) {
        text_append(out, "// The inputs u: arguments of all functions.\nenum {\n");
        write_enumerators(g, 'u', g->input_count, g->parameter_id + g->parameter_count, out);
        text_format(out, "    %s_input_count = %u\n};\n", g->name, g->input_count);
    }
    text_char(out, '\n');
    text_append(out, "typedef struct {\n");
    text_format(out, "    double p[%u];\n", at_least_one(g->parameter_count));
    if (!c_signals_any(g))
        text_format(out, "    double c[%u]; // what depends on parameters only\n",
                    place_count(g, first));
    text_format(out, "} %s_system;\n\n", g->name);
    text_format(out, "extern const char *const %s_state_name[%u];\n", g->name,
                at_least_one(g->state_count));
    text_format(out, "extern const char *const %s_parameter_name[%u];\n", g->name,
                at_least_one(g->parameter_count));
    text_format(out, "extern const double %s_initial_time;\n", g->name);
    text_format(out, "extern const double %s_initial_state[%u];\n", g->name,
                at_least_one(g->state_count));
    write_declarations(g, out);
    text_append(out, "\n#endif\n");
    memory_free(first);
}

// --- the source ----------------------------------------------------------------------------------

static void write_names(const project *g, const char *what, uint32_t count, const char *const *item,
                        text *out) {
    text_format(out, "const char *const %s_%s_name[%u] = {", g->name, what, at_least_one(count));
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i % 8 ? " " : "\n    ");
        script_string(item[i], out);
        text_char(out, ',');
    }
    text_append(out, count ? "\n};\n" : "0};\n");
}

static void write_start(const project *g, text *out) {
    text_format(out, "const double %s_initial_time = ", g->name);
    script_number(g->t0, out);
    text_format(out, ";\nconst double %s_initial_state[%u] = {\n", g->name,
                at_least_one(g->state_count));
    for (uint32_t i = 0; i < g->state_count; i++) {
        text_append(out, "    ");
        script_number(g->start[i], out);
        text_format(out, ", // %s\n", g->state[i]);
    }
    text_append(out, g->state_count ? "};\n\n" : "    0.0\n};\n\n");
}

static void write_defaults(const project *g, const uint32_t *first, text *out) {
    text_format(out, "void %s_defaults(%s_system *s) {\n", g->name, g->name);
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        text_format(out, "    s->p[%s_p_%s] = ", g->name, g->parameter_id[i]);
        script_number(g->value[i], out);
        text_append(out, ";\n");
    }
    if (!g->parameter_count) text_append(out, "    s->p[0] = 0.0;\n");
    text_format(out, "    %s_prepare(s);\n}\n\nvoid %s_prepare(%s_system *s) {\n", g->name, g->name,
                g->name);
    if (c_signals_any(g))
        text_append(out, "    (void)s; // inputs and data change in every call\n");
    else
        for (uint32_t i = 0; i < g->function_count; i++)
            text_format(out, "    %s_fixed(s->p, s->c + %u);\n", g->function[i].id, first[i]);
    text_append(out, "}\n");
}

void c_project_source(const project *g, text *out) {
    const uint32_t n = g->state_count;
    uint32_t *first = memory_array(uint32_t, g->function_count + 1);
    const char **label = memory_array(const char *, n + g->argument_count + 1);
    for (uint32_t i = 0; i < n; i++) label[i] = g->state_id[i];
    label[n] = "t";
    for (uint32_t i = 0; i < g->argument_count; i++) label[n + 1 + i] = g->parameter_id[i];
    const uint32_t places = place_count(g, first);
    script_comment("//", g->title, out);
    text_format(out, "// Written by hamel %s.\n#include \"%s.h\"\n\n#include <math.h>\n\n",
                g->version, g->name);
    write_names(g, "state", n, g->state, out);
    write_names(g, "parameter", g->parameter_count, g->parameter, out);
    write_start(g, out);
    c_signals_write(g, out);
    for (uint32_t i = 0; i < g->function_count; i++) {
        const project_function *f = &g->function[i];
        write_about(f, out);
        emit_tape_named(f->t, &scalar_type_double, f->id, label, out);
        c_signals_prototype(g, f, out);
        text_append(out, " {\n");
        const uint32_t next = i + 1 < g->function_count ? first[i + 1] : places;
        if (c_signals_any(g)) c_signals_call(g, f, next - first[i], out);
        else text_format(out, "    %s(t, z, s->p, s->c + %u, out);\n", f->id, first[i]);
        text_append(out, "}\n\n");
    }
    write_defaults(g, first, out);
    memory_free(first);
    memory_free(label);
}

// --- main.c and the Makefile ---------------------------------------------------------------------

static const char MAIN_HEAD[] =
    "#include \"@.h\"\n"
    "\n"
    "#include <math.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "\n"
    "enum { N = @_state_count };\n"
    "\n"
    "// One step of the classical method of Runge and Kutta.\n"
    "static void advance(const @_system *s, double t, double h, double *z) {\n"
    "    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};\n"
    "    double k[N], at[N], sum[N];\n"
    "    for (int i = 0; i < N; i++) k[i] = sum[i] = 0.0;\n"
    "    for (int stage = 0; stage < 4; stage++) {\n"
    "        for (int i = 0; i < N; i++) at[i] = z[i] + h * part[stage] * k[i];\n"
    "\1        @_rate(s, t + h * part[stage], at\2, k);\n"
    "        for (int i = 0; i < N; i++) sum[i] += weight[stage] * k[i];\n"
    "    }\n"
    "    for (int i = 0; i < N; i++) z[i] += h * sum[i] / 6.0;\n"
    "}\n"
    "\n";

static const char MAIN_TAIL[] =
    "// Arguments: the end, the number of rows, the steps from one to the next.\n"
    "int main(int argc, char **argv) {\n"
    "    const double start = @_initial_time, end = argc > 1 ? strtod(argv[1], NULL) : $;\n"
    "    const long rows = argc > 2 ? strtol(argv[2], NULL, 10) : 200;\n"
    "    const long steps = argc > 3 ? strtol(argv[3], NULL, 10) : 50;\n"
    "    if (rows < 1 || steps < 1) {\n"
    "        fprintf(stderr, \"usage: %s [END [ROWS [STEPS]]]\\n\", argv[0]);\n"
    "        return 1;\n"
    "    }\n"
    "    @_system s;\n"
    "    double z[N];\n"
    "    @_defaults(&s);\n"
    "    for (int i = 0; i < N; i++) z[i] = @_initial_state[i];\n"
    "    write_names();\n"
    "    int good = write_row(&s, start, z);\n"
    "    for (long i = 0; good && i < rows; i++) {\n"
    "        const double length = (end - start) / (double)rows, h = length / (double)steps;\n"
    "        const double t = start + (double)i * length;\n"
    "        for (long j = 0; j < steps; j++) advance(&s, t + (double)j * h, h, z);\n"
    "        good = write_row(&s, start + (double)(i + 1) * length, z);\n"
    "    }\n"
    "    if (!good) fprintf(stderr, \"%s: no finite value from here on\\n\", argv[0]);\n"
    "    return good ? 0 : 5;\n"
    "}\n";

// @ stands for the name, $ for the end of the run; \1 for inputs as the model states them, \2 for
// them as an argument.
static void write_pattern(const project *g, const char *pattern, text *out) {
    for (; *pattern; pattern++) {
        if (*pattern == '@') text_append(out, g->name);
        else if (*pattern == '\1' || *pattern == '\2') {
            if (g->input_count && *pattern == '\2') text_append(out, ", u");
            else if (g->input_count)
                text_format(out,
                            "        double u[%s_input_count]; // as the model states them\n"
                            "        %s_inputs(s, t + h * part[stage], at, u);\n",
                            g->name, g->name);
        } else if (*pattern == '$') script_number(g->t1, out);
        else text_char(out, *pattern);
    }
}

static void write_row_function(const project *g, text *out) {
    text_append(out, "static const char *const column[] = {\n    \"t\",\n");
    for (uint32_t i = 0; i < g->state_count; i++)
        text_append(out, "    "), write_column(g->state[i], out), text_append(out, ",\n");
    for (uint32_t i = 0; i < g->function_count; i++)
        for (uint32_t j = 0; g->function[i].in_rows && j < g->function[i].t->output_count; j++)
            text_append(out, "    "), write_column(g->function[i].entry[j], out),
                text_append(out, ",\n");
    text_format(out, "};\nenum { COLUMNS = sizeof column / sizeof *column };\n\n");
    text_append(out, "static void write_names(void) {\n    for (int i = 0; i < COLUMNS; i++) "
                     "printf(\"%s%s\", i ? \",\" : \"\", column[i]);\n"
                     "    putchar('\\n');\n}\n\n");
    text_append(out, "// A line of CSV; 0 where something in it is not finite.\n");
    text_format(out,
                "static int write_row(const %s_system *s, double t, const double *z) {\n    double "
                "v[COLUMNS];\n    v[0] = t;\n",
                g->name);
    text_append(out, "    for (int i = 0; i < N; i++) v[1 + i] = z[i];\n");
    if (g->input_count)
        text_format(out, "    double u[%s_input_count];\n    %s_inputs(s, t, z, u);\n", g->name,
                    g->name);
    uint32_t next = 1 + g->state_count;
    for (uint32_t i = 0; i < g->function_count; i++) {
        if (!g->function[i].in_rows) continue;
        text_format(out, "    %s_%s(s, t, z, %sv + %u);\n", g->name, g->function[i].id,
                    g->input_count ? "u, " : "", next);
        next += g->function[i].t->output_count;
    }
    text_append(out,
                "    for (int i = 0; i < COLUMNS; i++)\n        if (!isfinite(v[i])) return 0;\n"
                "    for (int i = 0; i < COLUMNS; i++) printf(\"%s%.17g\", i ? \",\" : \"\", "
                "v[i]);\n    putchar('\\n');\n    return 1;\n}\n\n");
}

static void write_main(const project *g, text *out) {
    script_comment("//", g->title, out);
    text_format(out, "// A trajectory as CSV on standard output. Written by hamel %s.\n",
                g->version);
    write_pattern(g, MAIN_HEAD, out);
    write_row_function(g, out);
    write_pattern(g, MAIN_TAIL, out);
}

static void write_makefile(const project *g, text *out) {
    const char *n = g->name;
    text_format(out, MARK " %s.\nCFLAGS ?= -std=c99 -O2 -Wall -Wextra -Wpedantic\n\n", g->version);
    text_format(
        out, "%s: main.o %s.o\n\t$(CC) $(LDFLAGS) -o $@ main.o %s.o -lm\n\nmain.o %s.o: %s.h\n\n",
        n, n, n, n, n);
    text_format(
        out,
        "run: %s\n\t./%s > %s.csv\n\nclean:\n\trm -f %s main.o %s.o %s.csv\n\n.PHONY: run clean\n",
        n, n, n, n, n, n);
}

const target target_c = {
    .id = "c",
    .name = "C99",
    .about = "C99 with libm, nothing else: a header, a source, a main that prints a trajectory, a "
             "Makefile",
    .files = {{"@.h", c_project_header},
              {"@.c", c_project_source},
              {"main.c", write_main},
              {"Makefile", write_makefile}},
    .rules = &identifier_rules_c,
    .mark_file = "Makefile",
    .mark = MARK,
};
