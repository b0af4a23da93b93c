// Transpositional relations: sum_j (W^-1 E(L))_ij delta(q_j), then with delta q = B delta(y) and
// the motion on the constraints.
#include "print/transposition.h"

#include "derive/manifold.h"
#include "normal/normal.h"
#include "print/modes_json.h"

static expr simplified(pool *p, expr e) {
    const normal_budget budget = normal_budget_default();
    return normal_simplify(p, e, &budget);
}

// e with q', q'' on the constraints
static expr on_constraints(const manifold *m, expr e) {
    const mechanics *s = m->system;
    return manifold_star(m, expr_replace(s->pool, e, s->n, s->qdd, m->v.acceleration));
}

transposition transposition_create(const formalism *form, const equations *eq) {
    mechanics *s = arena_new(&eq->system->model->ctx->arena, mechanics);
    *s = mechanics_without_quasi(eq->system);
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const uint32_t n = s->n;
    expr *delta = arena_array(a, expr, n), *allowed = arena_array(a, expr, n);
    expr *unreduced = arena_array(a, expr, n), *reduced = arena_array(a, expr, n),
         *chetaev = arena_array(a, expr, s->k);
    for (uint32_t i = 0; i < n; i++)
        delta[i] = expr_symbol(p, expr_symbol_name(p, s->q[i]), ROLE_VARIATION);
    for (uint32_t i = 0; i < n; i++) {
        allowed[i] = EXPR_ZERO;
        for (uint32_t j = 0; j < s->m; j++)
            allowed[i] = expr_add(p, allowed[i],
                                  expr_mul(p, manifold_basis(&m, i, j), delta[s->independent[j]]));
    }
    for (uint32_t nu = 0; nu < s->k; nu++) chetaev[nu] = simplified(p, allowed[s->dependent[nu]]);
    for (uint32_t i = 0; i < n; i++) {
        const expr sum = expr_dot(p, n, eq->transposition + i * n, delta);
        unreduced[i] = simplified(p, sum);
        reduced[i] = simplified(p, on_constraints(&m, expr_replace(p, sum, n, delta, allowed)));
    }
    return (transposition){form, eq, delta, unreduced, chetaev, s->dependent, reduced};
}

// --- text ----------------------------------------------------------------------------------------

static void write(const transposition *t, expr e, print_style style, text *out) {
    print_expression(t->eq->system->pool, e, style, out);
}

static const char *coordinate_name(const transposition *t, uint32_t i) {
    return expr_symbol_name(t->eq->system->pool, t->eq->system->q[i]);
}

static expr entry_of(const transposition *t, const char *letter, uint32_t i, uint32_t j) {
    const char *name =
        arena_format(&t->eq->system->model->ctx->arena, "%s[%u,%u]", letter, i + 1, j + 1);
    return equations_find(t->eq, name)->value;
}

static void write_matrix(const transposition *t, const char *letter, const char *title, text *out) {
    const uint32_t n = t->eq->system->n;
    text_format(out, "%s\n", title);
    for (uint32_t i = 0; i < n; i++) {
        text_append(out, "  [ ");
        for (uint32_t j = 0; j < n; j++) {
            if (j) text_append(out, ",  ");
            write(t, entry_of(t, letter, i, j), STYLE_TEXT, out);
        }
        text_append(out, " ]\n");
    }
}

static void write_value(const transposition *t, const char *name, text *out) {
    const definition *d = equations_find(t->eq, name);
    if (!d) return;
    text_format(out, "%s = ", name);
    write(t, d->value, STYLE_TEXT, out);
    text_char(out, '\n');
}

static void write_relations(const transposition *t, const expr *value, text *out) {
    for (uint32_t i = 0; i < t->eq->system->n; i++) {
        text_format(out, "  delta(%s') - ddt(delta(%s)) = ", coordinate_name(t, i),
                    coordinate_name(t, i));
        write(t, value[i], STYLE_TEXT, out);
        text_char(out, '\n');
    }
}

// L, W, E(L) and A: of an A-model. Other mechanics state their relations without them.
static void write_matrices(const transposition *t, text *out) {
    const mechanics *s = t->eq->system;
    text_append(out, "rows\n");
    for (uint32_t i = 0; i < s->n; i++) {
        text_format(out, "  L[%u] = ", i + 1);
        write(t, equations_find(t->eq, arena_format(&s->model->ctx->arena, "L[%u]", i + 1))->value,
              STYLE_TEXT, out);
        text_char(out, '\n');
    }
    write_matrix(t, "W", "W[i,j] = dL[i]/dq'[j]", out);
    write_value(t, "det W", out);
    write_matrix(t, "E", "E(L)[i,j] = d/dt dL[i]/dq'[j] - dL[i]/dq[j]", out);
    write_matrix(t, "A", "A = transpose of W^-1 E(L)", out);
    write_value(t, "det G", out);
}

