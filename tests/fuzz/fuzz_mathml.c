// Fuzzes LaTeX to MathML: no text may crash it, and what comes out is well-formed: every element is
// closed by its own name, and no character of the input opens one.
#include "print/mathml.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEEPEST = 10000 };

// Every <name ..> has its </name>, in the order of brackets.
static void is_well_formed(const char *markup) {
    const char *open[DEEPEST];
    size_t depth = 0;
    for (const char *c = strchr(markup, '<'); c; c = strchr(c + 1, '<')) {
        const char *end = strchr(c, '>');
        assert(end);
        if (c[1] == '/') {
            const size_t length = (size_t)(end - c) - 2;
            assert(depth > 0);
            const char *name = open[--depth];
            assert(strncmp(name, c + 2, length) == 0 && strchr(" >", name[length]));
        } else if (end[-1] != '/') {
            assert(depth < DEEPEST);
            open[depth++] = c + 1;
        }
    }
    assert(!depth);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *latex = malloc(size + 1);
    if (!latex) return 0;
    memcpy(latex, data, size);
    latex[size] = '\0';
    text shown = {0};
    (void)mathml_inline(latex, &shown);
    is_well_formed(text_string(&shown));
    text_clear(&shown);
    (void)mathml_block(latex, &shown);
    is_well_formed(text_string(&shown));
    text_free(&shown);
    free(latex);
    return 0;
}
