// What a paper says of a system.
#include "api/codegen_paper.h"

#include "base/latex_name.h"
#include "model/contact_modes.h"
#include "normal/normal.h"
#include "print/derivation.h"

// Longest equation that is typeset, by expr_weight(); and how many named parts a reader follows.
enum { LONGEST = 2500, MOST_NAMES = 200 };

typedef struct {
    const paper_request *of;
    arena *arena;
    pool *pool;
    derivation d;
    paper *out;
    paper_block block;
    uint32_t capacity;
    paper_equation *list;
} writer;

// --- one block after the other -------------------------------------------------------------------

static void begin(writer *w, paper_block block, uint32_t most) {
    w->block = block, w->capacity = most;
    w->list = arena_array(w->arena, paper_equation, most + 1);
    w->out->equation[block] = w->list;
}

static void add_texts(writer *w, text *left, text *right) {
    w->list[w->out->count[w->block]++] =
        (paper_equation){arena_copy(w->arena, text_string(left), left->length),
                         arena_copy(w->arena, text_string(right), right->length)};
    text_free(left), text_free(right);
}

static bool is_short(const writer *w, expr e) { return expr_weight(w->pool, e) < LONGEST; }

// e = right, where e is an expression
static void add(writer *w, expr left, expr right) {
    if (!is_short(w, left) || !is_short(w, right)) {
        w->out->left_out++;
        return;
    }
    text a = {0}, b = {0};
    derivation_write_plain(&w->d, left, STYLE_LATEX, &a);
    derivation_write_plain(&w->d, right, STYLE_LATEX, &b);
    add_texts(w, &a, &b);
}

// A name of its own in the place of the left-hand side; an index behind it, or none
static void add_named(writer *w, const char *latex, expr index, expr value) {
    if (!is_short(w, value)) {
        w->out->left_out++;
        return;
    }
    text a = {0}, b = {0};
    text_append(&a, latex);
    if (index != EXPR_NONE) {
        text_append(&a, "_{");
        print_symbol_name(w->pool, index, STYLE_LATEX, &a);
        text_char(&a, '}');
    }
    print_expression(w->pool, value, STYLE_LATEX, &b);
    add_texts(w, &a, &b);
}

static void add_called(writer *w, const char *name, expr value) {
    text latex = {0};
    latex_name(name, 0, &latex);
    add_named(w, text_string(&latex), EXPR_NONE, value);
    text_free(&latex);
}

// --- the system ----------------------------------------------------------------------------------

static void write_energies(writer *w) {
    const mechanics *s = w->of->system;
    const model *m = w->of->m;
    begin(w, PAPER_ENERGY, 4);
    if (m->lagrangian != EXPR_NONE) add_named(w, "L", EXPR_NONE, s->lagrangian);
    else {
        add_named(w, "T", EXPR_NONE, s->kinetic);
        if (s->potential != EXPR_ZERO) add_named(w, "U", EXPR_NONE, s->potential);
    }
    if (s->dissipation != EXPR_ZERO) add_named(w, "D", EXPR_NONE, s->dissipation);
    begin(w, PAPER_FORCES, s->n);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->applied[i] != EXPR_ZERO) add_named(w, "Q", s->q[i], s->applied[i]);
    begin(w, PAPER_GIVEN, m->givens_count);
    for (uint32_t i = 0; i < m->givens_count; i++) {
        const given_function *g = &m->givens[i];
        if (!g->is_input && !g->data && g->definition != EXPR_NONE)
            add(w, g->symbol, g->definition);
    }
    begin(w, PAPER_INPUTS, w->of->input_count);
    for (uint32_t i = 0; i < w->of->input_count; i++) add(w, w->of->input[i], w->of->stated[i]);
}

static void write_constraints(writer *w) {
    const mechanics *s = w->of->system;
    begin(w, PAPER_CONSTRAINTS, s->k + s->h);
    for (uint32_t i = 0; i < s->k + s->h; i++)
        add_named(w, "0", EXPR_NONE, w->of->m->constraints[s->constraint[i]].phi);
    begin(w, PAPER_QUASI_VELOCITIES, s->m);
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++) add(w, s->eta[i], s->psi[i]);
}

