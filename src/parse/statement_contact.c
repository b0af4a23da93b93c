// The statement contact: a gap that stays open or closed, with friction and impacts.
//
//   contact floor: gap z - r, at ball (x, y, 0), normal (0, 0, 1), friction 0.3, restitution 0.5
//
// A model is read in one mode of each contact (`--set mode[floor]=sliding`; free unless stated),
// and is an ordinary system in it. With u the velocity of the body at the place of contact relative
// to the surface, n the normal and T1, T2 the directions across it, the statement stands for
//
//   free      nothing
//   sliding   constraint floor.n: gap = 0,    force on ball = -mu*lambda[floor.n]*u/|u| at the place
//   sticking  constraint floor.n: gap = 0,    constraint floor.t: dot(T, u) = 0 for each T
//
// which are read as if they had been typed. What is true in which mode, and which one follows, is
// computed from the same model (simulate/contact_law.h).
#include "model/modes.h"
#include "normal/normal.h"
#include "parse/statement.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// --- reading -------------------------------------------------------------------------------------

static const char *const clauses[] = {"gap",         "at",     "normal",  "friction",
                                      "restitution", "moving", "against", "tangent"};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

static int clause_ahead(const parser *ps) {
    for (int i = 0; i < CLAUSES; i++)
        if (parser_sees_word(ps, clauses[i])) return i;
    return -1;
}

// An expression, and the text that it was read from
static const syntax *parse_quoted(parser *ps, const char **text) {
    const span from = ps->token.at;
    const syntax *node = parse_expression(ps);
    const span all = parser_span(ps, from);
    if (node) *text = arena_copy(&ps->ctx->arena, all.source->bytes + all.offset, all.length);
    return node;
}

static void parse_clause(parser *ps, statement *st, const char *word) {
    for (const item *other = st->items; other; other = other->next)
        if (strcmp(other->word, word) == 0) {
            parser_fail(ps, ps->token.at, NULL, "`%s` is given twice", word);
            return;
        }
    item *it = parse_item(ps, st);
    it->word = word;
    parser_advance(ps);
    const bool names_body = strcmp(word, "at") == 0 || strcmp(word, "against") == 0;
    if (names_body) {
        const span from = ps->token.at;
        it->target = parse_label(ps, "the name of a body or point");
        if (!it->target) return;
        const span all = parser_span(ps, from);
        it->text = arena_copy(&ps->ctx->arena, all.source->bytes + all.offset, all.length);
        if (word[1] == 'g' || parser_ends_statement(ps) || parser_sees(ps, ',')) return;
        item *place = parse_item(ps, st);
        place->word = "place";
        place->value = parse_quoted(ps, &place->text);
        return;
    }
    it->value = parse_quoted(ps, &it->text);
    if (strcmp(word, "friction") != 0 || !parser_sees(ps, ',')) return;
    lexer ahead = ps->lexer; // is it a second coefficient, or the next clause?
    ahead.quiet = true;
    const token next = lexer_next(&ahead);
    for (int i = 0; next.kind == TOKEN_NAME && i < CLAUSES; i++)
        if (strcmp(next.name, clauses[i]) == 0) return;
    parser_advance(ps);
    item *kinetic = parse_item(ps, st);
    kinetic->word = "kinetic";
    kinetic->value = parse_quoted(ps, &kinetic->text);
}

// contact = "contact" label ":" clause { "," clause }
// clause  = "gap" E | "at" NAME [V] | "normal" V | "friction" E [ "," E ] | "restitution" E
//         | "moving" V | "against" NAME | "tangent" V
static void parse_contact(parser *ps, statement *st) {
    const span from = ps->token.at;
    st->name = parse_label(ps, "the name of the contact");
    if (!st->name) return;
    const span label = parser_span(ps, from);
    st->identifier = arena_copy(&ps->ctx->arena, label.source->bytes + label.offset, label.length);
    if (!parser_expect(ps, ':', "`:`")) return;
    do {
        const int which = clause_ahead(ps);
        if (which < 0) {
            parser_unexpected(ps, "`gap`, `at`, `normal`, `friction`, `restitution`, `moving`, "
                                  "`against` or `tangent`");
            return;
        }
        parse_clause(ps, st, clauses[which]);
    } while (!ps->failed && parser_accept(ps, ','));
    if (!ps->failed && (!st->items || strcmp(st->items->word, "gap") != 0))
        parser_fail(ps, st->name->at, "write `contact floor: gap z - r, ..`",
                    "a contact begins with its `gap`");
}

