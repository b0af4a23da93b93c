// Where a typed statement may jump, bend, have a pole or end: the functions of the state whose
// zeros are such places.
#include "typed/evaluator.h"

#include <math.h>
#include <string.h>

typedef struct {
    const model *model;
    arena *arena;
    typed_break *out;
    uint32_t most, count, depth;
    const entry **seen; // definitions that were walked through
    uint32_t seen_count, seen_capacity;
    const entry **moving, **fixed; // definitions of which it is known whether they move
    uint32_t moving_count, moving_capacity, fixed_count, fixed_capacity;
} walker;

static const entry *entry_of(const walker *w, space where, const syntax *node,
                             const typed_binding *b);

// --- constants -----------------------------------------------------------------------------------

// A number made of numbers, indices and constants; NAN for anything else.
static double constant(const walker *w, const syntax *node, const typed_binding *b,
                       uint32_t depth) {
    if (depth > MOST_DEPTH) return NAN;
    const pool *p = w->model->pool;
    double v = NAN;
    switch ((syntax_kind)node->kind) {
    case SYNTAX_NUMBER: {
        fmpq_t q;
        *q = *expr_number_value(p, node->number); // a shallow view
        return fmpq_get_d(q);
    }
    case SYNTAX_NEGATE: return -constant(w, node->first, b, depth + 1);
    case SYNTAX_SUM:
        v = 0;
        for (const syntax *t = node->first; t; t = t->next)
            v += (t->join == '-' ? -1 : 1) * constant(w, t, b, depth + 1);
        return v;
    case SYNTAX_PRODUCT:
        v = 1;
        for (const syntax *f = node->first; f; f = f->next) {
            const double c = constant(w, f, b, depth + 1);
            v = f->join == '/' ? v / c : v * c;
        }
        return v;
    case SYNTAX_NAME: {
        const typed_binding *bound = node->indices ? NULL : typed_binding_find(b, node->name);
        if (bound)
            return bound->argument ? constant(w, bound->argument, bound->around, depth + 1)
                                   : (double)bound->index;
        const entry *e = entry_of(w, SPACE_VALUES, node, b);
        return e && e->kind == ENTRY_CONST && e->definition
                   ? constant(w, e->definition, NULL, depth + 1)
                   : NAN;
    }
    default: return v;
    }
}

static const entry *entry_of(const walker *w, space where, const syntax *node,
                             const typed_binding *b) {
    if (!node->indices) return scope_find(w->model->scope, where, node->name);
    int64_t index[MOST_INDICES];
    uint32_t count = 0;
    for (const syntax *i = node->indices; i && count < MOST_INDICES; i = i->next) {
        const double v = constant(w, i, b, 0);
        if (!(fabs(v) < 0x1p53)) return NULL;
        index[count++] = (int64_t)llround(v);
    }
    char name[NAME_SIZE];
    scope_format(name, node->name, count, index);
    return scope_find(w->model->scope, where, name);
}

// --- what moves ----------------------------------------------------------------------------------

static bool listed(const entry *const *list, uint32_t count, const entry *e) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == e) return true;
    return false;
}

static bool moves(walker *w, const syntax *node, const typed_binding *b);

static bool definition_moves(walker *w, const entry *e) {
    if (listed(w->moving, w->moving_count, e)) return true;
    if (listed(w->fixed, w->fixed_count, e)) return false;
    const bool moving =
        moves(w, e->definition, typed_binding_import(w->arena, w->model->pool, e->bindings));
    if (moving) {
        array_reserve(w->moving, w->moving_count, w->moving_capacity);
        w->moving[w->moving_count++] = e;
    } else {
        array_reserve(w->fixed, w->fixed_count, w->fixed_capacity);
        w->fixed[w->fixed_count++] = e;
    }
    return moving;
}

static bool name_moves(walker *w, const syntax *node, const typed_binding *b) {
    const typed_binding *bound = node->indices ? NULL : typed_binding_find(b, node->name);
    if (bound) return bound->argument && moves(w, bound->argument, bound->around);
    if (!scope_find(w->model->scope, SPACE_VALUES, node->name))
        return strcmp(node->name, "t") == 0 || strcmp(node->name, "lambda") == 0;
    const entry *e = entry_of(w, SPACE_VALUES, node, b);
    if (!e) return true;
    if (e->kind == ENTRY_COORD || e->kind == ENTRY_GIVEN || e->kind == ENTRY_INPUT) return true;
    return (e->kind == ENTRY_LET || e->kind == ENTRY_QUASI) && e->definition && !e->arity &&
           definition_moves(w, e);
}

