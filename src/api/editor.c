// A text read for an editor, and what there is in it, one by one.
#include "api/editor.h"

#include "parse/statement.h"

#include <string.h>

// --- reading -------------------------------------------------------------------------------------

static hamel_status read_document(context *ctx, const char *name, const void *bytes, size_t size,
                                  hamel_editor_text read, void *data, hamel_document **out) {
    hamel_document *d = arena_new(&ctx->arena, hamel_document);
    d->ctx = ctx;
    d->outline.read = read, d->outline.data = data;
    const hamel_status status = api_read_for_editor(ctx, name, bytes, size, &d->outline, &d->model);
    d->is_good = status == HAMEL_OK;
    if (d->model) *out = d;
    return status;
}

hamel_status hamel_document_read(hamel_context *ctx, const char *name, const void *bytes,
                                 size_t size, hamel_editor_text read, void *data,
                                 hamel_document **out) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, out);
    API_NEEDS(ctx, name);
    if (size) API_NEEDS(ctx, bytes);
    *out = NULL;
    API_CALL(ctx, NULL, read_document(ctx, name, bytes, size, read, data, out), "reading `%s`",
             name);
}

hamel_model *hamel_document_model(const hamel_document *d) {
    return d && d->is_good && !d->ctx->dead ? d->model : NULL;
}

// --- places --------------------------------------------------------------------------------------

hamel_place editor_place(span at) {
    return (hamel_place){at.source ? at.source->name : NULL, at.offset, at.length};
}

const source *editor_file(const hamel_document *d, const char *file) {
    const model *m = d->model;
    if (strcmp(m->text->name, file) == 0) return m->text;
    for (uint32_t i = 0; i < m->included_count; i++)
        if (!m->included[i]->is_data && strcmp(m->included[i]->name, file) == 0)
            return m->included[i];
    return NULL;
}

int hamel_message_at(const hamel_context *ctx, size_t index, hamel_message *out) {
    if (!ctx || !out || index >= ctx->diagnostic_count) return 0;
    const diagnostic *d = &ctx->diagnostics[index];
    *out = (hamel_message){.severity = (hamel_severity)d->severity,
                           .at = editor_place(d->at),
                           .message = d->message,
                           .help = d->help};
    return 1;
}

int hamel_document_file_at(const hamel_document *d, size_t index, hamel_document_file *out) {
    if (!d || !out) return 0;
    const source *text = index ? NULL : d->model->text;
    size_t left = index;
    for (uint32_t i = 0; i < d->model->included_count && !text; i++)
        if (!d->model->included[i]->is_data && !--left) text = d->model->included[i];
    if (!text) return 0;
    *out = (hamel_document_file){text->name, text->bytes, text->length};
    return 1;
}

int hamel_document_link_at(const hamel_document *d, size_t index, hamel_document_link *out) {
    if (!d || !out || index >= d->outline.includes_count) return 0;
    const outline_include *i = &d->outline.includes[index];
    *out = (hamel_document_link){editor_place(i->at), i->path};
    return 1;
}

int hamel_document_broken_at(const hamel_document *d, size_t index, hamel_place *out) {
    if (!d || !out || index >= d->outline.broken_count) return 0;
    *out = editor_place(d->outline.broken[index]);
    return 1;
}

int hamel_document_use_at(const hamel_document *d, size_t index, hamel_use *out) {
    if (!d || !out || index >= d->outline.uses_count) return 0;
    const outline_use *u = &d->outline.uses[index];
    *out = (hamel_use){editor_place(u->at), u->symbol, u->declares};
    return 1;
}

// --- symbols -------------------------------------------------------------------------------------

const entry *editor_entry(const hamel_document *d, const outline_symbol *s) {
    if (s->is_local || (s->where != SPACE_VALUES && s->where != SPACE_BODIES)) return NULL;
    const scope *sc = d->model->scope;
    const entry *e = scope_find(sc, s->where, s->name);
    if (!e || e->kind != ENTRY_FAMILY) return e;
    const size_t length = strlen(s->name);
    for (uint32_t i = 0; i < sc->count; i++) {
        const entry *member = sc->entries[i];
        if (member->kind != ENTRY_FAMILY && strncmp(member->name, s->name, length) == 0 &&
            member->name[length] == '[')
            return member;
    }
    return NULL;
}

