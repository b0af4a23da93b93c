// Declarations: every name of the model, loops unrolled, before any definition is looked at.
#include "parse/statement.h"

#include <string.h>

// --- one name ------------------------------------------------------------------------------------

// What was declared goes into the model's list at once, so that lists are in the order of the
// text; values follow in define.c.
static void enter(elaborator *el, entry *e) {
    model *m = el->model;
    switch (e->kind) {
    case ENTRY_PARAM:
        e->symbol = expr_symbol(el->pool, e->name, ROLE_PARAMETER);
        e->index = m->parameters_count;
        list_push(m, parameters, (parameter){.symbol = e->symbol, .value = EXPR_NONE, .at = e->at});
        break;
    case ENTRY_COORD:
        e->symbol = expr_symbol(el->pool, e->name, ROLE_COORDINATE);
        e->index = m->coordinates_count;
        list_push(m, coordinates, e->symbol);
        break;
    case ENTRY_GIVEN:
        e->symbol = expr_symbol(el->pool, e->name, ROLE_GIVEN);
        e->index = m->givens_count;
        list_push(m, givens, (given_function){e->symbol, EXPR_NONE, e->at});
        break;
    case ENTRY_QUASI:
        e->symbol = expr_symbol(el->pool, e->name, ROLE_QUASI);
        e->index = m->quasis_count;
        list_push(m, quasis, (quasi_velocity){e->name, e->symbol, EXPR_ZERO, e->at});
        break;
    case ENTRY_POINT:
        e->index = m->points_count;
        list_push(m, points, (mass_point){.name = e->name, .at = e->at});
        break;
    case ENTRY_BODY:
        e->index = m->bodies_count;
        list_push(m, bodies, (rigid_body){.name = e->name, .at = e->at});
        break;
    case ENTRY_FUNCTION: e->index = pool_function(el->pool, e->name, e->arity); break;
    case ENTRY_CONST:
    case ENTRY_LET:
    case ENTRY_LABEL:
    case ENTRY_FAMILY: break;
    }
}

typedef struct { // what all names of one declaration have in common
    entry_kind kind;
    space where;
    const item *item;
    const statement *statement;
    const syntax *target;
    const binding *bindings;
} declaration;

static void complete(elaborator *el, const declaration *d, entry *e) {
    if (!e) return;
    e->statement = d->statement;
    e->bindings = d->bindings;
    if (d->item) {
        e->definition = d->item->value;
        e->parameters = d->item->parameters;
        for (const syntax *p = e->parameters; p; p = p->next) e->arity++;
    }
    enter(el, e);
}

static void suspect(elaborator *el, const char *name) { names_put(&el->reader->suspects, name, 0); }

static bool too_many_coordinates(elaborator *el, uint64_t more, span at) {
    const uint32_t limit = el->ctx->limits.coordinates;
    if (el->model->coordinates_count + more <= limit) return false;
    context_exhaust(el->ctx, at, "coordinates", limit);
    return true;
}

// Both ends of each index of q[1..N, 1..3]; a single index is a range of one. Returns the
// number of indices, 0: reported.
static uint32_t read_ranges(elaborator *el, const declaration *d, int64_t low[MOST_INDICES],
                            int64_t high[MOST_INDICES]) {
    uint32_t count = 0;
    for (const syntax *i = d->target->indices; i; i = i->next, count++) {
        if (count == MOST_INDICES) {
            diag_error(el->ctx, i->at, NULL, "at most %d indices", MOST_INDICES);
            return 0;
        }
        if (i->kind == SYNTAX_RANGE) {
            const uint64_t before = el->passes;
            if (!elab_range(el, i->first, i->first->next, d->bindings, &low[count], &high[count]))
                return 0;
            el->passes = before; // charged below, for all indices together
        } else {
            if (!elab_integer(el, i, d->bindings, "an index", &low[count])) return 0;
            high[count] = low[count];
        }
    }
    return count;
}

// The members of q[1..2, 1..3], the last index running fastest.
static void declare_family(elaborator *el, const declaration *d) {
    int64_t low[MOST_INDICES], high[MOST_INDICES], index[MOST_INDICES];
    const syntax *target = d->target;
    const uint32_t count = read_ranges(el, d, low, high);
    if (!count) {
        suspect(el, target->name);
        return;
    }
    uint64_t members = 1;
    for (uint32_t i = 0; i < count; i++) {
        // each factor is below the limit on passes
        members *= high[i] < low[i] ? 0 : (uint64_t)(high[i] - low[i]) + 1;
        if (members > el->ctx->limits.iterations)
            members = (uint64_t)el->ctx->limits.iterations + 1;
        index[i] = low[i];
    }
    if (d->kind == ENTRY_COORD && too_many_coordinates(el, members, target->at)) return;
    if (!elab_charge(el, target->at, members)) return;
    if (!members && !scope_find(el->scope, d->where, target->name)) {
        entry *empty =
            scope_declare(el->scope, el->ctx, d->where, ENTRY_FAMILY, target->name, target->at);
        if (!empty) return;
        empty->dimensions = 1;
        empty->low = arena_array(&el->ctx->arena, int64_t, MOST_INDICES);
        empty->high = arena_array(&el->ctx->arena, int64_t, MOST_INDICES);
        empty->low[0] = 1;
    }
    while (members-- && !elab_stopped(el)) {
        complete(el, d,
                 scope_declare_member(el->scope, el->ctx, d->where, d->kind, target->name, count,
                                      index, target->at));
        for (uint32_t i = count; i-- > 0;) {
            if (++index[i] <= high[i]) break;
            index[i] = low[i];
        }
    }
}

