// Fuzzes the layout of texts: what is laid out differs in blanks alone, and laying it out again
// changes nothing, at the usual width and at a narrow one.
#include "model_share.h"

#include <hamel.h>

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The next byte that is no blank; size: none. The mark of byte order counts as a blank.
static size_t pass_blanks(const char *bytes, size_t size, size_t at) {
    if (!at && size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) at = 3;
    while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at])) at++;
    return at;
}

static void assert_blanks_differ_alone(const char *one, size_t n, const char *other, size_t m) {
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        i = pass_blanks(one, n, i), j = pass_blanks(other, m, j);
        if (i == n || j == m) break;
        assert(one[i] == other[j]);
    }
    assert(i == n && j == m);
}

// false: the text cannot be read
static bool lay_out(const char *bytes, size_t size, unsigned width, char **made, size_t *length) {
    hamel_context *context = hamel_context_create();
    if (!context) return false;
    *made = NULL;
    const hamel_status status =
        hamel_text_format(context, "fuzz.ham", bytes, size, width, made, length);
    hamel_context_destroy(context);
    return status == HAMEL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned widths[] = {0, 24};
    for (int i = 0; i < 2; i++) {
        char *once = NULL, *twice = NULL;
        size_t once_size = 0, twice_size = 0;
        const bool good = lay_out((const char *)data, size, widths[i], &once, &once_size);
        if (!i) model_share_count(good);
        if (!good) return 0;
        assert(once);
        assert_blanks_differ_alone((const char *)data, size, once, once_size);
        assert(lay_out(once, once_size, widths[i], &twice, &twice_size));
        if (once_size != twice_size || memcmp(once, twice, once_size) != 0) {
            fprintf(stderr, "once:\n%s\ntwice:\n%s\n", once, twice);
            abort();
        }
        hamel_free(once), hamel_free(twice);
    }
    return 0;
}
