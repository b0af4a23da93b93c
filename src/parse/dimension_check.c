// The check of dimensions, statement by statement, and the units that follow for what is shown.
#include "parse/dimension_check.h"
#include "parse/statement.h"

// The names that a statement declares, in one pass of its loops: they are in the order of the text.
static void fit_names(dim_check *ck, const instance *in, uint32_t *next) {
    const scope *sc = ck->el->scope;
    for (; *next < sc->count && !ck->failed; ++*next) {
        entry *e = sc->entries[*next];
        const bool passed = !e->statement || statement_rules[e->statement->kind]->comes_first;
        if (passed) continue;
        if (e->statement != in->statement || e->bindings != in->bindings) return;
        dim_fit_entry(ck, e);
    }
}

// --- units for those who show them ---------------------------------------------------------------

static bool is_known(dim_check *ck, dim d, dimension *out) {
    d = dim_settle(&ck->table, d);
    *out = d.known;
    return !d.any && !d.lost && !d.count;
}

static void list_symbol(dim_check *ck, symbol_dimension *list, expr symbol, dim d, const unit *u) {
    symbol_dimension *own = &list[expr_symbol_index(ck->el->pool, symbol)];
    own->known = is_known(ck, d, &own->dimension);
    if (own->known && u && unit_is_coherent(u)) own->stated = u->text;
}

static const char *unit_shown(dim_check *ck, dim d) {
    dimension known;
    return is_known(ck, d, &known) && !dimension_is_none(&known)
               ? dimension_unit(ck->table.arena, &known)
               : NULL;
}

static void list_named(dim_check *ck, uint32_t count, named_expression *named) {
    for (uint32_t i = 0; i < count; i++) {
        const item *it = named[i].typed.item;
        const measure q = dim_walk(ck, it->value, dim_import(ck, named[i].typed.bindings));
        named[i].unit = it->unit && it->target->unit ? it->unit->text
                        : q.type == VALUE_SCALAR     ? unit_shown(ck, q.part[0])
                                                     : NULL;
    }
}

static void list_collected(dim_check *ck, uint32_t count, collected *list) {
    static const char *const seconds = "s";
    for (uint32_t i = 0; i < count; i++) {
        const item *it = list[i].typed.item;
        if (list[i].kind == COLLECT_FIRST) list[i].unit = seconds;
        if (list[i].value == EXPR_NONE) continue;
        ck->with_observed = it->word; // else it is that of what is observed
        const measure q = dim_walk(ck, it->value, dim_import(ck, list[i].typed.bindings));
        ck->with_observed = false;
        list[i].unit = it->unit && it->target->unit ? it->unit->text
                       : q.type == VALUE_SCALAR     ? unit_shown(ck, q.part[0])
                                                    : NULL;
    }
}

static void list_units(dim_check *ck) {
    model *m = ck->el->model;
    const scope *sc = ck->el->scope;
    const uint32_t count = pool_symbol_count(m->pool);
    symbol_dimension *list = arena_array(ck->table.arena, symbol_dimension, count);
    list_symbol(ck, list, m->time, dim_of(dimension_make(0, 0, 1)), NULL);
    for (uint32_t i = 0; i < sc->count; i++) {
        entry *e = sc->entries[i];
        if (e->symbol == EXPR_NONE || e->arity) continue;
        const measure *q = dim_entry(ck, e);
        if (q->type == VALUE_SCALAR) list_symbol(ck, list, e->symbol, q->part[0], e->unit);
    }
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        constraint *c = &m->constraints[i];
        c->unit = unit_shown(ck, dim_of_constraint(ck, i));
        list_symbol(ck, list, c->multiplier, dim_of_multiplier(ck, i), NULL);
    }
    list_named(ck, m->invariants_count, m->invariants);
    list_named(ck, m->observables_count, m->observables);
    list_collected(ck, m->collects_count, m->collects);
    m->dimensions = list;
    m->dimensions_count = count;
}

// What was found out stays with the names, for values that are given later; the rest is left open.
static void keep_known(dim_check *ck) {
    const scope *sc = ck->el->scope;
    for (uint32_t i = 0; i < sc->count; i++) {
        entry *e = sc->entries[i];
        if (!e->measure) continue;
        for (uint32_t k = 0; k < (e->arity ? e->arity + 1 : 1); k++)
            for (int j = 0; j < 3; j++) {
                dimension known;
                dim *part = &e->measure[k].part[j];
                *part = part->any                     ? *part
                        : is_known(ck, *part, &known) ? dim_of(known)
                                                      : dim_lost();
            }
    }
}

void elab_check_values(elaborator *el, const item *first) {
    if (!el->model->dimensions || context_status(el->ctx) != HAMEL_OK) return;
    dim_check ck = {.el = el, .table = {.arena = &el->ctx->arena}};
    const statement list = {.items = (item *)first};
    dim_fit_assignments(&ck, &(instance){&list, NULL}, NULL);
    dim_free(&ck.table);
}

void elab_check_statement(elaborator *el, const statement *st, uint32_t count, collected *list) {
    if (!el->model->dimensions || context_status(el->ctx) != HAMEL_OK) return;
    // dimensions of constraints, which are asked for where a multiplier stands in what is collected
    const uint32_t constraints = el->model->constraints_count;
    dim_check ck = {.el = el,
                    .table = {.arena = &el->ctx->arena},
                    .phi = arena_array(&el->ctx->arena, dim, constraints),
                    .phi_known = arena_array(&el->ctx->arena, bool, constraints)};
    statement_rules[st->kind]->fit(&ck, &(instance){st, NULL}, NULL);
    if (!ck.failed) list_collected(&ck, count, list);
    dim_free(&ck.table);
}

void elab_check_dimensions(elaborator *el) {
    if (!el->reader->has_units || context_status(el->ctx) != HAMEL_OK) return;
    const uint32_t constraints = el->model->constraints_count;
    dim_check ck = {.el = el,
                    .table = {.arena = &el->ctx->arena},
                    .phi = arena_array(&el->ctx->arena, dim, constraints),
                    .phi_known = arena_array(&el->ctx->arena, bool, constraints)};
    uint32_t next = 0;
    for (uint32_t i = 0; i < el->instance_count && !ck.failed; i++) {
        const instance *in = &el->instances[i];
        const statement_rule *rule = statement_rules[in->statement->kind];
        if (rule->declares != ENTRY_NONE) fit_names(&ck, in, &next);
        if (rule->fit) rule->fit(&ck, in, dim_import(&ck, in->bindings));
    }
    if (ck.steps > el->ctx->limits.nodes)
        diag_warning(el->ctx, (span){0}, NULL, "the model is too large to check all of its units");
    if (!ck.failed) list_units(&ck), keep_known(&ck);
    dim_free(&ck.table);
}
