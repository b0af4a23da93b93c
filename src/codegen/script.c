// Tapes as statements of a language.
#include "codegen/script.h"

#include "codegen/scalar_type.h"
#include "codegen/schedule.h"

#include <stdio.h>

// A value that only one step names is written where it is named, if it is not longer than this.
enum { LONGEST_FOLDED = 48 };

typedef enum { ATOM, PRODUCT, SUM } binding; // how loosely an expression binds

typedef struct {
    const tape *t;
    const dialect *as;
    const schedule *s;
    script_part part;
    const char *const *label;
    const char *prefix;
    uint32_t leaves, temporaries, solutions;
    char **written; // how a step is named; NULL: it is not in this part
    binding *binds;
    text solution; // the list that is being read
    script_body *body;
} writer;

void script_fill(const char *pattern, const char *first, const char *second, text *out) {
    for (; *pattern; pattern++) {
        if (*pattern == '\1') text_append(out, first);
        else if (*pattern == '\2') text_append(out, second);
        else text_char(out, *pattern);
    }
}

static void fill_number(const char *pattern, const char *first, uint32_t number, text *out) {
    char digits[16];
    snprintf(digits, sizeof digits, "%u", number);
    script_fill(pattern, first ? first : digits, digits, out);
}

// --- operands and steps --------------------------------------------------------------------------

static bool is_step(const writer *w, uint32_t reg) { return reg >= w->leaves; }

static binding write_operand(writer *w, uint32_t reg, text *out) {
    if (reg < w->t->input_count) {
        w->body->uses_input[reg] = true;
        text_append(out, w->label[reg]);
        return ATOM;
    }
    if (!is_step(w, reg)) {
        scalar_type_literal(&scalar_type_double, w->t->pool,
                            w->t->constant[reg - w->t->input_count], out);
        return ATOM;
    }
    const uint32_t i = reg - w->leaves;
    if (w->written[i]) {
        text_append(out, w->written[i]);
        return w->binds[i];
    }
    fill_number(w->as->kept, NULL, w->s->place[i] + w->as->first, out);
    return ATOM;
}

// A minus may stand in front of a whole expression only: Modelica has no a + -b.
static void write_bracketed(writer *w, uint32_t reg, binding most, bool leads, text *out) {
    text operand = {0};
    const binding binds = write_operand(w, reg, &operand);
    const bool bracket = binds > most || (!leads && *text_string(&operand) == '-');
    text_append(out, bracket ? "(" : "");
    text_append(out, text_string(&operand));
    text_append(out, bracket ? ")" : "");
    text_free(&operand);
}

static binding binding_of(const writer *w, uint32_t reg) {
    return is_step(w, reg) && w->written[reg - w->leaves] ? w->binds[reg - w->leaves] : ATOM;
}

// Brackets keep the order of the tape: an operator binds its left operand first.
static binding write_binary(writer *w, const tape_step *s, const char *sign, binding own,
                            text *out) {
    const bool commutes = s->operation == TAPE_ADD || s->operation == TAPE_MUL;
    const bool swap = commutes && binding_of(w, s->b) == own && binding_of(w, s->a) != own;
    write_bracketed(w, swap ? s->b : s->a, own, own == SUM, out);
    text_format(out, " %s ", sign);
    write_bracketed(w, swap ? s->a : s->b, own == SUM ? PRODUCT : ATOM, false, out);
    return own;
}

static binding write_step(writer *w, const tape_step *s, text *out) {
    switch (s->operation) {
    case TAPE_ADD: return write_binary(w, s, "+", SUM, out);
    case TAPE_SUB: return write_binary(w, s, "-", SUM, out);
    case TAPE_MUL: return write_binary(w, s, w->as->times, PRODUCT, out);
    case TAPE_DIV: return write_binary(w, s, w->as->over, PRODUCT, out);
    case TAPE_NEG:
        text_char(out, '-');
        write_bracketed(w, s->a, ATOM, false, out);
        return SUM;
    default: break;
    }
    text a = {0}, b = {0};
    write_operand(w, s->a, &a);
    if (!tape_is_unary(s->operation)) write_operand(w, s->b, &b);
    script_fill(w->as->call[s->operation], text_string(&a), text_string(&b), out);
    text_free(&a), text_free(&b);
    return ATOM;
}

// --- statements ----------------------------------------------------------------------------------

