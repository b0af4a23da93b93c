// A sheet of named matrices, as formats write it that are pasted into programs and papers: entries
// are expressions, or numbers as decimals. Lines of comment say what rows and columns belong to.
#ifndef HAMEL_PRINT_SHEET_H
#define HAMEL_PRINT_SHEET_H

#include "model/model.h"
#include "print/expression.h"

typedef struct {
    const char *name; // "A"; letters and digits
    uint32_t rows, columns;
    const expr *entry;         // row by row; or NULL:
    const char *const *number; // decimals, row by row
} sheet_matrix;

typedef struct {
    const model *m;
    uint32_t comments;
    const char *const *comment;
    uint32_t count;
    const sheet_matrix *matrix;
} sheet;

// One entry: a decimal as it is, an expression in this style
void sheet_write_entry(const sheet *s, const sheet_matrix *a, uint32_t row, uint32_t column,
                       print_style style, text *out);
// The symbols of all entries, in the arena
uint32_t sheet_symbols(const sheet *s, const expr **out);

#endif
