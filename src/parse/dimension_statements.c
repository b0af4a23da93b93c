// What must agree in each statement: energies are energies, the sides of an equation are alike.
#include "parse/dimension_check.h"
#include "parse/statement.h"
#include "parse/sweep_parts.h"

#include <string.h>

static dim energy(int time) { return dim_of(dimension_make(2, 1, -2 + time)); }
static dim length(int time) { return dim_of(dimension_make(1, 0, time)); }

// Term by term, so that the one that does not fit is found
static void expect(dim_check *ck, const syntax *node, const dim_binding *b, dim wanted,
                   const char *words) {
    if (!node || ck->failed) return;
    if (node->kind == SYNTAX_SUM || node->kind == SYNTAX_NEGATE)
        for (const syntax *t = node->first; t; t = t->next) expect(ck, t, b, wanted, words);
    else dim_expect(ck, node, dim_walk(ck, node, b), wanted, words);
}

// A value that is given to something: numbers alone are in SI units, and fit
static void expect_value(dim_check *ck, const syntax *node, const dim_binding *b, measure wanted,
                         const char *words) {
    if (!node) return;
    const measure q = dim_walk(ck, node, b);
    if (!q.plain && wanted.type == VALUE_SCALAR) dim_expect(ck, node, q, wanted.part[0], words);
}

// --- declarations --------------------------------------------------------------------------------

static void fit_point(dim_check *ck, const entry *e, const dim_binding *b) {
    const syntax *inertia = entry_clause(e, "inertia"), *turn = entry_clause(e, "rotation");
    expect(ck, entry_clause(e, "mass"), b, dim_of(dimension_make(0, 1, 0)), "a mass");
    expect(ck, entry_clause(e, "at"), b, length(0), "a place");
    const bool six = inertia && inertia->kind == SYNTAX_TUPLE && inertia->count == 6;
    for (const syntax *i = six ? inertia->first : inertia; i; i = six ? i->next : NULL)
        expect(ck, i, b, dim_of(dimension_make(2, 1, 0)), "a moment of inertia");
    if (turn) dim_walk(ck, turn, b);
}

void dim_fit_entry(dim_check *ck, entry *e) {
    const dim_binding *b = dim_import(ck, e->bindings);
    if (e->kind == ENTRY_POINT || e->kind == ENTRY_BODY) {
        fit_point(ck, e, b);
        return;
    }
    if (e->arity || e->kind == ENTRY_CONST) return;
    const measure own = *dim_entry(ck, e);
    const char *words = arena_format(ck->table.arena, "`%s`", e->name);
    if (e->kind == ENTRY_LET || e->kind == ENTRY_QUASI) {
        if (e->unit) dim_expect(ck, e->definition, own, dim_of(e->unit->dimension), words);
    } else {
        expect_value(ck, e->definition, b, own, words);
    }
}

// --- energies and forces -------------------------------------------------------------------------

void dim_fit_energy(dim_check *ck, const instance *in, const dim_binding *b) {
    static const char *const words[] = {[STATEMENT_KINETIC] = "a kinetic energy",
                                        [STATEMENT_POTENTIAL] = "a potential energy",
                                        [STATEMENT_LAGRANGIAN] = "a Lagrangian"};
    expect(ck, in->statement->items->value, b, energy(0), words[in->statement->kind]);
}

// D with the forces -dD/dq': a force times a velocity
void dim_fit_power(dim_check *ck, const instance *in, const dim_binding *b) {
    expect(ck, in->statement->items->value, b, energy(-1), "a dissipation function");
}

void dim_fit_gravity(dim_check *ck, const instance *in, const dim_binding *b) {
    expect(ck, in->statement->items->value, b, length(-2), "gravity");
}

// force on P = V; force x = E, whose work E*x is an energy
void dim_fit_force(dim_check *ck, const instance *in, const dim_binding *b) {
    const item *it = in->statement->items;
    dim wanted = dim_of(dimension_make(1, 1, -2));
    if (!in->statement->flag) {
        const measure x = dim_walk(ck, it->target, b);
        if (x.type != VALUE_SCALAR) return;
        wanted = dim_times(&ck->table, energy(0), x.part[0], -DIMENSION_WHOLE);
    }
    expect(ck, it->value, b, wanted,
           in->statement->flag
               ? "a force"
               : arena_format(ck->table.arena, "the force on `%s`", it->target->name));
}