const char *editor_kind(const outline_symbol *s) {
    static const char *const of_entries[] = {[ENTRY_NONE] = "label",
                                             [ENTRY_CONST] = "constant",
                                             [ENTRY_PARAM] = "parameter",
                                             [ENTRY_COORD] = "coordinate",
                                             [ENTRY_GIVEN] = "given",
                                             [ENTRY_INPUT] = "input",
                                             [ENTRY_LET] = "abbreviation",
                                             [ENTRY_FUNCTION] = "function",
                                             [ENTRY_QUASI] = "quasi-velocity",
                                             [ENTRY_POINT] = "point",
                                             [ENTRY_BODY] = "body",
                                             [ENTRY_LABEL] = "label",
                                             [ENTRY_FAMILY] = "family"};
    if (s->is_local)
        return s->statement && s->statement->kind != STATEMENT_FOR ? "argument" : "index";
    if (s->is_contact) return s->statement->kind == STATEMENT_ROLL ? "rolling contact" : "contact";
    if (s->kind == ENTRY_LET && s->item && s->item->parameters) return "function";
    if (s->kind != ENTRY_LABEL) return of_entries[s->kind];
    static const char *const of_spaces[] = {
        [SPACE_VALUES] = "label",           [SPACE_BODIES] = "body",
        [SPACE_CONSTRAINTS] = "constraint", [SPACE_CLAIMS] = "claim",
        [SPACE_INVARIANTS] = "invariant",   [SPACE_OBSERVABLES] = "observable",
        [SPACE_EVENTS] = "event",           [SPACE_COLLECTS] = "collected"};
    if (s->statement->kind == STATEMENT_SYSTEM) return "system";
    if (s->statement->kind == STATEMENT_CONTACT) return "contact";
    return of_spaces[s->where];
}

int hamel_document_symbol_at(const hamel_document *d, size_t index, hamel_symbol *out) {
    if (!d || !out || index >= d->outline.symbols_count) return 0;
    const outline_symbol *s = &d->outline.symbols[index];
    *out = (hamel_symbol){.name = s->name,
                          .kind = editor_kind(s),
                          .at = editor_place(s->at),
                          .whole = editor_place(s->whole),
                          .is_local = s->is_local,
                          .has_name = s->has_name};
    return 1;
}

// --- other names ---------------------------------------------------------------------------------

// Is the text one name and nothing else? Then the name with Greek letters spelled out; else NULL.
static const char *as_name(context *ctx, const char *name) {
    source *text = arena_new(&ctx->arena, source);
    *text = (source){.name = "name", .bytes = name, .length = strlen(name)};
    lexer lex;
    lexer_init(&lex, ctx, text);
    lex.quiet = true;
    const token t = lexer_next(&lex);
    return t.kind == TOKEN_NAME && t.at.offset == 0 && t.at.length == text->length ? t.name : NULL;
}

static hamel_status refuse_name(const char **why, const char *words) {
    *why = words;
    return HAMEL_USAGE;
}

static hamel_status judge_name(hamel_document *d, size_t symbol, const char *typed,
                               const char **why) {
    arena *a = &d->ctx->arena;
    const outline *o = &d->outline;
    const char *name = as_name(d->ctx, typed);
    const outline_symbol *own = symbol < o->symbols_count ? &o->symbols[symbol] : NULL;
    if (!own || !own->has_name) return refuse_name(why, "this has no name that could be changed");
    if (!name)
        return refuse_name(why, "a name is a letter, then letters, digits and `_`; primes are no "
                                "part of it");
    if (statement_find(name) >= 0)
        return refuse_name(why, arena_format(a, "`%s` is the word of a statement", name));
    if (scope_find_word(name))
        return refuse_name(why, arena_format(a, "`%s` is a word of the language", name));
    for (uint32_t i = 0; i < o->symbols_count; i++) {
        const outline_symbol *s = &o->symbols[i];
        const bool meets = s->where == own->where || s->is_local || own->is_local ||
                           s->is_contact || own->is_contact;
        if (i != symbol && meets && s->has_name && strcmp(s->name, name) == 0)
            return refuse_name(why, arena_format(a, "`%s` is taken: %s", name, editor_kind(s)));
    }
    return HAMEL_OK;
}

hamel_status hamel_document_name_fits(hamel_document *d, size_t symbol, const char *name,
                                      const char **why) {
    API_NEEDS(NULL, d);
    API_NEEDS(d->ctx, name);
    API_NEEDS(d->ctx, why);
    API_CALL(d->ctx, NULL, judge_name(d, symbol, name, why), "looking at the name `%s`", name);
}
