// From text to model: read, declare, define, then take the statements in order.
#include "parse/parse.h"

#include "parse/outline.h"
#include "parse/statement.h"

#include <string.h>

// A model states its Lagrangian, or its kinetic and potential energy: not both.
static void check_lagrangian(elaborator *el) {
    if (el->model->lagrangian == EXPR_NONE) return;
    for (uint32_t i = 0; i < el->instance_count; i++) {
        const statement *st = el->instances[i].statement;
        if (st->kind != STATEMENT_KINETIC && st->kind != STATEMENT_POTENTIAL) continue;
        diag_error(el->ctx, st->at, NULL, "`%s` and `lagrangian` exclude one another",
                   statement_rules[st->kind]->word);
        diag_note(el->ctx, el->model->lagrangian_at, NULL, "the Lagrangian is stated here");
        return;
    }
}

// The text a diagnostic points into, as a number to sort by: the model's own text first, then its
// includes in the order of their first diagnostic; those without a place last.
static uint32_t source_rank(const context *ctx, const source *text, const source *main) {
    if (text == main) return 0;
    if (!text) return UINT32_MAX;
    uint32_t i = 0;
    while (ctx->diagnostics[i].at.source != text) i++;
    return i + 1;
}

// Puts the diagnostics from `first` on in the order of the text; a note stays behind its error.
// They are few, so insertion sort is fast enough.
static void sort_diagnostics(context *ctx, uint32_t first, const source *main) {
    const uint32_t count = ctx->diagnostic_count - first;
    if (!count) return;
    diagnostic *list = ctx->diagnostics + first;
    diagnostic *sorted = arena_array(&ctx->arena, diagnostic, count);
    uint64_t *keys = arena_array(&ctx->arena, uint64_t, count); // of the sorted ones
    uint64_t key = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].severity != DIAG_NOTE || !i)
            key = (uint64_t)source_rank(ctx, list[i].at.source, main) << 32 | list[i].at.offset;
        uint32_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--) {
            sorted[j] = sorted[j - 1];
            keys[j] = keys[j - 1];
        }
        sorted[j] = list[i];
        keys[j] = key;
    }
    memcpy(list, sorted, sizeof *list * count);
}

static void read_statements(elaborator *el, statement_phase phase) {
    for (uint32_t i = 0; i < el->instance_count && !elab_stopped(el); i++) {
        const instance in = el->instances[i]; // a copy: a contact adds to the list
        const statement_rule *rule = statement_rules[in.statement->kind];
        if (rule->read && rule->phase == phase) rule->read(el, &in);
    }
}

// --- overrides -----------------------------------------------------------------------------------

static bool overrides(const char *name, const entry *e) {
    const size_t length = strlen(name);
    if (strncmp(e->name, name, length) != 0) return false;
    // a family's name sets all of its members
    return e->name[length] == '\0' || e->name[length] == '[';
}

static void report_override(elaborator *el, const char *name) {
    const entry *other = scope_find(el->scope, SPACE_VALUES, name);
    if (other && other->kind != ENTRY_CONST && other->kind != ENTRY_PARAM) {
        const char *help =
            other->kind == ENTRY_COORD   ? "--at gives values at the start"
            : other->kind == ENTRY_INPUT ? "`eval --at` holds inputs at values; in runs it is what "
                                           "the model states, say `input u = p` with `param p`"
            : other->kind == ENTRY_GIVEN ? "let its definition depend on a `param`, and set that"
                                         : NULL;
        diag_error(el->ctx, (span){0}, help,
                   "--set %s: it is %s, and --set changes `param` and `const`", name,
                   scope_noun(other->kind));
        return;
    }
    names settable = {0};
    for (uint32_t i = 0; i < el->scope->count; i++) {
        const entry *e = el->scope->entries[i];
        if (e->kind == ENTRY_CONST || e->kind == ENTRY_PARAM) names_put(&settable, e->name, 0);
    }
    const char *near = names_nearest(&settable, name, NULL);
    names_free(&settable);
    diag_error(el->ctx, (span){0},
               near ? arena_format(&el->ctx->arena, "did you mean `%s`?", near) : NULL,
               "--set %s: no `param` or `const` has this name", name);
}

// The expression in the text of an override; NULL if it is wrong, which is reported.
static const syntax *read_override(elaborator *el, const parse_override *o) {
    source *text = arena_new(&el->ctx->arena, source);
    *text = (source){.name = arena_format(&el->ctx->arena, "--set %s", o->name),
                     .bytes = o->value,
                     .length = strlen(o->value)};
    if (text->length > el->ctx->limits.source_bytes) {
        context_exhaust(el->ctx, (span){0}, "bytes of source text", el->ctx->limits.source_bytes);
        return NULL;
    }
    parser ps;
    parser_init(&ps, el->reader, text, true);
    const syntax *value = parse_expression(&ps);
    if (!ps.failed && ps.token.kind != TOKEN_END)
        parser_unexpected(&ps, "an operator or the end of the value");
    return ps.failed ? NULL : value;
}

// A parameter that is stated in cm gets a plain number: it is in m, as all values are.
static void warn_of_unit(elaborator *el, const entry *e, const syntax *value) {
    const unit *u = e->unit;
    if (!u || unit_is_coherent(u) || !value || !syntax_is_plain(value)) return;
    const char *si = dimension_unit(&el->ctx->arena, &u->dimension);
    diag_warning(el->ctx, value->at,
                 arena_format(&el->ctx->arena, "write `%s=3 [%s]`", e->name, u->text),
                 "`%s` is stated in [%s], and a number without a unit is %s%s%s", e->name, u->text,
                 strcmp(si, "1") == 0 ? "a pure number" : "in [", strcmp(si, "1") == 0 ? "" : si,
                 strcmp(si, "1") == 0 ? "" : "]");
}

