// The target `cuda`: sweeps of a system on a GPU, one source with kernels and a program.
// What follows from the model stands between parts that are the same for every system (cuda/*.cuh).
#include "codegen/cuda.h"

#include "codegen/cuda_sources.h"

#include "codegen/emit.h"
#include "codegen/script.h"

#include <string.h>

#define MARK "# Written by hamel"

const scalar_type scalar_type_gpu = {.id = "gpu",
                                     .scalar = "real",
                                     .suffix = "",
                                     .function = "%s",
                                     .include = "",
                                     .library = "",
                                     .qualifier = "HAMEL_DEVICE",
                                     .digits = 17,
                                     .bits = 53,
                                     .sine_and_cosine = "hamel_sincos",
                                     .literal = "R",
                                     .quotient = "hamel_over"};

enum {
    MOST_ORDER = 30,
    LONG = 1000, // steps of a tape that a compiler need not copy to where it is called
    FEW = 150    // steps of rates that leave room for a third block of threads
};

static void write_part(const char *name, text *out) {
    for (unsigned i = 0; i < cuda_source_file_count; i++)
        if (!strcmp(cuda_source_files[i].name, name)) {
            text_append(out, cuda_source_files[i].text);
            return;
        }
}

// --- functions -----------------------------------------------------------------------------------

// A tape as a function; places in c. Without a tape it does nothing.
static uint32_t write_tape(const tape *t, const char *name, text *out) {
    if (!t) {
        text_format(out,
                    "HAMEL_DEVICE void %s_fixed(const real *, real *) {}\n"
                    "HAMEL_DEVICE void %s(real, const real *, const real *, const real *, real *) "
                    "{}\n\n",
                    name, name);
        return 0;
    }
    scalar_type as = scalar_type_gpu;
    if (t->step_count > LONG) as.qualifier = "HAMEL_LONG";
    return emit_tape(t, &as, name, out);
}

// sign(x) and a^b may be numbers where x, a or b is none.
static bool hides_what_is_no_number(const tape *t) {
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].operation == TAPE_SIGN || t->step[i].operation == TAPE_POW) return true;
    return false;
}

static const char RATES[] =
    "// NEAR: by sines and cosines without branches; of an angle that is far they are no numbers\n"
    "template <bool NEAR> struct hamel_rates {\n"
    "HAMEL_DEVICE void hamel_sincos(real x, real *s, real *c) {\n"
    "    hamel_sincos_of<NEAR>(x, s, c);\n}\n\n",
                  RATE_OF_ALL[] =
                      "};\n\nHAMEL_DEVICE void hamel_rate_fixed(const real *p, real *c) {\n"
                      "    hamel_rates<false>::hamel_rate_fixed(p, c);\n}\n"
                      "HAMEL_DEVICE void hamel_rate(real t, const real *z, const real *p, const "
                      "real *c,\n"
                      "                             real *out) {\n"
                      "    hamel_rates<false>::hamel_rate(t, z, p, c, out);\n}\n\n";

// In a structure, whose name for the function is looked up before that of the file
static uint32_t write_rate(const tape *t, text *out) {
    text_format(out, "#define HAMEL_HAS_NEAR %d\n", !hides_what_is_no_number(t));
    text_append(out, RATES);
    const uint32_t places = write_tape(t, "hamel_rate", out);
    text_append(out, RATE_OF_ALL);
    return places;
}

static const char FAR_RATE[] =
    "// The same, where it is called seldom or is long\n"
    "static HAMEL_FAR void hamel_far_rate(real t, const real *z, const real *p, const real *c,\n"
    "                                     real *out) {\n    hamel_rate(t, z, p, c, out);\n}\n\n";

typedef struct {
    const char *name;
    uint32_t at, places; // in c
} fixed_part;
enum { RATE, EVENTS, VALUES, SLOPES, ROWS, GIVEN, START, SERIES, PARTS };

static void write_prepare(const fixed_part *part, uint32_t total, text *out) {
    text_format(out, "enum { hamel_nc = %u", total);
    for (int i = EVENTS; i < PARTS; i++) text_format(out, ", %s_at = %u", part[i].name, part[i].at);
    text_append(out, " };\n// What depends on parameters only\n"
                     "HAMEL_DEVICE void hamel_prepare(const real *p, real *c) {\n"
                     "    (void)p, (void)c;\n");
    for (int i = 0; i < PARTS; i++)
        if (part[i].places)
            text_format(out, "    %s_fixed(p, c + %u);\n", part[i].name, part[i].at);
    text_append(out, "}\n\n");
}

