// The format bibtex: the sources of `hamel references` and `hamel derive --bib`.
#include "print/format.h"

static void write_sources(uint32_t count, const reference *const *source, text *out) {
    for (uint32_t i = 0; i < count; i++) reference_write_bibtex(source[i], out);
}

const format format_bibtex = {
    .id = "bibtex", .about = "sources for LaTeX, of `references`", .sources = write_sources};
