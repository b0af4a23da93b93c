// An output format: one file, one descriptor, one line in formats.def.
//
// A format says how it writes each kind of result; a function that is NULL means that it cannot,
// and `format_writes` tells. The calls of the library look a descriptor up by its number in hamel.h
// and leave the writing to it; no other place asks which format it is.
#ifndef HAMEL_PRINT_FORMAT_H
#define HAMEL_PRINT_FORMAT_H

#include "base/references.h"
#include "hamel_context.h"
#include "print/derivation.h"
#include "print/sheet.h"
#include "print/transposition.h"

// A result with the same content for people and for programs: what `check`, `prove`, `simulate` ..
// say. `data` writes one JSON value.
typedef struct {
    const void *of;
    void (*words)(const void *of, text *out);
    void (*data)(const void *of, json *out);
    const model *m; // it speaks of its equations, in the modes of its contacts; NULL: of no model's
} printable;

typedef enum {
    WRITES_EQUATIONS,
    WRITES_TRANSPOSITION,
    WRITES_RESULT,
    WRITES_PAGE,
    WRITES_SOURCES,
    WRITES_MATRICES // as a result, or as code
} format_ability;

typedef struct format {
    const char *id;    // "latex", as in --format latex
    const char *about; // one line
    bool for_programs; // no drawings in characters, nothing that only people look at
    // Equations of motion: what stands before the first form (NULL: nothing), form number i, and
    // what stands behind the last (NULL: nothing). `out` is a text, out->out, with JSON's commas.
    void (*open_equations)(const model *m, json *out);
    void (*equations)(const derivation *d, uint32_t i, json *out);
    void (*close_equations)(json *out);
    void (*transposition)(const transposition *t, text *out);
    void (*result)(const printable *r, text *out);
    void (*page)(const printable *r, text *out); // of `report`; its words are HTML
    void (*sources)(uint32_t count, const reference *const *source, text *out); // of `references`
    void (*matrices)(const sheet *s, text *out);
} format;

uint32_t format_count(void);
const format *format_at(uint32_t index); // by its number in hamel.h
int format_find(const char *id);         // its number; -1 if there is none
bool format_writes(const format *f, format_ability what);

void format_words(const printable *r, text *out); // the result in words, as they are

#endif
