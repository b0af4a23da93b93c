// What can be written at a place of a text.
#include "api/editor.h"
#include "api/editor_cursor.h"

#include "derive/formalism.h"

#include <string.h>

typedef struct {
    hamel_document *d;
    LIST(hamel_candidate, list);
} work;

static void add(work *w, const char *name, const char *kind, const char *about,
                const char *written) {
    list_push(w, list, ((hamel_candidate){name, kind, about, written}));
}

static void add_statements(work *w) {
    for (int i = 0; i < STATEMENT_KINDS; i++)
        add(w, statement_rules[i]->word, "statement", statement_rules[i]->about,
            statement_rules[i]->syntax);
}

// The words in small letters behind the first one of `body NAME: mass E at V inertia V`
static void add_clauses(work *w, int statement) {
    const char *s = statement_rules[statement]->syntax + strlen(statement_rules[statement]->word);
    while (*s) {
        const size_t length = strspn(s, "abcdefghijklmnopqrstuvwxyz");
        const bool inside = s[-1] >= 'A' && s[-1] <= 'Z';
        if (length > 1 && !inside && s[-1] != '"') {
            const char *word = arena_copy(&w->d->ctx->arena, s, length);
            bool again = false;
            for (uint32_t i = 0; i < w->list_count; i++)
                again |= strcmp(w->list[i].name, word) == 0;
            if (!again) add(w, word, "word", statement_rules[statement]->syntax, NULL);
        }
        s += length ? length : 1;
    }
}

static bool holds(span whole, const source *file, size_t offset) {
    return whole.source == file && offset >= whole.offset &&
           offset <= (size_t)whole.offset + whole.length;
}

// Names of one space; of values those for which `wanted` holds, and the local ones around
static void add_names(work *w, space where, bool (*wanted)(const outline_symbol *),
                      const source *file, size_t offset) {
    const hamel_document *d = w->d;
    arena *a = &d->ctx->arena;
    for (uint32_t i = 0; i < d->outline.symbols_count; i++) {
        const outline_symbol *s = &d->outline.symbols[i];
        const bool here = s->is_local ? where == SPACE_VALUES && holds(s->whole, file, offset)
                                      : s->where == where && !s->is_contact;
        const bool contact =
            s->is_contact && where == SPACE_CONSTRAINTS && s->statement->kind == STATEMENT_ROLL;
        if (!s->has_name || !(here || contact) || (wanted && !wanted(s))) continue;
        add(w, s->name, editor_kind(s), editor_about(d, s), NULL);
        if (s->kind == ENTRY_COORD && !s->is_local && where == SPACE_VALUES)
            add(w, arena_format(a, "%s'", s->name), "velocity",
                arena_format(a, "the velocity of %s", s->name), NULL);
    }
}

// What `touch c` and `roll c` define: c_point, c_normal ..
static void add_contact_values(work *w) {
    const scope *sc = w->d->model->scope;
    for (uint32_t i = 0; i < sc->count; i++) {
        const entry *e = sc->entries[i];
        const bool made = e->statement && (e->statement->kind == STATEMENT_TOUCH ||
                                           e->statement->kind == STATEMENT_ROLL);
        if (made && !strchr(e->name, '['))
            add(w, e->name, "abbreviation", statement_rules[e->statement->kind]->about, NULL);
    }
}

static bool is_movable(const outline_symbol *s) {
    return s->kind == ENTRY_COORD || s->kind == ENTRY_QUASI || s->is_local;
}

static void add_values(work *w, const source *file, size_t offset) {
    add_names(w, SPACE_VALUES, NULL, file, offset);
    add_contact_values(w);
    const scope_word *word;
    for (uint32_t i = 0; (word = scope_word_at(i)); i++)
        add(w, word->name, strchr(word->written, '(') ? "function" : "constant", word->about,
            word->written);
}

static void add_known(work *w, const char *kind) {
    const char *about, *id;
    for (size_t i = 0; (id = hamel_known(kind, i, &about)); i++) add(w, id, "id", about, NULL);
}

static void add_all(work *w, const editor_cursor *c, const source *file, size_t offset) {
    switch (c->place) {
    case CURSOR_STATEMENT: add_statements(w); break;
    case CURSOR_BEHIND: add_clauses(w, c->statement); break;
    case CURSOR_BODY: add_names(w, SPACE_BODIES, NULL, file, offset); break;
    case CURSOR_CONSTRAINT: add_names(w, SPACE_CONSTRAINTS, NULL, file, offset); break;
    case CURSOR_COORDINATE:
        add_names(w, SPACE_VALUES, is_movable, file, offset);
        if (c->statement == STATEMENT_INITIAL)
            add(w, "lambda", "constant", "the multiplier of a constraint", "lambda[NAME]");
        if (c->statement == STATEMENT_FORCE)
            add(w, "on", "word", statement_rules[STATEMENT_FORCE]->syntax, NULL);
        break;
    case CURSOR_COMPONENT:
        add(w, "x", "component", "the first component", NULL);
        add(w, "y", "component", "the second component", NULL);
        add(w, "z", "component", "the third component", NULL);
        break;
    case CURSOR_FORM: add_known(w, "forms"); break;
    case CURSOR_METHOD:
        add(w, "auto", "id", "chosen by the system", NULL);
        add_known(w, "methods");
        break;
    case CURSOR_VALUE: add_values(w, file, offset); break;
    case CURSOR_NEW_NAME:
    case CURSOR_NOTHING: break;
    }
}

static hamel_status complete(hamel_document *d, const char *file, size_t offset, hamel_place *at,
                             const hamel_candidate **list, size_t *count) {
    const source *text_of_file = editor_file(d, file);
    if (!text_of_file || offset > text_of_file->length) return HAMEL_OK;
    const editor_cursor c = editor_cursor_at(d->ctx, text_of_file, offset);
    work w = {.d = d};
    add_all(&w, &c, text_of_file, offset);
    *at = (hamel_place){text_of_file->name, c.from, offset - c.from};
    hamel_candidate *kept = arena_array(&d->ctx->arena, hamel_candidate, w.list_count);
    if (w.list_count) memcpy(kept, w.list, sizeof *kept * w.list_count);
    *list = kept, *count = w.list_count;
    memory_free(w.list);
    return HAMEL_OK;
}

hamel_status hamel_document_complete(hamel_document *d, const char *file, size_t offset,
                                     hamel_place *at, const hamel_candidate **list, size_t *count) {
    API_NEEDS(NULL, d);
    API_NEEDS(d->ctx, file);
    API_NEEDS(d->ctx, at);
    API_NEEDS(d->ctx, list);
    API_NEEDS(d->ctx, count);
    *list = NULL, *count = 0, *at = (hamel_place){0};
    API_CALL(d->ctx, NULL, complete(d, file, offset, at, list, count), "looking at `%s`", file);
}