// --- the derivation ------------------------------------------------------------------------------

static void write_lines(writer *w, paper_block block, line_kind kind) {
    const presentation *p = w->d.shown;
    begin(w, block, p->lines_count);
    for (uint32_t i = 0; i < p->lines_count; i++) {
        const line *l = &p->lines[i];
        if (l->kind != kind) continue;
        if (p->name_count > MOST_NAMES) w->out->left_out++;
        else if (l->right == EXPR_ZERO) add(w, l->right, l->left);
        else add(w, l->left, l->right);
    }
}

static void write_names(writer *w) {
    const presentation *p = w->d.shown;
    const bool read = p->name_count <= MOST_NAMES;
    begin(w, PAPER_NAMES, p->name_count);
    for (uint32_t i = 0; read && i < p->name_count; i++) {
        text a = {0}, b = {0};
        print_name(p->names[i], 0, STYLE_LATEX, &a);
        derivation_write(&w->d, p->name_of[i], STYLE_LATEX, &b);
        add_texts(w, &a, &b);
    }
    begin(w, PAPER_INGREDIENTS, p->definitions_count);
    for (uint32_t i = 0; read && i < p->definitions_count; i++) {
        text a = {0}, b = {0};
        text_append(&a, p->definitions[i].latex);
        derivation_write(&w->d, p->definitions[i].value, STYLE_LATEX, &b);
        add_texts(w, &a, &b);
    }
}

static void write_multipliers(writer *w) {
    const equations *eq = w->of->eq;
    begin(w, PAPER_MULTIPLIERS, eq->multiplier_count);
    for (uint32_t i = 0; eq->recovery && i < eq->multiplier_count; i++)
        add(w, EXPR_ZERO, eq->recovery[i]);
}

static void write_watched(writer *w) {
    const model *m = w->of->m;
    begin(w, PAPER_INVARIANTS, m->invariants_count);
    for (uint32_t i = 0; i < m->invariants_count; i++)
        add_called(w, m->invariants[i].name, m->invariants[i].value);
    begin(w, PAPER_OBSERVED, m->observables_count);
    for (uint32_t i = 0; i < m->observables_count; i++)
        add_called(w, m->observables[i].name, m->observables[i].value);
    begin(w, PAPER_EVENTS, m->events_count);
    for (uint32_t i = 0; i < m->events_count; i++)
        add_called(w, m->events[i].name, m->events[i].value);
}

const paper *codegen_paper(const paper_request *of) {
    const mechanics *s = of->system;
    arena *a = &of->m->ctx->arena;
    presentation shown = presentation_create(of->eq, false);
    paper *out = arena_new(a, paper);
    const char **coordinate = arena_array(a, const char *, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) coordinate[i] = expr_symbol_text(of->m->pool, s->q[i]);
    text notes = {0};
    model_modes_write(of->m, "", "\n", &notes);
    if (of->eq->remark) text_append(&notes, of->eq->remark);
    *out = (paper){.form_id = of->form->id,
                   .form_name = of->form->name,
                   .formula = of->form->latex,
                   .sources = of->form->paper,
                   .notes = arena_copy(a, text_string(&notes), notes.length),
                   .coordinates = s->n,
                   .coordinate = coordinate,
                   .constraints = s->k,
                   .freedoms = s->m};
    writer w = {.of = of,
                .arena = a,
                .pool = of->m->pool,
                .d = {.form = of->form, .shown = &shown},
                .out = out};
    write_energies(&w);
    write_constraints(&w);
    write_names(&w);
    write_lines(&w, PAPER_MOTION, LINE_MOTION);
    write_lines(&w, PAPER_VELOCITIES, LINE_VELOCITY);
    write_lines(&w, PAPER_REMAINING, LINE_CONSTRAINT);
    write_multipliers(&w);
    write_watched(&w);
    presentation_free(&shown);
    text_free(&notes);
    return out;
}
