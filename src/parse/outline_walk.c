// The places where names are used, statement by statement.
#include "parse/outline_walk.h"

#include "base/utf8.h"
#include "parse/statement.h"
#include "parse/sweep_parts.h"

#include <string.h>

static void walk_node(outline_walk *w, const syntax *node, const outline_local *l);

static void walk_list(outline_walk *w, const syntax *first, const outline_local *l) {
    for (const syntax *i = first; i; i = i->next) walk_node(w, i, l);
}

static uint32_t find_local(const outline_local *l, const char *name) {
    while (l && strcmp(l->name, name) != 0) l = l->outer;
    return l ? l->symbol : OUTLINE_NONE;
}

// How many bytes of the text spell the first `length` letters of a name, in which Greek letters are
// written as words
static uint32_t bytes_of(span at, size_t length) {
    uint32_t bytes = 0;
    size_t spelled = 0;
    while (spelled < length && bytes < at.length) {
        uint32_t code = 0;
        const uint32_t size =
            utf8_decode(at.source->bytes + at.offset + bytes, at.length - bytes, &code);
        const char *greek = size ? unicode_greek(code) : NULL;
        spelled += greek ? strlen(greek) : 1;
        bytes += size ? size : 1;
    }
    return bytes;
}

// c_point, c_normal ..: what `touch c` and `roll c` define
static bool use_of_contact(outline_walk *w, const char *name, span at) {
    if (!scope_find(w->m->scope, SPACE_VALUES, name)) return false;
    for (size_t length = strlen(name); length-- > 1;) {
        if (name[length] != '_') continue;
        const char *stem = arena_copy(&w->m->ctx->arena, name, length);
        const uint32_t contact = outline_find(&w->contacts, stem);
        if (contact == OUTLINE_NONE) continue;
        at.length = bytes_of(at, length);
        if (w->o->symbols[contact].has_name) outline_add_use(w, at, contact, false);
        return true;
    }
    return false;
}

// The constraint c2 that has no label: its name comes from its place
static uint32_t find_unlabelled(const outline_walk *w, const char *name) {
    const entry *e = scope_find(w->m->scope, SPACE_CONSTRAINTS, name);
    for (uint32_t i = 0; e && i < w->o->symbols_count; i++) {
        const outline_symbol *s = &w->o->symbols[i];
        if (!s->has_name && s->at.source == e->at.source && s->at.offset == e->at.offset) return i;
    }
    return OUTLINE_NONE;
}

// A name in a place where one of this space belongs
static void use_name(outline_walk *w, const syntax *node, space where, const outline_local *l) {
    const bool plain = node->kind == SYNTAX_NAME || node->kind == SYNTAX_CALL;
    if (!plain || outline_file_number(w->m, node->at.source) == OUTLINE_NONE) return;
    walk_list(w, node->indices, l);
    span at = node->at;
    at.length = outline_first_token(w, at).at.length;
    uint32_t symbol = outline_find(&w->declared[where], node->name);
    if (symbol == OUTLINE_NONE && where == SPACE_CONSTRAINTS)
        symbol = find_unlabelled(w, node->name);
    if (symbol == OUTLINE_NONE && w->with_observed && where == SPACE_VALUES) {
        symbol = outline_find(&w->declared[SPACE_OBSERVABLES], node->name);
        if (symbol == OUTLINE_NONE)
            symbol = outline_find(&w->declared[SPACE_INVARIANTS], node->name);
    }
    if (symbol == OUTLINE_NONE && where == SPACE_VALUES && use_of_contact(w, node->name, at))
        return;
    outline_add_use(w, at, symbol, false);
}