void transposition_text(const transposition *t, text *out) {
    const mechanics *s = t->eq->system;
    text_format(out, "%s (%s), after %s\n", t->form->name, t->form->id, t->form->paper);
    if (t->eq->remark) text_format(out, "%s\n", t->eq->remark);
    if (transposition_has_matrices(t)) write_matrices(t, out);
    text_append(out, "transpositional relations, free variations\n");
    write_relations(t, t->unreduced, out);
    text_append(out, "Chetaev's conditions\n");
    for (uint32_t nu = 0; nu < s->k; nu++) {
        text_format(out, "  delta(%s) = ", coordinate_name(t, t->dependent[nu]));
        write(t, t->chetaev[nu], STYLE_TEXT, out);
        text_char(out, '\n');
    }
    text_append(
        out, "transpositional relations, reduced to independent variations on the constraints\n");
    write_relations(t, t->reduced, out);
    model_modes_write(s->model, "", "\n", out);
}

// --- LaTeX ---------------------------------------------------------------------------------------

static const struct {
    const char *letter, *title;
} matrices[TRANSPOSITION_MATRICES] = {{"W", "W"}, {"E", "E(L)"}, {"A", "A"}};

bool transposition_has_matrices(const transposition *t) {
    return equations_find(t->eq, "W[1,1]") != NULL;
}

void transposition_latex_matrix(const transposition *t, uint32_t which, text *out) {
    const uint32_t n = t->eq->system->n;
    text_format(out, "%s = \\begin{pmatrix}\n", matrices[which].title);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            write(t, entry_of(t, matrices[which].letter, i, j), STYLE_LATEX, out);
            text_append(out, j + 1 < n ? " & " : i + 1 < n ? " \\\\\n" : "\n");
        }
    text_append(out, "\\end{pmatrix}");
}

void transposition_latex_relation(const transposition *t, uint32_t i, expr value,
                                  const char *equals, text *out) {
    const mechanics *s = t->eq->system;
    text_append(out, "\\delta ");
    print_symbol_name(s->pool, s->qd[i], STYLE_LATEX, out);
    text_append(out, " - \\tfrac{d}{dt} ");
    write(t, t->delta[i], STYLE_LATEX, out);
    text_append(out, equals);
    write(t, value, STYLE_LATEX, out);
}

static void write_latex_relations(const transposition *t, const expr *value, text *out) {
    const mechanics *s = t->eq->system;
    text_append(out, "\\begin{align*}\n");
    for (uint32_t i = 0; i < s->n; i++) {
        transposition_latex_relation(t, i, value[i], " &= ", out);
        text_append(out, i + 1 < s->n ? " \\\\\n" : "\n");
    }
    text_append(out, "\\end{align*}\n");
}

void transposition_latex(const transposition *t, text *out) {
    text_format(out, "%% %s: %s\n", t->form->id, t->form->name);
    model_modes_write(t->eq->system->model, "% ", "\n", out);
    for (uint32_t i = 0; i < TRANSPOSITION_MATRICES && transposition_has_matrices(t); i++) {
        text_append(out, "\\[ ");
        transposition_latex_matrix(t, i, out);
        text_append(out, " \\]\n");
    }
    write_latex_relations(t, t->unreduced, out);
    write_latex_relations(t, t->reduced, out);
}

// --- JSON ----------------------------------------------------------------------------------------

static void json_expression(const transposition *t, json *out, const char *key, expr e) {
    text value = {0};
    write(t, e, STYLE_TEXT, &value);
    json_text(out, key, &value);
    text_free(&value);
}

static void json_matrix(const transposition *t, json *out, const char *letter) {
    const uint32_t n = t->eq->system->n;
    json_open(out, letter, '[');
    for (uint32_t i = 0; i < n; i++) {
        json_open(out, NULL, '[');
        for (uint32_t j = 0; j < n; j++) json_expression(t, out, NULL, entry_of(t, letter, i, j));
        json_close(out, ']');
    }
    json_close(out, ']');
}

static void json_relations(const transposition *t, json *out, const char *key, const expr *value) {
    json_open(out, key, '{');
    for (uint32_t i = 0; i < t->eq->system->n; i++)
        json_expression(t, out, coordinate_name(t, i), value[i]);
    json_close(out, '}');
}

static void json_matrices(const transposition *t, json *out) {
    static const char *const scalars[] = {"det W", "det G"};
    const mechanics *s = t->eq->system;
    json_open(out, "L", '[');
    for (uint32_t i = 0; i < s->n; i++)
        json_expression(
            t, out, NULL,
            equations_find(t->eq, arena_format(&s->model->ctx->arena, "L[%u]", i + 1))->value);
    json_close(out, ']');
    for (uint32_t i = 0; i < TRANSPOSITION_MATRICES; i++) json_matrix(t, out, matrices[i].letter);
    for (int i = 0; i < 2; i++)
        if (equations_find(t->eq, scalars[i]))
            json_expression(t, out, scalars[i], equations_find(t->eq, scalars[i])->value);
}

void transposition_json(const transposition *t, json *out) {
    const mechanics *s = t->eq->system;
    json_open(out, NULL, '{');
    json_string(out, "form", t->form->id);
    if (t->eq->remark) json_string(out, "remark", t->eq->remark);
    if (transposition_has_matrices(t)) json_matrices(t, out);
    json_relations(t, out, "free", t->unreduced);
    json_open(out, "chetaev", '{');
    for (uint32_t nu = 0; nu < s->k; nu++)
        json_expression(t, out, coordinate_name(t, t->dependent[nu]), t->chetaev[nu]);
    json_close(out, '}');
    json_relations(t, out, "reduced", t->reduced);
    print_modes_json(s->model, out);
    json_close(out, '}');
}
