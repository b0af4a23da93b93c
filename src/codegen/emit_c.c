// Three-address code as C functions: a value that is used once stands where it is used, the others
// have names; long bodies come in parts.
#include "codegen/emit_c_internal.h"

#include <string.h>

enum {
    LONGEST_FOLDED = 56, // characters of an expression that may stand within another
    LINE = 100           // characters, about, of a line of a list
};

// --- statements ----------------------------------------------------------------------------------

// May the expression of this step stand where it is used? Only if it is used once, in the same
// function and on the same level, and is not one of a pair of sin and cos.
static bool may_fold(const writer *w, uint32_t i, size_t length) {
    const tape_step *s = w->t->step;
    const uint32_t user = w->s->user[i];
    if (w->s->uses[i] != 1 || user == NO_PLACE || w->part[user] != w->now ||
        s[user].level != s[i].level)
        return false;
    return length <= LONGEST_FOLDED && s[i].operation != TAPE_SIN && s[i].operation != TAPE_COS &&
           s[user].operation != TAPE_SIGN;
}

static void set_written(writer *w, uint32_t i, char *as, binding binds) {
    w->written[i] = as, w->binds[i] = binds;
}

// `target = value;` for each place the value goes to
static void write_stores(writer *w, uint32_t i, const char *value) {
    if (w->slot[i] != NO_PLACE) {
        w->uses[USES_KEPT] = true;
        text_format(&w->body, "    kept[%u] = %s;\n", w->slot[i], value);
    }
    if (w->fixed && w->s->place[i] != NO_PLACE) {
        w->uses[USES_OUT] = true;
        text_format(&w->body, "    c[%u] = %s;\n", w->s->place[i], value);
    }
    for (uint32_t o = w->fixed ? NO_PLACE : w->first_output[i]; o != NO_PLACE;
         o = w->next_output[o]) {
        w->uses[USES_OUT] = true;
        text_format(&w->body, "    out[%u] = %s;\n", o, value);
    }
}

static uint32_t store_count(const writer *w, uint32_t i) {
    uint32_t count = (w->slot[i] != NO_PLACE) + (w->fixed && w->s->place[i] != NO_PLACE);
    for (uint32_t o = w->fixed ? NO_PLACE : w->first_output[i]; o != NO_PLACE;
         o = w->next_output[o])
        count++;
    return count;
}

// Does a step of this part name it?
static bool *find_named_here(const writer *w) {
    bool *named = memory_zeros(bool, w->t->step_count + 1);
    for (uint32_t k = 0; k < w->count; k++) {
        if (w->part[w->order[k]] != w->now) continue;
        for (uint32_t j = 0; j < tape_operand_count(w->t, w->order[k]); j++) {
            const uint32_t reg = tape_operand(w->t, w->order[k], j);
            if (is_step(w, reg)) named[reg - w->leaves] = true;
        }
    }
    return named;
}

static void write_list(writer *w, const char *name, uint32_t number, uint32_t count,
                       const uint32_t *reg) {
    text_format(&w->body, "    %s %s%u[%u] = {", w->as->scalar, name, number, count);
    for (uint32_t k = 0, start = (uint32_t)w->body.length; k < count; k++) {
        const bool full = w->body.length - start > LINE;
        if (k) text_append(&w->body, full ? ",\n        " : ", ");
        if (full) start = (uint32_t)w->body.length;
        emit_c_operand(w, reg[k], &w->body);
    }
    text_append(&w->body, "};\n");
}

// A and R in arrays, the solution in the place of R
static void write_system(writer *w, const tape_system *s) {
    const uint32_t number = ++w->solutions;
    const char *kind = s->symmetric ? "symmetric" : "general";
    text rows = {0};
    write_list(w, "matrix", number, tape_system_entries(s), s->operand);
    write_list(w, "solution", number, tape_system_unknowns(s), s->operand + tape_system_entries(s));
    if (!s->symmetric) {
        text_format(&rows, ", rows%u", number);
        text_format(&w->body, "    %s rows%u[%u];\n", w->as->broadcast ? w->as->scalar : "int",
                    number, s->n);
    }
    text_format(&w->body, "    hamel_factor_%s(%u, matrix%u%s);\n    ", kind, s->n, number,
                text_string(&rows));
    if (s->columns > 1) text_format(&w->body, "for (int i = 0; i < %u; i++) ", s->columns);
    text_format(&w->body, "hamel_solve_%s(%u, matrix%u%s, solution%u", kind, s->n, number,
                text_string(&rows), number);
    if (s->columns > 1) text_format(&w->body, " + i * %u", s->n);
    text_append(&w->body, ");\n");
    text_free(&rows);
}

static void write_solved(writer *w, uint32_t i) {
    const tape_step *s = &w->t->step[i];
    if (s->b == 0) write_system(w, &w->t->system[s->a]);
    text name = {0};
    text_format(&name, "solution%u[%u]", w->solutions, s->b);
    write_stores(w, i, text_string(&name));
    set_written(w, i, text_release(&name), ATOM);
}

