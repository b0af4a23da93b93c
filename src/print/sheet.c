// Sheets of matrices: what all formats of them share.
#include "print/sheet.h"

void sheet_write_entry(const sheet *s, const sheet_matrix *a, uint32_t row, uint32_t column,
                       print_style style, text *out) {
    const size_t i = (size_t)row * a->columns + column;
    if (a->entry) print_expression(s->m->pool, a->entry[i], style, out);
    else text_append(out, a->number[i]);
}

uint32_t sheet_symbols(const sheet *s, const expr **out) {
    pool *p = s->m->pool;
    const uint32_t most = pool_symbol_count(p);
    expr *found = arena_array(&s->m->ctx->arena, expr, most + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < most; i++) {
        const expr e = pool_symbol(p, i)->node;
        bool used = false;
        for (uint32_t k = 0; k < s->count && !used; k++)
            used = s->matrix[k].entry &&
                   expr_any_depends_on(p, s->matrix[k].rows * s->matrix[k].columns,
                                       s->matrix[k].entry, 1, &e);
        if (used) found[count++] = e;
    }
    *out = found;
    return count;
}
