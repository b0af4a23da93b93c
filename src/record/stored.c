// Rows that are in a file already, by the ending of its name.
#include "record/sinks.h"

#include "base/utf8.h"

// XML has neither control characters nor U+FFFE and U+FFFF.
static bool can_be_shown(uint32_t code) {
    return !utf8_is_hidden(code) && code != 0xFFFE && code != 0xFFFF;
}

const char *stored_name_fault(const char *name, size_t length) {
    if (length > STORED_LONGEST_NAME) return "the name of a column has 200 bytes at most";
    for (size_t at = 0; at < length;) {
        uint32_t code;
        const uint32_t size = utf8_decode(name + at, length - at, &code);
        if (!size) return "the name of a column is UTF-8 text, and this is not";
        if (!can_be_shown(code)) return "the name of a column has no control characters";
        at += size;
    }
    return NULL;
}

hamel_status stored_read(context *ctx, const char *file, stored_rows *out) {
    *out = (stored_rows){0};
    const sink_kind *kind = sink_find(file);
    if (kind && kind->read) return kind->read(ctx, file, out);
    diag_error(ctx, (span){0},
               arena_format(&ctx->arena, "give a name that ends in %s",
                            sink_suffixes(&ctx->arena, SINK_READS)),
               "`%s` does not say in which format its rows are", file);
    return HAMEL_USAGE;
}
