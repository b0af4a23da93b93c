// The sources that outputs, comments and documentation name: one table, references.def. From it
// come `hamel references`, docs/references.md and the BibTeX files of `derive --bib`. A text names
// a source by its key ("T18 (21)") or as people cite it ("Maggi 1901"); reference_is_named() says
// whether it does.
#ifndef HAMEL_BASE_REFERENCES_H
#define HAMEL_BASE_REFERENCES_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *key;  // "T18", "maggi1901"; that of BibTeX, too
    const char *cite; // how a text names it: "Maggi 1901"
    const char *type; // of a BibTeX entry
    const char *author, *title;
    // NULL where it is not known, or means nothing for this type
    const char *year, *journal, *booktitle, *volume, *number, *pages, *publisher, *address, *doi,
        *note;
} reference;

uint32_t reference_count(void);
const reference *reference_at(uint32_t index);
bool reference_is_named(const reference *r, const char *words);

// In one paragraph: "Maggi, Gian Antonio (1901). Title. Journal 10(2), 287-291."
void reference_write(const reference *r, text *out);
void reference_write_bibtex(const reference *r, text *out);

#endif
