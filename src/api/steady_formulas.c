// Formulas of steady motions in words and as JSON.
#include "api/steady_job.h"

#include "normal/normal.h"
#include "print/expression.h"

static const char *words_of(const steady_job *j, expr e) {
    text t = {0};
    api_write_expression(j->m, e, &t);
    const char *copy = arena_copy(&j->m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return copy;
}

static void write_equations(const steady_job *j, text *out, uint32_t count,
                            const closed_solution *of) {
    for (uint32_t i = 0; i < count; i++)
        text_format(out, "  %s = %s\n", words_of(j, of[i].left), words_of(j, of[i].right));
}

// In which unknown what is left has the lowest degree
static const char *degree_words(const steady_job *j, const closed_form *f) {
    uint32_t lowest = EXPR_NOT_POLYNOMIAL, best = 0;
    for (uint32_t i = 0; i < f->rests + (f->relation != EXPR_NONE); i++)
        for (uint32_t k = 0; k < f->free; k++) {
            const uint32_t degree = expr_degree(j->s->pool, i < f->rests ? f->rest[i] : f->relation,
                                                1, &f->parameter[k], NULL);
            if (degree > 2 && degree < lowest) lowest = degree, best = k;
        }
    if (lowest == EXPR_NOT_POLYNOMIAL) return "";
    return arena_format(&j->m->ctx->arena, ": %u in %s", lowest, words_of(j, f->parameter[best]));
}

static void write_form(const steady_job *j, const closed_form *f, text *out) {
    write_equations(j, out, f->values, f->value);
    if (f->relation != EXPR_NONE) {
        text_format(out, "  where 0 = %s%s\n", words_of(j, f->relation),
                    f->solutions ? ", that is" : "");
        for (uint32_t i = 0; i < f->solutions; i++)
            text_format(out, "    %s = %s\n", words_of(j, f->solution[i].left),
                        words_of(j, f->solution[i].right));
    }
    for (uint32_t i = 0; i < f->rests; i++)
        text_format(out, "  where 0 = %s\n", words_of(j, f->rest[i]));
    if (f->singular)
        text_append(out, "  singular: the coordinates fail there, and it may be no motion\n");
    if (f->unsolved)
        text_format(out, "  not solved: the degree is too high%s\n", degree_words(j, f));
    text_append(out, f->free ? "  free: " : "  nothing is free");
    for (uint32_t i = 0; i < f->free; i++)
        text_format(out, "%s%s", i ? ", " : "", words_of(j, f->parameter[i]));
    text_append(out, f->free && f->relation != EXPR_NONE ? " but for this relation\n" : "\n");
}

// --- a speed for each shape ----------------------------------------------------------------------

// Parts that stand in more than one place have names
typedef struct {
    uint32_t count;
    expr *node;
    const char **name;
    printer *printer;
} named_parts;

enum { SHORT_PART = 6 }; // expr_weight() of what is written out everywhere

static named_parts name_parts(const steady_job *j, uint32_t roots, const expr *root) {
    pool *p = j->s->pool;
    arena *a = &j->m->ctx->arena;
    uint32_t count;
    expr *node = expr_reachable(p, roots, root, &count);
    uint32_t *uses = memory_zeros(uint32_t, pool_size(p) + 1);
    for (uint32_t i = 0; i < roots; i++) uses[root[i]]++;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < expr_operand_count(p, node[i]); k++)
            uses[expr_operand(p, node[i], k)]++;
    named_parts out = {.node = arena_array(a, expr, count + 1),
                       .name = (const char **)arena_array(a, char *, count + 1)};
    for (uint32_t i = 0; i < count; i++) {
        if (uses[node[i]] < 2 || !expr_is_heavier(p, node[i], SHORT_PART)) continue;
        out.node[out.count] = node[i];
        out.name[out.count] = arena_format(a, "p%u", out.count + 1);
        out.count++;
    }
    memory_free(uses), memory_free(node);
    out.printer = printer_create(p, out.node, out.name, out.count);
    return out;
}

static const char *part_words(const steady_job *j, const named_parts *n, expr e) {
    text t = {0};
    for (uint32_t i = 0; i < n->count; i++)
        if (n->node[i] == e) return n->name[i];
    printer_print(n->printer, e, STYLE_TEXT, &t);
    const char *copy = arena_copy(&j->m->ctx->arena, text_string(&t), t.length);
    text_free(&t);
    return copy;
}

static const char *definition_words(const steady_job *j, const named_parts *n, uint32_t i) {
    text t = {0};
    printer_print(n->printer, n->node[i], STYLE_TEXT, &t);
    const char *copy = arena_copy(&j->m->ctx->arena, text_string(&t), t.length);
    text_free(&t);
    return copy;
}

static named_parts parts_of(const steady_job *j) {
    const shape_form *f = &j->closed.shape;
    const uint32_t count = 1 + f->velocities + f->relations;
    expr *root = arena_array(&j->m->ctx->arena, expr, count);
    root[0] = f->square;
    for (uint32_t i = 0; i < f->velocities; i++) root[1 + i] = f->ratio[i];
    for (uint32_t i = 0; i < f->relations; i++) root[1 + f->velocities + i] = f->relation[i];
    return name_parts(j, count, root);
}

