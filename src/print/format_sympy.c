// The format sympy: one Eq(..) a line, each valid for sympy.sympify. Comments list the names of
// derivatives.
#include "model/contact_modes.h"
#include "print/format.h"

#include <string.h>

// "# x_t = x'" for every symbol whose SymPy name differs from its name in the model
static void write_key(const derivation *d, text *out) {
    pool *p = d->shown->eq->system->pool;
    text plain = {0}, python = {0};
    for (uint32_t i = 0; i < pool_symbol_count(p); i++) {
        const expr e = pool_symbol(p, i)->node;
        if (pool_symbol(p, i)->role == ROLE_LOCAL || pool_symbol(p, i)->order > 3) continue;
        text_clear(&plain), text_clear(&python);
        print_symbol_name(p, e, STYLE_TEXT, &plain);
        print_symbol_name(p, e, STYLE_SYMPY, &python);
        bool used = false;
        for (uint32_t j = 0; j < d->shown->lines_count && !used; j++)
            used = expr_depends_on(p, d->shown->lines[j].left, 1, &e) ||
                   expr_depends_on(p, d->shown->lines[j].right, 1, &e);
        if (used && strcmp(text_string(&plain), text_string(&python)) != 0)
            text_format(out, "# %s = %s\n", text_string(&python), text_string(&plain));
    }
    text_free(&plain), text_free(&python);
}

static void write_equations(const derivation *d, uint32_t place, json *document) {
    (void)place;
    text *out = document->out;
    text_format(out, "# %s (%s), after %s\n", d->form->name, d->form->id, d->form->paper);
    if (d->refusal) {
        text_format(out, "# does not apply: %s\n", d->refusal);
        return;
    }
    write_key(d, out);
    for (uint32_t i = 0; i < d->shown->name_count; i++) {
        text_format(out, "Eq(%s, ", d->shown->names[i]);
        derivation_write(d, d->shown->name_of[i], STYLE_SYMPY, out);
        text_append(out, ")\n");
    }
    for (uint32_t i = 0; i < d->shown->lines_count; i++) {
        text_append(out, "Eq(");
        derivation_write(d, d->shown->lines[i].left, STYLE_SYMPY, out);
        text_append(out, ", ");
        derivation_write(d, d->shown->lines[i].right, STYLE_SYMPY, out);
        text_append(out, ")\n");
    }
    // their names are not all valid in Python
    for (uint32_t i = 0; i < d->shown->definitions_count; i++) {
        text_format(out, "# with %s: ", d->shown->definitions[i].name);
        derivation_write(d, d->shown->definitions[i].value, STYLE_SYMPY, out);
        text_char(out, '\n');
    }
    text missing = {0};
    if (derivation_left_out(d, &missing)) text_format(out, "# %s\n", text_string(&missing));
    text_free(&missing);
    if (d->shown->eq->remark) text_format(out, "# %s\n", d->shown->eq->remark);
    if (d->stats) text_format(out, "# %s\n", d->stats);
}

static void write_title(const model *m, json *out) {
    text_format(out->out, "# %s\n", m->title ? m->title : m->name);
    model_modes_write(m, "# ", "\n", out->out);
}

// "A = Matrix([[.., ..], ..])" a line; decimals as they are
static void write_matrices(const sheet *s, text *out) {
    for (uint32_t i = 0; i < s->comments; i++) text_format(out, "# %s\n", s->comment[i]);
    model_modes_write(s->m, "# ", "\n", out);
    for (uint32_t k = 0; k < s->count; k++) {
        const sheet_matrix *a = &s->matrix[k];
        if (!a->rows || !a->columns) {
            text_format(out, "%s = zeros(%u, %u)\n", a->name, a->rows, a->columns);
            continue;
        }
        text_format(out, "%s = Matrix([", a->name);
        for (uint32_t i = 0; i < a->rows; i++) {
            text_append(out, i ? ", [" : "[");
            for (uint32_t j = 0; j < a->columns; j++) {
                if (j) text_append(out, ", ");
                if (!a->entry) text_append(out, "Float('");
                sheet_write_entry(s, a, i, j, STYLE_SYMPY, out);
                if (!a->entry) text_append(out, "')");
            }
            text_char(out, ']');
        }
        text_append(out, "])\n");
    }
}

const format format_sympy = {
    .id = "sympy",
    .about = "equations as input of SymPy, one Eq(..) a line",
    .open_equations = write_title,
    .equations = write_equations,
    .matrices = write_matrices,
};
