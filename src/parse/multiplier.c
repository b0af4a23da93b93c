// Multipliers by the names of their constraints: lambda[blade], reaction(contact).
#include "normal/normal.h"
#include "parse/elaborate.h"

#include <stdio.h>
#include <string.h>

bool elab_expect_multipliers(elaborator *el, span at) {
    if (!el->with_multipliers)
        diag_error(el->ctx, at, NULL,
                   "multipliers may stand only in `force`, `torque`, `claim`, `observe`, `event`, "
                   "`collect` and on the left in `initial`");
    return el->with_multipliers;
}

// The name of a constraint as it stands inside lambda[..]: blade, blade[2], contact.x, contact[2].x
static bool constraint_name(elaborator *el, const syntax *node, const binding *b,
                            char name[NAME_SIZE]) {
    const syntax *base = node->kind == SYNTAX_COMPONENT ? node->first : node;
    if (base->kind != SYNTAX_NAME || base->primes || node->next) {
        diag_error(el->ctx, node->at, NULL, "expected the name of a constraint");
        return false;
    }
    int64_t index[MOST_INDICES];
    const uint32_t count = base->indices ? elab_indices(el, base, b, index) : 0;
    if (base->indices && !count) return false;
    scope_format(name, base->name, count, index);
    if (node->kind != SYNTAX_COMPONENT) return true;
    const size_t used = strlen(name);
    snprintf(name + used, NAME_SIZE - used, ".%s", node->name);
    return true;
}

expr elab_find_multiplier(elaborator *el, const syntax *node, const binding *b) {
    const model *m = el->model;
    if (!node->indices) {
        if (m->constraints_count == 1) return m->constraints[0].multiplier;
        diag_error(el->ctx, node->at, "write `lambda[NAME]`",
                   "which multiplier? there are %u constraints", m->constraints_count);
        return EXPR_NONE;
    }
    char name[NAME_SIZE];
    if (!constraint_name(el, node->indices, b, name)) return EXPR_NONE;
    const entry *e = scope_find(el->scope, SPACE_CONSTRAINTS, name);
    if (e && e->kind == ENTRY_LABEL && e->index != UINT32_MAX)
        return m->constraints[e->index].multiplier;
    const syntax *stem =
        node->indices->kind == SYNTAX_COMPONENT ? node->indices->first : node->indices;
    if (names_get(&el->reader->suspects, stem->name) || el->reader->incomplete) return EXPR_NONE;
    if (e && e->kind == ENTRY_FAMILY)
        diag_error(el->ctx, node->indices->at, NULL,
                   "`%s` is a family with indices %s: which of its members?", name,
                   elab_family_range(el, e));
    else if (e)
        diag_error(el->ctx, node->indices->at,
                   arena_format(&el->ctx->arena,
                                "write `lambda[%s.x]`, or `reaction(%s)` for all of them", name,
                                name),
                   "constraint `%s` is a vector: one multiplier a component", name);
    else
        diag_error(el->ctx, node->indices->at,
                   scope_suggest(el->scope, el->ctx, SPACE_CONSTRAINTS, name),
                   "no constraint is called `%s`", name);
    return EXPR_NONE;
}

// --- contacts ------------------------------------------------------------------------------------

static const contact *find_contact(const elaborator *el, const char *name) {
    for (uint32_t i = 0; i < el->model->contacts_count; i++)
        if (strcmp(el->model->contacts[i].name, name) == 0) return &el->model->contacts[i];
    return NULL;
}

bool elab_contact_force(elaborator *el, const syntax *node, const binding *b, expr *out) {
    char name[NAME_SIZE];
    if (!el->model->contacts_count || !node || node->kind != SYNTAX_COMPONENT || node->next ||
        node->first->kind != SYNTAX_NAME || !constraint_name(el, node->first, b, name))
        return false;
    const contact *c = find_contact(el, name);
    const char *part = node->name;
    if (!c || part[0] == 'x' || part[0] == 'y' || part[0] == 'z') return false;
    *out = part[0] == 'n' ? c->normal_force : c->tangent_force[part[1] == '2'];
    return true;
}

