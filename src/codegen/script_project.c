// What the targets share whose languages have no types.
#include "codegen/script_project.h"

#include <stdio.h>
#include <string.h>

const char *script_project_name_of(const project *g, uint32_t which) {
    return which ? g->function[which].id : "rhs";
}

const project_function *script_project_find(const project *g, const char *id) {
    for (uint32_t i = 0; i < g->function_count; i++)
        if (strcmp(g->function[i].id, id) == 0) return &g->function[i];
    return NULL;
}

bool script_project_is_number(const project_function *f) { return strcmp(f->id, "energy") == 0; }

const char **script_project_labels(const project *g) {
    const uint32_t n = g->state_count;
    const char **label = memory_array(const char *, n + g->argument_count + 1);
    for (uint32_t i = 0; i < n; i++) label[i] = g->state_id[i];
    label[n] = "t";
    for (uint32_t i = 0; i < g->argument_count; i++) label[n + 1 + i] = g->parameter_id[i];
    return label;
}

script_body script_project_body(const project *g, uint32_t which, const dialect *as,
                                script_part part, const char *const *label, const char *prefix) {
    return script_body_create(g->function[which].t, as, part, label, prefix);
}

void script_project_unpack(const project *g, const script_body *b, const char *of_state,
                           const char *of_parameter, uint32_t first, text *out) {
    const uint32_t n = g->state_count;
    for (uint32_t i = 0; i < b->input_count; i++) {
        char index[16];
        if (!b->uses_input[i] || i == n) continue;
        snprintf(index, sizeof index, "%u", (i < n ? i : i - n - 1) + first);
        script_fill(i < n ? of_state : of_parameter,
                    i < n ? g->state_id[i] : g->parameter_id[i - n - 1], index, out);
    }
}

void script_project_strings(uint32_t count, const char *const *item, text *out) {
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        script_string(item[i], out);
    }
}

void script_project_numbers(uint32_t count, const double *value, uint32_t in_a_line,
                            const char *lead, text *out) {
    for (uint32_t i = 0; i < count; i++) {
        if (i % in_a_line == 0) text_format(out, "%s%s", i ? "\n" : "", lead);
        else text_char(out, ' ');
        script_number(value[i], out);
        text_char(out, ',');
    }
    text_append(out, count ? "\n" : "");
}

void script_project_heading(const project *g, const char *lead, const char *words, text *out) {
    script_comment(lead, g->title, out);
    text written = {0};
    text_format(&written, "Written by hamel %s. %s", g->version, words);
    script_comment(lead, text_string(&written), out);
    text_free(&written);
    text_format(out, "%s\n", lead);
    script_comment(lead, g->equations, out);
}

void script_project_template(const project *g, const char *words, text *out) {
    for (; *words; words++) {
        if (*words == '@') text_append(out, g->name);
        else if (*words == '$') script_number(g->t1, out);
        else text_char(out, *words);
    }
}