static void write_system(writer *w, const tape_system *s) {
    const uint32_t count = s->n * (s->n + s->columns);
    char **entry = memory_array(char *, count + 1);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = k / s->n, j = k % s->n, triangle = s->n * (s->n + 1) / 2;
        uint32_t at = k; // of a symmetric matrix the rows end at the diagonal
        if (s->symmetric)
            at = i < s->n ? (i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i)
                          : triangle + k - s->n * s->n;
        text value = {0};
        write_operand(w, s->operand[at], &value);
        entry[k] = text_release(&value);
    }
    text_clear(&w->solution);
    text_format(&w->solution, "%ssolution%u", w->prefix, ++w->solutions);
    const char *name = text_string(&w->solution);
    if (w->as->list_declaration)
        fill_number(w->as->list_declaration, name, s->n * s->columns, &w->body->declarations);
    w->as->solve(name, s->n, s->columns, entry, &w->body->statements);
    for (uint32_t k = 0; k < count; k++) memory_free(entry[k]);
    memory_free(entry);
}

static void write_statement(writer *w, uint32_t i) {
    const tape_step *s = &w->t->step[i];
    text value = {0};
    w->binds[i] = ATOM;
    if (s->operation == TAPE_SOLVED) {
        if (s->b == 0) write_system(w, &w->t->system[s->a]);
        fill_number(w->as->solution, text_string(&w->solution), s->b + w->as->first, &value);
        w->written[i] = text_release(&value);
        return;
    }
    const binding binds = write_step(w, s, &value);
    if (w->s->uses[i] == 1 && value.length <= LONGEST_FOLDED) {
        w->binds[i] = binds;
        w->written[i] = text_release(&value);
        return;
    }
    text name = {0};
    text_format(&name, "%sr%u", w->prefix, ++w->temporaries);
    if (w->as->declaration)
        script_fill(w->as->declaration, text_string(&name), "", &w->body->declarations);
    script_fill(w->as->statement, text_string(&name), text_string(&value), &w->body->statements);
    w->written[i] = text_release(&name);
    text_free(&value);
}

static char *output_text(writer *w, uint32_t reg) {
    text value = {0};
    write_operand(w, reg, &value);
    if (!value.length) text_append(&value, "");
    return text_release(&value);
}

static void write_outputs(writer *w) {
    const tape *t = w->t;
    script_body *b = w->body;
    if (w->part != SCRIPT_FIXED) {
        b->output_count = t->output_count;
        b->output = memory_array(char *, t->output_count + 1);
        for (uint32_t o = 0; o < t->output_count; o++) b->output[o] = output_text(w, t->output[o]);
        return;
    }
    b->output_count = w->s->place_count;
    b->output = memory_array(char *, b->output_count + 1);
    for (uint32_t i = 0; i < t->step_count; i++)
        if (w->s->place[i] != NO_PLACE) b->output[w->s->place[i]] = output_text(w, w->leaves + i);
}

script_body script_body_create(const tape *t, const dialect *as, script_part part,
                               const char *const *label, const char *prefix) {
    schedule s = schedule_create(t);
    script_body body = {.input_count = t->input_count,
                        .uses_input = memory_zeros(bool, t->input_count + 1)};
    writer w = {.t = t,
                .as = as,
                .s = &s,
                .part = part,
                .label = label,
                .prefix = prefix,
                .leaves = t->input_count + t->constant_count,
                .written = memory_zeros(char *, t->step_count + 1),
                .binds = memory_zeros(binding, t->step_count + 1),
                .body = &body};
    for (uint32_t k = 0; part != SCRIPT_MOVING && k < s.fixed_count; k++)
        write_statement(&w, s.fixed[k]);
    for (uint32_t k = 0; part != SCRIPT_FIXED && k < s.moving_count; k++)
        write_statement(&w, s.moving[k]);
    write_outputs(&w);
    for (uint32_t i = 0; i < t->step_count; i++) memory_free(w.written[i]);
    memory_free(w.written), memory_free(w.binds), text_free(&w.solution);
    schedule_free(&s);
    return body;
}

void script_body_free(script_body *b) {
    for (uint32_t i = 0; i < b->output_count; i++) memory_free(b->output[i]);
    memory_free(b->output), memory_free(b->uses_input);
    text_free(&b->statements), text_free(&b->declarations);
    *b = (script_body){0};
}