// Puts the values of --set in the place of those of the model, for constants or parameters.
static void apply_overrides(elaborator *el, entry_kind kind, uint32_t count,
                            const parse_override *override) {
    for (uint32_t i = 0; i < count && !elab_stopped(el); i++) {
        if (elab_sets_mode(override[i].name)) continue;
        bool found = false, elsewhere = false;
        const syntax *value = NULL;
        for (uint32_t j = 0; j < el->scope->count; j++) {
            entry *e = el->scope->entries[j];
            if (!overrides(override[i].name, e)) continue;
            elsewhere |= e->kind == ENTRY_CONST;
            if (e->kind != kind) continue;
            if (!found) value = read_override(el, &override[i]);
            if (!found) warn_of_unit(el, e, value);
            found = true;
            e->definition = value;
            e->bindings = NULL;
        }
        const bool is_suspect =
            names_get(&el->reader->suspects, override[i].name) || el->reader->incomplete;
        if (kind == ENTRY_PARAM && !found && !elsewhere && !is_suspect)
            report_override(el, override[i].name);
    }
}

// --- the model -----------------------------------------------------------------------------------

static void elaborate(elaborator *el, const statement *first, uint32_t overrides,
                      const parse_override *override) {
    el->override_count = overrides, el->override = override;
    elab_declare(el, first, true);
    apply_overrides(el, ENTRY_CONST, overrides, override);
    elab_declare(el, first, false);
    apply_overrides(el, ENTRY_PARAM, overrides, override);
    elab_define_all(el);
    read_statements(el, PHASE_CONSTRAINTS);
    read_statements(el, PHASE_USUAL);
    read_statements(el, PHASE_LAST);
    check_lagrangian(el);
    elab_check_inputs(el);
    elab_finish_contacts(el);
    elab_check_guesses(el);
    elab_check_dimensions(el);
    if (!el->model->coordinates_count && context_status(el->ctx) == HAMEL_OK)
        diag_error(el->ctx, (span){el->main, 0, 0}, "declare some: `coord x, y`",
                   "the model has no coordinates");
    if (el->ctx->error_count >= el->ctx->limits.errors && !el->ctx->exhausted)
        diag_note(el->ctx, (span){0}, NULL, "too many errors: the rest is not shown");
}

// The statements stay with the model, so that src/typed can evaluate them as they were typed.
static void keep_statements(const elaborator *el) {
    instance *kept = arena_array(&el->ctx->arena, instance, el->instance_count);
    if (el->instance_count) memcpy(kept, el->instances, sizeof *kept * el->instance_count);
    el->model->statements = kept;
    el->model->statement_count = el->instance_count;
}

// The seed of random points follows from the text, what it includes and the values of --set: the
// same input gives the same points.
static void set_seed(context *ctx, const model *m, uint32_t overrides,
                     const parse_override *override) {
    ctx->seed = 0;
    context_stir(ctx, m->text->bytes, m->text->length);
    for (uint32_t i = 0; i < m->included_count; i++)
        context_stir(ctx, m->included[i]->bytes, m->included[i]->length);
    for (uint32_t i = 0; i < overrides; i++) {
        context_stir(ctx, override[i].name, strlen(override[i].name));
        context_stir(ctx, override[i].value, strlen(override[i].value));
    }
}

static hamel_status read(context *ctx, pool *p, const source *text, const model *like, outline *o,
                         uint32_t overrides, const parse_override *override, model **out) {
    reader shared = {.ctx = ctx, .pool = p, .like = like, .outline = o};
    const uint32_t said_before = ctx->diagnostic_count;
    model *m = shared.model = model_create(ctx, p);
    m->text = text;
    m->scope = scope_create(&ctx->arena);
    m->scope_free = scope_free;
    statement *first = parse_text(&shared, text);
    parse_attach_orientations(ctx, first);
    set_seed(ctx, m, overrides, override);
    elaborator el = {
        .ctx = ctx, .pool = p, .model = m, .scope = m->scope, .reader = &shared, .main = text};
    if (!ctx->exhausted) elaborate(&el, first, overrides, override);
    keep_statements(&el);
    if (o) outline_fill(o, m, first);
    memory_free(el.instances);
    names_free(&el.assigned);
    names_free(&shared.suspects);
    names_free(&shared.contacts);
    names_free(&shared.constants);
    sort_diagnostics(ctx, said_before, text);
    const hamel_status status = context_status(ctx);
    if (status != HAMEL_OK && !o) {
        model_free(m);
        m = NULL;
    }
    *out = m;
    return status;
}

hamel_status parse_model(context *ctx, pool *p, const source *text, uint32_t overrides,
                         const parse_override *override, model **out) {
    return read(ctx, p, text, NULL, NULL, overrides, override, out);
}

hamel_status parse_for_editor(context *ctx, pool *p, const source *text, uint32_t overrides,
                              const parse_override *override, outline *o, model **out) {
    return read(ctx, p, text, NULL, o, overrides, override, out);
}

hamel_status parse_model_again(context *ctx, pool *p, const model *like, uint32_t overrides,
                               const parse_override *override, model **out) {
    return read(ctx, p, source_copy(ctx, like->text), like, NULL, overrides, override, out);
}

bool parse_knows(const model *m, const char *name) {
    return strcmp(name, "t") == 0 || scope_find(m->scope, SPACE_VALUES, name);
}

bool parse_constant(const model *m, const char *name, int64_t *value) {
    const entry *e = scope_find(m->scope, SPACE_VALUES, name);
    return e && e->kind == ENTRY_CONST && e->value.type == VALUE_SCALAR &&
           expr_is_integer(m->pool, e->value.scalar, value);
}