// R = R_n n + sum_i R_i T_i
static value contact_reaction(elaborator *el, const contact *c) {
    pool *p = el->pool;
    vec3 force = vec3_scale(p, c->normal_force, c->normal);
    for (uint32_t i = 0; i < c->tangents; i++)
        force = vec3_add(p, force, vec3_scale(p, c->tangent_force[i], c->tangent[i]));
    return value_vector(force);
}

// --- reactions -----------------------------------------------------------------------------------

// Does the component hold identically, by the choice of coordinates? As constraint_classify() sees
// it.
static bool is_identity(elaborator *el, const constraint *c) {
    const normal_budget budget = normal_budget_default();
    return c->phi == EXPR_ZERO || normal_is_zero(el->pool, c->phi, &budget) == NORMAL_YES;
}

// Is component i wanted, as all are unless `.x` stands behind the call? It decides on a warning.
static bool is_wanted(const syntax *node, int i) {
    const source *text = node->at.source;
    const size_t end = node->at.offset + node->at.length;
    const bool one = text && end + 1 < text->length && text->bytes[end] == '.';
    return !one || text->bytes[end + 1] == "xyz"[i];
}

// A component that the coordinates satisfy has no multiplier: what keeps it is not in the model.
static void warn_of_identities(elaborator *el, const syntax *node, const char *name,
                               const bool *identity) {
    const char *names = "";
    for (int i = 0; i < 3; i++)
        if (identity[i] && is_wanted(node, i))
            names = arena_format(&el->ctx->arena, "%s%s`%s.%c`", names, *names ? ", " : "", name,
                                 "xyz"[i]);
    if (*names)
        diag_warning(el->ctx, node->at,
                     "a coordinate in this direction, which the constraint restricts, gives the "
                     "force",
                     "%s %s by the choice of coordinates: this part of reaction(%s) is 0, not the "
                     "force that keeps it",
                     names, strchr(names, ',') ? "hold" : "holds", name);
}

// Of a body that rolls the multipliers are components in the frame of the contact.
static vec3 turn_to_space(elaborator *el, const char *component, vec3 force) {
    vec3 sum = {{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};
    for (int i = 0; i < 3; i++) {
        entry *e = scope_find_direction(el->scope, component, i);
        if (!e) return force;
        if (elab_define(el, e) && e->value.type == VALUE_VECTOR)
            sum = vec3_add(el->pool, sum, vec3_scale(el->pool, force.at[i], e->value.vector));
    }
    return sum;
}

value elab_reaction(elaborator *el, const syntax *node, const binding *b) {
    char name[NAME_SIZE], component[NAME_SIZE + 2];
    const syntax *of = node->first;
    if (!elab_expect_multipliers(el, node->at) || !constraint_name(el, of, b, name))
        return value_void();
    const contact *touching = find_contact(el, name);
    if (touching && touching->has_place) return contact_reaction(el, touching);
    const entry *whole = scope_find(el->scope, SPACE_CONSTRAINTS, name);
    if (!whole || whole->kind != ENTRY_LABEL || whole->index != UINT32_MAX) {
        if (names_get(&el->reader->suspects, name) || el->reader->incomplete) return value_void();
        if (whole && whole->kind == ENTRY_LABEL)
            diag_error(el->ctx, of->at,
                       arena_format(&el->ctx->arena, "its multiplier is `lambda[%s]`", name),
                       "constraint `%s` is a scalar: `reaction` is the vector of a constraint "
                       "between vectors",
                       name);
        else
            diag_error(el->ctx, of->at, scope_suggest(el->scope, el->ctx, SPACE_CONSTRAINTS, name),
                       "no constraint is called `%s`", name);
        return value_void();
    }
    vec3 force = {{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};
    bool identity[3];
    for (int i = 0; i < 3; i++) {
        snprintf(component, sizeof component, "%s.%c", name, "xyz"[i]);
        const entry *e = scope_find(el->scope, SPACE_CONSTRAINTS, component);
        if (!e || e->index >= el->model->constraints_count) return value_void(); // reported there
        const constraint *c = &el->model->constraints[e->index];
        identity[i] = is_identity(el, c);
        if (!identity[i]) force.at[i] = c->multiplier;
    }
    warn_of_identities(el, node, whole->name, identity);
    return value_vector(turn_to_space(el, component, force));
}
