// The target `fmu`: a functional mock-up unit, FMI 2.0, for model exchange and co-simulation.
//
// Value references of reals are the places in the description, from 0: the time, states, their
// derivatives, parameters, inputs, calculated values (fmu/instance.h); behind them stand integers,
// that count events.
#include "codegen/fmu.h"

#include "codegen/c_project.h"

#include "base/decimal.h"
#include "base/html.h"

#include <math.h>
#include <string.h>

// --- the description -----------------------------------------------------------------------------

typedef struct {
    const project *g;
    text *out;
    names taken;
    uint32_t name_count, name_capacity;
    char **name; // that `taken` holds
    bool has_units;
    uint32_t written; // variables
} description;

static void write_attribute(const char *name, const char *value, text *out) {
    text_format(out, " %s=\"", name);
    html_text(value, out);
    text_char(out, '"');
}

static void write_number_attribute(const char *name, double value, text *out) {
    text_format(out, " %s=\"", name);
    decimal_append(value, out);
    text_char(out, '"');
}

// No two variables have one name: what comes later gets a number.
static void write_name(description *d, const char *name) {
    text unique = {0};
    text_append(&unique, name);
    for (uint32_t i = 2; names_get(&d->taken, text_string(&unique)); i++) {
        text_clear(&unique);
        text_format(&unique, "%s_%u", name, i);
    }
    write_attribute("name", text_string(&unique), d->out);
    array_reserve(d->name, d->name_count, d->name_capacity);
    d->name[d->name_count] = text_release(&unique);
    names_put(&d->taken, d->name[d->name_count++], 0);
}

// <ScalarVariable .. of a kind, up to its element; integers count from 0 again
static void begin_variable(description *d, const char *name, uint32_t reference,
                           const char *causality, const char *variability, const char *initial) {
    text_append(d->out, "    <ScalarVariable");
    write_name(d, name);
    text_format(d->out, " valueReference=\"%u\" causality=\"%s\" variability=\"%s\"", reference,
                causality, variability);
    if (initial) text_format(d->out, " initial=\"%s\"", initial);
    d->written++;
}

static void write_description_of(description *d, const char *words) {
    if (words) write_attribute("description", words, d->out);
}

// A real: its start unless it is calculated, its unit, the state that it is the derivative of
static void end_real(description *d, const double *start, const char *unit, uint32_t derivative) {
    text_append(d->out, "><Real");
    if (unit) write_attribute("unit", unit, d->out);
    if (start) write_number_attribute("start", *start, d->out);
    if (derivative) text_format(d->out, " derivative=\"%u\"", derivative);
    text_append(d->out, "/></ScalarVariable>\n");
}

static const char *unit_at(const char *const *unit, uint32_t i) { return unit ? unit[i] : NULL; }

static void write_states(description *d) {
    const project *g = d->g;
    for (uint32_t i = 0; i < g->state_count; i++) {
        begin_variable(d, g->state[i], d->written, g->fmu->state_is_output[i] ? "output" : "local",
                       "continuous", "exact");
        end_real(d, &g->start[i], unit_at(g->state_unit, i), 0);
    }
    for (uint32_t i = 0; i < g->state_count; i++) {
        text name = {0};
        text_format(&name, "der(%s)", g->state[i]);
        begin_variable(d, text_string(&name), d->written, "local", "continuous", "calculated");
        end_real(d, NULL, unit_at(g->function[0].unit, i), 2 + i);
        text_free(&name);
    }
}

static void write_parameters(description *d) {
    static const char *const causality[] = {"parameter", "local", "local"}, *const variability[] = {
                                                                                "tunable",
                                                                                "discrete",
                                                                                "constant"};
    const project *g = d->g;
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        const fmu_parameter kind = g->fmu->kind[i];
        begin_variable(d, g->parameter[i], d->written, causality[kind], variability[kind], "exact");
        if (kind == PARAMETER_DISCRETE) write_description_of(d, "set by resets");
        if (kind == PARAMETER_CONSTANT)
            write_description_of(d, "the code is for this value: generate it anew for another");
        end_real(d, &g->value[i], unit_at(g->parameter_unit, i), 0);
    }
    for (uint32_t i = 0; i < g->input_count; i++) {
        begin_variable(d, g->parameter[g->parameter_count + i], d->written, "input", "continuous",
                       NULL);
        end_real(d, &g->fmu->input[i], unit_at(g->parameter_unit, g->parameter_count + i), 0);
    }
}

static void write_shown(description *d) {
    const project_function *f = d->g->fmu->shown;
    for (uint32_t i = 0; f && i < f->t->output_count; i++) {
        begin_variable(d, f->entry[i], d->written,
                       d->g->fmu->shown_is_output[i] ? "output" : "local", "continuous",
                       "calculated");
        end_real(d, NULL, unit_at(f->unit, i), 0);
    }
}

