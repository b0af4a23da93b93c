// What stands at a place of a text: a name with its meaning, a statement, a function.
#include "api/editor.h"

#include "base/utf8.h"
#include "parse/dimension_check.h"
#include "parse/statement.h"

#include <string.h>

// --- facts of a name -----------------------------------------------------------------------------

enum { MOST_LETTERS = 160, MOST_TYPED = 600 };

// An expression, cut where it is long
static void write_short(const model *m, expr e, text *out) {
    text whole = {0};
    api_write_expression(m, e, &whole);
    size_t length = whole.length;
    if (length > MOST_LETTERS) {
        length = MOST_LETTERS;
        while (length && ((unsigned char)whole.bytes[length] & 0xC0) == 0x80) length--;
    }
    text_append_n(out, text_string(&whole), length);
    if (length < whole.length) text_append(out, " ..");
    text_free(&whole);
}

static const char *unit_of(const hamel_document *d, const entry *e) {
    if (e->unit) return e->unit->text;
    if (e->symbol != EXPR_NONE && d->is_good) {
        const char *unit = model_unit(d->model, e->symbol);
        if (unit) return unit;
    }
    const measure *q = e->arity ? NULL : e->measure;
    const bool known = d->is_good && q && q->type == VALUE_SCALAR && !q->part[0].any &&
                       !q->part[0].lost && !q->part[0].count;
    return known && !dimension_is_none(&q->part[0].known)
               ? dimension_unit(&d->ctx->arena, &q->part[0].known)
               : NULL;
}

static const assignment *initial_of(const model *m, expr symbol) {
    for (uint32_t i = 0; i < m->initial_count; i++)
        if (m->initial[i].symbol == symbol) return &m->initial[i];
    return NULL;
}

static const char *type_of(const entry *e) {
    if (e->kind == ENTRY_BODY || e->kind == ENTRY_POINT || e->arity) return NULL;
    switch (e->value.type) {
    case VALUE_SCALAR: return "scalar";
    case VALUE_VECTOR: return "vector";
    case VALUE_ROTATION: return "rotation";
    case VALUE_TENSOR: return "inertia tensor";
    case VALUE_VOID: break;
    }
    return e->kind == ENTRY_LET ? NULL : "scalar";
}

// "= 9.81", "starts at 1", as far as it is known
static void write_value(const hamel_document *d, const entry *e, text *out) {
    const model *m = d->model;
    if (e->kind == ENTRY_PARAM && e->index < m->parameters_count) {
        const parameter *p = &m->parameters[e->index];
        if (p->value == EXPR_NONE) return text_append(out, ", without a value");
        text_append(out, ", = ");
        if (p->decimal) text_append(out, p->decimal);
        else write_short(m, p->value, out);
    } else if (e->kind == ENTRY_COORD) {
        for (uint32_t order = 0; order < 2; order++) {
            const assignment *a = initial_of(m, expr_symbol_of_order(m->pool, e->symbol, order));
            if (!a) continue;
            text_append(out, order ? ", with velocity " : ", starts at ");
            if (a->decimal) text_append(out, a->decimal);
            else write_short(m, a->value, out);
        }
    } else if (e->kind == ENTRY_QUASI && e->index < m->quasis_count) {
        text_append(out, ", = ");
        write_short(m, m->quasis[e->index].definition, out);
    } else if (e->value.type == VALUE_SCALAR && (e->kind == ENTRY_CONST || e->kind == ENTRY_LET)) {
        text_append(out, ", = ");
        write_short(m, e->value.scalar, out);
    }
}