static const item *clause_of(const statement *st, const char *word) {
    const item *it = st->items;
    while (it && strcmp(it->word, word) != 0) it = it->next;
    return it;
}

// --- the mode ------------------------------------------------------------------------------------

bool elab_sets_mode(const char *name) { return strncmp(name, "mode[", 5) == 0; }

static bool sets_mode_of(const char *override, const char *contact) {
    const size_t length = strlen(contact);
    return elab_sets_mode(override) && strncmp(override + 5, contact, length) == 0 &&
           strcmp(override + 5 + length, "]") == 0;
}

// "sliding+" and "rolling" are other words for two of them.
static contact_mode read_mode(elaborator *el, const char *contact, const char *word) {
    while (*word == ' ') word++;
    if (strcmp(word, "sliding+") == 0) return MODE_SLIDING;
    if (strcmp(word, "rolling") == 0) return MODE_STICKING;
    for (int i = 0; i < MODE_COUNT; i++)
        if (strcmp(word, contact_mode_name((contact_mode)i)) == 0) return (contact_mode)i;
    diag_error(el->ctx, (span){0}, "it is free, sliding, sliding- or sticking",
               "--set mode[%s]: there is no mode `%s`", contact, word);
    return MODE_FREE;
}

static void find_mode(elaborator *el, contact *c) {
    for (uint32_t i = 0; i < el->override_count; i++)
        if (sets_mode_of(el->override[i].name, c->name)) {
            c->mode = read_mode(el, c->name, el->override[i].value);
            c->mode_is_stated = true;
        }
}

// In a mode that is stated the initial values need not fit: they are where solving starts.
static void loosen_initial(model *m) {
    bool closed = false;
    for (uint32_t i = 0; i < m->contacts_count; i++)
        closed |= m->contacts[i].mode_is_stated && m->contacts[i].mode != MODE_FREE;
    for (uint32_t i = 0; i < m->initial_count && closed; i++) list_push(m, guesses, m->initial[i]);
    if (closed) m->initial_count = 0;
}

void elab_check_modes(elaborator *el) {
    model *m = el->model;
    loosen_initial(m);
    for (uint32_t i = 0; i < el->override_count; i++) {
        const char *name = el->override[i].name;
        bool found = !elab_sets_mode(name) || el->ctx->error_count;
        for (uint32_t k = 0; k < m->contacts_count && !found; k++)
            found = sets_mode_of(name, m->contacts[k].name);
        if (!found)
            diag_error(el->ctx, (span){0},
                       m->contacts_count
                           ? arena_format(&el->ctx->arena, "there is `%s`", m->contacts[0].name)
                           : "the model has no `contact`",
                       "--set %s: no contact has this name", name);
    }
}

// --- texts that the statement stands for ---------------------------------------------------------

typedef struct {
    elaborator *el;
    const instance *in;
    const statement *st;
    contact *c;
    const char *body, *place, *normal,
        *surface;                      // as texts; surface: what moves there, "" or " - V"
    const char *tangent[2], *velocity; // velocity: u
} work;

static char *format(const work *w, const char *words, ...) __attribute__((format(printf, 2, 3)));
static char *format(const work *w, const char *words, ...) {
    va_list arguments, again;
    va_start(arguments, words);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, words, again);
    char *made = arena_alloc(&w->el->ctx->arena, (size_t)length + 1);
    vsnprintf(made, (size_t)length + 1, words, arguments);
    va_end(again);
    va_end(arguments);
    return made;
}

static parser parser_of(const work *w, const char *text, bool value_only) {
    source *made = arena_new(&w->el->ctx->arena, source);
    *made = (source){
        .name = format(w, "contact %s", w->st->identifier), .bytes = text, .length = strlen(text)};
    parser ps;
    parser_init(&ps, w->el->reader, made, value_only);
    return ps;
}

static bool scalar_of(const work *w, const char *text, expr *out) {
    parser ps = parser_of(w, text, true);
    const syntax *node = parse_expression(&ps);
    return node && !ps.failed && elab_scalar(w->el, node, w->in->bindings, out);
}

static bool vector_of(const work *w, const char *text, vec3 *out) {
    parser ps = parser_of(w, text, true);
    const syntax *node = parse_expression(&ps);
    return node && !ps.failed && elab_vector(w->el, node, w->in->bindings, out);
}

// One statement, as if it stood in the model at the place of the contact
static const statement *statement_of(const work *w, const char *suffix, const char *text) {
    parser ps = parser_of(w, text, false);
    uint32_t count = 0;
    statement *made = parse_statements(&ps, false, &count);
    if (made) made->suffix = suffix;
    return made;
}