static void write_shape(const steady_job *j, text *out) {
    const shape_form *f = &j->closed.shape;
    const char *speed = words_of(j, f->speed);
    named_parts n = parts_of(j);
    text_append(out, "by shape       one speed for each shape");
    for (uint32_t i = 0; i < f->shapes; i++)
        text_format(out, "%s%s", i ? ", " : " ", words_of(j, f->shape[i]));
    text_append(out, " for which the relations hold; other motions are not excluded\n");
    for (uint32_t i = 0; i < n.count; i++)
        text_format(out, "  %s = %s\n", n.name[i], definition_words(j, &n, i));
    text_format(out, "  %s^2 = %s\n", speed, part_words(j, &n, f->square));
    for (uint32_t i = 0; i < f->velocities; i++)
        if (f->ratio[i] == EXPR_ZERO) text_format(out, "  %s = 0\n", words_of(j, f->velocity[i]));
        else
            text_format(out, "  %s = %s*(%s)\n", words_of(j, f->velocity[i]), speed,
                        part_words(j, &n, f->ratio[i]));
    for (uint32_t i = 0; i < f->relations; i++)
        text_format(out, "  where 0 = %s\n", part_words(j, &n, f->relation[i]));
    printer_free(n.printer);
}

static void write_shape_json(const steady_job *j, json *out) {
    const shape_form *f = &j->closed.shape;
    named_parts n = parts_of(j);
    json_open(out, "by_shape", '{');
    json_open(out, "shape", '[');
    for (uint32_t i = 0; i < f->shapes; i++) json_string(out, NULL, words_of(j, f->shape[i]));
    json_close(out, ']');
    json_open(out, "definitions", '[');
    for (uint32_t i = 0; i < n.count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "left", n.name[i]);
        json_string(out, "right", definition_words(j, &n, i));
        json_close(out, '}');
    }
    json_close(out, ']');
    json_string(out, "speed", words_of(j, f->speed));
    json_string(out, "square", part_words(j, &n, f->square));
    json_open(out, "ratios", '{');
    for (uint32_t i = 0; i < f->velocities; i++)
        json_string(out, words_of(j, f->velocity[i]), part_words(j, &n, f->ratio[i]));
    json_close(out, '}');
    json_open(out, "relations", '[');
    for (uint32_t i = 0; i < f->relations; i++)
        json_string(out, NULL, part_words(j, &n, f->relation[i]));
    json_close(out, ']');
    json_close(out, '}');
    printer_free(n.printer);
}

// --- all of it -----------------------------------------------------------------------------------

void steady_job_write_closed_text(const steady_job *j, text *out) {
    const closed_forms *c = &j->closed;
    text_append(out, "steady motions as formulas");
    for (uint32_t i = 0; i < c->gauges; i++)
        text_format(out, "%s%s",
                    i ? ", " : "; moved copies are left out: ", words_of(j, c->gauge[i]));
    text_append(out, c->gauges ? " = 0\n" : "\n");
    for (uint32_t i = 0; i < c->count; i++) {
        text_format(out, "branch %u\n", i + 1);
        write_form(j, &c->form[i], out);
    }
    if (c->count)
        text_append(out, "verified       each solves all equations identically, where denominators "
                         "are not 0 and roots are real\n");
    if (c->shape.found) write_shape(j, out);
    if (c->reason) text_format(out, "not all        %s\n", c->reason);
}

static void write_solutions(const steady_job *j, json *out, const char *key, uint32_t count,
                            const closed_solution *of) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "left", words_of(j, of[i].left));
        json_string(out, "right", words_of(j, of[i].right));
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_names(const steady_job *j, json *out, const char *key, uint32_t count,
                        const expr *e) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) json_string(out, NULL, words_of(j, e[i]));
    json_close(out, ']');
}

void steady_job_write_closed_json(const steady_job *j, json *out) {
    const closed_forms *c = &j->closed;
    write_names(j, out, "at_zero", c->gauges, c->gauge);
    json_open(out, "closed", '[');
    for (uint32_t i = 0; i < c->count; i++) {
        const closed_form *f = &c->form[i];
        json_open(out, NULL, '{');
        write_solutions(j, out, "values", f->values, f->value);
        if (f->relation != EXPR_NONE) json_string(out, "relation", words_of(j, f->relation));
        write_solutions(j, out, "solutions", f->solutions, f->solution);
        write_names(j, out, "unsolved", f->rests, f->rest);
        write_names(j, out, "parameters", f->free, f->parameter);
        if (f->singular) json_bool(out, "singular", true);
        json_close(out, '}');
    }
    json_close(out, ']');
    if (c->shape.found) write_shape_json(j, out);
    if (c->reason) json_string(out, "closed_reason", c->reason);
}