static void write_statement(writer *w, uint32_t i, bool named_here) {
    if (w->t->step[i].operation == TAPE_SOLVED) {
        write_solved(w, i);
        return;
    }
    text value = {0};
    const binding binds = emit_c_step(w, &w->t->step[i], &value);
    const uint32_t stores = store_count(w, i);
    if (!stores && may_fold(w, i, value.length)) {
        set_written(w, i, text_release(&value), binds);
        return;
    }
    if (!named_here && stores == 1) {
        write_stores(w, i, text_string(&value));
    } else {
        text name = {0};
        text_format(&name, "r%u", ++w->temporaries);
        text_format(&w->body, "    const %s %s = %s;\n", w->as->scalar, text_string(&name),
                    text_string(&value));
        write_stores(w, i, text_string(&name));
        set_written(w, i, text_release(&name), ATOM);
    }
    text_free(&value);
}

// Are the steps sine and cosine of one angle, to be found at once?
static bool are_found_at_once(const writer *w, uint32_t i, uint32_t j) {
    const tape_step *a = &w->t->step[i], *b = &w->t->step[j];
    return w->as->sine_and_cosine && w->part[i] == w->part[j] && a->a == b->a &&
           ((a->operation == TAPE_SIN && b->operation == TAPE_COS) ||
            (a->operation == TAPE_COS && b->operation == TAPE_SIN));
}

// Where a compiler puts the two calls together itself, it moves their results once more.
static void write_sine_and_cosine(writer *w, uint32_t sine, uint32_t cosine) {
    text name[2] = {{0}, {0}};
    const uint32_t first = ++w->temporaries, second = ++w->temporaries;
    text_format(&name[0], "r%u", first), text_format(&name[1], "r%u", second);
    text_format(&w->body, "    %s r%u, r%u;\n    %s(", w->as->scalar, first, second,
                w->as->sine_and_cosine);
    emit_c_operand(w, w->t->step[sine].a, &w->body);
    text_format(&w->body, ", &r%u, &r%u);\n", first, second);
    write_stores(w, sine, text_string(&name[0])), write_stores(w, cosine, text_string(&name[1]));
    set_written(w, sine, text_release(&name[0]), ATOM);
    set_written(w, cosine, text_release(&name[1]), ATOM);
}

// Outputs that no step computes: inputs, constants and what is fixed.
static void write_plain_outputs(writer *w) {
    const tape *t = w->t;
    for (uint32_t o = 0; o < t->output_count; o++) {
        if (is_step(w, t->output[o]) && t->step[t->output[o] - w->leaves].level != TAPE_FIXED)
            continue;
        text value = {0};
        emit_c_operand(w, t->output[o], &value);
        w->uses[USES_OUT] = true;
        text_format(&w->body, "    out[%u] = %s;\n", o, text_string(&value));
        text_free(&value);
    }
}

static void write_part(writer *w, uint32_t part, bool last) {
    w->now = part, w->temporaries = w->solutions = 0;
    memset(w->uses, 0, sizeof w->uses);
    memset(w->uses_input, 0, w->t->input_count * sizeof(bool));
    text_clear(&w->body);
    bool *named = find_named_here(w);
    for (uint32_t k = 0; k < w->count; k++) {
        const uint32_t i = w->order[k], next = k + 1 < w->count ? w->order[k + 1] : i;
        if (w->part[i] != part) continue;
        if (are_found_at_once(w, i, next)) {
            const bool sine_first = w->t->step[i].operation == TAPE_SIN;
            write_sine_and_cosine(w, sine_first ? i : next, sine_first ? next : i);
            k++;
        } else {
            write_statement(w, i, named[i]);
        }
    }
    if (last && !w->fixed) write_plain_outputs(w);
    for (uint32_t k = 0; k < w->count; k++) {
        memory_free(w->written[w->order[k]]);
        w->written[w->order[k]] = NULL;
    }
    memory_free(named);
}

// --- functions -----------------------------------------------------------------------------------

static void write_parameter(const writer *w, mention m, text *out) {
    static const char *const front[] = {"", "const ", "const ", "const ", "", ""};
    static const char *const name[] = {
        " t", " *z", " *p", " *c", " *restrict kept", " *restrict out"};
    text_format(out, "%s%s%s", front[m], w->as->scalar,
                m == USES_OUT && w->fixed ? " *restrict c" : name[m]);
}

static const char *argument_name(const writer *w, mention m) {
    static const char *const name[] = {"t", "z", "p", "c", "kept", "out"};
    return m == USES_OUT && w->fixed ? "c" : name[m];
}

static void write_heading(const writer *w, const bool *parameter, text *out) {
    uint32_t count = 0;
    text_char(out, '(');
    for (int m = 0; m < USES_COUNT; m++) {
        if (!parameter[m]) continue;
        if (count++) text_append(out, ", ");
        write_parameter(w, (mention)m, out);
    }
    text_append(out, ") {\n");
}

static void write_qualifier(const writer *w, const char *otherwise) {
    const char *q = *w->as->qualifier ? w->as->qualifier : otherwise;
    text_format(w->out, "%s%s", q, *q ? " " : "");
}