// Read at once; its multiplier, EXPR_ZERO where something is wrong or it holds by itself
static expr add_constraint(const work *w, const char *suffix, const char *text) {
    const statement *made = statement_of(w, suffix, text);
    const uint32_t before = w->el->model->constraints_count;
    if (made)
        statement_rules[STATEMENT_CONSTRAINT]->read(w->el, &(instance){made, w->in->bindings});
    if (w->el->model->constraints_count == before) return EXPR_ZERO;
    constraint *added = &w->el->model->constraints[before];
    added->of_contact = true;
    return added->status == CONSTRAINT_ACTIVE ? added->multiplier : EXPR_ZERO;
}

// To be read with the other forces
static void add_force(const work *w, const char *text) {
    elaborator *el = w->el;
    const statement *made = statement_of(w, NULL, text);
    if (!made) return;
    array_reserve(el->instances, el->instance_count, el->instance_capacity);
    el->instances[el->instance_count++] = (instance){made, w->in->bindings};
}

// --- directions ----------------------------------------------------------------------------------

static const char *const axis_text[3] = {"(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"};

static bool is_zero(const work *w, expr e) {
    const normal_budget budget = normal_budget_default();
    return e == EXPR_ZERO || normal_simplify(w->el->pool, e, &budget) == EXPR_ZERO;
}

// The normal made a unit vector, unless it is one
static bool find_normal(work *w) {
    contact *c = w->c;
    pool *p = w->el->pool;
    if (!vector_of(w, w->normal, &c->normal)) return false;
    const normal_budget budget = normal_budget_default();
    const expr square = normal_simplify(p, vec3_dot(p, c->normal, c->normal), &budget);
    if (square == EXPR_ZERO) {
        diag_error(w->el->ctx, clause_of(w->st, "normal")->at, NULL,
                   "the normal of contact `%s` is 0", c->name);
        return false;
    }
    if (square == EXPR_ONE) return true;
    w->normal = format(w, "((%s)/norm(%s))", w->normal, w->normal);
    return vector_of(w, w->normal, &c->normal);
}

// A plane problem: the velocity has no component along an axis that the normal has none along
// either. Then it slides along axis x normal only.
static bool find_plane(work *w, vec3 velocity) {
    contact *c = w->c;
    for (int k = 2; k >= 0; k--) {
        if (!is_zero(w, c->normal.at[k]) || !is_zero(w, velocity.at[k])) continue;
        w->tangent[0] = format(w, "cross(%s, %s)", axis_text[k], w->normal);
        vec3 t;
        if (!vector_of(w, w->tangent[0], &t)) return false;
        for (int i = 0; i < 3; i++) // along the axes x, y, z, not against them
            if (t.at[i] == EXPR_MINUS_ONE)
                w->tangent[0] = format(w, "cross(%s, %s)", w->normal, axis_text[k]);
        c->tangents = 1;
        return true;
    }
    return false;
}

// T1 = axis x normal, T2 = normal x T1, for an axis that is not along the normal: one that the
// normal has no component along, if there is one
static void find_two(work *w) {
    contact *c = w->c;
    int axis = -1, zeros = 0;
    for (int k = 0; k < 3; k++)
        if (is_zero(w, c->normal.at[k])) axis = axis < 0 ? k : axis, zeros++;
    c->tangents = 2;
    if (zeros == 2) { // along an axis: the other two
        const int first = axis, second = is_zero(w, c->normal.at[1]) && first != 1 ? 1 : 2;
        w->tangent[0] = axis_text[first], w->tangent[1] = axis_text[second];
        return;
    }
    const char *t = format(w, "cross(%s, %s)", axis_text[axis < 0 ? 0 : axis], w->normal);
    w->tangent[0] = axis < 0 ? format(w, "(%s/norm(%s))", t, t) : t;
    w->tangent[1] = format(w, "cross(%s, %s)", w->normal, w->tangent[0]);
}

static bool find_tangents(work *w, vec3 velocity) {
    contact *c = w->c;
    const item *stated = clause_of(w->st, "tangent");
    if (stated)
        w->tangent[0] = format(w, "(%s)/norm(%s)", stated->text, stated->text), c->tangents = 1;
    else if (!find_plane(w, velocity)) find_two(w);
    bool good = true;
    for (uint32_t i = 0; i < c->tangents && good; i++)
        good = vector_of(w, w->tangent[i], &c->tangent[i]) &&
               scalar_of(w, format(w, "dot(%s, %s)", w->tangent[i], w->velocity), &c->slip[i]);
    return good;
}

