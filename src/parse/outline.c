// The names that a text declares.
#include "parse/outline_walk.h"

#include "parse/statement.h"

#include <stdlib.h>
#include <string.h>

// --- places --------------------------------------------------------------------------------------

uint32_t outline_file_number(const model *m, const source *text) {
    if (text == m->text) return 0;
    for (uint32_t i = 0; i < m->included_count; i++)
        if (m->included[i] == text) return m->included[i]->is_data ? OUTLINE_NONE : i + 1;
    return OUTLINE_NONE;
}

// The first token of a stretch
token outline_first_token(const outline_walk *w, span at) {
    lexer lex;
    lexer_init(&lex, w->m->ctx, at.source);
    lex.position = at.offset, lex.quiet = true;
    return lexer_next(&lex);
}

void outline_add_use(outline_walk *w, span at, uint32_t symbol, bool declares) {
    if (!at.source || outline_file_number(w->m, at.source) == OUTLINE_NONE ||
        symbol == OUTLINE_NONE)
        return;
    list_push(w->o, uses, ((outline_use){at, symbol, declares}));
}

uint32_t outline_add_symbol(outline_walk *w, outline_symbol s) {
    list_push(w->o, symbols, s);
    return w->o->symbols_count - 1;
}

// --- declarations --------------------------------------------------------------------------------

uint32_t outline_find(const names *table, const char *name) {
    const uint32_t *found = names_get(table, name);
    return found ? *found : OUTLINE_NONE;
}

// One more declaration of the name in this table: of q[2] behind q[1] the same symbol again
static void declare(outline_walk *w, names *table, outline_symbol s) {
    if (!s.name) return;
    s.at.length = outline_first_token(w, s.at).at.length;
    uint32_t known = outline_find(table, s.name);
    if (known == OUTLINE_NONE) {
        known = outline_add_symbol(w, s);
        names_put(table, s.name, known);
    }
    outline_add_use(w, s.at, known, true);
}

static outline_symbol symbol_of(const statement *st, const item *it, const syntax *name,
                                entry_kind kind, space where) {
    return (outline_symbol){.name = name->name,
                            .kind = kind,
                            .where = where,
                            .at = name->at,
                            .whole = st->whole,
                            .statement = st,
                            .item = it,
                            .has_name = true};
}

// In which space the label behind the word of a statement is declared; SPACE_COUNT: in none
space outline_label_space(const statement *st) {
    switch (st->kind) {
    case STATEMENT_POINT:
    case STATEMENT_BODY: return SPACE_BODIES;
    case STATEMENT_CONSTRAINT:
    case STATEMENT_CONTACT: return SPACE_CONSTRAINTS;
    case STATEMENT_CLAIM: return SPACE_CLAIMS;
    case STATEMENT_EVENT:
    case STATEMENT_WHEN: return SPACE_EVENTS;
    default: return SPACE_COUNT;
    }
}

// .. and the names of its items
space outline_item_space(const statement *st) {
    if (st->kind == STATEMENT_INVARIANT) return SPACE_INVARIANTS;
    if (st->kind == STATEMENT_OBSERVE) return SPACE_OBSERVABLES;
    if (st->kind == STATEMENT_COLLECT) return SPACE_COLLECTS;
    return statement_rules[st->kind]->declares == ENTRY_NONE ? SPACE_COUNT : SPACE_VALUES;
}

// `touch c: ..`, `roll ..` without a label, `orientation p of B`
static void declare_replaced(outline_walk *w, const statement *st) {
    outline_symbol s = {.name = st->identifier,
                        .kind = ENTRY_LABEL,
                        .where = SPACE_CONSTRAINTS,
                        .at = st->identifier_at,
                        .whole = st->whole,
                        .statement = st,
                        .has_name = st->identifier_at.source};
    if (!s.name) return;
    if (!s.has_name) s.at = st->at;
    if (st->kind == STATEMENT_ORIENTATION) {
        s.kind = ENTRY_COORD, s.where = SPACE_VALUES;
        declare(w, &w->declared[SPACE_VALUES], s);
        names_put(&w->declared[SPACE_CONSTRAINTS], s.name,
                  outline_find(&w->declared[s.where], s.name));
        return;
    }
    s.is_contact = true;
    declare(w, &w->contacts, s);
    if (st->kind == STATEMENT_ROLL)
        names_put(&w->declared[SPACE_CONSTRAINTS], s.name, outline_find(&w->contacts, s.name));
}