void dim_fit_torque(dim_check *ck, const instance *in, const dim_binding *b) {
    expect(ck, in->statement->items->value, b, energy(0), "a torque");
}

// --- equations and what is looked at -------------------------------------------------------------

static void fit_sides(dim_check *ck, const item *it, const dim_binding *b) {
    const measure left = dim_walk(ck, it->value, b), right = dim_walk(ck, it->right, b);
    dim_expect_same(ck, it->right, right, it->value, left, "the two sides");
}

void dim_fit_equation(dim_check *ck, const instance *in, const dim_binding *b) {
    fit_sides(ck, in->statement->items, b);
}

// The directions of a servo: lambda*E*x is an energy for each of its coordinates
void dim_fit_constraint(dim_check *ck, const instance *in, const dim_binding *b) {
    const item *first = in->statement->items->next;
    fit_sides(ck, in->statement->items, b);
    for (const item *by = first ? first->next : NULL; by && !ck->failed; by = by->next) {
        const measure work = dim_along(ck, first, b), x = dim_walk(ck, by->target, b);
        const measure own = dim_walk(ck, by->value, b);
        const char *words =
            arena_format(ck->table.arena, "the direction along `%s`, beside that along `%s`,",
                         by->target->name, first->target->name);
        if (work.type == VALUE_SCALAR && x.type == VALUE_SCALAR)
            dim_expect(ck, by->value, own,
                       dim_times(&ck->table, work.part[0], x.part[0], -DIMENSION_WHOLE), words);
        else
            dim_expect_same(ck, by->value, dim_along(ck, by, b), first->value, work,
                            "directions times their coordinates");
    }
}

void dim_fit_contact(dim_check *ck, const instance *in, const dim_binding *b) {
    static const struct {
        const char *word, *words;
        int length, time;
    } clauses[] = {{"gap", "a gap", 1, 0},          {"place", "a place", 1, 0},
                   {"moving", "a velocity", 1, -1}, {"friction", "friction", 0, 0},
                   {"kinetic", "friction", 0, 0},   {"restitution", "restitution", 0, 0}};
    for (const item *it = in->statement->items; it && !ck->failed; it = it->next) {
        size_t i = 0;
        while (i < sizeof clauses / sizeof *clauses && strcmp(clauses[i].word, it->word) != 0) i++;
        if (i < sizeof clauses / sizeof *clauses)
            expect(ck, it->value, b, dim_of(dimension_make(clauses[i].length, 0, clauses[i].time)),
                   clauses[i].words);
        else if (it->value) dim_walk(ck, it->value, b);
    }
}

void dim_fit_claim(dim_check *ck, const instance *in, const dim_binding *b) {
    ck->other_mechanics = in->statement->identifier;
    for (const item *it = in->statement->items; it && !ck->failed; it = it->next) {
        if (it->value && it->right) fit_sides(ck, it, b);
        if (it->target && it->value && it->word && strcmp(it->word, "solution") == 0)
            expect_value(ck, it->value, b, dim_walk(ck, it->target, b),
                         arena_format(ck->table.arena, "`%s`", it->target->name));
    }
    ck->other_mechanics = false;
}

void dim_fit_event(dim_check *ck, const instance *in, const dim_binding *b) {
    dim_walk(ck, in->statement->items->value, b);
}

static void fit_named_item(dim_check *ck, const item *it, const dim_binding *b) {
    const unit *u = it->target->unit ? it->unit : NULL;
    const bool scaled = u && !unit_is_coherent(u) && it->value->kind == SYNTAX_PRODUCT;
    const syntax *stated = scaled ? it->value->first : it->value;
    const measure q = dim_walk(ck, stated, b);
    if (u)
        dim_expect(ck, stated, q, dim_of(u->dimension),
                   arena_format(ck->table.arena, "`%s`", it->target->name));
}

// invariant, observe: with a unit, of its dimension
void dim_fit_named(dim_check *ck, const instance *in, const dim_binding *b) {
    for (const item *it = in->statement->items; it && !ck->failed; it = it->next)
        fit_named_item(ck, it, b);
}

void dim_fit_operands(dim_check *ck, const instance *in, const dim_binding *b) {
    for (const item *it = in->statement->items; it; it = it->next)
        if (it->value) dim_walk(ck, it->value, b);
}

// --- motions -------------------------------------------------------------------------------------