static void write_functions(const project_sweep *s, text *out) {
    fixed_part part[PARTS] = {{.name = "hamel_rate"},   {.name = "hamel_events"},
                              {.name = "hamel_values"}, {.name = "hamel_slopes"},
                              {.name = "hamel_rows"},   {.name = "hamel_given"},
                              {.name = "hamel_start"},  {.name = "hamel_series"}};
    const tape *const of[PARTS] = {NULL,    s->events, s->values, s->slopes,
                                   s->rows, s->given,  s->start};
    uint32_t total = 0;
    part[RATE].places = write_rate(s->rate, out);
    for (int i = EVENTS; i < SERIES; i++) part[i].places = write_tape(of[i], part[i].name, out);
    text_append(out, FAR_RATE);
    part[SERIES].places = cuda_series(s->rate, MOST_ORDER, out);
    text_format(out, "#define HAMEL_SERIES %d\n", part[SERIES].places > 0);
    for (int i = 0; i < PARTS; i++) part[i].at = total, total += part[i].places;
    write_prepare(part, total, out);
}

// --- tables --------------------------------------------------------------------------------------

static void write_names(const char *what, uint32_t count, const char *const *name, text *out) {
    text_format(out, "static const char *const hamel_%s_name[%u] = {", what, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        script_string(name[i], out);
    }
    text_append(out, count ? "};\n" : "0};\n");
}

static void write_numbers(const char *name, uint32_t count, const double *value, text *out) {
    text_format(out, "static const double %s[%u] = {", name, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        if (value[i] != value[i]) text_append(out, "NAN");
        else script_number(value[i], out);
    }
    text_append(out, count ? "};\n" : "0};\n");
}

// int NAME(int i): a table that a compiler for a GPU reads where i is known
static void write_choice(const char *name, uint32_t count, const int *value, text *out) {
    text_format(out, "HAMEL_DEVICE int %s(int i) {\n    switch (i) {\n", name);
    for (uint32_t i = 0; i < count; i++) text_format(out, "    case %u: return %d;\n", i, value[i]);
    text_append(out, "    default: return 0;\n    }\n}\n");
}

enum { IS_FINAL, IS_MAX, IS_MIN, IS_MEAN }; // kinds of what is collected (collect_kind)

static bool has_kind(const project_sweep *s, int first, int last) {
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (s->collected[i].kind >= first && s->collected[i].kind <= last) return true;
    return false;
}

static void write_counts(const project *g, text *out) {
    const project_sweep *s = g->sweep;
    const uint32_t events = s->events ? s->events->output_count : 0;
    const bool extremes = has_kind(s, IS_MAX, IS_MIN), means = has_kind(s, IS_MEAN, IS_MEAN);
    text_format(out,
                "enum {\n    hamel_n = %u, // states\n    hamel_np = %u, // parameters\n"
                "    hamel_event_count = %u,\n    hamel_collected_count = %u,\n"
                "    hamel_value_count = %u, // what is collected is found of\n"
                "    hamel_given_count = %u, // numbers that the start follows from\n"
                "    hamel_has_extremes = %d,\n    hamel_has_means = %d\n};\n",
                g->state_count, g->argument_count, events, s->collected_count,
                s->values ? s->values->output_count : 0, s->given ? s->given->output_count : 0,
                extremes, means);
    text_format(out, "#define HAMEL_LOOKS_INSIDE %d // of steps\n", events || extremes || means);
    text_format(out, "#define HAMEL_GUARDED %d\n", s->rows != NULL);
    if (s->rows)
        text_format(out, "enum { hamel_row_count = %u, hamel_column_count = %u };\n",
                    s->dependent_count, s->rows->output_count / s->dependent_count);
}

static void write_choices(const project *g, text *out) {
    const project_sweep *s = g->sweep;
    const uint32_t events = s->events ? s->events->output_count : 0,
                   most = events + s->collected_count + s->dependent_count;
    int *value = memory_zeros(int, most + 1);
    for (uint32_t i = 0; i < s->collected_count; i++) value[i] = s->collected[i].kind;
    write_choice("hamel_collected_kind", s->collected_count, value, out);
    for (uint32_t i = 0; i < s->collected_count; i++) value[i] = (int)s->collected[i].of;
    write_choice("hamel_collected_of", s->collected_count, value, out);
    for (uint32_t i = 0; i < events; i++) value[i] = g->event[i].direction;
    write_choice("hamel_event_direction", events, value, out);
    for (uint32_t i = 0; i < events; i++) value[i] = g->event[i].stop;
    write_choice("hamel_event_stops", events, value, out);
    for (uint32_t i = 0; i < s->dependent_count; i++) value[i] = (int)s->dependent[i];
    write_choice("hamel_dependent", s->dependent_count, value, out);
    text_char(out, '\n');
    memory_free(value);
}