// Nothing refers to it, so that it is in no table.
static void declare_system(outline_walk *w, const statement *st) {
    const outline_symbol s = {.name = st->items->word,
                              .kind = ENTRY_LABEL,
                              .where = SPACE_COUNT,
                              .at = outline_first_token(w, st->items->at).at,
                              .whole = st->whole,
                              .statement = st,
                              .has_name = true};
    outline_add_use(w, s.at, outline_add_symbol(w, s), true);
}

static void declare_all(outline_walk *w, const statement *first) {
    for (const statement *st = first; st; st = st->next) {
        if (st->made) continue;
        const space label = outline_label_space(st), of_items = outline_item_space(st);
        const bool replaced = statement_rules[st->kind]->is_replaced;
        if (replaced) {
            declare_replaced(w, st);
        } else if (st->kind == STATEMENT_FOR) {
            declare_all(w, st->body);
        } else if (st->kind == STATEMENT_SYSTEM) {
            declare_system(w, st);
        } else if (st->name && label != SPACE_COUNT) {
            const entry_kind kind = statement_rules[st->kind]->declares;
            declare(w, &w->declared[label],
                    symbol_of(st, NULL, st->name, kind ? kind : ENTRY_LABEL, label));
        } else if (st->kind == STATEMENT_CONSTRAINT) {
            outline_symbol s = {.name = "constraint", .kind = ENTRY_LABEL, .statement = st};
            s.where = SPACE_CONSTRAINTS, s.at = st->at, s.whole = st->whole;
            outline_add_use(w, s.at, outline_add_symbol(w, s), true);
        }
        if (replaced || of_items == SPACE_COUNT || label != SPACE_COUNT) continue;
        for (const item *it = st->items; it; it = it->next) {
            const entry_kind kind = statement_rules[st->kind]->declares;
            const bool abstract = it->parameters && !it->value;
            if (it->target)
                declare(w, &w->declared[of_items],
                        symbol_of(st, it, it->target,
                                  abstract ? ENTRY_FUNCTION
                                  : kind   ? kind
                                           : ENTRY_LABEL,
                                  of_items));
        }
    }
}

// --- all of it -----------------------------------------------------------------------------------

typedef struct {
    uint32_t file, offset, index;
} place_key;

static int compare_places(const void *a, const void *b) {
    const place_key *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// In the order of the text; what was found on two ways is kept once
static void sort_uses(outline_walk *w) {
    outline *o = w->o;
    const uint32_t count = o->uses_count;
    place_key *keys = memory_array(place_key, count);
    outline_use *old = memory_array(outline_use, count);
    for (uint32_t i = 0; i < count; i++) {
        old[i] = o->uses[i];
        keys[i] = (place_key){outline_file_number(w->m, old[i].at.source), old[i].at.offset, i};
    }
    if (count) qsort(keys, count, sizeof *keys, compare_places);
    o->uses_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool again =
            i && keys[i].file == keys[i - 1].file && keys[i].offset == keys[i - 1].offset;
        if (!again) o->uses[o->uses_count++] = old[keys[i].index];
    }
    memory_free(old);
    memory_free(keys);
}

void outline_add_broken(outline *o, span at) { list_push(o, broken, at); }

// A list of the heap into the arena
#define KEEP(a, o, list)                                                                           \
    do {                                                                                           \
        void *kept = arena_alloc((a), sizeof *(o)->list * (size_t)(o)->list##_count);              \
        if ((o)->list##_count) memcpy(kept, (o)->list, sizeof *(o)->list *(o)->list##_count);      \
        memory_free((o)->list);                                                                    \
        (o)->list = kept, (o)->list##_capacity = 0;                                                \
    } while (0)

void outline_fill(outline *o, const model *m, const statement *first) {
    outline_walk w = {.o = o, .m = m};
    declare_all(&w, first);
    outline_walk_statements(&w, first, NULL);
    sort_uses(&w);
    for (int i = 0; i < SPACE_COUNT; i++) names_free(&w.declared[i]);
    names_free(&w.contacts);
    arena *a = &m->ctx->arena;
    KEEP(a, o, symbols);
    KEEP(a, o, uses);
    KEEP(a, o, broken);
    KEEP(a, o, includes);
}