static void declare_name(elaborator *el, const declaration *d) {
    if (d->target->indices) {
        declare_family(el, d);
        return;
    }
    if (d->kind == ENTRY_COORD && too_many_coordinates(el, 1, d->target->at)) return;
    complete(el, d,
             scope_declare(el->scope, el->ctx, d->where, d->kind, d->target->name, d->target->at));
}

const char *elab_label(elaborator *el, const syntax *label, const binding *b,
                       const char *fallback) {
    if (!label) return fallback;
    if (!label->indices) return label->name;
    int64_t index[MOST_INDICES];
    const uint32_t count = elab_indices(el, label, b, index);
    if (!count) return NULL;
    char name[NAME_SIZE];
    scope_format(name, label->name, count, index);
    return arena_copy(&el->ctx->arena, name, strlen(name));
}

// --- one statement -------------------------------------------------------------------------------

void elab_declare_items(elaborator *el, const statement *s, const binding *b, entry_kind kind) {
    for (const item *it = s->items; it && !elab_stopped(el); it = it->next) {
        const bool abstract = s->kind == STATEMENT_FUNCTION && !it->value;
        const declaration d = {
            abstract ? ENTRY_FUNCTION : kind, SPACE_VALUES, it, s, it->target, b};
        declare_name(el, &d);
    }
}

void elab_declare_body(elaborator *el, const statement *s, const binding *b, entry_kind kind) {
    declare_name(el, &(declaration){kind, SPACE_BODIES, NULL, s, s->name, b});
}

// What a loop that cannot be unrolled would have declared.
static void suspect_all(elaborator *el, const statement *s) {
    for (; s; s = s->next) {
        if (s->name) suspect(el, s->name->name);
        for (const item *it = s->items; it; it = it->next)
            if (it->target) suspect(el, it->target->name);
        suspect_all(el, s->body);
    }
}

static void collect(elaborator *el, const statement *first, const binding *b) {
    for (const statement *s = first; s && !elab_stopped(el); s = s->next) {
        if (s->kind != STATEMENT_FOR) {
            array_reserve(el->instances, el->instance_count, el->instance_capacity);
            el->instances[el->instance_count++] = (instance){s, b};
            if (statement_rules[s->kind]->declare) statement_rules[s->kind]->declare(el, s, b);
            continue;
        }
        int64_t low, high;
        if (!elab_range(el, s->items->value, s->items->right, b, &low, &high)) {
            suspect_all(el, s->body);
            continue;
        }
        if (high < low) continue;
        const uint64_t passes = (uint64_t)(high - low) + 1;
        if (s->body_count > 1 && !elab_charge(el, s->at, passes * (s->body_count - 1))) return;
        for (int64_t i = low; i <= high && !elab_stopped(el); i++)
            collect(el, s->body,
                    elab_bind(el, s->name->name, value_scalar(expr_int(el->pool, i)), b));
    }
}

void elab_declare_constants(elaborator *el, const statement *first) {
    for (const statement *s = first; s && !elab_stopped(el); s = s->next)
        if (s->kind == STATEMENT_CONST) elab_declare_items(el, s, NULL, ENTRY_CONST);
}

void elab_declare_all(elaborator *el, const statement *first) { collect(el, first, NULL); }

// --- overrides -----------------------------------------------------------------------------------

static bool overrides(const char *name, const entry *e) {
    const size_t length = strlen(name);
    if (strncmp(e->name, name, length) != 0) return false;
    // a family's name sets all of its members
    return e->name[length] == '\0' || e->name[length] == '[';
}

static void report_override(elaborator *el, const char *name) {
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

// The expression in the text of an override; NULL: reported.
static const syntax *read_override(elaborator *el, const parse_override *o) {
    source *text = arena_new(&el->ctx->arena, source);
    *text =
        (source){arena_format(&el->ctx->arena, "--set %s", o->name), o->value, strlen(o->value)};
    if (text->length > el->ctx->limits.source_bytes) {
        context_exhaust(el->ctx, (span){0}, "bytes of source text", el->ctx->limits.source_bytes);
        return NULL;
    }
    parser ps;
    parser_init_value(&ps, el->reader, text);
    const syntax *value = parse_expression(&ps);
    if (!ps.failed && ps.token.kind != TOKEN_END)
        parser_unexpected(&ps, "an operator or the end of the value");
    return ps.failed ? NULL : value;
}

void elab_override(elaborator *el, entry_kind kind, uint32_t count,
                   const parse_override *override) {
    for (uint32_t i = 0; i < count && !elab_stopped(el); i++) {
        bool found = false, elsewhere = false;
        const syntax *value = NULL;
        for (uint32_t j = 0; j < el->scope->count; j++) {
            entry *e = el->scope->entries[j];
            if (!overrides(override[i].name, e)) continue;
            elsewhere |= e->kind == ENTRY_CONST;
            if (e->kind != kind) continue;
            if (!found) value = read_override(el, &override[i]);
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