// initial x = E, guess x = E; the multipliers of `initial` are those of vakonomic motions, where
// L + lambda*Phi is an energy
void dim_fit_assignments(dim_check *ck, const instance *in, const dim_binding *b) {
    for (const item *it = in->statement->items; it && !ck->failed; it = it->next) {
        ck->other_mechanics = true;
        const measure x = dim_walk(ck, it->target, b);
        ck->other_mechanics = false;
        expect_value(ck, it->value, b, x,
                     arena_format(ck->table.arena, "`%.*s`", (int)it->target->at.length,
                                  it->target->at.source->bytes + it->target->at.offset));
    }
}

// when NAME: E { x' = E, .. }; every E { u = E, .. }
void dim_fit_reset(dim_check *ck, const instance *in, const dim_binding *b) {
    const item *first = in->statement->items;
    const measure time = dim_scalar(dim_of(dimension_make(0, 0, 1)));
    if (in->statement->kind == STATEMENT_EVERY) expect_value(ck, first->value, b, time, "a time");
    else dim_walk(ck, first->value, b);
    statement rest = *in->statement;
    rest.items = first->next;
    dim_fit_assignments(ck, &(instance){&rest, in->bindings}, b);
}

// sweep x = E .. E count E, x in {E, ..}, x in normal(E, E), ..: all values are of its dimension
void dim_fit_sweep(dim_check *ck, const instance *in, const dim_binding *b) {
    for (const item *it = in->statement->items; it && !ck->failed; it = it->next) {
        if (!it->target || !it->value) continue; // a count, columns of a file
        const measure x = dim_walk(ck, it->target, b);
        const char *words = arena_format(ck->table.arena, "`%.*s`", (int)it->target->at.length,
                                         it->target->at.source->bytes + it->target->at.offset);
        const bool list = it->value->kind == SYNTAX_TUPLE;
        for (const syntax *v = list ? it->value->first : it->value; v; v = list ? v->next : NULL)
            expect_value(ck, v, b, x, words);
        expect_value(ck, it->right, b, x, words);
    }
}

void dim_fit_collect(dim_check *ck, const instance *in, const dim_binding *b) {
    ck->with_observed = true;
    for (const item *it = in->statement->items; it && !ck->failed; it = it->next)
        if (!elab_is_of_event(it)) fit_named_item(ck, it, b);
    ck->with_observed = false;
}

void dim_fit_simulate(dim_check *ck, const instance *in, const dim_binding *b) {
    const measure time = dim_scalar(dim_of(dimension_make(0, 0, 1)));
    for (const item *it = in->statement->items; it && !ck->failed; it = it->next) {
        const bool tolerance = strcmp(it->word, "tol") == 0;
        expect_value(ck, it->value, b, tolerance ? dim_scalar(dim_none()) : time,
                     tolerance ? "a tolerance" : "a time");
        expect_value(ck, it->right, b, time, "a time");
    }
}

// Places and sizes of a picture are lengths; plain numbers in it are metres.
static void expect_drawn(dim_check *ck, const syntax *node, const dim_binding *b) {
    const measure wanted = dim_scalar(length(0));
    if (node->kind == SYNTAX_TUPLE) {
        for (const syntax *c = node->first; c && !ck->failed; c = c->next)
            expect_value(ck, c, b, wanted, "what is drawn");
    } else {
        expect_value(ck, node, b, wanted, "what is drawn");
    }
}

// draw: the normal of a disk is of any dimension
void dim_fit_draw(dim_check *ck, const instance *in, const dim_binding *b) {
    const statement *st = in->statement;
    const bool curve = strcmp(st->identifier, "curve") == 0,
               disk = strcmp(st->identifier, "disk") == 0;
    dim_binding along = {curve ? st->name->name : "", dim_void(), b};
    if (curve) {
        const item *range = st->items->next;
        along.value = dim_walk(ck, range->value, b);
        const measure end = dim_walk(ck, range->right, b);
        dim_expect_same(ck, range->right, end, range->value, along.value, "the ends of a range");
        if (along.value.type == VALUE_SCALAR && along.value.part[0].any) along.value = end;
        along.value.plain &= end.plain;
        along.value.is_number = false;
        expect_drawn(ck, st->items->value, &along);
        return;
    }
    int place = 0;
    for (const item *it = st->items; it && !ck->failed; it = it->next, place++) {
        if (disk && place == 1) dim_walk(ck, it->value, b);
        else expect_drawn(ck, it->value, b);
    }
}