// blade, blade[2], contact.x
static void use_constraint(outline_walk *w, const syntax *node, const outline_local *l) {
    if (!node) return;
    use_name(w, node->kind == SYNTAX_COMPONENT ? node->first : node, SPACE_CONSTRAINTS, l);
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

static void walk_call(outline_walk *w, const syntax *node, const outline_local *l) {
    static const char *const of_bodies[] = {"pos",   "vel",      "acc",     "omega", "frame",
                                            "velat", "momentum", "inertia", NULL};
    const uint32_t own = outline_find(&w->declared[SPACE_VALUES], node->name);
    const outline_symbol *s = own == OUTLINE_NONE ? NULL : &w->o->symbols[own];
    const bool is_own = s && ((s->item && s->item->parameters) || !scope_is_function(node->name));
    const syntax *first = node->first;
    if (is_own) {
        use_name(w, node, SPACE_VALUES, l);
    } else if (first && is_one_of(node->name, of_bodies)) {
        use_name(w, first, SPACE_BODIES, l);
        first = first->next;
    } else if (first && strcmp(node->name, "reaction") == 0) {
        use_constraint(w, first, l);
        first = first->next;
    } else if (first && strcmp(node->name, "rot") == 0 && first->kind == SYNTAX_NAME &&
               !first->indices && !first->primes && strlen(first->name) == 1 &&
               strchr("xyz", first->name[0])) {
        first = first->next; // an axis
    }
    walk_list(w, first, l);
}

// sum(i in 1..N, E): the index is the third token
static void walk_iteration(outline_walk *w, const syntax *node, const outline_local *l) {
    walk_node(w, node->first, l);
    walk_node(w, node->first->next, l);
    lexer lex;
    lexer_init(&lex, w->m->ctx, node->at.source);
    lex.position = node->at.offset, lex.quiet = true;
    token t = lexer_next(&lex);
    t = lexer_next(&lex), t = lexer_next(&lex);
    const uint32_t index = outline_add_symbol(
        w,
        (outline_symbol){
            .name = node->name, .at = t.at, .whole = node->at, .is_local = true, .has_name = true});
    outline_add_use(w, t.at, index, true);
    walk_node(w, node->first->next->next, &(outline_local){node->name, index, l});
}

static void walk_node(outline_walk *w, const syntax *node, const outline_local *l) {
    if (!node || outline_file_number(w->m, node->at.source) == OUTLINE_NONE) return;
    switch ((syntax_kind)node->kind) {
    case SYNTAX_NAME: {
        const uint32_t bound = node->indices ? OUTLINE_NONE : find_local(l, node->name);
        if (bound != OUTLINE_NONE) {
            outline_add_use(w, outline_first_token(w, node->at).at, bound, false);
        } else if (strcmp(node->name, "lambda") == 0 &&
                   outline_find(&w->declared[SPACE_VALUES], node->name) == OUTLINE_NONE) {
            use_constraint(w, node->indices, l);
        } else {
            use_name(w, node, SPACE_VALUES, l);
        }
        return;
    }
    case SYNTAX_CALL: walk_call(w, node, l); return;
    case SYNTAX_SUM_OVER:
    case SYNTAX_PRODUCT_OVER: walk_iteration(w, node, l); return;
    case SYNTAX_DATA:
    case SYNTAX_TEXT:
    case SYNTAX_NUMBER: return;
    default: walk_list(w, node->first, l);
    }
}

// --- statements ----------------------------------------------------------------------------------

static uint32_t add_local(outline_walk *w, const statement *st, const syntax *name, span whole) {
    outline_symbol s = {.name = name->name, .statement = st, .whole = whole};
    s.at = outline_first_token(w, name->at).at, s.is_local = s.has_name = true;
    const uint32_t index = outline_add_symbol(w, s);
    outline_add_use(w, s.at, index, true);
    return index;
}

// What stands on the left of `=`, or behind a word
static void walk_target(outline_walk *w, const statement *st, const item *it,
                        const outline_local *l) {
    if (outline_item_space(st) != SPACE_COUNT && outline_label_space(st) == SPACE_COUNT) {
        walk_list(w, it->target->indices, l); // it is declared
        return;
    }
    const bool body = st->kind == STATEMENT_CONTACT || st->kind == STATEMENT_TORQUE ||
                      (st->kind == STATEMENT_FORCE && st->flag),
               option = st->kind == STATEMENT_CLAIM && it->word && strcmp(it->word, "with") == 0;
    if (option) return;
    if (body) use_name(w, it->target, SPACE_BODIES, l);
    else walk_node(w, it->target, l);
}

static void walk_item(outline_walk *w, const statement *st, const item *it,
                      const outline_local *l) {
    const bool touch = st->kind == STATEMENT_TOUCH || st->kind == STATEMENT_ROLL;
    if (touch && it->word && strcmp(it->word, "body") == 0) {
        use_name(w, it->value, SPACE_BODIES, l);
        return;
    }
    if (it->target && !touch) walk_target(w, st, it, l);
    uint32_t count = 0;
    for (const syntax *p = it->parameters; p; p = p->next) count++;
    outline_local *arguments = arena_array(&w->m->ctx->arena, outline_local, count);
    count = 0;
    for (const syntax *p = it->parameters; p; p = p->next, l = &arguments[count++])
        arguments[count] = (outline_local){p->name, add_local(w, st, p, st->whole), l};
    if (st->kind == STATEMENT_COLLECT && elab_is_of_event(it))
        use_name(w, it->value, SPACE_EVENTS, l);
    else walk_node(w, it->value, l);
    walk_node(w, it->right, l);
}

void outline_walk_statements(outline_walk *w, const statement *first, const outline_local *l) {
    for (const statement *st = first; st; st = st->next) {
        if (st->made) continue;
        const bool curve = st->kind == STATEMENT_DRAW && strcmp(st->identifier, "curve") == 0,
                   loop = st->kind == STATEMENT_FOR;
        const syntax *name = st->name;
        outline_local own = {name ? name->name : NULL, OUTLINE_NONE, l};
        if (name && (loop || curve)) own.symbol = add_local(w, st, name, st->whole);
        else if (name && (st->kind == STATEMENT_DRAW || st->kind == STATEMENT_ORIENTATION))
            use_name(w, name, SPACE_BODIES, l);
        else if (name) walk_list(w, name->indices, l);
        w->with_observed = st->kind == STATEMENT_COLLECT;
        for (const item *it = st->items; it; it = it->next)
            walk_item(w, st, it, curve && it == st->items ? &own : l);
        if (loop) outline_walk_statements(w, st->body, &own);
    }
}