// Inputs by their names, where they have any.
static void write_inputs(const writer *w) {
    const uint32_t n = w->t->state_count;
    for (uint32_t i = 0; i < w->t->input_count && w->label; i++) {
        if (!w->uses_input[i] || i == n) continue;
        text_format(w->out, "    const %s %s = %c[%u];\n", w->as->scalar, w->label[i],
                    i < n ? 'z' : 'p', i < n ? i : i - n - 1);
    }
}

static void write_function(writer *w, const char *suffix) {
    static const bool of_fixed[USES_COUNT] = {[USES_P] = true, [USES_OUT] = true};
    static const bool of_all[USES_COUNT] = {
        [USES_T] = true, [USES_Z] = true, [USES_P] = true, [USES_C] = true, [USES_OUT] = true};
    const bool *parameter = w->fixed ? of_fixed : of_all;
    write_qualifier(w, "");
    text_format(w->out, "void %s%s", w->name, suffix);
    write_heading(w, parameter, w->out);
    for (int m = 0; m < USES_COUNT; m++)
        if (parameter[m] && !w->uses[m])
            text_format(w->out, "    (void)%s;\n", argument_name(w, (mention)m));
    write_inputs(w);
    text_append(w->out, text_string(&w->body));
    text_append(w->out, "}\n\n");
}

// NAME_1 .., each with the parameters it needs; `calls` collects how they are called.
static void write_part_function(writer *w, const char *suffix, uint32_t part, text *calls) {
    write_qualifier(w, "static");
    text_format(w->out, "HAMEL_NOT_INLINE void %s%s_%u", w->name, suffix, part + 1);
    write_heading(w, w->uses, w->out);
    write_inputs(w);
    text_append(w->out, text_string(&w->body));
    text_append(w->out, "}\n\n");
    text_format(calls, "    %s%s_%u(", w->name, suffix, part + 1);
    uint32_t count = 0;
    for (int m = 0; m < USES_COUNT; m++)
        if (w->uses[m])
            text_format(calls, "%s%s", count++ ? ", " : "", argument_name(w, (mention)m));
    text_append(calls, ");\n");
}

static void write_in_parts(writer *w, const char *suffix, uint32_t parts) {
    bool uses[USES_COUNT] = {false};
    text calls = {0};
    scalar_type_not_inline(w->out);
    emit_c_share_array(w, parts);
    if (w->slot_count) text_format(&calls, "    %s kept[%u];\n", w->as->scalar, w->slot_count);
    for (uint32_t part = 0; part < parts; part++) {
        write_part(w, part, part + 1 == parts);
        write_part_function(w, suffix, part, &calls);
        for (int m = 0; m < USES_COUNT; m++) uses[m] = uses[m] || w->uses[m];
    }
    memcpy(w->uses, uses, sizeof uses);
    memset(w->uses_input, 0, w->t->input_count * sizeof(bool));
    text_clear(&w->body);
    text_append(&w->body, text_string(&calls));
    write_function(w, suffix);
    text_free(&calls);
}

static void write_body(writer *w, bool fixed, uint32_t count, const uint32_t *order,
                       const char *suffix) {
    w->fixed = fixed, w->count = count, w->order = order;
    const uint32_t parts = emit_c_divide(w);
    if (parts > 1) {
        write_in_parts(w, suffix, parts);
    } else {
        write_part(w, 0, true);
        write_function(w, suffix);
    }
}

static void list_outputs(writer *w) {
    const tape *t = w->t;
    for (uint32_t o = t->output_count; o-- > 0;) {
        if (!is_step(w, t->output[o])) continue;
        const uint32_t i = t->output[o] - w->leaves;
        w->next_output[o] = w->first_output[i];
        w->first_output[i] = o;
    }
}

uint32_t emit_tape_named(const tape *t, const scalar_type *as, const char *name,
                         const char *const *label, text *out) {
    const uint32_t n = t->step_count;
    schedule s = schedule_create(t);
    writer w = {.t = t,
                .as = as,
                .name = name,
                .label = label,
                .out = out,
                .s = &s,
                .leaves = t->input_count + t->constant_count};
    w.part = schedule_places(n), w.last_part = schedule_places(n), w.slot = schedule_places(n);
    w.first_output = schedule_places(n), w.next_output = schedule_places(t->output_count);
    w.written = memory_zeros(char *, n + 1), w.binds = memory_zeros(binding, n + 1),
    w.uses_input = memory_zeros(bool, t->input_count + 1);
    list_outputs(&w);
    for (uint32_t i = 0; i < t->system_count; i++) emit_solver(as, t->system[i].symmetric, out);
    write_body(&w, true, s.fixed_count, s.fixed, "_fixed");
    write_body(&w, false, s.moving_count, s.moving, "");
    const uint32_t places = s.place_count ? s.place_count : 1;
    memory_free(w.part), memory_free(w.last_part), memory_free(w.slot), memory_free(w.first_output),
        memory_free(w.next_output);
    memory_free(w.written), memory_free(w.binds), memory_free(w.uses_input);
    text_free(&w.body);
    schedule_free(&s);
    return places;
}

uint32_t emit_tape(const tape *t, const scalar_type *as, const char *name, text *out) {
    return emit_tape_named(t, as, name, NULL, out);
}