// May the value change in time? True where that is hard to say.
static bool moves(walker *w, const syntax *node, const typed_binding *b) {
    if (node->kind == SYNTAX_NAME) return name_moves(w, node, b);
    if (w->depth > MOST_DEPTH) return true;
    if (node->kind == SYNTAX_CALL) {
        static const char *const of_bodies[] = {"pos",      "vel",     "acc",     "omega",
                                                "frame",    "velat",   "delta",   "transpose",
                                                "momentum", "inertia", "reaction"};
        for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
            if (strcmp(node->name, of_bodies[i]) == 0) return true;
        const entry *e = entry_of(w, SPACE_VALUES, node, b);
        if (e && e->kind == ENTRY_LET && e->arity && e->definition) {
            w->depth++;
            const bool moving = moves(w, e->definition,
                                      typed_binding_of_call(w->arena, w->model->pool, e, node, b));
            w->depth--;
            return moving;
        }
    }
    if (node->kind == SYNTAX_SUM_OVER || node->kind == SYNTAX_PRODUCT_OVER) {
        const typed_binding index = {.name = node->name, .outer = b};
        const syntax *body = node->first->next->next;
        // one member of a family tells for all; q[0], which may not exist, counts as moving
        return moves(w, body, &index);
    }
    bool any = false;
    w->depth++;
    for (const syntax *c = node->first; c && !any; c = c->next) any = moves(w, c, b);
    w->depth--;
    return any;
}

// --- the walk ------------------------------------------------------------------------------------

static void walk(walker *w, const syntax *node, const typed_binding *b);

static bool is_full(const walker *w) { return w->count > w->most; }

// The index of a sum lies on the stack while its body is walked: what is kept needs a copy.
static const typed_binding *keep_bindings(walker *w, const typed_binding *b) {
    if (!b) return NULL;
    typed_binding *copy = arena_new(w->arena, typed_binding);
    *copy = *b;
    copy->outer = keep_bindings(w, b->outer);
    copy->around = keep_bindings(w, b->around);
    return copy;
}

static void note(walker *w, typed_break_kind kind, const syntax *at, int how, const syntax *first,
                 const syntax *second, const typed_binding *b) {
    if (is_full(w) || (!moves(w, first, b) && !(second && moves(w, second, b)))) return;
    if (w->count < w->most) {
        typed_break *found = &w->out[w->count];
        *found = (typed_break){.kind = kind, .at = at->at, .first = first, .second = second};
        found->how = how;
        found->bindings = keep_bindings(w, b);
    }
    w->count++;
}

static void note_power(walker *w, const syntax *node, const typed_binding *b) {
    const double exponent = constant(w, node->first->next, b, 0);
    const bool whole = exponent == floor(exponent);
    if (whole && exponent >= 0) return;
    note(w, exponent < 0 ? TYPED_POLE : TYPED_EDGE, node, BREAK_PLAIN, node->first, NULL, b);
}

static void note_call(walker *w, const syntax *node, const typed_binding *b) {
    const syntax *u = node->first, *v = u ? u->next : NULL;
    const char *name = node->name;
    if (strcmp(name, "sign") == 0) note(w, TYPED_JUMP, node, BREAK_PLAIN, u, NULL, b);
    if (strcmp(name, "abs") == 0) note(w, TYPED_KINK, node, BREAK_PLAIN, u, NULL, b);
    if (strcmp(name, "norm") == 0) note(w, TYPED_KINK, node, BREAK_PLAIN, node, NULL, b);
    if (strcmp(name, "sqrt") == 0) note(w, TYPED_EDGE, node, BREAK_PLAIN, u, NULL, b);
    if (strcmp(name, "log") == 0) note(w, TYPED_POLE, node, BREAK_PLAIN, u, NULL, b);
    if (strcmp(name, "tan") == 0) note(w, TYPED_POLE, node, BREAK_COSINE, u, NULL, b);
    if (strcmp(name, "atan2") == 0) {
        note(w, TYPED_JUMP, node, BREAK_PLAIN, u, NULL, b);
        note(w, TYPED_POLE, node, BREAK_PLAIN, v, NULL, b);
    }
    if (strcmp(name, "asin") == 0 || strcmp(name, "acos") == 0) {
        note(w, TYPED_EDGE, node, BREAK_BELOW_ONE, u, NULL, b);
        note(w, TYPED_EDGE, node, BREAK_ABOVE_MINUS_ONE, u, NULL, b);
    }
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
        for (; u; u = u->next)
            for (v = u->next; v; v = v->next) note(w, TYPED_KINK, node, BREAK_DIFFERENCE, u, v, b);
}

// What a name stands for in the text; each definition is walked through once.
static void walk_definition(walker *w, const entry *e) {
    if (!e || !e->definition || e->arity ||
        (e->kind != ENTRY_LET && e->kind != ENTRY_QUASI && e->kind != ENTRY_GIVEN &&
         e->kind != ENTRY_INPUT))
        return;
    if (listed(w->seen, w->seen_count, e)) return;
    array_reserve(w->seen, w->seen_count, w->seen_capacity);
    w->seen[w->seen_count++] = e;
    walk(w, e->definition, typed_binding_import(w->arena, w->model->pool, e->bindings));
}