// Orders and kinds of the constraints that a statement stands for
static void write_constraints(const hamel_document *d, const outline_symbol *s, text *out) {
    const model *m = d->model;
    for (uint32_t i = 0; i < m->constraints_count && d->is_good; i++) {
        const constraint *c = &m->constraints[i];
        if (c->at.source != s->whole.source || c->at.offset != s->whole.offset) continue;
        text_format(out, "\n- `%s`: %s%s%s%s", c->name,
                    c->order == 0   ? "on coordinates (holonomic)"
                    : c->order == 1 ? "on velocities"
                                    : "of higher order",
                    c->order && !c->linear ? ", nonlinear"
                    : c->order             ? ", linear"
                                           : "",
                    c->rheonomic ? ", depends on time" : "",
                    c->status == CONSTRAINT_IDENTITY ? ", holds by itself" : "");
        if (c->unit) text_format(out, " [%s]", c->unit);
    }
}

const char *editor_about(const hamel_document *d, const outline_symbol *s) {
    const entry *e = editor_entry(d, s);
    text t = {0};
    text_append(&t, editor_kind(s));
    if (e) {
        const char *unit = unit_of(d, e), *type = type_of(e);
        if (type && e->kind != ENTRY_COORD && e->kind != ENTRY_PARAM) text_format(&t, ", %s", type);
        if (unit) text_format(&t, " [%s]", unit);
        write_value(d, e, &t);
    }
    const char *about = arena_copy(&d->ctx->arena, text_string(&t), t.length);
    text_free(&t);
    return about;
}

// --- what the author wrote -----------------------------------------------------------------------

// The statement as it was typed, as code
static void write_typed(span at, text *out) {
    size_t length = at.length;
    const char *bytes = at.source->bytes + at.offset;
    const bool cut = length > MOST_TYPED;
    if (cut) {
        length = MOST_TYPED;
        while (length && ((unsigned char)bytes[length] & 0xC0) == 0x80) length--;
    }
    text_append(out, "\n```ham\n");
    for (size_t i = 0; i < length; i++) // a fence inside of it would end the block
        text_char(out, bytes[i] == '`' ? '\'' : bytes[i]);
    text_append(out, cut ? " ..\n```\n" : "\n```\n");
}

// The comment behind the statement, in its last line
static void write_comment(span at, text *out) {
    const char *bytes = at.source->bytes;
    const size_t end = at.source->length;
    size_t i = at.offset + at.length;
    while (i < end && (bytes[i] == ' ' || bytes[i] == '\t')) i++;
    if (i >= end || bytes[i] != '#') return;
    while (i < end && (bytes[i] == '#' || bytes[i] == ' ')) i++;
    const size_t from = i;
    while (i < end && bytes[i] != '\n' && bytes[i] != '\r') i++;
    text utf8 = {0};
    utf8_show_n(bytes + from, i - from, &utf8);
    if (utf8.length) text_format(out, "\n%s\n", text_string(&utf8));
    text_free(&utf8);
}

static void write_place(const hamel_document *d, span at, text *out) {
    if (!at.source) return;
    uint32_t line, column;
    source_position(at.source, at.offset, &line, &column);
    const char *slash = strrchr(at.source->name, '/');
    if (at.source == d->model->text) text_format(out, "\nline %u\n", line);
    else text_format(out, "\nline %u of %s\n", line, slash ? slash + 1 : at.source->name);
}

static void explain_symbol(const hamel_document *d, const outline_symbol *s, uint32_t primes,
                           text *out) {
    static const char *const derivatives[] = {
        "", "the velocity of the ", "the acceleration of the ", "the third derivative of the "};
    text_append(out, "**");
    text_append(out, s->name);
    text_repeat(out, '\'', primes);
    text_append(out, "**: ");
    if (primes) {
        const bool moves = s->kind == ENTRY_COORD;
        text_append(out, primes < 4 && moves ? derivatives[primes] : "a time derivative of the ");
    }
    text_append(out, editor_about(d, s));
    if (s->where == SPACE_CONSTRAINTS && !s->is_local) write_constraints(d, s, out);
    text_char(out, '\n');
    if (s->is_local) return;
    write_typed(s->whole, out);
    write_comment(s->whole, out);
    write_place(d, s->at, out);
}

