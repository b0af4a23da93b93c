// The formats numpy and matlab: matrices as code that can be run. Expressions are functions of the
// symbols in them, which stand before the matrices with no value: the reader gives them one.
#include "model/contact_modes.h"
#include "print/format.h"

#include <string.h>

typedef struct {
    const char *comment;   // "# "
    const char *open;      // "%s = np.array(["
    const char *row_open;  // "["
    const char *row_close; // "]"
    const char *between;   // rows: ","
    const char *close;     // "])"
    const char *power;     // "**"
    const char *empty;     // of no entries: rows, columns
} dialect;

// SymPy's way to write an expression is Python's; elsewhere a power has another sign.
static void write_entry(const sheet *s, const sheet_matrix *a, uint32_t row, uint32_t column,
                        const dialect *d, text *out) {
    text entry = {0};
    sheet_write_entry(s, a, row, column, STYLE_SYMPY, &entry);
    for (const char *at = text_string(&entry); *at; at++) {
        if (at[0] == '*' && at[1] == '*') text_append(out, d->power), at++;
        else text_char(out, *at);
    }
    text_free(&entry);
}

static void write_key(const sheet *s, const dialect *d, text *out) {
    const expr *symbol;
    const uint32_t count = sheet_symbols(s, &symbol);
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : d->comment);
        if (!i) text_append(out, "give these a value first: ");
        print_symbol_name(s->m->pool, symbol[i], STYLE_SYMPY, out);
        text plain = {0};
        print_symbol_name(s->m->pool, symbol[i], STYLE_TEXT, &plain);
        if (strchr(text_string(&plain), '\'')) text_format(out, " (%s)", text_string(&plain));
        text_free(&plain);
    }
    if (count) text_char(out, '\n');
}

static void write_sheet(const sheet *s, const dialect *d, text *out) {
    for (uint32_t i = 0; i < s->comments; i++)
        text_format(out, "%s%s\n", d->comment, s->comment[i]);
    model_modes_write(s->m, d->comment, "\n", out);
    write_key(s, d, out);
    for (uint32_t k = 0; k < s->count; k++) {
        const sheet_matrix *a = &s->matrix[k];
        if (!a->rows || !a->columns) {
            text_format(out, d->empty, a->name, a->rows, a->columns);
            continue;
        }
        text_format(out, d->open, a->name);
        for (uint32_t i = 0; i < a->rows; i++) {
            text_append(out, i ? "\n    " : "");
            text_append(out, d->row_open);
            for (uint32_t j = 0; j < a->columns; j++) {
                if (j) text_append(out, ", ");
                write_entry(s, a, i, j, d, out);
            }
            text_append(out, d->row_close);
            if (i + 1 < a->rows) text_append(out, d->between);
        }
        text_append(out, d->close);
    }
}

static void write_numpy(const sheet *s, text *out) {
    static const dialect python = {.comment = "# ",
                                   .open = "%s = np.array([",
                                   .row_open = "[",
                                   .row_close = "]",
                                   .between = ",",
                                   .close = "])\n",
                                   .power = "**",
                                   .empty = "%s = np.zeros((%u, %u))\n"};
    const expr *symbol;
    text_append(out, "import numpy as np\n");
    if (sheet_symbols(s, &symbol)) text_append(out, "from numpy import *\n");
    write_sheet(s, &python, out);
}

static void write_matlab(const sheet *s, text *out) {
    static const dialect matlab = {.comment = "% ",
                                   .open = "%s = [",
                                   .row_open = "",
                                   .row_close = "",
                                   .between = ";",
                                   .close = "];\n",
                                   .power = "^",
                                   .empty = "%s = zeros(%u, %u);\n"};
    write_sheet(s, &matlab, out);
}

const format format_numpy = {
    .id = "numpy", .about = "matrices as Python code for NumPy", .matrices = write_numpy};
const format format_matlab = {
    .id = "matlab", .about = "matrices as code of MATLAB and Octave", .matrices = write_matlab};