// The body, where it touches, and how fast it moves there relative to the surface
static bool find_place(work *w) {
    const item *at = clause_of(w->st, "at"), *place = clause_of(w->st, "place"),
               *normal = clause_of(w->st, "normal"), *moving = clause_of(w->st, "moving"),
               *against = clause_of(w->st, "against");
    if (!at) return true;
    if (!normal) {
        diag_error(w->el->ctx, at->at, "add `normal (0, 0, 1)`",
                   "contact `%s` says where it is, and not which way its normal points",
                   w->c->name);
        return false;
    }
    const entry *e = elab_find_body(w->el, at->target, w->in->bindings);
    if (!e) return false;
    w->body = at->text;
    const bool is_body = e->kind == ENTRY_BODY;
    w->place = place ? format(w, "(%s)", place->text) : format(w, "pos(%s)", w->body);
    w->surface = against  ? format(w, " - velat(%s, %s)", against->text, w->place)
                 : moving ? format(w, " - (%s)", moving->text)
                          : "";
    w->velocity = is_body ? format(w, "(velat(%s, %s)%s)", w->body, w->place, w->surface)
                          : format(w, "(vel(%s)%s)", w->body, w->surface);
    w->normal = format(w, "(%s)", normal->text);
    vec3 u;
    if (!vector_of(w, w->place, &w->c->place) || !vector_of(w, w->velocity, &u) || !find_normal(w))
        return false;
    w->c->has_place = true;
    w->c->normal_speed = vec3_dot(w->el->pool, w->c->normal, u);
    return w->c->static_friction == EXPR_ZERO && w->c->friction == EXPR_ZERO ? true
                                                                             : find_tangents(w, u);
}

static bool find_numbers(work *w) {
    contact *c = w->c;
    const item *friction = clause_of(w->st, "friction"), *kinetic = clause_of(w->st, "kinetic"),
               *restitution = clause_of(w->st, "restitution");
    const binding *b = w->in->bindings;
    bool good = !friction || elab_scalar(w->el, friction->value, b, &c->static_friction);
    c->friction = c->static_friction;
    good = good && (!kinetic || elab_scalar(w->el, kinetic->value, b, &c->friction));
    good = good && (!restitution || elab_scalar(w->el, restitution->value, b, &c->restitution));
    if (good && friction && c->static_friction != EXPR_ZERO && !clause_of(w->st, "at")) {
        diag_error(w->el->ctx, friction->at, "add `at BODY (x, y, z), normal (0, 0, 1)`",
                   "contact `%s` has friction, and does not say where it acts", c->name);
        return false;
    }
    return good;
}

// --- what it is in each mode ---------------------------------------------------------------------

// Friction opposes the slip: F = -mu lambda_n d, d = T or -T along a line, u/|u| otherwise.
static void add_friction(const work *w) {
    contact *c = w->c;
    pool *p = w->el->pool;
    if (!c->tangents) return;
    const item *kinetic = clause_of(w->st, "kinetic"), *friction = clause_of(w->st, "friction");
    const char *along =
        c->tangents == 1
            ? format(w, "%s%s", c->mode == MODE_SLIDING_BACK ? "-" : "", w->tangent[0])
            : format(w, "(dot(%s, %s)*%s + dot(%s, %s)*%s)/sqrt(dot(%s, %s)^2 + dot(%s, %s)^2)",
                     w->tangent[0], w->velocity, w->tangent[0], w->tangent[1], w->velocity,
                     w->tangent[1], w->tangent[0], w->velocity, w->tangent[1], w->velocity);
    const char *force = format(w, "-(%s)*lambda[%s.n]*(%s)", (kinetic ? kinetic : friction)->text,
                               w->st->identifier, along);
    const item *against = clause_of(w->st, "against");
    const entry *e = elab_find_body(w->el, clause_of(w->st, "at")->target, w->in->bindings);
    add_force(w, format(w, "force on %s = %s\n", w->body, force));
    if (e && e->kind == ENTRY_BODY)
        add_force(w, format(w, "torque on %s = cross(%s - pos(%s), %s)\n", w->body, w->place,
                            w->body, force));
    if (against) {
        add_force(w, format(w, "force on %s = -(%s)\n", against->text, force));
        add_force(w, format(w, "torque on %s = cross(%s - pos(%s), -(%s))\n", against->text,
                            w->place, against->text, force));
    }
    const expr limit = expr_neg(p, expr_mul(p, c->friction, c->normal_force)); // -mu lambda_n
    if (c->tangents == 1)
        c->tangent_force[0] = c->mode == MODE_SLIDING_BACK ? expr_neg(p, limit) : limit;
    const expr speed = expr_sqrt(p, expr_dot(p, 2, c->slip, c->slip));
    for (uint32_t i = 0; i < 2 && c->tangents == 2; i++)
        c->tangent_force[i] = expr_mul(p, limit, expr_div(p, c->slip[i], speed));
}