// --- words of the language -----------------------------------------------------------------------

static bool explain_word(const char *name, bool starts, text *out) {
    const int statement = statement_find(name);
    const scope_word *word = scope_find_word(name);
    if (starts && statement >= 0) {
        const statement_rule *rule = statement_rules[statement];
        text_format(out, "**%s**: %s\n\n```ham\n%s\n```\n", rule->word, rule->about, rule->syntax);
    } else if (word) {
        text_format(out, "**%s**: %s\n\n```ham\n%s\n```\n", word->name, word->about, word->written);
    } else {
        return false;
    }
    return true;
}

// --- the place -----------------------------------------------------------------------------------

static const outline_use *use_at(const hamel_document *d, const source *file, size_t offset) {
    const outline_use *found = NULL;
    for (uint32_t i = 0; i < d->outline.uses_count && !found; i++) {
        const outline_use *u = &d->outline.uses[i];
        if (u->at.source == file && offset >= u->at.offset &&
            offset <= (size_t)u->at.offset + u->at.length)
            found = u;
    }
    return found;
}

// The token of a text that ends at the offset or holds it; TOKEN_END: there is none
static token token_at(const hamel_document *d, const source *file, size_t offset) {
    lexer lex;
    lexer_init(&lex, d->ctx, file);
    lex.quiet = true;
    token t = lexer_next(&lex);
    while (t.kind != TOKEN_END && offset > (size_t)t.at.offset + t.at.length) t = lexer_next(&lex);
    if (t.at.offset > offset) t.kind = TOKEN_END;
    if (t.kind != TOKEN_NAME && (size_t)t.at.offset + t.at.length == offset) {
        const token next = lexer_next(&lex); // of two that touch there, the name
        if (next.kind == TOKEN_NAME && next.at.offset == offset) return next;
    }
    return t;
}

static uint32_t primes_behind(const hamel_document *d, span at) {
    lexer lex;
    lexer_init(&lex, d->ctx, at.source);
    lex.position = at.offset + at.length, lex.quiet = true;
    token t = lexer_next(&lex);
    for (uint32_t open = 0; t.kind == '[' || open; t = lexer_next(&lex)) { // q[i]'
        if (t.kind == TOKEN_END) return 0;
        open += t.kind == '[';
        open -= t.kind == ']' && open;
        if (t.kind == ']' && !open) {
            t = lexer_next(&lex);
            break;
        }
    }
    return t.kind == TOKEN_PRIMES && !t.starts_line ? t.primes : 0;
}

static hamel_status explain(hamel_document *d, const char *file, size_t offset, hamel_place *at,
                            char **result) {
    const source *text_of_file = editor_file(d, file);
    if (!text_of_file || offset > text_of_file->length) return HAMEL_OK;
    const outline_use *u = use_at(d, text_of_file, offset);
    const token t = token_at(d, text_of_file, offset);
    text out = {0};
    bool known = false;
    *at = editor_place(t.at);
    if (t.kind == TOKEN_NAME && t.starts_line) known = explain_word(t.name, true, &out);
    if (!known && u) {
        const outline_symbol *s = &d->outline.symbols[u->symbol];
        *at = editor_place(u->at);
        explain_symbol(d, s, u->declares ? 0 : primes_behind(d, u->at), &out);
        known = true;
    }
    if (!known && t.kind == TOKEN_NAME) known = explain_word(t.name, false, &out);
    if (known) return api_finish_text(&out, result);
    text_free(&out);
    return HAMEL_OK;
}

hamel_status hamel_document_explain(hamel_document *d, const char *file, size_t offset,
                                    hamel_place *at, char **result) {
    API_NEEDS(NULL, d);
    API_NEEDS(d->ctx, file);
    API_NEEDS(d->ctx, at);
    API_NEEDS(d->ctx, result);
    *result = NULL;
    API_CALL(d->ctx, result, explain(d, file, offset, at, result), "looking at `%s`", file);
}
