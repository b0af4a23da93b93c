// Declarations: every name of the model, loops unrolled, before any definition is looked at.
#include "parse/statement.h"

// --- one name ------------------------------------------------------------------------------------

typedef struct { // what all names of one declaration have in common
    const statement_rule *rule;
    entry_kind kind;
    space where;
    const item *item; // NULL for a point or body
    const statement *statement;
    const syntax *target;
    const binding *bindings;
} declaration;

// What the declaration says of a new entry; NULL: the name was taken.
static void complete(elaborator *el, const declaration *d, entry *e) {
    if (!e) return;
    e->statement = d->statement;
    e->bindings = d->bindings;
    if (d->item) {
        e->definition = d->item->value;
        e->unit = d->item->unit;
        e->parameters = d->item->parameters;
        for (const syntax *p = e->parameters; p; p = p->next) e->arity++;
    }
    if (d->rule->enter) d->rule->enter(el, e);
}

// A name that may have been meant to be declared: it is not reported as unknown.
static void suspect(elaborator *el, const char *name) { names_put(&el->reader->suspects, name, 0); }

static bool admits(elaborator *el, const declaration *d, uint64_t more) {
    return !d->rule->admit || d->rule->admit(el, more, d->target->at);
}

// Both ends of each index of q[1..N, 1..3]; a single index is a range of one. Returns the number of
// indices; 0 if something is wrong, which is reported.
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
            el->passes = before; // counted later, for all indices together
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
        // cannot overflow: each factor is below the limit on passes
        members *= high[i] < low[i] ? 0 : (uint64_t)(high[i] - low[i]) + 1;
        if (members > el->ctx->limits.iterations)
            members = (uint64_t)el->ctx->limits.iterations + 1;
        index[i] = low[i];
    }
    if (!admits(el, d, members)) return;
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
    if (!admits(el, d, 1)) return;
    complete(el, d,
             scope_declare(el->scope, el->ctx, d->where, d->kind, d->target->name, d->target->at));
}

// --- one statement -------------------------------------------------------------------------------

static void declare_statement(elaborator *el, const statement *st, const binding *b) {
    const statement_rule *rule = statement_rules[st->kind];
    if (rule->declares == ENTRY_NONE) return;
    if (st->name) {
        declare_name(el, &(declaration){rule, rule->declares, SPACE_BODIES, NULL, st, st->name, b});
        return;
    }
    for (const item *it = st->items; it && !elab_stopped(el); it = it->next) {
        if (!it->target) continue; // a part of the statement that declares nothing
        const bool abstract = it->parameters && !it->value; // a function without a definition
        declare_name(el, &(declaration){rule, abstract ? ENTRY_FUNCTION : rule->declares,
                                        SPACE_VALUES, it, st, it->target, b});
    }
}

// What a loop that cannot be unrolled would have declared.
static void suspect_all(elaborator *el, const statement *st) {
    for (; st; st = st->next) {
        if (st->name) suspect(el, st->name->name);
        for (const item *it = st->items; it; it = it->next)
            if (it->target) suspect(el, it->target->name);
        suspect_all(el, st->body);
    }
}

// Declares what the statements declare and lists them, once for each pass of the loops.
static void collect(elaborator *el, const statement *first, const binding *b) {
    for (const statement *st = first; st && !elab_stopped(el); st = st->next) {
        if (st->kind != STATEMENT_FOR) {
            array_reserve(el->instances, el->instance_count, el->instance_capacity);
            el->instances[el->instance_count++] = (instance){st, b};
            if (!statement_rules[st->kind]->comes_first) declare_statement(el, st, b);
            else if (b)
                diag_error(el->ctx, st->at, "use `let`", "`%s` may not stand inside `for`",
                           statement_rules[st->kind]->word);
            continue;
        }
        int64_t low, high;
        if (!elab_range(el, st->items->value, st->items->right, b, &low, &high)) {
            suspect_all(el, st->body);
            continue;
        }
        if (high < low) continue;
        const uint64_t passes = (uint64_t)(high - low) + 1;
        if (st->body_count > 1 && !elab_charge(el, st->at, passes * (st->body_count - 1))) return;
        for (int64_t i = low; i <= high && !elab_stopped(el); i++)
            collect(el, st->body,
                    elab_bind(el, st->name->name, value_scalar(expr_int(el->pool, i)), b));
    }
}

void elab_declare(elaborator *el, const statement *first, bool constants) {
    if (!constants) {
        collect(el, first, NULL);
        return;
    }
    for (const statement *st = first; st && !elab_stopped(el); st = st->next)
        if (statement_rules[st->kind]->comes_first) declare_statement(el, st, NULL);
}
