// The names of a model: what each one stands for, and what its definition says.
#include "parse/scope.h"

#include <stdio.h>
#include <string.h>

// --- names of the language -----------------------------------------------------------------------

static const elementary elementaries[] = {
#define FUNCTION(id, name, arity) {name, EXPR_##id, arity},
#include "expr/kinds.def"
};

static const scope_word words[] = {
#define BUILTIN(name, written, about) {name, written, about},
#include "parse/words.def"
#undef BUILTIN
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

const elementary *scope_find_elementary(const char *name) {
    for (size_t i = 0; i < COUNT(elementaries); i++)
        if (strcmp(elementaries[i].name, name) == 0) return &elementaries[i];
    return NULL;
}

const scope_word *scope_word_at(uint32_t index) {
    return index < COUNT(words) ? &words[index] : NULL;
}

const scope_word *scope_find_word(const char *name) {
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i].name, name) == 0) return &words[i];
    return NULL;
}

bool scope_is_function(const char *name) {
    const scope_word *word = scope_find_word(name);
    return word && strchr(word->written, '(');
}

// --- names of a model ----------------------------------------------------------------------------

scope *scope_create(arena *a) {
    scope *sc = arena_new(a, scope);
    for (size_t i = 0; i < COUNT(words); i++)
        if (strchr(words[i].written, '[') == NULL) names_put(&sc->builtins, words[i].name, 0);
    return sc;
}

void scope_free(scope *sc) {
    if (!sc) return;
    for (int i = 0; i < SPACE_COUNT; i++) names_free(&sc->tables[i]);
    names_free(&sc->builtins);
    memory_free(sc->entries);
}

entry *scope_find(const scope *sc, space where, const char *name) {
    const uint32_t *index = names_get(&sc->tables[where], name);
    return index ? sc->entries[*index] : NULL;
}

entry *scope_find_direction(const scope *sc, const char *constraint, int which) {
    static const char *const parts[] = {"tangent", "across", "normal"};
    char name[NAME_SIZE];
    const size_t base = strcspn(constraint, "[."),
                 end = (size_t)(strrchr(constraint, '.') - constraint);
    if (!strrchr(constraint, '.') || end + sizeof "_tangent" > NAME_SIZE) return NULL;
    snprintf(name, sizeof name, "%.*s_%s%.*s", (int)base, constraint, parts[which],
             (int)(end - base), constraint + base);
    entry *e = scope_find(sc, SPACE_VALUES, name);
    return e && e->statement && e->statement->kind == STATEMENT_ROLL ? e : NULL;
}

static entry *add(scope *sc, context *ctx, space where, entry_kind kind, const char *name,
                  span at) {
    entry *e = arena_new(&ctx->arena, entry);
    e->kind = kind;
    e->name = arena_copy(&ctx->arena, name, strlen(name));
    e->at = at;
    e->symbol = e->variation = e->transposed = EXPR_NONE;
    names_put(&sc->tables[where], e->name, sc->count);
    array_reserve(sc->entries, sc->count, sc->capacity);
    return sc->entries[sc->count++] = e;
}

static void report_twice(context *ctx, const entry *first, const char *name, span at) {
    if (first->at.source == at.source && first->at.offset == at.offset) {
        diag_error(ctx, at, "give it the index of the loop: `name[i]`",
                   "`%s` is declared in every pass of the loop", name);
        return;
    }
    diag_error(ctx, at, NULL, "`%s` is declared twice", name);
    diag_note(ctx, first->at, NULL, "`%s` was first declared here", first->name);
}

entry *scope_declare(scope *sc, context *ctx, space where, entry_kind kind, const char *name,
                     span at) {
    if (where == SPACE_VALUES && strcmp(name, "t") == 0) {
        diag_error(ctx, at, NULL, "`t` is the time and cannot be declared");
        return NULL;
    }
    const entry *first = scope_find(sc, where, name);
    if (!first) return add(sc, ctx, where, kind, name, at);
    report_twice(ctx, first, name, at);
    return NULL;
}

void scope_format(char name[NAME_SIZE], const char *base, uint32_t count, const int64_t *index) {
    int used = snprintf(name, NAME_SIZE, "%s", base);
    for (uint32_t i = 0; i < count; i++)
        used += snprintf(name + used, (size_t)(NAME_SIZE - used), "%c%lld", i ? ',' : '[',
                         (long long)index[i]);
    if (count) snprintf(name + used, (size_t)(NAME_SIZE - used), "]");
}

// The family q, made when its first member is declared; NULL if q is something else.
static entry *find_family(scope *sc, context *ctx, space where, const char *base, uint32_t count,
                          span at) {
    entry *family = scope_find(sc, where, base);
    if (!family) {
        family = scope_declare(sc, ctx, where, ENTRY_FAMILY, base, at);
        if (!family) return NULL;
        family->dimensions = count;
        family->low = arena_array(&ctx->arena, int64_t, count);
        family->high = arena_array(&ctx->arena, int64_t, count);
        for (uint32_t i = 0; i < count; i++)
            family->low[i] = INT64_MAX, family->high[i] = INT64_MIN;
        return family;
    }
    if (family->kind != ENTRY_FAMILY) {
        report_twice(ctx, family, base, at);
        return NULL;
    }
    if (family->dimensions == count) return family;
    diag_error(ctx, at, NULL, "`%s` has %u ind%s elsewhere, here %u", base, family->dimensions,
               family->dimensions == 1 ? "ex" : "ices", count);
    return NULL;
}

entry *scope_declare_member(scope *sc, context *ctx, space where, entry_kind kind, const char *base,
                            uint32_t count, const int64_t *index, span at) {
    entry *family = find_family(sc, ctx, where, base, count, at);
    if (!family) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (index[i] < family->low[i]) family->low[i] = index[i];
        if (index[i] > family->high[i]) family->high[i] = index[i];
    }
    char name[NAME_SIZE];
    scope_format(name, base, count, index);
    return scope_declare(sc, ctx, where, kind, name, at);
}

const char *scope_suggest(const scope *sc, context *ctx, space where, const char *name) {
    const char *best = names_nearest(&sc->tables[where], name, NULL);
    if (where == SPACE_VALUES) best = names_nearest(&sc->builtins, name, best);
    return best ? arena_format(&ctx->arena, "did you mean `%s`?", best) : NULL;
}

const char *scope_noun(entry_kind kind) {
    static const char *const nouns[] = {
        [ENTRY_NONE] = "nothing",
        [ENTRY_CONST] = "a constant",
        [ENTRY_PARAM] = "a parameter",
        [ENTRY_COORD] = "a coordinate",
        [ENTRY_GIVEN] = "a given function of time",
        [ENTRY_INPUT] = "an input",
        [ENTRY_LET] = "an abbreviation",
        [ENTRY_FUNCTION] = "a function",
        [ENTRY_QUASI] = "a quasi-velocity",
        [ENTRY_POINT] = "a point",
        [ENTRY_BODY] = "a body",
        [ENTRY_LABEL] = "a label",
        [ENTRY_FAMILY] = "a family",
    };
    return nouns[kind];
}

const syntax *entry_clause(const entry *e, const char *word) {
    for (const item *it = e->statement->items; it; it = it->next)
        if (strcmp(it->word, word) == 0) return it->value;
    return NULL;
}

const binding *binding_find(const binding *b, const char *name) {
    while (b && strcmp(b->name, name) != 0) b = b->outer;
    return b;
}