static const project_function *events_of(const project *g) {
    for (uint32_t i = 0; i < g->function_count; i++)
        if (strcmp(g->function[i].id, "events") == 0) return &g->function[i];
    return NULL;
}

static uint32_t event_count(const project *g) {
    return events_of(g) ? events_of(g)->t->output_count : 0;
}

static void write_counts(description *d) {
    for (uint32_t i = 0; i < event_count(d->g); i++) {
        text name = {0};
        text_format(&name, "count[%s]", events_of(d->g)->entry[i]);
        begin_variable(d, text_string(&name), i, "local", "discrete", "calculated");
        write_description_of(d, "how often the event has happened");
        text_append(d->out, "><Integer/></ScalarVariable>\n");
        text_free(&name);
    }
}

static void write_variables(description *d) {
    text_append(d->out, "  <ModelVariables>\n");
    begin_variable(d, "time", 0, "independent", "continuous", NULL);
    end_real(d, NULL, d->has_units ? "s" : NULL, 0);
    write_states(d);
    write_parameters(d);
    write_shown(d);
    write_counts(d);
    text_append(d->out, "  </ModelVariables>\n");
}

// --- what depends on what ------------------------------------------------------------------------

typedef enum { SLOPE_ZERO, SLOPE_CONSTANT, SLOPE_VARIES } slope_kind;

// What kind of number a slope is: of a row of the rates and shown values by a column
static slope_kind slope_of(const project *g, uint32_t row, uint32_t column) {
    const tape *t = g->fmu->slopes->t;
    const uint32_t reg = t->output[row * (g->state_count + 1 + g->input_count) + column];
    if (reg < t->input_count || reg >= t->input_count + t->constant_count) return SLOPE_VARIES;
    return tape_constant(t, reg - t->input_count).part[0] == 0 ? SLOPE_ZERO : SLOPE_CONSTANT;
}

// May slopes be 0 where values do change: is there a sign in them?
static bool hides_dependence(const project *g) {
    if (!g->fmu->slopes) return true;
    for (uint32_t k = 0; k < g->function_count; k++)
        for (uint32_t i = 0; i < g->function[k].t->step_count; i++)
            if (g->function[k].t->step[i].operation == TAPE_SIGN ||
                g->function[k].t->step[i].operation == TAPE_ABS)
                return true;
    return false;
}

// The place in the description of a column of the slopes, from 1
static uint32_t place_of_column(const project *g, uint32_t column) {
    if (column < g->state_count) return 2 + column;
    if (column == g->state_count) return 1; // the time
    return 2 + 2 * g->state_count + g->parameter_count + (column - g->state_count - 1);
}

// In the order of places: the time first
static uint32_t column_at(const project *g, uint32_t i) {
    return i == 0 ? g->state_count : i <= g->state_count ? i - 1 : i;
}

// dependencies="2 5" dependenciesKind="dependent constant"; nothing where all of them count
static void write_dependencies(const project *g, uint32_t row, text *out) {
    if (hides_dependence(g)) return;
    text kinds = {0};
    uint32_t count = 0;
    text_append(out, " dependencies=\"");
    for (uint32_t i = 0; i < g->state_count + 1 + g->input_count; i++) {
        const slope_kind kind = slope_of(g, row, column_at(g, i));
        if (kind == SLOPE_ZERO) continue;
        text_format(out, "%s%u", count ? " " : "", place_of_column(g, column_at(g, i)));
        text_format(&kinds, "%s%s", count ? " " : "",
                    kind == SLOPE_CONSTANT ? "constant" : "dependent");
        count++;
    }
    text_format(out, "\" dependenciesKind=\"%s\"", text_string(&kinds));
    text_free(&kinds);
}

static uint32_t shown_count(const project *g) {
    return g->fmu->shown ? g->fmu->shown->t->output_count : 0;
}

static uint32_t place_of_shown(const project *g, uint32_t i) {
    return 2 + 2 * g->state_count + g->parameter_count + g->input_count + i;
}

static void write_unknown(const project *g, uint32_t place, uint32_t row, text *out) {
    text_format(out, "      <Unknown index=\"%u\"", place);
    write_dependencies(g, row, out);
    text_append(out, "/>\n");
}

static void write_outputs(const project *g, text *out) {
    text list = {0};
    for (uint32_t i = 0; i < g->state_count; i++)
        if (g->fmu->state_is_output[i])
            text_format(&list,
                        "      <Unknown index=\"%u\" dependencies=\"%u\" "
                        "dependenciesKind=\"constant\"/>\n",
                        2 + i, 2 + i);
    for (uint32_t i = 0; i < shown_count(g); i++)
        if (g->fmu->shown_is_output[i])
            write_unknown(g, place_of_shown(g, i), g->state_count + i, &list);
    if (list.length) text_format(out, "    <Outputs>\n%s    </Outputs>\n", text_string(&list));
    text_free(&list);
}

