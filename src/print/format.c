// The list of formats.
#include "print/format.h"

#include "model/contact_modes.h"

#include <string.h>

#define FORMAT(id) extern const format format_##id;
#include "print/formats.def"
#undef FORMAT

static const format *const formats[] = {
#define FORMAT(id) &format_##id,
#include "print/formats.def"
#undef FORMAT
};

// The places in the list are the numbers of hamel.h.
enum {
#define FORMAT(id) PLACE_##id,
#include "print/formats.def"
#undef FORMAT
    COUNT
};
_Static_assert((int)PLACE_text == (int)HAMEL_TEXT && (int)PLACE_latex == (int)HAMEL_LATEX &&
                   (int)PLACE_markdown == (int)HAMEL_MARKDOWN &&
                   (int)PLACE_json == (int)HAMEL_JSON && (int)PLACE_sympy == (int)HAMEL_SYMPY &&
                   (int)PLACE_html == (int)HAMEL_HTML && (int)PLACE_bibtex == (int)HAMEL_BIBTEX &&
                   (int)PLACE_numpy == (int)HAMEL_NUMPY && (int)PLACE_matlab == (int)HAMEL_MATLAB,
               "formats.def and hamel_format have the same order");

uint32_t format_count(void) { return COUNT; }
const format *format_at(uint32_t index) { return formats[index]; }

int format_find(const char *id) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(formats[i]->id, id) == 0) return i;
    return -1;
}

bool format_writes(const format *f, format_ability what) {
    switch (what) {
    case WRITES_EQUATIONS: return f->equations != NULL;
    case WRITES_TRANSPOSITION: return f->transposition != NULL;
    case WRITES_RESULT: return f->result != NULL;
    case WRITES_PAGE: return f->page != NULL;
    case WRITES_SOURCES: return f->sources != NULL;
    case WRITES_MATRICES: return f->matrices || f->result;
    }
    return false;
}

void format_words(const printable *r, text *out) {
    r->words(r->of, out);
    if (r->m) model_modes_write(r->m, "", "\n", out);
}