static void walk_body(walker *w, const syntax *name, const typed_binding *b) {
    const entry *e = name && name->kind == SYNTAX_NAME ? entry_of(w, SPACE_BODIES, name, b) : NULL;
    if (!e || listed(w->seen, w->seen_count, e)) return;
    array_reserve(w->seen, w->seen_count, w->seen_capacity);
    w->seen[w->seen_count++] = e;
    const typed_binding *around = typed_binding_import(w->arena, w->model->pool, e->bindings);
    if (entry_clause(e, "at")) walk(w, entry_clause(e, "at"), around);
    if (entry_clause(e, "rotation")) walk(w, entry_clause(e, "rotation"), around);
}

static void walk_call(walker *w, const syntax *node, const typed_binding *b) {
    const entry *e = scope_find(w->model->scope, SPACE_VALUES, node->name);
    if (e && !e->arity && e->kind != ENTRY_FAMILY && scope_is_function(node->name)) e = NULL;
    if (e) {
        e = entry_of(w, SPACE_VALUES, node, b);
        if (e && e->kind == ENTRY_LET && e->arity && e->definition)
            walk(w, e->definition,
                 typed_binding_of_call(w->arena, w->model->pool, e, node, keep_bindings(w, b)));
        return;
    }
    static const char *const of_bodies[] = {"pos",   "vel",      "acc",     "omega",   "frame",
                                            "velat", "momentum", "inertia", "reaction"};
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
        if (strcmp(node->name, of_bodies[i]) == 0) walk_body(w, node->first, b);
    note_call(w, node, b);
}

static void walk_over(walker *w, const syntax *node, const typed_binding *b) {
    const syntax *from = node->first, *to = from->next, *body = to->next;
    const double low = constant(w, from, b, 0), high = constant(w, to, b, 0);
    if (!(high - low < 1e6)) return;
    for (int64_t i = (int64_t)low; (double)i <= high && !is_full(w); i++) {
        const typed_binding index = {.name = node->name, .outer = b, .index = i};
        const uint32_t before = w->count;
        walk(w, body, &index);
        if (w->count == before && i > (int64_t)low + 16) return; // nothing breaks in the body
    }
}

static void walk(walker *w, const syntax *node, const typed_binding *b) {
    if (is_full(w) || w->depth > MOST_DEPTH) return;
    w->depth++;
    if (node->kind == SYNTAX_SUM_OVER || node->kind == SYNTAX_PRODUCT_OVER) walk_over(w, node, b);
    else {
        if (node->kind == SYNTAX_NAME && !(typed_binding_find(b, node->name) && !node->indices))
            walk_definition(w, entry_of(w, SPACE_VALUES, node, b));
        if (node->kind == SYNTAX_CALL) walk_call(w, node, b);
        if (node->kind == SYNTAX_POWER) note_power(w, node, b);
        for (const syntax *c = node->first; c; c = c->next) {
            if (node->kind == SYNTAX_PRODUCT && c->join == '/')
                note(w, TYPED_POLE, c, BREAK_PLAIN, c, NULL, b);
            walk(w, c, b);
        }
    }
    w->depth--;
}

uint32_t typed_breaks(const model *m, const typed_form *form, uint32_t most, typed_break *out) {
    walker w = {.model = m, .arena = &m->ctx->arena, .out = out, .most = most};
    const typed_binding *around = typed_binding_import(w.arena, m->pool, form->bindings);
    if (form->item && form->item->value) walk(&w, form->item->value, around);
    if (form->item && form->item->value && form->item->right) walk(&w, form->item->right, around);
    memory_free(w.seen);
    memory_free(w.moving);
    memory_free(w.fixed);
    return w.count;
}

// --- the functions at a state --------------------------------------------------------------------

static bool break_function(evaluator *ev, const typed_break *b, const level *l, jet *out) {
    jet u, v;
    if (!evaluator_scalar(ev, b->first, b->bindings, l, &u)) return false;
    const jet one = jet_rational(&ev->jets, 1, 1);
    switch (b->how) {
    case BREAK_PLAIN: *out = u; break;
    case BREAK_COSINE: *out = jet_function(&ev->jets, EXPR_COS, &u, &ev->finding); break;
    case BREAK_DIFFERENCE:
        if (!evaluator_scalar(ev, b->second, b->bindings, l, &v)) return false;
        *out = jet_sub(&ev->jets, &u, &v);
        break;
    case BREAK_BELOW_ONE: *out = jet_sub(&ev->jets, &one, &u); break;
    case BREAK_ABOVE_MINUS_ONE: *out = jet_add(&ev->jets, &one, &u); break;
    }
    return evaluator_succeeded(ev, b->at);
}

typed_finding typed_break_value(const typed_break *b, state *x, arb_t value, arb_t rate) {
    evaluator ev;
    evaluator_init(&ev, x);
    jet j;
    if (break_function(&ev, b, &ev.ground, &j)) {
        arb_set(value, j.part);
        const level *moving = level_in_time(&ev, &ev.ground, 1);
        if (rate && break_function(&ev, b, moving, &j)) {
            j = jet_coefficient(&ev.jets, &j, level_bit(moving));
            arb_set(rate, j.part);
        }
    }
    evaluator_free(&ev);
    return ev.finding;
}