static void write_structure(const project *g, text *out) {
    text_append(out, "  <ModelStructure>\n");
    write_outputs(g, out);
    text_append(out, "    <Derivatives>\n");
    for (uint32_t i = 0; i < g->state_count; i++) write_unknown(g, 2 + g->state_count + i, i, out);
    text_append(out, "    </Derivatives>\n    <InitialUnknowns>\n");
    for (uint32_t i = 0; i < g->state_count; i++)
        text_format(out, "      <Unknown index=\"%u\"/>\n", 2 + g->state_count + i);
    for (uint32_t i = 0; i < shown_count(g); i++)
        if (g->fmu->shown_is_output[i])
            text_format(out, "      <Unknown index=\"%u\"/>\n", place_of_shown(g, i));
    text_append(out, "    </InitialUnknowns>\n  </ModelStructure>\n");
}

// --- its head ------------------------------------------------------------------------------------

static void write_kind(const project *g, const char *element, const char *more, text *out) {
    text_format(out,
                "  <%s modelIdentifier=\"%s\" %s canGetAndSetFMUstate=\"true\" "
                "canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"%s\">\n",
                element, g->name, more, g->fmu->slopes ? "true" : "false");
    text_format(out, "    <SourceFiles><File name=\"fmu.c\"/></SourceFiles>\n  </%s>\n", element);
}

static void write_head(const project *g, text *out) {
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription "
                     "fmiVersion=\"2.0\"");
    write_attribute("modelName", g->name, out);
    write_attribute("guid", g->fmu->guid, out);
    write_attribute("description", g->title, out);
    text_format(out,
                " generationTool=\"hamel %s\" variableNamingConvention=\"flat\" "
                "numberOfEventIndicators=\"%u\">\n",
                g->version, event_count(g));
    write_kind(g, "ModelExchange", "completedIntegratorStepNotNeeded=\"true\"", out);
    write_kind(g, "CoSimulation",
               "canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\"",
               out);
}

static void write_description(const project *g, text *out) {
    static const char *const categories[] = {"logEvents", "logStatusWarning", "logStatusDiscard",
                                             "logStatusError", "logAll"};
    text units = {0};
    description d = {.g = g, .out = out};
    write_head(g, out);
    fmu_write_units(g, &units);
    d.has_units = units.length > 0;
    text_append(out, text_string(&units));
    text_append(out, "  <LogCategories>\n");
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        text_format(out, "    <Category name=\"%s\"/>\n", categories[i]);
    text_append(out, "  </LogCategories>\n  <DefaultExperiment");
    write_number_attribute("startTime", g->t0, out);
    write_number_attribute("stopTime", g->t1, out);
    write_number_attribute("tolerance", g->fmu->tolerance, out);
    if (g->fmu->interval > 0) write_number_attribute("stepSize", g->fmu->interval, out);
    text_append(out, "/>\n");
    write_variables(&d);
    write_structure(g, out);
    text_append(out, "</fmiModelDescription>\n");
    for (uint32_t i = 0; i < d.name_count; i++) memory_free(d.name[i]);
    memory_free(d.name), names_free(&d.taken), text_free(&units);
}

// --- a page --------------------------------------------------------------------------------------

static void write_page(const project *g, text *out) {
    text_append(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    html_text(g->title, out);
    text_append(out,
                "</title>\n<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}"
                "pre{overflow-x:auto;background:#f4f4f4;padding:1em}</style>\n</head>\n<body>\n"
                "<h1>");
    html_text(g->title, out);
    text_append(out, "</h1>\n<pre>");
    html_text(g->equations, out);
    text_append(out,
                "</pre>\n<p>States and the values that they have at the start:</p>\n<table>\n");
    for (uint32_t i = 0; i < g->state_count; i++) {
        text_append(out, "<tr><td>");
        html_text(g->state[i], out);
        text_append(out, "</td><td>");
        decimal_append(g->start[i], out);
        text_append(out, " ");
        html_text(unit_at(g->state_unit, i) ? g->state_unit[i] : "", out);
        text_append(out, "</td></tr>\n");
    }
    text_format(out,
                "</table>\n<p>Written by hamel %s. The code is in <code>sources/</code>: one "
                "C99 compiler call for <code>fmu.c</code> builds it, with libm.</p>\n</body>\n"
                "</html>\n",
                g->version);
}

const target target_fmu = {
    .id = "fmu",
    .name = "FMI 2.0",
    .about = "a functional mock-up unit for model exchange and co-simulation: NAME.fmu with its "
             "sources and, where there is a C compiler, a Linux binary",
    .files = {{"modelDescription.xml", write_description},
              {"documentation/index.html", write_page},
              {"sources/@.h", c_project_header},
              {"sources/@.c", c_project_source},
              {"sources/model.h", fmu_write_model},
              {"sources/fmu.c", fmu_write_source}},
    .rules = &identifier_rules_c,
    .is_fmu = true,
};