static void write_start(const project *g, text *out) {
    const project_sweep *s = g->sweep;
    const uint32_t events = s->events ? s->events->output_count : 0;
    const char **name = memory_array(const char *, s->collected_count + events + g->state_count +
                                                       g->argument_count + 1);
    text_append(out, "static const char hamel_name[] = ");
    script_string(g->name, out);
    text_append(out, ";\n");
    for (uint32_t i = 0; i < g->state_count; i++)
        name[i] = s->may_vary[i] ? g->state[i] : ""; // which no option names
    write_names("state", g->state_count, name, out);
    for (uint32_t i = 0; i < g->argument_count; i++)
        name[i] = s->may_vary[g->state_count + i] ? g->parameter[i] : "";
    write_names("parameter", g->argument_count, name, out);
    for (uint32_t i = 0; i < s->collected_count; i++) name[i] = s->collected[i].name;
    write_names("given", s->given ? s->given->output_count : 0, s->given_name, out);
    write_names("collected", s->collected_count, name, out);
    for (uint32_t i = 0; i < events; i++) name[i] = s->event_name[i];
    write_names("event", events, name, out);
    write_numbers("hamel_start_state", g->state_count, g->start, out);
    write_numbers("hamel_parameter_value", g->argument_count, g->value, out);
    text_append(out, "static const double hamel_start_time = ");
    script_number(g->t0, out);
    text_append(out, ", hamel_end_time = ");
    script_number(g->t1, out);
    text_format(out, ";\n%s\n", s->layout);
    memory_free(name);
}

// --- the files -----------------------------------------------------------------------------------

// Threads of a block, and how many blocks a processor is to hold: registers are shared out by it,
// 168 of them for a thread where there are three blocks, 255 for one of two.
static void write_bounds(const tape *rate, text *out) {
    const char *const blocks = rate->step_count <= FEW ? "3" : "2";
    const char *const bounds[][2] = {
        {"THREADS", "128"}, {"BLOCKS_tsit5", blocks}, {"BLOCKS_dop853", blocks}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        text_format(out, "#ifndef HAMEL_%s\n#define HAMEL_%s %s\n#endif\n", bounds[i][0],
                    bounds[i][0], bounds[i][1]);
    text_char(out, '\n');
}

void cuda_source(const project *g, text *out) {
    const project_sweep *s = g->sweep;
    if (g->name) {
        script_comment("//", g->title, out);
        text_format(out, "// Written by hamel %s.\n//\n", g->version);
        script_comment("//", g->equations, out);
    }
    write_part("words.cuh", out);
    write_counts(g, out);
    write_choices(g, out);
    write_part("number.cuh", out), write_part("solve.cuh", out);
    write_functions(s, out);
    write_part("exact.cuh", out), write_part("values.h", out), write_part("exact_end.cuh", out);
    write_part("control.cuh", out), write_part("panels.h", out);
    write_part("follow.cuh", out), write_part("guard.cuh", out);
    write_bounds(s->rate, out);
    cuda_pair(s->rate, "tsit5", s->tsit5, out);
    cuda_pair(s->rate, "dop853", s->dop853, out);
    write_part("job.cuh", out), write_part("pair.cuh", out), write_part("series.cuh", out);
    write_part("kernel.cuh", out), write_part("host.cuh", out);
    if (g->name) write_start(g, out), write_part("main.cuh", out);
}

static const char CMAKE[] =
    ".\ncmake_minimum_required(VERSION 3.20)\nif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
    "    set(CMAKE_CUDA_ARCHITECTURES native) # or 90 for an H200, where there is no GPU\n"
    "endif()\nif(NOT CMAKE_BUILD_TYPE)\n    set(CMAKE_BUILD_TYPE Release)\nendif()\n"
    "project(@ LANGUAGES CUDA)\n"
    "set(HAMEL_REAL double CACHE STRING \"double or float\")\n"
    "add_executable(@ @.cu)\n"
    "target_compile_features(@ PRIVATE cuda_std_17)\n"
    "target_compile_definitions(@ PRIVATE HAMEL_REAL=${HAMEL_REAL})\n";

static void write_cmake(const project *g, text *out) {
    text_format(out, MARK " %s", g->version);
    for (const char *c = CMAKE; *c; c++)
        if (*c == '@') text_append(out, g->name);
        else text_char(out, *c);
}

const target target_cuda = {
    .id = "cuda",
    .name = "CUDA",
    .about = "CUDA C++: kernels that run a sweep on a GPU, a program around them, a CMakeLists.txt",
    .files = {{"@.cu", cuda_source}, {"CMakeLists.txt", write_cmake}},
    .rules = &identifier_rules_c,
    .mark_file = "CMakeLists.txt",
    .mark = MARK,
    .is_sweep = true,
};