static void add_mode(const work *w) {
    contact *c = w->c;
    if (c->mode == MODE_FREE) return;
    c->normal_force = add_constraint(
        w, "n",
        format(w, "constraint %s: %s = 0\n", w->st->identifier, clause_of(w->st, "gap")->text));
    if (c->mode != MODE_STICKING) {
        add_friction(w);
        return;
    }
    static const char *const suffix[] = {"t", "t1", "t2"};
    for (uint32_t i = 0; i < c->tangents; i++)
        c->tangent_force[i] = add_constraint(w, suffix[c->tangents == 1 ? 0 : 1 + i],
                                             format(w, "constraint %s: dot(%s, %s) = 0\n",
                                                    w->st->identifier, w->tangent[i], w->velocity));
}

// --- where a mode ends ---------------------------------------------------------------------------

static uint32_t add_event(const work *w, const char *what, expr value, int direction) {
    model *m = w->el->model;
    list_push(m, events,
              ((event){.name = format(w, "%s.%s", w->c->name, what),
                       .value = value,
                       .direction = direction,
                       .at = w->st->whole}));
    return m->events_count - 1;
}

// |R_t|^2 - mu^2 R_n^2, or slip^2
static expr sum_of_squares(pool *p, uint32_t count, const expr *e) {
    return count == 1 ? expr_square(p, e[0]) : expr_dot(p, count, e, e);
}

static void add_ends(const work *w) {
    contact *c = w->c;
    pool *p = w->el->pool;
    c->lands = c->lifts = c->slips = c->sticks = UINT32_MAX;
    if (c->mode == MODE_FREE) {
        c->lands = add_event(w, "lands", c->gap, -1);
        return;
    }
    c->lifts = add_event(w, "lifts", c->normal_force, -1);
    if (!c->tangents) return;
    if (c->mode == MODE_STICKING)
        c->slips =
            add_event(w, "slips",
                      expr_sub(p, sum_of_squares(p, c->tangents, c->tangent_force),
                               expr_square(p, expr_mul(p, c->static_friction, c->normal_force))),
                      +1);
    else if (c->tangents == 1)
        c->sticks = add_event(w, "sticks", c->slip[0], c->mode == MODE_SLIDING ? -1 : +1);
    else
        c->sticks =
            add_event(w, "sticks", expr_sub(p, sum_of_squares(p, 2, c->slip), c->still), -1);
}

static void add_still(work *w) {
    w->c->still = expr_symbol(w->el->pool, format(w, "still[%s]", w->c->name), ROLE_PARAMETER);
    list_push(w->el->model, parameters,
              ((parameter){.symbol = w->c->still, .value = EXPR_ZERO, .at = w->st->at}));
}

static void read_contact(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    contact c = {.at = st->whole, .static_friction = EXPR_ZERO, .friction = EXPR_ZERO};
    c.name = elab_label(el, st->name, in->bindings, NULL);
    if (!c.name) return;
    work w = {.el = el, .in = in, .st = st, .c = &c};
    const item *gap = clause_of(st, "gap");
    if (!elab_scalar(el, gap->value, in->bindings, &c.gap) ||
        !elab_expect_order(el, c.gap, gap->value->at, 0, "the gap of a contact"))
        return;
    if (expr_order(el->pool, c.gap) < 0) {
        diag_error(el->ctx, gap->value->at, "let the coordinates leave room for it to open",
                   "no coordinate is in the gap of contact `%s`: it never opens", c.name);
        return;
    }
    if (!find_numbers(&w) || !find_place(&w)) return;
    find_mode(el, &c);
    if (c.tangents == 2) add_still(&w);
    add_mode(&w);
    add_ends(&w);
    list_push(el->model, contacts, c);
}

const statement_rule statement_contact = {
    .word = "contact",
    .syntax = "contact NAME: gap E, at NAME V, normal V, friction E, restitution E",
    .about = "a gap that cannot close further, with friction and impacts",
    .parse = parse_contact,
    .read = read_contact,
    .phase = PHASE_CONSTRAINTS,
};
